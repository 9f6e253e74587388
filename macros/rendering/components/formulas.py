"""Formulas as MathML.

The build makes them, so they need no script, and screen readers can read them. The attribute `alttext` has
the same formula in LaTeX, for the Markdown edition of the page. Below a formula on a line of its own, its
letters are listed, each with a link to its row on the notation page.

A long formula consists of several `<math>` elements with a `<wbr>` between them, because browsers do not
break a line within one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from latex2mathml.converter import convert

from macros.counting import BERT, CountingError, Polynomial, Question
from macros.counting.polynomials import Term
from macros.counting.published.bridges import BridgeStep

from . import pages
from .asking import SHORT_NAMES
from .linked import paths_by_term
from .numbers import size
from .svg import part_attribute


def formula(question: Question) -> str:
    """The formula of a count on a line of its own, with the meaning of each letter below it.

    Each term has the paths of the tensors that it collects, so that the page can highlight it.
    """
    return _line(inline(question.polynomial, paths_by_term(question))) + _letters_of(question.polynomial)


def without_meanings(polynomial: Polynomial) -> str:
    """A polynomial on a line of its own, without the meanings of its letters; a narrow page breaks it at plus signs."""
    return _line(inline(polynomial))


NO_PATHS: Mapping[Term, tuple[str, ...]] = {}
"""The paths of terms for a formula that is not linked to anything else on its page."""


def inline(polynomial: Polynomial, paths: Mapping[Term, tuple[str, ...]] = NO_PATHS) -> str:
    """A polynomial within a sentence or a table cell; a narrow page breaks it at plus signs.

    Args:
        polynomial: the polynomial.
        paths: the paths of the tensors that a term collects, for the terms that have any.
    """
    if not polynomial.terms:
        return _math(_tokens("0"), "0")
    groups = [_group(layers, terms, paths) for layers, terms in polynomial.groups()]
    first, *rest = zip(groups, polynomial.group_texts(str), strict=True)
    pieces = [_math(f"<mrow>{first[0]}</mrow>", first[1])]
    if not rest:
        return pieces[0]
    # Without `form`, a sign at the beginning of an element is set as a prefix, too close to the letter
    # after it.
    plus = '<mo form="infix">+</mo>'
    pieces += [_math(f"{plus}<mrow>{group}</mrow>", f"+ {text}") for group, text in rest]
    return f'<span class="bc-math">{"<wbr>".join(pieces)}</span>'


def _group(layers: tuple[str, ...], terms: tuple[Term, ...], paths: Mapping[Term, tuple[str, ...]]) -> str:
    """The elements of one group of a formula: its terms, in brackets after the letters of layers if there are several.

    A single term is written with the letters of its layers, as in 4·L·H.
    """
    in_brackets = bool(layers) and len(terms) > 1
    pieces = []
    for index, term in enumerate(terms):
        full_term = term if in_brackets else term._replace(letters=layers + term.letters)
        text = full_term.text(str)
        if index:
            pieces.append(_tokens("−" if text.startswith("−") else "+"))
            text = text.removeprefix("−")
        part = part_attribute(*paths.get(term, ()))
        pieces.append(f'<mrow class="bc-term"{part} data-each>{_tokens(text)}</mrow>' if part else _tokens(text))
    body = "".join(pieces)
    return f"{_tokens('·'.join(layers))}{_tokens('·(')}{body}{_tokens(')')}" if in_brackets else body


def of_step(step: BridgeStep) -> str:
    """The formula of one step of a bridge, with the sign of each summand."""
    pieces = []
    for summand in step.summands:
        terms = _sum(summand.polynomial)
        bracket = f"<mo>(</mo>{terms}<mo>)</mo>" if summand.is_sum else terms
        pieces.append(f"<mrow>{_tokens(summand.factor)}{bracket}</mrow>")
    return _math("".join(pieces), step.formula)


def from_text(formula: str) -> str:
    """A formula in text form as mathematics.

    It may contain letters, digits, signs, and primes after the letters of another model. A narrow page breaks
    it after a closing bracket, and a long sum in brackets in its middle.
    """
    texts = [half for piece in re.split(r"(?<=\)) (?=[−+] )", formula) for half in _halves(piece)]
    pieces = [_math(f"<mrow>{_tokens(piece)}</mrow>", piece) for piece in texts]
    return f'<span class="bc-math">{"<wbr>".join(pieces)}</span>' if len(pieces) > 1 else pieces[0]


LONGEST_SUM = 48
"""The largest number of characters of a sum that fit on one line of a phone."""


def _halves(piece: str) -> list[str]:
    """A sum that is too long for a phone in two halves, the second beginning with a sign; any other sum whole."""
    signs = [match.start() for match in re.finditer(r" [+−] ", piece)]
    if len(piece) <= LONGEST_SUM or not signs:
        return [piece]
    middle = min(signs, key=lambda index: abs(index - len(piece) // 2))
    return [piece[:middle], piece[middle + 1 :]]


def symbol(letter: str) -> str:
    """One letter as mathematics."""
    return _math(_tokens(letter), letter)


def shape(symbolic: str) -> str:
    """A symbolic shape such as `"V H"` as mathematics: V × H; `"A H/A"` becomes A × (H / A)."""
    texts = [f"({size})" if "/" in size else size for size in symbolic.split()]
    dimensions = [f"<mrow>{_tokens(size)}</mrow>" if "/" in size else _tokens(size) for size in texts]
    return _math("<mo>×</mo>".join(dimensions), " × ".join(texts))


def latex(source: str) -> str:
    """A formula that the page writes in LaTeX, on a line of its own: `latex("H^2 + H")`.

    It is only for formulas that belong to no count, such as the definition of LayerNorm; `formula` takes all others
    from the engine.

    Raises:
        CountingError: it is not LaTeX, or has a command that the converter does not know.
    """
    try:
        mathml = convert(source, display="block")
    except Exception as error:  # the converter's errors have no common class
        raise CountingError(f"LaTeX {source!r} cannot be read ({type(error).__name__}); correct it") from error
    # The converter leaves a command that it does not know in its output, instead of refusing it.
    commands = re.findall(r"\\\w+", mathml)
    if commands:
        raise CountingError(
            f"LaTeX {source!r} has {commands[0]}, which the converter does not know; write it with other commands"
        )
    return _line(mathml.replace("<math ", f'<math alttext="{escape(" ".join(source.split()))}" ', 1))


def _line(html: str) -> str:
    """A formula on a line of its own; it can be focused, because a keyboard must be able to scroll it."""
    return f'<div class="bc-formula" role="group" aria-label="formula" tabindex="0">{html}</div>'


LATEX_SIGNS = {"′": "'", "×": r" \times ", "·": r" \cdot ", "−": "-", "²": "^{2}"}
"""The signs in our formulas that LaTeX writes differently."""


def _math(content: str, text: str) -> str:
    """A formula with its LaTeX in `alttext`, for the Markdown edition of the page.

    Args:
        content: its MathML elements.
        text: the same formula as text.
    """
    source = "".join(LATEX_SIGNS.get(character, character) for character in text)
    return f'<math alttext="{" ".join(source.split())}">{content}</math>'


def _letters_of(polynomial: Polynomial) -> str:
    """The letters of a formula, each with a link, its config key, and its values in BERT base and BERT large."""
    present = {letter for term in polynomial.terms for letter in term.factors}
    items = []
    for entry in (entry for entry in BERT.symbols if entry.letter in present):
        link = f'<a href="{pages.ROOT}{pages.of_symbol(entry.letter)}">{symbol(entry.letter)} {entry.key}</a>'
        values = {short: size(entry.letter, model) for model, short in SHORT_NAMES.items()}
        if len(set(values.values())) == 1:
            values_text = f"{values['base']} in both"
        else:
            values_text = ", ".join(f"{value} in BERT {short}" for short, value in values.items())
        items.append(f'<li data-letter="{entry.letter}">{link}: {values_text}</li>')
    return f'<ul class="bc-where">{"".join(items)}</ul>'


def _sum(polynomial: Polynomial) -> str:
    """The elements of a polynomial; zero for an empty one."""
    groups = [f"<mrow>{_tokens(group)}</mrow>" for group in polynomial.group_texts(str)]
    return "<mo>+</mo>".join(groups) or _tokens("0")


TOKEN = re.compile(r"(?P<primed>[A-Z]′²?)|(?P<msup>[A-Za-z]²)|(?P<mi>[A-Za-zα-ω])|(?P<mn>[0-9][0-9,]*)|(?P<mo>\S)")
"""One token of a formula: the name of the group that matches is its MathML element.

`primed` is the exception: it stands for a letter with a prime, perhaps squared.
"""


def _tokens(text: str) -> str:
    """The elements of a formula in text form, such as `+(A − 1)·H²`."""
    return "".join(_token(str(token.lastgroup), token[0]) for token in TOKEN.finditer(text))


def _token(element: str, text: str) -> str:
    """The element of one token, by the name of its group in `TOKEN`."""
    if element == "primed":
        raised = "<mrow><mo>′</mo><mn>2</mn></mrow>" if text.endswith("²") else "<mo>′</mo>"
        return f"<msup><mi>{text[0]}</mi>{raised}</msup>"
    content = f"<mi>{text[0]}</mi><mn>2</mn>" if element == "msup" else text
    return f"<{element}>{content}</{element}>"
