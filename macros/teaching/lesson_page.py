"""The lesson as its page shows it: its steps for who teaches it, the exercises and the answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from macros.counting import model_named
from macros.counting.deviations import deviation_named
from macros.counting.errors import entry_of
from macros.counting.search.parts import Part
from macros.rendering import worked_out
from macros.rendering.components import formulas, numbers, pages, sum_html
from macros.rendering.components.tables import NUMERIC, PROSE, Column, table
from macros.rendering.components.templates import render

from .embedding import NOWHERE, site
from .exercise import Exercise, exercise
from .files import NOTEBOOK
from .lesson import HOUR, Count, LessonStep, Mistake, load_lesson, with_values
from .sets import OWN, UnknownExercise, load_sets


def text(words: str) -> str:
    """A text of the lesson as HTML, with its numbers and its code."""
    return with_values(re.sub("`(.+?)`", r"<code>\1</code>", escape(words, quote=False)))


# --- A step ---------------------------------------------------------------------


def step(name: str) -> str:
    """A step for who teaches it, in the order in which it happens: `step("attention")`.

    Raises:
        CountingError: the lesson has no such step.
    """
    chosen = entry_of({each.name: each for each in load_lesson().steps}, "step", name)
    return render(
        "lesson/step.html",
        step=chosen,
        read_up={pages.of_part(Part(each.ask.part, each.ask.tag)): each.ask.words for each in chosen.counts},
        mistakes=_mistakes(f"lesson-{name}-mistakes", chosen),
        text=text,
        formulas=formulas,
        sum_html=sum_html,
        worked_out=worked_out,
    )


def _mistakes(name: str, of: LessonStep) -> str:
    """The mistakes to expect in a step, those of the same number together; nothing where students count nothing."""
    rows = []
    for count in of.counts:
        of_number: dict[int, list[Mistake]] = {}
        for each in count.expected():
            of_number.setdefault(each.number, []).append(each)
        rows += [_wrong(count, alike) for alike in of_number.values()]
    columns = [Column("number", NUMERIC), Column("of", PROSE), Column("comes from", PROSE), Column("ask back", PROSE)]
    if len(of.counts) == 1:  # the step says of what
        columns, rows = [columns[0], *columns[2:]], [[row[0], *row[2:]] for row in rows]
    return table(name, f"{of.title}: wrong numbers to expect", columns, rows) if rows else ""


def _wrong(count: Count, alike: Sequence[Mistake]) -> list[str]:
    """A wrong number, what it is taken for, the mistakes that lead there, and what to ask whoever got it."""
    known = [deviation_named(each.name) for each in alike]
    how = " or ".join(each.title for each in known)
    return [
        numbers.deviating(count.question._replace(deviations=(alike[0].name,)), how),
        escape(count.ask.words),
        render("lesson/comes-from.html", mistakes=known),
        render("lesson/ask-back.html", questions=[(each.ask, of.why) for each, of in zip(alike, known, strict=True)]),
    ]


# --- Exercises -------------------------------------------------------------------


class Entry(NamedTuple):
    """An exercise of the lesson: what it is called, and the first step that uses it."""

    title: str
    exercise: Exercise
    step: LessonStep


def _exercises() -> tuple[Entry, ...]:
    """Every exercise of the lesson.

    Raises:
        UnknownExercise: one of them is not about a published model as it is; only what is follows the data.
    """
    entries: dict[str, Entry] = {}
    for of in load_lesson().steps:
        for each in of.exercises:
            model = each.asked.model
            if model.name == OWN or model != model_named(model.name):
                raise UnknownExercise(f"{each.set}:{each.seed} is about sizes of its own; choose a published model")
            title = f"{load_sets().sets[each.set].title} (variant {each.seed})"
            entries.setdefault(each.address, Entry(title, each, of))
    return tuple(entries.values())


def answer(of_set: str, seed: int) -> str:
    """The answer to an exercise."""
    return numbers.counted(exercise(of_set, seed).asked)


def solution(of_set: str, seed: int) -> str:
    """The way to an answer: the lines of the sum, below the option that is right."""
    return render("lesson/solution.html", exercise=exercise(of_set, seed))


# --- The notebook ------------------------------------------------------------------

OPENS = "https://jupyter.org/try-jupyter/lab/index.html?fromURL="
"""What runs a notebook in the reader's browser, and fetches it from the address that follows."""


def notebook() -> str:
    """Where the notebook is; and where it runs, if it is known at which address this site will be."""
    top = site()
    opens = "" if top == NOWHERE else f"{OPENS}{quote(f'{top}{NOTEBOOK}', safe='')}"
    return render("lesson/notebook.html", file=NOTEBOOK, opens=opens)


TOPIC = {
    "steps": load_lesson().steps,
    "minutes": HOUR,
    "exercises": _exercises(),
    "text": text,
    "step": step,
    "answer": answer,
    "solution": solution,
    "notebook": notebook,
}
"""What the page of the lesson goes through and calls."""
