"""A page of a built site, parsed once: all that publishing reads from it and writes into it."""

from __future__ import annotations

import re
from html import escape
from posixpath import dirname, join, normpath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from macros.rendering.citations import UNKNOWN, Cited

from .line_ends import join_signs

SIGNS = "a.headerlink, a.bc-permalink"
"""What leads to the place where it is: the marks beside headings, tables, figures and sums."""

SIGN = "a.bc-permalink:not(.bc-sheet *, .bc-beside *, [id^=figure-example-] *, #primer-picture *)"
"""The mark of what can be shown by itself: not of what repeats another page or means little without the text around."""


class PublishError(Exception):
    """A site that cannot be published; names the page or folder, and what would help."""


class Page:
    """A page, with its address from the top of the site as its name."""

    def __init__(self, name: str, html: str) -> None:
        self.name = name
        self.tree = LexborHTMLParser(html)

    @property
    def html(self) -> str:
        """The page as it is written to disk."""
        return f"{self.tree.html}\n"

    @property
    def top(self) -> str:
        """The way from the page's folder to the top of the site."""
        return "../" * self.name.count("/")

    @property
    def article(self) -> LexborNode | None:
        """What the page is about, without navigation; a page that leads on to another has none."""
        return self.tree.css_first("article")

    @property
    def title(self) -> str:
        """The question that the page answers; empty without a heading."""
        return words(self.tree.css_first("h1"))

    @property
    def canonical(self) -> str:
        """The address at which the page is published; empty where the site has none."""
        return self._attribute("link[rel=canonical]", "href")

    @property
    def description(self) -> str:
        """The sentence that search engines show."""
        return self._attribute("meta[name=description]", "content")

    def _attribute(self, selector: str, name: str) -> str:
        found = self.tree.css_first(selector)
        return (found.attributes[name] or "") if found else ""

    def source(self, cited: Cited, place: str = "") -> str:
        """Title, site, address of a place and build, as text; what is not known is left out."""
        anchor = f"#{place}" if place else ""
        known = [
            f"“{self.title}”, {cited.title}." if self.title else f"{cited.title}.",
            self.canonical + anchor if self.canonical else "",
            f"Built from {cited.build}." if cited.commit != UNKNOWN else "",
        ]
        return " ".join(filter(None, known))

    def add_imprint(self, cited: Cited) -> None:
        """Give a page that has a text its last line on paper. The style sheet keeps it from screens."""
        if self.article:
            self.article.insert_after(self.fragment(f'<p class="bc-imprint">{escape(self.source(cited))}</p>'))

    def name_headings(self) -> None:
        """Let each heading be named by its words alone; the sign in it, which is read by itself, is no part of them."""
        for sign in self.tree.css("a.headerlink"):
            if heading := sign.parent:
                heading.attrs["aria-label"] = words(heading)

    def add_preview(self) -> None:
        """Say in Open Graph's words what a link to the page shows in a message; without an address, it names none."""
        kind = "website" if self.name == "index.html" else "article"
        known = {"title": self.title, "description": self.description, "type": kind, "url": self.canonical}
        for name, content in known.items():
            if self.tree.head and content:
                self.tree.head.insert_child(self.fragment(f'<meta property="og:{name}" content="{escape(content)}">'))

    def join_signs(self) -> None:
        """Let no line of the article end with a sign."""
        if self.article:
            join_signs(self.tree, self.article)

    def element(self, id_: str) -> LexborNode | None:
        """The element with an id."""
        return next((each for each in self.tree.css("[id]") if each.id == id_), None)

    def fragment(self, html: str) -> LexborNode:
        """An element made from HTML, to be put into the page."""
        around = self.tree.create_node("div")
        around.inner_html = html
        made = around.first_child
        if made is None:
            raise ValueError(f"no element in {html!r}")
        return made

    def resolved(self, link: str) -> str:
        """The address from the top of the site of something that the page links to."""
        path = re.split(r"[?#]", link)[0]
        return (normpath(join(dirname(self.name), path)) if path else self.name) + link[len(path) :]


def words(node: LexborNode | None) -> str:
    """What an element says, without the signs that link to it; empty for none."""
    if node is None:
        return ""
    copy = node.clone()
    for sign in copy.css(SIGNS):
        sign.decompose()
    return " ".join(copy.text().split())
