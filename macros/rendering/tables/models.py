"""Macros for the page about checkpoints: the names of models, and the grid of miniatures."""

from __future__ import annotations

from html import escape

from macros.counting import CountingError, Question, count, load_models, model_named, models_in
from macros.counting.models import COURSE, MINIATURE, load_groups

from ..components import numbers
from ..components.asking import title_of
from ..components.tables import code


def title(model: str) -> str:
    """The title of a checkpoint, with its name on the next line.

    Raises:
        CountingError: there is no checkpoint with that name.
    """
    return f'<span class="bc-title">{escape(title_of(model_named(model)))}</span><br>{code(model)}'


def _sizes_of_miniatures(letter: str) -> tuple[int, ...]:
    """The distinct values of a size among the miniatures, in ascending order."""
    return tuple(sorted({model.sizes[letter] for model in models_in([MINIATURE])}))


DEPTHS, WIDTHS = map(_sizes_of_miniatures, "LH")
"""The numbers of layers and the hidden sizes of the miniatures."""


def miniature(depth: int, width: int) -> str:
    """A cell of the grid: the parameters of a miniature with its id and, if it has one, its own title.

    The cell is empty if there is no miniature with both sizes.

    Raises:
        CountingError: no miniature has that number of layers, or no miniature has that hidden size.
    """
    if depth not in DEPTHS or width not in WIDTHS:
        raise CountingError(f"miniatures have L from {DEPTHS} and H from {WIDTHS}, got L = {depth} and H = {width}")
    miniatures_by_sizes = {(model.sizes["L"], model.sizes["H"]): model for model in models_in([MINIATURE])}
    model = miniatures_by_sizes.get((depth, width))
    if model is None:
        return ""
    number = numbers.parameters(Question(model), brief=True)
    title_line = "" if MINIATURE in model.title else f'<br><span class="bc-purpose">{escape(model.title)}</span>'
    return f'<span id="{model.name}">{number}{title_line}</span>'


NAMES_BY_TOTAL = [model.name for model in sorted(load_models().values(), key=count) if model.group != COURSE]
"""The names of the checkpoints of google-research/bert, including miniatures, sorted by their totals."""


TOPIC: dict[str, object] = {
    "published": tuple(
        model.name for group in load_groups() if group not in (COURSE, MINIATURE) for model in models_in([group])
    ),
    "smallest": NAMES_BY_TOTAL[0],
    "largest": NAMES_BY_TOTAL[-1],
    "course_models": tuple(model.name for model in sorted(models_in([COURSE]), key=count)),
    "depths": DEPTHS,
    "widths": WIDTHS,
    "title": title,
    "miniature": miniature,
}
"""Macros for the page about checkpoints, and the models and sizes that it lists.

`published` has the checkpoints other than miniatures, in the order of the data files.
`smallest` and `largest` are the checkpoints, including miniatures, with the lowest and the highest total.
`course_models` has the models that courses and articles invented, sorted by their totals.
"""
