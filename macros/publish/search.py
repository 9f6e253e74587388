"""The search index of a built site, with what readers ask for."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from .page import Page

INDEX = Path("search", "search_index.json")
"""Where every generator that we know writes the index."""

NUMBER = re.compile(r"(?:[,.]?\d){4,}[,.]?[KMG]?")
"""One with fewer digits says too little to be looked for by itself."""

WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("search_words.toml").read_text(encoding="utf-8"))
"""What readers ask, by the address of the page that they mean first."""

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
    """The numbers of pages, each with the first that answers with it, or else the first that works it out."""
    asked = [pages[address] for address in WORDS if address in pages]
    places = [(page.name, page.tree.css_first("article p")) for page in asked]
    places += [(page.name, page.article) for page in asked if page.name.startswith(WORKING)]
    page_of: dict[str, str] = {}
    for name, within in places:
        for number in (each.text() for each in (within.css("data") if within else ())):
            if NUMBER.fullmatch(number):
                page_of.setdefault(number, name)
    return {name: [each for each, page in page_of.items() if page == name] for name, _ in places}
