"""Question banks: exercises as files that courses import, in the formats of learning platforms.

`bank("layer", range(1, 21), "moodle")` returns the content of a file. `entries.py` turns exercises
into entries, which have all data that a platform may need. Each format is a module that writes
entries and does not depend on exercises.
"""

from .entries import MAX_SEEDS, Answer, Bank, BankEntry, bank_of, with_choices
from .formats import FORMATS, Format, UnknownFormat, bank, format_named

__all__ = [
    "FORMATS",
    "MAX_SEEDS",
    "Answer",
    "Bank",
    "BankEntry",
    "Format",
    "UnknownFormat",
    "bank",
    "bank_of",
    "format_named",
    "with_choices",
]
