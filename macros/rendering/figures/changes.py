"""Pictures of changed models: what is added to the matrices of a layer, to scale."""

from __future__ import annotations

from macros.counting import Changed
from macros.counting.changes.rows import ChangedRow

from ..elements import svg
from ..elements.asking import ask
from ..elements.changes import added_rows, changed_model, first, sum_in_one_line
from ..elements.numbers import whole

LAYER = "bert/encoder/layer_0"

PROJECTIONS = {"query": "self/query", "key": "self/key", "value": "self/value", "output": "output/dense"}
"""The matrices of attention, by what the drawing calls them."""

FROZEN, ADDED = "self-attention-soft", "lora"

SIDE, APART = 136, 9
"""Pixels: the side of a square of H by H, and what lies between it and what is added."""


def lora(name: str) -> str:
    """The matrices of attention in one layer of base, and beside those that have adapters A at the left and B above."""
    given = first("lora")
    changed = changed_model(given)
    sizes = changed.sizes
    unit, width, rank = SIDE / sizes["H"], sizes["H"], sizes["r"]
    across, down = SIDE + 48, SIDE + 88
    body = []
    for place, (label, path) in enumerate(PROJECTIONS.items()):
        x, y = 26 + place % 2 * across, 38 + place // 2 * down
        part = f"{LAYER}/attention/{path}"
        middle, foot = x + SIDE / 2, y + SIDE
        frozen = f"{label}, frozen: {whole(ask(part).number)}"
        body.append(svg.area(x, y, unit, (width + 1, width), FROZEN, frozen, part))
        body.append(svg.text(middle, y + SIDE / 2 - 4, label))
        body.append(svg.text(middle, y + SIDE / 2 + 16, f"{width} × {width}"))
        below = "no adapter"
        if adapters := _added_to(changed, path):
            a, b = adapters
            titles = [f"{each}: {whole(rows * columns)}" for each, rows, columns in _shapes(width, rank)]
            left, top = x - APART - rank * unit, y - APART - rank * unit
            body.append(svg.area(left, y, unit, (width, rank), ADDED, titles[0], _path(a)))
            body.append(svg.area(x, top, unit, (rank, width), ADDED, titles[1], _path(b)))
            body.append(svg.text(left - 4, y + SIDE / 2 + 5, "A", anchor="end", style="strong"))
            body.append(svg.text(middle, top - 6, "B", style="strong"))
            number = width * rank
            below = f"{whole(number)} + {whole(number)} = {whole(2 * number)}"
        body.append(svg.text(middle, foot + 20, below, style="figures" if adapters else "label"))
    drawn = svg.figure(
        name,
        "LoRA beside the matrices of attention, to scale",
        f"The four matrices of attention in one layer, each {width} by {width}. Query and value have narrow "
        f"strips beside them: at the left A, {width} by {rank}, and above B, {rank} by {width}.",
        svg.canvas(26 + across + SIDE + 6, 38 + down + SIDE + 34, "".join(body), unit),
        f"Attention in one layer of base, to scale, as (in, out): A is {width} × {rank}, B is {rank} × {width}. "
        "The strips are added and trained; the squares are frozen.",
    )
    return f'<div>{drawn}<p class="bc-summed">All layers and the classifier: {sum_in_one_line(given)}</p></div>'


def _shapes(width: int, rank: int) -> tuple[tuple[str, int, int], tuple[str, int, int]]:
    return ("A", width, rank), ("B", rank, width)


def _added_to(changed: Changed, path: str) -> list[ChangedRow]:
    """The rows that come to a matrix of attention."""
    return [row for row in added_rows(changed) if row.path.endswith(f"attention/{path}/kernel")]


def _path(row: ChangedRow) -> str:
    """The path of an added row as the lines of its sum have it."""
    return f"{row.path}/{row.name}"
