"""Keeps a sign such as `+`, `=` or `×` on one line with the term after it, and a letter with its size (`V = 30,522`).

A reader takes a line that ends with a sign for a finished sum. Non-breaking spaces
would prevent that too, but they are copied along with a sum, and many programs
refuse them. So sign and term get an element whose style does not break.

Publishing does this to every text of an article, whoever wrote it. What scripts
show later gets the same from `unbroken` in `docs/assets/drawing/html.js`; the cases
in `tests/publish/line_ends.json` hold the two together.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

SIGN = r"(?:\b[A-Za-z]′?[ \n]=|[+−×÷·=≈])[ \n]"
SIGN_AND_TERM = re.compile(rf"({SIGN}[^ \n]+)")
SIGN_AT_END = re.compile(rf"{SIGN}$")

NEVER_PARTED = ".bc-term, math"
"""Elements that never break across lines, whatever spaces are in them."""

LEFT_ALONE = f"svg, pre, script, option, textarea, .bc-joined, .bc-level-sum > span, {NEVER_PARTED}"
"""Elements that never break, that break at the ends of their own lines only, or that may hold nothing but text."""


def pieces_of(text: str) -> list[str]:
    """Split a text so that every second piece is a sign with the term after it.

    >>> pieces_of("12 × (a − b) = 5")
    ['12 ', '× (a', ' ', '− b)', ' ', '= 5', '']
    """
    return SIGN_AND_TERM.split(text)


def join_signs(tree: LexborHTMLParser, article: LexborNode) -> None:
    """Keep each sign in an article with the word or the element after it."""
    left_alone = {element.mem_id for element in article.css(LEFT_ALONE)}
    nodes = article.traverse(include_text=True)
    texts = [node for node in nodes if node.is_text_node and _has_signs(node, left_alone)]
    for text in texts:
        content, after = text.text_content or "", text.next
        *pieces, last = pieces_of(content)
        sign = SIGN_AT_END.search(last) if after is not None and _is_one_word(after) else None
        last = last[: -len(sign[0])] if sign else last
        for place, piece in enumerate([*pieces, last]):
            text.insert_before(_joined(tree, piece) if place % 2 else piece)
        if sign and after is not None:
            # Nodes are copied when they are put somewhere else.
            text.insert_before(_joined(tree, sign[0], after))
            after.decompose()
        text.decompose()


def _has_signs(text: LexborNode, left_alone: set[int]) -> bool:
    """Whether a text has a sign before a space, and is not within an element that is left alone."""
    content = text.text_content or ""
    if not (SIGN_AND_TERM.search(content) or SIGN_AT_END.search(content)):
        return False
    around = text.parent
    while around is not None and around.mem_id not in left_alone:
        around = around.parent
    return around is None


def _is_one_word(element: LexborNode) -> bool:
    """Whether an element would not break in any case, because it holds one word or never breaks."""
    if not element.is_element_node:
        return False
    return element.css_matches(NEVER_PARTED) or re.fullmatch(r"\S+", element.text()) is not None


def _joined(tree: LexborHTMLParser, *content: str | LexborNode) -> LexborNode:
    """An element that does not break across lines."""
    span = tree.create_node("span")
    span.attrs["class"] = "bc-joined"
    for part in content:
        span.insert_child(part)
    return span
