"""An explanation is not stated as a fact if it may fit a number by chance."""

import random
from typing import Any

import pytest

from tests.samples import sample_size
from tests.scripts.running import Scripts

MAX_SHARE_BY_CHANCE = 0.02
"""The highest share of random multiples of the hidden size whose first answer may be stated as a fact."""

MAX_SHARE_OF_ROUNDED_NUMBERS = 0.05
"""The highest share of rounded numbers with answers that state anything but a right total as a fact."""


def is_open(answer: dict[str, Any] | None) -> bool:
    """Return whether nothing is stated as a fact: no explanation, a near number, or one that is only possible."""
    return answer is None or answer["kind"] == "near" or answer["confidence"] == "possible"


def test_chance_is_not_stated_as_fact(scripts: Scripts) -> None:
    """Multiples of the hidden size are the hardest numbers, because nearly every count of a part is one."""
    chance = random.Random(7)  # noqa: S311 - drawing samples is not cryptography
    numbers = [768 * chance.randrange(80_000_000 // 768, 120_000_000 // 768) for _ in range(sample_size(1500, part=6))]
    answers = scripts.call("firstAnswers", list(map(str, numbers)))
    stated_answers = [(number, answer) for number, answer in zip(numbers, answers, strict=True) if not is_open(answer)]
    assert len(stated_answers) <= MAX_SHARE_BY_CHANCE * len(numbers), stated_answers


# --- Rounded numbers ---------------------------------------------------------------

CHANCE = random.Random(11)  # noqa: S311 - drawing samples is not cryptography
ROUNDED_NUMBERS = {
    "whole millions": [f"{number}M" for number in range(10, 100)],
    "tenths of millions": [f"{number / 10}M" for number in CHANCE.sample(range(100, 1200), 150)],
    "megabytes": [f"{number} MB" for number in CHANCE.sample(range(20, 1501), 150)],
    "gigabytes": [f"{number / 100:.2f} GB" for number in CHANCE.sample(range(100, 601), 100)],
    "per cent": [*(f"{number}%" for number in range(1, 100)), *(f"{number / 10}%" for number in range(1, 1000, 7))],
}
"""Rounded numbers by kind."""


@pytest.mark.parametrize("kind", [*ROUNDED_NUMBERS])
def test_rounded_numbers_are_weak_evidence(scripts: Scripts, kind: str) -> None:
    texts = ROUNDED_NUMBERS[kind]
    answers = zip(texts, scripts.call("firstAnswers", texts), strict=True)
    stated_answers = [(text, answer) for text, answer in answers if not is_open(answer) and not answer["isRight"]]
    assert len(stated_answers) <= MAX_SHARE_OF_ROUNDED_NUMBERS * len(texts), stated_answers
