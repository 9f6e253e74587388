"""What the page of checkpoints shows of whole models."""

from __future__ import annotations

from html import escape

from macros.counting import CountingError, Question, count, model_named, models_in
from macros.counting.models import COURSE, load_groups

from ..components import numbers
from ..components.asking import title_of
from ..components.tables import code

MINIATURE = "miniature"
"""The group of the small models, which differ in depth and width only."""


def named(model: str) -> str:
    """The title of a checkpoint, and its name below."""
    return f'<span class="bc-title">{escape(title_of(model_named(model)))}</span><br>{code(model)}'


def _sizes_of_miniatures(letter: str) -> tuple[int, ...]:
    return tuple(sorted({each.sizes[letter] for each in models_in([MINIATURE])}))


DEPTHS, WIDTHS = map(_sizes_of_miniatures, "LH")
"""The layers and hidden sizes of the miniatures."""


def miniature(depth: int, width: int) -> str:
    """The number of a miniature, with the address of the model, and its name if it has one; nothing for no model.

    Raises:
        CountingError: no miniature has as many layers, or that hidden size.
    """
    if depth not in DEPTHS or width not in WIDTHS:
        raise CountingError(f"no miniature has L = {depth} or none H = {width}; choose of {DEPTHS} and {WIDTHS}")
    models = {(each.sizes["L"], each.sizes["H"]): each for each in models_in([MINIATURE])}
    model = models.get((depth, width))
    if model is None:
        return ""
    number = numbers.counted(Question(model), brief=True)
    title = "" if MINIATURE in model.title else f'<br><span class="bc-purpose">{escape(model.title)}</span>'
    return f'<span id="{model.name}">{number}{title}</span>'


TOPIC: dict[str, object] = {
    "published": tuple(
        each.name for group in load_groups() if group not in (COURSE, MINIATURE) for each in models_in([group])
    ),
    "of_texts": tuple(each.name for each in sorted(models_in([COURSE]), key=count)),
    "depths": DEPTHS,
    "widths": WIDTHS,
    "named": named,
    "miniature": miniature,
}
"""What the page of checkpoints calls, and the models and sizes that it goes through.

Those that were published first come first, those of texts by their number.
"""
