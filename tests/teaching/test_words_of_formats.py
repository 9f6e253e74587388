"""The page about question banks says correctly what the files of each format contain.

`test_banks.py` compares the files with `BY_FORMAT`, and this module compares `BY_FORMAT` with the page.
"""

import re
from collections.abc import Callable, Iterator

import pytest

from macros.teaching.banks.formats import FORMATS
from tests.docs.building import ROOT
from tests.teaching.judging import BY_FORMAT, Capacity

PAGE = (ROOT / "docs/teach/question-banks.md").read_text(encoding="utf-8")

ITEM = re.compile(r"^(.+)\n: +(.+)$", re.MULTILINE)
"""An item of the list on the page: the title of a format, and what its files contain."""

NEGATION = re.compile(r"\b(?:without|not|no|neither|cannot|but the)\b")

IN_EVERYTHING: dict[str, Callable[[Capacity], bool]] = {
    "hints": lambda capacity: capacity.has_hints,
    "worked sum|solution": lambda capacity: not capacity.is_bare,
    "feedback": lambda capacity: not capacity.is_bare,
}
"""Patterns for the parts of a question, each with a function that returns whether a format has room for the part.

An item that begins with "Everything" promises all of these parts.
"""

PROMISES = {**IN_EVERYTHING, "commas": lambda capacity: capacity.accepts_commas}
"""Patterns for everything that an item may promise, each with a function that returns whether a format has it."""


def is_promised(words: str, item: str) -> bool:
    """Return whether an item says that a format has something. A clause with a negation says the opposite."""
    clauses = [clause for clause in re.split(r"[.;,]", item) if re.search(words, clause, re.IGNORECASE)]
    if clauses:
        return not any(map(NEGATION.search, clauses))
    return words in IN_EVERYTHING and item.startswith("Everything")


def false_promises(page: str) -> Iterator[str]:
    """Yield a line for each thing that an item wrongly promises or omits.

    A format with two kinds of quizzes has what either of them has.
    """
    items = dict(ITEM.findall(page))
    for name, format_ in FORMATS.items():
        capacities = [capacity for key, capacity in BY_FORMAT.items() if key.removesuffix("-choices") == name]
        for words, has_room in PROMISES.items():
            if is_promised(words, items[format_.title]) != any(map(has_room, capacities)):
                yield f"{name}: {words}"


def test_the_page_says_what_each_format_contains() -> None:
    assert [] == [*false_promises(PAGE)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("commas are accepted", "no commas are accepted"),
        ("neither has hints", "both have hints"),
        ("Hints and the worked sum are included", "The worked sum is included"),
        ("Everything but the hints", "Everything"),
        ("Questions, correct answers and options", "Questions, correct answers, options and feedback"),
    ],
)
def test_an_item_that_promises_too_much_or_too_little_is_noticed(old: str, new: str) -> None:
    assert old in PAGE
    assert [*false_promises(PAGE.replace(old, new))]
