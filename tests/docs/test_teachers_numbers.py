"""Nearly all first answers to the numbers in several lists give the reasons that a good teacher would give."""

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import call, function_in
from tests.docs.teachers_numbers import BASE, OPERATIONS_NUMBERS, READERS_NUMBERS, TEACHERS_NUMBERS, ExpectedAnswer

Answer = dict[str, Any]
"""The first sentence of an answer, its whole text, and the kind and confidence of its first explanation."""

FIRST_ANSWERS = function_in("scripts.js", "firstAnswers")
"""Returns the first answer to each text."""

MIN_RIGHT = 0.95
"""The minimum share of first answers that give the teacher's reason."""

MAX_WRONG = 0.01
"""The maximum share of first answers that state a different reason as a fact."""

MAX_WITHOUT_REASON = 0.03
"""The maximum share of numbers with a reason that are answered without one."""


def answers_to(page: Page, numbers: Iterable[ExpectedAnswer]) -> list[tuple[ExpectedAnswer, Answer]]:
    """Each number with its first answer, from a page with the site's modules."""
    entries = list(numbers)
    return list(zip(entries, call(page, FIRST_ANSWERS, [entry.text for entry in entries]), strict=True))


def is_open(answer: Answer) -> bool:
    """Return whether an answer gives no reason, or only a possible one."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(entry: ExpectedAnswer, answer: Answer) -> bool:
    """Return whether an answer gives the teacher's reason or, if there is none, leaves the question open."""
    if not entry.required_words:
        return is_open(answer)
    return entry.is_satisfied_by(answer["all" if entry.anywhere else "sentence"])


def states_wrong_reason(entry: ExpectedAnswer, answer: Answer) -> bool:
    """Return whether an answer states a reason other than the teacher's as a fact."""
    return not is_right(entry, answer) and not is_open(answer)


@pytest.fixture(scope="module")
def answers(page: Page) -> list[tuple[ExpectedAnswer, Answer]]:
    """Each number in the teachers' list with its first answer."""
    return answers_to(page, TEACHERS_NUMBERS)


@pytest.mark.parametrize(
    "numbers", [TEACHERS_NUMBERS, READERS_NUMBERS, OPERATIONS_NUMBERS], ids=["teachers", "readers", "operations"]
)
def test_first_answers_are_right(page: Page, numbers: tuple[ExpectedAnswer, ...]) -> None:
    answers = answers_to(page, numbers)
    texts_not_right = [entry.text for entry, answer in answers if not is_right(entry, answer)]
    texts_with_wrong_reason = [entry.text for entry, answer in answers if states_wrong_reason(entry, answer)]
    texts_without_reason = [
        entry.text for entry, answer in answers if entry.text in texts_not_right and answer["kind"] in ("near", "none")
    ]
    assert len(texts_not_right) <= (1 - MIN_RIGHT) * len(numbers), texts_not_right
    assert len(texts_with_wrong_reason) <= MAX_WRONG * len(numbers), texts_with_wrong_reason
    assert len(texts_without_reason) <= MAX_WITHOUT_REASON * len(numbers), texts_without_reason


@pytest.mark.parametrize(
    ("change", "is_wrong"),
    [
        ({}, False),
        ({"sentence": "124,645,632 is multilingual uncased, wrongly counted.", "confidence": "likely"}, True),
        ({"sentence": "It may be chance.", "confidence": "possible"}, False),
    ],
)
def test_a_wrong_reason_is_noticed(
    answers: list[tuple[ExpectedAnswer, Answer]], change: Answer, is_wrong: bool
) -> None:
    """A reason counts as wrong only if the answer states it as a fact."""
    entry, answer = next((entry, answer) for entry, answer in answers if entry.text.replace(",", "") == "124645632")
    changed_answer = {**answer, **change}
    assert is_wrong is states_wrong_reason(entry, changed_answer)
    assert bool(change) is not is_right(entry, changed_answer)


def test_the_lists_have_many_numbers_and_none_twice() -> None:
    """Only numbers under the heading "nothing" require no words in the answer."""
    assert len(TEACHERS_NUMBERS) >= 150
    assert len(READERS_NUMBERS) >= 420
    texts = [entry.text for entry in TEACHERS_NUMBERS + READERS_NUMBERS]
    assert len(texts) == len(set(texts))
    assert {"nothing"} == {entry.kind for entry in TEACHERS_NUMBERS + READERS_NUMBERS if not entry.required_words}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("You would get this for BERT Base, cased, if you left out the Pooler.", True),
        ("You would get this for BERT base, uncased, if you left out the pooler.", False),
        ("You would get this for DistilBERT base, cased, if you left out the pooler.", False),
        ("This is bert-base with cased words.", False),
    ],
)
def test_each_required_word_must_begin_a_word_of_the_answer(answer: str, expected: bool) -> None:
    """Capital letters make no difference."""
    assert ExpectedAnswer("1", "An example.", (BASE, "cased", "pooler"), "one slip").is_satisfied_by(answer) == expected
