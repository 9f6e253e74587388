"""Adds to the search index the words that readers use for each page, and the numbers that pages explain.

The theme searches titles and texts. A reader who types 2,362,368 or "Wq" is looking for one page,
which need not be the page where that text occurs most often. So an additional field of the index
holds such words and numbers for each page, and a match in this field ranks above all others.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from selectolax.lexbor import LexborNode

from macros.counting.blocks import blocks_of
from macros.rendering.components.pages import PAGES_BY_TOPIC, TOY_MODEL

from .page import Page

INDEX = Path("search", "search_index.json")
"""The path of the index, which is the same in MkDocs and Zensical."""

NUMBER = re.compile(r"(?:[,.]?\d){4,}[,.]?[KMG]?")
"""Matches a number that may identify a page. Numbers with fewer than four digits occur on too many pages."""

WORDS: dict[str, str] = blocks_of(Path(__file__).with_name("search_words.toml"))
"""The words that readers type, by the address of the page or section that they are most likely to mean."""

PRINT_OUTS = "disagreements/what-your-tool-prints.html"
"""The page about what tools print."""

WORKED_OUT_PREFIXES = ("parts/", "totals/", "disagreements/conventions", "disagreements/mistakes", PRINT_OUTS)
"""Prefixes of the addresses of pages that work numbers out.

