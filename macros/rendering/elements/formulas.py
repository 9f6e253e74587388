"""Formulas as MathML, made while the site is built.

They need no script and a screen reader reads them. Below a formula that has
a line of its own stand its letters, each a link to its row on the notation page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from latex2mathml.converter import convert

from macros.counting import BERT, CountingError, Polynomial, Question
from macros.counting.disagreements.bridges import Step
from macros.counting.polynomials import Term

from . import pages
from .asking import SHORT
from .numbers import size, whole


def formula(asked: Question) -> str:
    """The count in letters on a line of its own, and below it what the letters are."""
    return _line(_math(_sum(asked.polynomial, _letter))) + _letters_of(asked.polynomial)


def inline(letters: Polynomial) -> str:
    """A polynomial within a line or a table cell."""
    return _math(_sum(letters, _letter))


def change(step: Step) -> str:
    """The formula of one step of a bridge, with its signs."""
    pieces = []
    for summand in step.summands:
        letters = _sum(summand.letters, _letter)
        bracket = f"<mo>(</mo>{letters}<mo>)</mo>" if summand.summed else letters
        pieces.append(f"<mrow>{_tokens(summand.factor)}{bracket}</mrow>")
    return _math("".join(pieces))


def _tokens(text: str) -> str:
    """Letters, numbers and signs of a factor such as `+(A − 1)·`."""
    found = re.findall(r"[A-Z]|[0-9][0-9,]*|[^A-Z0-9\s]", text)
    tags = {each: "mi" if each.isalpha() else "mn" if each[0].isdigit() else "mo" for each in found}
    return "".join(f"<{tags[each]}>{each}</{tags[each]}>" for each in found)


def symbol(letter: str) -> str:
    """One letter as mathematics."""
    return _math(_letter(letter))


def shape(symbolic: str) -> str:
    """A symbolic shape such as `"V H"` as mathematics: V × H; `"A H/A"` becomes A × (H / A)."""
    return _math("<mo>×</mo>".join(map(_dimension, symbolic.split())))


def latex(source: str) -> str:
    """A prose formula written in LaTeX, on a line of its own.

    Raises:
        CountingError: it is no LaTeX, or has a command that the converter does not know.
    """
    try:
        converted = convert(source, display="block")
    except Exception as error:  # the converter's errors have no common class
        raise CountingError(f"LaTeX {source!r} cannot be read ({type(error).__name__}); correct it") from error
    unknown = re.findall(r"\\\w+", converted)
    if unknown:
        raise CountingError(f"LaTeX {source!r} has {unknown[0]}, which the converter does not know; write it otherwise")
    return _line(converted)


def _line(html: str) -> str:
    return f'<div class="bc-formula" role="group" aria-label="formula" tabindex="0">{html}</div>'


def _math(content: str) -> str:
    return f"<math>{content}</math>"


def _letters_of(letters: Polynomial) -> str:
    """The letters of a formula, linked, with their numbers in base and large."""
    used = {letter for term in letters.terms for letter in term.letters + term.layers}
    items = []
    for each in (symbol for symbol in BERT.symbols if symbol.letter in used):
        link = f'<a href="{pages.ROOT}{pages.of_symbol(each.letter)}">{_math(_letter(each.letter))} {each.key}</a>'
        values = ", ".join(f"{size(each.letter, model)} in {short}" for model, short in SHORT.items())
        items.append(f"<li>{link}: {values}</li>")
    return f'<ul class="bc-where">{"".join(items)}</ul>'


def _dimension(text: str) -> str:
    above, *below = text.split("/")
    if below:
        return f"<mrow><mo>(</mo>{_letter(above)}<mo>/</mo>{_letter(below[0])}<mo>)</mo></mrow>"
    return _number(int(text)) if text.isdigit() else _letter(text)


def _letter(letter: str) -> str:
    return f"<mi>{letter}</mi>"


def _number(number: int) -> str:
    return f"<mn>{whole(number)}</mn>"


def _sum(letters: Polynomial, spell: Callable[[str], str]) -> str:
    pieces = []
    for layers, terms in letters.groups():
        inner = _joined((_term(term, spell) for term in terms), "+")
        if layers:
            bracket = f"<mo>(</mo>{inner}<mo>)</mo>" if len(terms) > 1 else inner
            inner = _joined([*map(spell, layers), bracket], "·")
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
