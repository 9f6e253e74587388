"""No line of a page ends with a sign: `+`, `=`, `×` and the like stay with what they stand before.

A letter stays with its size as well, as in `V = 30,522`.

A style keeps the two in one line, and no other kind of space, which programs
that a reader copies a sum into may not take. Here it is given to every text of
a page, whoever wrote it. What scripts show is given it by `unbroken` in
`docs/assets/drawing/html.js`; both part a text alike, as the cases in
`tests/publish/line_ends.json` have it.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

SIGN = r"(?:\b[A-Za-z]′?[ \n]=|[+−×÷·=≈])[ \n]"
SIGN_AND_TERM = re.compile(rf"({SIGN}[^ \n]+)")
SIGN_AT_END = re.compile(rf"{SIGN}$")

NEVER_PARTED = ".bc-term, math"
"""What no line parts, whatever spaces are in it."""

LEFT_ALONE = f"svg, pre, script, option, textarea, .bc-joined, .bc-level-sum > span, {NEVER_PARTED}"
"""What no line parts, or only where its own lines end, or what holds text alone."""


def pieces_of(text: str) -> list[str]:
    """A text in pieces, of which every second one is a sign with what follows it.

    >>> pieces_of("12 × (a − b) = 5")
    ['12 ', '× (a', ' ', '− b)', ' ', '= 5', '']
    """
    return SIGN_AND_TERM.split(text)


def join_signs(tree: LexborHTMLParser, article: LexborNode) -> None:
    """Keep each sign in an article with the word or the element after it."""
    alone = {each.mem_id for each in article.css(LEFT_ALONE)}
    texts = [each for each in article.traverse(include_text=True) if each.is_text_node and _has_signs(each, alone)]
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


def _has_signs(text: LexborNode, alone: set[int]) -> bool:
    """Whether a text has a sign before a space, and is not within what is left alone."""
    content = text.text_content or ""
    if not (SIGN_AND_TERM.search(content) or SIGN_AT_END.search(content)):
        return False
    within = text.parent
    while within is not None and within.mem_id not in alone:
        within = within.parent
    return within is None


def _is_one_word(element: LexborNode) -> bool:
    """Whether an element shows something that no line parts anyhow."""
    if not element.is_element_node:
        return False
    return element.css_matches(NEVER_PARTED) or re.fullmatch(r"\S+", element.text()) is not None


def _joined(tree: LexborHTMLParser, *content: str | LexborNode) -> LexborNode:
    """An element that no line parts."""
    joined = tree.create_node("span")
    joined.attrs["class"] = "bc-joined"
    for each in content:
        joined.insert_child(each)
    return joined
