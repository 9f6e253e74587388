"""Question banks: exercises as files that courses import, in the formats of learning platforms.

`bank_content("layer", range(1, 21), "moodle")` returns the content of a file. `entries.py` turns
exercises into entries, which have all data that a platform may need. Each format has a module that
renders entries and does not depend on exercises.
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
