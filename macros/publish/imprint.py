"""The last line of a page on paper: where it is from, and of which build. The style sheet keeps it from screens."""

from __future__ import annotations

from html import escape

from macros.rendering.citations import UNKNOWN, Cited

from .page import Page


def add_imprint(page: Page, cited: Cited) -> None:
    """Give a page that has a text its last line."""
    if page.article:
        page.article.insert_after(page.fragment(f'<p class="bc-imprint">{escape(line(page, cited))}</p>'))


def line(page: Page, cited: Cited, place: str = "") -> str:
    """Title, site, address and build of a page, as text; what is not known is left out.

    Args:
        page: the page.
        cited: what is known of the build.
        place: the id of what is cited on the page.
    """
    anchor = f"#{place}" if place else ""
    known = [
        f"“{page.title}”, {cited.title}." if page.title else f"{cited.title}.",
        page.canonical + anchor if page.canonical else "",
        f"Built from {cited.build}." if cited.commit != UNKNOWN else "",
    ]
    return " ".join(filter(None, known))
