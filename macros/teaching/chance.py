"""Random numbers that are the same in every language: whole numbers of 32 bits, from a set's name and a seed.

The state goes round in steps of the golden ratio (a Weyl sequence), and each
number is the state mixed by the finaliser of MurmurHash3, which is the
construction of SplitMix (Steele, Lea and Flood, "Fast Splittable Pseudorandom
Number Generators", 2014) at 32 bits. It begins with the FNV-1a hash of the
text. `docs/assets/exercises/chance.js` does the same to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

WORD = 2**32
STEP = 0x9E3779B9
"""The golden ratio as a fraction of 2³²."""

T = TypeVar("T")


def hashed(text: str) -> int:
    """The FNV-1a hash of a text, 32 bits of its UTF-8."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 % WORD
    return value


def mixed(value: int) -> int:
    """A word whose every bit depends on all bits of another: MurmurHash3's finaliser."""
    value = (value ^ value >> 16) * 0x85EBCA6B % WORD
    value = (value ^ value >> 13) * 0xC2B2AE35 % WORD
    return value ^ value >> 16


class Chance:
    """Draws, the same ones for the same text."""

    def __init__(self, text: str) -> None:
        self.state = hashed(text)

    def word(self) -> int:
        """The next 32 bits."""
        self.state = (self.state + STEP) % WORD
        return mixed(self.state)

    def below(self, number: int) -> int:
        """A whole number from 0 to below a small `number`, so small that no value is noticeably likelier."""
        return self.word() % number

    def one_of(self, items: Sequence[T]) -> T:
        """One of some items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of them, in any order: each place, from the last, takes one that is left (Fisher and Yates)."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            place = self.below(last + 1)
            found[place], found[last] = found[last], found[place]
        return found
