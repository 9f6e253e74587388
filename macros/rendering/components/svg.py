"""Drawing: SVG pieces, and the figure that holds them.

Bars are placed in per cent, so that they fill any width while their labels
keep the size of the text. Colours are classes of the style sheet and follow
the theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from .templates import render
from .words import PHRASES

LINE = 22
"""Height of a bar's label, in CSS pixels."""

BAR = 26
"""Height of a bar, in CSS pixels."""

GAP = 14
"""Space below a bar, in CSS pixels."""

THIN = 0.5
"""Share of the width, in per cent, below which a bar is marked: on a phone it is less than two pixels wide."""

MARK = 'class="bc-caret"'

LEGEND = '<ul class="bc-legend">'
"""How a list of colours begins."""

EMPTY = "taken"
"""The style drawn as an outline, within the true edges: a stroke on the edges would make a bar wider than it is."""


class Segment(NamedTuple):
    """One coloured stretch of a bar: its class, its value, what it says on hover."""

    style: str
    value: int
    title: str


class Bar(NamedTuple):
    """A labelled bar; `note` stands at its right end, above it.

    `full` is the value that would fill the width, if that is another for each bar.
    """

    label: str
    note: str
    pieces: Sequence[Segment]
    full: int = 0


class Scale(NamedTuple):
    """What a width shows: the value at its left edge, and how much the whole width is."""

    origin: float
    full: float

    def at(self, value: float) -> float:
        """Where a value stands, in per cent of the width."""
        return 100 * (value - self.origin) / self.full

    def wide(self, value: float) -> float:
        """How wide a value is, in per cent of the width."""
        return 100 * abs(value) / self.full


def figure(
    name: str, title: str, description: str, drawing: str, caption: str, *, role: str = "img", link: str = ""
) -> str:
    """A figure as HTML; `drawing` is an SVG element made here, `caption` is HTML.

    The role is that of the drawing: "img", or "group" where it holds links.
    Its sign leads to the figure itself, or to `link`, as on the map to a level.
    """
    attributes, _, drawn = drawing.removeprefix("<svg ").partition(">")
    sentence, colours, listed = caption.partition(LEGEND)
    return render(
        "figure.html",
        name=name,
        title=title,
        description=description,
        role=role,
        attributes=attributes,
        drawn=drawn,
        sentence=sentence,
        legend=colours + listed,
        link=link or name,
        carets=PHRASES["carets"] if MARK in drawing else "",
    )


def bars(drawn: Sequence[Bar]) -> str:
    """Bars under one another, to the scale on which the longest is the whole width.

    What is too thin to see is marked.
    """
    full = max(sum(piece.value for piece in bar.pieces) for bar in drawn)
    rows = "".join(_row(place * (LINE + BAR + GAP), bar, bar.full or full) for place, bar in enumerate(drawn))
    return rows_of(rows, len(drawn) * (LINE + BAR + GAP) - GAP, full)


def rows_of(body: str, height: int, full: int) -> str:
    """A drawing as wide as the text, on which `full` is the whole width."""
    return f'<svg class="bc-bars" width="100%" height="{height}" data-full="{full}">{body}</svg>'


def _row(top: int, bar: Bar, full: int) -> str:
    """One bar with its label and its note above it, and marks at its thin pieces below it."""
    scale, end = Scale(0, full), 0
    out = [labels(top, [bar.label], bar.note)]
    for piece in bar.pieces:
        start, end = end, end + piece.value
        out.append(stretch(top + LINE, scale, (start, end), piece.style, piece.title))
        if scale.wide(piece.value) < THIN:
            out.append(mark(scale.at((start + end) / 2), top + LINE + BAR + 1, piece.style))
    own = f' data-full="{bar.full}"' if bar.full else ""
    return f"<g{own}>{''.join(out)}</g>"


def labels(top: int, lines: Sequence[str], note: str) -> str:
    """The lines of a label at the left, the number at the right."""
    texts = [f'<text x="0" y="{top + 15 + 17 * place}">{escape(line)}</text>' for place, line in enumerate(lines)]
    return "".join(texts) + f'<text x="100%" y="{top + 15}" text-anchor="end" class="bc-figures">{escape(note)}</text>'


def stretch(top: int, scale: Scale, ends: tuple[int, int], style: str, title: str) -> str:
    """A bar from one value to another, exactly as long as they are apart."""
    place = f'x="{scale.at(min(ends)):.4f}%" y="{top}" width="{scale.wide(ends[1] - ends[0]):.4f}%" height="{BAR}"'
    said = f'class="bc-{style}" data-from="{ends[0]}" data-to="{ends[1]}"'
    inner = f"<title>{escape(title)}</title>"
    if style == EMPTY:
        return f'<svg {place} {said}>{inner}<rect width="100%" height="100%"/></svg>'
    return f"<rect {place} {said}>{inner}</rect>"


def mark(x: float, top: int, style: str) -> str:
    """A caret below something too small to see, `x` per cent from the left."""
    return caret(f"{x:.4f}%", top, style)


def caret(x: object, y: float, style: str) -> str:
    """A triangle whose tip points up, to a place in pixels or in per cent."""
    return f'<svg x="{x}" y="{y:g}" {MARK}><path d="M0 0l4.5 8h-9z" class="bc-{style}"/></svg>'


def legend(styles: dict[str, str]) -> str:
    """A list of colours and their meanings, given as style class and HTML."""
    items = "".join(f'<li><span class="bc-key bc-{style}"></span>{text}</li>' for style, text in styles.items())
    return f"{LEGEND}{items}</ul>"


def canvas(width: float, height: float, body: str, unit: float = 0) -> str:
    """A drawing of fixed proportions, never wider than its own units.

    With a `unit`, in pixels, it is to scale: each box with a value has an area of so many square units.
    """
    scale = f' data-unit="{unit!r}"' if unit else ""
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg class="bc-drawing" {size}{scale}>{body}</svg>'


def box(x: float, y: float, width: float, height: float, style: str, title: str = "") -> str:
    """A rectangle, with what it says on hover."""
    inner = f"<title>{escape(title)}</title>" if title else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="bc-{style}">{inner}</rect>'


def part_of(*paths: str) -> str:
    """The attribute that names what is shown, by its paths, so that the sums of the page can light it."""
    return f' data-part="{" ".join(paths)}"' if any(paths) else ""


def area(x: float, y: float, unit: float, shape: tuple[int, int], style: str, title: str, part: str) -> str:
    """A rectangle of so many rows and columns, whose area shows a number of parameters.

    `part` is the path of what it shows. The outline is cut off at the edges, so that it is not drawn larger than it is.
    """
    rows, columns = shape
    place = f'x="{x:g}" y="{y:g}" width="{columns * unit:.6g}" height="{rows * unit:.6g}"'
    said = f'class="bc-area bc-{style}" data-value="{rows * columns}"{part_of(part)}'
    return f'<svg {place} {said}><title>{escape(title)}</title><rect width="100%" height="100%"/></svg>'


def text(x: float, y: float, words: str, *, anchor: str = "middle", style: str = "label") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="bc-{style}">{escape(words)}</text>'


def path(points: str) -> str:
    """A line through points given as an SVG path."""
    return f'<path d="{points}" class="bc-line"/>'


def arrow(points: str, x: float, y: float, direction: str = "down") -> str:
    """A line that ends at a point with an arrowhead."""
    head = {"down": "l-4 -7h8z", "right": "l-7 -4v8z"}[direction]
    return path(points) + f'<path d="M{x:g} {y:g}{head}" class="bc-head"/>'
