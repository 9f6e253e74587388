"""What has moved: an address that was published once goes on leading to what it meant; see moved.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from html import escape
from pathlib import Path

from .errors import PublishError

REFRESH = '<meta http-equiv="refresh"'
"""What a page that has moved is known by."""

KEPT = 'class="bc-moved" id='
"""What an id that has moved is known by."""

CANONICAL = re.compile(r'<link rel="canonical" href="([^"]+)">')

ARTICLE = "</article>"


def load() -> dict[str, str]:
    """The table of what has moved: an address, and the one that has taken its place."""
    return tomllib.loads(Path(__file__).with_name("moved.toml").read_text(encoding="utf-8"))


def with_moved(site: Path, pages: Mapping[Path, str], moved: Mapping[str, str]) -> dict[Path, str]:
    """Every page, with what is left behind by those that have moved, and with the anchors of ids that have.

    Args:
        site: the folder of the site.
        pages: its pages; those that an earlier run has left behind are made anew.
        moved: as in moved.toml, by address from the top of the site.

    Raises:
        PublishError: an old address is still in use, or a new one leads nowhere.
    """
    done = {path: html for path, html in pages.items() if REFRESH not in html}
    found = {path.relative_to(site).as_posix(): html for path, html in done.items()}
    for old, new in moved.items():
        _check(old, new, found)
        page, _, anchor = old.partition("#")
        target, _, place = new.partition("#")
        if not anchor:
            done[site / page] = left_behind(page, new, CANONICAL.search(found[target]))
        elif _id(KEPT, anchor) not in found[page]:
            found[page] = done[site / page] = _with_anchor(found[page], anchor, _way(page, target, place), place)
    return done


def _id(name: str, value: str) -> str:
    return f'{name}"{escape(value)}"'


def _check(old: str, new: str, found: Mapping[str, str]) -> None:
    """Raises if an entry is wrong."""
    page, _, anchor = old.partition("#")
    target, _, place = new.partition("#")
    if target not in found:
        raise PublishError(f"moved.toml: {old} has moved to {new}, and there is no page {target}; name one")
    if place and _id(" id=", place) not in found[target]:
        raise PublishError(f"moved.toml: {old} has moved to {new}, and {target} has no id {place}; name one it has")
    if not anchor and page in found:
        raise PublishError(f"moved.toml: {page} has moved to {new}, and is still there; leave one of them out")
    if anchor and page not in found:
        raise PublishError(f"moved.toml: {old} has moved, and there is no page {page}; a page moves with all its ids")
    if anchor and _id(" id=", anchor) in found[page].replace(_id(KEPT, anchor), ""):
        raise PublishError(f"moved.toml: {old} has moved to {new}, and is still there; leave one of them out")


def _way(page: str, target: str, place: str) -> str:
    """The address of a place, as its own page or another names it; empty on its own page."""
    if target == page:
        return ""
    return os.path.relpath(target, Path(page).parent) + (f"#{place}" if place else "")


def _with_anchor(html: str, anchor: str, way: str, place: str) -> str:
    """A page on which an old id leads to a place: right there, or in a line at its end that says where it is now."""
    if way:
        line = f'<p {_id(KEPT, anchor)}>This has moved <a href="{escape(way)}">to another page</a>.</p>'
        return html.replace(ARTICLE, f"{line}{ARTICLE}", 1)
    start = html[: html.index(_id(" id=", place))].rindex("<")
    if html.startswith("<tr ", start):  # a row holds nothing but cells
        start = html.index(">", html.index("<t", start + 1)) + 1
    return f"{html[:start]}<a {_id(KEPT, anchor)}></a>{html[start:]}"


def left_behind(page: str, new: str, canonical: re.Match[str] | None) -> str:
    """A page that leads to another one at once, with and without scripts, and says so to machines and to readers."""
    way = escape(os.path.relpath(new, Path(page).parent))
    target = new.partition("#")[0]
    whole = escape(canonical[1].removesuffix(target) + target) if canonical else way.partition("#")[0]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>'
        f'<link rel="canonical" href="{whole}">{REFRESH} content="0; url={way}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"></head>'
        f'<body><p>This page <a href="{way}">has moved</a>.</p></body></html>\n'
    )
