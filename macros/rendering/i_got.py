"""The page "I got a different number": its form, its examples, and a field on other pages that leads to it.

The answer is computed in the browser by `docs/assets/explaining/`.
"""

from __future__ import annotations

from urllib.parse import urlencode

from macros.counting import count, model_named, models_in
from macros.counting.architecture import ONE_LAYER
from macros.counting.memory import UNITS, bytes_of
from macros.counting.models import load_groups

from .components import numbers
from .components.asking import BASE, model_option_group
from .components.templates import render
from .texts_to_try import TEXTS


def form() -> str:
    """The form: a field for a number or a text, a list of models, and an empty region for the answer."""
    models = (model_option_group(group.title, models_in([name])) for name, group in load_groups().items())
    return render("i-got/form.html", models="".join(models))


def field() -> str:
    """A field that opens "I got a different number" from other pages. Without scripts, it accepts only numbers."""
    return render("i-got/field.html")


def examples() -> str:
    """Numbers and texts to try. A link to a number has it in its address, and a link to a text has the text's name."""
    queries = {urlencode({"n": number}): number for number in _examples()}
    return render("i-got/examples.html", examples=queries, texts=TEXTS)


def _examples() -> list[str]:
    """Numbers with different kinds of answers, as a reader would type them.

    They are a total without the pooler, a wrong published total, a rounded total, a part, a product that counts no
    parameters (layers times hidden size times heads), and an amount of memory.
    """
    base = model_named(BASE)
    chinese = model_named("bert-base-chinese")
    mistakes = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")
    mebibytes = bytes_of(count(base), "float32") / UNITS["MiB"]
    return [
        numbers.whole(count(base, deviations=["pooler-left-out"])),
        numbers.whole(count(chinese, deviations=mistakes)),
        f"{count(base, model_class='BertForPreTraining') / 10**6:.0f}M",
        numbers.whole(count(base, ONE_LAYER, "self-attention")),
        numbers.whole(base.sizes["L"] * base.sizes["H"] * base.sizes["A"]),
        f"{mebibytes:.1f} MiB",
    ]


TOPIC = {"form": form, "field": field, "examples": examples}
"""Macros for the page "I got a different number" and the home page."""
