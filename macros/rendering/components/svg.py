"""Draws SVG elements and combines them into figures.

This module makes two kinds of drawings. In a drawing of bars (`bars`, `bar_drawing`), horizontal positions are
percentages, so that bars fill any width while their labels keep the size of the text. A `canvas` has its own units
and fixed proportions. Colours are classes of the style sheet, which follow the theme; a style is the name of a class
without its prefix `bc-`.

A drawing declares its scale in `data-full` or `data-unit`, and its elements declare their numbers in `data-from` and
`data-to` or in `data-value`. A test in a browser checks that the drawing is to scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from .templates import render
from .words import PHRASES

LABEL_HEIGHT = 22
"""The height of a bar's label, in CSS pixels."""

BAR_HEIGHT = 26
"""The height of a bar, in CSS pixels."""

BAR_GAP = 14
"""Space below a bar, in CSS pixels."""

MIN_VISIBLE_WIDTH = 0.5
"""A segment narrower than this percentage of the width is marked: on a phone it is less than two pixels wide."""

CARET_CLASS = 'class="bc-caret"'
"""The class attribute of carets. `figure` uses it to detect carets in a drawing."""

LEGEND_TAG = '<ul class="bc-legend">'
"""The beginning of a legend. `figure` uses it to separate the legend from the sentence before it."""

OUTLINED_STYLE = "taken"
"""The style of bars drawn as outlines. The stroke is drawn inside the edges, so that it does not widen the bar."""


class Segment(NamedTuple):
    """One coloured piece of a bar.

    Attributes:
        style: its style, which sets its colour.
        value: its length.
        title: the text shown on hover.
    """

    style: str
    value: int
    title: str


class Bar(NamedTuple):
    """A labelled bar.

    Attributes:
        label: the text above its left end.
        note: the text above its right end.
        segments: its coloured pieces, from left to right.
        full: the value that fills the width, if this bar has its own scale; 0 if it shares the scale of other bars.
    """

    label: str
    note: str
    segments: Sequence[Segment]
    full: int = 0


class Scale(NamedTuple):
    """Maps values to positions across a width.

    Attributes:
        origin: the value at the left edge.
        full: the range of values that the whole width represents.
    """

    origin: float
    full: float

    def position(self, value: float) -> float:
        """The position of a value, as a percentage of the width."""
        return 100 * (value - self.origin) / self.full

    def length(self, value: float) -> float:
        """The length of a value, as a percentage of the width."""
        return 100 * abs(value) / self.full


def figure(
    name: str, title: str, description: str, drawing: str, caption: str, *, role: str = "img", link: str = ""
) -> str:
    """A figure as HTML.

    Args:
        name: the id of the figure.
        title: the name of the drawing for screen readers.
        description: a description of the drawing for screen readers.
        drawing: an SVG element, such as `canvas` or `bar_drawing` returns.
        caption: the caption as HTML, ending with the legend if there is one.
        role: the role of the drawing: "img", or "group" if it contains links.
        link: the id for the figure's permalink if it differs from `name`; on the map, that of a level.
    """
    attributes, _, body = drawing.removeprefix("<svg ").partition(">")
    sentence, legend_tag, legend_items = caption.partition(LEGEND_TAG)
    return render(
        "figure.html",
        name=name,
        title=title,
        description=description,
        role=role,
        attributes=attributes,
        body=body,
        sentence=sentence,
        legend=legend_tag + legend_items,
        link=link or name,
        carets=PHRASES["carets"] if CARET_CLASS in drawing else "",
    )


def bars(rows: Sequence[Bar]) -> str:
    """Bars, one below the other. The longest one fills the width, but a bar with `full` has its own scale.

    A segment that is too thin to see is marked and never widened.
    """
    full = max(sum(segment.value for segment in bar.segments) for bar in rows)
    row_height = LABEL_HEIGHT + BAR_HEIGHT + BAR_GAP
    body = "".join(_row(index * row_height, bar, bar.full or full) for index, bar in enumerate(rows))
    return bar_drawing(body, len(rows) * row_height - BAR_GAP, full)


def bar_drawing(body: str, height: int, full: int) -> str:
    """A drawing as wide as the text column, in which the value `full` fills the width."""
    return f'<svg class="bc-bars" width="100%" height="{height}" data-full="{full}">{body}</svg>'


def _row(top: int, bar: Bar, full: int) -> str:
    """One bar with its label and note above it and marks below its thin segments."""
    scale = Scale(0, full)
    end = 0
    elements = [labels(top, [bar.label], bar.note)]
    for segment in bar.segments:
        start, end = end, end + segment.value
        elements.append(bar_between(top + LABEL_HEIGHT, scale, (start, end), segment.style, segment.title))
        if scale.length(segment.value) < MIN_VISIBLE_WIDTH:
            elements.append(mark(scale.position((start + end) / 2), top + LABEL_HEIGHT + BAR_HEIGHT + 1, segment.style))
    scale_attribute = f' data-full="{bar.full}"' if bar.full else ""
    return f"<g{scale_attribute}>{''.join(elements)}</g>"


