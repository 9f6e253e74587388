"""The page that explains a number: its form, some numbers to try, and a field that leads to it."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from macros.counting import count, model_named, models_in
from macros.counting.memory import UNITS, bytes_of
from macros.counting.models import load_groups

from .elements import numbers
from .elements.asking import BASE, models_to_choose
from .elements.pages import I_GOT, ROOT


def form(name: str) -> str:
    """A field for the number, a choice of models, and the place of the answer."""
    options = "".join(models_to_choose(group.title, models_in([name])) for name, group in load_groups().items())
    return (
        f'<form class="bc-question" id="{name}" data-search-exclude>'
        f'<p class="bc-field"><label for="{name}-number">Your number</label>'
        f'<input id="{name}-number" name="n" type="text" autocomplete="off" spellcheck="false"'
        f' aria-describedby="{name}-forms"></p>'
        f'<p class="bc-field"><label for="{name}-model">Model</label>'
        f'<select id="{name}-model" name="model"><option value="">any model</option>{options}</select></p></form>'
        f'<p class="bc-hint" id="{name}-forms">You can separate digits with commas, points, spaces or underscores. '
        "A number with a unit, such as M, million, B, 亿, MB, MiB or GFLOPs, is taken to be rounded; "
        "a short one without a unit may lack it. "
        "A sum is worked out first, and a percentage is looked up as a share.</p>"
        '<div class="bc-place"><div id="answer" role="region" aria-label="Answer" aria-live="polite"></div></div>'
    )


def field(name: str) -> str:
    """A field for the number on another page; it leads to the page that explains one, with or without scripts."""
    return (
        f'<form class="bc-question" id="{name}" action="{ROOT}{I_GOT}" data-search-exclude>'
        f'<p class="bc-field"><label for="{name}-field">Got another number?</label>'
        f'<input id="{name}-field" name="n" type="text" autocomplete="off" spellcheck="false"></p>'
        '<button class="md-button md-button--primary" type="submit">Explain</button></form>'
    )


def examples(name: str) -> str:
    """Numbers to try, as links that hold the question."""
    items = "".join(
        f'<li><a href="{ROOT}{I_GOT}?{escape(urlencode({"n": typed}))}">{escape(typed)}</a></li>'
        for typed in _examples()
    )
    return f'<ul class="bc-examples" id="{name}" data-search-exclude>{items}</ul>'


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
