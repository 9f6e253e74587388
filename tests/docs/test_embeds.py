"""Everything that can be embedded has a page for a frame, which is complete, small, and links back to its source."""

import json
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from selectolax.lexbor import LexborHTMLParser

from macros.rendering.components.pages import embed
from tests.docs.conftest import Pages, by_id
from tests.docs.test_rules import DIRECTIVES, hashes

TOOLS = ("map.html", "try/calculator.html", "try/exercises.html")
"""Pages that can be embedded as a whole."""

SIGN = "article .bc-permalink"
"""A selector for the # signs next to tables, figures and sums."""

DEPENDENT_ON_TEXT = ".bc-sheet, .bc-beside, [id^=figure-example-], #primer-picture"
"""A selector for elements that make no sense without the text around them, so they cannot be embedded."""

FOLDER = "embed/"
"""The folder of pages for frames."""

Embeds = dict[str, str]
"""The HTML of pages for frames, by path."""

ElementsById = dict[str, dict[str, Tag]]
"""The elements of each page by their ids."""

Sources = dict[str, tuple[str, str]]
"""The sources of pages for frames, by path. A source is the path of a page, with the id of an element or ""."""


def attributes(page: LexborHTMLParser, selector: str) -> list[dict[str, str]]:
    """The attributes of the elements that a selector matches."""
    return [{name: value or "" for name, value in element.attributes.items()} for element in page.css(selector)]


