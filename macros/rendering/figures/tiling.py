"""The rule for dividing an area of the map into blocks. `docs/assets/drawing/levels.js` applies it to any sizes.

A rectangle is divided into columns or rows, one per kind of block, in proportion to the
parameters or operations of all blocks of that kind. Each column or row is divided into a
grid of equal cells, one per block. So area is proportional to this number throughout a
picture, regardless of shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COLUMNS = "columns"
ROWS = "rows"
"""The two ways to divide a rectangle: side by side, or one below the other."""


class Tile(NamedTuple):
    """A rectangle, in percentages of the width and height of the picture."""

    x: float
    y: float
    width: float
    height: float


WHOLE_PICTURE = Tile(0, 0, 100, 100)


class BlockKind(NamedTuple):
    """The blocks of one kind.

    Attributes:
        value: the number of parameters or operations in one block.
        times: the number of blocks.
        max_side_by_side: the maximum number of blocks in a row of the grid.
    """

    value: int
    times: int
    max_side_by_side: int


def tiles(split: str, kinds: Sequence[BlockKind], bounds: Tile = WHOLE_PICTURE) -> list[list[Tile]]:
    """The tiles of each kind of block, one list per kind. All tiles combined fill `bounds`."""
    total = sum(kind.value * kind.times for kind in kinds)
    groups = []
    start = 0
    for kind in kinds:
        amount = kind.value * kind.times
        if split == COLUMNS:
            x = bounds.x + bounds.width * start / total
            width = bounds.width * amount / total
            area = Tile(x, bounds.y, width, bounds.height)
        else:
            y = bounds.y + bounds.height * start / total
            height = bounds.height * amount / total
            area = Tile(bounds.x, y, bounds.width, height)
        groups.append(_grid(area, kind.times, kind.max_side_by_side))
        start += amount
    return groups


def _grid(area: Tile, times: int, max_columns: int) -> list[Tile]:
    """A grid of `times` equal cells, with the most columns, at most `max_columns`, that leave no row incomplete."""
    columns = next(number for number in range(min(max_columns, times), 0, -1) if times % number == 0)
    rows = times // columns
    width = area.width / columns
    height = area.height / rows
    return [
        Tile(area.x + width * (index % columns), area.y + height * (index // columns), width, height)
        for index in range(times)
    ]
