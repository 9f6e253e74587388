"""The page that explains a number: its form, some numbers to try, and a field that leads to it."""

from __future__ import annotations

from urllib.parse import urlencode

from macros.counting import count, model_named, models_in
from macros.counting.memory import UNITS, bytes_of
from macros.counting.models import load_groups

from .components import numbers
from .components.asking import BASE, models_to_choose
from .components.templates import render


def form() -> str:
    """A field for the number, a choice of models, and the place of the answer."""
    models = (models_to_choose(group.title, models_in([name])) for name, group in load_groups().items())
    return render("i-got/form.html", models="".join(models))


def field() -> str:
    """A field for the number on another page; it leads to the page that explains one, with or without scripts."""
    return render("i-got/field.html")


def examples() -> str:
    """Numbers to try, as links that hold the question."""
    return render("i-got/examples.html", examples={urlencode({"n": typed}): typed for typed in _examples()})


def _examples() -> list[str]:
    """A total without the pooler, one in print, a rounded one, a part, a number of tensors, and memory."""
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
"""What the page that explains a number calls, and the first page."""
