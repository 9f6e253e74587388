"""What every page of the site does when a browser opens it, with scripts and without."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from tests.docs.building import ROOT
from tests.docs.scripts import measure
from tests.docs.shown import faults_of, read, unnoticed
from tests.docs.test_accessibility import KINDS
from tests.docs.test_phone import stops_to_a_number, unlike_a_phone
from tests.docs.windows import ONE_OF_A_KIND, STILL, WIDTHS, WINDOWS, faults_in_windows, go_to, overflow, watch

PAGES = sorted(str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").rglob("*.md"))


class Opened(NamedTuple):
    """A page of the site, open for all tests that look at it, and what has gone wrong on it so far."""

    name: str
    page: Page
    errors: list[str]
    lines: list[int]
    """Where in this file the tests stand that have looked at it since it was opened."""


@pytest.fixture(scope="module")
def tabs(tab: Callable[..., Page], address: str) -> list[tuple[Page, list[str]]]:
    """A tab in each window with what goes wrong in it; to open page after page in it is quicker than new ones."""
    pages = [tab(viewport=WIDTHS[width], color_scheme=scheme, reduced_motion="reduce") for width, scheme in WINDOWS]
    return [(page, watch(page, address)) for page in pages]


@pytest.fixture(scope="module", params=PAGES)
def opened(request: pytest.FixtureRequest, tabs: list[tuple[Page, list[str]]], address: str) -> Opened:
    """One page after the other as a reader opens it who has chosen nothing, a quarter of them in each window."""
    page, errors = tabs[PAGES.index(request.param) % len(WINDOWS)]
    opened = Opened(request.param, page, errors, [])
    open_anew(opened, address)
    return opened


def open_anew(opened: Opened, address: str) -> None:
    """Open a page in the window of its tab, whatever was done with it before; what went wrong before is forgotten."""
    width, scheme = WINDOWS[PAGES.index(opened.name) % len(WINDOWS)]
    opened.page.set_viewport_size(WIDTHS[width])
    opened.page.emulate_media(color_scheme=scheme)
    opened.page.goto("about:blank")  # what is still waited for goes wrong now
    opened.errors.clear()
    response = go_to(opened.page, f"{address}/{opened.name}")
    assert response
    assert response.ok


@pytest.fixture(autouse=True)
def in_any_order(request: pytest.FixtureRequest, opened: Opened, address: str) -> None:
    """Open the page anew for a test that stands above one that has looked at it.

    A test leaves a page as those below it can use it, but not those above: some take parts away. So in the order of
    the file each page is opened once, and a test passes alone and in any other order as well.
    """
    line = request.function.__code__.co_firstlineno
    if any(line <= each for each in opened.lines):
        open_anew(opened, address)
        opened.lines.clear()
    opened.lines.append(line)


NEEDS_SCRIPTS = "article :is(button:not(form[action] *), [data-needs-scripts])"
"""What a script adds for those who can use it."""

MADE_BY_SCRIPTS = {"try/calculator.html"}
"""What counts sizes that readers type, and says so where there are no scripts; test_calculator.py looks at that."""


def text(page: Page) -> str:
    """What a reader sees of a page who goes through all of it, however it is broken into lines."""
    page.evaluate(STILL)
    return " ".join(page.inner_text("article").split())


def test_numbers_are_near(opened: Opened) -> None:
    """A few stops of the tab key lead from the top of the page to its first number."""
    assert stops_to_a_number(opened.page) <= 4


def test_it_is_laid_out_well(opened: Opened) -> None:
    """Nothing is wider than the window, no word of a table is broken, and the first lines of a row are level.

    On a phone what a row is about stays in sight, what scrolls shows it, and no explanation covers the next number. The
    outline marks nothing that is closed.
    """
    assert [] == unlike_a_phone(opened.page)
    opened.page.evaluate(STILL)
    for size in WIDTHS.values():
        opened.page.set_viewport_size(size)
        assert [] == overflow(opened.page)
        assert [] == opened.page.evaluate(measure("pages.js", "brokenWords"))
    opened.page.set_viewport_size(WIDTHS["desktop"])
    assert [[], []] == [opened.page.evaluate(measure("pages.js", each)) for each in ("unevenRows", "closedInOutline")]


def test_it_reads_fully_without_scripts(opened: Opened, plain: Page) -> None:
    """The same words and numbers with JavaScript off, and all of them visible; only buttons need scripts.

    The button of a form that leads to another page needs none.
    """
    # A phone is shown other words, and the tab without scripts is none.
    opened.page.set_viewport_size(WIDTHS["desktop"])
    plain.goto(opened.name)
    assert 0 == plain.locator(NEEDS_SCRIPTS).filter(visible=True).count()
    if opened.name in MADE_BY_SCRIPTS:
        return
    # The map says its level anew where a link leads to another place of the page.
    opened.page.evaluate(measure("pages.js", "asWithoutScripts"), f":is({NEEDS_SCRIPTS}, article [role=status])")
    assert text(opened.page) == text(plain)
    assert plain.inner_text("h1") != text(plain)  # there is more than a heading


def test_what_it_shows_adds_up(opened: Opened) -> None:
    """Each line is so and goes on from the one before, each bridge leads to its end; a changed digit would show."""
    shown = read(opened.page.query_selector("article"))
    assert [] == faults_of(shown)
    assert [] == unnoticed(shown)


def test_it_is_accessible(opened: Opened) -> None:
    """What is judged of it has nothing serious or critical by WCAG 2.2 AA in any window."""
    if within := KINDS.get(opened.name):
        opened.page.evaluate("document.adoptedStyleSheets = []")  # what other tests have put on it
        opened.page.evaluate(ONE_OF_A_KIND, within)
        assert [] == faults_in_windows(opened.page, within)


def test_nothing_went_wrong(opened: Opened) -> None:
    """No error, no warning, no request that fails or goes to another host, whatever was done with the page."""
    assert [] == opened.errors
