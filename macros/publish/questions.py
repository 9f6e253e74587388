"""Removes the questions of numbers from pages before readers get them.

A macro repeats in `data-` attributes what it asked the engine, so that a test can
ask again and compare. Scripts and the style sheet read a few of these attributes;
the rest would be a twentieth of a page. With `QUESTIONS=kept` in the environment
they stay, and that is how the tests build the site that they check.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

READ = {
    "data": {"data-how", "data-model", "data-class"},
    ".bc-steps": {"data-result"},
}
"""The attributes that stay, by the elements that have them: `pop-over.js`, `cite.js` and the style sheet read them."""


def drop(tree: LexborHTMLParser) -> None:
    """Remove from the numbers and sums of a page the attributes that only a test reads."""
    for selector, read in READ.items():
        for element in tree.css(selector):
            # A class is shown only beside a model.
            needed = read if "data-model" in element.attributes else read - {"data-class"}
            names = [name for name in element.attributes if name.startswith("data-") and name not in needed]
            for name in names:
                del element.attrs[name]
