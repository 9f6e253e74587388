"""Adds to the search index the words that readers use for each page, and the numbers that pages explain.

The theme searches titles and texts. A reader who types 2,362,368 or "Wq" is looking
for one page, which need not be the page where that text occurs most often. So an
additional field holds such words and numbers, and a match in it ranks
above all others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from selectolax.lexbor import LexborNode

from macros.counting.blocks import blocks_of

from .page import Page

INDEX = Path("search", "search_index.json")
"""The path of the index, which is the same in MkDocs and Zensical."""

NUMBER = re.compile(r"(?:[,.]?\d){4,}[,.]?[KMG]?")
"""Matches a number that may identify a page. Numbers with fewer than four digits occur on too many pages."""

WORDS: dict[str, str] = blocks_of(Path(__file__).with_name("search_words.toml"))
"""The words that readers type, by the address of the page or section that they are most likely to mean."""

WORKED_OUT_PREFIXES = ("parts/", "totals/", "disagreements/conventions", "disagreements/mistakes")
"""Prefixes of the addresses of pages that work numbers out. If no first paragraph contains a number, the search leads
to one of these pages."""


def index_files(site: Path, pages: Mapping[str, Page]) -> dict[str, str]:
    """The search index of a site with the additional field, by its address; empty if the site has no index."""
    if not (site / INDEX).is_file():
        return {}
    index = json.loads((site / INDEX).read_text(encoding="utf-8"))
    numbers_by_address = _numbers_by_address(pages)
    # The field is searched but never shown. Its weight is so large that no number of matches elsewhere outranks it.
    index["config"]["fields"]["words"] = {"boost": 10**6}
    for entry in index["docs"]:
        words = f"{WORDS.get(entry['location'], '')} {' '.join(numbers_by_address.get(entry['location'], ()))}"
        if words.strip():
            entry["words"] = " ".join(words.split())
    return {str(INDEX): json.dumps(index, ensure_ascii=False, separators=(",", ":"))}


def _numbers_by_address(pages: Mapping[str, Page]) -> dict[str, list[str]]:
    """The numbers to look up, by the address of the page or section that gives or, failing that, works out the number.

    A number in several places is assigned to the first of them.
    """
    # First come the first paragraphs of pages, then those of sections, and last the full pages that work numbers out.
    addresses = sorted(WORDS, key=lambda address: "#" in address)
    page_of = {address: pages[name] for address in addresses if (name := address.partition("#")[0]) in pages}
    nodes = [(address, _first_paragraph(page, address.partition("#")[2])) for address, page in page_of.items()]
    nodes += [(address, page.article) for address, page in page_of.items() if address.startswith(WORKED_OUT_PREFIXES)]
    address_of: dict[str, str] = {}
    for address, node in nodes:
        for element in node.css("data") if node else ():
            if NUMBER.fullmatch(number := element.text()):
                address_of.setdefault(number, address)
    return {
        address: [number for number, node_address in address_of.items() if node_address == address]
        for address, _ in nodes
    }


def _first_paragraph(page: Page, section: str) -> LexborNode | None:
    """The first paragraph of a page or of one of its sections, which answers the question in the heading."""
    return page.tree.css_first(f"article [id='{section}'] ~ p" if section else "article p")
