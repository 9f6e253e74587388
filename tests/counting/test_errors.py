"""Messages quote values on one line, cut if they are long, and suggest the most similar names."""

import re

import pytest

from macros.counting import CountingError, errors
from macros.counting.errors import label, quote, suggestion


def test_a_value_of_more_than_sixty_characters_is_cut() -> None:
    """The quotation marks count towards the length."""
    assert '"' + "x" * 58 + '"' == quote("x" * 58)
    assert '"' + "x" * 56 + "..." == quote("x" * 59)
    assert "xy..." == label("xyzxyz", 5)


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
def test_a_value_is_quoted_on_one_line(value: object, text: str) -> None:
    assert text == quote(value)


def test_the_most_similar_name_or_the_first_twelve_names_are_suggested() -> None:
    assert "known: a, b" == suggestion("xyz", ["a", "b"])
    twelve_names = [f"name{number}" for number in range(12)]
    assert f"known: {', '.join(twelve_names)}" == suggestion("xyz", twelve_names)
    assert f"known: {', '.join(twelve_names)} and 13 more" == suggestion("xyz", twelve_names + ["b"] * 13)
    assert 'did you mean "float32"?' == suggestion("float3", ["float16", "float32", "int8"])


def test_only_names_of_similar_length_are_suggested() -> None:
    """Two names of 3 and 7 characters can have 60% in common, two of 3 and 8 characters cannot."""
    assert 'did you mean "abc"?' == suggestion("abcxxxx", ["abc"])
    assert "known: abc" == suggestion("abcxxxxx", ["abc"])


def test_the_tree_in_the_docstring_shows_every_error_of_the_engine() -> None:
    """Other packages may define further errors."""
    tree = re.findall(r"\+-- (\w+)", errors.__doc__ or "")
    assert tree == [
        error.__name__ for error in CountingError.__subclasses__() if error.__module__.startswith("macros.counting")
    ]
