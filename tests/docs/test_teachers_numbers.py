"""Answers to the lists of numbers with a teacher's reasons, and to numbers without one."""

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import called, measure
from tests.docs.teachers_numbers import BASE, KNOWN, OPERATIONS, READERS, Known

Answered = dict[str, Any]
ANSWER = measure("scripts.js", "firstAnswers")

LEAST_RIGHT = 0.95
"""The least share of first answers that give the teacher's reason."""

MOST_WRONG = 0.01
"""The largest share that may state another reason as a fact."""

MOST_NOTHING = 0.03
"""The largest share of numbers that may get no reason at all."""


def answers_to(page: Page, entries: Iterable[Known]) -> list[tuple[Known, Answered]]:
    """Each number of a list with its first answer, on a page that has the scripts."""
    known = list(entries)
    return list(zip(known, called(page, ANSWER, [entry.typed for entry in known]), strict=True))


def is_open(answer: Answered) -> bool:
    """Whether an answer states no reason as a fact."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(known: Known, answer: Answered) -> bool:
    """Whether an answer gives the teacher's reason; without one, whether it leaves the question open."""
    return known.is_said(answer["all" if known.anywhere else "says"]) if known.says else is_open(answer)


def is_wrong_as_fact(known: Known, answer: Answered) -> bool:
    """Whether an answer states another reason as a fact."""
    return not is_right(known, answer) and not is_open(answer)


@pytest.fixture(scope="module")
def answered(page: Page) -> list[tuple[Known, Answered]]:
    """The first answer to each number of the teachers' list."""
    return answers_to(page, KNOWN)


@pytest.mark.parametrize("entries", [KNOWN, READERS, OPERATIONS], ids=["teachers", "readers", "operations"])
def test_first_answers_are_right(page: Page, entries: tuple[Known, ...]) -> None:
    """Enough answers are right, and few are wrong as a fact or missing."""
    answered = answers_to(page, entries)
    missed = [known.typed for known, answer in answered if not is_right(known, answer)]
    wrong = [known.typed for known, answer in answered if is_wrong_as_fact(known, answer)]
    nothing = [
        known.typed for known, answer in answered if known.typed in missed and answer["kind"] in ("near", "none")
    ]
    assert len(missed) <= (1 - LEAST_RIGHT) * len(entries), missed
    assert len(wrong) <= MOST_WRONG * len(entries), wrong
    assert len(nothing) <= MOST_NOTHING * len(entries), nothing


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, False),
        ({"says": "124,645,632 is multilingual uncased, wrongly counted.", "confidence": "likely"}, True),
        ({"says": "It may be chance.", "confidence": "possible"}, False),
    ],
)
def test_a_wrong_answer_is_noticed(answered: list[tuple[Known, Answered]], change: Answered, wrong: bool) -> None:
    """A wrong reason stated as a fact is noticed."""
    known, answer = next((known, answer) for known, answer in answered if known.typed.replace(",", "") == "124645632")
    changed = {**answer, **change}
    assert wrong is is_wrong_as_fact(known, changed)
    assert bool(change) is not is_right(known, changed)


def test_there_are_many_numbers_and_none_twice() -> None:
    """Each text is listed once; only those without a reason need no words."""
    assert len(KNOWN) >= 150
    assert len(READERS) >= 420
    typed = [known.typed for known in KNOWN + READERS]
    assert len(typed) == len(set(typed))
    assert {"nothing"} == {known.kind for known in KNOWN + READERS if not known.says}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("You would get this for BERT Base, cased, if you left out the Pooler.", True),
        ("You would get this for BERT base, uncased, if you left out the pooler.", False),
        ("You would get this for DistilBERT base, cased, if you left out the pooler.", False),
        ("This is bert-base with cased words.", False),
    ],
)
def test_an_answer_gives_a_reason_in_whole_words(answer: str, said: bool) -> None:
    """Every word must be in the answer, from its start, in any case."""
    assert Known("1", "An example.", (BASE, "cased", "pooler"), "one slip").is_said(answer) == said
