"""Formulas as MathML, which needs no script and which screen readers can read.

The attribute `alttext` contains the same formula in LaTeX, for the Markdown edition of the page. Below the
displayed formula of a count, its letters are listed, each with a link to its row on the notation page.

A long formula is split into several `<math>` elements with a `<wbr>` between them, because browsers do not
break lines within a `<math>` element.
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
from .asking import SHORT_NAMES, model_of
from .counted_paths import paths_by_term
from .numbers import size
from .svg import part_attribute


def formula(question: Question) -> str:
    """The formula of a count, displayed on a separate line, with the meaning of each of BERT's letters below it.

    Each term has the paths of the tensors that it counts, so that the page can highlight it.
    """
    return _as_display(inline(question.polynomial, paths_by_term(question))) + _letters_of(question.polynomial)


def without_meanings(polynomial: Polynomial) -> str:
    """A polynomial as a displayed formula, without its letters' meanings; it can break between groups of terms."""
    return _as_display(inline(polynomial))


NO_PATHS: Mapping[Term, tuple[str, ...]] = {}
"""The paths of a formula whose terms are not highlighted together with other parts of a page."""


def inline(polynomial: Polynomial, paths: Mapping[Term, tuple[str, ...]] = NO_PATHS) -> str:
    """A polynomial within a sentence or a table cell; it can break between groups of terms.

    Args:
        polynomial: the polynomial.
        paths: the paths of the tensors that each term counts, for the terms to be highlighted.
    """
    if not polynomial.terms:
        return _math(_tokens("0"), "0")
    groups = [_group(layers, terms, paths) for layers, terms in polynomial.groups()]
    first, *rest = zip(groups, polynomial.group_texts(str), strict=True)
    pieces = [_math(f"<mrow>{first[0]}</mrow>", first[1])]
    if not rest:
        return pieces[0]
    # Without `form`, browsers treat a sign at the beginning of an element as a prefix and set it too close to
    # the next letter.
    plus_sign = '<mo form="infix">+</mo>'
    pieces += [_math(f"{plus_sign}<mrow>{group}</mrow>", f"+ {text}") for group, text in rest]
    return f'<span class="bc-math">{"<wbr>".join(pieces)}</span>'


