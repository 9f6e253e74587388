"""The hand-outs as PDF: which there are, and the links to those that a browser has made."""

from __future__ import annotations

from .page import Page

FOLDER = "hand-outs"
"""Where the files stand, from the top of the site."""

PAPER = ("A4", "Letter")


def address(name: str, paper: str) -> str:
    """The address of a file from the top."""
    return f"{FOLDER}/{name}-{paper.lower()}.pdf"


def add_links(page: Page) -> None:
    """Fill the places of a page for the links to the files of a hand-out."""
    for place in page.tree.css("span.bc-printed[data-sheet]"):
        name = place.attributes["data-sheet"] or ""
        links = [f'<a href="{page.top}{address(name, paper)}">PDF for {paper}</a>' for paper in PAPER]
        place.inner_html = f": {', '.join(links)}"
