"""Random numbers that are the same in Python and JavaScript: 32-bit words derived from a string such as `layer:7`.

The state starts at the FNV-1a hash of the string and advances in steps of the golden ratio (a Weyl
sequence). Each number is the state, mixed by the finaliser of MurmurHash3. This is the construction
of SplitMix (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014) at 32
bits.

Python's own `random` is not used, because JavaScript has no built-in equivalent. The results of
`docs/assets/exercises/chance.js` are exactly the same as here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

MODULUS = 2**32
"""The number of different 32-bit words. All arithmetic is modulo this number."""

STEP = 0x9E3779B9
"""The fractional part of the golden ratio times 2³², rounded down. It is odd, so the state runs through all words."""

T = TypeVar("T")


def fnv1a(string: str) -> int:
    """The 32-bit FNV-1a hash of a string's UTF-8 bytes, with the constants of its definition."""
    hash_so_far = 0x811C9DC5
    for byte in string.encode():
        hash_so_far = (hash_so_far ^ byte) * 0x01000193 % MODULUS
    return hash_so_far


def mix(word: int) -> int:
    """A word in which every bit depends on every bit of the given word, computed by the finaliser of MurmurHash3."""
    word = (word ^ word >> 16) * 0x85EBCA6B % MODULUS
    word = (word ^ word >> 13) * 0xC2B2AE35 % MODULUS
    return word ^ word >> 16


class SeededRandom:
    """A source of random draws; the same `seed` always gives the same draws."""

    def __init__(self, seed: str) -> None:
        self.state = fnv1a(seed)

    def word(self) -> int:
        """The next 32 bits."""
        self.state = (self.state + STEP) % MODULUS
        return mix(self.state)

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` − 1.

        The remainder favours small numbers slightly, which is not noticeable for short lists.
        """
        return self.word() % limit

    def one_of(self, items: Sequence[T]) -> T:
        """An item drawn at random."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All items in random order, by the Fisher-Yates shuffle.

        The shuffle fills the positions from last to first, each with one of the remaining items. The script must
        use the same order.
        """
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            index = self.below(last + 1)
            order[index], order[last] = order[last], order[index]
        return order
