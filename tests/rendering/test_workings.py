"""Readers can redo every working: each number that it uses is a size, a small count, or a result that is explained.

A working is the explanation of a number, or a sum on a page. A number that one of its lines uses needs no further
explanation if it

- has at most three digits, as counts, ranks and lengths do;
- is a size of the model, or occurs in the formula of the working;
- is the total of the model and class that the explanation names;
- is stated by a line that consists of a label and the number;
- counts things, such as blocks of weights, that the line above names: "4 bytes for each block"; or
- is the result of another line of the working.

Any other number must be on the page with a working of its own, in which each number is explained in turn. In a bridge,
it may also be the result of the step before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pytest
from bs4 import BeautifulSoup

from tests.docs.test_numbers import engine_question, with_commas
from tests.docs.test_sums_on_pages import FORMULA, sizes_of
from tests.rendering.test_every_page import expanded_pages

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")

MAX_DIGITS = 3
"""The largest number of digits of a number that is taken for a count, a rank, a length or a percentage."""

SIGN = re.compile(r" [=≈] ")
"""The sign between the sides of an equation."""

NAMED_ITEMS = re.compile(r"\d bytes? for each ")
"""The beginning of a line that names the things whose numbers the next line multiplies."""

STATEMENT = re.compile(r"(?:.+: )?(\d[\d,]*)(?: bytes)?")
"""A line that only states a number, which is its group."""

RECORDED_KINDS = re.compile("all-|claims")
"""The beginnings of the kinds of numbers that add up what was recorded or printed; a line names each addend."""

STEPS_OF_BRIDGES = ("step", "printed-step")
"""The kinds of numbers that are steps of a bridge."""


class Working(NamedTuple):
    """A working on a page.

    Attributes:
        text: the working.
        unexplained: the numbers that it uses without explaining them.
        explained: the numbers on the page that it explains.
    """

    text: str
    unexplained: frozenset[str]
    explained: frozenset[str]


def numbers_in(text: str) -> set[str]:
    """The numbers in a text, without signs."""
    return set(NUMBER.findall(text))


def needs_explanation(number: str) -> bool:
    """Return whether a number has too many digits for a count that needs no explanation."""
    return len(number.partition(".")[0].replace(",", "")) > MAX_DIGITS


def used_and_given(lines: Iterable[str]) -> tuple[set[str], set[str]]:
    """The numbers that the lines of a working use, and those that they state, name or give as results."""
    used, given = set[str](), set[str]()
    items_are_named = False
    for line in lines:
        first_side, *other_sides = SIGN.split(line)
        if statement := STATEMENT.fullmatch(line):
            given.add(statement[1])
        elif FORMULA.fullmatch(first_side):
            given |= numbers_in(line)
        elif other_sides:
            (given if items_are_named else used).update(numbers_in(first_side))
            given |= numbers_in(" ".join(other_sides))
        items_are_named = bool(NAMED_ITEMS.match(line))
    return used, given


def given_by_question(attributes: Mapping[str, str]) -> set[str]:
    """The sizes of the model that a number or a sum is about, and the total of the model and class that it names."""
    given = {with_commas(size) for size in sizes_of(dict(attributes)).values()}
    # Numbers that belong to no class have an empty one, and those of KerasHub name its own classes.
    has_class = "data-model" in attributes and attributes.get("data-class", "BertModel")
    if has_class and attributes.get("data-kind") != "keras-hub":
        keys = ("data-model", "data-class", "data-pooler", "data-tied")
        given.add(with_commas(engine_question({key: attributes[key] for key in keys if key in attributes}).number))
    return given


def workings(page: BeautifulSoup) -> Iterator[Working]:
    """Yield the workings on a page: the explanations of its numbers, and its sums."""
    for number in page.select("data[data-how]"):
        attributes = {key: str(value) for key, value in number.attrs.items()}
        kind = attributes.get("data-kind", "")
        lines = attributes["data-how"].splitlines()
        if not RECORDED_KINDS.match(kind):
            explained = used_and_given(lines)[1] if kind in STEPS_OF_BRIDGES else numbers_in(number.get_text())
            yield _working(lines, given_by_question(attributes), explained)
    for steps in page.select(".bc-steps"):
        attributes = {key.replace("-asked", ""): str(value) for key, value in steps.attrs.items()}
        lines = [line.get_text() for line in steps.select(".bc-line-of-sum")]
        yield _working(lines, given_by_question(attributes), used_and_given(lines)[1])


def _working(lines: list[str], given_by_attributes: set[str], explained: set[str]) -> Working:
    """The working with these lines."""
    used, given = used_and_given(lines)
    unexplained = {number for number in used - given - given_by_attributes if needs_explanation(number)}
    return Working("\n".join(lines), frozenset(unexplained), frozenset(explained))


def numbers_from_nowhere(page: BeautifulSoup) -> dict[str, set[str]]:
    """The workings on a page that readers cannot redo, each with the numbers that nothing explains."""
    # Sizes and examples are on the page without a working, or with one that has nothing to redo.
    known = {
        number
        for element in page.select("data:is([data-kind=size], [data-kind=given], [data-kind=other])")
        for number in numbers_in(element.get_text())
    }
    remaining_workings = set(workings(page))
    while new_workings := {working for working in remaining_workings if working.unexplained <= known}:
        remaining_workings -= new_workings
        known |= {number for working in new_workings for number in working.explained}
    return {working.text: set(working.unexplained - known) for working in remaining_workings}


def test_every_working_can_be_redone() -> None:
    problems = {name: numbers_from_nowhere(page.parsed) for name, page in expanded_pages().items()}
    assert {} == {name: faults for name, faults in problems.items() if faults}


def page_of(*workings_of_numbers: str) -> BeautifulSoup:
    """A page of numbers of BERT base with these workings."""
    numbers = (
        f'<data data-model="bert-base-uncased" data-how="{working}">{working.rpartition(" = ")[2]}</data>'
        for working in workings_of_numbers
    )
    return BeautifulSoup("".join(numbers), "html.parser")


@pytest.mark.parametrize(
    ("working", "expected"),
    [
        ("23,837,184 + 12 × 7,087,872 + 622,650 = 109,514,298", {"23,837,184", "7,087,872", "622,650"}),
        ("768·30,522 + 30,522 = 23,471,418\n109,482,240 + 23,471,418 = 132,953,658", set()),
        ("(30,000 − 30,522)·H\n(30,000 − 30,522)·768 = −400,896", set()),
        ("the names of the tensors: 8,101\n8 + 8,101 = 8,109", set()),
        ("4 bytes for each row of a matrix\n83,714 × 4 = 334,856 bytes", set()),
        ("83,714 × 4 = 334,856 bytes", {"83,714"}),
    ],
)
def test_a_number_from_nowhere_is_found(working: str, expected: set[str]) -> None:
    assert ({working: expected} if expected else {}) == numbers_from_nowhere(page_of(working))


def test_the_numbers_of_a_page_explain_each_other_unless_they_go_in_circles() -> None:
    wrong, difference = "109,482,240 − 19,584 = 109,462,656", "109,462,656 − 109,482,240 = −19,584"
    assert {wrong: {"19,584"}, difference: {"109,462,656"}} == numbers_from_nowhere(page_of(wrong, difference))
    assert {} == numbers_from_nowhere(page_of(wrong, difference, "12·(2·48 + 2·768) = 19,584"))
