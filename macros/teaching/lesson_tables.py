"""The lesson as its page shows it: each step for who teaches it, the hour, the board, the exercises and the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from urllib.parse import quote

from macros.counting import model_named
from macros.counting.deviations import deviation_named
from macros.counting.disagreements.parts import Part
from macros.rendering import worked_out
from macros.rendering.elements import formulas, numbers, pages, sum_html
from macros.rendering.elements.pages import EXERCISES, ROOT
from macros.rendering.elements.permalinks import permalink
from macros.rendering.elements.tables import NUMERIC, PROSE, Column, table

from .embedding import NOWHERE, site
from .exercise import Exercise
from .files import NOTEBOOK
from .lesson import HOUR, Count, Mistake, Step, load_lesson, with_values
from .pages import lines
from .sets import OWN, UnknownExercise, load_sets


def tables() -> dict[str, Callable[[str], str]]:
    """What the page shows, by name."""
    steps = {f"lesson-{each.name}": partial(step, of=each.name) for each in load_lesson().steps}
    return {
        **steps,
        "lesson-hour": hour,
        "lesson-board": board,
        "lesson-exercises": exercises,
        "lesson-key": key,
        "notebook": notebook,
    }


def hour(name: str) -> str:
    """The steps with their minutes, which add up to an hour."""
    columns = [Column("step"), Column("from minute", NUMERIC), Column("minutes", NUMERIC), Column("students", PROSE)]
    rows = [
        [f'<a href="#step-{each.name}">{escape(each.title)}</a>', str(each.start), str(each.minutes), as_html(each.do)]
        for each in load_lesson().steps
    ]
    return table(name, "The hour", columns, rows, ["the total", "", str(HOUR), ""])


# --- A step ---------------------------------------------------------------------


def step(name: str, of: str) -> str:
    """A step for who teaches it, in the order in which it happens.

    Args:
        name: stands before the ids.
        of: the name of the step.
    """
    (found,) = (each for each in load_lesson().steps if each.name == of)
    said = "".join(f"<p>{as_html(each)}</p>" for each in found.explains)
    parts = [
        f'<p class="bc-purpose">From minute {found.start} to minute {found.end}.{_read_up(found)}</p>',
        f"<p><strong>Say.</strong></p><blockquote>{said}</blockquote>",
        _labelled("Students", as_html(found.do)),
        _expected(f"{name}-mistakes", found),
        _labelled("Board", as_html(found.board)),
        *map(_counted, found.counts),
        _labelled("Ask", f"{as_html(found.ask)} <strong>Answer.</strong> {as_html(found.answer)}"),
        *(_labelled(label, " ".join(map(_asking, of))) for label, of in _exercises(found).items() if of),
        *map(_in_full, found.hunt),
        _labelled("If time is short", as_html(found.late)),
    ]
    return not_searched(f'<div class="bc-in-lesson" id="{name}">{"".join(parts)}</div>')


def not_searched(html: str) -> str:
    """HTML that the search leaves out: what it counts is explained, and found, on pages of its own."""
    # What is left out ends where the first element of its name does, so no macro makes another section.
    return f"<section data-search-exclude>{html}</section>"


def as_html(text: str) -> str:
    """A text of the lesson as HTML, with its numbers and its code."""
    return with_values(re.sub("`(.+?)`", r"<code>\1</code>", escape(text, quote=False)))


def _labelled(label: str, content: str) -> str:
    return f"<p><strong>{label}.</strong> {content}</p>"


def _read_up(of: Step) -> str:
    """Links to the pages that explain what is counted in a step."""
    found = {pages.of_part(Part(each.ask.part, each.ask.tag)): each.ask.words for each in of.counts}
    links = [f'<a href="{ROOT}{page}">{escape(called)}</a>' for page, called in found.items()]
    return f" To read up on it: {', '.join(links)}." if links else ""


def _counted(count: Count) -> str:
    """What a sum on the board counts, its formula, and the sum; its last line alone where the others are there."""
    name = f"lesson-sum-{count.name.replace('_', '-')}"
    head = f"{escape(count.ask.words)}: {formulas.inline(count.question.polynomial)}"
    if count.brief:
        return f'<p class="bc-purpose">{head}</p>{worked_out.last_line(count.question, name)}'
    link = permalink(name, "sum")
    return f'<p class="bc-purpose" id="{name}">{head} {link}</p>{sum_html.in_lines(count.question)}'


def _expected(name: str, of: Step) -> str:
    """The mistakes to expect in a step, those of the same number together; nothing where students count nothing."""
    rows = []
    for count in of.counts:
        of_number: dict[int, list[Mistake]] = {}
        for each in count.expected():
            of_number.setdefault(each.number, []).append(each)
        rows += [_wrong(count, made) for made in of_number.values()]
    columns = [Column("number", NUMERIC), Column("of", PROSE), Column("comes from", PROSE), Column("ask back", PROSE)]
    if len(of.counts) == 1:  # the step says of what
        columns, rows = [columns[0], *columns[2:]], [[row[0], *row[2:]] for row in rows]
    return table(name, f"{of.title}: wrong numbers to expect", columns, rows) if rows else ""


def _wrong(count: Count, made: Sequence[Mistake]) -> list[str]:
    """A wrong number, what it is taken for, the mistakes that lead there, and what to ask whoever got it."""
    known = [deviation_named(each.name) for each in made]
    how = " or ".join(each.title for each in known)
    links = [f'<a href="{ROOT}{pages.of_deviation(each.name)}">{escape(each.title)}</a>' for each in known]
    asked = "<br> ".join(f"{escape(each.ask)} {_purpose(of.why)}" for each, of in zip(made, known, strict=True))
    return [
        numbers.deviating(count.question._replace(deviations=(made[0].name,)), how),
        escape(count.ask.words),
        # Links that stand below each other need room for a finger.
        " or ".join(f'<span class="bc-address">{each}</span>' for each in links),
        asked,
    ]


def _purpose(text: str) -> str:
    return f'<span class="bc-purpose">{escape(text)}</span>'


def _exercises(of: Step) -> dict[str, tuple[Exercise, ...]]:
    """The exercises of a step that are not shown in full, by what they are for."""
    return {"For those who are early": of.early, "Homework": of.homework}


def _in_full(of: Exercise) -> str:
    """An exercise with options as one has it on paper; its text leads to it."""
    options = "".join(f"<li>{escape(each.text)}</li>" for each in of.options)
    return f"<p>{_asking(of)}</p>{lines(of.ledger)}<ul>{options}</ul>"


def _asking(of: Exercise) -> str:
    """What an exercise asks, as a link to it."""
    return f'<a href="{ROOT}{EXERCISES}{escape(of.address)}">{escape(of.text)}</a>'


def _link(of: Exercise) -> str:
    title = load_sets().sets[of.set].title
    return f'<a href="{ROOT}{EXERCISES}{escape(of.address)}">{escape(title)} (variant {of.seed})</a>'


# --- All of the hour -------------------------------------------------------------


def board(name: str) -> str:
    """What stands on the board in the end, line by line, with the minute at which it is written."""
    columns = [Column("line"), Column("in letters"), Column("parameters", NUMERIC), Column("by minute", NUMERIC)]
    rows = [
        [
            escape(count.ask.words),
            formulas.inline(count.question.polynomial),
            numbers.counted(count.question),
            str(each.end),
        ]
        for each in load_lesson().steps
        for count in each.counts
    ]
    return not_searched(table(name, "The lines on the board, in order", columns, rows))


def _all_exercises() -> list[tuple[Step, Exercise]]:
    """Every exercise with the first step that uses it.

    Raises:
        UnknownExercise: one of them is not about a published model as it is; only what is follows the data.
    """
    found: dict[str, tuple[Step, Exercise]] = {}
    for each in load_lesson().steps:
        for used in each.exercises:
            model = used.asked.model
            if model.name == OWN or model != model_named(model.name):
                raise UnknownExercise(f"{used.set}:{used.seed} is about sizes of its own; choose a published model")
            found.setdefault(used.address, (each, used))
    return list(found.values())


def exercises(name: str) -> str:
    """The exercises, what each asks, and where it is used."""
    columns = [Column("exercise"), Column("asks", PROSE), Column("used in")]
    rows = [[_link(each), escape(each.text), escape(of.title)] for of, each in _all_exercises()]
    return not_searched(table(name, "The exercises of the lesson", columns, rows))


def key(name: str) -> str:
    """The answer to each exercise, and the sum that leads there."""
    columns = [Column("exercise"), Column("answer", NUMERIC), Column("how", PROSE)]
    rows = [[_link(each), numbers.counted(each.asked), _solved(each)] for _, each in _all_exercises()]
    return not_searched(table(name, "Answers to the exercises", columns, rows))


def _solved(of: Exercise) -> str:
    """The way to an answer: the lines of the sum, below the option that is right."""
    right = [f"<strong>{escape(each.text)}</strong>" for each in of.options if each.right]
    worked = [f'<span class="bc-line-of-sum">{escape(each.text)}</span> {_purpose(each.what)}' for each in of.solution]
    return "<br> ".join([*right, ";<br> ".join(worked)])


# --- The notebook ------------------------------------------------------------------

OPENS = "https://jupyter.org/try-jupyter/lab/index.html?fromURL="
"""What runs a notebook in the reader's browser, and fetches it from the address that follows."""

BADGE = (
    '<svg class="bc-badge" width="196" height="28" viewBox="0 0 196 28" aria-hidden="true">'
    '<rect width="196" height="28" rx="4" fill="#24425c"/><path d="M76 0h116a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H76z" '
    'fill="#b3500a"/><g fill="#fff" font-size="13" text-anchor="middle"><text x="38" y="19">notebook</text>'
    '<text x="136" y="19">run in JupyterLite</text></g></svg>'
)


def notebook(_: str) -> str:
    """Where the notebook is; and where it runs, if it is known at which address this site will be."""
    links = [f'<a href="{ROOT}{NOTEBOOK}" download>Download the notebook</a>']
    if (top := site()) != NOWHERE:
        opens = f"{OPENS}{quote(f'{top}{NOTEBOOK}', safe='')}"
        links.append(f'<a href="{opens}" aria-label="Run the notebook in JupyterLite">{BADGE}</a>')
    return f"<p>{'<br> '.join(links)}</p>"
