"""What has moved: an address that was published once goes on leading to what it meant; see moved.toml."""

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
"""Elements that hold nothing but certain others, so that an anchor within them stands in the first of those."""

LEAD_ON = Path(__file__).with_name("moved.html").read_text(encoding="utf-8")
"""The page that is left behind: with scripts the reader's own query goes along, and the new name of the fragment."""


def load() -> dict[str, str]:
    """The table of what has moved: an address, and the one that has taken its place."""
    return blocks_of(TABLE)


def lead_on(pages: Mapping[str, Page], moved: Mapping[str, str]) -> dict[str, str]:
    """Let all that has moved lead on, and return the files that are left behind, by address.

    A page leaves its Markdown, too, and a tool its page for frames; what was
    cut out of it leads there by the error page. An id that has moved within its
    page is an anchor at its new place; one that has gone to another page is a
    line at the end of its old one.

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
    """The address that has taken the place of an old one, with its fragment.

    Args:
        old: a page that has moved, or one of its ids, as `page#id`.
        moved: the table of what has moved.
        ids: every id there is, as `page#id`.
    """
    name, _, anchor = old.partition("#")
    if old in moved or name not in moved:
        return moved.get(old, old)
    own = f"{moved[name]}-{anchor}"
    return own if "#" in own and own in ids else f"{moved[name].partition('#')[0]}#{anchor}"


def _places(old: str, target: Page, place: str, moved: Mapping[str, str]) -> dict[str, str]:
    """The ids of a page that has moved, each with the one it has there; of a part those that name it."""
    before = f"{place}-" if place else ""
    ids = [id_ for each in target.tree.css("article [id]") if place in (id_ := each.id or "")]
    named = {each.partition("#")[2]: new.partition("#")[2] for each, new in moved.items() if each.startswith(f"{old}#")}
    prefixed = {each.removeprefix(before): each for each in ids if each.startswith(before)}
    return prefixed | {each: each for each in ids} | named


def _check(old: str, new: str, pages: Mapping[str, Page], moved: Mapping[str, str]) -> None:
    """Raises if an entry is wrong."""
    name, _, anchor = old.partition("#")
    target, _, place = new.partition("#")
    wrong = ""
    if target not in pages:
        wrong = f"there is no page {target}; name one"
    elif place and pages[target].element(place) is None:
        wrong = f"{target} has no id {place}; name one it has"
    elif anchor and name not in pages and moved.get(name, "").partition("#")[0] != target:
        wrong = f"there is no page {name}, and none that has moved to {target}; a page moves with all its ids"
    elif name in pages and (not anchor or pages[name].element(anchor)):
        wrong = f"{old} is still there; leave one of them out"
    if wrong:
        raise PublishError(f"moved.toml{_line(old)}: {old} has moved to {new}, and {wrong}")


def _line(old: str) -> str:
    """Where the table names an old address: ", line 12"; empty if it does not."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return next((f", line {number}" for number, line in enumerate(lines, 1) if line.startswith(f'"{old}"')), "")


def _way(page: str, address: str) -> str:
    """An address from the top of the site as a page names it."""
    return relpath(address, dirname(page) or ".")


def _add_anchor(page: Page, anchor: str, target: str, place: str) -> None:
    if target != page.name and page.article:
        way = escape(_way(page.name, target) + (f"#{place}" if place else ""))
        line = f'<p class="bc-moved" id="{escape(anchor)}">This has moved <a href="{way}">to another page</a>.</p>'
        page.article.insert_child(page.fragment(line))
    elif node := page.element(place):
        inside = next((each for each in node.traverse() if each.tag not in STRUCTURE), node)
        mark = page.fragment(f'<a class="bc-moved" id="{escape(anchor)}"></a>')
        if inside.mem_id == node.mem_id:
            node.insert_before(mark)
        elif inside.first_child:
            inside.first_child.insert_before(mark)


def _left_behind(old: str, new: str, canonical: str = "", places: Mapping[str, str] | None = None) -> str:
    """A page that leads to another one at once, with and without scripts, and says so to machines and to readers."""
    page, sign, place = new.partition("#")
    way = escape(_way(old, page))
    there = json.dumps({each: to for each, to in (places or {}).items() if each != to}, separators=(",", ":"))
    return LEAD_ON.format(page=way, place=escape(sign + place), canonical=escape(canonical or way), places=there)
