"""The page "I got another number": its form, what to try, and a field on other pages that leads to it.

The answer is worked out by `docs/assets/explaining/` in the browser; nothing here explains a number.
"""

from __future__ import annotations

from urllib.parse import urlencode

from macros.counting import count, model_named, models_in
from macros.counting.memory import UNITS, bytes_of
from macros.counting.models import load_groups

from .components import numbers
from .components.asking import BASE, models_to_choose
from .components.templates import render
from .texts_to_try import TEXTS


def form() -> str:
    """The form of the page: a field for a number or a text, a list of models, and an empty region for the answer."""
    models = (models_to_choose(group.title, models_in([name])) for name, group in load_groups().items())
    return render("i-got/form.html", models="".join(models))


def field() -> str:
    """A field on another page; sending it opens "I got another number", also without scripts if it is a number."""
    return render("i-got/field.html")


def examples() -> str:
    """Numbers and texts to try, as links to this page whose address says what to explain."""
    queries = {urlencode({"n": number}): number for number in _examples()}
    return render("i-got/examples.html", examples=queries, texts=TEXTS)


def _examples() -> list[str]:
    """One example of each kind of answer, as a reader would type it.

    They are a total without the pooler, a wrong total that is in print, a rounded total, a part, a number
    that counts something else (heads times features), and an amount of memory.
    """
    base = model_named(BASE)
    chinese = model_named("bert-base-chinese")
    by_hand = ("pooler-left-out", "attention-one-layer", "attention-biases-left-out", "feed-forward-biases-left-out")
    mebibytes = bytes_of(count(base), "float32") / UNITS["MiB"]
    return [
        numbers.whole(count(base, deviations=["pooler-left-out"])),
        numbers.whole(count(chinese, deviations=by_hand)),
        f"{count(base, model_class='BertForPreTraining') / 10**6:.0f}M",
        numbers.whole(count(base, "bert/encoder/layer_0", "self-attention")),
        numbers.whole(base.sizes["L"] * base.sizes["H"] * base.sizes["A"]),
        f"{mebibytes:.1f} MiB",
    ]


TOPIC = {"form": form, "field": field, "examples": examples}
"""The macros of the page "I got another number" and of the first page."""
