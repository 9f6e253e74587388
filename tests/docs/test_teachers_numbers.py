"""The lists of numbers with a teacher's reasons are well formed, before any answer is held against them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction

import pytest

from tests.docs.arithmetic import POWER, value
from tests.docs.teachers_numbers import BASE, KNOWN, READERS, Known

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

READERS_KINDS = {
    "rounded total",
    "memory",
    "share",
    "bare size",
    "one slip",
    "two slips",
    "hand sum",
    "part",
    "change",
    "pair",
    "typing slip",
    "no way",
    "unreadable",
}

# A number as it begins in a text, however it is grouped, and a sum with no other letters than those of units.
FIRST = re.compile(r"\d[\d., ']*")
SUM = re.compile(rf"(?:[\d.,()+*/× −-]|{POWER})+")

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


def digits_agree(typed: str, exact: Fraction) -> bool:
    """Whether the first number of a text has the digits of another that is rounded or cut, wherever its point is."""
    first = FIRST.search(unicodedata.normalize("NFKC", typed))
    digits = re.sub(r"\D", "", first[0]).lstrip("0") if first else ""
    places = range(len(digits.rstrip("0")), len(digits) + 1)
    leading = f"{int(exact * 10**30)}"
    return any(
        digits[:size] in (leading[:size], str(round(int(leading) / 10 ** (len(leading) - size))))
        for size in places
        if size
    )


def typed_sum(typed: str) -> Fraction | None:
    """The value of a text that is a sum or a product, or nothing.

    >>> typed_sum("12*768^2"), typed_sum("3 x 1.5M"), typed_sum("12 layers")
    (Fraction(7077888, 1), Fraction(4500000, 1), None)
    """
    plain = re.sub(r"(?<=\d)M", "*10**6", typed).replace("^", "**").replace("x", "×")
    return value(plain) if SUM.fullmatch(plain) else None


def wrong_workings(listed: Iterable[Known]) -> list[str]:
    """Texts whose number is not what their arithmetic gives."""
    return [
        known.typed
        for known in listed
        if known.kind != "unreadable"
        and not digits_agree(known.typed, value(known.working))
        and typed_sum(known.typed) != value(known.working)
    ]


def test_every_kind_has_numbers() -> None:
    """At least 150, none of the kinds empty or misspelt, and only those without a reason ask for no words."""
    assert len(KNOWN) >= 150
    assert {known.kind for known in KNOWN} == KINDS
    assert {known.kind for known in KNOWN if not known.says} == {"nothing"}
    assert all(known.says == () for known in KNOWN if known.kind == "nothing")


def test_every_kind_of_readers_has_numbers() -> None:
    """At least 420, none of the kinds empty or misspelt, and each must say something."""
    assert len(READERS) >= 420
    assert {known.kind for known in READERS} == READERS_KINDS
    assert all(known.says for known in READERS)


def test_the_arithmetic_of_readers_gives_what_they_type() -> None:
    """To the last digit that is typed; one that is off is found."""
    assert wrong_workings(READERS) == []
    right = READERS[0]._replace(typed="23.5M", working="30,522 × 770")
    assert wrong_workings([right]) == []
    assert wrong_workings([right._replace(typed="23.6M"), right._replace(typed="23.45M")]) == ["23.6M", "23.45M"]


def test_no_text_stands_twice() -> None:
    """Each text is listed once; a list that repeats one fails."""
    assert repeated(KNOWN + READERS) == []
    assert repeated([KNOWN[0], KNOWN[1], KNOWN[0]]) == [KNOWN[0].typed]


def test_no_number_has_two_reasons() -> None:
    """Another way of writing a number has the same reason; a list that gives it another fails."""
    assert contradicted(KNOWN) == []
    assert contradicted(READERS) == []
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
