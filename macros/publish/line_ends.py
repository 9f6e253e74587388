"""Keeps a sign such as `+`, `=` or `×` on one line with the term after it, and a letter with its size (`V = 30,522`).

A sign at the end of a line is cut off from its term, and is easily overlooked there.
Non-breaking spaces would prevent that too, but they are copied along with a sum, and
many programs reject them. So a sign and its term are put into an element whose style
prevents a line break.

Publishing does this to the text of every article, whether a macro or a writer wrote it.
`withoutBreaks` in `docs/assets/drawing/html.js` does the same to text that scripts show
later; both pass the cases in `tests/publish/line_ends.json`.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

SIGN = r"(?:\b[A-Za-z]′?[ \n]=|[+−×÷·=≈])[ \n]"
"""Matches a sign, or a letter and the `=` before its size, with the white space after it."""

SIGN_AND_TERM = re.compile(rf"({SIGN}[^ \n]+)")
"""Matches a sign and the term after it."""

SIGN_AT_END = re.compile(rf"{SIGN}$")
"""Matches a sign that ends a text, so that its term is in the next element."""

UNBREAKABLE = ".bc-term, math"
"""Elements that never break across lines, even if they contain spaces."""

UNTOUCHED = f"svg, pre, script, option, textarea, .bc-joined, .bc-level-sum > span, {UNBREAKABLE}"
"""Elements that never break, that break only at their own line ends, or that may contain only text."""


def pieces_of(text: str) -> list[str]:
    """The pieces of a text, of which every second one is a sign and the term after it.

    >>> pieces_of("12 × (a − b) = 5")
    ['12 ', '× (a', ' ', '− b)', ' ', '= 5', '']
    """
    return SIGN_AND_TERM.split(text)


def join_signs(tree: LexborHTMLParser, article: LexborNode) -> None:
    """Keep each sign in an article on one line with the word or the element after it."""
    excluded_ids = {element.mem_id for element in article.css(UNTOUCHED)}
    nodes = article.traverse(include_text=True)
    text_nodes = [node for node in nodes if node.is_text_node and _needs_joining(node, excluded_ids)]
    for text_node in text_nodes:
        content = text_node.text_content or ""
        next_node = text_node.next
        *pieces, last_piece = pieces_of(content)
        sign = SIGN_AT_END.search(last_piece) if next_node is not None and _never_breaks(next_node) else None
        last_piece = last_piece[: -len(sign[0])] if sign else last_piece
        for index, piece in enumerate([*pieces, last_piece]):
            text_node.insert_before(_without_breaks(tree, piece) if index % 2 else piece)
        if sign and next_node is not None:
            # Inserting a node elsewhere copies it, so the original is removed.
            text_node.insert_before(_without_breaks(tree, sign[0], next_node))
            next_node.decompose()
        text_node.decompose()


def _needs_joining(text_node: LexborNode, excluded_ids: set[int]) -> bool:
    """Whether a text has a sign before a space and is not inside an excluded element."""
    content = text_node.text_content or ""
    if not (SIGN_AND_TERM.search(content) or SIGN_AT_END.search(content)):
        return False
    ancestor = text_node.parent
    while ancestor is not None and ancestor.mem_id not in excluded_ids:
        ancestor = ancestor.parent
    return ancestor is None


def _never_breaks(element: LexborNode) -> bool:
    """Whether an element never breaks, because it contains a single word or is unbreakable."""
    if not element.is_element_node:
        return False
    return element.css_matches(UNBREAKABLE) or re.fullmatch(r"\S+", element.text()) is not None


def _without_breaks(tree: LexborHTMLParser, *content: str | LexborNode) -> LexborNode:
    """A `<span>` that keeps its content on one line."""
    span = tree.create_node("span")
    span.attrs["class"] = "bc-joined"
    for text_or_node in content:
        span.insert_child(text_or_node)
    return span
