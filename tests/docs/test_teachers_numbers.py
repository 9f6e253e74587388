"""Answers to the lists of numbers with a teacher's reasons, and to numbers without one."""

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import call, measure
from tests.docs.teachers_numbers import BASE, OPERATIONS, READERS, TEACHERS, ExpectedAnswer

Answered = dict[str, Any]
ANSWER = measure("scripts.js", "firstAnswers")

LEAST_RIGHT = 0.95
"""The least share of first answers that give the teacher's reason."""

MOST_WRONG = 0.01
"""The largest share that may state another reason as a fact."""

MOST_NOTHING = 0.03
"""The largest share of numbers that may get no reason at all."""


def answers_to(page: Page, numbers: Iterable[ExpectedAnswer]) -> list[tuple[ExpectedAnswer, Answered]]:
    """Each number of a list with its first answer, on a page that has the scripts."""
    entries = list(numbers)
    return list(zip(entries, call(page, ANSWER, [entry.typed for entry in entries]), strict=True))


def is_open(answer: Answered) -> bool:
    """Whether an answer states no reason as a fact."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(entry: ExpectedAnswer, answer: Answered) -> bool:
    """Whether an answer gives the teacher's reason; without one, whether it leaves the question open."""
    return entry.is_satisfied_by(answer["all" if entry.anywhere else "says"]) if entry.says else is_open(answer)


def is_wrong_as_fact(entry: ExpectedAnswer, answer: Answered) -> bool:
    """Whether an answer states another reason as a fact."""
    return not is_right(entry, answer) and not is_open(answer)


@pytest.fixture(scope="module")
def answered(page: Page) -> list[tuple[ExpectedAnswer, Answered]]:
    """The first answer to each number of the teachers' list."""
    return answers_to(page, TEACHERS)


@pytest.mark.parametrize("numbers", [TEACHERS, READERS, OPERATIONS], ids=["teachers", "readers", "operations"])
def test_first_answers_are_right(page: Page, numbers: tuple[ExpectedAnswer, ...]) -> None:
    """Enough answers are right, and few are wrong as a fact or missing."""
    answered = answers_to(page, numbers)
    missed = [entry.typed for entry, answer in answered if not is_right(entry, answer)]
    wrong = [entry.typed for entry, answer in answered if is_wrong_as_fact(entry, answer)]
    nothing = [
        entry.typed for entry, answer in answered if entry.typed in missed and answer["kind"] in ("near", "none")
    ]
    assert len(missed) <= (1 - LEAST_RIGHT) * len(numbers), missed
    assert len(wrong) <= MOST_WRONG * len(numbers), wrong
    assert len(nothing) <= MOST_NOTHING * len(numbers), nothing


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, False),
        ({"says": "124,645,632 is multilingual uncased, wrongly counted.", "confidence": "likely"}, True),
        ({"says": "It may be chance.", "confidence": "possible"}, False),
    ],
)
def test_a_wrong_answer_is_noticed(
    answered: list[tuple[ExpectedAnswer, Answered]], change: Answered, wrong: bool
) -> None:
    """A wrong reason stated as a fact is noticed."""
    entry, answer = next((entry, answer) for entry, answer in answered if entry.typed.replace(",", "") == "124645632")
    altered = {**answer, **change}
    assert wrong is is_wrong_as_fact(entry, altered)
    assert bool(change) is not is_right(entry, altered)


def test_there_are_many_numbers_and_none_twice() -> None:
    """Each text is listed once; only those without a reason need no words."""
    assert len(TEACHERS) >= 150
    assert len(READERS) >= 420
    texts = [entry.typed for entry in TEACHERS + READERS]
    assert len(texts) == len(set(texts))
    assert {"nothing"} == {entry.kind for entry in TEACHERS + READERS if not entry.says}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("You would get this for BERT Base, cased, if you left out the Pooler.", True),
        ("You would get this for BERT base, uncased, if you left out the pooler.", False),
        ("You would get this for DistilBERT base, cased, if you left out the pooler.", False),
        ("This is bert-base with cased words.", False),
    ],
)
def test_an_answer_gives_a_reason_in_whole_words(answer: str, expected: bool) -> None:
    """Every word must be in the answer, from its start, in any case."""
    assert ExpectedAnswer("1", "An example.", (BASE, "cased", "pooler"), "one slip").is_satisfied_by(answer) == expected
