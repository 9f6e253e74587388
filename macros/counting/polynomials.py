"""Numbers of parameters as polynomials in the sizes.

A shape is a product of letters and integers; a part is a sum of shapes, some
of them once and some in each of `L` layers. Both are a `Polynomial`, so
formula, substituted working and integer come from one object and cannot
disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

EXPONENTS = ("", "", "²")
"""How a power is written after its base; a shape has two dimensions at most."""


class Term(NamedTuple):
    """A coefficient times letters, e.g. `Term(4, ("H", "H"))` for 4·H²."""

    coefficient: int
    letters: tuple[str, ...]

    def powers(self) -> dict[str, int]:
        """Each letter with its exponent, in the order written: `{"H": 2}`."""
        return {letter: self.letters.count(letter) for letter in self.letters}

    def written(self, spell: Callable[[str], str]) -> str:
        """The term as text, letters spelt by `spell`: `'4·H²'` or `'4·768²'`."""
        factors = [spell(letter) + EXPONENTS[power] for letter, power in self.powers().items()]
        if self.coefficient != 1 or not factors:
            factors.insert(0, f"{self.coefficient:,}")
        return "·".join(factors)


class Polynomial(NamedTuple):
    """A sum of terms, plus `L` times another sum; the highest degree first.

    >>> dense = Polynomial.total([Polynomial.of_shape("H H"), Polynomial.of_shape("H")])
    >>> attention = Polynomial.total([dense] * 4)
    >>> attention.formula()
    '4·H² + 4·H'
    >>> attention.working({"H": 768})
    '4·768² + 4·768'
    >>> attention.value({"H": 768})
    2362368
    >>> attention.in_each_layer().formula()
    'L·(4·H² + 4·H)'
    """

    terms: tuple[Term, ...] = ()
    per_layer: tuple[Term, ...] = ()

    @classmethod
    def of_shape(cls, shape: str) -> Polynomial:
        """The number of elements of one tensor, from its symbolic shape.

        >>> Polynomial.of_shape("2 H").value({"H": 768})
        1536
        """
        coefficient, letters = 1, []
        for dimension in shape.split():
            if dimension.isdigit():
                coefficient *= int(dimension)
            else:
                letters.append(dimension)
        return cls((Term(coefficient, tuple(letters)),))

    @classmethod
    def total(cls, parts: Iterable[Polynomial]) -> Polynomial:
        """The sum of several polynomials, like terms merged."""
        once: list[Term] = []
        repeated: list[Term] = []
        for part in parts:
            once += part.terms
            repeated += part.per_layer
        return cls(_merged(once), _merged(repeated))

    def in_each_layer(self) -> Polynomial:
        """The same terms, once in every layer."""
        return Polynomial((), self.terms)

    def value(self, sizes: Mapping[str, int]) -> int:
        """The integer it gives for these sizes (letter to number)."""
        total = _value(self.terms, sizes)
        # L multiplies last, so that a deep model costs one large product.
        return total + sizes["L"] * _value(self.per_layer, sizes) if self.per_layer else total

    def groups(self) -> tuple[tuple[str, tuple[Term, ...]], ...]:
        """Its terms in the order of reading, each group with the letter that multiplies it.

        First what grows with V, P or S (the tables at the entrance and the
        exit), then the layers under `"L"`, then the rest; empty groups are left out.
        """
        tables = tuple(term for term in self.terms if not {"V", "P", "S"}.isdisjoint(term.letters))
        rest = tuple(term for term in self.terms if term not in tables)
        found = (("", tables), ("L", self.per_layer), ("", rest))
        return tuple((factor, terms) for factor, terms in found if terms)

    def formula(self) -> str:
        """The polynomial in letters, e.g. `'V·H + P·H'`."""
        return self._written(str)

    def working(self, sizes: Mapping[str, int]) -> str:
        """The same with every letter replaced by its number."""
        return self._written(lambda letter: f"{sizes[letter]:,}")

    def _written(self, spell: Callable[[str], str]) -> str:
        pieces = []
        for factor, terms in self.groups():
            text = " + ".join(term.written(spell) for term in terms)
            if factor:
                text = f"{spell(factor)}·({text})" if len(terms) > 1 else f"{spell(factor)}·{text}"
            pieces.append(text)
        return " + ".join(pieces) or "0"


def _merged(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Like terms added up: H·F and F·H are alike, and keep the first spelling."""
    found: dict[tuple[str, ...], Term] = {}
    for coefficient, letters in terms:
        alike = tuple(sorted(letters))
        before = found.get(alike, Term(0, letters))
        found[alike] = Term(before.coefficient + coefficient, before.letters)
    return tuple(sorted(found.values(), key=lambda term: len(term.letters), reverse=True))


def _value(terms: tuple[Term, ...], sizes: Mapping[str, int]) -> int:
    total = 0
    for coefficient, letters in terms:
        product = coefficient
        for letter in letters:
            product *= sizes[letter]
        total += product
    return total
