"""Numbers that students and engineers have in hand, each with the reason a good teacher would give."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_suffix(".toml")


class Known(NamedTuple):
    """A text that somebody types, and what the first answer must say; the file explains it."""

    typed: str
    because: str
    says: tuple[str, ...]
    kind: str

    def is_said(self, answer: str) -> bool:
        """Whether an answer gives this reason; one that needs no words is always given."""
        return all(any(_begins_a_word(word, answer) for word in words.split("|")) for words in self.says)


def _begins_a_word(word: str, answer: str) -> bool:
    """Whether a word starts in the answer: "cased" not within "uncased", "384" not within "98,384".

    A word in small letters may also be a part of a class's name: "masked" in "BertForMaskedLM".
    """
    within = rf"|(?<=[a-z]){re.escape(word.capitalize())}" if word.islower() else ""
    return bool(re.search(rf"(?i:(?<!\w)(?<!\d[,.]){re.escape(word)}){within}", answer))


def load_known() -> Iterator[Known]:
    """Every number of the file."""
    file = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for kind, listed in file["known"].items():
        for typed, because, says, _ in listed:
            yield Known(typed, because, tuple(file["words"].get(word, word) for word in says), kind)


KNOWN = tuple(load_known())
BASE: str = tomllib.loads(FILE.read_text(encoding="utf-8"))["words"]["BASE"]
