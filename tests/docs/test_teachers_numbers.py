"""The first answers to lists of numbers, compared with the reason that a good teacher would give for each."""

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import call, measure
from tests.docs.teachers_numbers import BASE, OPERATIONS, READERS, TEACHERS, ExpectedAnswer

Answer = dict[str, Any]
ANSWER = measure("scripts.js", "firstAnswers")

LEAST_RIGHT = 0.95
"""The smallest allowed share of first answers that give the teacher's reason."""

MOST_WRONG = 0.01
"""The largest allowed share of first answers that state another reason as a fact."""

MOST_WITHOUT_REASON = 0.03
"""The largest allowed share of numbers that have a reason but get none at all."""


def answers_to(page: Page, numbers: Iterable[ExpectedAnswer]) -> list[tuple[ExpectedAnswer, Answer]]:
    """Each number of a list with its first answer, on a page that has the scripts."""
    entries = list(numbers)
    return list(zip(entries, call(page, ANSWER, [entry.typed for entry in entries]), strict=True))


def is_open(answer: Answer) -> bool:
    """Return whether an answer states no reason as a fact."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(entry: ExpectedAnswer, answer: Answer) -> bool:
    """Return whether an answer gives the teacher's reason; without one, whether it leaves the question open."""
    return entry.is_satisfied_by(answer["all" if entry.anywhere else "says"]) if entry.says else is_open(answer)


def states_wrong_reason(entry: ExpectedAnswer, answer: Answer) -> bool:
    """Return whether an answer states another reason as a fact."""
    return not is_right(entry, answer) and not is_open(answer)


@pytest.fixture(scope="module")
def answers(page: Page) -> list[tuple[ExpectedAnswer, Answer]]:
    """The first answer to each number of the teachers' list."""
    return answers_to(page, TEACHERS)


@pytest.mark.parametrize("numbers", [TEACHERS, READERS, OPERATIONS], ids=["teachers", "readers", "operations"])
def test_first_answers_are_right(page: Page, numbers: tuple[ExpectedAnswer, ...]) -> None:
    """Most answers give the teacher's reason; few state another one as a fact, and few give none."""
    answers = answers_to(page, numbers)
    wrongly_answered = [entry.typed for entry, answer in answers if not is_right(entry, answer)]
    wrong = [entry.typed for entry, answer in answers if states_wrong_reason(entry, answer)]
    without_reason = [
        entry.typed
        for entry, answer in answers
        if entry.typed in wrongly_answered and answer["kind"] in ("near", "none")
    ]
    assert len(wrongly_answered) <= (1 - LEAST_RIGHT) * len(numbers), wrongly_answered
    assert len(wrong) <= MOST_WRONG * len(numbers), wrong
    assert len(without_reason) <= MOST_WITHOUT_REASON * len(numbers), without_reason


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, False),
        ({"says": "124,645,632 is multilingual uncased, wrongly counted.", "confidence": "likely"}, True),
        ({"says": "It may be chance.", "confidence": "possible"}, False),
    ],
)
def test_a_wrong_answer_is_noticed(answers: list[tuple[ExpectedAnswer, Answer]], change: Answer, wrong: bool) -> None:
    """A wrong reason stated as a fact is noticed."""
    entry, answer = next((entry, answer) for entry, answer in answers if entry.typed.replace(",", "") == "124645632")
    wrong_answer = {**answer, **change}
    assert wrong is states_wrong_reason(entry, wrong_answer)
    assert bool(change) is not is_right(entry, wrong_answer)


def test_there_are_many_numbers_and_none_twice() -> None:
    """No text is listed twice, and only those under the heading "nothing" require no words of the answer."""
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
def test_required_words_begin_words_of_the_answer(answer: str, expected: bool) -> None:
    """Each required word must begin a word of the answer, in capitals or not."""
    assert ExpectedAnswer("1", "An example.", (BASE, "cased", "pooler"), "one slip").is_satisfied_by(answer) == expected
