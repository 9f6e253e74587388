"""Numbers of parameters as polynomials in the sizes.

The size of a tensor is the product of its dimensions; the size of a part is a sum of
these products, some counted once and some in every layer. Both are a `Polynomial`. So
the formula, the formula with numbers filled in, and the result come from one object
and cannot disagree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache
from math import prod
from typing import NamedTuple

FACTOR = re.compile(r"-?[0-9]+|[A-Z]")
"""A number or a capital letter within a dimension. The dimension 2F means 2 × F, and LA means L × A."""

MINUS = "−"
"""The sign in a dimension that is a difference, such as H−E. In a formula, the difference is one factor: V·(H − E)."""

OPERATORS = (MINUS, "/", "·")
"""The operators in a computed dimension, such as H/b or b·(b−1)/2, in the order in which `number_of` splits at them."""

DIFFERENCE = re.compile(rf"\((\w+) {MINUS} (\w+)\)")
"""A factor that is the difference of two sizes, such as (H − E)."""

ALL_BUT_FIRST = "({} − 1)"
"""A template for the number of layers, not counting the first; with the letter L, it gives `"(L − 1)"`."""


def number_of(dimension: str, sizes: Mapping[str, int]) -> int:
    """The value of a dimension of a shape, or of a number of layers such as `"(L − 1)"`.

    A quotient is rounded down.

    Raises:
        KeyError: a capital letter has no size.

    >>> dimensions = ("F", "2F", "LF", "2", "F−L", "(F − L)", "(L − 1)", "2F/L", "F·(F−1)/2")
    >>> [number_of(dimension, {"F": 50, "L": 2}) for dimension in dimensions]
    [50, 100, 100, 2, 48, 48, 1, 50, 1225]
    """
    if dimension in sizes:
        return sizes[dimension]
    text = dimension.replace(" ", "")
    for operator in OPERATORS:
        if operator in text and (position := _position_outside_brackets(operator, text)) > 0:
            first, second = (number_of(side, sizes) for side in (text[:position], text[position + 1 :]))
            if operator == MINUS:
                return first - second
            return first // second if operator == "/" else first * second
    if text.startswith("("):
        return number_of(text[1:-1], sizes)
    return prod(sizes[factor] if factor.isalpha() else int(factor) for factor in FACTOR.findall(text))


def _position_outside_brackets(operator: str, text: str) -> int:
    """The index of the last occurrence of `operator` outside brackets; -1 if there is none."""
    depth = 0
    for position in reversed(range(len(text))):
        # The text is read backwards, so a closing bracket comes before its opening one.
        if text[position] == ")":
            depth += 1
        elif text[position] == "(":
            depth -= 1
        if text[position] == operator and not depth:
            return position
    return -1


def factors_of(dimension: str) -> list[str]:
    """The factors of a dimension: numbers and letters, or a single computed factor, such as `"(H − E)"`.

    >>> factors_of("2F"), factors_of("H−E"), factors_of("b·(b−1)/2")
    (['2', 'F'], ['(H − E)'], ['(b·(b − 1)/2)'])
    """
    if any(operator in dimension for operator in OPERATORS):
        return [f"({dimension.replace(MINUS, f' {MINUS} ')})"]
    return FACTOR.findall(dimension) or [dimension]


EXPONENTS = ("", "", "²")
"""The superscripts of the powers 0, 1 and 2. No shape has the same letter three times, so there is no higher power."""


class Term(NamedTuple):
    """A product of a coefficient, letters, and the letters that count its layers.

    `Term(4, ("H", "H"), ("L",))` is 4·L·H². A computed factor, such as `"(H − E)"` or `"(L − 1)"`, may take the place
    of a letter.
    """

    coefficient: int
    letters: tuple[str, ...]
    layers: tuple[str, ...] = ()

    @property
    def all_letters(self) -> tuple[str, ...]:
        """Its letters, followed by the letters that count its layers."""
        return self.letters + self.layers

    @classmethod
    @cache
    def of_shape(cls, shape: str, layers: tuple[str, ...] = ()) -> Term:
        """The number of elements of a tensor with this symbolic shape or, given `layers`, of one tensor in every layer.

        The number of layers is the product of the letters in `layers`.
        """
        factors = [factor for dimension in shape.split() for factor in factors_of(dimension)]
        coefficient = prod(int(factor) for factor in factors if factor.isdigit())
        return cls(coefficient, tuple(factor for factor in factors if not factor.isdigit()), layers)

    def times(self, number: int, layers: tuple[str, ...] = ()) -> Term:
        """The term multiplied by a number, and counted once in each of `layers` in place of its own layers."""
        return Term(number * self.coefficient, self.letters, layers)

    @property
    def expanded(self) -> tuple[Term, ...]:
        """The term written out as terms without differences: V·(H − E) becomes V·H and −V·E."""
        for position, factor in enumerate(self.letters):
            if difference := DIFFERENCE.fullmatch(factor):
                first, second = difference.groups()
                before, after = self.letters[:position], self.letters[position + 1 :]
                positive_term = self._replace(letters=(*before, first, *after))
                negative_term = self._replace(coefficient=-self.coefficient, letters=(*before, second, *after))
                return (*positive_term.expanded, *negative_term.expanded)
        return (self,)

    def text(self, spell: Callable[[str], str]) -> str:
        """The term for one layer as text, such as `'4·H²'` or `'4·768²'`, with letters as `spell` writes them."""
        factors = [spell(letter) + EXPONENTS[power] for letter, power in Counter(self.letters).items()]
        absolute_value = abs(self.coefficient)
        if absolute_value != 1 or not factors:
            factors.insert(0, f"{absolute_value:,}")
        sign = "−" if self.coefficient < 0 else ""
        return sign + "·".join(factors)


class Polynomial(NamedTuple):
    """A sum of terms, some counted once and some in every layer.

    Its formula collects like terms and, within each group of terms, puts the highest degree first.

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
        """A polynomial that consists of the term that `Term.of_shape` returns.

        >>> Polynomial.of_shape("2 H").value({"H": 768})
        1536
        """
        return cls((Term.of_shape(shape, layers),))

    @classmethod
    def total(cls, parts: Iterable[Polynomial]) -> Polynomial:
        """The sum of several polynomials, without collecting like terms."""
        return cls(tuple(term for part in parts for term in part.terms))

    def simplified(self) -> Polynomial:
        """The same polynomial with like terms collected. H·F and F·H are like terms; the first spelling is kept."""
        like_terms: dict[tuple[tuple[str, ...], tuple[str, ...]], Term] = {}
        for term in self.terms:
            coefficient, letters, layers = term
            key = (tuple(sorted(letters)) if len(letters) > 1 else letters, layers)
            first = like_terms.get(key)
            like_terms[key] = Term(first[0] + coefficient, first[1], layers) if first else term
        return Polynomial(tuple(like_terms.values()))

    def in_each(self, layers: tuple[str, ...]) -> Polynomial:
        """The terms, each counted in all layers; the number of layers is the product of the letters in `layers`."""
        return Polynomial(tuple(term._replace(layers=layers) for term in self.terms))

    def without_letters(self, letters: Collection[str]) -> Polynomial:
        """The terms without the factors in `letters`, as if each of these sizes were 1.

        >>> Polynomial.of_shape("B T H").without_letters("BT").formula()
        'H'
        """
        return Polynomial(
            tuple(
                term._replace(letters=tuple(letter for letter in term.letters if letter not in letters))
                for term in self.terms
            )
        )

    def value(self, sizes: Mapping[str, int]) -> int:
        """The value of the polynomial, given the sizes by letter.

        Raises:
            KeyError: a capital letter has no size.
        """
        total = 0
        for product, letters, layers in self.terms:
            for letter in letters + layers:
                # The dictionary is tried first, because `number_of` is slow and only computed factors need it.
                size = sizes.get(letter)
                product *= number_of(letter, sizes) if size is None else size
            total += product
        return total

    def groups(self) -> tuple[tuple[tuple[str, ...], tuple[Term, ...]], ...]:
        """Its terms in groups, in the order of a formula, each group paired with the letters that multiply it.

        First come the terms with V, P or S (the embedding tables and the decoder),
        then the layers, then all other terms. Empty groups are left out.
        """
        terms = sorted(self.simplified().terms, key=lambda term: len(term.letters), reverse=True)
        terms_once = [term for term in terms if not term.layers]
        tables = [term for term in terms_once if not {"V", "P", "S"}.isdisjoint(term.letters)]
        layer_groups = dict.fromkeys(term.layers for term in terms if term.layers)
        groups: list[tuple[tuple[str, ...], list[Term]]] = [((), tables)]
        groups += [(layers, [term for term in terms if term.layers == layers]) for layers in layer_groups]
        groups.append(((), [term for term in terms_once if term not in tables]))
        return tuple((layers, tuple(terms)) for layers, terms in groups if terms)

    def formula(self) -> str:
        """The polynomial as a symbolic formula, such as `'V·H + P·H'`."""
        return _formula(self)

    def working(self, sizes: Mapping[str, int]) -> str:
        """The formula with numbers substituted for the letters."""
        return sum_text(self.group_texts(lambda letter: f"{number_of(letter, sizes):,}")) or "0"

    def group_texts(self, spell: Callable[[str], str]) -> list[str]:
        """The text of each group, with letters as `spell` writes them."""
        pieces = []
        for layers, terms in self.groups():
            if len(terms) > 1 and layers:
                pieces.append(f"{'·'.join(map(spell, layers))}·({sum_text(term.text(spell) for term in terms)})")
            else:
                # A single term, or a group outside the layers, needs no parentheses. The coefficient of a term comes
                # before all its letters, as in 4·L·H.
                products = (term._replace(letters=layers + term.letters) for term in terms)
                pieces.append(sum_text(term.text(spell) for term in products))
        return pieces


@lru_cache(maxsize=10_000)  # all models together have few shapes; limited because readers may ask for any change
def _formula(polynomial: Polynomial) -> str:
    """The result of `Polynomial.formula`."""
    return sum_text(polynomial.group_texts(str)) or "0"


def substitute(formula: str, sizes: Mapping[str, int]) -> str:
    """The formula with numbers in place of its letters.

    >>> substitute("+(1 − 1/L)·4·L·H²", {"L": 12, "H": 1024})
    '+(1 − 1/12)·4·12·1,024²'
    """
    return re.sub("[A-Za-z]", lambda match: f"{sizes[match[0]]:,}", formula)


def sum_text(pieces: Iterable[str]) -> str:
    """The text of a sum: its pieces with plus and minus signs between them.

    >>> sum_text(["V·H", "−k·H"])
    'V·H − k·H'
    """
    return " + ".join(pieces).replace("+ −", "− ")
