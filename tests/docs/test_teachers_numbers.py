"""What the page answers to the list of numbers with a teacher's reasons, and to numbers that have none."""

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import called, measure
from tests.docs.teachers_numbers import BASE, KNOWN, OPERATIONS, READERS, Known

Answered = dict[str, Any]
ANSWER = measure("scripts.js", "firstAnswers")

LEAST_RIGHT = 0.95
"""The share of first answers that must give the teacher's reason."""

MOST_WRONG = 0.01
"""The share that may state another reason as a fact."""

MOST_NOTHING = 0.03
"""The share of readers' numbers that may get no reason at all."""


def answers_to(page: Page, listed: Iterable[Known]) -> list[tuple[Known, Answered]]:
    """Each number of a list with the first answer to it, on a page that has the scripts."""
    known = list(listed)
    return list(zip(known, called(page, ANSWER, [each.typed for each in known]), strict=True))


def is_open(answer: Answered) -> bool:
    """Whether an answer states no reason as a fact."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(known: Known, answer: Answered) -> bool:
    """Whether it gives the teacher's reason; where there is none, whether it leaves the question open."""
    return known.is_said(answer["all" if known.anywhere else "says"]) if known.says else is_open(answer)


def is_wrong_as_fact(known: Known, answer: Answered) -> bool:
    """Whether it states another reason as a fact."""
    return not is_right(known, answer) and not is_open(answer)


@pytest.fixture(scope="module")
def answered(page: Page) -> list[tuple[Known, Answered]]:
    """The first answer to each number of the list."""
    return answers_to(page, KNOWN)


@pytest.mark.parametrize("listed", [KNOWN, READERS, OPERATIONS], ids=["teachers", "readers", "operations"])
def test_first_answers_are_right(page: Page, listed: tuple[Known, ...]) -> None:
    """The floor for right ones, and the ceilings for wrong ones that are stated as facts and for none at all."""
    answered = answers_to(page, listed)
    missed = [known.typed for known, answer in answered if not is_right(known, answer)]
    wrong = [known.typed for known, answer in answered if is_wrong_as_fact(known, answer)]
    nothing = [
        known.typed for known, answer in answered if known.typed in missed and answer["kind"] in ("near", "none")
    ]
    assert len(missed) <= (1 - LEAST_RIGHT) * len(listed), missed
    assert len(wrong) <= MOST_WRONG * len(listed), wrong
    assert len(nothing) <= MOST_NOTHING * len(listed), nothing


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, False),
        ({"says": "124,645,632 is multilingual uncased, wrongly counted.", "confidence": "likely"}, True),
        ({"says": "It may be chance.", "confidence": "possible"}, False),
    ],
)
def test_a_wrong_answer_is_noticed(answered: list[tuple[Known, Answered]], change: Answered, wrong: bool) -> None:
    """The figures above are no formality."""
    known, answer = next((known, answer) for known, answer in answered if known.typed.replace(",", "") == "124645632")
    changed = {**answer, **change}
    assert wrong is is_wrong_as_fact(known, changed)
    assert bool(change) is not is_right(known, changed)


def test_there_are_many_numbers_and_none_twice() -> None:
    """Each text is listed once; only those without a reason ask for no words."""
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
    """Every word must be there, from its start, in any case."""
    assert Known("1", "An example.", (BASE, "cased", "pooler"), "one slip").is_said(answer) == said
