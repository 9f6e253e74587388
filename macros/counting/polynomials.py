"""Numbers of parameters as polynomials in the sizes.

A shape is a product of letters and integers; a part is a sum of shapes, some
of them once and some in every layer. Both are a `Polynomial`, so formula,
substituted working and integer come from one object and cannot disagree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import permutations
from math import prod
from typing import NamedTuple

FACTOR = re.compile(r"-?[0-9]+|[A-Z]")
"""A number or a letter within a dimension, such as 2F, which is two times F."""

BUT_FIRST = "({} − 1)"
"""How layers are counted that are all but the first: `"(L − 1)"`."""


def sized(dimension: str, sizes: Mapping[str, int]) -> int:
    """A dimension of a shape, or a count of layers, as a number.

    Raises:
        KeyError: there is no size of a letter.

    >>> [sized(each, {"F": 50, "L": 2}) for each in ("F", "2F", "2", "(L − 1)")]
    [50, 100, 2, 1]
    """
    if dimension in sizes:
        return sizes[dimension]
    if dimension.endswith(" − 1)"):
        return sizes[dimension[1]] - 1
    return prod(sizes[each] if each.isalpha() else int(each) for each in FACTOR.findall(dimension))


EXPONENTS = ("", "", "²")
"""How a power is written after its base; a shape has two dimensions at most."""


class Term(NamedTuple):
    """A coefficient times letters, and the letters that count its layers: `Term(4, ("H", "H"), ("L",))` is 4·L·H²."""

    coefficient: int
    letters: tuple[str, ...]
    layers: tuple[str, ...] = ()

    @property
    def factors(self) -> tuple[str, ...]:
        """All its letters."""
        return self.letters + self.layers

    @classmethod
    @cache
    def of_shape(cls, shape: str, layers: tuple[str, ...] = ()) -> Term:
        """The number of elements of one tensor, or of one in every layer, from its symbolic shape."""
        factors = [each for dimension in shape.split() for each in FACTOR.findall(dimension) or [dimension]]
        coefficient = prod(int(each) for each in factors if each.isdigit())
        return cls(coefficient, tuple(each for each in factors if not each.isdigit()), layers)

    def text(self, spell: Callable[[str], str]) -> str:
        """The term within one layer as text, letters spelt by `spell`: `'4·H²'` or `'4·768²'`."""
        factors = [spell(letter) + EXPONENTS[power] for letter, power in Counter(self.letters).items()]
        size = abs(self.coefficient)
        if size != 1 or not factors:
            factors.insert(0, f"{size:,}")
        return "−" * (self.coefficient < 0) + "·".join(factors)


class Polynomial(NamedTuple):
    """A sum of terms, some of them once and some in every layer.

    A formula has like terms added up, and the highest degree first.

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
    def of_shape(cls, shape: str, layers: tuple[str, ...] = ()) -> Polynomial:
        """The number of elements of one tensor, or of one in every layer, from its symbolic shape.

        >>> Polynomial.of_shape("2 H").value({"H": 768})
        1536
        """
        return cls((Term.of_shape(shape, layers),))

    @classmethod
    def total(cls, parts: Iterable[Polynomial]) -> Polynomial:
        """The sum of several polynomials, term by term."""
        return cls(tuple(term for part in parts for term in part.terms))

    def simplified(self) -> Polynomial:
        """The same with like terms added up: H·F and F·H are alike, and keep the first spelling."""
        sums: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
        for coefficient, letters, layers in self.terms:
            spellings = ((each, layers) for each in permutations(letters))
            alike = next((each for each in spellings if each in sums), (letters, layers))
            sums[alike] = sums.get(alike, 0) + coefficient
        return Polynomial(tuple(Term(coefficient, *alike) for alike, coefficient in sums.items()))

    def in_each(self, layers: tuple[str, ...]) -> Polynomial:
        """The same terms, once in every layer; the product of `layers` is how many there are."""
        return Polynomial(tuple(term._replace(layers=layers) for term in self.terms))

    def value(self, sizes: Mapping[str, int]) -> int:
        """The integer it gives for these sizes (letter to number)."""
        total = 0
        for number, letters, layers in self.terms:
            for letter in letters + layers:
                size = sizes.get(letter)
                number *= sized(letter, sizes) if size is None else size  # layers but for the first
            total += number
        return total

    def groups(self) -> tuple[tuple[tuple[str, ...], tuple[Term, ...]], ...]:
        """Its terms in the order of reading, each group with the letters that multiply it.

        First what grows with V, P or S (the tables at the entrance and the
        exit), then the layers, then the rest; empty groups are left out.
        """
        terms = sorted(self.simplified().terms, key=lambda term: len(term.letters), reverse=True)
        once = [term for term in terms if not term.layers]
        tables = [term for term in once if not {"V", "P", "S"}.isdisjoint(term.letters)]
        repeated = dict.fromkeys(term.layers for term in terms if term.layers)
        found: list[tuple[tuple[str, ...], list[Term]]] = [((), tables)]
        found += [(layers, [term for term in terms if term.layers == layers]) for layers in repeated]
        found.append(((), [term for term in once if term not in tables]))
        return tuple((layers, tuple(terms)) for layers, terms in found if terms)

    def formula(self) -> str:
        """The polynomial in letters, e.g. `'V·H + P·H'`."""
        return added(self.group_texts(str)) or "0"

    def working(self, sizes: Mapping[str, int]) -> str:
        """The same with every letter replaced by its number."""
        return added(self.group_texts(lambda letter: f"{sized(letter, sizes):,}")) or "0"

    def group_texts(self, spell: Callable[[str], str]) -> list[str]:
        """Its groups as text, letters spelt by `spell`."""
        pieces = []
        for layers, terms in self.groups():
            if len(terms) > 1 and layers:
                pieces.append(f"{'·'.join(map(spell, layers))}·({added(term.text(spell) for term in terms)})")
            else:  # a number comes before all letters
                alone = (term._replace(letters=layers + term.letters) for term in terms)
                pieces.append(added(term.text(spell) for term in alone))
        return pieces


def substituted(formula: str, sizes: Mapping[str, int]) -> str:
    """A formula with the number in place of each letter.

    >>> substituted("+(1 − 1/L)·4·L·H²", {"L": 12, "H": 1024})
    '+(1 − 1/12)·4·12·1,024²'
    """
    return re.sub("[A-Za-z]", lambda letter: f"{sizes[letter[0]]:,}", formula)


def added(pieces: Iterable[str]) -> str:
    """Pieces of a sum with their signs between them.

    >>> added(["V·H", "−k·H"])
    'V·H − k·H'
    """
    return " + ".join(pieces).replace("+ −", "− ")
