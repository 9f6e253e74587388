"""Macros about question banks: their sizes, links to download them, and the feedback on an example.

An unknown set of exercises raises a `CountingError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from macros.counting.errors import entry_of
from macros.rendering.components.numbers import tally, whole
from macros.rendering.components.pages import ROOT
from macros.rendering.components.rows import lines

from .banks import FORMATS, bank_of
from .files import bank_file, downloadable_bank, zip_file
from .sets import ExerciseSet, load_sets

EXAMPLE = "question-banks"
"""The key in `exercises.toml` under which the exercise that the page shows is listed."""

ALL_SETS = "all sets"
"""The label of links to files that hold all sets."""

SHARED_ZIP = "Moodle XML, QTI, GIFT and CSV of all sets with this link (zip)"
"""The text of a link to a zip that several sets share, with the formats that are not in a zip of all sets."""


def question_count(set_name: str = "") -> str:
    """The number of questions in the bank of a set, or in all banks if `set_name` is empty."""
    return tally(sum(len(downloadable_bank(name).entries) for name in _set_names(set_name)))


def wrong_answer_count(set_name: str = "") -> str:
    """The number of wrong answers in the bank of a set, or in all banks if `set_name` is empty."""
    return tally(
        sum(len(entry.answers) - 1 for name in _set_names(set_name) for entry in downloadable_bank(name).entries)
    )


def _set_names(set_name: str) -> list[str]:
    """The name of one set, or the names of all sets if `set_name` is empty."""
    return [_set(set_name).name] if set_name else [*load_sets().sets]


def _set(name: str) -> ExerciseSet:
    """The set with this name; raises `CountingError` if there is none."""
    return entry_of(load_sets().sets, "set of exercises", name)


def bank_links(set_name: str = "") -> str:
    """Links to the files that hold the bank of a set or, without a set, all banks."""
    if not set_name:
        return _links(
            {file_format.title: zip_file(name) for name, file_format in FORMATS.items() if file_format.is_in_one_zip},
            ALL_SETS,
        )
    exercise_set = _set(set_name)
    if exercise_set.zip:
        return _links({SHARED_ZIP: zip_file(exercise_set.zip)}, exercise_set.title)
    addresses_by_title = {
        file_format.title: bank_file(set_name, name)
        for name, file_format in FORMATS.items()
        if not file_format.is_in_one_zip
    }
    return _links(addresses_by_title, exercise_set.title)


def _links(addresses: Mapping[str, str], sets_label: str) -> str:
    """Links to addresses, by title. For screen readers, each has a label that also names the sets."""
    links = (
        f'<a href="{ROOT}{address}" download aria-label="{escape(title)}: {escape(sets_label)}">{escape(title)}</a>'
        for title, address in addresses.items()
    )
    return f'<span class="bc-several">{" ".join(links)}</span>'


def feedback_rows() -> str:
    """Rows of a table about the example: an answer, the word "right" or "wrong", and the feedback on the answer."""
    ((set_name, seed),) = load_sets().pages[EXAMPLE]
    (entry,) = bank_of(set_name, [seed]).entries
    return lines(
        [whole(int(answer.text)), "right" if answer.is_correct else "wrong", escape(answer.feedback)]
        for answer in entry.answers
    )


def wrong_answer_sentence() -> str:
    """A sentence with the first wrong answer of the example and the feedback on it."""
    ((set_name, seed),) = load_sets().pages[EXAMPLE]
    (entry,) = bank_of(set_name, [seed]).entries
    answer = next(answer for answer in entry.answers if not answer.is_correct)
    return f"A student who answers {tally(int(answer.text))} reads: “{escape(answer.feedback)}”"


TOPIC: dict[str, object] = {
    "sets": tuple((exercise_set.name, escape(exercise_set.title)) for exercise_set in load_sets().sets.values()),
    "questions": question_count,
    "wrong_answers": wrong_answer_count,
    "files": bank_links,
    "feedback": feedback_rows,
    "wrong_answer": wrong_answer_sentence,
}
"""The macros of the page of question banks, and the sets that its tables list."""
