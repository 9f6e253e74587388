"""The hand-outs of the lesson: a sheet to fill in, its answers, and the board as slides.

Like the teacher's plan, which is a table on its own page, they are generated from `lesson.toml` in
the order of the lesson. The HTML of the sheet contains no answer, not even a hidden one.
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
from .lesson_page import as_html
from .letter_sums import LINE_MARK, with_sizes
from .sets import fill

FIELD = '<span class="bc-empty"></span>'
"""A line to write on, as HTML."""

BOX = '<span class="bc-box"></span>'
"""A box to tick, as HTML."""


class BoardLine(NamedTuple):
    """A line on the board.

    Attributes:
        label: the words for the counted part.
        letters: the symbolic sum; empty if it uses the results of earlier lines.
        sum: the sum with numbers.
        result: the result of the sum.
    """

    label: str
    letters: str
    sum: str
    result: str

    @property
    def full_sum(self) -> str:
        """The sum as it is written on the board, with letters and then with numbers."""
        return f"{self.letters} = {self.sum}" if self.letters else self.sum


def board_lines(count: Count) -> list[BoardLine]:
    """The lines that a count adds to the board: the whole sum, or only its last line if the count is brief."""
    worked_lines = with_sizes(count.ask.lines, count.question.sizes)
    lines = []
    for letter_line, worked_line in zip(count.ask.lines, worked_lines, strict=True):
        products = [" × ".join(summand.factors) for summand in letter_line.summands]
        letters = "" if any(LINE_MARK in product for product in products) else " + ".join(products)
        lines.append(BoardLine(letter_line.label, letters, *worked_line.text.split(" = ")))
    lines[-1] = lines[-1]._replace(label=count.ask.words)
    return lines[-1:] if count.is_brief else lines


def result(name: str) -> str:
    """The result of the count that has this name in the lesson.

    Raises:
        CountingError: the lesson has no such count.
    """
    counts = {candidate.name: candidate for candidate in load_lesson().counts}
    return numbers.parameters(entry_of(counts, "count", name).question, brief=True)


# --- The sheet --------------------------------------------------------------------


def sheet() -> str:
    """Both sides of the sheet: the count line by line, then the wrong totals and the homework."""
    return render(
        "lesson/sheet.html",
        sizes=sizes(),
        size=_size,
        paragraph=_paragraph,
        count=_count_table("sheet", has_answers=False),
        steps=load_lesson().steps,
        at_home=load_lesson().sheet["home"],
    )


def answers() -> str:
    """The answers to the sheet, on one page.

    For homework, only the last line of the sum is shown, because the page of the lesson has the whole sum.
    """
    exercises = [exercise for step in load_lesson().steps for exercise in (*step.hunt, *step.homework)]
    return render("lesson/answers.html", count=_count_table("answers", has_answers=True), exercises=exercises)


def _count_table(name: str, *, has_answers: bool) -> str:
    """A table of the lines on the board, with answers or fields. A step's title precedes its first line."""
    columns = [Column("what is counted"), Column("sum"), Column("parameters", NUMERIC)]
    rows = []
    for step in load_lesson().steps:
        title = _step_title(step)
        for count in step.counts:
            for line in board_lines(count):
                cells = [escape(line.full_sum), line.result] if has_answers else [FIELD, FIELD]
                rows.append([f"{title}{escape(line.label)}", *cells])
                title = ""
    return table(name, "The count, in the same order as on the board; matrices are (in, out)", columns, rows)


def _step_title(step: LessonStep) -> str:
    """The title of a step, to be put before its first line."""
    return f'<span class="bc-what">{escape(step.title)}</span> '


def _size(letter: str) -> str:
    """A size of BERT base with its explanation, by its letter."""
    return numbers.size(letter, BASE)


def _paragraph(name: str, **values: str) -> str:
    """A paragraph of the sheet. `[line]` becomes a field, and `[box]` a box on one line with the words after it."""
    words = fill(escape(load_lesson().sheet[name]), **values).replace("[line]", FIELD)
    html = re.sub(r"\[box\]( [^\[<]*[^\[< ])", rf'<span class="bc-kept">{BOX}\1</span>', words)
    return f"<p>{html}</p>"


# --- Slides -------------------------------------------------------------------------