def _group(layers: tuple[str, ...], terms: tuple[Term, ...], paths: Mapping[Term, tuple[str, ...]]) -> str:
    """The elements of one group of terms in a formula.

    Several terms in layers are put in brackets after the letters of the layers, as in L·(H + F). A single term includes
    these letters, as in 4·L·H.
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
        elements = _sum(summand.polynomial)
        bracket = f"<mo>(</mo>{elements}<mo>)</mo>" if summand.is_sum else elements
        pieces.append(f"<mrow>{_tokens(summand.factor)}{bracket}</mrow>")
    return _math("".join(pieces), step.formula)


def from_text(text: str) -> str:
    """A formula that is given as text: letters, digits, signs, and primes after the letters of another model.

    It can break before a sign that follows a closing bracket and, if it is a long sum, near its middle.
    """
    piece_texts = [half for piece in re.split(r"(?<=\)) (?=[−+] )", text) for half in _halves(piece)]
    pieces = [_math(f"<mrow>{_tokens(piece_text)}</mrow>", piece_text) for piece_text in piece_texts]
    return f'<span class="bc-math">{"<wbr>".join(pieces)}</span>' if len(pieces) > 1 else pieces[0]


LONGEST_SUM = 48
"""The maximum number of characters in a sum that fits on one line on a phone."""


def _halves(piece: str) -> list[str]:
    """A sum in two pieces, the second of which begins with a sign, if it is too long for a phone; otherwise in one."""
    signs = [match.start() for match in re.finditer(r" [+−] ", piece)]
    if len(piece) <= LONGEST_SUM or not signs:
        return [piece]
    middle = min(signs, key=lambda index: abs(index - len(piece) // 2))
    return [piece[:middle], piece[middle + 1 :]]


def symbol(letter: str) -> str:
    """A single letter in MathML."""
    return _math(_tokens(letter), letter)


def shape(symbolic_shape: str) -> str:
    """A symbolic shape in MathML: `"V H"` becomes V × H, and `"A H/A"` becomes A × (H / A)."""
    texts = [f"({dimension})" if "/" in dimension else dimension for dimension in symbolic_shape.split()]
    dimensions = [f"<mrow>{_tokens(text)}</mrow>" if "/" in text else _tokens(text) for text in texts]
    return _math("<mo>×</mo>".join(dimensions), " × ".join(texts))


def latex(source: str) -> str:
    """A displayed formula that the page writes in LaTeX: `latex("H^2 + H")`.

    This is only for formulas that do not count anything, such as the definition of LayerNorm.

    Raises:
        CountingError: the source is not valid LaTeX or contains a command that the converter does not support.
    """
    try:
        mathml = convert(source, display="block")
    except Exception as error:  # the converter's errors have no common class
        raise CountingError(f"LaTeX {source!r} cannot be read ({type(error).__name__}); correct it") from error
    # The converter copies unknown commands to its output instead of rejecting them.
    commands = re.findall(r"\\\w+", mathml)
    if commands:
        raise CountingError(
            f"LaTeX {source!r} has {commands[0]}, which the converter does not know; write it with other commands"
        )
    return _as_display(mathml.replace("<math ", f'<math alttext="{escape(" ".join(source.split()))}" ', 1))


def _as_display(html: str) -> str:
    """A displayed formula; it is focusable so that it can be scrolled with the keyboard."""
    return f'<div class="bc-formula" role="group" aria-label="formula" tabindex="0">{html}</div>'


LATEX_SIGNS = {"′": "'", "×": r" \times ", "·": r" \cdot ", "−": "-", "²": "^{2}"}
"""The signs in our formulas that are written differently in LaTeX."""


def _math(content: str, text: str) -> str:
    """A formula with its LaTeX in `alttext`, for the Markdown edition of the page.

    Args:
        content: the MathML elements of the formula.
        text: the same formula as text.
    """
    source = "".join(LATEX_SIGNS.get(character, character) for character in text)
    return f'<math alttext="{" ".join(source.split())}">{content}</math>'


def _letters_of(polynomial: Polynomial) -> str:
    """A list of a formula's letters, each with a link, its config key and its values in BERT base and BERT large.

    Letters that BERT does not have are not listed.
    """
    letters = {letter for term in polynomial.terms for letter in term.all_letters}
    items = []
    for letter, key in ((size_symbol.letter, size_symbol.key) for size_symbol in BERT.symbols):
        if letter not in letters:
            continue
        link = f'<a href="{pages.ROOT}{pages.of_symbol(letter)}">{symbol(letter)} {key}</a>'
        values = {short_name: size(letter, model) for model, short_name in SHORT_NAMES.items()}
        if len({model_of(model).sizes[letter] for model in SHORT_NAMES}) == 1:
            values_text = f"{values['base']} in BERT base and BERT large"
        else:
            values_text = ", ".join(f"{value} in BERT {short_name}" for short_name, value in values.items())
        items.append(f'<li data-letter="{letter}">{link}: {values_text}</li>')
    return f'<ul class="bc-where">{"".join(items)}</ul>'


def _sum(polynomial: Polynomial) -> str:
    """The elements of a polynomial, or of 0 if it is empty."""
    groups = [f"<mrow>{_tokens(group)}</mrow>" for group in polynomial.group_texts(str)]
    return "<mo>+</mo>".join(groups) or _tokens("0")


TOKEN = re.compile(r"(?P<primed>[A-Z]′²?)|(?P<msup>[A-Za-z]²)|(?P<mi>[A-Za-zα-ω])|(?P<mn>[0-9][0-9,]*)|(?P<mo>\S)")
"""Matches one token of a formula. The name of the matching group is its MathML element.

The exception is `primed`, which matches a letter with a prime, optionally squared.
"""


def _tokens(text: str) -> str:
    """The elements of a formula given as text, such as `+(A − 1)·H²`."""
    return "".join(_token(str(token.lastgroup), token[0]) for token in TOKEN.finditer(text))


def _token(element: str, text: str) -> str:
    """The element of one token, given the name of its group in `TOKEN`."""
    if element == "primed":
        exponent = "<mrow><mo>′</mo><mn>2</mn></mrow>" if text.endswith("²") else "<mo>′</mo>"
        return f"<msup><mi>{text[0]}</mi>{exponent}</msup>"
    content = f"<mi>{text[0]}</mi><mn>2</mn>" if element == "msup" else text
    return f"<{element}>{content}</{element}>"
