"""The sentence that the pages about parts follow through the model, with its tokens and their ids.

The ids come from a real vocabulary, so the figures show actual rows of the word table.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting.blocks import blocks_of, check_date, check_keys

FILE = Path(__file__).with_suffix(".toml")


class Token(NamedTuple):
    """A token of the sentence, with its neighbours in the vocabulary.

    Attributes:
        text: the vocabulary entry.
        id: its id, which is also the index of its row in the word table.
        before: the previous entry.
        after: the next entry.
    """

    text: str
    id: int
    before: str
    after: str


class Example(NamedTuple):
    """The sentence and its vocabulary, as in the data file.

    Attributes:
        sentence: the sentence as a reader writes it.
        vocabulary: the name of the vocabulary that defines the ids.
        vocabulary_size: the number of entries in the vocabulary.
        source: the address of the vocabulary.
        accessed: the day on which the vocabulary was accessed.
        tokens: the tokens in order.
    """

    sentence: str
    vocabulary: str
    vocabulary_size: int
    source: str
    accessed: str
    tokens: tuple[Token, ...]

    @property
    def followed_index(self) -> int:
        """The position of the token that the pages follow, which is the middle one."""
        return len(self.tokens) // 2


@cache
def example() -> Example:
    """The example in the data file, `example.toml`.

    Raises:
        BadConfig: a key is missing or unknown, or its value is invalid.
    """
    blocks = blocks_of(FILE)
    check_keys(FILE.name, blocks, Example._fields, (), vocabulary_size=int, tokens=list)
    check_date(f"{FILE.name}, accessed", blocks["accessed"])
    for index, token in enumerate(blocks["tokens"]):
        check_keys(f"{FILE.name}, tokens {index}", token, Token._fields, (), id=int)
    return Example(
        sentence=blocks["sentence"],
        vocabulary=blocks["vocabulary"],
        vocabulary_size=blocks["vocabulary_size"],
        source=blocks["source"],
        accessed=blocks["accessed"],
        tokens=tuple(Token(**token) for token in blocks["tokens"]),
    )
