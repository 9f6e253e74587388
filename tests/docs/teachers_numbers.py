"""Loads the lists of numbers that students, engineers and other readers arrive with.

Each number comes with the explanation that a good teacher would give.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_suffix(".toml")
READERS_FILE = FILE.with_stem("readers_numbers")


class ExpectedAnswer(NamedTuple):
    """A text that somebody types, and what the first answer must say; `teachers_numbers.toml` explains the format.

    Attributes:
        typed: the text.
        because: the reason.
        says: words that the answer must contain, each with its alternatives separated by "|".
        kind: the heading under which the file lists it.
        working: the arithmetic.
        anywhere: whether any part of the answer may say it, not only the first sentence.
    """

    typed: str
    because: str
    says: tuple[str, ...]
    kind: str
    working: str = ""
    anywhere: bool = False

    def is_satisfied_by(self, answer: str) -> bool:
        """Return whether an answer contains all required words. Every answer does if the entry requires none."""
        return all(any(_begins_a_word(word, answer) for word in words.split("|")) for words in self.says)


def _begins_a_word(word: str, answer: str) -> bool:
    """True if a word of the answer begins with this one: "cased" is not found in "uncased", nor "384" in "98,384".

    A lower-case word may also begin a part of a class name, as "masked" does in "BertForMaskedLM".
    """
    in_camel_case = rf"|(?<=[a-z]){re.escape(word.capitalize())}" if word.islower() else ""
    return bool(re.search(rf"(?i:(?<!\w)(?<!\d[,.]){re.escape(word)}){in_camel_case}", answer))


def load_file(path: Path) -> dict[str, Any]:
    """The parsed contents of one of the files."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


WORDS: dict[str, str] = {**load_file(FILE)["words"], **load_file(READERS_FILE)["words"]}
BASE = WORDS["BASE"]


def load_entries(path: Path) -> Iterator[ExpectedAnswer]:
    """Every entry of a file."""
    for kind, entries in load_file(path)["known"].items():
        for typed, because, says, working, *place in entries:
            assert place in ([], ["anywhere"]), typed
            words = tuple(WORDS.get(word, word) for word in says)
            yield ExpectedAnswer(typed, because, words, kind, working, bool(place))


TEACHERS = tuple(load_entries(FILE))
READERS = tuple(load_entries(READERS_FILE))
OPERATIONS = tuple(load_entries(FILE.with_stem("operations_numbers")))
