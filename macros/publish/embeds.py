"""Things of the site as pages of their own, for frames on other pages: tables, figures, sums and whole tools.

Each is cut out of a finished page, so that it cannot differ from it, and needs no script to be read.
What it shows leads to the page it is from; every link opens outside the frame.
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

from .page import SIGN, SIGNS, Page, PublishError, words

SITE = "BERT, counted"

ELSEWHERE = re.compile(r"[a-z]+:")
MODEL = re.compile(r"BERT \w+")

SUM_BELOW = {"figure": ("bc-summed", "bc-level-sum"), "p": ("bc-steps",)}
"""The class of the sum that follows a figure, and of the lines that follow what a sum is headed by."""

KEYS = {"data, .bc-steps": "assets/pages/numbers.js", ".bc-steps": "assets/pages/links.js"}
"""Scripts that make a thing more convenient, by what it holds."""


class Tool(NamedTuple):
    """What is cut out of the page of a tool.

    Attributes:
        title: what it is called.
        shown: from which element to which, each as a selector.
        hidden: likewise, what its scripts fill and only its page shows.
    """

    title: str
    shown: tuple[tuple[str, str], ...]
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
"""Pages that can be embedded as tools, without what explains them."""


def mark(page: Page) -> None:
    """Let a page say where its things are to be embedded from; `docs/assets/pages/cite.js` reads it."""
    if page.article and _has_any(page):
        page.article.attrs["data-embeds"] = f"{page.top}{EMBEDS}/{page.name.removesuffix('.html')}/"
        if page.name in TOOLS:
            page.article.attrs["data-embed"] = f"{page.top}{embed(page.name)}"


def cut_out(pages: Mapping[str, Page]) -> dict[str, str]:
    """Every thing that can be embedded as a page of its own, without its policy, by address from the top.

    Raises:
        PublishError: a page lacks what should be cut out of it.
    """
    return dict(each for page in pages.values() if _has_any(page) for each in _pieces(page))


def _has_any(page: Page) -> bool:
    return page.article is not None and (page.name in TOOLS or bool(page.tree.css_first(SIGN)))


def _pieces(page: Page) -> Iterator[tuple[str, str]]:
    for place in dict.fromkeys((each.attributes["href"] or "#")[1:] for each in page.tree.css(SIGN)):
        node = page.element(place)
        if node is None:
            raise PublishError(f"{page.name} links to #{place}, which is not there; give an element that id")
        title = words(node.css_first("caption")) or words(node.css_first("title")) or _title_of_sum(page, node)
        yield _page(page, place, title, _with_sum(node))
    if tool := TOOLS.get(page.name):
        shown, hidden = ("".join(_between(page, *each) for each in part) for part in (tool.shown, tool.hidden))
        own = [page.resolved(each.attributes["src"] or "") for each in page.tree.css("script[data-own]")]
        yield _page(page, "", tool.title, shown + (f"<div hidden>{hidden}</div>" if hidden else ""), own)


def _with_sum(node: LexborNode) -> str:
    """The HTML of a thing, with the sum that follows it."""
    html, below = node.html or "", node.next
    while below and not below.is_element_node:
        below = below.next
    if below and {*(below.attributes.get("class") or "").split()} & {*SUM_BELOW.get(node.tag or "", ())}:
        html += below.html or ""
        return f'<div class="bc-worked">{html}</div>' if node.tag == "p" else html
    return html


def _between(page: Page, first: str, last: str) -> str:
    """The HTML from one element to another beside it."""
    node, end = (page.tree.css_first(f"article {each}") for each in (first, last))
    found = []
    while node and end and node.mem_id != end.mem_id:
        found.append(node.html or "")
        node = node.next
    if node is None or end is None:
        raise PublishError(f"{page.name} needs {first} and beside it {last}, to be embedded; see TOOLS in embeds.py")
    return "".join(found)


def _title_of_sum(page: Page, node: LexborNode) -> str:
    """What a sum is called: the section it is in, and its model."""
    before = takewhile(lambda each: each.mem_id != node.mem_id, page.tree.css(f"article h2, [id='{node.id}']"))
    section, model = [None, *before][-1], MODEL.search(node.text())
    return ", ".join(filter(None, [words(section), model[0] if model else ""]))


def _page(page: Page, place: str, title: str, html: str, own: Sequence[str] = ()) -> tuple[str, str]:
    """A thing as a page, and its address.

    Args:
        page: the page it is from.
        place: the id of the place it is from; empty for a whole tool.
        title: what it is called, as text.
        html: as it is on its page.
        own: addresses of the scripts of its page that it needs, from the top of the site.
    """
    address = embed(page.name, place)
    folder, root = Path(address).parent, "../" * address.count("/")
    tree = LexborHTMLParser(html)
    scripts = [script for holds, script in KEYS.items() if tree.css_first(holds)] + [*own]
    _lead_outwards(tree, page, folder)
    return address, render(
        "embed.html",
        root=root,
        is_tool=not place,
        title=title,
        site=SITE,
        canonical=page.canonical or relpath(page.name, folder),
        scripts=scripts,
        shown=tree.body.inner_html if tree.body else "",
        source=relpath(page.name, folder) + (f"#{place}" if place else ""),
        question=page.title,
    )


def _lead_outwards(tree: LexborHTMLParser, page: Page, folder: Path) -> None:
    """Take out the signs that link to a thing, and let each link lead from here, out of the frame."""
    for sign in tree.css(SIGNS):
        sign.decompose()
    for figure in tree.css("figure[data-file]"):  # its files are named from its page
        for name in ("data-file", "data-kinds"):
            del figure.attrs[name]
    here = {each.id for each in tree.css(":not([hidden]) [id]")} - {each.id for each in tree.css("[hidden] [id]")}
    for link in tree.css("a[href]"):
        target = link.attributes["href"] or ""
        if target[:1] == "#" and target[1:] in here:
            link.attrs["target"] = "_self"
            continue
        if not ELSEWHERE.match(target):
            link.attrs["href"] = relpath(page.resolved(target), folder)
        link.attrs["target"], link.attrs["rel"] = "_blank", "noopener"
