"""Question banks: exercises as files that courses import, in the formats of learning platforms.

`bank_content("layer", range(1, 21), "moodle")` returns the bytes of a file with the exercises of the set "layer"
that the seeds from 1 to 20 draw. `entries.py` turns exercises into entries, which contain everything that any
platform needs. Each format has a module that renders entries and knows nothing of exercises.
"""

from .entries import MAX_SEEDS, Answer, Bank, BankEntry, bank_of, with_choices
from .formats import FORMATS, Format, UnknownFormat, bank_content, format_named

__all__ = [
    "FORMATS",
    "MAX_SEEDS",
    "Answer",
    "Bank",
    "BankEntry",
    "Format",
    "UnknownFormat",
    "bank_content",
    "bank_of",
    "format_named",
    "with_choices",
]
