"""Reads a drawing of fixed proportions back: where its boxes, words, lines and arrowheads are, in pixels."""

import re

from bs4 import BeautifulSoup, Tag

from macros.site import MACROS

Place = tuple[float, ...]


def drawn(name: str) -> Tag:
    """The drawing of a figure."""
    found = BeautifulSoup(MACROS["figure"](name), "html.parser").svg
    assert found
    return found


def size(drawing: Tag) -> Place:
    """Width and height, which are those of its own units."""
    width, height = numbers(drawing, "width", "height")
    assert f"0 0 {drawing['width']} {drawing['height']}" == drawing["viewbox"]
    return width, height


def boxes(drawing: Tag, selector: str = "svg.bc-area") -> list[Place]:
    """Left, top, width and height of boxes, in hundredths of a pixel."""
    return [numbers(each, "x", "y", "width", "height") for each in drawing.select(selector)]


def words(drawing: Tag, style: str) -> list[tuple[str, float, float]]:
    """The texts of a style in their order, each with the point it is anchored to."""
    found = [(each.get_text(), numbers(each, "x", "y")) for each in drawing.select(f"text.bc-{style}")]
    return [(text, x, y) for text, (x, y) in found]


def numbers(element: Tag, *names: str) -> Place:
    """Some attributes as numbers, in hundredths."""
    return tuple(round(float(str(element[name])), 2) for name in names)


def tips(drawing: Tag, head: str) -> list[Place]:
    """The points of the arrowheads of a shape: `l-4 -7h8z` points down, `l-7 -4v8z` to the right."""
    found = [re.fullmatch(r"M([\d.]+) ([\d.]+)(l.*)", str(each["d"])) for each in drawing.select("path.bc-head")]
    assert all(found)
    return [(round(float(each[1]), 2), round(float(each[2]), 2)) for each in found if each and each[3] == head]
