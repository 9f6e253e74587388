"""Reads numbers as people print them: `109,482,240`, `110M`, `0.34B`, `1.1亿`, `417.6 MiB`.

A number without a unit, or in bytes, is exact, and has to be whole. A number with any other
unit is taken to be rounded, so it represents an interval that extends by half a unit of its
last digit to either side. If the number is whole and ends with a zero, this zero may be due to
rounding as well, so the interval extends by half a unit of the digit before it. For example,
`110M` is 105 to 115 million, and `108.8M` is 108.75 to 108.85 million.

The page on which readers enter a number follows the same rules in JavaScript,
`docs/assets/explaining/read.js`, and `tests/scripts/test_counting.py` compares the two.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ..errors import BadNumber, quote
from ..rounding import quotient_rounded_up

COUNT_UNITS = {
    **dict.fromkeys(("k", "thousand", "tausend"), 10**3),
    **dict.fromkeys(("万", "萬"), 10**4),
    **dict.fromkeys(("lakh", "lakhs"), 10**5),
    **dict.fromkeys(("m", "mio", "mln", "million", "millions", "millionen", "百万", "百萬"), 10**6),
    **dict.fromkeys(("crore", "crores", "千万", "千萬"), 10**7),
    **dict.fromkeys(("亿", "億"), 10**8),
    **dict.fromkeys(("b", "bn", "g", "billion", "billions"), 10**9),
    **dict.fromkeys(("mrd", "mia", "mld", "milliard", "milliards", "milliarde", "milliarden"), 10**9),
    **dict.fromkeys(("t", "trillion", "trillions"), 10**12),
}
"""Units of a count, in lower case, as readers write them in English, Indian English, Chinese and European languages.

`b` and `billion` are 10⁹ as in English. Other languages call that a milliard, of which `mrd`, `mld` and `mia` are
abbreviations.

Sources: SI; the Chinese 万 (also 萬) is 10⁴, 百万 10⁶, 千万 10⁷ and 亿 (also 億) 10⁸; the Indian lakh is 10⁵ and the
crore 10⁷.
"""

MEMORY_UNITS = {
    "bytes": 1,
    "byte": 1,
    "kb": 10**3,
    "kib": 2**10,
    "mb": 10**6,
    "mib": 2**20,
    "gb": 10**9,
    "gib": 2**30,
}
"""Units of memory, in lower case. Source: IEC 80000-13."""

MAX_CHARACTERS = 120
"""The maximum length of a text to read, in characters; matching a longer one with `NUMBER_WITH_UNIT` could be slow."""

NUMBER_WITH_UNIT = re.compile(
    r"(?:[~≈<>]|about|circa|ca\.?)? ?"
    r"(?P<digits>[0-9](?:[0-9.,_'’]| (?=[0-9]{2,3}(?![0-9])))*) ?"
    r"(?P<unit>[^0-9.,_'’ ]*?)"
    r"(?: ?(?:parameters|params|numbers|参数|个))*"
)
"""A number with its unit, perhaps after a word such as "about" and before a word for parameters.

Spaces may separate groups of three digits, or of two digits, as in India.
"""


class PrintedNumber(NamedTuple):
    """A number as printed: `digits` / 10^`decimals`, times its unit.

    Attributes:
        digits: all its digits, without the decimal mark.
        decimals: the number of digits after the decimal mark.
        unit: its unit as printed, in lower case; empty if there is none.
    """

    digits: int
    decimals: int
    unit: str

    @property
    def is_of_memory(self) -> bool:
        """Whether it is an amount of memory."""
        return self.unit in MEMORY_UNITS

    @property
    def is_exact(self) -> bool:
        """Whether it represents a single number rather than an interval."""
        return not self.unit or MEMORY_UNITS.get(self.unit) == 1

    @property
    def unit_size(self) -> int:
        """The number of parameters or bytes in its unit; 1 if it has no unit."""
        return COUNT_UNITS.get(self.unit) or MEMORY_UNITS.get(self.unit, 1)

    def bounds(self, unit: int | None = None) -> tuple[int, int]:
        """The smallest and the largest whole number that it may represent, in parameters or bytes.

        Args:
            unit: the size to use instead of `unit_size`, for a source that writes MB and means MiB.
        """
        if self.is_exact:
            whole_number = self.digits // 10**self.decimals
            return whole_number, whole_number
        size = unit or self.unit_size
        rounding_unit = 10 if not self.decimals and self.digits and self.digits % 10 == 0 else 1
        # Everything is doubled, so that half a rounding unit is a whole number.
        denominator = 2 * 10**self.decimals
        low = (2 * self.digits - rounding_unit) * size
        high = (2 * self.digits + rounding_unit) * size
        # The upper end is not part of the interval, hence the −1.
        return quotient_rounded_up(low, denominator), quotient_rounded_up(high, denominator) - 1


def read_printed(text: str) -> PrintedNumber:
    """Read a number as people print it; see the top of this module.

    Args:
        text: digits, perhaps grouped by commas, points, spaces, underscores or
            apostrophes, and perhaps a unit: M, million, B, 亿, MB, MiB and so on.

    Raises:
        BadNumber: for example, the text has no number or more than one, the
            number is negative or a fraction of a byte, or its unit is unknown.

    >>> read_printed("109,482,240").bounds()
    (109482240, 109482240)
    >>> read_printed("108.8M").bounds()
    (108750000, 108849999)
    """
    # NFKC turns superscripts into ordinary digits, and so 10⁶ into 106. That is why they are replaced first.
    normalised_text = unicodedata.normalize("NFKC", re.sub("[⁰¹²³⁴-⁹]", "^", text))
    # On a Chinese keyboard, a decimal point may be typed as the full stop of a sentence.
    normalised_text = normalised_text.replace("。", ".")
    normalised_text = re.sub(r"[\s\ufeff]+", " ", normalised_text).strip().lower()
    match = NUMBER_WITH_UNIT.fullmatch(normalised_text) if len(text) <= MAX_CHARACTERS else None
    unit = match["unit"] if match else ""
    digits = re.sub(r"[_'’ ]", "", match["digits"]) if match else ""
    whole_digits, decimals = _split_at_mark(digits, bool(unit))
    is_unit_known = not unit or unit in COUNT_UNITS or unit in MEMORY_UNITS
    is_fraction = bool(decimals) if not unit else MEMORY_UNITS.get(unit) == 1 and bool(decimals.strip("0"))
    if not whole_digits or not is_unit_known or is_fraction:
        raise BadNumber(
            f"{quote(text)} is not a number that can be looked up; "
            "write one such as 109,482,240 or 110M or 0.34B or 417.6 MiB"
        )
    return PrintedNumber(int(whole_digits + decimals), len(decimals), unit)


def _split_at_mark(digits: str, has_unit: bool) -> tuple[str, str]:
    """The digits before and after the decimal mark; if there is no such mark, all digits and an empty string.

    All other marks separate groups of digits, such as thousands.
    """
    marks = re.findall("[.,]", digits)
    last_mark = marks[-1] if marks else ""
    whole_digits, _, decimals = digits.rpartition(last_mark) if last_mark else (digits, "", "")
    whole_digits = re.sub("[.,]", "", whole_digits)
    # A mark before three digits is ambiguous: 108,891 is a whole number, while 0.891 and 108.891M are not.
    is_decimal = marks.count(last_mark) == 1 and (
        len(decimals) != 3 or not whole_digits.strip("0") or (has_unit and last_mark == ".")
    )
    return (whole_digits, decimals) if is_decimal else (whole_digits + decimals, "")
