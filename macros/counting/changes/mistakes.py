"""Wrong numbers of a changed model that people get, by how they come about.

A mistake is a block under `[mistakes]` in `data/changes.toml`. It counts some rows of a changed model otherwise than
they are, or takes another number of that model for the right one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil
from typing import NamedTuple

from ..errors import BadChange
from ..polynomials import Polynomial
from ..question import Question
from .changed import Changed
from .methods import rules

NUMBERS: Mapping[str, Callable[[Changed], int]] = {
    "trained": lambda changed: changed.trainable,
    "all": lambda changed: changed.number,
    "elements": lambda changed: changed.elements,
    "bytes": lambda changed: changed.bytes_of(),
    "bytes of weights": lambda changed: changed.weights_bytes(),
    "bytes of scales": lambda changed: changed.scales_bytes,
    "footprint": lambda changed: changed.footprint,
}
"""What is counted of a changed model, by name."""


class Mistake(NamedTuple):
    """A way to count a changed model wrongly.

    Attributes:
        name: of its block.
        family: the page that it stands on.
        title: what it is called.
        why: why the number is another, as a sentence.
        change: the changes, as on the command line, separated by spaces.
        of: which number of `NUMBERS` is meant.
        rows: a pattern for the names of the rows that are counted otherwise.
        factor: how often these are counted, or the whole if none are named, rounded up: a number, a letter, or one by
            another.
        instead: which number of `NUMBERS` is taken.
    """

    name: str
    family: str
    title: str
    why: str
    change: str
    of: str = "trained"
    rows: str = ""
    factor: str = "1"
    instead: str = ""

    def changed(self, asked: Question) -> Changed:
        """The changed model that it is about."""
        return Changed.of(asked, self.change.split())

    def right(self, asked: Question) -> int:
        """The number that is meant."""
        return NUMBERS[self.of](self.changed(asked))

    def wrong(self, asked: Question) -> int:
        """The number that comes out.

        Raises:
            BadChange: it touches no row, changes nothing, or does not come out even.
        """
        changed = self.changed(asked)
        number = Fraction(NUMBERS[self.instead or self.of](changed))
        factor = self._factor(changed.sizes)
        if self.rows:
            rows = [row for row in changed.rows if re.search(self.rows, row.full_name)]
            terms = [term for row in rows for term in (row.learnt if self.of == "trained" else row.all)]
            number += (factor - 1) * Polynomial(tuple(terms)).value(changed.sizes)
        else:
            number = Fraction(ceil(number * factor))
        if number.denominator != 1 or number == self.right(asked):
            raise BadChange(f"mistake {self.name} leads to {number}; correct its rows or factor")
        return int(number)

    def _factor(self, sizes: Mapping[str, int]) -> Fraction:
        above, _, below = self.factor.partition("/")
        return Fraction(*(sizes[each] if each in sizes else int(each or "1") for each in (above, below)))


@cache
def load_mistakes() -> Mapping[str, Mistake]:
    """Every mistake by name, in the order of the file."""
    return {name: Mistake(name, **block) for name, block in rules()["mistakes"].items()}
