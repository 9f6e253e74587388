"""Waterfalls: two totals and the steps between them, from zero and to one scale.

A step too small to be read beside the totals is drawn where it is, as small
as it is, and a second time in a panel that magnifies this place so many times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor
from textwrap import wrap
from typing import NamedTuple

from .numbers import signed
from .svg import BAR, GAP, LINE, THIN, Scale, labels, mark, rows_of, stretch
from .words import PHRASES

TOTAL = "total"
"""The style of the first bar and of the last; all others are steps."""

SMALL = 2.0
"""Share of the width, in per cent, below which a step is magnified."""

ROUND = (8, 6, 5, 4, 3, 2, 1)
"""First digits of magnifications, all others being zeros."""

LETTERS = 46
"""How many letters of a label and its number stand side by side on a phone."""

NEXT_LINE = 17
FUNNEL = 26
"""Between a bar and the panel that magnifies a part of it, in CSS pixels."""

AXIS = 24


class Stretch(NamedTuple):
    """One line of a waterfall: its label, its note, and where its bar starts and ends."""

    style: str
    label: str
    note: str
    start: int
    end: int

    @property
    def title(self) -> str:
        """What it says on hover."""
        return f"{self.label}: {self.note}"


class Drawn(NamedTuple):
    """A piece of a drawing and where it ends, in CSS pixels from the top."""

    body: str
    bottom: int


class Window(NamedTuple):
    """A part of the width that is drawn again, so many times as wide."""

    times: int
    scale: Scale


def waterfall(drawn: Sequence[Stretch]) -> str:
    """Bars that each start where the one before ends; the first and the last stand on zero."""
    scale = Scale(0, max(max(each.start, each.end) for each in drawn))
    body, y = "", 0
    for (small, _), group in groupby(drawn, lambda each: (_wide(each, scale) < SMALL, each.style == TOTAL)):
        steps = list(group)
        window = _window(steps, scale) if small else None
        pieces = _magnified(y, steps, scale, window) if window else _rows(y, steps, scale)
        for piece in pieces:
            body, y = body + piece.body, piece.bottom
    return rows_of(body, y - GAP, int(scale.full))


def _window(steps: Sequence[Stretch], scale: Scale) -> Window | None:
    """The part of the width around some steps, no wider than it need be; none if it is hardly less than the whole."""
    low, high = _ends(steps)
    possible = scale.full / (high - low)
    power = 1
    while 10 * power <= possible:
        power *= 10
    times = next(first * power for first in ROUND if first * power <= possible)
    if times == 1:
        return None
    length = scale.full / times
    # In the middle, if there is room on both sides; a whole number that leaves nothing out.
    middle = floor(max(0, low - (length - (high - low)) / 2))
    origin = max(min(middle, floor(scale.full - length)), ceil(high - length))
    return Window(times, Scale(origin, length))


def _ends(steps: Sequence[Stretch]) -> tuple[int, int]:
    values = [value for each in steps for value in (each.start, each.end)]
    return min(values), max(values)


def _rows(y: int, steps: Sequence[Stretch], scale: Scale) -> Iterator[Drawn]:
    for each in steps:
        piece = _row(y, each, scale)
        y = piece.bottom
        yield piece


def _row(y: int, each: Stretch, scale: Scale) -> Drawn:
    """A bar with its label above it; a thin one is marked."""
    lines = _lines(each.label, each.note)
    top = y + LINE + NEXT_LINE * (len(lines) - 1)
    marked = _marked(each, scale, top)
    return Drawn(labels(y, lines, each.note) + _bar(each, scale, top) + marked, top + BAR + GAP)


def _lines(label: str, note: str) -> list[str]:
    return wrap(label, LETTERS - len(note), break_long_words=False, break_on_hyphens=False)


def _bar(each: Stretch, scale: Scale, top: int) -> str:
    return stretch(top, scale, (each.start, each.end), each.style, each.title)


def _marked(each: Stretch, scale: Scale, top: int) -> str:
    middle = scale.at((each.start + each.end) / 2)
    return mark(middle, top + BAR + 1, each.style) if _wide(each, scale) < THIN else ""


def _wide(each: Stretch, scale: Scale) -> float:
    return scale.wide(each.end - each.start)


def _magnified(y: int, steps: Sequence[Stretch], scale: Scale, window: Window) -> Iterator[Drawn]:
    """Small steps as small as they are, framed; and a panel in which the frame is as wide as the drawing."""
    many = len(steps) > 1
    change = steps[-1].end - steps[0].start
    label, note = (PHRASES["small-steps"].format(number=len(steps)), signed(change)) if many else steps[0][1:3]
    lines = _lines(label, note)
    top = y + LINE + NEXT_LINE * (len(lines) - 1)
    bars = "".join(_bar(each, scale, top) for each in steps)
    panel = top + BAR + FUNNEL
    yield Drawn(labels(y, lines, note) + bars + _frame(window, scale, top, panel), panel)
    inside = panel + LINE
    heading = PHRASES["magnified"].format(times=f"{window.times:,}")
    body = f'<text x="0" y="{panel + 15}" class="bc-strong">{heading}</text>'
    if many:
        pieces = list(_rows(inside + 6, steps, window.scale))
        body, inside = body + "".join(piece.body for piece in pieces), pieces[-1].bottom - GAP
    else:
        body += _bar(steps[0], window.scale, inside) + _marked(steps[0], window.scale, inside)
        inside += BAR
    bottom = inside + AXIS
    attributes = f'data-times="{window.times}" data-origin="{window.scale.origin}"'
    ground = f'<rect y="{panel}" width="100%" height="{bottom - panel}" class="bc-panel"/>'
    yield Drawn(f"<g {attributes}>{ground}{body}{_axis(steps, window, inside)}</g>", bottom + GAP + 6)


def _frame(window: Window, scale: Scale, top: int, panel: int) -> str:
    """What is magnified: a frame around it, and lines from there to the ends of the panel."""
    left, wide = scale.at(window.scale.origin), scale.wide(window.scale.full)
    foot = top + BAR + 4
    lines = "".join(
        f'<line x1="{x:.4f}%" y1="{foot}" x2="{end}%" y2="{panel - 6}" class="bc-line"/>'
        for x, end in ((left, 0), (left + wide, 100))
    )
    place = f'x="{left:.4f}%" y="{top - 4}" width="{wide:.4f}%" height="{BAR + 8}"'
    return f'<rect {place} class="bc-window"/>{lines}'


def _axis(steps: Sequence[Stretch], window: Window, y: int) -> str:
    """The totals before and after, at their places in a panel."""
    out = [f'<line x1="0" y1="{y + 4}" x2="100%" y2="{y + 4}" class="bc-line"/>']
    for value, anchor in zip(_ends(steps), ("start", "end"), strict=True):
        x = f"{window.scale.at(value):.4f}%"
        out.append(f'<line x1="{x}" y1="{y}" x2="{x}" y2="{y + 8}" class="bc-line"/>')
        out.append(f'<text x="{x}" y="{y + 20}" text-anchor="{anchor}" class="bc-small">{value:,}</text>')
    return "".join(out)