@pytest.fixture(scope="module")
def embeds(site: Path) -> Embeds:
    """The HTML of every page for a frame, by path."""
    paths = sorted((site / FOLDER).rglob("*.html"))
    return {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module")
def files(site: Path) -> set[str]:
    """The path of every file of the site."""
    return {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def elements_by_id(pages: Pages) -> ElementsById:
    """The elements with an id, by page."""
    return {name: by_id(page) for name, page in pages.items()}


@pytest.fixture(scope="module")
def sources(pages: Pages) -> Sources:
    """The source of each page for a frame: the elements with a sign, and the tools."""
    sources = {embed(name): (name, "") for name in TOOLS}
    for name, page in pages.items():
        for sign in page.select(SIGN):
            if not sign.css.closest(DEPENDENT_ON_TEXT):
                anchor = str(sign["href"]).removeprefix("#")
                sources[embed(name, anchor)] = (name, anchor)
    return sources


def test_everything_with_an_address_can_be_embedded(sources: Sources, embeds: Embeds) -> None:
    """The address of a frame lasts as long as the id of its source, which `test_ids.py` records."""
    redirects = {name for name, html in embeds.items() if 'http-equiv="refresh"' in html}
    assert set(sources) == set(embeds) - redirects
    assert len(embeds) > 150


def target(name: str, address: str) -> tuple[str, str]:
    """The file and the id to which an address on a page leads."""
    parts = urlsplit(address)
    return normpath(f"{dirname(name)}/{parts.path}") if parts.path else name, unquote(parts.fragment)


def faulty_links(name: str, tree: LexborHTMLParser, elements_by_id: ElementsById, files: set[str]) -> list[str]:
    """The links that lead nowhere, or that open another page within the frame."""
    ids = {tag["id"] for tag in attributes(tree, "[id]")}
    problems = []
    for link in attributes(tree, "a"):
        href = link.get("href", "")
        file, anchor = target(name, href)
        if href.startswith("#"):
            is_good = anchor in ids and link.get("target") == "_self"
        else:
            opens_outside = (link.get("target"), link.get("rel")) == ("_blank", "noopener")
            has_target = file in files and (not anchor or anchor in elements_by_id[file])
            is_good = opens_outside and (href.startswith("https://") or has_target)
        if not is_good:
            problems.append(f"{href} leads nowhere, or opens in the frame")
    return problems


def faults(name: str, html: str, source: tuple[str, str], elements_by_id: ElementsById, files: set[str]) -> list[str]:
    """The faults of a page for a frame."""
    tree = LexborHTMLParser(html)
    source_page, anchor = source
    (charset, policy, *metas), scripts = attributes(tree, "meta"), attributes(tree, "script")
    ids = [tag["id"] for tag in attributes(tree, "[id]")]
    classes = {class_name for tag in attributes(tree, "[class]") for class_name in tag["class"].split()}
    links = {link.get("rel", ""): link["href"] for link in attributes(tree, "link")}
    original_element = elements_by_id[source_page].get(anchor)
    source_text = "".join(original_element.get_text().replace("#", "").split()) if original_element else ""
    # A tool may contain data as JSON, which the policy treats as a script.
    script_hashes = hashes(BeautifulSoup(html, "html.parser")) if anchor == "" else []
    hashes_in_policy = "".join(f" {script_hash}" for script_hash in script_hashes)
    *_, credit = attributes(tree, "a")
    (language,) = attributes(tree, "html")
    page_text = "".join((tree.root.text() if tree.root else "").split())
    addresses = [links["stylesheet"], links["icon"], *(script.get("src", "") for script in scripts)]
    checks = {
        "no language": language.get("lang") == "en",
        "no title": len(html.partition("<title>")[2].partition(" – BERT, counted</title>")[0]) in range(5, 120),
        "not the policy of the site": "charset" in charset
        and policy.get("content") == "; ".join(DIRECTIVES).format(hashes=hashes_in_policy),
        "it may be indexed": {"name": "robots", "content": "noindex"} in metas,
        "another page is canonical": target(name, links["canonical"]) == (source_page, ""),
        "a file is missing": all(target(name, address)[0] in files for address in addresses),
        "the script that reports its height is missing": bool(scripts)
        and scripts[0].get("src", "").endswith("assets/pages/embed.js"),
        "an id is repeated, or that of its source is missing": len(ids) == len(set(ids)) and anchor in ["", *ids],
        "it has parts of the site's layout": not classes
        & {"bc-permalink", "headerlink", "md-header", "md-nav", "md-footer"},
        "its text is not that of its source": source_text in page_text.replace("#", ""),
        "no link to its source": target(name, credit["href"]) == (source_page, anchor),
        "links open in the frame": bool(anchor) or attributes(tree, "base") == [{"target": "_blank"}],
    }
    return [
        *(fault for fault, is_fine in checks.items() if not is_fine),
        *faulty_links(name, tree, elements_by_id, files),
    ]


def test_a_page_for_a_frame_shows_its_source(
    sources: Sources, embeds: Embeds, elements_by_id: ElementsById, files: set[str]
) -> None:
    faults_of_pages = {
        name: faults(name, embeds[name], source, elements_by_id, files) for name, source in sources.items()
    }
    assert {} == {name: problems for name, problems in faults_of_pages.items() if problems}


PLANTED_FAULTS = {
    "style-src 'self'": "style-src 'self' 'unsafe-inline'",
    "assets/bert-counted.css": "assets/other.css",
    ">589,824<": ">589,825<",
    "attention.html#tensors": "attention.html#shapes",
    'class="bc-credit">': '><a href="../../heads.html" target="_blank" rel="noopener">a</a>',
}
"""Replacements in the HTML of a page for a frame, each of which makes the page faulty."""


@pytest.mark.parametrize("old", PLANTED_FAULTS)
def test_a_planted_fault_of_a_page_for_a_frame_is_noticed(
    sources: Sources, embeds: Embeds, elements_by_id: ElementsById, files: set[str], old: str
) -> None:
    name = "embed/parts/attention/tensors.html"
    assert old in embeds[name]
    assert faults(name, embeds[name].replace(old, PLANTED_FAULTS[old], 1), sources[name], elements_by_id, files)


SIZE_LIMIT = 2_800_000
"""The largest number of characters in all pages for frames. When the limit was set, they had three quarters of it."""


def test_pages_for_frames_are_small(embeds: Embeds) -> None:
    assert sum(map(len, embeds.values())) < SIZE_LIMIT


def test_pages_for_frames_are_not_listed(site: Path) -> None:
    """They repeat parts of other pages."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert [] == [entry["location"] for entry in index["docs"] if entry["location"].startswith(FOLDER)]
    for name in ("sitemap.xml", "llms.txt"):
        assert FOLDER not in (site / name).read_text(encoding="utf-8")
    assert not [path for path in (site / FOLDER).rglob("*") if path.is_file() and path.suffix != ".html"]
