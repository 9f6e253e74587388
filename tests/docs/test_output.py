"""What the finished pages may not contain, and where their links must lead."""

import re
from collections.abc import Container, Mapping
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from macros.publish.scripts import FOLDER
from tests.docs.building import ROOT
from tests.docs.conftest import Pages, by_id
from tests.rendering.test_every_page import written_pages

UNRENDERED = re.compile(r"\{\{|\}\}|\{%|%\}|\bNone\b|\bnan\b|Traceback|site-root:|Macro (?:Syntax|Rendering) Error")

MEANT_NONE = re.compile(r"\(None\b|(?:^|[.:!?…]\s*)None(?=[:,]? [a-z])")
"""Keras prints an open dimension as (None, 512), and a sentence may begin with the word."""

LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "audio": "src",
    "video": "src",
    "embed": "src",
    "object": "data",
}
"""Elements that fetch what an attribute names."""

LOADING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}
"""Values of `rel` for which a browser opens a connection."""


def unrendered(page: BeautifulSoup) -> list[str]:
    """Traces of templates and errors in what a reader sees, and in attributes."""
    # Each piece of text by itself: a sentence begins where its element does.
    text = " ".join(MEANT_NONE.sub("", each) for each in page.stripped_strings)
    attributes = " ".join(str(value) for tag in page.find_all(True) for value in tag.attrs.values())
    return UNRENDERED.findall(text) + UNRENDERED.findall(MEANT_NONE.sub("", attributes))


def other_hosts(page: BeautifulSoup) -> list[str]:
    """Addresses on other hosts that a browser would fetch on opening the page."""
    found = [str(tag.get(attribute, "")) for name, attribute in LOADS.items() for tag in page.find_all(name)]
    for link in page.find_all("link"):
        if LOADING_LINKS & set(link.get_attribute_list("rel")):
            found.append(str(link.get("href", "")))  # noqa: PERF401  clearer as a loop
    for style in page.find_all("style"):
        found += addresses_in_css(style.get_text())
    return [address for address in found if urlsplit(address).netloc]


def addresses_in_css(css: str) -> list[str]:
    """What a style sheet fetches."""
    return re.findall(r"""(?:url\(|@import\s+)['"]?([^'")\s]+)""", css)


def broken_links(name: str, pages: Pages, files: set[str], ids: Mapping[str, Container[str]]) -> list[str]:
    """Links and forms of one page that lead to no file or no id of the site."""
    broken = []
    for tag in pages[name].find_all(["a", "link", "script", "img", "form"]):
        address = str(tag.get("href") or tag.get("src") or tag.get("action") or "")
        if not address or urlsplit(address).scheme or urlsplit(address).netloc:
            continue
        path, anchor = urldefrag(urljoin(f"/{name}", address))
        target = unquote(urlsplit(path).path).lstrip("/")
        target = f"{target}index.html" if target == "" or target.endswith("/") else target
        if target not in files or (anchor and unquote(anchor) not in ids[target]):
            broken.append(address)
    return broken


def test_nothing_is_unrendered(pages: Pages) -> None:
    """No template, error text or None reached a page."""
    assert {} == {name: found for name, page in pages.items() if (found := unrendered(page))}


def test_no_page_or_style_calls_another_host(site: Path, pages: Pages) -> None:
    """Everything a page loads comes from the site itself."""
    assert {} == {name: found for name, page in pages.items() if (found := other_hosts(page))}
    styles = {path.name: addresses_in_css(path.read_text()) for path in site.rglob("*.css")}
    assert {} == {name: bad for name, all_ in styles.items() if (bad := [a for a in all_ if urlsplit(a).netloc])}


FETCHES = re.compile(r"https?:|//[a-z]+\.|fetch\(|import\(|XMLHttpRequest")
"""What a script that fetches something, or names where to, has in it."""

NAMESPACE = '"http://www.w3.org/2000/svg"'
"""The name of SVG's elements, which looks like an address; nothing is fetched from it."""

WHEN_NEEDED = 'import("../data/levels.js")'
"""The one module that comes when it is needed, in the folder of all others."""

OF_THEME = ("class SearchRequest extends XMLHttpRequest", "window.XMLHttpRequest = SearchRequest")
"""How the request that the theme makes for the index is kept waiting; it goes where the theme says."""


def fetches(code: str) -> bool:
    """Whether a script fetches something, or names where to."""
    for known in (NAMESPACE, WHEN_NEEDED, *OF_THEME):
        code = code.replace(known, "")
    return bool(FETCHES.search(code))


