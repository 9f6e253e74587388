"""Each example in the table of kinds of addresses is of the kind that its row names."""

import re
from collections.abc import Callable, Mapping

from macros.counting import load_models, load_relatives
from macros.counting.deviations import load_deviations
from macros.rendering.figures.levels import LEVELS
from tests.rendering.test_every_page import expanded_pages


def anchor(address: str) -> str:
    """The part of an address after #; empty if there is none."""
    return address.partition("#")[2]


def has_query_names(address: str, *names: str) -> bool:
    """Return whether the query of an address has exactly these names."""
    return [*names] == re.findall(r"[?&](\w+)=", address)


CHECKS: Mapping[str, Callable[[str], object]] = {
    "a page": lambda address: re.fullmatch(r"[\w/-]+\.html", address),
    "a place on a page": anchor,
    "a mistake or convention": lambda address: anchor(address) in load_deviations(),
    "a published model": lambda address: anchor(address) in {**load_models(), **load_relatives()},
    "a level of the map": lambda address: (
        address.startswith("map.html#") and anchor(address).partition("/")[2] in {level.path for level in LEVELS}
    ),
    "a number explained": lambda address: has_query_names(address, "n"),
    "a number explained for one model": lambda address: has_query_names(address, "n", "model"),
    "a configuration in the calculator": lambda address: address.startswith("try/calculator.html?"),
    "an exercise": lambda address: has_query_names(address, "set", "seed"),
    "a page for a frame": lambda address: address.startswith("embed/"),
    "a data file": lambda address: re.fullmatch(r"data/.*\.(?:csv|json)", address),
    "a figure as a file": lambda address: re.fullmatch(r"figures/.*\.(?:svg|png)", address),
}
"""Checks of addresses, by kind. Kinds without an entry here are not checked."""


def kinds_with_wrong_example(examples: Mapping[str, str]) -> list[str]:
    """The kinds whose example is of a different kind."""
    return [kind for kind, address in examples.items() if kind in CHECKS and not CHECKS[kind](address)]


def examples() -> dict[str, str]:
    """The example of each kind on the page."""
    rows = expanded_pages()["teach/linking.md"].parsed.select("#kinds-of-addresses tbody tr")
    links = {str(next(row.stripped_strings)): row.select_one("a") for row in rows}
    return {kind: str(link["href"]).removeprefix("site-root:") for kind, link in links.items() if link}


def test_examples_are_of_their_kind() -> None:
    assert {*CHECKS} <= {*examples()}
    assert [] == kinds_with_wrong_example(examples())


def test_an_example_of_another_kind_is_noticed() -> None:
    """Each check accepts at most three examples of other kinds."""
    for kind in CHECKS:
        other_examples = {other: address for other, address in examples().items() if other != kind and other in CHECKS}
        kinds_that_fit = [
            other for other, address in other_examples.items() if not kinds_with_wrong_example({kind: address})
        ]
        assert len(kinds_that_fit) < 4, (kind, kinds_that_fit)
    assert kinds_with_wrong_example({"a published model": "totals/checkpoints.html#vocabulary"})
