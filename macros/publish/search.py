"""Adds to the search index what readers type who mean a page, and the numbers that pages answer with.

The theme searches titles and texts. A reader who types 2,362,368 or "Wq" means one
page, which may not be the one where that stands most often. So entries get a field
of their own with such words and numbers, which counts before everything else.
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
"""The place of the index; MkDocs and Zensical have the same."""

NUMBER = re.compile(r"(?:[,.]?\d){4,}[,.]?[KMG]?")
"""A number worth looking up by itself: one of fewer than four digits stands on too many pages."""

WORDS: dict[str, str] = blocks_of(Path(__file__).with_name("search_words.toml"))
"""The words that readers type, by the address of the page or section that they mean first."""

WORKING = ("parts/", "totals/", "disagreements/conventions", "disagreements/mistakes")
"""Pages that work numbers out. A number in the middle of another page is looked up here."""


def index_files(site: Path, pages: Mapping[str, Page]) -> dict[str, str]:
    """The search index of a site with the additional field, by its address; nothing if the site has no index."""
    if not (site / INDEX).is_file():
        return {}
    index = json.loads((site / INDEX).read_text(encoding="utf-8"))
    answers = _answers(pages)
    # The field is searched, and never shown. Its weight lets it win over any number of hits in a text.
    index["config"]["fields"]["words"] = {"boost": 10**6}
    for entry in index["docs"]:
        words = f"{WORDS.get(entry['location'], '')} {' '.join(answers.get(entry['location'], ()))}"
        if words.strip():
            entry["words"] = " ".join(words.split())
    return {str(INDEX): json.dumps(index, ensure_ascii=False, separators=(",", ":"))}


def _answers(pages: Mapping[str, Page]) -> dict[str, list[str]]:
    """The numbers to look up, by the page or section that answers with them, or else works them out.

    Each number belongs to the first place that has it.
    """
    # The first paragraph of a page comes before that of a section, and both before what is worked out below.
    addresses = sorted(WORDS, key=lambda address: "#" in address)
    page_of = {address: pages[name] for address in addresses if (name := address.partition("#")[0]) in pages}
    places = [(address, _first_paragraph(page, address.partition("#")[2])) for address, page in page_of.items()]
    places += [(address, page.article) for address, page in page_of.items() if address.startswith(WORKING)]
    place_of: dict[str, str] = {}
    for address, node in places:
        for element in node.css("data") if node else ():
            if NUMBER.fullmatch(number := element.text()):
                place_of.setdefault(number, address)
    return {address: [number for number, place in place_of.items() if place == address] for address, _ in places}


def _first_paragraph(page: Page, section: str) -> LexborNode | None:
    """The first paragraph of a page, or of one of its sections: it answers the question of the heading."""
    return page.tree.css_first(f"article [id='{section}'] ~ p" if section else "article p")
