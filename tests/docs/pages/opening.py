"""What every page of the site must do when a browser opens it."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Page

from tests.docs.building import ROOT
from tests.docs.shown import faults_of, read, unnoticed
from tests.docs.windows import WIDTHS, WINDOWS, faults_in_windows, go_to

PAGES = sorted(str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").rglob("*.md"))

FILES = {
    "parts": ("parts", "totals"),
    "listings": ("listings",),
    "others": ("about", "disagreements", "teach", "try", ""),
}
"""Which folders of pages each file of tests opens; the empty name is the top."""


def pages_of(name: str) -> list[str]:
    """The addresses that one file of tests opens."""
    return [page for page in PAGES if page.rpartition("/")[0] in FILES[name]]


class Opened(NamedTuple):
    """A page of the site, open for all tests that look at it, and what has gone wrong on it so far."""

    name: str
    page: Page
    errors: list[str]


class Tab(NamedTuple):
    """A tab in which one page after the other is opened, which is quicker than a new one for each."""

    page: Page
    errors: list[str]


def opened_page(tabs: list[Tab], address: str, name: str) -> Opened:
    """One page as a reader opens it who has chosen nothing. A quarter of the pages is opened in each window."""
    place = PAGES.index(name) % len(WINDOWS)
    width, scheme = WINDOWS[place]
    page, errors = tabs[place]
    page.set_viewport_size(WIDTHS[width])
    page.emulate_media(color_scheme=scheme)
    if page.url != "about:blank":
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")  # what the page before still waits for goes wrong now
        errors.clear()
    response = go_to(page, f"{address}/{name}")
    assert response
    assert response.ok
    return Opened(name, page, errors)


NEEDS_SCRIPTS = "article :is(button:not(form[action] *), [data-needs-scripts])"
"""What a script adds for those who can use it."""

MADE_BY_SCRIPTS = {"try/calculator.html"}
"""What counts sizes that readers type, and says so where there are no scripts; test_calculator.py looks at that."""

ALL_LEVELS = """() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(".bc-level { display: grid !important }")
  document.adoptedStyleSheets.push(sheet)
}"""
"""Show every level of the map, of which a reader with scripts sees one; a test of the map walks to them."""


ALL_DRAWN = """() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync("* { content-visibility: visible !important }")
  document.adoptedStyleSheets.push(sheet)
}"""
"""Lay out what is far below the window too, which has no text before."""


LINES = r"""const lines = (node, start, end) => {
  const range = document.createRange()
  range.setStart(node, start)
  range.setEnd(node, end)
  return [...range.getClientRects()].map(({ bottom }) => bottom)
}
const texts = within => {
  const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
  return [...(function* () { while (walk.nextNode()) yield walk.currentNode })()].filter(({ data }) => data.trim())
}"""
"""The texts within an element, and where the lines end on which some of a text stands."""

BROKEN_WORDS = rf"""() => {{
  {LINES}
  return [...document.querySelectorAll("article :is(td, th, samp)")].flatMap(texts).flatMap(node =>
    [...node.data.matchAll(/[\p{{L}}\p{{N}}]+/gu)]
      .filter(({{ 0: word }}) => !/\p{{N}}/u.test(word))
      .filter(({{ 0: word, index }}) => new Set(lines(node, index, index + word.length).map(Math.round)).size > 1)
      .map(([word]) => `${{word}} in ${{node.data}}`))
}}"""
"""Words of letters alone that go on in another line; the id of a commit may."""

UNEVEN_ROWS = f"""() => {{
  {LINES}
  const first = cell => texts(cell).filter(node => !node.parentElement.closest("math")).slice(0, 1)
  return [...document.querySelectorAll("article tbody tr")].flatMap(row => {{
    const ends = [...row.cells].flatMap(first).flatMap(node => lines(node, 0, node.length).slice(0, 1))
    return Math.max(...ends) - Math.min(...ends) > 5 ? [row.innerText] : []
  }})
}}"""
"""Rows in whose cells the first lines end at other heights than fonts of other sizes account for."""


def text(page: Page) -> str:
    """What a reader sees of a page who goes through all of it, however it is broken into lines."""
    page.evaluate(ALL_DRAWN)
    return " ".join(page.inner_text("article").split())


class OpensWell:
    """The tests of each page; a file of tests adds which pages."""

    def test_it_opens_well(self, opened: Opened) -> None:
        """No error, no other host, no overflow, nothing serious found by axe: in every width and theme."""
        assert [] == faults_in_windows(opened.page)
        assert [] == opened.errors

    def test_it_reads_fully_without_scripts(self, opened: Opened, without_scripts: Page, address: str) -> None:
        """The same words and numbers with JavaScript off, and all of them visible; only buttons need scripts.

        The button of a form that leads to another page needs none.
        """
        without_scripts.goto(f"{address}/{opened.name}")
        assert 0 == without_scripts.locator(NEEDS_SCRIPTS).filter(visible=True).count()
        if opened.name in MADE_BY_SCRIPTS:
            return
        opened.page.set_viewport_size(WIDTHS["desktop"])
        opened.page.evaluate(ALL_LEVELS)
        opened.page.locator(NEEDS_SCRIPTS).evaluate_all("buttons => buttons.forEach(each => each.remove())")
        assert text(opened.page) == text(without_scripts)
        assert len(text(without_scripts)) > 500

    def test_words_are_whole_and_cells_begin_together(self, opened: Opened) -> None:
        """No word is broken in the middle in any table, and the first lines of a row stand on one line."""
        opened.page.evaluate(ALL_DRAWN)
        for size in WIDTHS.values():
            opened.page.set_viewport_size(size)
            assert [] == opened.page.evaluate(BROKEN_WORDS)
        opened.page.set_viewport_size(WIDTHS["desktop"])
        assert [] == opened.page.evaluate(UNEVEN_ROWS)

    def test_what_it_shows_adds_up(self, opened: Opened) -> None:
        """Each line is so and goes on from the one before, each bridge leads to its end; a changed digit would show."""
        opened.page.set_viewport_size(WIDTHS["desktop"])
        shown = read(opened.page.query_selector("article"))
        assert [] == faults_of(shown)
        assert [] == unnoticed(shown)
