"""What the page answers to the list of numbers with a teacher's reasons, and to numbers that have none."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page

from tests.docs.first_answers import ANSWER, Answered, answers_to, is_open, is_right, is_wrong_as_fact
from tests.docs.readers_score import failures, score
from tests.docs.scripts import called
from tests.docs.teachers_numbers import KNOWN, READERS, Known

LEAST_RIGHT = 0.95
"""The share of first answers that must give the teacher's reason."""

MOST_WRONG = 0.01
"""The share that may state another reason as a fact."""

MOST_BY_CHANCE = 0.02
"""Of multiples of the hidden size that nobody has counted, the share that may get more than a possible reason."""


@pytest.fixture(scope="module")
def answered(page: Page) -> list[tuple[Known, Answered]]:
    """The first answer to each number of the list."""
    return answers_to(page, KNOWN)


def test_first_answers_are_right(answered: list[tuple[Known, Answered]]) -> None:
    """The floor for right ones, and the ceiling for wrong ones that are stated as facts."""
    right = sum(is_right(*each) for each in answered)
    wrong = [known.typed for known, answer in answered if is_wrong_as_fact(known, answer)]
    assert right >= LEAST_RIGHT * len(KNOWN), [known.typed for known, answer in answered if not is_right(known, answer)]
    assert len(wrong) <= MOST_WRONG * len(KNOWN), wrong


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


def test_chance_is_not_stated_as_fact(page: Page) -> None:
    """Multiples of the hidden size of base from 80 to 120 million, drawn at random: few get more than `possible`."""
    chance = random.Random(7)  # noqa: S311 - drawing samples is no cryptography
    numbers = [768 * chance.randrange(80_000_000 // 768, 120_000_000 // 768) for _ in range(1500)]
    said = called(page, ANSWER, list(map(str, numbers)))
    stated = [(number, each["says"]) for number, each in zip(numbers, said, strict=True) if not is_open(each)]
    assert len(stated) <= MOST_BY_CHANCE * len(numbers), stated


def test_readers_get_an_answer_and_a_score(page: Page) -> None:
    """Each text that readers type is answered in words; the score counts all, and says what is wrong."""
    answered = answers_to(page, READERS)
    assert [known.typed for known, answer in answered if not answer["all"].strip()] == []
    *_, last = score(answered)
    of_all, right = map(int, last.split()[1:3])
    assert of_all == len(READERS)
    assert right + len(list(failures(answered))) == of_all
