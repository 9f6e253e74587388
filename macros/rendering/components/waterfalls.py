"""Waterfalls: two totals and the steps between them, on one scale that starts at zero.

A step is often too small compared with the totals to be visible. It is still drawn to scale, but with a frame
around it. Below, a panel shows the contents of the frame magnified to the width of the drawing, and states the
magnification. Adjacent small steps share a panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor
from textwrap import wrap
from typing import NamedTuple

from .numbers import with_sign
from .svg import BAR_GAP, BAR_HEIGHT, LABEL_HEIGHT, MIN_VISIBLE_WIDTH, Scale, bar_between, bar_drawing, labels, mark
from .words import PHRASES

TOTAL = "total"
"""The style of the first and the last bar; all others are steps."""

SMALL_SHARE = 2.0
"""A step narrower than this percentage of the width is magnified."""

FIRST_DIGITS = (8, 6, 5, 4, 3, 2, 1)
"""The possible first digits of a magnification in descending order; its other digits are zeros."""

CHARACTERS_PER_LINE = 46
"""The number of characters of a label and its note that fit on one line on a phone."""

NEXT_LINE_HEIGHT = 17
"""The height of each further line of a label, in CSS pixels."""

PANEL_DISTANCE = 26
"""The distance between a bar and the panel below it, in CSS pixels."""

AXIS_HEIGHT = 24
"""The height of the axis at the bottom of a panel, in CSS pixels."""

PANEL_PADDING = 6
"""Extra space above the first of several bars in a panel, and below the panel, in CSS pixels."""


class WaterfallBar(NamedTuple):
    """One bar of a waterfall.

    Attributes:
        style: its style, which sets its colour; `TOTAL` for the totals.
        label: the text above its left end.
        note: the text above its right end.
        start: the value at which it starts.
        end: the value at which it ends, which is less than the start if the step is negative.
    """

    style: str
    label: str
    note: str
    start: int
    end: int

    @property
    def title(self) -> str:
        """The text shown on hover."""
        return f"{self.label}: {self.note}"


class Piece(NamedTuple):
    """A piece of the drawing.

    Attributes:
        body: its SVG elements.
        next_top: the top of the next piece, in CSS pixels.
    """

    body: str
    next_top: int


class Window(NamedTuple):
    """A part of the width that is magnified in a panel.

    Attributes:
        times: the magnification.
        scale: the scale of the panel.
    """

    times: int
    scale: Scale


def waterfall(bars: Sequence[WaterfallBar]) -> str:
    """A drawing of the first total, of steps that each start where the previous bar ends, and of the last total."""
    scale = Scale(0, max(max(bar.start, bar.end) for bar in bars))
    body = ""
    y = 0
    # Adjacent small steps form a group, but a total is never grouped with steps.
    for (is_small, _), group in groupby(bars, lambda bar: (_width(bar, scale) < SMALL_SHARE, bar.style == TOTAL)):
        group_bars = list(group)
        window = _window(group_bars, scale) if is_small else None
        pieces = _magnified_pieces(y, group_bars, scale, window) if window else _rows(y, group_bars, scale)
        for piece in pieces:
            body += piece.body
            y = piece.next_top
    return bar_drawing(body, y - BAR_GAP, int(scale.full))


def _window(steps: Sequence[WaterfallBar], scale: Scale) -> Window | None:
    """The smallest part of the width around `steps` whose magnification is a round number; None if that number is 1."""
    lowest, highest = _ends(steps)
    largest_times = scale.full / (highest - lowest)
    power = 1
    while 10 * power <= largest_times:
        power *= 10
    times = next(first * power for first in FIRST_DIGITS if first * power <= largest_times)
    if times == 1:
        return None
    length = scale.full / times
    # The steps are centred in the window, unless it would then extend beyond the drawing. The origin is rounded
    # to a whole number, in a direction that keeps all steps inside.
    centred_origin = floor(max(0, lowest - (length - (highest - lowest)) / 2))
    origin = max(min(centred_origin, floor(scale.full - length)), ceil(highest - length))
    return Window(times, Scale(origin, length))


def _ends(steps: Sequence[WaterfallBar]) -> tuple[int, int]:
    """The smallest and the largest value in `steps`."""
    values = [value for step in steps for value in (step.start, step.end)]
    return min(values), max(values)


def _rows(y: int, bars: Sequence[WaterfallBar], scale: Scale) -> Iterator[Piece]:
    """Yield bars with their labels, one below the other, starting at the vertical position `y`."""
    for bar in bars:
        piece = _row(y, bar, scale)
        y = piece.next_top
        yield piece


def _row(y: int, bar: WaterfallBar, scale: Scale) -> Piece:
    """A bar with its label above it and, if it is thin, a mark below it."""
    lines = _lines(bar.label, bar.note)
    top = y + LABEL_HEIGHT + NEXT_LINE_HEIGHT * (len(lines) - 1)
    return Piece(
        labels(y, lines, bar.note) + _bar(bar, scale, top) + _mark(bar, scale, top), top + BAR_HEIGHT + BAR_GAP
    )


def _lines(label: str, note: str) -> list[str]:
    """The label wrapped into lines that leave room for the note."""
    return wrap(label, CHARACTERS_PER_LINE - len(note), break_long_words=False, break_on_hyphens=False)


def _bar(bar: WaterfallBar, scale: Scale, top: int) -> str:
    """The bar without its label."""
    return bar_between(top, scale, (bar.start, bar.end), bar.style, bar.title)


def _mark(bar: WaterfallBar, scale: Scale, top: int) -> str:
    """The mark below a thin bar; empty for any other bar."""
    middle = scale.position((bar.start + bar.end) / 2)
    return mark(middle, top + BAR_HEIGHT + 1, bar.style) if _width(bar, scale) < MIN_VISIBLE_WIDTH else ""


def _width(bar: WaterfallBar, scale: Scale) -> float:
    """The width of a bar, as a percentage of the drawing."""
    return scale.length(bar.end - bar.start)


def _magnified_pieces(y: int, steps: Sequence[WaterfallBar], scale: Scale, window: Window) -> Iterator[Piece]:
    """Yield small steps to scale in one row with a frame around them, and then the panel that magnifies them."""
    has_several_steps = len(steps) > 1
    if has_several_steps:
        label = PHRASES["small-steps"].format(number=len(steps))
        note = with_sign(steps[-1].end - steps[0].start)
    else:
        label = steps[0].label
        note = steps[0].note
    lines = _lines(label, note)
    top = y + LABEL_HEIGHT + NEXT_LINE_HEIGHT * (len(lines) - 1)
    bars_html = "".join(_bar(step, scale, top) for step in steps)
    panel = top + BAR_HEIGHT + PANEL_DISTANCE
    yield Piece(labels(y, lines, note) + bars_html + _frame(window, scale, top, panel), panel)
    y_inside = panel + LABEL_HEIGHT
    heading = PHRASES["magnified"].format(times=f"{window.times:,}")
    body = f'<text x="0" y="{panel + 15}" class="bc-strong">{heading}</text>'
    if has_several_steps:
        pieces = list(_rows(y_inside + PANEL_PADDING, steps, window.scale))
        body += "".join(piece.body for piece in pieces)
        y_inside = pieces[-1].next_top - BAR_GAP
    else:
        body += _bar(steps[0], window.scale, y_inside) + _mark(steps[0], window.scale, y_inside)
        y_inside += BAR_HEIGHT
    bottom = y_inside + AXIS_HEIGHT
    attributes = f'data-times="{window.times}" data-origin="{window.scale.origin}"'
    background = f'<rect y="{panel}" width="100%" height="{bottom - panel}" class="bc-panel"/>'
    yield Piece(
        f"<g {attributes}>{background}{body}{_axis(steps, window, y_inside)}</g>", bottom + BAR_GAP + PANEL_PADDING
    )


def _frame(window: Window, scale: Scale, top: int, panel: int) -> str:
    """The frame around the window, and lines from its lower corners to the upper corners of the panel."""
    left = scale.position(window.scale.origin)
    width = scale.length(window.scale.full)
    # The frame extends 4 pixels above and below the bar, and its lines end 6 pixels above the panel.
    frame_bottom = top + BAR_HEIGHT + 4
    line_elements = "".join(
        f'<line x1="{x:.4f}%" y1="{frame_bottom}" x2="{end}%" y2="{panel - 6}" class="bc-line"/>'
        for x, end in ((left, 0), (left + width, 100))
    )
    box = f'x="{left:.4f}%" y="{top - 4}" width="{width:.4f}%" height="{BAR_HEIGHT + 8}"'
    return f'<rect {box} class="bc-window"/>{line_elements}'


def _axis(steps: Sequence[WaterfallBar], window: Window, y: int) -> str:
    """The axis of a panel with the smallest and the largest value of its steps."""
    # The ticks are 8 pixels high and centred on the line; the values are below them.
    pieces = [f'<line x1="0" y1="{y + 4}" x2="100%" y2="{y + 4}" class="bc-line"/>']
    for value, anchor in zip(_ends(steps), ("start", "end"), strict=True):
        x = f"{window.scale.position(value):.4f}%"
        pieces.append(f'<line x1="{x}" y1="{y}" x2="{x}" y2="{y + 8}" class="bc-line"/>')
        pieces.append(f'<text x="{x}" y="{y + 20}" text-anchor="{anchor}" class="bc-small">{value:,}</text>')
    return "".join(pieces)
