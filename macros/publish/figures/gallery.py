"""The list of all figures with their files, on the page of hand-outs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..page import Page
from . import Found, address
from .styles import SCHEMES

LIST = "ul.bc-gallery"
"""The list, which the page has empty."""


def fill_gallery(page: Page, found: Sequence[Found], kinds: Sequence[str]) -> None:
    """Fill the list of figures of a page that has one.

    Args:
        page: the page.
        found: every figure of the site, in the order of its pages.
        kinds: the kinds of files that there are of each.
    """
    if place := page.tree.css_first(LIST):
        place.inner_html = "".join(_item(each, page.top, kinds) for each in found)


def _item(of: Found, up: str, kinds: Sequence[str]) -> str:
    """A figure, small, with what it is called, where it stands, and its files."""
    title = escape(of.figure.title)
    image = f"{up}{address(of.stem, 'light', 'svg')}"
    links = ", ".join(_links(of, kind, up) for kind in kinds)
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
