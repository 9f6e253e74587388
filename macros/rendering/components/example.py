"""The sentence that goes through the pages about parts: its tokens, as a real vocabulary numbers them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from macros.counting.blocks import blocks_of, check_date, check_keys

FILE = Path(__file__).with_suffix(".toml")


class Token(NamedTuple):
    """An entry of a vocabulary: what it reads, its number, which is its row of the word table, and its neighbours."""

    text: str
    id: int
    before: str
    after: str


class Example(NamedTuple):
    """The sentence, its tokens in order, and where their ids are from; `entries` is how many the vocabulary has."""

    sentence: str
    vocabulary: str
    entries: int
    source: str
    accessed: str
    tokens: tuple[Token, ...]

    @property
    def chosen(self) -> int:
        """The position of the token that pages follow: the middle one."""
        return len(self.tokens) // 2


@cache
def example() -> Example:
    """The example, as its data file has it.

    Raises:
        BadConfig: a key is missing, unknown, or of the wrong type.
    """
    blocks = blocks_of(FILE)
    check_keys(FILE.name, blocks, Example._fields, (), entries=int, tokens=list)
    check_date(f"{FILE.name}, accessed", blocks["accessed"])
    for place, each in enumerate(blocks["tokens"]):
        check_keys(f"{FILE.name}, tokens {place}", each, Token._fields, (), id=int)
    return Example(**{**blocks, "tokens": tuple(Token(**each) for each in blocks["tokens"])})
