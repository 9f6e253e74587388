"""Replaces straight apostrophes on a page with typographic ones: BERT’s, not BERT's.

We write pages, and the sentences in our code, with the straight apostrophe, which is on every keyboard. Code on
a page keeps it, because there it is a quotation mark. `typeset` in `docs/assets/drawing/html.js` does the same to
text that scripts show later; both pass the cases in `tests/publish/apostrophes.json`.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

APOSTROPHE = re.compile(r"(?<=[A-Za-z0-9)])'(?=[a-z]+\b)|(?<=s)'(?=[\s.,;:)])|^'(?=s\b)")
"""Matches an apostrophe before the letters that end a word, after a final `s`, or before `s` where a text begins."""

ATTRIBUTES = {
    "data-head": "[data-head]",
    "placeholder": "[placeholder]",
    "content": 'meta[name="description"], meta[property^="og:"]',
}
"""Attributes with text that readers see, each with the selector of its elements.

On a phone, a cell shows the heading of its column from `data-head`. Search engines and messaging apps show the title
and the description of a page.
"""

UNTOUCHED = "code, pre, kbd, script, style, textarea, math, .katex"
"""Elements whose text stays as it is, such as code and formulas."""


def typeset(text: str) -> str:
    """The text with typographic apostrophes."""
    return APOSTROPHE.sub("\u2019", text)


def set_apostrophes(tree: LexborHTMLParser) -> None:
    """Make the apostrophes in a page's `ATTRIBUTES` typographic, and those in its text outside `UNTOUCHED` elements."""
    if tree.body is None:
        return
    for name, selector in ATTRIBUTES.items():
        for element in tree.css(selector):
            if "'" in (text := str(element.attrs[name])):
                element.attrs[name] = typeset(text)
    untouched_ids = {element.mem_id for element in tree.css(UNTOUCHED)}
    text_nodes = [
        node for node in tree.body.traverse(include_text=True) if node.is_text_node and "'" in (node.text_content or "")
    ]
    for text_node in text_nodes:
        ancestor = text_node.parent
        while ancestor is not None and ancestor.mem_id not in untouched_ids:
            ancestor = ancestor.parent
        if ancestor is not None:
            continue
        content = text_node.text_content or ""
        typeset_content = typeset(content)
        if typeset_content != content:
            text_node.insert_before(typeset_content)
            text_node.decompose()
