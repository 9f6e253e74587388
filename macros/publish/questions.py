"""Removes from pages the attributes that only tests read: the questions behind numbers.

In the `data-` attributes of each number, a macro records the question that it asked
the engine, so that a test can ask it again and compare the answers. Scripts and the
style sheet read a few of these attributes; the rest would only make pages larger. If
`QUESTIONS=kept` is in the environment, all of them are kept. The tests check a site
that was built in this way.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

ATTRIBUTES_TO_KEEP = {
    "data": {"data-how", "data-model", "data-class"},
    ".bc-steps": {"data-result"},
}
"""The attributes that `pop-over.js`, `cite.js` and the style sheet read, keyed by the selector of their elements."""

LINKED_ELEMENTS = "tr[data-part], figure [data-part], :is(span, b).bc-term[data-part]"
"""Elements that `links.js` highlights along with a number, or the other way round.

On a page without any, nothing reads `data-paths`.
"""


def drop_questions(tree: LexborHTMLParser) -> None:
    """Remove the attributes that only tests read from the numbers and sums of a page."""
    paths_to_keep = {"data-paths"} if tree.css_first(LINKED_ELEMENTS) else set()
    for selector, to_keep in ATTRIBUTES_TO_KEEP.items():
        for element in tree.css(selector):
            # `pop-over.js` shows the class only together with the model.
            kept_names = to_keep | paths_to_keep if "data-model" in element.attributes else to_keep - {"data-class"}
            names = [name for name in element.attributes if name.startswith("data-") and name not in kept_names]
            for name in names:
                del element.attrs[name]
