"""Copies tables, figures, sums and whole tools from pages, so that other sites can show each of them in a frame.

A piece is copied from a finished page, so it cannot differ from the page, and tables,
figures and sums can be read without scripts. Every element with a sign that
`PIECE_PERMALINK` selects becomes a piece, so writers of pages need not do anything.
Each piece links to the page that it comes from. Links out of a piece open outside
the frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from macros.rendering.components.pages import CALCULATOR, EMBEDS, EXERCISES, MAP, embed
from macros.rendering.components.templates import render

from .page import PERMALINKS, PIECE_PERMALINK, Page, PublishError, plain_text

SITE_NAME = "BERT, counted"

EXTERNAL = re.compile(r"[a-z]+:")
"""Matches the scheme of an absolute address."""

MODEL_NAME = re.compile(r"BERT \w+")
"""Matches the short name of a model, which begins the heading of a sum."""

SUM_BELOW = {"figure": ("bc-summed", "bc-level-sum"), "p": ("bc-steps",)}
"""The classes of an element that belongs to the piece before it, by the tag of that piece.

Below a figure, the element is the sum of the figure; below a paragraph, it has the lines of the sum that the paragraph
heads.
"""

SCRIPTS = {"data, .bc-steps": "assets/pages/numbers.js", ".bc-steps": "assets/pages/links.js"}
"""Optional scripts of a piece, keyed by the selector of the elements that use them."""


class Tool(NamedTuple):
    """The parts of a page that make up a tool.

    Attributes:
        title: the name of the tool.
        visible: the parts to show. Each is a pair of selectors, for its first element and for the element that
            follows its last.
        hidden: parts, in the same form, that the tool's scripts fill but that only the tool's own page shows.
    """

    title: str
    visible: tuple[tuple[str, str], ...]
    hidden: tuple[tuple[str, str], ...] = ()


TOOLS = {
    MAP: Tool("The map", ((".bc-choice", "#reading"),)),
    CALCULATOR: Tool(
        "Calculator",
        ((".bc-calculator", "#what-if"), ("#parts", "#tensors")),
        (("#what-if", "#parts"), ("#tensors", "#how")),
    ),
    EXERCISES: Tool("Exercise", ((".bc-place-of-exercise", "#count-along"),)),
}
"""The tools that can be embedded, by page, without the explanations on the page."""


def add_addresses(page: Page) -> None:
    """Add to a page the addresses of the folder of its pieces and of its tool, for `docs/assets/pages/cite.js`.

    A page that has neither stays as it is.
    """
    if page.article and _has_pieces(page):
        page.article.attrs["data-embeds"] = f"{page.top}{EMBEDS}/{page.name.removesuffix('.html')}/"
        if page.name in TOOLS:
            page.article.attrs["data-embed"] = f"{page.top}{embed(page.name)}"


def frame_pages(pages: Mapping[str, Page]) -> dict[str, str]:
    """The page for each piece or tool, still without its Content-Security-Policy, by address from the top of the site.

    Raises:
        PublishError: a page lacks an element that should be copied from it.
    """
    return dict(piece for page in pages.values() if _has_pieces(page) for piece in _pieces(page))


def _has_pieces(page: Page) -> bool:
    """Whether a page has pieces or a tool."""
    return page.article is not None and (page.name in TOOLS or bool(page.tree.css_first(PIECE_PERMALINK)))


def _pieces(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the address and the page of every piece of a page, and of its tool.

    Raises:
        PublishError: a piece or a part of the tool is not on the page.
    """
    for id_ in dict.fromkeys((sign.attributes["href"] or "#")[1:] for sign in page.tree.css(PIECE_PERMALINK)):
        node = page.element(id_)
        if node is None:
            raise PublishError(f"{page.name} links to #{id_}, which is not there; give an element that id")
        captions = node.css("caption")
        # A list of several tables must not be named after the first of them.
        caption = node.css_first(f"[id='{id_}-caption']") if len(captions) > 1 else node.css_first("caption")
        title = plain_text(caption) or plain_text(node.css_first("title")) or _title_of_sum(page, node)
        yield _page_of_piece(page, id_, title, _with_sum(node))
    if tool := TOOLS.get(page.name):
        html = "".join(_between(page, *selectors) for selectors in tool.visible)
        if tool.hidden:
            html += f"<div hidden>{''.join(_between(page, *selectors) for selectors in tool.hidden)}</div>"
        scripts = [page.target_of(element.attributes["src"] or "") for element in page.tree.css("script[data-own]")]
        yield _page_of_piece(page, "", tool.title, html, scripts)


