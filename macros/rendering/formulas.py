"""Formulas as MathML, made while the site is built.

They need no script, a screen reader reads them, and each letter is a link to
its row on the notation page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from latex2mathml.converter import convert

from macros.counting import SYMBOLS, Polynomial
from macros.counting.polynomials import Term

from .asked import Asked
from .links import ROOT
from .numbers import whole

MEANING = {symbol.letter: symbol for symbol in SYMBOLS}


def formula(asked: Asked) -> str:
    """The count in letters, on a line of its own."""
    return _line(_math(_sum(asked.polynomial, _letter)))


def inline(letters: Polynomial) -> str:
    """A polynomial within a line or a table cell."""
    return _math(_sum(letters, _letter))


def symbol(letter: str) -> str:
    """One letter as mathematics, linked to its meaning."""
    return _math(_letter(letter))


def shape(symbolic: str) -> str:
    """A symbolic shape such as `"V H"` as mathematics: V × H."""
    dimensions = [_number(int(each)) if each.isdigit() else _letter(each) for each in symbolic.split()]
    return _math("<mo>×</mo>".join(dimensions))


def latex(source: str) -> str:
    """A prose formula written in LaTeX, on a line of its own."""
    return _line(convert(source, display="block"))


def _line(html: str) -> str:
    return f'<div class="bc-formula">{html}</div>'


def _math(content: str) -> str:
    return f"<math>{content}</math>"


def _letter(letter: str) -> str:
    # mathvariant keeps the browser from choosing a glyph of a mathematics font; the style sheet sets italics.
    meaning = MEANING[letter]
    title = f"{meaning.key}: {meaning.meaning}"
    link = f'<a href="{ROOT}notation.html#symbol-{letter.lower()}" title="{title}">{letter}</a>'
    return f'<mi mathvariant="normal">{link}</mi>'


def _number(number: int) -> str:
    return f"<mn>{whole(number)}</mn>"


def _sum(letters: Polynomial, spell: Callable[[str], str]) -> str:
    pieces = []
    for factor, terms in letters.groups():
        inner = _joined((_term(term, spell) for term in terms), "+")
        if factor:
            bracket = f"<mo>(</mo>{inner}<mo>)</mo>" if len(terms) > 1 else inner
            inner = f"{spell(factor)}<mo>·</mo>{bracket}"
        pieces.append(f"<mrow>{inner}</mrow>")
    return _joined(pieces, "+") or _number(0)


def _term(term: Term, spell: Callable[[str], str]) -> str:
    factors = [
        spell(letter) if power == 1 else f"<msup>{spell(letter)}{_number(power)}</msup>"
        for letter, power in term.powers().items()
    ]
    if term.coefficient != 1 or not factors:
        factors.insert(0, _number(term.coefficient))
    return _joined(factors, "·")


def _joined(pieces: Iterable[str], operator: str) -> str:
    return f"<mo>{operator}</mo>".join(pieces)
