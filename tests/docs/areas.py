"""Reads pictures of areas back from a page: whether each area is its number times one unit, and they fill the whole."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

ROUNDING = 0.0001
"""Per cent: places have four decimals, so that two edges together are off by one of the last at most."""

THIN = 0.7
"""Per cent of the picture: what is thinner cannot be seen, and needs a mark."""


class Area(NamedTuple):
    """A rectangle in per cent of the picture, with what it counts."""

    x: float
    y: float
    width: float
    height: float
    value: int

    def overlaps(self, other: Area) -> bool:
        """Whether they have more in common than rounding gives them."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return across > 2 * ROUNDING and down > 2 * ROUNDING

    def holds(self, other: Area) -> bool:
        """Whether the other lies within it."""
        return (
            self.x - other.x < ROUNDING
            and self.y - other.y < ROUNDING
            and other.x + other.width - self.x - self.width < 2 * ROUNDING
            and other.y + other.height - self.y - self.height < 2 * ROUNDING
        )


WHOLE = Area(0, 0, 100, 100, 0)


def pictures(page: BeautifulSoup) -> list[Tag]:
    """Every picture of areas on a page, but for those to fill in, which are compared with those that they repeat."""
    return page.select("svg.bc-map:not(.bc-unnumbered *)")


def areas(group: Tag) -> list[Area]:
    """The rectangles that stand right in an element, or in one below it that says what they count otherwise."""
    found = [_area(each, group) for each in group.find_all("rect", recursive=False)]
    # Blocks too many to be drawn one by one are one rectangle, with lines in it.
    return found or [_area(each, inner) for inner in group.find_all("g", recursive=False) for each in inner("rect")]


def _area(rectangle: Tag, group: Tag) -> Area:
    x, y, width, height = (_number(rectangle, key) for key in ("x", "y", "width", "height"))
    return Area(x, y, width, height, int(str(group["data-value"])))


def _number(element: Tag, key: str) -> float:
    return float(str(element.get(key, "0")).removesuffix("%"))


def faults(picture: Tag) -> list[str]:
    """What is wrong with a picture: areas out of proportion, gaps, overlaps, missing marks."""
    groups = picture.find_all(["a", "g"], recursive=False)
    blocks = [area for group in groups for area in areas(group)]
    found = unfaithful(blocks, WHOLE)
    for group in groups:
        found += marks(group)
        own = group.find_all("rect", recursive=False)
        inner = group.find_all("g", recursive=False)
        if own and inner:
            found += within(areas(group), inner)
    return found


def unfaithful(parts: list[Area], whole: Area) -> list[str]:
    """Whether parts tile a whole, each in proportion to its value."""
    total = sum(each.value for each in parts)
    size = whole.width * whole.height
    found = []
    for each in parts:
        drawn, right = each.width * each.height, size * each.value / total
        if abs(drawn - right) > ROUNDING * (each.width + each.height) + ROUNDING**2:
            found.append(f"{each}: its area is {drawn:.6f}, and should be {right:.6f}")
        if not whole.holds(each):
            found.append(f"{each} lies not within {whole}")
    return found + [f"{one} overlaps {other}" for one, other in combinations(parts, 2) if one.overlaps(other)]


def within(blocks: list[Area], inner: list[Tag]) -> list[str]:
    """Whether what is drawn within blocks is as true as they are; what is too thin may be left out there."""
    unit = blocks[0].width * blocks[0].height / blocks[0].value
    held: dict[Area, list[Area]] = defaultdict(list)
    found = []
    for group in inner:
        for each in areas(group):
            outer = next((block for block in blocks if block.holds(each)), None)
            if outer is None:
                found.append(f"{each} lies in no block")
                continue
            held[outer].append(each)
            if abs(each.width * each.height - unit * each.value) > 2 * ROUNDING * (each.width + each.height):
                found.append(f"{each}: its area is not that of its value")
    for outer, parts in held.items():
        found += [f"{one} overlaps {other}" for one, other in combinations(parts, 2) if one.overlaps(other)]
        left = outer.value - sum(each.value for each in parts)
        if not 0 <= left * unit <= THIN * max(outer.width, outer.height):
            found.append(f"{outer} holds {left} more than is drawn in it")
    return found


def marks(group: Tag) -> list[str]:
    """Whether blocks too thin to see have a mark that points to them, and no others; what is elsewhere needs none."""
    last = areas(group)[-1]
    thin = min(last.width, last.height) < THIN
    marked = group.select("svg.bc-mark")
    if not thin or "bc-elsewhere" in group["class"]:
        return [f"{last} has a mark, and can be seen"] if marked and not thin else []
    points = (Area(_number(mark, "x"), _number(mark, "y"), 0, 0, 0) for mark in marked)
    return [] if any(map(last.holds, points)) else [f"{last} is too thin to see, and has no mark"]
