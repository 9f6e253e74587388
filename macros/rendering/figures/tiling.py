"""The one rule by which the map cuts an area; scripts cut a configuration's by the same, in `drawing/levels.js`.

A rectangle is cut side by side, or one under the other, in proportion to
what each kind of block counts; blocks of one kind share theirs in a grid of
equal cells. So an area is a number times one unit, whatever the shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COLUMNS, ROWS = "columns", "rows"
"""The two ways to cut: side by side, and one under the other."""


class Tile(NamedTuple):
    """A rectangle in per cent of the picture's width and height."""

    x: float
    y: float
    width: float
    height: float


WHOLE = Tile(0, 0, 100, 100)
"""All of the picture."""


class Share(NamedTuple):
    """Blocks of one kind: what each counts, how many there are, and how many may stand side by side."""

    each: int
    times: int
    most: int


def tiles(split: str, shares: Sequence[Share], within: Tile = WHOLE) -> list[list[Tile]]:
    """The rectangles of every kind of block, which together are `within`."""
    total = sum(share.each * share.times for share in shares)
    found, start = [], 0
    for share in shares:
        amount = share.each * share.times
        if split == COLUMNS:
            x, width = within.x + within.width * start / total, within.width * amount / total
            area = Tile(x, within.y, width, within.height)
        else:
            y, height = within.y + within.height * start / total, within.height * amount / total
            area = Tile(within.x, y, within.width, height)
        found.append(_grid(area, share.times, share.most))
        start += amount
    return found


def _grid(area: Tile, times: int, most: int) -> list[Tile]:
    """Equal cells in rows; as many side by side as divide the number and are no more than `most`."""
    across = next(each for each in range(min(most, times), 0, -1) if times % each == 0)
    down = times // across
    width, height = area.width / across, area.height / down
    return [
        Tile(area.x + width * (place % across), area.y + height * (place // across), width, height)
        for place in range(times)
    ]
