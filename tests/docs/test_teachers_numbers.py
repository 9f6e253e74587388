"""The list of numbers with a teacher's reasons is well formed, before any answer is held against it."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest

from tests.docs.teachers_numbers import BASE, KNOWN, Known

KINDS = {
    "right total",
    "one slip",
    "two slips",
    "three or more slips",
    "size",
    "memory",
    "relative",
    "framework",
    "part",
    "difference",
    "typing slip",
    "form",
    "nothing",
}

# Digits in groups of three, or in one run, with an optional fraction of zeros.
PLAIN = re.compile(r"(\d{1,3}(?:[,. ]\d{3})+|\d+)(?:\.0+)?")


def plain(typed: str) -> str | None:
    """The digits of a text that is a plain whole number, however it is grouped."""
    found = PLAIN.fullmatch(unicodedata.normalize("NFKC", typed))
    return re.sub(r"\D", "", found[1]) if found else None


def repeated(listed: Iterable[Known]) -> list[str]:
    """Texts that stand in a list more than once."""
    return [typed for typed, times in Counter(known.typed for known in listed).items() if times > 1]


def contradicted(listed: Iterable[Known]) -> list[str]:
    """Numbers that a list gives two different reasons, in two ways of writing."""
    reasons: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for known in listed:
        digits = plain(known.typed)
        if digits:
            reasons[digits].add(known.says)
    return [digits for digits, said in reasons.items() if len(said) > 1]


def test_every_kind_has_numbers() -> None:
    """At least 150, none of the kinds empty or misspelt, and only those without a reason ask for no words."""
    assert len(KNOWN) >= 150
    assert {known.kind for known in KNOWN} == KINDS
    assert {known.kind for known in KNOWN if not known.says} == {"nothing"}
    assert all(known.says == () for known in KNOWN if known.kind == "nothing")


def test_no_text_stands_twice() -> None:
    """Each text is listed once; a list that repeats one fails."""
    assert repeated(KNOWN) == []
    assert repeated([KNOWN[0], KNOWN[1], KNOWN[0]]) == [KNOWN[0].typed]


def test_no_number_has_two_reasons() -> None:
    """Another way of writing a number has the same reason; a list that gives it another fails."""
    assert contradicted(KNOWN) == []
    other = Known("109482240.0", "This is DistilBERT.", ("DistilBERT",), "form")
    assert contradicted([Known("109,482,240", "This is BERT base.", (BASE,), "right total"), other]) == ["109482240"]


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


def test_a_number_in_an_answer_is_not_the_end_of_another() -> None:
    """384 positions are not said by a sum that holds 98,384."""
    known = Known("1", "An example.", ("384",), "size")
    assert known.is_said("BERT base with 384 positions")
    assert not known.is_said("98,384 and 1.384 and 7384")
