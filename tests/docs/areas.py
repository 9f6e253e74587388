"""Measures pictures made of areas.

Every area must be its value times one unit, and together they must fill the whole.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

ROUNDING = 0.0001
"""The error of a position that rounding allows, as a percentage of the picture.

Positions are written with four decimals, so two edges together are off by at most one unit of the
last decimal.
"""

THIN = 0.7
"""A percentage of the picture. Anything thinner cannot be seen, and needs a mark."""


class Area(NamedTuple):
    """A rectangle, in percentages of the picture, with the number that it stands for."""

    x: float
    y: float
    width: float
    height: float
    value: int

    def overlaps(self, other: Area) -> bool:
        """Return whether the two share more than rounding can account for."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return across > 2 * ROUNDING and down > 2 * ROUNDING

    def holds(self, other: Area) -> bool:
        """Return whether the other area lies within this one."""
        return (
            self.x - other.x < ROUNDING
            and self.y - other.y < ROUNDING
            and other.x + other.width - self.x - self.width < 2 * ROUNDING
            and other.y + other.height - self.y - self.height < 2 * ROUNDING
        )


WHOLE = Area(0, 0, 100, 100, 0)


def pictures(page: BeautifulSoup) -> list[Tag]:
    """The pictures of areas on a page.

    Pictures that readers fill in are left out, because other tests compare them with the pictures they repeat.
    """
    return page.select("svg.bc-map:not(.bc-unnumbered *)")


def areas(group: Tag) -> list[Area]:
    """The rectangles directly in a group, or in its inner groups, which carry values of their own."""
    rectangles = [_area(rectangle, group) for rectangle in group.find_all("rect", recursive=False)]
    # Blocks too many to draw one by one are one rectangle with lines in it.
    return rectangles or [
        _area(rectangle, inner) for inner in group.find_all("g", recursive=False) for rectangle in inner("rect")
    ]


def _area(rectangle: Tag, group: Tag) -> Area:
    x, y, width, height = (_number(rectangle, key) for key in ("x", "y", "width", "height"))
    return Area(x, y, width, height, int(str(group["data-value"])))


def _number(element: Tag, key: str) -> float:
    return float(str(element.get(key, "0")).removesuffix("%"))


def faults(picture: Tag) -> list[str]:
    """The faults of a picture: areas out of proportion, gaps, overlaps and missing marks."""
    groups = picture.find_all(["a", "g"], recursive=False)
    blocks = [area for group in groups for area in areas(group)]
    problems = unfaithful(blocks, WHOLE)
    for group in groups:
        problems += marks(group)
        own_areas = group.find_all("rect", recursive=False)
        inner = group.find_all("g", recursive=False)
        if own_areas and inner:
            problems += within(areas(group), inner)
    return problems


def unfaithful(parts: list[Area], whole: Area) -> list[str]:
    """The faults of a tiling: its parts must be proportional to their values, lie within the whole, and not overlap."""
    total = sum(part.value for part in parts)
    size = whole.width * whole.height
    problems = []
    for part in parts:
        size_drawn, size_due = part.width * part.height, size * part.value / total
        if abs(size_drawn - size_due) > ROUNDING * (part.width + part.height) + ROUNDING**2:
            problems.append(f"{part}: its area is {size_drawn:.6f}, and should be {size_due:.6f}")
        if not whole.holds(part):
            problems.append(f"{part} does not lie within {whole}")
    return problems + [f"{area} overlaps {other}" for area, other in combinations(parts, 2) if area.overlaps(other)]


def within(blocks: list[Area], inner: list[Tag]) -> list[str]:
    """Faults of the areas inside blocks, which must be in proportion like the blocks themselves.

    Pieces too thin to see may be left out.
    """
    unit = blocks[0].width * blocks[0].height / blocks[0].value
    contents: dict[Area, list[Area]] = defaultdict(list)
    problems = []
    for group in inner:
        for area in areas(group):
            outer = next((block for block in blocks if block.holds(area)), None)
            if outer is None:
                problems.append(f"{area} lies in no block")
                continue
            contents[outer].append(area)
            if abs(area.width * area.height - unit * area.value) > 2 * ROUNDING * (area.width + area.height):
                problems.append(f"{area}: its area is not that of its value")
    for outer, parts in contents.items():
        problems += [f"{one} overlaps {other}" for one, other in combinations(parts, 2) if one.overlaps(other)]
        remainder = outer.value - sum(area.value for area in parts)
        if not 0 <= remainder * unit <= THIN * max(outer.width, outer.height):
            problems.append(f"{outer} holds {remainder} more than is drawn in it")
    return problems


def marks(group: Tag) -> list[str]:
    """Faults of marks: a block too thin to see needs one that points to it, any other block must have none.

    A block drawn elsewhere needs none.
    """
    last = areas(group)[-1]
    thin = min(last.width, last.height) < THIN
    carets = group.select("svg.bc-mark")
    if not thin or "bc-elsewhere" in group["class"]:
        return [f"{last} has a mark, and can be seen"] if carets and not thin else []
    points = (Area(_number(mark, "x"), _number(mark, "y"), 0, 0, 0) for mark in carets)
    return [] if any(map(last.holds, points)) else [f"{last} is too thin to see, and has no mark"]