def _with_sum(node: LexborNode) -> str:
    """The HTML of an element, including the sum that follows it if `SUM_BELOW` makes them one piece."""
    html = node.html or ""
    next_node = node.next
    while next_node and not next_node.is_element_node:
        next_node = next_node.next
    if next_node is None:
        return html
    classes = (next_node.attributes.get("class") or "").split()
    if not set(classes).intersection(SUM_BELOW.get(node.tag or "", ())):
        return html
    html += next_node.html or ""
    return f'<div class="bc-worked">{html}</div>' if node.tag == "p" else html


def _between(page: Page, first_selector: str, end_selector: str) -> str:
    """The HTML of an element and its following siblings up to, but not including, another element.

    Raises:
        PublishError: one of the two elements is missing, or they are not siblings in this order.
    """
    node, end = (page.tree.css_first(f"article {selector}") for selector in (first_selector, end_selector))
    elements = []
    while node and end and node.mem_id != end.mem_id:
        elements.append(node.html or "")
        node = node.next
    if node is None or end is None:
        raise PublishError(
            f"{page.name} needs {first_selector}, followed by its sibling {end_selector}, to be embedded; "
            "see TOOLS in embeds.py"
        )
    return "".join(elements)


def _title_of_sum(page: Page, node: LexborNode) -> str:
    """The title of a sum: the heading of its section, and its model."""
    headings_and_sum = page.tree.css(f"article h2, [id='{node.id}']")
    headings_before = list(takewhile(lambda element: element.mem_id != node.mem_id, headings_and_sum))
    section = plain_text(headings_before[-1]) if headings_before else ""
    model = MODEL_NAME.search(node.text())
    return ", ".join(filter(None, [section, model[0] if model else ""]))


def _page_of_piece(page: Page, id_: str, title: str, html: str, tool_scripts: Sequence[str] = ()) -> tuple[str, str]:
    """The address of a piece, and the page that shows it.

    Args:
        page: the page from which the piece is copied.
        id_: the id of the piece on that page; empty for a whole tool.
        title: the name of the piece, as text.
        html: the HTML of the piece on that page.
        tool_scripts: the addresses of the scripts that a tool needs, from the top of the site.
    """
    address = embed(page.name, id_)
    folder = Path(address).parent
    root = "../" * address.count("/")
    tree = LexborHTMLParser(html)
    scripts = [script for selector, script in SCRIPTS.items() if tree.css_first(selector)] + [*tool_scripts]
    _adapt_to_frame(tree, page, folder)
    return address, render(
        "embed.html",
        root=root,
        is_tool=not id_,
        title=title,
        site=SITE_NAME,
        canonical=page.canonical or relpath(page.name, folder),
        scripts=scripts,
        content=tree.body.inner_html if tree.body else "",
        source=relpath(page.name, folder) + (f"#{id_}" if id_ else ""),
        page_title=page.title,
    )


def _adapt_to_frame(tree: LexborHTMLParser, page: Page, folder: Path) -> None:
    """Adapt the HTML of a piece to a frame whose page is in `folder`.

    Signs, addresses of files and old ids are removed. Links out of the piece open outside the frame.
    """
    for sign in tree.css(PERMALINKS):
        sign.decompose()
    for figure in tree.css("figure[data-file]"):  # the addresses of its files are relative to its page
        for name in ("data-file", "data-kinds"):
            del figure.attrs[name]
    for anchor in tree.css("a[id]:not([href])"):  # an old id
        anchor.decompose()
    hidden_ids = {element.id for element in tree.css("[hidden] [id]")}
    visible_ids = {element.id for element in tree.css(":not([hidden]) [id]")} - hidden_ids
    for link in tree.css("a[href]"):
        target = link.attributes["href"] or ""
        if target[:1] == "#" and target[1:] in visible_ids:
            link.attrs["target"] = "_self"
            continue
        if not EXTERNAL.match(target):
            link.attrs["href"] = relpath(page.target_of(target), folder)
        link.attrs["target"] = "_blank"
        link.attrs["rel"] = "noopener"
