"""The search index of a built site, with what readers ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from selectolax.lexbor import LexborNode

from macros.counting.blocks import blocks_of

from .page import Page

INDEX = Path("search", "search_index.json")
"""Where every generator that we know writes the index."""

NUMBER = re.compile(r"(?:[,.]?\d){4,}[,.]?[KMG]?")
"""One with fewer digits says too little to be looked for by itself."""

WORDS: dict[str, str] = blocks_of(Path(__file__).with_name("search_words.toml"))
"""What readers ask, by the address of the page or the section that they mean first."""

WORKING = ("parts/", "totals/", "disagreements/conventions", "disagreements/mistakes")
"""Where numbers are worked out; what other pages have besides their answers is taken from there."""


def index_files(site: Path, pages: Mapping[str, Page]) -> dict[str, str]:
    """The search index of a site, if it has one."""
    if not (site / INDEX).is_file():
        return {}
    index = json.loads((site / INDEX).read_text(encoding="utf-8"))
    answers = _answers(pages)
    # The field that holds what leads to an entry first; it is searched, and never shown.
    index["config"]["fields"]["words"] = {"boost": 10**6}
    for entry in index["docs"]:
        asked = f"{WORDS.get(entry['location'], '')} {' '.join(answers.get(entry['location'], ()))}"
        if asked.strip():
            entry["words"] = " ".join(asked.split())
    return {str(INDEX): json.dumps(index, ensure_ascii=False, separators=(",", ":"))}


def _answers(pages: Mapping[str, Page]) -> dict[str, list[str]]:
    """The numbers of pages and sections, each with the first that answers with it, or else that works it out."""
    # A page answers before a section of another one does.
    addresses = sorted(WORDS, key=lambda each: "#" in each)
    asked = {each: pages[each.partition("#")[0]] for each in addresses if each.partition("#")[0] in pages}
    places = [(each, _first_paragraph(page, each.partition("#")[2])) for each, page in asked.items()]
    places += [(each, page.article) for each, page in asked.items() if each.startswith(WORKING)]
    page_of: dict[str, str] = {}
    for name, within in places:
        for number in (each.text() for each in (within.css("data") if within else ())):
            if NUMBER.fullmatch(number):
                page_of.setdefault(number, name)
    return {name: [each for each, page in page_of.items() if page == name] for name, _ in places}


def _first_paragraph(page: Page, section: str) -> LexborNode | None:
    """What answers the question of a page, or of one of its sections."""
    return page.tree.css_first(f"article [id='{section}'] ~ p" if section else "article p")
