"""The reader of print-outs reads random texts in about thirty layouts, some of them faulty or mangled.

The limits are what the reader achieves today; tighten them when it improves. `python -m
tests.scripts.pasted.judging 1 500` prints the rates per layout and the most frequent errors.
"""

from collections import Counter
from typing import Any

import pytest

from tests.samples import sample_size
from tests.scripts.layouts import cases, hostile_cases, other_models
from tests.scripts.pasted.judging import results_of
from tests.scripts.running import Scripts

MAX_FALSE_SHARE = 0.04
"""The highest share of print-outs about which something false may be stated as a fact."""

MIN_RIGHT_SHARE = 0.72
"""The lowest share of print-outs whose class, total and fault must all be named."""

MAX_MISTAKEN_SHARE = 0.03
"""The highest share of print-outs of other models that may be taken for one that we count."""

MAX_MILLISECONDS = 10_000
"""The longest time that the account of one text may take."""


@pytest.fixture(scope="module")
def verdicts(scripts: Scripts) -> Counter[str]:
    """The number of accounts of random print-outs with each verdict."""
    return Counter(judgement.verdict for _, _, judgement in results_of(scripts, cases(1, sample_size(1200, part=15))))


def test_few_answers_are_false(verdicts: Counter[str]) -> None:
    """An answer is false if it states something untrue as a fact."""
    assert verdicts["false"] <= MAX_FALSE_SHARE * verdicts.total(), verdicts


def test_most_answers_name_class_total_and_fault(verdicts: Counter[str]) -> None:
    """An answer is right if it names the class, the total and the fault."""
    assert verdicts["right"] >= MIN_RIGHT_SHARE * verdicts.total(), verdicts


def test_other_models_are_not_taken_for_ours(scripts: Scripts) -> None:
    sample = other_models(1, sample_size(400, part=8))
    answers: list[dict[str, Any] | None] = scripts.call("accounts", [case["text"] for case in sample])
    mistaken_cases = [
        (case["family"], case["layout"], case["mangling"], answer["headline"])
        for case, answer in zip(sample, answers, strict=True)
        if answer and answer["model"]
    ]
    assert len(mistaken_cases) <= MAX_MISTAKEN_SHARE * len(sample), mistaken_cases


def test_hostile_texts_throw_nothing(scripts: Scripts) -> None:
    sample = hostile_cases(1, sample_size(300, part=8))
    for start in range(0, len(sample), 10):
        part = sample[start : start + 10]
        results = scripts.call("accountsInTime", [case["text"] for case in part])
        for case, (_, error, milliseconds) in zip(part, results, strict=True):
            assert not error, (case["kind"], case["text"][:200], error)
            assert milliseconds < MAX_MILLISECONDS, (case["kind"], case["text"][:200], milliseconds)
    assert [] == [
        name for name in ("dtype", "shape", "weight", "a") if scripts.call("inheritedProperty", name) is not None
    ]


REPEATED_TEXTS = {
    "a name without an end": "a." * 50_000 + "...",
    "a line of words": "frozen " * 25_000,
    "lines of brackets": ")))  \n" * 30_000,
    "a deep tree": "\n".join(f"{'  ' * depth}m{depth} (Linear): {10**6 - depth}" for depth in range(900)),
}
"""Texts in which a pattern may search the same characters again from each of many places."""


@pytest.mark.parametrize("name", REPEATED_TEXTS)
def test_the_time_does_not_grow_with_the_square_of_the_text(scripts: Scripts, name: str) -> None:
    """With the square, each of these takes 3 seconds or more."""
    scripts.call("accountsInTime", ["109,482,240"])  # loads what the first text of any kind needs
    ((_, error, milliseconds),) = scripts.call("accountsInTime", [REPEATED_TEXTS[name]])
    assert not error
    assert milliseconds < 3_000


LONG_NUMBERS = [
    "encoder.layer.0.output.dense.weight torch.Size([{}, 768])",
    "encoder.layer.{}.output.dense.weight torch.Size([768, 768])",
    "Total params: {}",
]
"""Lines in which a number may be long."""

MAX_RATIO = 10
"""The limit on the growth of the time if a number becomes four times as long: above the 4 of a time that grows in
proportion, and below the 16 of one that grows with the square."""

SHORT_TIME = 100
"""The milliseconds that a long number may take in any case, because short times vary too much to be compared."""


@pytest.mark.parametrize("line", LONG_NUMBERS)
def test_the_time_for_a_long_number_grows_no_faster_than_its_length(scripts: Scripts, line: str) -> None:
    """Patterns that try each digit as the start of a number would take seconds, during which the page would freeze."""
    lines = [line.format("7" * length) for length in (5_000, 20_000)]
    times = [scripts.call("accountsInTime", lines) for _ in range(3)]
    short_time, long_time = (min(results[index][2] for results in times) for index in (0, 1))
    assert long_time < MAX_RATIO * short_time + SHORT_TIME
