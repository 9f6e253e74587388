"""The hand-outs as PDF: which there are, and the links to those that a browser has made."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = "hand-outs"
"""Where the files stand, from the top of the site."""

PAPER = ("A4", "Letter")

LINKS = re.compile(r'(<span class="bc-printed" data-sheet="(?P<name>[^"]+)">).*?(</span>)', re.DOTALL)
"""A place for the links to one hand-out, filled or not."""


def address(name: str, paper: str) -> str:
    """The address of a file from the top."""
    return f"{FOLDER}/{name}-{paper.lower()}.pdf"


def with_links(page: str, html: str, site: Path) -> str:
    """A page with links to the files that are there; where there is none, their place stays empty."""
    up = "../" * page.count("/")

    def links(place: re.Match[str]) -> str:
        found = {paper: address(place["name"], paper) for paper in PAPER}
        made = [f'<a href="{up}{file}">PDF for {paper}</a>' for paper, file in found.items() if (site / file).exists()]
        return f"{place[1]}{': ' if made else ''}{', '.join(made)}{place[3]}"

    return LINKS.sub(links, html)
