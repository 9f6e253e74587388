"""The questions of numbers, which macros write into their elements and readers have no use for.

A macro repeats in `data-` attributes what it asked the engine, so that a test
can ask it again. Scripts and the style sheet read a few of these attributes;
the others are a twentieth of a page and stop here. With `QUESTIONS=kept` in
the environment they stay: so the tests build the site that they ask again.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

READ = {
    "data": {"data-how", "data-model", "data-class"},
    ".bc-steps": {"data-result"},
}
"""What is read on pages, by what has it: by `pop-over.js` and the style sheet, and by `cite.js`."""


def drop(tree: LexborHTMLParser) -> None:
    """Remove from the numbers and sums of a page what only a test would read."""
    for selector, read in READ.items():
        for element in tree.css(selector):
            kept = read if "data-model" in element.attributes else read - {"data-class"}  # shown beside a model only
            for name in [each for each in element.attributes if each.startswith("data-") and each not in kept]:
                del element.attrs[name]
