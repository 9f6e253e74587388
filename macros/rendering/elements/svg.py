"""Drawing: SVG pieces, and the figure that holds them.

Bars are placed in per cent, so that they fill any width while their labels
keep the size of the text. Colours are classes of the style sheet and follow
the theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

LINE = 22
"""Height of a bar's label, in CSS pixels."""

BAR = 26
"""Height of a bar, in CSS pixels."""

GAP = 14
"""Space below a bar, in CSS pixels."""

Rectangle = tuple[float, float, str, str]
"""Left edge and width in per cent, style, and what it says on hover."""


class Segment(NamedTuple):
    """One coloured stretch of a bar: its class, its value, what it says on hover."""

    style: str
    value: int
    title: str


class Bar(NamedTuple):
    """A labelled bar; `note` stands at its right end, above it."""

    label: str
    note: str
    pieces: Sequence[Segment]


def figure(name: str, title: str, description: str, drawing: str, caption: str, *, role: str = "img") -> str:
    """A figure as HTML; `drawing` is an SVG element made here, `caption` is HTML.

    The role is that of the drawing: "img", or "group" where it holds links.
    """
    named = drawing.replace(
        "<svg ", f'<svg role="{role}" aria-labelledby="{name}-title {name}-description" focusable="false" ', 1
    )
    inside = (
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-description">{escape(description)}</desc>'
    )
    end = named.index(">") + 1
    return (
        f'<figure class="bc-figure" id="{name}" data-search-exclude>{named[:end]}{inside}{named[end:]}'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def bars(drawn: Sequence[Bar], full: int | None = None) -> str:
    """Bars under one another, all to the scale on which `full` is the whole width.

    With `full` left out, the longest bar is the whole width.
    """
    full = full or max(sum(piece.value for piece in bar.pieces) for bar in drawn)
    return _rows([_row(place, bar.label, bar.note, _pieces(bar, full)) for place, bar in enumerate(drawn)])


def _pieces(bar: Bar, full: int) -> Iterator[Rectangle]:
    start = 0
    for piece in bar.pieces:
        yield 100 * start / full, 100 * piece.value / full, piece.style, piece.title
        start += piece.value


def _rows(rows: list[str]) -> str:
    height = len(rows) * (LINE + BAR + GAP) - GAP
    return f'<svg class="bc-bars" width="100%" height="{height}">{"".join(rows)}</svg>'


def _row(place: int, label: str, note: str, rectangles: Iterable[Rectangle]) -> str:
    """One bar with its label and its note above it."""
    top = place * (LINE + BAR + GAP)
    out = [
        f'<text x="0" y="{top + 15}">{escape(label)}</text>',
        f'<text x="100%" y="{top + 15}" text-anchor="end" class="bc-figures">{escape(note)}</text>',
    ]
    out += [
        f'<rect x="{left:.4f}%" y="{top + LINE}" width="{width:.4f}%" height="{BAR}" class="bc-{style}">'
        f"<title>{escape(title)}</title></rect>"
        for left, width, style, title in rectangles
    ]
    return "".join(out)


class Stretch(NamedTuple):
    """One line of a waterfall: its label, its note, and where its bar starts and ends."""

    style: str
    label: str
    note: str
    start: int
    end: int


def waterfall(drawn: Sequence[Stretch]) -> str:
    """Bars that each start where the one before ends; the first and the last stand on the left edge.

    Where all that happens lies far from zero, the left edge is not zero.
    """
    edge, high = left_edge(drawn), max(each.end for each in drawn)
    return _rows([_row(place, each.label, each.note, [_stretch(each, edge, high)]) for place, each in enumerate(drawn)])


def left_edge(drawn: Sequence[Stretch]) -> int:
    """Where a waterfall starts: at zero, or nearer where all steps are small."""
    low, high = min(each.end for each in drawn), max(each.end for each in drawn)
    return max(0, low - (high - low)) if low > high // 2 else 0


def _stretch(each: Stretch, edge: int, high: int) -> Rectangle:
    left, right = (100 * (value - edge) / (high - edge) for value in sorted((max(each.start, edge), each.end)))
    # A step of a thousandth is drawn as a line that can be seen.
    width = max(right - left, 0.6)
    return min(left, 100 - width), width, each.style, f"{each.label}: {each.note}"


def legend(styles: dict[str, str]) -> str:
    """A list of colours and their meanings, given as style class and HTML."""
    items = "".join(f'<li><span class="bc-key bc-{style}"></span>{text}</li>' for style, text in styles.items())
    return f'<ul class="bc-legend">{items}</ul>'


def canvas(width: int, height: int, body: str) -> str:
    """A drawing of fixed proportions, never wider than its own units."""
    return f'<svg class="bc-drawing" viewBox="0 0 {width} {height}" width="{width}" height="{height}">{body}</svg>'


def box(x: float, y: float, width: float, height: float, style: str, title: str = "") -> str:
    """A rectangle, with what it says on hover."""
    inner = f"<title>{escape(title)}</title>" if title else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="bc-{style}">{inner}</rect>'


def text(x: float, y: float, words: str, *, anchor: str = "middle", style: str = "label") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="bc-{style}">{escape(words)}</text>'


def path(points: str) -> str:
    """A line through points given as an SVG path."""
    return f'<path d="{points}" class="bc-line"/>'