def labels(top: int, lines: Sequence[str], note: str) -> str:
    """The lines of a label on the left, and a note on the right of the first line."""
    # A baseline is 15 pixels below the top of its line, and the lines of a label are 17 pixels apart.
    texts = [f'<text x="0" y="{top + 15 + 17 * index}">{escape(line)}</text>' for index, line in enumerate(lines)]
    return "".join(texts) + f'<text x="100%" y="{top + 15}" text-anchor="end" class="bc-figures">{escape(note)}</text>'


def bar_between(top: int, scale: Scale, ends: tuple[int, int], style: str, title: str) -> str:
    """A bar from one value to another, in either order."""
    left = scale.position(min(ends))
    width = scale.length(ends[1] - ends[0])
    geometry = f'x="{left:.4f}%" y="{top}" width="{width:.4f}%" height="{BAR_HEIGHT}"'
    attributes = f'class="bc-{style}" data-from="{ends[0]}" data-to="{ends[1]}"'
    inner = f"<title>{escape(title)}</title>"
    if style == OUTLINED_STYLE:
        return f'<svg {geometry} {attributes}>{inner}<rect width="100%" height="100%"/></svg>'
    return f"<rect {geometry} {attributes}>{inner}</rect>"


def mark(x: float, top: int, style: str) -> str:
    """A caret below an element that is too thin to see; `x` is its position as a percentage of the width."""
    return caret(f"{x:.4f}%", top, style)


def caret(x: object, y: float, style: str) -> str:
    """A small triangle with its tip at (x, y), pointing up; `x` is in pixels or a percentage such as "50%"."""
    return f'<svg x="{x}" y="{y:g}" {CARET_CLASS}><path d="M0 0l4.5 8h-9z" class="bc-{style}"/></svg>'


def legend(styles: dict[str, str]) -> str:
    """A legend of colours; `styles` has the meaning of each style as HTML."""
    items = "".join(f'<li><span class="bc-key bc-{style}"></span>{meaning}</li>' for style, meaning in styles.items())
    return f"{LEGEND_TAG}{items}</ul>"


def canvas(width: float, height: float, body: str, unit: float = 0) -> str:
    """A drawing of fixed proportions, which shrinks on a narrow page but never grows.

    Args:
        width: the width of the drawing in its own units, which are CSS pixels at full size.
        height: the height of the drawing.
        body: the elements of the drawing.
        unit: the length of one unit of the scale, if the drawing is to scale. The area of each box that has a value is
            then that many square units.
    """
    scale_attribute = f' data-unit="{unit!r}"' if unit else ""
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg class="bc-drawing" {size}{scale_attribute}>{body}</svg>'


def box(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle that need not be to scale."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="bc-{style}"/>'


def part_attribute(*paths: str) -> str:
    """The attribute with the paths of the tensors that an element shows, so that sums on the page can highlight it."""
    return f' data-part="{" ".join(paths)}"' if any(paths) else ""


def area(x: float, y: float, unit: float, shape: tuple[int, int], style: str, title: str, part: str) -> str:
    """A matrix as a rectangle to scale, with rows as its height and columns as its width.

    The element is a nested `svg`, which clips the outer half of the outline; otherwise the rectangle would look larger.

    Args:
        x: its left edge.
        y: its top edge.
        unit: the length of one row or column.
        shape: the numbers of rows and columns.
        style: its style, which sets its colour.
        title: the text shown on hover.
        part: the path of the tensor that it shows.
    """
    rows, columns = shape
    geometry = f'x="{x:g}" y="{y:g}" width="{columns * unit:.6g}" height="{rows * unit:.6g}"'
    attributes = f'class="bc-area bc-{style}" data-value="{rows * columns}"{part_attribute(part)}'
    return f'<svg {geometry} {attributes}><title>{escape(title)}</title><rect width="100%" height="100%"/></svg>'


def text(x: float, y: float, words: str, *, anchor: str = "middle", style: str = "label") -> str:
    """A line of text whose `anchor` ("start", "middle" or "end") is at x."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="bc-{style}">{escape(words)}</text>'


def path(path_data: str) -> str:
    """A line, given as the data of an SVG path."""
    return f'<path d="{path_data}" class="bc-line"/>'


def arrow(path_data: str, x: float, y: float, direction: str = "down") -> str:
    """A line with an arrowhead that has its tip at (x, y) and points in `direction`, "down" or "right"."""
    head = {"down": "l-4 -7h8z", "right": "l-7 -4v8z"}[direction]
    return path(path_data) + f'<path d="M{x:g} {y:g}{head}" class="bc-head"/>'
