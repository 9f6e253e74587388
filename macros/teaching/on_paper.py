"""The lesson on paper: a sheet to fill in, the teacher's plan with the answers to it, and the board as slides.

All of them are made of `lesson.toml`, in the order of the hour. A sheet to fill
in holds no answer, not even where nobody sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import NamedTuple

from macros.rendering.elements import numbers, pages
from macros.rendering.elements.asking import BASE, ask
from macros.rendering.elements.pages import ROOT
from macros.rendering.elements.tables import NUMERIC, PROSE, Column, table
from macros.rendering.figures.area_map import picture, sum_of
from macros.rendering.figures.levels import level_at

from .exercise import Exercise
from .exercise import Step as Line
from .lesson import Count, Step, load_lesson, sizes
from .lesson_tables import as_html, not_searched
from .letter_sums import OF_LINE, with_sizes
from .sets import filled

FIELD = '<span class="bc-empty"></span>'
"""A line to write on."""

BOX = '<span class="bc-box"></span>'
"""A box to tick."""


class Written(NamedTuple):
    """A line on the board: what it counts, the sum in letters where it has no other, in numbers, and its result."""

    what: str
    letters: str
    sum: str
    result: str

    @property
    def full(self) -> str:
        """The sum as one writes it: in letters, then in numbers."""
        return f"{self.letters} = {self.sum}" if self.letters else self.sum


def tables() -> dict[str, Callable[[str], str]]:
    """What pages show, by name."""
    return {"sheet": sheet, "answers": answers, "plan": plan, "slides": slides}


def lines_of(count: Count) -> list[Written]:
    """The lines that a count adds to the board: those of its sum, or the last where its parts are there already."""
    worked = with_sizes(count.ask.lines, count.question.sizes)
    found = []
    for letters, line in zip(count.ask.lines, worked, strict=True):
        factors = [" × ".join(each.factors) for each in letters.summands]
        spelt = "" if any(OF_LINE in each for each in factors) else " + ".join(factors)
        found.append(Written(letters.what, spelt, *line.text.split(" = ")))
    found[-1] = found[-1]._replace(what=count.ask.words)
    return found[-1:] if count.brief else found


# --- The sheet --------------------------------------------------------------------


def sheet(name: str) -> str:
    """Both sides of the sheet: the count, line by line; then the wrong totals and the homework."""
    front = f"{given()}{_paragraph('guess')}{_count(name, solved=False)}"
    back = ""
    for step in load_lesson().steps:
        if step.hunt:
            back += _heading(f"{name}-hunt", step.title) + _paragraph("hunt") + "".join(map(_hunted, step.hunt))
        if step.homework:
            back += _heading(f"{name}-home", load_lesson().sheet["home"]) + "".join(map(_homework, step.homework))
    return not_searched("".join(f'<div class="bc-paper">{each}</div>' for each in (front, back)))


def answers(name: str) -> str:
    """What the sheet asks for, on one page: of homework the last line of the sum, as the lesson has all of it."""
    asked = ""
    for each in (one for step in load_lesson().steps for one in (*step.hunt, *step.homework)):
        right = "".join(f" <strong>{escape(option.text)}</strong>" for option in each.options if option.right)
        worked = f'<span class="bc-line-of-sum">{escape(each.solution[-1].text)}</span>'
        asked += f"<li>{escape(each.text)}{right}<br> {worked}</li>"
    return not_searched(f"{_count(name, solved=True)}<ul>{asked}</ul>")


def _heading(name: str, text: str) -> str:
    """A heading that the search leaves out: what it is about is explained, and found, elsewhere."""
    return f'<h2 id="{name}" data-search-exclude>{escape(text)}</h2>'


def _count(name: str, *, solved: bool) -> str:
    """The lines of the board in their order, the first of a step below its title; with answers or fields."""
    columns = [Column("what is counted"), Column("sum"), Column("parameters", NUMERIC)]
    rows = [
        [
            f"{'' if place else _small(step.title)}{escape(each.what)}",
            *((escape(each.full), each.result) if solved else (FIELD, FIELD)),
        ]
        for step in load_lesson().steps
        for place, each in enumerate(line for count in step.counts for line in lines_of(count))
    ]
    return table(name, "The count, in the order of the board; matrices are (in, out)", columns, rows)


def _small(text: str) -> str:
    return f'<span class="bc-what">{escape(text)}</span> '


def given() -> str:
    """The sizes of base, which everything follows from."""
    each = (
        f"<li><b>{size.letter}</b> = {numbers.size(size.letter, BASE)} {_small(size.meaning)}</li>" for size in sizes()
    )
    return f'<ul class="bc-sizes">{"".join(each)}</ul>'


def _paragraph(name: str, **values: str) -> str:
    """A text of the sheet; what stands in square brackets is a field, or a box that is never parted from its words."""
    text = filled(escape(load_lesson().sheet[name]), **values).replace("[line]", FIELD)
    ticked = re.sub(r"\[box\]( [^\[<]*[^\[< ])", rf'<span class="bc-kept">{BOX}\1</span>', text)
    return f"<p>{ticked}</p>"


def _hunted(of: Exercise) -> str:
    """A wrong total: room for the way from it to the right one, and the mistakes of which one leads there."""
    options = "".join(f"<li>{BOX} {escape(each.text)}</li>" for each in of.options)
    return f'<div class="bc-on-sheet">{_paragraph("wrong", number=of.ledger[-1].text)}<ul>{options}</ul></div>'


def _homework(of: Exercise) -> str:
    """An exercise with room for the sum."""
    return f'<div class="bc-on-sheet bc-room"><p><strong>{escape(of.text)}</strong> {escape(of.given)}</p></div>'


def _listed(lines: Iterable[Line]) -> str:
    """Lines with what each of them counts, as HTML; the sums are HTML already."""
    items = (
        f'<li><span class="bc-what">{escape(each.what)}</span> <span class="bc-line-of-sum">{each.text}</span></li>'
        for each in lines
    )
    return f'<ol class="bc-solution">{"".join(items)}</ol>'


def _as_html(line: Line) -> Line:
    """A line whose sum is text, as HTML."""
    return Line(line.what, escape(line.text))


# --- The teacher's plan -------------------------------------------------------------


def plan(name: str) -> str:
    """The hour on one page: when, what students do, what is written on the board, and what to ask."""
    columns = [
        Column("step"),
        Column("students", PROSE),
        Column("on the board", PROSE),
        Column("ask", PROSE),
    ]
    rows = [
        [
            f"<strong>{escape(each.title)}</strong><br> minutes {each.start}–{each.end}",
            as_html(each.do),
            "<br> ".join([as_html(each.board), *map(_counted, each.counts)]),
            f"<strong>{as_html(each.ask)}</strong><br> {as_html(each.answer)}",
        ]
        for each in load_lesson().steps
    ]
    return not_searched(table(name, "The hour", columns, rows))


def _counted(count: Count) -> str:
    """What a count comes to, on a line."""
    return f"<strong>{escape(count.ask.words)}: {numbers.counted(count.question, brief=True)}</strong>"


# --- Slides -------------------------------------------------------------------------


def slides(name: str) -> str:
    """The board in steps: what each step counts, first with fields, then with the numbers.

    What is added up in the end is at the right, as far as it has been counted;
    what a layer is added up from stands above the lines until it is complete,
    and the layer itself until it is multiplied.
    """
    found: list[str] = []
    total: list[Count] = []
    layer: list[Count] = []

    def add(id_: str, title: str, middle: str, ask: str = "") -> None:
        asked = f'<p class="bc-asks">{as_html(ask)}</p>' if ask else ""
        found.append(
            f'<div class="bc-slide"><div>{_heading(f"{name}-{id_}", title)}{given()}<div>{middle}{asked}</div>'
            f"{_listed(map(_result, total))}</div></div>"
        )

    for each in load_lesson().steps:
        if each.counts:
            known = f'<div class="bc-known">{_listed(map(_result, layer))}</div>' if layer else ""
            add(each.name, each.title, known + _lines(each, FIELD))
            total += (count for count in each.counts if count.adds_up)
            add(f"{each.name}-worked", each.title, known + _lines(each), each.ask)
            last = each.counts[-1]
            layer = [] if last.adds_up else [*layer, last] if last.ask.tag else [last]
        for place, hunted in enumerate(each.hunt, 1):
            options = "".join(f"<li>{escape(option.text)}</li>" for option in hunted.options)
            right = " ".join(option.text for option in hunted.options if option.right)
            wrong = f"{_paragraph('seen')}{_listed(map(_as_html, hunted.ledger))}<ul>{options}</ul>"
            add(f"{each.name}-{place}", each.title, wrong)
            add(f"{each.name}-{place}-solved", each.title, _listed(map(_as_html, hunted.solution)), right)
        if not each.counts and not each.hunt:
            add(each.name, each.title, "".join(f"<p>{as_html(said)}</p>" for said in each.explains), each.ask)
    drawn, home = level_at(""), ROOT + pages.of_level(BASE)
    areas = f"{picture(f'{name}-areas', drawn, ask(), home)}{sum_of(drawn, ask(), home)}"
    add("map", load_lesson().sheet["map"], areas)
    return not_searched(f'<div class="bc-slides" id="{name}">{"".join(found)}</div>')


def _result(of: Count) -> Line:
    """What has been counted, and what it came to."""
    return Line(of.ask.words, numbers.counted(of.question, brief=True))


def _lines(of: Step, field: str = "") -> str:
    """The lines of a step; a field in the place of each sum, if there is one to put there."""
    return _listed(
        Line(each.what, field or escape(" = ".join(dict.fromkeys((each.full, each.result)))))
        for count in of.counts
        for each in lines_of(count)
    )
