"""Built scripts and styles fetch only what they may, and built pages contain what macros write.

Other rules: test_rules.py.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import Tag

from macros.publish.scripts import DOCUMENTATION, FOLDER
from tests.docs.building import ROOT
from tests.docs.conftest import Pages
from tests.docs.test_rules import addresses_in_css
from tests.rendering.test_every_page import written_pages


def test_no_style_calls_another_host(site: Path) -> None:
    """Style sheets load everything from the site itself."""
    styles = {path.name: addresses_in_css(path.read_text()) for path in site.rglob("*.css")}
    assert {} == {
        name: bad for name, addresses in styles.items() if (bad := [a for a in addresses if urlsplit(a).netloc])
    }


FETCHES = re.compile(r"https?:|//[a-z]+\.|fetch\(|import\(|XMLHttpRequest")
"""Marks of a script that fetches something, or names an address."""

NAMESPACE = '"http://www.w3.org/2000/svg"'
"""The XML name of SVG, which looks like an address; nothing is fetched from it."""

WHEN_NEEDED = re.compile(r'import\("(\.\.?/[\w./-]+)"\)')
"""A module loaded on demand, from the folder of all others."""

LATE = {
    "../data/levels.js": ["pages-map.js"],
    "../data/examples.js": ["pages-i-got.js"],
    "./answering-account.js": ["pages-i-got.js"],
    "./reading-account.reading-worker.js": ["pages-i-got.js"],
    "./reading-account.reading-configs-entries.reading-worker.js": ["calculator-page.js"],
    "./reading-account.reading-configs-name-account.reading-worker.js": ["calculator-page.js"],
    "./pages-fits.js": ["calculator-page.js"],
    "./counting-trained.js": ["calculator-page.js"],
    "./answering-hand-over.js": ["pages-field.js"],
    "./reading-files.js": ["pages-i-got.js"],
    "./site-search-models.js": ["pages-every.js"],
    "./trying-sentence.js": ["pages-sentence.js"],
    "./trying-sizes.js": ["pages-every.js"],
}
"""Those modules, each with the bundles that load it."""

OF_THEME = ("class SearchRequest extends XMLHttpRequest", "window.XMLHttpRequest = SearchRequest")
"""Code that delays the theme's own request for the index, which goes where the theme says."""

OF_SENTENCE = "await fetch(address)"
"""The request for the vocabulary, to the address of a link on the page of embeddings."""


def fetches(code: str) -> bool:
    """Return whether a script fetches something, or names an address."""
    for harmless in (NAMESPACE, *OF_THEME, OF_SENTENCE):
        code = code.replace(harmless, "")
    return bool(FETCHES.search(WHEN_NEEDED.sub("", code)))


def test_our_scripts_name_no_address(site: Path) -> None:
    """Our scripts fetch only the vocabulary. The policy and browser tests rule out what Material's could fetch."""
    (modules,) = (site / FOLDER).iterdir()
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs" / "assets").rglob("*.js")]
    others = [site / source for source in sources if (site / source).is_file()]  # Scripts that are not modules.
    ours = [*modules.glob("bundles/*.js"), *(modules / "assets").rglob("*.js"), *others]
    assert [] == [path for path in ours if fetches(path.read_text())]
    bundles = modules / "bundles"
    assert [bundles / "site-search-worker.js"] == [path for path in ours if OF_THEME[0] in path.read_text()]
    assert [bundles / "trying-sentence.js"] == [path for path in ours if OF_SENTENCE in path.read_text()]
    code = {path.name: DOCUMENTATION.sub("", path.read_text()) for path in ours}
    late = [(name, loader) for loader, text in code.items() for name in WHEN_NEEDED.findall(text)]
    assert LATE == {name: [loader for other, loader in late if other == name] for name, _ in late}
    assert [] == [name for name in LATE if not (bundles / name).is_file()]
    assert {*modules.rglob("*.js")} - {*modules.glob("data/*.js")} <= {*ours}


def test_a_script_that_fetches_is_found() -> None:
    """So is one that names another host."""
    assert fetches("fetch('a')")
    assert fetches("'//cdn.example.org/a.js'")


NUMBERS = "data, .bc-line-of-sum, figure.bc-figure svg [data-from], figure.bc-figure svg [data-value]"
"""Elements that tests/rendering/test_every_page.py checks as macros write them."""

KEYS = ("value", "data-value", "data-from", "data-to", "data-how")


def written_values(page: Tag) -> list[list[str]]:
    """The text and values of every number, line of a sum and piece of a figure."""
    return [[tag.get_text(), *(str(tag.get(key, "")) for key in KEYS)] for tag in page.select(NUMBERS)]


def test_the_site_has_what_macros_write(pages_with_questions: Pages) -> None:
    """The site has the numbers that macros write, in order: no later step of the build changes one."""
    for name, source in written_pages().items():
        article = pages_with_questions[name.replace(".md", ".html")].article
        assert article
        assert written_values(source.parsed) == written_values(article), name
