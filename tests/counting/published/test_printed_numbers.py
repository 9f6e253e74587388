"""Numbers in common notations are read as the range that they may mean, and other texts are refused."""

import tomllib
from pathlib import Path

import pytest

from macros.counting import BadNumber
from macros.counting.published.printed_numbers import read_printed

EXAMPLES = tomllib.loads(Path(__file__).with_name("printed_numbers.toml").read_text(encoding="utf-8"))

UNREADABLE_TEXTS = [
    "",
    "abc",
    "-5",
    "1.5",
    "5 apples",
    "1e8",
    "1,234.5",
    "9" * 121,
    "²",
    "0.335",
    "1 2",
    "1 kB more",
    "2.5 bytes",
]


@pytest.mark.parametrize("text", EXAMPLES["read"])
def test_common_notations_are_read(text: str) -> None:
    assert EXAMPLES["read"][text] == [*read_printed(text).bounds()]


@pytest.mark.parametrize("text", UNREADABLE_TEXTS)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(BadNumber, match="write one such as"):
        read_printed(text)


def test_mb_may_mean_mib() -> None:
    """If MB means MiB, 72.1 MB is 72.1 times 2 to the 20th, rounded to a tenth of a MiB."""
    assert (75_549_901, 75_654_758) == read_printed("72.1 MB").bounds(2**20)


def test_units_of_memory_are_distinguished_from_units_of_counts() -> None:
    """Whole bytes are exact, and kilobytes are not."""
    assert read_printed("438 MB").is_of_memory
    assert not read_printed("438 M").is_of_memory
    assert read_printed("5 bytes").is_exact
    assert not read_printed("5 kb").is_exact


@pytest.mark.parametrize("unit", EXAMPLES["units"])
def test_a_unit_has_its_size(unit: str) -> None:
    """A printed 7 means 6.5 to 7.5 of its unit."""
    size = EXAMPLES["units"][unit]
    assert (7 * size - size // 2, 7 * size + size // 2 - 1) == read_printed(f"7 {unit}").bounds()


def test_a_number_of_120_digits_is_read() -> None:
    """The longest number that is read is far beyond the size of any model."""
    assert 10**120 - 1 == read_printed("9" * 120).digits
