"""Wrong numbers that people get for a changed model, and the mistakes that lead to them.

A mistake is a block under `[mistakes]` in `data/changes.toml`. It multiplies the count of some
rows of a changed model, or a total, by a factor; or it takes another number of that model
for the correct one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil
from typing import NamedTuple

from ..errors import BadChange
from ..polynomials import Polynomial, Term
from ..question import Question
from .changed_model import ChangedModel
from .methods import rules

NUMBERS: Mapping[str, Callable[[ChangedModel], int]] = {
    "trained": lambda model: model.trainable,
    "all": lambda model: model.number,
    "elements": lambda model: model.elements,
    "bytes": lambda model: model.bytes_of(),
    "bytes of weights": lambda model: model.weights_bytes(),
    "bytes of scales": lambda model: model.scales_bytes,
    "footprint": lambda model: model.footprint,
}
"""Functions that return numbers of a changed model, by the names that mistakes use for these numbers."""


class Mistake(NamedTuple):
    """A way to count a changed model wrongly.

    Attributes:
        name: the name of its block.
        family: the page about changes on which it is listed.
        title: its name in print.
        why: the reason why the number is different.
        changes: the changes, as on the command line, separated by spaces.
        number_key: the key in `NUMBERS` of the correct number.
        rows: a pattern for the names of the rows that are miscounted; empty if the entire number is.
        factor: the factor by which the mistake multiplies the count of these rows, or the entire number, which is then
            rounded up. It is a number, a letter, or a quotient such as `1/L`.
        instead: the key in `NUMBERS` of a number that is taken for the correct one; empty if the mistake starts from
            the correct one.
    """

    name: str
    family: str
    title: str
    why: str
    changes: str
    number_key: str = "trained"
    rows: str = ""
    factor: str = "1"
    instead: str = ""

    @property
    def unit(self) -> str:
        """The unit of its numbers: "bytes" or "parameters"."""
        return "bytes" if self.number_key.startswith("bytes") else "parameters"

    def changed_model(self, question: Question) -> ChangedModel:
        """The changed model that is miscounted."""
        return ChangedModel.build(question, self.changes.split())

    def correct_number(self, question: Question) -> int:
        """The correct number."""
        return NUMBERS[self.number_key](self.changed_model(question))

    def wrong_number(self, question: Question) -> int:
        """The number that the mistake leads to.

        Raises:
            BadChange: the mistake leads to the correct number, or to one that is not whole.
        """
        model = self.changed_model(question)
        number = Fraction(NUMBERS[self.instead or self.number_key](model))
        factor = self._factor(model.sizes)
        if self.rows:
            number += (factor - 1) * self._count_of_rows(model).value(model.sizes)
        else:
            number = Fraction(ceil(number * factor))
        if number.denominator != 1 or number == self.correct_number(question):
            raise BadChange(
                f"mistake {self.name} leads to {number}, which is the correct number or not whole; "
                "correct its rows, factor or instead"
            )
        return int(number)

    def effect_formula(self, model: ChangedModel) -> str:
        """The effect on the correct number as a symbolic formula; empty unless the mistake miscounts certain rows."""
        if not self.rows:
            return ""
        polynomial = self._count_of_rows(model)
        if self.factor == "0" and all(term.coefficient < 0 for term in polynomial.terms):
            return Polynomial(tuple(term.times(-1, term.layers) for term in polynomial.terms)).formula()
        return f"{'−' if self.factor == '0' else f'({self.factor} − 1)·'}({polynomial.formula()})"

    def _count_of_rows(self, model: ChangedModel) -> Polynomial:
        """The correct count of the rows that are miscounted."""
        terms: list[Term] = []
        for row in model.rows:
            if re.search(self.rows, row.full_name):
                terms += row.trainable_terms if self.number_key == "trained" else row.terms
        return Polynomial(tuple(terms))

    def _factor(self, sizes: Mapping[str, int]) -> Fraction:
        """The value of `factor`: a number, the letter of a size, or a quotient of these."""
        dividend, _, divisor = self.factor.partition("/")

        def operand(text: str) -> int:
            """The value of a letter or an integer."""
            return sizes[text] if text in sizes else int(text)

        return Fraction(operand(dividend), operand(divisor or "1"))


@cache
def load_mistakes() -> Mapping[str, Mistake]:
    """Every mistake by name, in the order of the file."""
    return {name: Mistake(name, **block) for name, block in rules()["mistakes"].items()}
