"""Every page on a phone: the subject of a row stays visible, a shadow marks what scrolls, and numbers are near."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import measure
from tests.docs.windows import WIDTHS, go_to

RULES = (
    "hiddenCells",
    "wideTables",
    "withoutShade",
    "emptyLines",
    "smallLetters",
    "straddling",
)
"""Checks of a page, by their names in phone.js."""

OF_ALL_TEXT = ("partedSigns", "partedKeys", "coveredUnderscores")
"""Checks that also cover folded text, by their names in phone.js."""

COVERED_NUMBERS = measure("phone.js", "covered")
"""Finds numbers whose explanation covers the next number, among a given count of numbers on the page."""

STYLED = measure("phone.js", "styled")
"""Adds a style to a page."""

SOME = 8
"""The count of numbers on a page that are focused."""


@pytest.fixture(scope="module")
def phone(tab: Callable[..., Page]) -> Page:
    """A page on a phone, shared by the tests."""
    return tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")


def stops_to_a_number(page: Page) -> int:
    """The stops of the tab key from the top of a page to its first number, following the skip link."""
    for stop in range(1, 10):
        page.keyboard.press("Tab")
        focused: dict[str, Any] = page.evaluate(
            "({ name: document.activeElement.localName, skips: document.activeElement.matches('.md-skip') })"
        )
        if focused["name"] == "data":
            return stop
        if focused["skips"]:
            page.keyboard.press("Enter")
    return 10


def unlike_a_phone(page: Page) -> list[list[str]]:
    """The faults of a page at a phone's width, by the name of the check."""
    page.set_viewport_size(WIDTHS["phone"])
    faults = [page.evaluate(measure("phone.js", rule)) for rule in RULES] + [page.evaluate(COVERED_NUMBERS, SOME)]
    page.evaluate(measure("phone.js", "unfold"))
    faults += [page.evaluate(measure("phone.js", rule)) for rule in OF_ALL_TEXT]
    page.evaluate(measure("phone.js", "fold"))
    return [faults_of_rule for faults_of_rule in faults if faults_of_rule]


def test_explanations_leave_the_next_number_on_a_desk(tab: Callable[..., Page]) -> None:
    """On a desktop, too, explanations in text, tables and sums do not cover the next number."""
    page = tab(reduced_motion="reduce")
    for name in ("parts/attention.html", "totals/base.html", "disagreements/conventions.html"):
        page.goto(name, wait_until="load")
        assert [] == page.evaluate(COVERED_NUMBERS, SOME)


def test_lines_with_our_columns_are_stacked(phone: Page) -> None:
    """A name has its own line, and the columns after it stand visibly below it."""
    phone.goto("listings/transformers.html", wait_until="load")
    assert 0 == phone.evaluate(measure("phone.js", "wideListings"))
    phone.evaluate(
        measure("phone.js", "styled"),
        ".bc-stacked :is(samp, b) { display: inline !important; white-space: pre !important }",
    )
    assert 3 < phone.evaluate(measure("phone.js", "wideListings"))


FAULTS = {
    "table.bc { display: table !important; width: 60rem }": "hiddenCells",
    "table.bc td { min-width: 9rem !important }": "wideTables",
    ".bc-formula { animation: none !important } .bc-formula math { width: 60rem; display: block }": "withoutShade",
    ".headerlink { position: static !important; display: block !important }": "emptyLines",
    ".bc-figure text { font-size: 11px !important }": "smallLetters",
    ".bc-map text { font-size: 90px !important }": "straddling",
    ".bc-level-sum :is(span, a) { white-space: normal; max-width: 4rem } .bc-key { width: 4rem }": "partedKeys",
    ".bc-how { inset: 0 !important; max-width: none !important; width: 100vw; height: 100vh }": "covered",
}


def test_faults_are_found(phone: Page) -> None:
    """Each check finds its fault, also far down the page, and the unchanged page has no fault."""
    phone.goto("parts/embeddings.html", wait_until="load")
    assert [] == unlike_a_phone(phone)
    for style, rule in FAULTS.items():
        phone.evaluate(STYLED, style)
        assert [] != phone.evaluate(measure("phone.js", rule), SOME), style
    phone.evaluate(STYLED, "")
    phone.set_content("<a href=#a>a</a>" * 5 + "<data tabindex=0>1</data>")
    assert 6 == stops_to_a_number(phone)


WITH_SIGNS = [
    "totals/base.html",
    "teach/slides.html",
    "teach/lesson.html",
    "run/operations.html",
    "try/calculator.html",
    "try/exercises.html",
    "map.html#base/layer/feed-forward/output/weights",
    "disagreements/i-got.html?n=109482240",
]
"""Pages with long sums and formulas: in tables, in sentences, and written by scripts."""

PARTED = measure("phone.js", "partedSigns")


@pytest.mark.parametrize("name", WITH_SIGNS)
def test_no_line_ends_with_a_sign(tab: Callable[..., Page], name: str) -> None:
    """Even on the narrowest phones no line ends with a sign; lines that do are noticed."""
    page = tab(viewport=WIDTHS["phone"], reduced_motion="reduce")
    go_to(page, name)
    page.evaluate(measure("phone.js", "unfold"))
    faults = 0
    for width in (320, 360, 390, 412):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(STYLED, "")
        assert (width, []) == (width, page.evaluate(PARTED))
        page.evaluate(STYLED, ".bc-joined { white-space: normal !important }")
        faults += len(page.evaluate(PARTED))
    assert faults


@pytest.mark.parametrize("width", [320, 390])
def test_an_explanation_of_a_number_keeps_its_signs(tab: Callable[..., Page], width: int) -> None:
    """No line of an explanation ends with a sign; lines that do are noticed."""
    page = tab(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    go_to(page, "totals/base.html")
    faults = 0
    for number in page.locator("article data:visible").all()[:12]:
        number.focus()
        page.locator("#bc-how:popover-open").wait_for()
        page.evaluate(STYLED, "")
        assert [] == page.evaluate(PARTED, "#bc-how")
        page.evaluate(STYLED, ".bc-joined { white-space: normal !important }")
        faults += len(page.evaluate(PARTED, "#bc-how"))
    assert faults


def test_a_formula_in_two_lines_is_noticed(phone: Page) -> None:
    """The check for signs notices a broken formula.

    Browsers do not break formulas, and ours break between them.
    """
    phone.set_content(f"<article><p>4 × <math>{'<mi>H</mi><mo>+</mo>' * 99}<mi>F</mi></math></article>")
    assert 1 == len(phone.evaluate(PARTED))  # the formula is not on the line of its sign
    phone.set_content("<article><p></article>")
    # An HTML element of this name is no formula to the browser, so it wraps like text.
    phone.locator("p").evaluate("each => each.append(document.createElement('math'))")
    phone.locator("math").evaluate("each => (each.textContent = 'H '.repeat(99))")
    assert 1 == len(phone.evaluate(PARTED))


@pytest.mark.parametrize("name", ["changed/index.html", "changed/structure.html"])
def test_underlines_lie_below_underscores(phone: Page, name: str) -> None:
    """In linked names underlines are below underscores; an underline on the letters is noticed."""
    phone.goto(name)
    script = measure("phone.js", "coveredUnderscores")
    assert [] == phone.evaluate(script)
    phone.evaluate(STYLED, "article a { text-underline-offset: .1em !important }")
    assert [] != phone.evaluate(script)
