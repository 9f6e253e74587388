"""The rule by which the map cuts an area into blocks; `docs/assets/drawing/levels.js` applies it to a reader's sizes.

A rectangle is cut into columns, or into rows, one for each kind of block, in proportion
to the parameters of all blocks of that kind. Each column or row is cut into a grid of
equal cells, one for each block. So area is proportional to parameters throughout a
picture, whatever the shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COLUMNS = "columns"
ROWS = "rows"
"""The two ways to cut: side by side, and one below the other."""


class Tile(NamedTuple):
    """A rectangle, in percentages of the picture's width and height."""

    x: float
    y: float
    width: float
    height: float


WHOLE = Tile(0, 0, 100, 100)
"""The whole picture."""


class Share(NamedTuple):
    """The blocks of one kind.

    Attributes:
        number: the parameters of one block.
        times: how many blocks there are.
        most: how many of them may stand side by side.
    """

    number: int
    times: int
    most: int


def tiles(split: str, shares: Sequence[Share], within: Tile = WHOLE) -> list[list[Tile]]:
    """The tiles of each kind of block, one list per share; together they fill `within`."""
    total = sum(share.number * share.times for share in shares)
    groups = []
    start = 0
    for share in shares:
        amount = share.number * share.times
        if split == COLUMNS:
            x = within.x + within.width * start / total
            width = within.width * amount / total
            area = Tile(x, within.y, width, within.height)
        else:
            y = within.y + within.height * start / total
            height = within.height * amount / total
            area = Tile(within.x, y, within.width, height)
        groups.append(_grid(area, share.times, share.most))
        start += amount
    return groups


def _grid(area: Tile, times: int, most: int) -> list[Tile]:
    """A grid of `times` equal cells, with the most columns, up to `most`, that leave no row incomplete."""
    columns = next(number for number in range(min(most, times), 0, -1) if times % number == 0)
    rows = times // columns
    width = area.width / columns
    height = area.height / rows
    return [
        Tile(area.x + width * (index % columns), area.y + height * (index // columns), width, height)
        for index in range(times)
    ]
