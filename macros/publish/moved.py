"""Keeps old addresses alive: a page or an id that was once published leads on to what it meant.

`moved.toml` says where to. What is left at the old place depends on what moved:

- A page leaves a small page that leads on at once, its Markdown, and for a tool
  its page for frames. With scripts, the query and the fragment of the address go
  along, and a fragment gets its new name.
- An id that moved within its page is an anchor at its new place.
- An id that moved to another page is a line at the end of its old one.

What was cut out of an old page for frames leads on from the error page.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from html import escape
from pathlib import Path
from posixpath import dirname, relpath

from macros.counting.blocks import blocks_of
from macros.rendering.components.pages import embed

from .embeds import TOOLS
from .for_machines import beside
from .page import Page, PublishError

TABLE = Path(__file__).with_name("moved.toml")

STRUCTURE = ("table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl")
"""Elements that may hold only certain others, so an anchor for one of them goes into the first of those."""

LEAD_ON = Path(__file__).with_name("moved.html").read_text(encoding="utf-8")
"""The page that is left behind."""


def load() -> dict[str, str]:
    """The new address of everything that has moved, by its old one."""
    return blocks_of(TABLE)


def lead_on(pages: Mapping[str, Page], moved: Mapping[str, str]) -> dict[str, str]:
    """Add the anchors and lines of ids that have moved, and return the files that pages leave behind, by address.

    Raises:
        PublishError: an old address is still in use, or a new one leads nowhere.
    """
    files: dict[str, str] = {}
    for old, new in moved.items():
        _check(old, new, pages, moved)
        name, _, anchor = old.partition("#")
        target, _, place = new.partition("#")
        if anchor:
            if name in pages:
                _add_anchor(pages[name], anchor, target, place)
            continue
        places = _places(old, pages[target], place, moved)
        files[name] = _left_behind(name, new, pages[target].canonical, places)
        files[beside(name)] = f"This page has moved to [{beside(target)}]({_way(name, beside(target))}).\n"
        if target in TOOLS:
            files[embed(name)] = _left_behind(embed(name), embed(target))
    return files


def led_to(old: str, moved: Mapping[str, str], ids: Container[str]) -> str:
    """The new address of an old one, with its fragment; the old one if it has not moved.

    Args:
        old: a page that has moved, or one of its ids, as `page#id`.
        moved: the table of what has moved.
        ids: every id of the site, as `page#id`.
    """
    name, _, anchor = old.partition("#")
    if old in moved or name not in moved:
        return moved.get(old, old)
    own = f"{moved[name]}-{anchor}"
    return own if "#" in own and own in ids else f"{moved[name].partition('#')[0]}#{anchor}"


def _places(old: str, target: Page, place: str, moved: Mapping[str, str]) -> dict[str, str]:
    """The new name of each id of a page that has moved.

    If the page has become a part of another one, its ids may have got the name of that part in front.
    """
    before = f"{place}-" if place else ""
    ids = [id_ for element in target.tree.css("article [id]") if place in (id_ := element.id or "")]
    with_name_of_part = {id_.removeprefix(before): id_ for id_ in ids if id_.startswith(before)}
    in_table = {
        address.partition("#")[2]: new.partition("#")[2]
        for address, new in moved.items()
        if address.startswith(f"{old}#")
    }
    return with_name_of_part | {id_: id_ for id_ in ids} | in_table


def _check(old: str, new: str, pages: Mapping[str, Page], moved: Mapping[str, str]) -> None:
    """Raise a `PublishError` that says what is wrong with an entry, if anything is."""
    name, _, anchor = old.partition("#")
    target, _, place = new.partition("#")
    wrong = ""
    if target not in pages:
        wrong = f"there is no page {target}; name one that is there"
    elif place and pages[target].element(place) is None:
        wrong = f"{target} has no id {place}; name one that it has"
    elif anchor and name not in pages and moved.get(name, "").partition("#")[0] != target:
        wrong = f"there is no page {name}, and none that has moved to {target}; a page moves with all its ids"
    elif name in pages and (not anchor or pages[name].element(anchor)):
        wrong = f"{old} is still there; leave one of them out"
    if wrong:
        raise PublishError(f"moved.toml{_line(old)}: {old} has moved to {new}, and {wrong}")


def _line(old: str) -> str:
    """Where the table has an old address, such as ", line 12"; empty if it has not."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return next((f", line {number}" for number, line in enumerate(lines, 1) if line.startswith(f'"{old}"')), "")


def _way(page: str, address: str) -> str:
    """A link from a page to an address that counts from the top of the site."""
    return relpath(address, dirname(page) or ".")


def _add_anchor(page: Page, anchor: str, target: str, place: str) -> None:
    """Give an old id to a place of its page, or to a line that leads to another page."""
    if target != page.name and page.article:
        way = escape(_way(page.name, target) + (f"#{place}" if place else ""))
        line = f'<p class="bc-moved" id="{escape(anchor)}">This has moved <a href="{way}">to another page</a>.</p>'
        page.article.insert_child(page.fragment(line))
    elif node := page.element(place):
        inside = next((element for element in node.traverse() if element.tag not in STRUCTURE), node)
        mark = page.fragment(f'<a class="bc-moved" id="{escape(anchor)}"></a>')
        if inside.mem_id == node.mem_id:
            node.insert_before(mark)
        elif inside.first_child:
            inside.first_child.insert_before(mark)


def _left_behind(old: str, new: str, canonical: str = "", places: Mapping[str, str] | None = None) -> str:
    """A page that leads to another one at once, with and without scripts, and tells machines and readers so."""
    page, sign, place = new.partition("#")
    way = escape(_way(old, page))
    renamed = {old_id: new_id for old_id, new_id in (places or {}).items() if old_id != new_id}
    return LEAD_ON.format(
        page=way,
        place=escape(sign + place),
        canonical=escape(canonical or way),
        places=json.dumps(renamed, separators=(",", ":")),
    )
