"""Numbers of parameters as polynomials in the sizes.

A shape is a product of letters and integers; a part is a sum of shapes, some
of them once and some in every layer. Both are a `Polynomial`, so formula,
substituted working and integer come from one object and cannot disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

EXPONENTS = ("", "", "²")
"""How a power is written after its base; a shape has two dimensions at most."""


class Term(NamedTuple):
    """A coefficient times letters, of which the last count its layers: `Term(4, ("H", "H", "L"), ("L",))` for L·4·H².

    A number is worked out from all letters alike, without looking at what they are for.
    """

    coefficient: int
    factors: tuple[str, ...]
    layers: tuple[str, ...] = ()

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters within one layer."""
        return self.factors[: len(self.factors) - len(self.layers)]

    @classmethod
    @lru_cache(maxsize=1024)
    def of_shape(cls, shape: str, layers: tuple[str, ...] = ()) -> Term:
        """The number of elements of one tensor, or of one in every layer, from its symbolic shape."""
        coefficient, letters = 1, []
        for dimension in shape.split():
            if dimension.isdigit():
                coefficient *= int(dimension)
            else:
                letters.append(dimension)
        return cls(coefficient, (*letters, *layers), layers)

    def written(self, spell: Callable[[str], str]) -> str:
        """The term within one layer as text, letters spelt by `spell`: `'4·H²'` or `'4·768²'`."""
        factors = [spell(letter) + EXPONENTS[power] for letter, power in Counter(self.letters).items()]
        if self.coefficient != 1 or not factors:
            factors.insert(0, f"{self.coefficient:,}")
        return "·".join(factors)


class Polynomial(NamedTuple):
    """A sum of terms, some of them once and some in every layer; the highest degree first.

    >>> dense = Polynomial.total([Polynomial.of_shape("H H"), Polynomial.of_shape("H")])
    >>> attention = Polynomial.total([dense] * 4)
    >>> attention.formula()
    '4·H² + 4·H'
    >>> attention.working({"H": 768})
    '4·768² + 4·768'
    >>> attention.value({"H": 768})
    2362368
    >>> attention.in_each(("L",)).formula()
    'L·(4·H² + 4·H)'
    """

    terms: tuple[Term, ...] = ()

    @classmethod
    def of_shape(cls, shape: str) -> Polynomial:
        """The number of elements of one tensor, from its symbolic shape.

        >>> Polynomial.of_shape("2 H").value({"H": 768})
        1536
        """
        return cls((Term.of_shape(shape),))

    @classmethod
    def total(cls, parts: Iterable[Polynomial]) -> Polynomial:
        """The sum of several polynomials, like terms added up."""
        return cls.of_terms(term for part in parts for term in part.terms)

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> Polynomial:
        """The sum of terms, like ones added up: H·F and F·H are alike, and keep the first spelling."""
        found: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
        for term in terms:
            coefficient, factors, layers = term
            alike = factors, layers
            if alike not in found and _degree(term) > 1:
                spelt = [((*letters, *layers), layers) for letters in permutations(term.letters)]
                alike = next((each for each in spelt if each in found), alike)
            found[alike] = found.get(alike, 0) + coefficient
        sums = [Term(coefficient, factors, layers) for (factors, layers), coefficient in found.items()]
        return cls(tuple(sorted(sums, key=_degree, reverse=True)))

    def in_each(self, layers: tuple[str, ...]) -> Polynomial:
        """The same terms, once in every layer; the product of `layers` is how many there are."""
        return Polynomial(tuple([Term(each.coefficient, each.letters + layers, layers) for each in self.terms]))

    def value(self, sizes: Mapping[str, int]) -> int:
        """The integer it gives for these sizes (letter to number)."""
        total = 0
        for number, factors, _ in self.terms:
            for letter in factors:
                number *= sizes[letter]
            total += number
        return total

    def groups(self) -> tuple[tuple[tuple[str, ...], tuple[Term, ...]], ...]:
        """Its terms in the order of reading, each group with the letters that multiply it.

        First what grows with V, P or S (the tables at the entrance and the
        exit), then the layers, then the rest; empty groups are left out.
        """
        once = [term for term in self.terms if not term.layers]
        tables = [term for term in once if not {"V", "P", "S"}.isdisjoint(term.letters)]
        repeated = dict.fromkeys(term.layers for term in self.terms if term.layers)
        found: list[tuple[tuple[str, ...], list[Term]]] = [((), tables)]
        found += [(layers, [term for term in self.terms if term.layers == layers]) for layers in repeated]
        found.append(((), [term for term in once if term not in tables]))
        return tuple((layers, tuple(terms)) for layers, terms in found if terms)

    def formula(self) -> str:
        """The polynomial in letters, e.g. `'V·H + P·H'`."""
        return " + ".join(self.written(str)) or "0"

    def working(self, sizes: Mapping[str, int]) -> str:
        """The same with every letter replaced by its number."""
        return " + ".join(self.written(lambda letter: f"{sizes[letter]:,}")) or "0"

    def written(self, spell: Callable[[str], str]) -> list[str]:
        """Its groups as text, letters spelt by `spell`."""
        pieces = []
        for layers, terms in self.groups():
            text = " + ".join(term.written(spell) for term in terms)
            if layers:
                factor = "·".join(map(spell, layers))
                text = f"{factor}·({text})" if len(terms) > 1 else f"{factor}·{text}"
            pieces.append(text)
        return pieces


def _degree(term: Term) -> int:
    return len(term.factors) - len(term.layers)
