"""Read the boxes, texts and arrowheads of a drawing from its SVG, with positions in pixels."""

import re

from bs4 import BeautifulSoup, Tag

from macros.site import MACROS

Numbers = tuple[float, ...]
"""Attributes as numbers, such as the coordinates of a point or a box in pixels."""


def drawing_of(name: str) -> Tag:
    """The parsed drawing of a figure."""
    drawing = BeautifulSoup(MACROS["figure"](name), "html.parser").svg
    assert drawing
    return drawing


def size(drawing: Tag) -> Numbers:
    """The width and height of a drawing, which must be in pixels."""
    width, height = numbers(drawing, "width", "height")
    assert f"0 0 {drawing['width']} {drawing['height']}" == drawing["viewbox"]
    return width, height


def boxes(drawing: Tag, selector: str = "svg.bc-area") -> list[Numbers]:
    """The left, top, width and height of the boxes that a selector matches, rounded to hundredths of a pixel."""
    return [numbers(box, "x", "y", "width", "height") for box in drawing.select(selector)]


def placed_texts(drawing: Tag, style: str) -> list[tuple[str, float, float]]:
    """The texts of a style in document order, each with its anchor point."""
    texts = [(element.get_text(), numbers(element, "x", "y")) for element in drawing.select(f"text.bc-{style}")]
    return [(text, x, y) for text, (x, y) in texts]


def numbers(element: Tag, *names: str) -> Numbers:
    """The named attributes as numbers, rounded to hundredths."""
    return tuple(round(float(str(element[name])), 2) for name in names)


def tips(drawing: Tag, head: str) -> list[Numbers]:
    """The tips of all arrowheads with the path `head`: `l-4 -7h8z` points down, `l-7 -4v8z` to the right."""
    paths = [re.fullmatch(r"M([\d.]+) ([\d.]+)(l.*)", str(path["d"])) for path in drawing.select("path.bc-head")]
    assert all(paths)
    return [(round(float(path[1]), 2), round(float(path[2]), 2)) for path in paths if path and path[3] == head]
