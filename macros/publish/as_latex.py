"""A formula of a page, which is MathML, as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from .elements import Element, Node, text_of
from .errors import PublishError

SIGNS = {"×": r" \times ", "·": r" \cdot ", "−": " - ", "+": " + ", "=": " = ", "≈": r" \approx ", "÷": r" \div "}
"""Signs between two things."""

LETTERS = {"⊤": r"\top", "∑": r"\sum", "√": r"\surd", "%": r"\%", "#": r"\#", "ε": r"\varepsilon", "⊙": r"\odot"}

NORMAL = 'mathvariant="normal"'
"""What the letters of a word such as softmax have, each of which is an element."""


def latex(formula: Element) -> str:
    """The LaTeX of one formula, without what begins and ends it.

    Raises:
        PublishError: it has an element that is not known here.
    """
    return " ".join(_sequence(formula.children).split())


def _sequence(nodes: Sequence[Node]) -> str:
    """Elements side by side; letters that stand upright are a word."""
    out, word = "", ""
    for node in nodes:
        if isinstance(node, Element) and node.name == "mi" and NORMAL in node.attributes:
            word += text_of(node.children)
            continue
        out += _word(word) + _one(node)
        word = ""
    return out + _word(word)


def _word(letters: str) -> str:
    return rf"\mathrm{{{letters}}}" if letters else ""


def _one(node: Node) -> str:
    if isinstance(node, str):
        return "" if node.isspace() else unescape(node)
    if node.name in ("mrow", "mstyle"):
        return _sequence(node.children)
    if node.name in ("mi", "mn", "mo"):
        return _token(text_of(node.children).strip())
    if node.name == "mtext":
        return rf"\text{{{text_of(node.children)}}}"
    if node.name == "mspace":
        return " "
    parts = [_one(each).strip() for each in node.children if isinstance(each, Element)]
    if node.name not in WRITTEN or len(parts) != WRITTEN[node.name].count("%s"):
        raise PublishError(f"a formula has <{node.name}> of {len(parts)} parts; say in as_latex.py how that is written")
    return WRITTEN[node.name] % tuple(parts)


WRITTEN = {
    "mfrac": r"\frac{%s}{%s}",
    "msqrt": r"\sqrt{%s}",
    "msub": "%s_{%s}",
    "msubsup": "%s_{%s}^{%s}",
    "msup": "%s^{%s}",
    "munder": "%s_{%s}",
    "munderover": "%s_{%s}^{%s}",
}
"""How elements with so many parts are written."""


def _token(text: str) -> str:
    if text in SIGNS:
        return SIGNS[text]
    if text in LETTERS:
        return f"{LETTERS[text]} "
    return text if len(text) == 1 or re.fullmatch(r"[\d.,]+", text) else rf"\mathrm{{{text}}}"
