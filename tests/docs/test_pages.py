"""Every page of the site works in a browser, with and without scripts."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.docs.building import ROOT
from tests.docs.scripts import call_all, function_in
from tests.docs.shown import faults_of, read, undetected_changes
from tests.docs.test_accessibility import CHECKED_PARTS
from tests.docs.test_paper import numbers_broken_on_paper
from tests.docs.test_phone import faults_on_phone, tabs_to_first_number
from tests.docs.windows import (
    REMOVE_REPEATED,
    STOP_ANIMATIONS,
    WIDTHS,
    WINDOWS,
    faults_in_windows,
    go_to,
    overflow,
    watch,
)

PAGES = sorted(str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").rglob("*.md"))


class OpenPage(NamedTuple):
    """A page of the site, open for all its tests, and its errors so far."""

    name: str
    page: Page
    errors: list[str]
    lines: list[int]
    """The line numbers in this file of the tests that have used the page since it was opened."""


@pytest.fixture(scope="module")
def tabs(open_tab: Callable[..., Page], address: str) -> list[tuple[Page, list[str]]]:
    """A tab for each window, with its errors. Reusing tabs is quicker than opening new ones."""
    pages = [
        open_tab(viewport=WIDTHS[width], color_scheme=scheme, reduced_motion="reduce") for width, scheme in WINDOWS
    ]
    return [(page, watch(page, address)) for page in pages]


@pytest.fixture(scope="module", params=PAGES)
def open_page(request: pytest.FixtureRequest, tabs: list[tuple[Page, list[str]]], address: str) -> OpenPage:
    """Each page in turn, opened as for a first-time visitor. Each window is used for a quarter of the pages."""
    page, errors = tabs[PAGES.index(request.param) % len(WINDOWS)]
    open_page = OpenPage(request.param, page, errors, [])
    open_anew(open_page, address)
    return open_page


def open_anew(open_page: OpenPage, address: str) -> None:
    """Open a page at its initial width and in its initial theme, and forget earlier errors."""
    width, scheme = WINDOWS[PAGES.index(open_page.name) % len(WINDOWS)]
    open_page.page.set_viewport_size(WIDTHS[width])
    open_page.page.emulate_media(color_scheme=scheme)
    # Unfinished requests of the old page fail here, before its errors are forgotten.
    open_page.page.goto("about:blank")
    open_page.errors.clear()
    response = go_to(open_page.page, f"{address}/{open_page.name}")
    assert response
    assert response.ok


@pytest.fixture(autouse=True)
def reopen_if_needed(request: pytest.FixtureRequest, open_page: OpenPage, address: str) -> None:
    """Reopen the page if this test, or one further down in this file, has already used it.

    Some tests remove parts of the page that the tests above them need. If the tests run in the order of the file, each
    page is opened only once. They also pass alone or in any other order.
    """
    line = request.function.__code__.co_firstlineno
    if any(line <= used_line for used_line in open_page.lines):
        open_anew(open_page, address)
        open_page.lines.clear()
    open_page.lines.append(line)


NEEDS_SCRIPTS = "article :is(button:not(form[action] *), [data-needs-scripts])"
"""A selector for elements that scripts add, or that do nothing without scripts."""

OPEN_FOLDS = "for (const fold of document.querySelectorAll('article details')) fold.open = true"

PAGES_NEEDING_SCRIPTS = {"try/calculator.html"}
"""Pages that work only with scripts, and say so, as test_calculator.py checks."""


# The tests are in an order in which the width of the page seldom changes, because each change takes a new layout.


def test_the_tab_key_soon_reaches_a_number(open_page: OpenPage) -> None:
    assert tabs_to_first_number(open_page.page) <= 4


def test_no_number_is_broken_on_paper(open_page: OpenPage) -> None:
    assert [] == numbers_broken_on_paper(open_page.page)


CHECKS_OF_LAYOUT = {
    "phone": ["brokenWords"],
    "desktop": [
        "brokenWords",
        "unevenRows",
        "closedHeadingsInOutline",
        "squeezedSums",
        "textsAtBorders",
        "sizesOutOfOrder",
    ],
}
"""The names of the checks in pages.js that find nothing at a width."""


def test_the_page_is_laid_out_well(open_page: OpenPage) -> None:
    """Nothing is wider than the window, no word in a table is broken, and the cells of a row are aligned.

    A sum has at least half of its line, no text is at the border of its box, and text that matters more is larger. On a
    phone, the first cell of a row stays in sight, elements show that they scroll, and no explanation covers the next
    number. The outline does not mark headings in closed folds.
    """
    assert {} == faults_on_phone(open_page.page)
    open_page.page.evaluate(STOP_ANIMATIONS)
    for width, checks in CHECKS_OF_LAYOUT.items():
        open_page.page.set_viewport_size(WIDTHS[width])
        assert [] == overflow(open_page.page)
        results = call_all(open_page.page, "pages.js", *checks)
        assert {} == {check: faults for check, faults in results.items() if faults}


def test_every_reference_leads_to_an_element(open_page: OpenPage) -> None:
    """Labels, descriptions and lists of choices exist, so that screen readers can read them out."""
    assert [] == open_page.page.evaluate(function_in("pages.js", "danglingReferences"))


def test_the_page_is_complete_without_scripts(open_page: OpenPage, scriptless_tab: Page) -> None:
    """Without JavaScript, the page has the same visible words and numbers. Only buttons that need it are missing."""
    scriptless_tab.goto(open_page.name)
    needing_scripts, text, heading = scriptless_tab.evaluate(
        function_in("pages.js", "textsWithoutScripts"), NEEDS_SCRIPTS
    )
    assert [] == needing_scripts
    if open_page.name in PAGES_NEEDING_SCRIPTS:
        return
    assert text != heading  # the page has more than a heading
    # Some words differ on a phone, and the tab without scripts has desktop width.
    open_page.page.set_viewport_size(WIDTHS["desktop"])
    # With scripts, the map's text also has an announcement of its level.
    added_elements = f":is({NEEDS_SCRIPTS}, article [role=status])"
    assert text == open_page.page.evaluate(function_in("pages.js", "textAsWithoutScripts"), added_elements)


def test_shown_sums_and_bridges_add_up(open_page: OpenPage) -> None:
    """A changed digit in an explanation would be noticed."""
    open_page.page.evaluate(OPEN_FOLDS)
    # The calculator then fetches a form, and fills it in from fields that a later test removes.
    expect(open_page.page.locator("details[open] form[hidden]")).to_have_count(0)
    content = read(open_page.page.query_selector("article"))
    assert [] == faults_of(content)
    assert [] == undetected_changes(content)


def test_the_page_is_accessible(open_page: OpenPage) -> None:
    """The parts in `CHECKED_PARTS` have no serious or critical violations of WCAG 2.2 AA in any window."""
    selector = CHECKED_PARTS.get(open_page.name)
    if selector:
        open_page.page.evaluate("document.adoptedStyleSheets = []")  # removes the styles that other tests have added
        open_page.page.evaluate("scrollTo(0, 0)")  # elements behind the header would be too close to its buttons
        open_page.page.evaluate(REMOVE_REPEATED, selector)
        assert [] == faults_in_windows(open_page.page, selector)


def test_no_test_of_the_page_has_caused_a_fault(open_page: OpenPage) -> None:
    """Faults are errors, warnings, failed requests and requests to other hosts."""
    assert [] == open_page.errors