def test_our_scripts_name_no_address(site: Path) -> None:
    """Our own scripts fetch nothing; what Material's could fetch, the policy and the browser tests rule out."""
    (modules,) = (site / FOLDER).iterdir()
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs" / "assets").rglob("*.js")]
    others = [site / each for each in sources if (site / each).is_file()]  # which are no modules
    ours = [*modules.glob("bundles/*.js"), *(modules / "assets").rglob("*.js"), *others]
    assert [] == [path for path in ours if fetches(path.read_text())]
    bundles = modules / "bundles"
    assert [bundles / "searching-worker.js"] == [path for path in ours if OF_THEME[0] in path.read_text()]
    assert [bundles / "pages-map.js"] == [path for path in ours if WHEN_NEEDED in path.read_text()]
    assert (modules / "data/levels.js").is_file()
    assert {*modules.rglob("*.js")} - {*modules.glob("data/*.js")} <= {*ours}


def test_what_should_not_be_there_is_found() -> None:
    """A script that fetches, another host in an element or in a style, and traces of templates in an attribute."""
    assert fetches("fetch('a')")
    assert fetches("'//cdn.example.org/a.js'")
    for html in ('<img src="//example.org/a.png">', "<style>@import 'https://example.org/a.css'</style>"):
        assert other_hosts(BeautifulSoup(html, "html.parser"))
    assert unrendered(BeautifulSoup('<p title="{{ number() }}">a</p>', "html.parser"))
    for text in ("None", "It has None parameters.", "It has <b>None</b> of them.", "(None, None)"):
        assert ["None"] == unrendered(BeautifulSoup(f"<p>{text}</p>", "html.parser")), text
    for text in ("None: dropout has no weights.", "How many? None of them.", "(None, 512)"):
        assert [] == unrendered(BeautifulSoup(f"<p>{text}</p>", "html.parser")), text


WRITTEN = "data, .bc-line-of-sum, figure.bc-figure svg [data-from], figure.bc-figure svg [data-value]"
"""What is asked, added up and measured where macros write it, in tests/rendering/test_every_page.py."""

KEYS = ("value", "data-value", "data-from", "data-to", "data-how")


def written_values(page: Tag) -> list[list[str]]:
    """Every number, line of a sum and piece of a figure: its text and its values."""
    return [[each.get_text(), *(str(each.get(key, "")) for key in KEYS)] for each in page.select(WRITTEN)]


def test_the_site_has_what_macros_write(pages_with_questions: Pages) -> None:
    """In its place: nothing that is done to a page later changes a number."""
    for name, written in written_pages().items():
        article = pages_with_questions[name.replace(".md", ".html")].article
        assert article
        assert written_values(written.parsed) == written_values(article), name


def test_links_lead_somewhere(site: Path, pages: Pages) -> None:
    """Every link within the site leads to a file, and every anchor to an id."""
    files = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    ids = {name: by_id(page) for name, page in pages.items()}
    # The error page is served for any address, so its links are absolute.
    assert {} == {name: bad for name in pages if name != "404.html" and (bad := broken_links(name, pages, files, ids))}


def test_ids_are_unique_on_a_page(pages: Pages) -> None:
    """An id names one element."""
    for name, page in pages.items():
        ids = [tag["id"] for tag in page.find_all(id=True)]
        assert sorted(ids) == sorted(set(ids)), name


BLOCKS_IN_A_PARAGRAPH = "p > :is(div, figure, form, p, section, table, ul, ol)"
"""A browser ends the paragraph there, and everything after it stands elsewhere than it was meant to."""


def test_no_block_stands_in_a_paragraph(pages: Pages) -> None:
    """What a macro returns is taken by Markdown as the block that it is."""
    assert {} == {name: found for name, page in pages.items() if (found := page.select(BLOCKS_IN_A_PARAGRAPH))}


def test_every_page_says_what_it_is(pages: Pages) -> None:
    """One heading of the first rank, a title, a description and a language."""
    descriptions = set()
    for name, page in pages.items():
        if name == "404.html":
            continue
        assert 1 == len(page.find_all("h1")), name
        assert page.title
        assert page.html
        assert "en" == page.html["lang"]
        description = page.find("meta", attrs={"name": "description"})
        assert description, name
        descriptions.add(description["content"])
    assert len(descriptions) == len(pages) - 1


def test_the_first_sentence_holds_a_number(pages: Pages) -> None:
    """A reader finds the answer in the paragraph below the heading; what is printed for a class holds none."""
    for name, page in pages.items():
        if name in ("404.html", "teach/sheet.html", "teach/slides.html"):
            continue
        heading = page.find("h1")
        assert heading
        first = heading.find_next("p")
        assert first
        assert first.find("data"), name


def test_broken_links_are_found() -> None:
    """A missing file and a missing anchor are both noticed, and a form that leads nowhere."""
    html = '<a href="b.html">b</a><a href="#here">here</a><p id="there"></p><a href="#there">there</a>'
    html += '<form action="c.html"></form>'
    pages = {"a.html": BeautifulSoup(html, "html.parser")}
    assert ["b.html", "#here", "c.html"] == broken_links(
        "a.html", pages, {"a.html"}, {"a.html": by_id(pages["a.html"])}
    )
