"""Keeps old addresses alive: the address of a page or an id that has moved leads to its new place.

`moved.toml` gives the new address for each old one. What is left behind depends on what has moved:

- A moved page leaves a small page that redirects to the new one at once, and a Markdown
  file; a tool also leaves an embeddable page. If scripts are enabled, the query and the
  fragment of the address are passed on, and ids in the fragment are renamed.
- An id that has moved within its page leaves an anchor at its new place.
- An id that has moved to another page leaves a line at the end of its old page.

Old addresses of embeddable pieces (see `embeds.py`) are redirected by the error page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from posixpath import dirname, relpath

from macros.counting.blocks import blocks_of
from macros.rendering.components.pages import embed

from .embeds import TOOLS
from .for_machines import markdown_address
from .page import Page, PublishError

TABLE = Path(__file__).with_name("moved.toml")

STRUCTURE = ("table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl")
"""Elements that may contain only certain other elements.

The anchor for one of them is put into its first descendant that is not in this list.
"""

FORWARDING_PAGE = Path(__file__).with_name("moved.html").read_text(encoding="utf-8")
"""The page at an old address, as a format string."""


def load_moves() -> dict[str, str]:
    """The new address of every page and id that has moved, by its old address."""
    return blocks_of(TABLE)


def forward(pages: Mapping[str, Page], moves: Mapping[str, str]) -> dict[str, str]:
    """Add the anchors and lines for moved ids to `pages`, and return the files for moved pages, by address.

    Raises:
        PublishError: an old address is still in use, or a new address does not exist.
    """
    files: dict[str, str] = {}
    for old_address, new_address in moves.items():
        _check(old_address, new_address, pages, moves)
        old_page, _, old_id = old_address.partition("#")
        new_page, _, new_id = new_address.partition("#")
        if old_id:
            if old_page in pages:
                _add_anchor(pages[old_page], old_id, new_page, new_id)
            continue
        new_ids = _new_ids(old_page, pages[new_page], new_id, moves)
        files[old_page] = _forwarding_page(old_page, new_address, pages[new_page].canonical, new_ids)
        markdown = markdown_address(new_page)
        files[markdown_address(old_page)] = f"This page has moved to [{markdown}]({_link(old_page, markdown)}).\n"
        if new_page in TOOLS:
            files[embed(old_page)] = _forwarding_page(embed(old_page), embed(new_page))
    return files


def _new_ids(old_page: str, target: Page, part: str, moves: Mapping[str, str]) -> dict[str, str]:
    """The new name of each id of a moved page.

    If the page has become part of another page, its ids may have got the id of that part as a prefix. Any other id that
    contains the id of the part keeps its name.

    Args:
        old_page: the old address of the page.
        target: the page that has its content now.
        part: the id of the part of `target` that the page has become; empty if the page has become all of `target`.
        moves: the new address of every page and id that has moved, by its old address.
    """
    prefix = f"{part}-" if part else ""
    all_ids = [element.id or "" for element in target.tree.css("article [id]")]
    ids = [id_ for id_ in all_ids if part in id_]
    ids_with_prefix = {id_.removeprefix(prefix): id_ for id_ in ids if id_.startswith(prefix)}
    ids_in_table = {
        address.partition("#")[2]: new_address.partition("#")[2]
        for address, new_address in moves.items()
        if address.startswith(f"{old_page}#")
    }
    return ids_with_prefix | {id_: id_ for id_ in ids} | ids_in_table


def _check(old_address: str, new_address: str, pages: Mapping[str, Page], moves: Mapping[str, str]) -> None:
    """Raise a `PublishError` if an entry has a fault; the message says how to correct it."""
    old_page, _, old_id = old_address.partition("#")
    new_page, _, new_id = new_address.partition("#")
    fault = ""
    if new_page not in pages:
        fault = f"there is no page {new_page}; name one that is there"
    elif new_id and pages[new_page].element(new_id) is None:
        fault = f"{new_page} has no id {new_id}; name one that it has"
    elif old_id and old_page not in pages and moves.get(old_page, "").partition("#")[0] != new_page:
        fault = f"there is no page {old_page}, and none that has moved to {new_page}; a page moves with all its ids"
    elif old_page in pages and (not old_id or pages[old_page].element(old_id)):
        fault = f"{old_address} is still there; remove it or this line"
    if fault:
        raise PublishError(f"moved.toml{_line(old_address)}: {old_address} has moved to {new_address}, and {fault}")


def _line(old_address: str) -> str:
    """The line of an old address in `moved.toml`, such as ", line 12"; empty if no line begins with the address."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return next((f", line {number}" for number, line in enumerate(lines, 1) if line.startswith(f'"{old_address}"')), "")


def _link(page: str, address: str) -> str:
    """The relative link from a page to an address, which is given relative to the root of the site."""
    return relpath(address, dirname(page) or ".")


def _add_anchor(page: Page, old_id: str, new_page: str, new_id: str) -> None:
    """Add an anchor with an old id to a page.

    If the id has moved to another page, add a line that has the id and links there.
    """
    if new_page != page.name and page.article:
        link = escape(_link(page.name, new_page) + (f"#{new_id}" if new_id else ""))
        line = f'<p class="bc-moved" id="{escape(old_id)}">This has moved <a href="{link}">to another page</a>.</p>'
        page.article.insert_child(page.fragment(line))
    elif node := page.element(new_id):
        text_element = next((element for element in node.traverse() if element.tag not in STRUCTURE), node)
        anchor = page.fragment(f'<a class="bc-moved" id="{escape(old_id)}"></a>')
        if text_element.mem_id == node.mem_id:
            node.insert_before(anchor)
        elif text_element.first_child:
            text_element.first_child.insert_before(anchor)


def _forwarding_page(
    old_address: str, new_address: str, canonical: str = "", new_ids: Mapping[str, str] | None = None
) -> str:
    """A page that redirects to another page at once, even without scripts, for readers and for search engines.

    Args:
        old_address: the address of the page that has moved.
        new_address: the new address of the page, which may have a fragment.
        canonical: the address at which the new page is published; empty if unknown.
        new_ids: the new name of each id of the old page.
    """
    new_page, hash_sign, fragment = new_address.partition("#")
    link = escape(_link(old_address, new_page))
    changed_ids = {old_id: new_id for old_id, new_id in (new_ids or {}).items() if old_id != new_id}
    return FORWARDING_PAGE.format(
        page=link,
        place=escape(hash_sign + fragment),
        canonical=escape(canonical or link),
        places=json.dumps(changed_ids, separators=(",", ":")),
    )
