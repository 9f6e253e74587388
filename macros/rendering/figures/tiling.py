"""Divides the area of a picture into blocks, in proportion to their parameters or operations.

A rectangle is divided into columns or rows, one per kind of block, in proportion to the
numbers of all blocks of that kind. Each column or row is then divided into a grid of equal
cells, one per block. So the area of every block is in proportion to its number, whatever its
shape. `docs/assets/drawing/levels.js` does the same for the sizes that a reader chooses.
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
    """The tiles of each kind of block, one list per kind. Together they fill `bounds`.

    Args:
        split: `COLUMNS` or `ROWS`.
        kinds: the kinds of blocks, from left to right or from top to bottom.
        bounds: the rectangle to divide.
    """
    total = sum(kind.value * kind.times for kind in kinds)
    groups = []
    start = 0
    for kind in kinds:
        amount = kind.value * kind.times
        if split == COLUMNS:
            area = bounds._replace(x=bounds.x + bounds.width * start / total, width=bounds.width * amount / total)
        else:
            area = bounds._replace(y=bounds.y + bounds.height * start / total, height=bounds.height * amount / total)
        groups.append(_grid(area, kind.times, kind.max_side_by_side))
        start += amount
    return groups


def _grid(area: Tile, times: int, max_columns: int) -> list[Tile]:
    """A grid of `times` equal cells, with as many columns as leave no row incomplete, up to `max_columns`."""
    columns = next(number for number in range(min(max_columns, times), 0, -1) if times % number == 0)
    rows = times // columns
    width = area.width / columns
    height = area.height / rows
    return [
        Tile(area.x + width * (index % columns), area.y + height * (index // columns), width, height)
        for index in range(times)
    ]
