"""A page of a built site, parsed once for all steps of publishing.

Parsing a page takes longer than changing it, so all steps share one `Page` and change
its tree in place. The HTML is written once, at the end.
"""

from __future__ import annotations

import re
from functools import cached_property
from html import escape
from posixpath import dirname, join, normpath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from macros.rendering.citations import UNKNOWN_COMMIT, Work

from .apostrophes import set_apostrophes
from .line_ends import join_signs

PERMALINKS = "a.headerlink, a.bc-permalink"
"""Selects the signs next to headings, tables, figures and sums, each a link to its own place on the page."""

PIECE_PERMALINK = "a.bc-permalink:not(.bc-sheet *, .bc-beside *, [id^=figure-example-] *, #primer-picture *)"
"""Selects the sign of a piece, which is a table, figure or sum that can be shown on its own.

Elements that repeat those of another page, or mean little without the surrounding text, are excluded.
"""


class PublishError(Exception):
    """A site cannot be published. The message states the cause and usually a remedy."""


class Page:
    """A page of the site.

    Args:
        name: the address of the page from the top of the site, such as `parts/heads.html`.
        html: the HTML of the page.
    """

    def __init__(self, name: str, html: str) -> None:
        self.name = name
        self.tree = LexborHTMLParser(html)

    @property
    def html(self) -> str:
        """The page as it is written to disk."""
        return f"{self.tree.html}\n"

    @property
    def top(self) -> str:
        """The link from the page's folder to the top of the site, such as `../`."""
        return "../" * self.name.count("/")

    @property
    def article(self) -> LexborNode | None:
        """The content of the page without the navigation; None for a page that only redirects to another."""
        return self.tree.css_first("article")

    @property
    def title(self) -> str:
        """The heading of the page; empty if the page has none."""
        return plain_text(self.tree.css_first("h1"))

    @cached_property
    def canonical(self) -> str:
        """The address at which the page is published; empty if the site has no address yet.

        The address is cached, because every figure and piece needs it, and no step of publishing changes it.
        """
        return self._attribute("link[rel=canonical]", "href")

    @property
    def description(self) -> str:
        """The description of the page for search engines; empty if the page has none."""
        return self._attribute("meta[name=description]", "content")

    def _attribute(self, selector: str, name: str) -> str:
        """An attribute of the first element that a selector matches; empty if it matches none."""
        element = self.tree.css_first(selector)
        return (element.attributes[name] or "") if element else ""

    def citation(self, work: Work, anchor: str = "") -> str:
        """A reference to the page, or to the element `anchor` on it: title, site and, if known, address and build."""
        fragment = f"#{anchor}" if anchor else ""
        sentences = [
            f"“{self.title}”, {work.title}." if self.title else f"{work.title}.",
            self.canonical + fragment if self.canonical else "",
            f"Built from {work.commit_in_words}." if work.commit != UNKNOWN_COMMIT else "",
        ]
        return " ".join(filter(None, sentences))

    def add_imprint(self, work: Work) -> None:
        """Add the last line of a printed page, which names its source. The style sheet hides it on screens."""
        if self.article:
            self.article.insert_after(self.fragment(f'<p class="bc-imprint">{escape(self.citation(work))}</p>'))

    def label_headings(self) -> None:
        """Give each heading a label without its sign, which screen readers announce separately as a link."""
        for sign in self.tree.css("a.headerlink"):
            if heading := sign.parent:
                heading.attrs["aria-label"] = plain_text(heading)

    def add_preview(self) -> None:
        """Add Open Graph tags, from which messaging apps generate a preview of a link to the page."""
        kind = "website" if self.name == "index.html" else "article"
        tags = {"title": self.title, "description": self.description, "type": kind, "url": self.canonical}
        for name, content in tags.items():
            if self.tree.head and content:
                self.tree.head.insert_child(self.fragment(f'<meta property="og:{name}" content="{escape(content)}">'))

    def typeset(self) -> None:
        """Make apostrophes typographic, and keep every operator in the article on one line with the term after it."""
        set_apostrophes(self.tree)
        if self.article:
            join_signs(self.tree, self.article)

    def element(self, id_: str) -> LexborNode | None:
        """The element with this id; None if there is none."""
        # An id may contain dots and colons, which a selector would have to escape.
        return next((element for element in self.tree.css("[id]") if element.id == id_), None)

    def fragment(self, html: str) -> LexborNode:
        """The first element of some HTML, for insertion into the page; raises a `ValueError` if there is none."""
        parent = self.tree.create_node("div")
        parent.inner_html = html
        element = parent.first_child
        if element is None:
            raise ValueError(f"no element in {html!r}")
        return element

    def target_of(self, link: str) -> str:
        """The target of a link on the page as an address from the top of the site, with its query and fragment."""
        path = re.split(r"[?#]", link)[0]
        return (normpath(join(dirname(self.name), path)) if path else self.name) + link[len(path) :]


def plain_text(node: LexborNode | None) -> str:
    """The text of an element on one line, without the signs in it; empty if `node` is None."""
    if node is None:
        return ""
    clone = node.clone()
    for sign in clone.css(PERMALINKS):
        sign.decompose()
    return " ".join(clone.text().split())
