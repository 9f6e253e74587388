"""The list of all figures with their files, on the page of hand-outs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from . import Found, address, kinds_of
from .styles import SCHEMES

LIST = re.compile(r'(<ul class="bc-gallery"[^>]*>).*?(</ul>)', re.DOTALL)
"""The list as a page has it, filled or not."""


def with_gallery(page: str, html: str, found: Sequence[Found], site: Path) -> str:
    """A page whose list of figures is filled; any other stays as it is.

    Args:
        page: its address from the top.
        html: the page.
        found: every figure of the site, in the order of its pages.
        site: the folder of the site.
    """
    if not LIST.search(html):
        return html
    up = "../" * page.count("/")
    items = "".join(_item(each, up, site) for each in found)
    return LIST.sub(lambda around: f"{around[1]}{items}{around[2]}", html)


def _item(of: Found, up: str, site: Path) -> str:
    """A figure, small, with what it is called, where it stands, and its files."""
    title = escape(of.figure.title)
    image = f"{up}{address(of.stem, 'light', 'svg')}"
    links = ", ".join(_links(of, kind, up) for kind in kinds_of(of.stem, site))
    return (
        f'<li><img src="{image}" alt="" loading="lazy">'
        f'<a href="{up}{of.page}#{of.id}">{title}</a><br>'
        f"<small>{escape(of.question)}<br>{links}</small></li>"
    )


def _links(of: Found, kind: str, up: str) -> str:
    """The links to a kind of file in both schemes."""
    title = escape(of.figure.title)
    return f"{kind.upper()} " + " ".join(
        f'<a href="{up}{address(of.stem, scheme, kind)}" aria-label="{title}: {kind.upper()}, {scheme}">{scheme}</a>'
        for scheme in SCHEMES
    )