class Slide(NamedTuple):
    """A slide, with its contents from top to bottom.

    Attributes:
        name: the end of its id.
        title: its title.
        parts: earlier counts that the lines use.
        texts: paragraphs of the lesson.
        lines: the lines of the count. A line without a sum is a line to write on.
        options: the mistakes to choose from.
        picture: a drawing with its sum, as HTML.
        closing_text: a question to the class, or the mistake that the class should have found.
        counted_parts: the parts of the total that have been counted so far, shown on the right.
    """

    name: str
    title: str
    parts: tuple[Count, ...] = ()
    texts: tuple[str, ...] = ()
    lines: tuple[SolutionLine, ...] = ()
    options: tuple[Option, ...] = ()
    picture: str = ""
    closing_text: str = ""
    counted_parts: tuple[Count, ...] = ()


def slides() -> str:
    """The board as slides: the lines of each step, first with fields and then with numbers, and areas to scale."""
    return render("lesson/slides.html", slides=_slides(), sizes=sizes(), size=_size, text=as_html, numbers=numbers)


def _slides() -> Iterator[Slide]:
    """Yield all slides, in the order of the lesson."""
    counted_parts: tuple[Count, ...] = ()
    layer_parts: tuple[Count, ...] = ()
    for step in load_lesson().steps:
        if step.counts:
            parts_before = counted_parts
            counted_parts += tuple(count for count in step.counts if count.is_in_total)
            yield from _slides_of_counts(step, layer_parts, parts_before, counted_parts)
            layer_parts = _layer_parts_after(step, layer_parts)
        yield from _slides_of_hunts(step, counted_parts)
        if not step.counts and not step.hunt:
            yield Slide(step.name, step.title, texts=step.explains, closing_text=step.ask, counted_parts=counted_parts)
    yield Slide("map", load_lesson().sheet["map"], picture=_picture("slides-areas", ""), counted_parts=counted_parts)


def _slides_of_counts(
    step: LessonStep, layer_parts: tuple[Count, ...], parts_before: tuple[Count, ...], parts_after: tuple[Count, ...]
) -> Iterator[Slide]:
    """Yield the slides of a step with counts: its lines with fields, with numbers and, if it has a level, as areas.

    Args:
        step: the step.
        layer_parts: earlier counts that its lines use.
        parts_before: the parts of the total that have been counted before the step.
        parts_after: the same, with those of the step.
    """
    blank_slide = Slide(
        step.name,
        step.title,
        parts=layer_parts,
        lines=_lines(step, has_answers=False),
        counted_parts=parts_before,
    )
    yield blank_slide
    yield blank_slide._replace(
        name=f"{step.name}-worked",
        lines=_lines(step, has_answers=True),
        closing_text=step.ask,
        counted_parts=parts_after,
    )
    if step.level:
        drawing = _picture(f"slides-{step.name}-areas", step.level)
        yield Slide(f"{step.name}-picture", step.title, picture=drawing, counted_parts=parts_after)


def _layer_parts_after(step: LessonStep, layer_parts: tuple[Count, ...]) -> tuple[Count, ...]:
    """The counts that the lines after a step use, given those that its own lines use.

    The parts of a layer stay above the lines until the layer is added up, and then the layer stays until it is
    multiplied.
    """
    last_count = step.counts[-1]
    if last_count.is_in_total:
        return ()
    return (*layer_parts, last_count) if last_count.ask.tag else (last_count,)


def _slides_of_hunts(step: LessonStep, counted_parts: tuple[Count, ...]) -> Iterator[Slide]:
    """Yield two slides for each exercise in which the class looks for a mistake: with the options, and solved."""
    for number, hunt in enumerate(step.hunt, 1):
        name = f"{step.name}-{number}"
        texts = (load_lesson().sheet["seen"],)
        yield Slide(name, step.title, texts=texts, lines=hunt.ledger, options=hunt.options, counted_parts=counted_parts)
        correct_text = " ".join(option.text for option in hunt.options if option.is_correct)
        yield Slide(
            f"{name}-solved", step.title, lines=hunt.solution, closing_text=correct_text, counted_parts=counted_parts
        )


def _picture(name: str, path: str) -> str:
    """A level of the map of BERT base with its sum, as HTML; `name` is the id of the figure."""
    level = level_at(path)
    home = pages.ROOT + pages.of_level(BASE)
    return picture(name, level, ask(), home) + sum_of(level, ask(), home)


def _lines(step: LessonStep, *, has_answers: bool) -> tuple[SolutionLine, ...]:
    """The lines of a step, with or without their sums."""
    return tuple(
        # A single number is its own result, so it is written only once.
        SolutionLine(line.label, " = ".join(dict.fromkeys((line.full_sum, line.result))) if has_answers else "")
        for count in step.counts
        for line in board_lines(count)
    )


TOPIC = {"result": result, "sheet": sheet, "answers": answers, "slides": slides}
"""The macros of the pages with hand-outs for the lesson."""
