"""What a message shows of what was given, and what it suggests instead."""

import re

import pytest

from macros.counting import CountingError, errors
from macros.counting.errors import shown, suggestion


def test_a_long_value_is_cut() -> None:
    """Sixty characters, the quotes included, are shown whole; of more, the first and three dots."""
    assert '"' + "x" * 58 + '"' == shown("x" * 58)
    assert '"' + "x" * 56 + "..." == shown("x" * 59)
    assert '"x...' == shown("xyzxyz", 5)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("é", '"é"'),
        ("\ud800", r'"\ud800"'),
        ("a\x85b\u2028c", r'"a\u0085b\u2028c"'),
        ([1, None], "[1, null]"),
        ([10**5000], "a value of type list"),
        ({1, 2}, "a value of type set"),
    ],
)
def test_a_value_is_shown_on_one_line(value: object, text: str) -> None:
    """As JSON, escaped where a character cannot be printed; by its type where JSON has no such value."""
    assert text == shown(value)


def test_the_first_known_names_are_told() -> None:
    """Where none is near: twelve, and how many more there are; else one name, the nearest of those that are near."""
    assert "known: a, b" == suggestion("xyz", ["a", "b"])
    twelve = [f"name{number}" for number in range(12)]
    assert f"known: {', '.join(twelve)}" == suggestion("xyz", twelve)
    assert f"known: {', '.join(twelve)} and 13 more" == suggestion("xyz", twelve + ["b"] * 13)
    assert 'did you mean "float32"?' == suggestion("float3", ["float16", "float32", "int8"])


def test_the_tree_shows_every_error() -> None:
    """The tree at the top of the file is the tree there is; another layer may have errors of its own below it."""
    shown_there = re.findall(r"\+-- (\w+)", errors.__doc__ or "")
    assert shown_there == [
        each.__name__ for each in CountingError.__subclasses__() if each.__module__.startswith("macros.counting")
    ]
