"""The lesson on paper: a sheet to fill in, the answers to it, and the board as slides.

All of them are made of `lesson.toml`, in the order of the hour, and so is the
teacher's plan, which is a table on its page. A sheet to fill in holds no
answer, not even where nobody sees it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from macros.counting.errors import entry_of
from macros.rendering.components import numbers, pages
from macros.rendering.components.asking import BASE, ask
from macros.rendering.components.tables import NUMERIC, Column, table
from macros.rendering.components.templates import render
from macros.rendering.figures.area_map import picture, sum_of
from macros.rendering.figures.levels import level_at

from .exercise import Option, SolutionLine
from .lesson import Count, LessonStep, load_lesson, sizes
from .lesson_page import text
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


def result(count: str) -> str:
    """What a count comes to, by its name in the lesson.

    Raises:
        CountingError: the lesson has no such count.
    """
    counts = {each.name: each for each in load_lesson().counts}
    return numbers.counted(entry_of(counts, "count", count).question, brief=True)


# --- The sheet --------------------------------------------------------------------


def sheet() -> str:
    """Both sides of the sheet: the count, line by line; then the wrong totals and the homework."""
    return render(
        "lesson/sheet.html",
        sizes=sizes(),
        size=_size,
        paragraph=_paragraph,
        count=_count("sheet", solved=False),
        steps=load_lesson().steps,
        at_home=load_lesson().sheet["home"],
    )


def answers() -> str:
    """What the sheet asks for, on one page: of homework the last line of the sum, as the lesson has all of it."""
    exercises = [each for step in load_lesson().steps for each in (*step.hunt, *step.homework)]
    return render("lesson/answers.html", count=_count("answers", solved=True), exercises=exercises)


def _count(name: str, *, solved: bool) -> str:
    """The lines of the board in their order, the first of a step below its title; with answers or fields."""
    columns = [Column("what is counted"), Column("sum"), Column("parameters", NUMERIC)]
    rows = [
        [
            f"{'' if place else _title(step)}{escape(each.what)}",
            *((escape(each.full), each.result) if solved else (FIELD, FIELD)),
        ]
        for step in load_lesson().steps
        for place, each in enumerate(line for count in step.counts for line in lines_of(count))
    ]
    return table(name, "The count, in the order of the board; matrices are (in, out)", columns, rows)


def _title(step: LessonStep) -> str:
    return f'<span class="bc-what">{escape(step.title)}</span> '


def _size(letter: str) -> str:
    return numbers.size(letter, BASE)


def _paragraph(name: str, **values: str) -> str:
    """A text of the sheet; what stands in square brackets is a field, or a box that is never parted from its words."""
    words = filled(escape(load_lesson().sheet[name]), **values).replace("[line]", FIELD)
    ticked = re.sub(r"\[box\]( [^\[<]*[^\[< ])", rf'<span class="bc-kept">{BOX}\1</span>', words)
    return f"<p>{ticked}</p>"


# --- Slides -------------------------------------------------------------------------


class Slide(NamedTuple):
    """A slide: the end of its id, its title, and what it shows, from top to bottom.

    Attributes:
        parts: what the lines are added up from.
        texts: what the lesson says.
        lines: what is counted; a line without a sum is one to write on.
        options: what to choose from.
        picture: a drawing with its sum, as HTML.
        ask: a question to the class, or what they should have found.
        total: what the total is added up from, as far as it has been counted; it stands at the right.
    """

    name: str
    title: str
    parts: tuple[Count, ...] = ()
    texts: tuple[str, ...] = ()
    lines: tuple[SolutionLine, ...] = ()
    options: tuple[Option, ...] = ()
    picture: str = ""
    ask: str = ""
    total: tuple[Count, ...] = ()


def slides() -> str:
    """The board in steps: what each step counts, first with fields, then with the numbers."""
    return render("lesson/slides.html", slides=_slides(), sizes=sizes(), size=_size, text=text, numbers=numbers)


def _slides() -> Iterator[Slide]:
    """Every slide.

    What a layer is added up from stands above the lines until the layer is
    complete, and the layer itself until it is multiplied.
    """
    total: tuple[Count, ...] = ()
    layer: tuple[Count, ...] = ()
    for step in load_lesson().steps:
        if step.counts:
            blank = Slide(step.name, step.title, parts=layer, lines=_lines(step, solved=False), total=total)
            yield blank
            total += tuple(count for count in step.counts if count.adds_up)
            yield blank._replace(name=f"{step.name}-worked", lines=_lines(step, solved=True), ask=step.ask, total=total)
            last = step.counts[-1]
            layer = () if last.adds_up else (*layer, last) if last.ask.tag else (last,)
        for place, hunted in enumerate(step.hunt, 1):
            name, seen = f"{step.name}-{place}", (load_lesson().sheet["seen"],)
            yield Slide(name, step.title, texts=seen, lines=hunted.ledger, options=hunted.options, total=total)
            right = " ".join(option.text for option in hunted.options if option.right)
            yield Slide(f"{name}-solved", step.title, lines=hunted.solution, ask=right, total=total)
        if not step.counts and not step.hunt:
            yield Slide(step.name, step.title, texts=step.explains, ask=step.ask, total=total)
    drawn, home = level_at(""), pages.ROOT + pages.of_level(BASE)
    areas = picture("slides-areas", drawn, ask(), home) + sum_of(drawn, ask(), home)
    yield Slide("map", load_lesson().sheet["map"], picture=areas, total=total)


def _lines(of: LessonStep, *, solved: bool) -> tuple[SolutionLine, ...]:
    """The lines of a step, with their sums or without."""
    return tuple(
        SolutionLine(each.what, " = ".join(dict.fromkeys((each.full, each.result))) if solved else "")
        for count in of.counts
        for each in lines_of(count)
    )


TOPIC = {"result": result, "sheet": sheet, "answers": answers, "slides": slides}
"""What the pages of hand-outs for the lesson call."""
