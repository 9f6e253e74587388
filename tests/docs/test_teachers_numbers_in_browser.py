"""What the page answers to the list of numbers with a teacher's reasons, and to numbers that have none."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import called
from tests.docs.teachers_numbers import KNOWN, Known

LEAST_RIGHT = 0.95
"""The share of first answers that must give the teacher's reason."""

MOST_WRONG = 0.01
"""The share that may state another reason as a fact."""

MOST_BY_CHANCE = 0.02
"""Of multiples of the hidden size that nobody has counted, the share that may get more than a possible reason."""

Answered = dict[str, Any]

ANSWER = """texts => texts.map((text) => {
  const place = document.createElement("div")
  place.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
  const [first] = bertCounted.explain(text) ?? []
  const says = place.querySelector(".bc-answer").textContent
  // Where many parts have the number, they are listed below the sentence.
  const listed = says.endsWith(":") ? place.querySelector("ul").textContent : ""
  return { says: `${says} ${listed}`, kind: first?.kind ?? "none", confidence: first?.confidence ?? "possible" }
})"""


@pytest.fixture(scope="module")
def answered(page: Page) -> list[tuple[Known, Answered]]:
    """The first answer to each number of the list."""
    return list(zip(KNOWN, called(page, ANSWER, [known.typed for known in KNOWN]), strict=True))


def is_open(answer: Answered) -> bool:
    """Whether an answer states no reason as a fact."""
    return answer["kind"] in ("near", "none") or answer["confidence"] == "possible"


def is_right(known: Known, answer: Answered) -> bool:
    """Whether it gives the teacher's reason; where there is none, whether it leaves the question open."""
    return known.is_said(answer["says"]) if known.says else is_open(answer)


def is_wrong_as_fact(known: Known, answer: Answered) -> bool:
    """Whether it states another reason as a fact."""
    return not is_right(known, answer) and not is_open(answer)


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
