"""Numbers as people print them."""

import pytest

from macros.counting import BadNumber
from macros.counting.disagreements.printed import read_printed

# The intervals are arithmetic on the last digit: half a unit on either side.
READ = {
    "2,362,368": (2_362_368, 2_362_368),
    "2.362.368": (2_362_368, 2_362_368),
    "590.592": (590_592, 590_592),
    " 109 482 240 ": (109_482_240, 109_482_240),
    "75_641_856": (75_641_856, 75_641_856),
    "109'482'240": (109_482_240, 109_482_240),
    "109,482,240 parameters": (109_482_240, 109_482_240),
    "１０９，４８２，２４０": (109_482_240, 109_482_240),
    "１１０．５M": (110_450_000, 110_549_999),
    "0": (0, 0),
    "110M": (105_000_000, 114_999_999),
    "~110 million": (105_000_000, 114_999_999),
    "108.8M": (108_750_000, 108_849_999),
    "108,8 M": (108_750_000, 108_849_999),
    "109.48M params": (109_475_000, 109_484_999),
    "109.482M": (109_481_500, 109_482_499),
    "1,234.5 M": (1_234_450_000, 1_234_549_999),
    "1.234,5 M": (1_234_450_000, 1_234_549_999),
    "0.34B": (335_000_000, 344_999_999),
    "0,1095 B": (109_450_000, 109_549_999),
    "1.1亿": (105_000_000, 114_999_999),
    "10948万": (109_475_000, 109_484_999),
    "438 MB": (437_500_000, 438_499_999),
    "417.6 MiB": (437_832_909, 437_937_766),
    "437928960 bytes": (437_928_960, 437_928_960),
    "10,94,82,240": (109_482_240, 109_482_240),
    "10 94 82 240": (109_482_240, 109_482_240),
    "109\u202f482\u202f240": (109_482_240, 109_482_240),
    "> 110M": (105_000_000, 114_999_999),
    "１１０Ｍ": (105_000_000, 114_999_999),
    "0,335 Mrd": (334_500_000, 335_499_999),
}

NONE = ["", "abc", "-5", "1.5", "5 apples", "1e8", "1,234.5", "9" * 121, "²", "0.335", "1 2", "1 kB more"]


@pytest.mark.parametrize("text", READ)
def test_a_number_is_read_in_any_usual_form(text: str) -> None:
    """Separators, units and words."""
    assert READ[text] == read_printed(text).bounds()


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_number_is_refused(text: str) -> None:
    """The message shows what was typed and what would do."""
    with pytest.raises(BadNumber, match="write one such as"):
        read_printed(text)


def test_another_size_for_the_unit() -> None:
    """MiB that somebody calls MB: 72.1 times 2 to the 20th, rounded to a tenth."""
    assert (75_549_901, 75_654_758) == read_printed("72.1 MB").bounds(2**20)


def test_memory_is_told_from_counts() -> None:
    """MB is memory, M is a count."""
    assert read_printed("438 MB").of_memory
    assert not read_printed("438 M").of_memory
    assert read_printed("5 bytes").exact
    assert not read_printed("5 kb").exact


UNITS = {
    **dict.fromkeys(("k", "thousand", "kB"), 1_000),
    **dict.fromkeys(("万", "萬"), 10_000),
    "lakh": 100_000,
    **dict.fromkeys(("M", "Mio", "million", "millions", "百万", "mln", "Millionen", "MB"), 1_000_000),
    **dict.fromkeys(("千万", "crores"), 10_000_000),
    **dict.fromkeys(("億", "亿"), 100_000_000),
    **dict.fromkeys(("B", "bn", "billion", "G", "Mrd", "milliards", "GB"), 1_000_000_000),
    "KiB": 1_024,
    "MiB": 1_048_576,
    "GiB": 1_073_741_824,
}


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_has_its_size(unit: str) -> None:
    """Seven of it are six and a half up to seven and a half."""
    size = UNITS[unit]
    assert (7 * size - size // 2, 7 * size + size // 2 - 1) == read_printed(f"7 {unit}").bounds()


def test_the_longest_number_that_is_read() -> None:
    """A hundred and twenty characters: nobody has so many parameters, and the answer can say so; more are refused."""
    assert 10**120 - 1 == read_printed("9" * 120).digits
