"""Reads the files of numbers that students, engineers and readers arrive with.

Each number comes with the explanation that a good teacher would give.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_suffix(".toml")
READERS_FILE = FILE.with_stem("readers_numbers")


class Known(NamedTuple):
    """A text that somebody types, and what the first answer must say. The file explains the format.

    Attributes:
        typed: the text.
        because: the reason.
        says: what the answer must hold, with alternatives separated by "|".
        kind: the heading that it stands under.
        working: the arithmetic.
        anywhere: whether any part of the answer may say it, not only the first sentence.
    """

    typed: str
    because: str
    says: tuple[str, ...]
    kind: str
    working: str = ""
    anywhere: bool = False

    def is_said(self, answer: str) -> bool:
        """Whether an answer gives this reason. A number without a known reason needs no words."""
        return all(any(_begins_a_word(word, answer) for word in words.split("|")) for words in self.says)


def _begins_a_word(word: str, answer: str) -> bool:
    """Whether a word starts in the answer: "cased" not within "uncased", "384" not within "98,384".

    A lower-case word may also be part of a class name: "masked" in "BertForMaskedLM".
    """
    within = rf"|(?<=[a-z]){re.escape(word.capitalize())}" if word.islower() else ""
    return bool(re.search(rf"(?i:(?<!\w)(?<!\d[,.]){re.escape(word)}){within}", answer))


def load_file(path: Path) -> dict[str, Any]:
    """The parsed contents of one of the files."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


WORDS: dict[str, str] = {**load_file(FILE)["words"], **load_file(READERS_FILE)["words"]}
BASE = WORDS["BASE"]


def load_known(path: Path) -> Iterator[Known]:
    """Every number in a file."""
    for kind, entries in load_file(path)["known"].items():
        for typed, because, says, working, *place in entries:
            assert place in ([], ["anywhere"]), typed
            words = tuple(WORDS.get(word, word) for word in says)
            yield Known(typed, because, words, kind, working, bool(place))


KNOWN = tuple(load_known(FILE))
READERS = tuple(load_known(READERS_FILE))
OPERATIONS = tuple(load_known(FILE.with_stem("operations_numbers")))
