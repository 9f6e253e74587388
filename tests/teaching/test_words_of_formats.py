"""The page about question banks says of each format what its files hold.

`test_banks.py` compares the files with `BY_FORMAT`, and this module compares the page with it.
"""

import re
from collections.abc import Callable, Iterator

import pytest

from macros.teaching.banks.formats import FORMATS
from tests.docs.building import ROOT
from tests.teaching.judging import BY_FORMAT, Capacity

PAGE = (ROOT / "docs/teach/question-banks.md").read_text(encoding="utf-8")

ITEM = re.compile(r"^(.+)\n: +(.+)$", re.MULTILINE)
"""An item of the list on the page: the title of a format, and what its files hold."""

NEGATION = re.compile(r"\b(?:without|not|no|cannot|but the)\b")

IN_EVERYTHING: dict[str, Callable[[Capacity], bool]] = {
    "hints": lambda capacity: capacity.has_hints,
    "worked sum|solution": lambda capacity: not capacity.is_bare,
    "feedback": lambda capacity: not capacity.is_bare,
}
"""Patterns for the parts of a question, each with a function that tells whether a format has room for the part."""

WORDS = {**IN_EVERYTHING, "commas": lambda capacity: capacity.accepts_commas}


def is_said(words: str, item: str) -> bool:
    """Whether an item says that a format holds something. A clause with a negation says that it does not."""
    clauses = [clause for clause in re.split(r"[.;,]", item) if re.search(words, clause, re.IGNORECASE)]
    if clauses:
        return not any(map(NEGATION.search, clauses))
    return words in IN_EVERYTHING and item.startswith("Everything")


def false_words(page: str) -> Iterator[str]:
    """The words of which an item says the opposite of what is true of the format, or of its two kinds of quizzes."""
    items = dict(ITEM.findall(page))
    for name, format_ in FORMATS.items():
        capacities = [capacity for key, capacity in BY_FORMAT.items() if key.removesuffix("-choices") == name]
        for words, is_held in WORDS.items():
            if is_said(words, items[format_.title]) != any(map(is_held, capacities)):
                yield f"{name}: {words}"


def test_the_page_says_what_each_format_holds() -> None:
    """An item says which parts of a question a format has, and whether numbers may be typed with commas."""
    assert [] == [*false_words(PAGE)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("commas are accepted", "no commas are accepted"),
        ("both without hints", "both with hints"),
        ("Hints and the worked sum are included", "The worked sum is included"),
        ("Everything but the hints", "Everything"),
        ("Questions, correct answers and options", "Questions, correct answers, options and feedback"),
    ],
)
def test_a_wrong_item_is_noticed(old: str, new: str) -> None:
    """An item that promises too much or too little is noticed."""
    assert old in PAGE
    assert [*false_words(PAGE.replace(old, new))]
