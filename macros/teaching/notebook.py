"""The lesson's notebook: explanations, cells for the students' counts, and checks with feedback.

It uses version 4.5 of the Jupyter notebook format (https://nbformat.readthedocs.io), in which cells
have ids. Its code needs only the standard library.

Students can read the source of every cell. Correct answers, and known wrong answers with feedback,
are therefore stored only as fingerprints (see `in_notebook.py`). The last cells compare the counts
of a program with the same fingerprints.
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

from .exercise import Exercise, Option
from .in_notebook import ANSWER, fingerprint
from .lesson import Count, LessonStep, load_lesson, sizes, with_values
from .sets import fill, load_sets
from .wrong import wrong_answers

CELLS = re.compile(r"^# %% (\w+)\n(.*?)(?=^# %% |\Z)", re.MULTILINE | re.DOTALL)
"""Matches a cell of `in_notebook.py`; the groups are its name and its code up to the next cell."""

LINTER_COMMENT = re.compile(r"  # noqa: [^\n]*")
"""Matches a comment for our linter, with the spaces before it."""

NOTEBOOK_FIELDS = {
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}
"""The fields of a notebook other than its cells."""

MIN_ZEROS = 2
"""The minimum number of trailing zeros of a rounded number, as in docs/assets/exercises/judge.js."""

LARGE_TOTAL = "large"
"""The name of the total of BERT large, which is not one of the students' counts."""

FOLDED_METADATA = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
"""The metadata of a cell that is initially folded in JupyterLab and in Jupyter Book."""


class Cell(NamedTuple):
    """A cell. Its id is the same in every build, and `is_folded` means that it is initially folded."""

    id: str
    text: str
    is_code: bool = False
    is_folded: bool = False


def notebook() -> str:
    """The notebook as it is downloaded."""
    cells = [_as_json(cell) for cell in _cells()]
    return json.dumps({"cells": cells, **NOTEBOOK_FIELDS}, ensure_ascii=False, indent=1) + "\n"


def _as_json(cell: Cell) -> dict[str, Any]:
    """A cell as an object in Jupyter's file format."""
    fields: dict[str, Any] = {"id": cell.id, "metadata": FOLDED_METADATA if cell.is_folded else {}}
    fields["source"] = cell.text.splitlines(keepends=True)
    if cell.is_code:
        return {"cell_type": "code", "execution_count": None, **fields, "outputs": []}
    return {"cell_type": "markdown", **fields}


def _cells() -> Iterator[Cell]:
    """Yield all cells, in the order of the notebook."""
    texts = load_lesson().notebook
    steps = load_lesson().steps
    code = dict(CELLS.findall(Path(__file__).with_name("in_notebook.py").read_text(encoding="utf-8")))
    yield Cell("title", _paragraphs(f"# {texts['title']}", *map(_plain, texts["intro"])))
    yield from _cells_of_step(steps[0])
    yield Cell("about-sizes", texts["sizes"])
    yield Cell("sizes", _sizes(), is_code=True)
    yield Cell("about-check", texts["known"])
    yield Cell("check", f"{_declarations()}\n\n{_code(code['check'])}", is_code=True, is_folded=True)
    for step in steps[1:]:
        yield from _cells_of_step(step)
    yield Cell("python", _paragraphs(f"## {texts['python_title']}", *map(_plain, texts["python"])))
    yield Cell("tensors", _tensors(), is_code=True)
    yield Cell("count", _code(code["count"]), is_code=True)
    yield Cell("about-asserts", texts["asserts"])
    yield Cell("asserts", _asserts(), is_code=True)
    yield Cell("about-other", texts["other"])
    yield Cell("other", _other_models(), is_code=True)
    yield Cell("licence", texts["licence"])


def _paragraphs(*texts: str) -> str:
    """The texts as paragraphs of Markdown."""
    return "\n\n".join(texts)


def _code(text: str) -> str:
    """Code without the comments for our linter."""
    return LINTER_COMMENT.sub("", text).strip()


def _plain(text: str) -> str:
    """A text of the lesson without its HTML tags, with numbers filled in."""
    return unescape(re.sub("<[^>]*>", "", with_values(text)))


# --- Steps ----------------------------------------------------------------------


def _cells_of_step(step: LessonStep) -> Iterator[Cell]:
    """Yield the cells of a step: its explanation, cells for each count and each mistake to find, and its question."""
    yield Cell(step.name, _paragraphs(f"## {step.title}", *map(_plain, step.explains)))
    for count in step.counts:
        comment = f"# Parameters of {count.ask.words}"
        yield Cell(
            f"count-{count.name}",
            f'{comment}\n{count.name} = None\n{count.name} = check("{count.name}", {count.name})',
            is_code=True,
        )
    for number, hunt in enumerate(step.hunt, 1):
        name = _hunt_name(number)
        yield Cell(f"about-{name}", _choice_text(hunt))
        yield Cell(name, f'# The letter of the mistake\n{name} = None\n{name} = check("{name}", {name})', is_code=True)
    yield Cell(f"ask-{step.name}", f"**{_plain(step.ask)}**")


def _hunt_name(number: int) -> str:
    """The name of the variable for the answer to a mistake to find, numbered from 1."""
    return f"mistake_{number}"


def _options_by_letter(exercise: Exercise) -> dict[str, Option]:
    """The options of an exercise, by letter."""
    # Not strict, because an exercise has fewer options than this string has letters.
    return dict(zip("abcdefgh", exercise.options, strict=False))