If no first paragraph contains a number, the search leads to one of these pages.
"""

COMPARING_PAGES = {TOY_MODEL, PRINT_OUTS}
"""Pages that come last, because they only compare their subject with numbers that other pages are about."""

NAMES = "listings/index.html"
"""The page with the names of tensors in all libraries."""

NAMES_IN_SUMMARIES = {
    f"{NAMES}#keras-bert": "#keras-bert-rows tr",
    f"{NAMES}#bert4keras": "#bert4keras-rows tr",
    f"{NAMES}#keras-hub": "#keras-hub-weights tr",
}
"""Selectors of the rows that each begin with a name, by the section that the name leads to."""

NAMES_TABLE = f"{NAMES}#what-is-this-tensor-called-elsewhere"
"""The section with the names of tensors, other than those in transformers."""

NAMES_IN_TRANSFORMERS = PAGES_BY_TOPIC["tensors"]
"""The page with the names of tensors in transformers."""

OUTER_MODULES = re.compile(
    r"^(?:(?:params|module|model|base_model|bert|encoder)[./])+"
    r"(?=(?:embeddings|encoder|layer(?:_[\d*]+)?|pooler)[./])"
)
"""Matches the beginning of a name: the encoder, and the modules around the model, which depend on class and library."""


def index_files(site: Path, pages: Mapping[str, Page]) -> dict[str, str]:
    """The text of the search index with the additional field, by address; empty if the site has no index."""
    if not (site / INDEX).is_file():
        return {}
    index = json.loads((site / INDEX).read_text(encoding="utf-8"))
    # The field is searched but never shown. Its weight is so large that no number of matches elsewhere outranks it.
    index["config"]["fields"]["words"] = {"boost": 10**6}
    typed_words_by_address = {address: without_accents(words).split() for address, words in WORDS.items()}
    names_by_address = {
        address: list(filter(None, map(compound, words))) for address, words in typed_words_by_address.items()
    }
    derived_words = [
        _by_address(_addresses_of_numbers(pages)),
        names_by_address,
        _by_address(_addresses_of_names(pages, names_by_address)),
    ]
    for section in index["docs"]:
        address = section["location"]
        words = list(typed_words_by_address.get(address, ()))
        for words_by_address in derived_words:
            words += words_by_address.get(address, ())
        if words:
            section["words"] = " ".join(words)
    return {str(INDEX): json.dumps(index, ensure_ascii=False, separators=(",", ":"))}


def without_accents(text: str) -> str:
    """A text without accents, so that readers may leave them out."""
    decomposed_text = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFKC", re.sub("[\u0300-\u036f]", "", decomposed_text))


def compound(name: str) -> str:
    """The parts of a compound name, such as a tensor's, as one word of the index; empty for any other word.

    `docs/assets/site-search/compounds.js` explains it, and does the same for queries.
    """
    if not re.fullmatch(r"[\w*]+([./-]+[\w*]+|_[^\W_]+)+", name) or not re.search(r"[^\W\d_]", name):
        return ""
    inner_name = OUTER_MODULES.sub("", name.lower())
    name_without_numbers = re.sub(r"(?<![^\W_])[\d*]+(?![^\W_])", "0", inner_name)
    return "_" + re.sub("[_/-]+", "_", name_without_numbers).replace(".", "·")


def _by_address(addresses: Mapping[str, str]) -> dict[str, list[str]]:
    """Words by address, from addresses by word."""
    words_by_address: dict[str, list[str]] = {}
    for word, address in addresses.items():
        words_by_address.setdefault(address, []).append(word)
    return words_by_address


def _addresses_of_names(pages: Mapping[str, Page], names_in_words: Mapping[str, list[str]]) -> dict[str, str]:
    """The address of the page or section that lists a tensor or counts a model, by its name as one word.

    Names that `WORDS` assigns to a page are left out; `names_in_words` has them by address.
    """
    addresses = {name: "" for names in names_in_words.values() for name in names}
    if listing := pages.get(NAMES):
        for address, selector in NAMES_IN_SUMMARIES.items():
            for row in listing.tree.css(selector):
                if code := row.css_first("code"):
                    addresses.setdefault(compound(code.text()), address)
        for code in listing.tree.css("#names code"):
            address = NAMES_IN_TRANSFORMERS if "." in code.text() else NAMES_TABLE
            addresses.setdefault(compound(code.text()), address)
    counts: Counter[tuple[str, str]] = Counter()
    for address, page in pages.items():
        if address.startswith("totals/"):
            models = (element.attributes["data-model"] for element in page.tree.css("article data[data-model]"))
            counts.update((address, compound(model or "")) for model in models)
    # A model belongs to the page that has most of its numbers.
    for (address, name), _ in counts.most_common():
        addresses.setdefault(name, address)
    return {name: address for name, address in addresses.items() if name and address}


def _addresses_of_numbers(pages: Mapping[str, Page]) -> dict[str, str]:
    """The address of the page or section that gives a number or, failing that, works it out, by the number.

    A number in several places is assigned to the likeliest of them. The numbers of the first page and of the pages
    about parts and totals are also listed as readers round them.
    """
    address_of: dict[str, str] = {}
    for address, node in _nodes_with_numbers(pages):
        # A bold term is the result of a sum.
        for element in node.css("data, b.bc-term"):
            number = element.text()
            if NUMBER.fullmatch(number):
                address_of.setdefault(number, address)
    typed_words = {word for words in WORDS.values() for word in words.split()}
    for number, address in list(address_of.items()):
        if address.startswith(("index.html", "parts/", "totals/")):
            for rounding in _roundings(number):
                if rounding not in typed_words:
                    address_of.setdefault(rounding, address)
    return address_of


def _nodes_with_numbers(pages: Mapping[str, Page]) -> Iterator[tuple[str, LexborNode]]:
    """Yield the elements that may contain the numbers that an address is about, with the address, the likeliest first.

    First come the opening paragraphs of pages, then those of sections, and last the full pages that work numbers out.
    """
    addresses = sorted(WORDS, key=lambda address: "#" in address)
    page_names = {address: address.partition("#")[0] for address in addresses}
    page_of = {address: pages[name] for address, name in page_names.items() if name in pages}
    for address, page in page_of.items():
        paragraph = _first_paragraph(page, address.partition("#")[2])
        if paragraph is not None and address not in COMPARING_PAGES:
            yield address, paragraph
    for address in sorted(page_of, key=lambda address: address in COMPARING_PAGES):
        article = page_of[address].article
        if article is not None and address.startswith(WORKED_OUT_PREFIXES):
            yield address, article


def _roundings(number: str) -> list[str]:
    """A number of millions as readers round it, such as 66.4M and 66M, or 4.39M and 4.4M; empty for other numbers."""
    if not re.fullmatch(r"\d{1,3}(,\d{3}){2}", number):
        return []
    millions = int(number.replace(",", "")) / 10**6
    return [f"{millions:.{decimals}f}M" for decimals in ((2, 1) if millions < 10 else (1, 0))]


def _first_paragraph(page: Page, section: str = "") -> LexborNode | None:
    """The first paragraph of a page or section, which answers the question in the heading; None if there is none."""
    return page.tree.css_first(f"article [id='{section}'] ~ p" if section else "article p")
