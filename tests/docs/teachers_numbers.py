"""Loads lists of numbers that readers of all kinds arrive with, each with the explanation a good teacher would give."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

TEACHERS_FILE = Path(__file__).with_suffix(".toml")
READERS_FILE = TEACHERS_FILE.with_stem("readers_numbers")
OPERATIONS_FILE = TEACHERS_FILE.with_stem("operations_numbers")


class ExpectedAnswer(NamedTuple):
    """A text that somebody types, and what the first answer must say; `teachers_numbers.toml` explains the format.

    Attributes:
        typed: the text.
        because: where the number comes from, for whoever reads the list; no test uses it.
        required: words that the answer must contain, each with its alternatives separated by "|".
        kind: the heading under which the file lists the entry.
        working: the arithmetic that gives the number.
        anywhere: whether the words may be in any part of the answer, not only in its first sentence.
    """

    typed: str
    because: str
    required: tuple[str, ...]
    kind: str
    working: str = ""
    anywhere: bool = False

    def is_satisfied_by(self, answer: str) -> bool:
        """Return whether an answer contains all required words. Every answer does if the entry requires none."""
        return all(any(_begins_a_word(word, answer) for word in words.split("|")) for words in self.required)


def _begins_a_word(word: str, answer: str) -> bool:
    """Whether a word of the answer begins with this one: "uncased" does not with "cased", nor "98,384" with "384".

    A lower-case word may also begin a part of a class name, as "masked" does in "BertForMaskedLM".
    """
    in_camel_case = rf"|(?<=[a-z]){re.escape(word.capitalize())}" if word.islower() else ""
    return bool(re.search(rf"(?i:(?<!\w)(?<!\d[,.]){re.escape(word)}){in_camel_case}", answer))


def load_file(path: Path) -> dict[str, Any]:
    """The contents of one of these files."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


NAMED_WORDS: dict[str, str] = {**load_file(TEACHERS_FILE)["words"], **load_file(READERS_FILE)["words"]}
"""Alternatives that many entries share, by the name that stands for them."""

BASE = NAMED_WORDS["BASE"]
"""The names of BERT base, with "|" between them."""


def load_entries(path: Path) -> Iterator[ExpectedAnswer]:
    """Every entry of a file."""
    for kind, entries in load_file(path)["known"].items():
        for typed, because, required, working, *scope in entries:
            assert scope in ([], ["anywhere"]), typed
            words = tuple(NAMED_WORDS.get(word, word) for word in required)
            yield ExpectedAnswer(typed, because, words, kind, working, bool(scope))


TEACHERS = tuple(load_entries(TEACHERS_FILE))
READERS = tuple(load_entries(READERS_FILE))
OPERATIONS = tuple(load_entries(OPERATIONS_FILE))
"""The numbers of teachers, of other readers, and of operations."""