def _choice_text(exercise: Exercise) -> str:
    """The text of an exercise with options: the question, the count with a mistake, and the options by letter."""
    ledger = "\n".join(f"- {line.label}: {line.text}" for line in exercise.ledger)
    options_text = "\n".join(f"- {letter}: {option.text}" for letter, option in _options_by_letter(exercise).items())
    return _paragraphs(exercise.text, ledger, options_text)


# --- Data in the cells ----------------------------------------------------------


def _sizes() -> str:
    """The sizes of BERT base, each as a variable, and all of them as a dictionary."""
    lines = [f"{size.letter} = {size.number:_}  # {size.key}: {size.meaning}" for size in sizes()]
    items = ", ".join(f'"{size.letter}": {size.letter}' for size in sizes())
    return "\n".join([*lines, "", f"base = {{{items}}}"])


def _declarations() -> str:
    """The constants of the check: texts, and fingerprints of correct and wrong answers."""
    entries = {count.name: _entry_of_count(count) for count in load_lesson().counts}
    hunts = [exercise for step in load_lesson().steps for exercise in step.hunt]
    entries |= {_hunt_name(number): _entry_of_hunt(_hunt_name(number), hunt) for number, hunt in enumerate(hunts, 1)}
    total = Question(model_named(LARGE)).number
    entries[LARGE_TOTAL] = {"right": fingerprint(LARGE_TOTAL, total), "hint": "", "wrong": {}}
    # Each entry is on one line, however long, so that students who unfold the cell can quickly scroll past it.
    entry_lines = "\n".join(
        f"    {json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}," for name, entry in entries.items()
    )
    texts = load_sets().texts
    small_text = fill(texts["small"], number=ANSWER, size=whole(model_named(BASE).sizes["H"]))
    verdicts = {
        "SMALL": small_text,
        "UNREAD": texts["unread"],
        "ROUNDED": texts["rounded"],
        "IF_ROUNDED": texts["if-rounded"],
    }
    constants = "\n".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in verdicts.items())
    return f"{constants}\nKNOWN = {{\n{entry_lines}\n}}"


def _entry_of_count(count: Count) -> dict[str, Any]:
    """The entry of a count: fingerprints of the correct answer, of its roundings and of the wrong answers.

    Under `rounded`, 0 means the correct answer; any other number is the correct answer for another model.
    """
    known_answers = wrong_answers(count.question, count.ask)
    other_numbers = [
        answer.number for answer in known_answers if any(name.startswith("model:") for name in answer.names)
    ]
    # The most similar model comes first in `other_numbers`, and must win if two models round to the same number.
    roundings = {
        fingerprint(count.name, number): other_number
        for other_number in reversed(other_numbers)
        for number in _roundings(other_number)
    }
    roundings |= {fingerprint(count.name, number): 0 for number in _roundings(count.question.number)}
    return {
        "right": fingerprint(count.name, count.question.number),
        "hint": count.ask.step,
        "rounded": roundings,
        "wrong": {
            fingerprint(count.name, answer.number): answer.feedback.replace(whole(answer.number), ANSWER)
            for answer in known_answers
        },
    }


def _roundings(number: int) -> list[int]:
    """The number rounded to each power of ten, from `MIN_ZEROS` zeros up to the place of its first digit."""
    units = [10**zeros for zeros in range(MIN_ZEROS, len(str(number)))]
    return [(number + unit // 2) // unit * unit for unit in units]


def _entry_of_hunt(name: str, exercise: Exercise) -> dict[str, Any]:
    """The entry of a mistake to find: fingerprints of the correct option and the wrong options."""
    options = _options_by_letter(exercise)
    return {
        "right": next(fingerprint(name, letter) for letter, option in options.items() if option.is_correct),
        "hint": "Give the letter of an option, in quotation marks.",
        "wrong": {
            fingerprint(name, letter): option.feedback for letter, option in options.items() if not option.is_correct
        },
    }


def _tensors() -> str:
    """A list of all tensors of the bare model with their symbolic shapes, as code."""
    rows = Question(model_named(BASE)).rows
    tensor_lines = "\n".join(f'    ("{row.path}", "{row.shape}"),' for row in rows)
    return f"TENSORS = [\n{tensor_lines}\n]"


def _asserts() -> str:
    """Assertions about the program's counts of BERT base and its parts."""
    counts = load_lesson().counts
    lines = [
        f'assert is_right("{count.name}", count(base, "{count.ask.part}"))' for count in counts if count.is_in_total
    ]
    return "\n".join([*lines, 'print(f"All {count(base):,} parameters are there.")'])


def _other_models() -> str:
    """Assertions about the program's counts of BERT large, and of BERT base with twice as many heads."""
    large_model = model_named(LARGE)
    changed_sizes = {
        size.letter: large_model.sizes[size.letter] for size in sizes() if large_model.sizes[size.letter] != size.number
    }
    arguments = ", ".join(f"{letter}={number:_}" for letter, number in changed_sizes.items())
    return "\n".join(
        [
            f"large = dict(base, {arguments})",
            f'assert is_right("{LARGE_TOTAL}", count(large))',
            "assert count(dict(base, A=A + A)) == count(base)",
            'print(f"BERT large has {count(large):,} parameters.")',
        ]
    )
