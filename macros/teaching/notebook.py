"""The notebook of the lesson: what the teacher says, empty cells for counts, and checks that answer in words.

It is written in version 4.5 of the format of Jupyter notebooks
(https://nbformat.readthedocs.io), where each cell has an id. Its code needs
the standard library alone. Every right answer is in it as a fingerprint only,
also those that its last cells compare the program with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import Question, model_named
from macros.rendering.components.asking import BASE, LARGE
from macros.rendering.components.numbers import whole

from .exercise import Exercise
from .in_notebook import ANSWER, fingerprint
from .lesson import Count, LessonStep, load_lesson, sizes, with_values
from .sets import filled, load_sets
from .wrong import wrong_answers

CELLS = re.compile(r"^# %% (\w+)\n(.*?)(?=^# %% |\Z)", re.MULTILINE | re.DOTALL)
NOT_SHOWN = re.compile(r"  # noqa: [^\n]*")

FORMAT = {
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}
"""What a notebook holds besides its cells."""

LEAST_ZEROS = 2
"""At the end of a whole number that may be rounded; as in docs/assets/exercises/judge.js."""

LARGE_TOTAL = "large"
"""The name of the total of BERT large, which nobody is asked for."""

FOLDED = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
"""What a cell holds that opens folded."""


class Cell(NamedTuple):
    """A cell: its id, which stays the same from build to build; its text; whether it is code, and opens folded."""

    id: str
    text: str
    code: bool = False
    folded: bool = False


def notebook() -> str:
    """The notebook as it is downloaded."""
    cells = [_written(each) for each in _cells()]
    return json.dumps({"cells": cells, **FORMAT}, ensure_ascii=False, indent=1) + "\n"


def _written(cell: Cell) -> dict[str, Any]:
    """A cell in the notebook's format."""
    shown: dict[str, Any] = {"id": cell.id, "metadata": FOLDED if cell.folded else {}}
    shown["source"] = cell.text.splitlines(keepends=True)
    if cell.code:
        return {"cell_type": "code", "execution_count": None, **shown, "outputs": []}
    return {"cell_type": "markdown", **shown}


def _cells() -> Iterator[Cell]:
    said, steps = load_lesson().notebook, load_lesson().steps
    code = dict(CELLS.findall(Path(__file__).with_name("in_notebook.py").read_text(encoding="utf-8")))
    yield Cell("title", _paragraphs(f"# {said['title']}", *map(_plain, said["intro"])))
    yield from _of_step(steps[0])
    yield Cell("about-sizes", said["sizes"])
    yield Cell("sizes", _sizes(), code=True)
    yield Cell("about-check", said["known"])
    yield Cell("check", f"{_known()}\n\n{_code(code['check'])}", code=True, folded=True)
    for each in steps[1:]:
        yield from _of_step(each)
    yield Cell("python", _paragraphs(f"## {said['python_title']}", *map(_plain, said["python"])))
    yield Cell("tensors", _tensors(), code=True)
    yield Cell("count", _code(code["count"]), code=True)
    yield Cell("about-asserts", said["asserts"])
    yield Cell("asserts", _asserts(), code=True)
    yield Cell("about-other", said["other"])
    yield Cell("other", _other(), code=True)
    yield Cell("licence", said["licence"])


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(texts)


def _code(text: str) -> str:
    """Code without the remarks for our own tools."""
    return NOT_SHOWN.sub("", text).strip()


def _plain(text: str) -> str:
    """A text of the lesson with its numbers, as Markdown."""
    return unescape(re.sub("<[^>]*>", "", with_values(text)))


# --- Steps ----------------------------------------------------------------------


def _of_step(step: LessonStep) -> Iterator[Cell]:
    """What is explained and asked in a step, and a cell for each thing that is counted or found in it."""
    yield Cell(step.name, _paragraphs(f"## {step.title}", *map(_plain, step.explains)))
    for each in step.counts:
        about = f"# Parameters of {each.ask.words}"
        yield Cell(
            f"count-{each.name}",
            f'{about}\n{each.name} = None\n{each.name} = check("{each.name}", {each.name})',
            code=True,
        )
    for place, hunted in enumerate(step.exercises if step.hunt else (), 1):
        name = _hunted(place)
        yield Cell(f"about-{name}", _choice(hunted))
        yield Cell(name, f'# The letter of the mistake\n{name} = None\n{name} = check("{name}", {name})', code=True)
    yield Cell(f"ask-{step.name}", f"**{_plain(step.ask)}**")


def _hunted(place: int) -> str:
    return f"mistake_{place}"


def _lettered(of: Exercise) -> dict[str, Any]:
    """The options of an exercise by letter."""
    return dict(zip("abcdefgh", of.options, strict=False))


