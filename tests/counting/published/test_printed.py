"""Numbers as people print them."""

import tomllib
from pathlib import Path

import pytest

from macros.counting import BadNumber
from macros.counting.published.printed import read_printed

EXAMPLES = tomllib.loads(Path(__file__).with_name("printed.toml").read_text(encoding="utf-8"))

NOT_NUMBERS = ["", "abc", "-5", "1.5", "5 apples", "1e8", "1,234.5", "9" * 121, "²", "0.335", "1 2", "1 kB more"]


@pytest.mark.parametrize("text", EXAMPLES["read"])
def test_common_notations_are_read(text: str) -> None:
    """A number is read with any separators, units and words."""
    assert EXAMPLES["read"][text] == [*read_printed(text).bounds()]


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_other_texts_are_refused(text: str) -> None:
    """Any other text is refused, and the message repeats it and says what to write."""
    with pytest.raises(BadNumber, match="write one such as"):
        read_printed(text)


def test_mb_may_mean_mib() -> None:
    """72.1 MB is then 72.1 times 2 to the 20th, rounded to a tenth of a MiB."""
    assert (75_549_901, 75_654_758) == read_printed("72.1 MB").bounds(2**20)


def test_units_of_memory_and_of_counts() -> None:
    """MB is memory, M is a count."""
    assert read_printed("438 MB").is_of_memory
    assert not read_printed("438 M").is_of_memory
    assert read_printed("5 bytes").is_exact
    assert not read_printed("5 kb").is_exact


@pytest.mark.parametrize("unit", EXAMPLES["units"])
def test_a_unit_has_its_size(unit: str) -> None:
    """Seven of a unit mean six and a half to seven and a half."""
    size = EXAMPLES["units"][unit]
    assert (7 * size - size // 2, 7 * size + size // 2 - 1) == read_printed(f"7 {unit}").bounds()


def test_the_longest_number_that_is_read() -> None:
    """A number of 120 digits is read, although no model is so large, so that an answer can say so."""
    assert 10**120 - 1 == read_printed("9" * 120).digits
