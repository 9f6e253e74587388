"""Checks pictures whose areas represent numbers.

Each area must be proportional to its number, and the areas must fill the picture.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

ROUNDING = 0.0001
"""The largest error that rounding can cause in the distance between two edges, as a percentage of the picture.

Positions have four decimals, so each edge is off by at most half a unit in the last place.
"""

MIN_SIDE = 0.7
"""The side of an area, as a percentage of the picture, below which the area is easy to miss and needs a mark.

It is less than three pixels on a phone.
"""


class Area(NamedTuple):
    """A rectangle, in percentages of the picture, with the number that it represents."""

    x: float
    y: float
    width: float
    height: float
    value: int

    def overlaps(self, other: Area) -> bool:
        """Return whether the two areas overlap by more than rounding can explain."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return across > 2 * ROUNDING and down > 2 * ROUNDING

    def contains(self, other: Area) -> bool:
        """Return whether this area contains the other, apart from rounding."""
        return (
            self.x - other.x < ROUNDING
            and self.y - other.y < ROUNDING
            and other.x + other.width - self.x - self.width < 2 * ROUNDING
            and other.y + other.height - self.y - self.height < 2 * ROUNDING
        )


WHOLE = Area(0, 0, 100, 100, 0)
"""The whole picture. It represents no number, so its value is not used."""


def pictures(page: BeautifulSoup) -> list[Tag]:
    """The pictures with areas on a page.

    Pictures that readers fill in are left out, because other tests compare them with the originals.
    """
    return page.select("svg.bc-map:not(.bc-unnumbered *)")


def areas(group: Tag) -> list[Area]:
    """The rectangles directly in a group or, if it has none, those in its inner groups, each with its group's value."""
    rectangles = [_area(rectangle, group) for rectangle in group.find_all("rect", recursive=False)]
    # If there are too many blocks to draw one by one, a single rectangle with lines represents them all.
    return rectangles or [
        _area(rectangle, inner_group)
        for inner_group in group.find_all("g", recursive=False)
        for rectangle in inner_group("rect")
    ]


def _area(rectangle: Tag, group: Tag) -> Area:
    """The area of a rectangle, with the value of its group."""
    x, y, width, height = (_number(rectangle, key) for key in ("x", "y", "width", "height"))
    return Area(x, y, width, height, int(str(group["data-value"])))


def _number(element: Tag, key: str) -> float:
    """The number in an attribute, which may have a percent sign. A missing attribute is 0, as in SVG."""
    return float(str(element.get(key, "0")).removesuffix("%"))


def faults(picture: Tag) -> list[str]:
    """The faults of a picture: areas out of proportion, gaps, overlaps and missing marks."""
    groups = picture.find_all(["a", "g"], recursive=False)
    blocks = [area for group in groups for area in areas(group)]
    problems = tiling_faults(blocks, WHOLE)
    for group in groups:
        problems += mark_faults(group)
        rectangles = group.find_all("rect", recursive=False)
        inner_groups = group.find_all("g", recursive=False)
        if rectangles and inner_groups:
            problems += inner_faults(areas(group), inner_groups)
    return problems


def tiling_faults(parts: list[Area], whole: Area) -> list[str]:
    """A fault for each part that is not proportional to its value or not within the whole, and for each overlap."""
    total = sum(part.value for part in parts)
    whole_area = whole.width * whole.height
    problems = []
    for part in parts:
        drawn_area, correct_area = part.width * part.height, whole_area * part.value / total
        # Either side may be off by `ROUNDING`.
        if abs(drawn_area - correct_area) > ROUNDING * (part.width + part.height) + ROUNDING**2:
            problems.append(f"{part}: its area is {drawn_area:.6f}, and should be {correct_area:.6f}")
        if not whole.contains(part):
            problems.append(f"{part} does not lie within {whole}")
    return problems + [f"{part} overlaps {other}" for part, other in combinations(parts, 2) if part.overlaps(other)]


def inner_faults(blocks: list[Area], inner_groups: list[Tag]) -> list[str]:
    """The faults of areas inside blocks, such as a wrong proportion, an overlap, or too much empty space.

    Pieces that would be too thin to see may be missing.
    """
    unit = blocks[0].width * blocks[0].height / blocks[0].value
    contents: dict[Area, list[Area]] = defaultdict(list)
    problems = []
    for group in inner_groups:
        for area in areas(group):
            outer_block = next((block for block in blocks if block.contains(area)), None)
            if outer_block is None:
                problems.append(f"{area} lies in no block")
                continue
            contents[outer_block].append(area)
            if abs(area.width * area.height - unit * area.value) > 2 * ROUNDING * (area.width + area.height):
                problems.append(f"{area}: its area does not match its value")
    for outer_block, parts in contents.items():
        problems += [f"{part} overlaps {other}" for part, other in combinations(parts, 2) if part.overlaps(other)]
        remainder = outer_block.value - sum(area.value for area in parts)
        if not 0 <= remainder * unit <= MIN_SIDE * max(outer_block.width, outer_block.height):
            problems.append(f"{outer_block}: its value exceeds the total of the areas in it by {remainder}")
    return problems


def mark_faults(group: Tag) -> list[str]:
    """A fault if a block that is too thin to see has no mark pointing to it, or if a wider block has a mark.

    A block that is drawn elsewhere needs no mark.
    """
    last_area = areas(group)[-1]  # if there are several equal areas, only the last one has a mark
    is_thin = min(last_area.width, last_area.height) < MIN_SIDE
    carets = group.select("svg.bc-mark")
    if not is_thin:
        return [f"{last_area} has a mark, although it is wide enough to see"] if carets else []
    if "bc-elsewhere" in group["class"]:
        return []
    tips = (Area(_number(mark, "x"), _number(mark, "y"), 0, 0, 0) for mark in carets)
    return [] if any(map(last_area.contains, tips)) else [f"{last_area} is too thin to see, and has no mark"]
