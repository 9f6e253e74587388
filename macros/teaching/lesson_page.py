"""The page of the lesson for teachers: the steps, the exercises with answers, and the notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from macros.counting.deviations import deviation_named
from macros.counting.errors import entry_of
from macros.counting.search.parts import Part
from macros.rendering import worked_out
from macros.rendering.components import formulas, numbers, pages, sum_html
from macros.rendering.components.tables import NUMERIC, PROSE, Column, table
from macros.rendering.components.templates import render

from .exercise import Exercise, check_sizes, exercise
from .files import NOTEBOOK
from .lesson import HOUR, Count, ExpectedMistake, LessonStep, load_lesson, with_values
from .sets import load_sets


def as_html(text: str) -> str:
    """A text of the lesson as HTML, with numbers filled in and code marked up."""
    return with_values(re.sub("`(.+?)`", r"<code>\1</code>", escape(text, quote=False)))


# --- A step ---------------------------------------------------------------------


def step(name: str) -> str:
    """The plan of a step for the teacher: `step("attention")`.

    Raises:
        CountingError: the lesson has no such step.
    """
    lesson_step = entry_of({candidate.name: candidate for candidate in load_lesson().steps}, "step", name)
    return render(
        "lesson/step.html",
        step=lesson_step,
        read_up={pages.of_part(Part(count.ask.part, count.ask.tag)): count.ask.words for count in lesson_step.counts},
        mistakes=_mistakes_table(f"lesson-{name}-mistakes", lesson_step),
        text=as_html,
        formulas=formulas,
        sum_html=sum_html,
        worked_out=worked_out,
    )


def _mistakes_table(name: str, lesson_step: LessonStep) -> str:
    """A table of the mistakes to expect in a step, with a row per wrong number; empty if there are none."""
    rows = []
    for count in lesson_step.counts:
        mistakes_by_number: dict[int, list[ExpectedMistake]] = {}
        for mistake in count.expected_mistakes():
            mistakes_by_number.setdefault(mistake.number, []).append(mistake)
        rows += [_row_of_wrong_number(count, mistakes) for mistakes in mistakes_by_number.values()]
    columns = [
        Column("number", NUMERIC),
        Column("part", PROSE),
        Column("comes from", PROSE),
        Column("ask in return, then explain", PROSE),
    ]
    if len(lesson_step.counts) == 1:  # The step already names the part.
        columns = [columns[0], *columns[2:]]
        rows = [[row[0], *row[2:]] for row in rows]
    return table(name, f"{lesson_step.title}: wrong numbers to expect", columns, rows) if rows else ""


def _row_of_wrong_number(count: Count, mistakes: Sequence[ExpectedMistake]) -> list[str]:
    """A row with the wrong number, the counted part, the mistakes behind it, and the questions to ask in return."""
    deviations = [deviation_named(mistake.name) for mistake in mistakes]
    titles = " or ".join(deviation.title for deviation in deviations)
    questions = [
        (mistake.question, deviation.why, deviation.title)
        for mistake, deviation in zip(mistakes, deviations, strict=True)
    ]
    return [
        numbers.deviating_number(count.question._replace(deviations=(mistakes[0].name,)), titles),
        escape(count.ask.words),
        render("lesson/comes-from.html", mistakes=deviations),
        render("lesson/ask-back.html", questions=questions),
    ]


# --- Exercises -------------------------------------------------------------------


class LessonExercise(NamedTuple):
    """An exercise of the lesson, with its title and the first step that uses it."""

    title: str
    exercise: Exercise
    step: LessonStep


def _exercises() -> tuple[LessonExercise, ...]:
    """All exercises of the lesson, without repetition.

    Raises:
        UnknownExercise: an exercise is about made-up sizes.
    """
    exercises_by_address: dict[str, LessonExercise] = {}
    for lesson_step in load_lesson().steps:
        for variant in lesson_step.exercises:
            check_sizes(variant)
            title = f"{load_sets().sets[variant.set].title} (variant {variant.seed})"
            exercises_by_address.setdefault(variant.address, LessonExercise(title, variant, lesson_step))
    return tuple(exercises_by_address.values())


def answer(set_name: str, seed: int) -> str:
    """The answer to an exercise: the correct option if there are options, otherwise a number with its working."""
    options = exercise(set_name, seed).options
    correct_text = next((option.text for option in options if option.is_correct), "")
    return escape(correct_text) or numbers.parameters(exercise(set_name, seed).question)


def solution(set_name: str, seed: int) -> str:
    """The solution of an exercise: the correct option if there are options, and the sum line by line."""
    return render("lesson/solution.html", exercise=exercise(set_name, seed))


# --- The notebook ------------------------------------------------------------------

RUNNER = "https://jupyter.org/try-jupyter/lab/index.html?fromURL="
"""The address that runs a notebook in the reader's browser, to be followed by the address of the notebook."""


def notebook() -> str:
    """A link to the notebook and, if the address of this site is known, a link that runs it."""
    top = pages.site_address()
    run_address = "" if top == pages.UNKNOWN_SITE else f"{RUNNER}{quote(f'{top}{NOTEBOOK}', safe='')}"
    return render("lesson/notebook.html", file=NOTEBOOK, run_address=run_address)


TOPIC = {
    "steps": load_lesson().steps,
    "minutes": HOUR,
    "exercises": _exercises(),
    "text": as_html,
    "step": step,
    "answer": answer,
    "solution": solution,
    "notebook": notebook,
}
"""The macros and lists that the page of the lesson uses."""
