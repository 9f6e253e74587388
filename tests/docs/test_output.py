"""Built style sheets and scripts fetch nothing from other hosts, and built pages contain the output of macros.

`test_rules.py` has further rules for built pages.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import Tag

from macros.publish.apostrophes import typeset
from macros.publish.scripts import JSDOC_COMMENT, MODULES_FOLDER
from tests.docs.building import ROOT
from tests.docs.conftest import Pages
from tests.docs.test_rules import addresses_in_css
from tests.rendering.test_every_page import expanded_pages


def test_no_style_sheet_fetches_from_another_host(site: Path) -> None:
    addresses = [address for path in site.rglob("*.css") for address in addresses_in_css(path.read_text())]
    assert addresses
    assert [] == [address for address in addresses if urlsplit(address).netloc]


FETCHES = re.compile(r"https?:|//[a-z]+\.|fetch\(|import\(|XMLHttpRequest")
"""Signs that a script fetches something or contains an address."""

NAMESPACE = '"http://www.w3.org/2000/svg"'
"""The XML namespace of SVG, which looks like an address, although nothing is fetched from it."""

IMPORT_ON_DEMAND = re.compile(r'import\("(\.\.?/[\w./-]+)"\)')
"""Code that loads a module on demand."""

LOADED_ON_DEMAND = {
    "../data/levels.js": ["pages-map.js"],
    "../data/examples.js": ["pages-i-got.js"],
    "./answering-account.js": ["pages-i-got.js"],
    "./reading-account.reading-worker.js": ["pages-i-got.js"],
    "./reading-account.reading-configs-entries.reading-worker.js": ["calculator-page.js"],
    "./reading-account.reading-configs-name-account.reading-worker.js": ["calculator-page.js"],
    "./pages-fits.js": ["calculator-page.js"],
    "./counting-trained-model.js": ["calculator-page.js"],
    "./answering-hand-over.js": ["pages-field.js"],
    "./exercises-explanation.js": ["pages-exercises.js"],
    "./reading-files.js": ["pages-i-got.js"],
    "./site-search-models.js": ["pages-every.js"],
    "./trying-sentence.js": ["pages-sentence.js"],
    "./trying-sizes.js": ["pages-every.js"],
}
"""The modules loaded on demand, each with the bundles that load it."""

REQUESTS_OF_THEME = ("class SearchRequest extends XMLHttpRequest", "window.XMLHttpRequest = SearchRequest")
"""Code that delays the theme's request for the search index."""

REQUEST_FOR_VOCABULARY = "await fetch(address)"
"""The request for the vocabulary, whose address is that of a link on the page about embeddings."""


def has_fetch_or_address(code: str) -> bool:
    """Return whether a script fetches something or contains an address, apart from the known exceptions."""
    for exception in (NAMESPACE, *REQUESTS_OF_THEME, REQUEST_FOR_VOCABULARY):
        code = code.replace(exception, "")
    return bool(FETCHES.search(IMPORT_ON_DEMAND.sub("", code)))


def test_our_scripts_contain_no_address(site: Path) -> None:
    """Our scripts fetch only the vocabulary. The policy and tests in a browser rule out requests by the theme."""
    (modules,) = (site / MODULES_FOLDER).iterdir()
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs" / "assets").rglob("*.js")]
    plain_scripts = [site / source for source in sources if (site / source).is_file()]  # scripts that are not modules
    our_scripts = [*modules.glob("bundles/*.js"), *(modules / "assets").rglob("*.js"), *plain_scripts]
    assert [] == [path for path in our_scripts if has_fetch_or_address(path.read_text())]
    bundles = modules / "bundles"
    assert [bundles / "site-search-worker.js"] == [
        path for path in our_scripts if REQUESTS_OF_THEME[0] in path.read_text()
    ]
    assert [bundles / "trying-sentence.js"] == [
        path for path in our_scripts if REQUEST_FOR_VOCABULARY in path.read_text()
    ]
    code = {path.name: JSDOC_COMMENT.sub("", path.read_text()) for path in our_scripts}
    pairs = [(name, loader) for loader, text in code.items() for name in IMPORT_ON_DEMAND.findall(text)]
    assert LOADED_ON_DEMAND == {name: [loader for address, loader in pairs if address == name] for name, _ in pairs}
    assert [] == [name for name in LOADED_ON_DEMAND if not (bundles / name).is_file()]
    assert {*modules.rglob("*.js")} - {*modules.glob("data/*.js")} <= {*our_scripts}


def test_a_script_that_fetches_or_contains_an_address_is_noticed() -> None:
    assert has_fetch_or_address("fetch('a')")
    assert has_fetch_or_address("'//cdn.example.org/a.js'")


NUMBER_ELEMENTS = "data, .bc-line-of-sum, figure.bc-figure svg [data-from], figure.bc-figure svg [data-value]"
"""A selector for elements that tests/rendering/test_every_page.py checks in the output of macros."""

VALUE_ATTRIBUTES = ("value", "data-value", "data-from", "data-to", "data-how")
"""The attributes of these elements that contain values."""


def texts_and_values(page: Tag) -> list[list[str]]:
    """The text, with typographic apostrophes, and the values of every number, line of a sum and piece of a figure."""
    return [
        [typeset(tag.get_text()), *(str(tag.get(key, "")) for key in VALUE_ATTRIBUTES)]
        for tag in page.select(NUMBER_ELEMENTS)
    ]


def test_the_site_has_the_numbers_that_macros_write(pages_with_questions: Pages) -> None:
    """The numbers are in the same order, so no later step of the build changes or loses any of them."""
    for name, source in expanded_pages().items():
        article = pages_with_questions[name.replace(".md", ".html")].article
        assert article
        assert texts_and_values(source.parsed) == texts_and_values(article), name
