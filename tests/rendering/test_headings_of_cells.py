"""In the Markdown of each table, a heading that names a field, such as `board`, is above the cells that show it."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.docs.building import ROOT

PAGES = {str(path.relative_to(ROOT / "docs")): path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md")}

TABLE = re.compile(r"^\|(?P<headings>.+)\|\n\|[-:| ]+\|\n(?P<rows>(?:.+\n)+)", re.MULTILINE)
CELL = re.compile(r"(?:\{\{.*?\}\}|\{%.*?%\}|\[[^]]*\]\([^)]*\)|[^|{]|\{)+")
"""A cell of a row, in which calls may contain a bar."""


def cells(row: str) -> list[str]:
    """The cells of a row of a table."""
    return CELL.findall(row.strip().strip("|"))


def words(text: str) -> set[str]:
    """The words in a text, in lower case."""
    return set(re.findall(r"[a-z]{2,}", text.lower()))


def fields(cell: str) -> set[str]:
    """The fields and macros that a cell shows: `board` in `lesson.text(step.board)`, `answer` in `lesson.answer()`."""
    return set(re.findall(r"\b[a-z_]+\.([a-z]+)\b", " ".join(re.findall(r"\{[{%].*?[%}]\}", cell))))


def swapped_headings(page: str) -> Iterator[tuple[str, str]]:
    """Pairs of headings that would name more of the fields below them if they were swapped.

    A macro that fills several columns says nothing about any of them.
    """
    for table in TABLE.finditer(page):
        headings = cells(table["headings"])
        rows = [cells(row) for row in table["rows"].splitlines() if row.startswith("|")]
        columns = [
            (heading.strip(), set().union(*(fields(row[index]) for row in rows if len(row) == len(headings))))
            for index, heading in enumerate(headings)
        ]
        counts = Counter(field for _, below in columns for field in below)
        own_fields = {field for field, count in counts.items() if count == 1}
        for (first, below_first), (second, below_second) in combinations(
            [(heading, below & own_fields) for heading, below in columns], 2
        ):
            count_in_place = len(words(first) & below_first) + len(words(second) & below_second)
            count_if_swapped = len(words(first) & below_second) + len(words(second) & below_first)
            if count_if_swapped > count_in_place:
                yield first, second


@pytest.mark.parametrize("page", PAGES)
def test_headings_are_above_the_fields_that_they_name(page: str) -> None:
    assert [] == list(swapped_headings(PAGES[page]))


@pytest.mark.parametrize(
    ("page", "first", "second"),
    [("teach/plan.md", "what students do", "on the board"), ("teach/lesson.md", "answer", "solution")],
)
def test_swapped_headings_are_found(page: str, first: str, second: str) -> None:
    headings = f"{first} | {second}"
    assert headings in PAGES[page], "write the current headings of the page into `headings`"
    assert [(second, first)] == list(swapped_headings(PAGES[page].replace(headings, f"{second} | {first}")))
