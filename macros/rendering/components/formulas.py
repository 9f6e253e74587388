"""Formulas as MathML, made while the site is built.

They need no script and a screen reader reads them. A formula on a line of
its own is followed by its letters, each a link to its row on the notation page.
"""

from __future__ import annotations

import re
from html import escape

from latex2mathml.converter import convert

from macros.counting import BERT, CountingError, Polynomial, Question
from macros.counting.published.bridges import BridgeStep

from . import pages
from .asking import SHORT
from .numbers import size


def formula(asked: Question) -> str:
    """The count in letters on a line of its own, and below it what the letters are."""
    return alone(asked.polynomial) + _letters_of(asked.polynomial)


def alone(letters: Polynomial) -> str:
    """A polynomial on a line of its own, or in several where the page is narrow, for what no question counts."""
    return _line(inline(letters))


def inline(letters: Polynomial) -> str:
    """A polynomial within a line or a table cell; a long one may go on in another line where the page is narrow."""
    first, *rest = letters.group_texts(str) or ["0"]
    if not rest:
        return _math(f"<mrow>{_tokens(first)}</mrow>" if letters.terms else _tokens(first), first)
    pieces = [first, *(f"+ {each}" for each in rest)]
    plus = '<mo form="infix">+</mo>'  # at the beginning of a formula it would stand close to what follows
    grouped = [f"<mrow>{_tokens(first)}</mrow>", *(f"{plus}<mrow>{_tokens(each)}</mrow>" for each in rest)]
    pieces = [_math(group, piece) for group, piece in zip(grouped, pieces, strict=True)]
    return f'<span class="bc-math">{"<wbr>".join(pieces)}</span>'


def change(step: BridgeStep) -> str:
    """The formula of one step of a bridge, with its signs."""
    pieces = []
    for summand in step.summands:
        letters = _sum(summand.letters)
        bracket = f"<mo>(</mo>{letters}<mo>)</mo>" if summand.summed else letters
        pieces.append(f"<mrow>{_tokens(summand.factor)}{bracket}</mrow>")
    return _math("".join(pieces), step.formula)


def text(formula: str) -> str:
    """A formula written out as text: letters, digits, signs, and primes behind letters of another model.

    Where the page is narrow, a difference of sums goes on in another line.
    """
    pieces = [_math(f"<mrow>{_tokens(each)}</mrow>", each) for each in re.split(r"(?<=\)) (?=[−+] )", formula)]
    return f'<span class="bc-math">{"<wbr>".join(pieces)}</span>' if len(pieces) > 1 else pieces[0]


def symbol(letter: str) -> str:
    """One letter as mathematics."""
    return _math(_tokens(letter), letter)


def shape(symbolic: str) -> str:
    """A symbolic shape such as `"V H"` as mathematics: V × H; `"A H/A"` becomes A × (H / A)."""
    texts = [f"({each})" if "/" in each else each for each in symbolic.split()]
    dimensions = [f"<mrow>{_tokens(each)}</mrow>" if "/" in each else _tokens(each) for each in texts]
    return _math("<mo>×</mo>".join(dimensions), " × ".join(texts))


def latex(source: str) -> str:
    """A prose formula written in LaTeX, on a line of its own.

    Raises:
        CountingError: it is not LaTeX, or has a command that the converter does not know.
    """
    try:
        converted = convert(source, display="block")
    except Exception as error:  # the converter's errors have no common class
        raise CountingError(f"LaTeX {source!r} cannot be read ({type(error).__name__}); correct it") from error
    unknown = re.findall(r"\\\w+", converted)
    if unknown:
        raise CountingError(f"LaTeX {source!r} has {unknown[0]}, which the converter does not know; write it otherwise")
    return _line(converted.replace("<math ", f'<math alttext="{escape(" ".join(source.split()))}" ', 1))


def _line(html: str) -> str:
    return f'<div class="bc-formula" role="group" aria-label="formula" tabindex="0">{html}</div>'


LATEX = {"′": "'", "×": r" \times ", "·": r" \cdot ", "−": "-", "²": "^{2}"}
"""Signs of our formulas that LaTeX writes otherwise."""


def _math(content: str, text: str) -> str:
    """A formula with its LaTeX beside it, for the Markdown of the page.

    Args:
        content: its elements.
        text: the same as text.
    """
    source = "".join(LATEX.get(each, each) for each in text)
    return f'<math alttext="{" ".join(source.split())}">{content}</math>'


def _letters_of(letters: Polynomial) -> str:
    """The letters of a formula, linked, with their numbers in base and large."""
    used = {letter for term in letters.terms for letter in term.factors}
    items = []
    for each in (each for each in BERT.symbols if each.letter in used):
        link = f'<a href="{pages.ROOT}{pages.of_symbol(each.letter)}">{symbol(each.letter)} {each.key}</a>'
        values = ", ".join(f"{size(each.letter, model)} in {short}" for model, short in SHORT.items())
        items.append(f'<li data-letter="{each.letter}">{link}: {values}</li>')
    return f'<ul class="bc-where">{"".join(items)}</ul>'


def _sum(letters: Polynomial) -> str:
    groups = [f"<mrow>{_tokens(each)}</mrow>" for each in letters.group_texts(str)]
    return "<mo>+</mo>".join(groups) or _tokens("0")


TOKEN = re.compile(r"(?P<primed>[A-Z]′²?)|(?P<msup>[A-Za-z]²)|(?P<mi>[A-Za-z])|(?P<mn>[0-9][0-9,]*)|(?P<mo>\S)")
"""A letter with a prime, and a square, letter, number or sign, each of these called by its element of MathML."""


def _tokens(text: str) -> str:
    """The elements of a formula such as `+(A − 1)·H²`."""
    return "".join(_token(str(found.lastgroup), found[0]) for found in TOKEN.finditer(text))


def _token(element: str, text: str) -> str:
    if element == "primed":
        raised = "<mrow><mo>′</mo><mn>2</mn></mrow>" if text.endswith("²") else "<mo>′</mo>"
        return f"<msup><mi>{text[0]}</mi>{raised}</msup>"
    inside = f"<mi>{text[0]}</mi><mn>2</mn>" if element == "msup" else text
    return f"<{element}>{inside}</{element}>"