def _choice(of: Exercise) -> str:
    """An exercise with options: what is asked, the count that holds the mistake, and the options by letter."""
    ledger = "\n".join(f"- {each.what}: {each.text}" for each in of.ledger)
    options = "\n".join(f"- {letter}: {each.text}" for letter, each in _lettered(of).items())
    return _paragraphs(of.text, ledger, options)


# --- What the cells know --------------------------------------------------------


def _sizes() -> str:
    """The sizes of base by letter, and as what the function counts with."""
    lines = [f"{each.letter} = {each.number:_}  # {each.key}: {each.meaning}" for each in sizes()]
    together = ", ".join(f'"{each.letter}": {each.letter}' for each in sizes())
    return "\n".join([*lines, "", f"base = {{{together}}}"])


def _known() -> str:
    """The fingerprint of each right answer, and what to say to each wrong one that is known.

    A count also has the fingerprints of what rounds to the right answer (0), or to that of another model.
    """
    known = {each.name: _of_count(each) for each in load_lesson().counts}
    hunts = [each for step in load_lesson().steps if step.hunt for each in step.exercises]
    known |= {_hunted(place): _of_hunt(_hunted(place), each) for place, each in enumerate(hunts, 1)}
    total = Question(model_named(LARGE)).number
    known[LARGE_TOTAL] = {"right": fingerprint(LARGE_TOTAL, total), "hint": "", "wrong": {}}
    # A line for each, however long: whoever sees the cell unfolded is soon past it.
    lines = "\n".join(
        f"    {json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}," for name, each in known.items()
    )
    texts = load_sets().texts
    small = filled(texts["small"], number=ANSWER, size=whole(model_named(BASE).sizes["H"]))
    verdicts = {
        "SMALL": small,
        "UNREAD": texts["unread"],
        "ROUNDED": texts["rounded"],
        "IF_ROUNDED": texts["if-rounded"],
    }
    declarations = "\n".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in verdicts.items())
    return f"{declarations}\nKNOWN = {{\n{lines}\n}}"


def _of_count(count: Count) -> dict[str, Any]:
    wrong = wrong_answers(count.question, count.ask)
    others = [each.number for each in wrong if any(name.startswith("model:") for name in each.names)]
    rounded = {fingerprint(count.name, each): other for other in reversed(others) for each in _roundings(other)}
    rounded |= {fingerprint(count.name, each): 0 for each in _roundings(count.question.number)}
    return {
        "right": fingerprint(count.name, count.question.number),
        "hint": count.ask.step,
        "rounded": rounded,
        "wrong": {
            fingerprint(count.name, each.number): each.feedback.replace(whole(each.number), ANSWER) for each in wrong
        },
    }


def _roundings(number: int) -> list[int]:
    """What a number is rounded to, with so many zeros at the end as the page of exercises takes for rounding."""
    units = [10**zeros for zeros in range(LEAST_ZEROS, len(str(number)))]
    return [(number + unit // 2) // unit * unit for unit in units]


def _of_hunt(name: str, of: Exercise) -> dict[str, Any]:
    letters = _lettered(of)
    return {
        "right": next(fingerprint(name, letter) for letter, each in letters.items() if each.right),
        "hint": "Give the letter of an option, between quotation marks.",
        "wrong": {fingerprint(name, letter): each.feedback for letter, each in letters.items() if not each.right},
    }


def _tensors() -> str:
    """Every tensor of the bare model, with its shape in letters."""
    rows = Question(model_named(BASE)).rows
    lines = "\n".join(f'    ("{row.path}", "{row.shape}"),' for row in rows)
    return f"TENSORS = [\n{lines}\n]"


def _asserts() -> str:
    """The program's counts of parts of base, and of the whole, checked as the students' own."""
    listed = load_lesson().counts
    lines = [f'assert is_right("{each.name}", count(base, "{each.ask.part}"))' for each in listed if each.adds_up]
    return "\n".join([*lines, 'print(f"All {count(base):,} parameters are there.")'])


def _other() -> str:
    """The same with the sizes of large, and with another number of heads."""
    large = model_named(LARGE)
    differing = {each.letter: large.sizes[each.letter] for each in sizes() if large.sizes[each.letter] != each.number}
    changed = ", ".join(f"{letter}={size:_}" for letter, size in differing.items())
    return "\n".join(
        [
            f"large = dict(base, {changed})",
            f'assert is_right("{LARGE_TOTAL}", count(large))',
            "assert count(dict(base, A=A + A)) == count(base)",
            'print(f"BERT large has {count(large):,} parameters.")',
        ]
    )
