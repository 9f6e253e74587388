"""Loads lists of numbers that readers arrive with, each with the explanation that a good teacher would give."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

TEACHERS_FILE = Path(__file__).with_suffix(".toml")
READERS_FILE = TEACHERS_FILE.with_stem("readers_numbers")
OPERATIONS_FILE = TEACHERS_FILE.with_stem("operations_numbers")


class ExpectedAnswer(NamedTuple):
    """A text from a reader, and the words that the answer must contain.

    `teachers_numbers.toml` explains the format of the files.

    Attributes:
        text: what the reader enters.
        origin: what the number is, as a teacher would explain it; for authors of entries, because no test uses it.
        required_words: words that the answer must contain, each with its alternatives separated by "|".
        kind: the heading of the entry in the file.
        working: the arithmetic that gives the number.
        anywhere: whether the words may be in any part of the answer, not only in its first sentence.
    """

    text: str
    origin: str
    required_words: tuple[str, ...]
    kind: str
    working: str = ""
    anywhere: bool = False

    def is_satisfied_by(self, answer: str) -> bool:
        """Return whether an answer contains all required words. Every answer does if the entry requires none."""
        return all(any(_begins_a_word(word, answer) for word in words.split("|")) for words in self.required_words)


def _begins_a_word(word: str, answer: str) -> bool:
    """Return whether any word of the answer begins with `word`.

    "uncased" does not begin with "cased", and "98,384" does not begin with "384". A lower-case word may also begin a
    part of a class name, as "masked" does in "BertForMaskedLM".
    """
    in_camel_case = rf"|(?<=[a-z]){re.escape(word.capitalize())}" if word.islower() else ""
    return bool(re.search(rf"(?i:(?<!\w)(?<!\d[,.]){re.escape(word)}){in_camel_case}", answer))


def load_file(path: Path) -> dict[str, Any]:
    """The contents of one of the files of numbers."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


NAMED_WORDS: dict[str, str] = {**load_file(TEACHERS_FILE)["words"], **load_file(READERS_FILE)["words"]}
"""Alternatives that many entries share, by the name under which the entries refer to them."""

BASE = NAMED_WORDS["BASE"]
"""The names of BERT base, separated by "|"."""


def load_entries(path: Path) -> Iterator[ExpectedAnswer]:
    """Yield the entries in a file."""
    for kind, entries in load_file(path)["known"].items():
        for text, origin, required_words, working, *scope in entries:
            assert scope in ([], ["anywhere"]), text
            words = tuple(NAMED_WORDS.get(word, word) for word in required_words)
            yield ExpectedAnswer(text, origin, words, kind, working, bool(scope))


TEACHERS_NUMBERS = tuple(load_entries(TEACHERS_FILE))
READERS_NUMBERS = tuple(load_entries(READERS_FILE))
OPERATIONS_NUMBERS = tuple(load_entries(OPERATIONS_FILE))
"""The numbers from teachers, the numbers from other readers, and numbers of operations."""
