"""At the width of a phone, nothing is hidden or broken, and the checks notice such faults.

`test_pages.py` applies the checks to every page.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.scripts import call_all, function_in
from tests.docs.windows import WIDTHS, go_to

CHECKS = (
    "hiddenCells",
    "wideTables",
    "withoutShadow",
    "headingsWithEmptyLine",
    "smallLetters",
    "textsBeyondAreas",
    "coveringNext",
)
"""The names of the checks in phone.js that leave folds as they are."""

CHECKS_OF_FOLDED_TEXT = ("breaksAfterSigns", "coveredCode", "namesBelowColours", "coveredUnderscores")
"""The names of the checks in phone.js that also cover folded text."""

COVERING_NUMBERS = function_in("phone.js", "coveringNext")
"""Returns the numbers whose explanation covers the next number, in a sample of the page's numbers."""

APPLY_STYLE = function_in("phone.js", "applyStyle")
"""Applies a style sheet to a page in place of any earlier one."""


@pytest.fixture(scope="module")
def phone(open_tab: Callable[..., Page]) -> Page:
    """A tab on a phone, shared by the tests of this file."""
    return open_tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")


def tabs_to_first_number(page: Page) -> int:
    """The number of Tab presses from the top of a page to its first number, skipping the menu.

    It is 10 if nine presses do not suffice.
    """
    for presses in range(1, 10):
        page.keyboard.press("Tab")
        active_element: dict[str, Any] = page.evaluate(
            "({ name: document.activeElement.localName, skips: document.activeElement.matches('.md-skip') })"
        )
        if active_element["name"] == "data":
            return presses
        if active_element["skips"]:
            page.keyboard.press("Enter")
    return 10


def faults_on_phone(page: Page) -> dict[str, list[str]]:
    """The faults of an open page at the width of a phone, by the check that finds them."""
    page.set_viewport_size(WIDTHS["phone"])
    results = call_all(page, "phone.js", *CHECKS, "unfold", *CHECKS_OF_FOLDED_TEXT, "fold")
    return {check: faults for check, faults in results.items() if faults}


def test_on_a_desktop_no_explanation_covers_the_next_number(open_tab: Callable[..., Page]) -> None:
    page = open_tab(reduced_motion="reduce")
    for name in ("parts/attention.html", "totals/base.html", "disagreements/conventions.html"):
        page.goto(name, wait_until="load")
        assert [] == page.evaluate(COVERING_NUMBERS)


def test_no_print_out_with_our_columns_is_too_wide(phone: Page) -> None:
    """Our columns are on a line below the name. On the same line, they would make some print-outs scroll."""
    phone.goto("listings/transformers.html", wait_until="load")
    assert 0 == phone.evaluate(function_in("phone.js", "wideListings"))
    phone.evaluate(
        APPLY_STYLE,
        ".bc-stacked :is(samp, b) { display: inline !important; white-space: pre !important }",
    )
    assert 3 < phone.evaluate(function_in("phone.js", "wideListings"))


STYLES_WITH_FAULTS = {
    "table.bc { display: table !important; width: 60rem }": "hiddenCells",
    "pre > code { padding-top: 0 !important }": "coveredCode",
    "table.bc td { min-width: 9rem !important }": "wideTables",
    ".bc-formula { animation: none !important } .bc-formula math { width: 60rem; display: block }": "withoutShadow",
    ".headerlink { position: static !important; display: block !important }": "headingsWithEmptyLine",
    ".bc-figure text { font-size: 11px !important }": "smallLetters",
    ".bc-map text { font-size: 90px !important }": "textsBeyondAreas",
    ".bc-level-sum :is(span, a) { white-space: normal; max-width: 4rem } .bc-key { width: 4rem }": "namesBelowColours",
    ".bc-how { inset: 0 !important; max-width: none !important; width: 100vw; height: 100vh }": "coveringNext",
}
"""Styles that cause a fault, each with the check that must notice it."""


def test_planted_faults_are_noticed(phone: Page) -> None:
    phone.goto("parts/embeddings.html", wait_until="load")
    assert {} == faults_on_phone(phone)
    for style, check in STYLES_WITH_FAULTS.items():
        phone.evaluate(APPLY_STYLE, style)
        assert [] != phone.evaluate(function_in("phone.js", check)), style
    phone.evaluate(APPLY_STYLE, "")
    phone.set_content("<a href=#a>a</a>" * 5 + "<data tabindex=0>1</data>")
    assert 6 == tabs_to_first_number(phone)


PAGES_WITH_SUMS = [
    "totals/base.html",
    "teach/slides.html",
    "teach/lesson.html",
    "run/operations.html",
    "try/calculator.html",
    "try/exercises.html",
    "map.html#base/layer/feed-forward/output/weights",
    "disagreements/i-got.html?n=109482240",
]
"""Pages with long sums and formulas in tables, in sentences and in the output of scripts."""

BREAKS_AFTER_SIGNS = function_in("phone.js", "breaksAfterSigns")
"""Returns the line breaks after a sign, and the broken formulas, within an element."""


@pytest.mark.parametrize("name", PAGES_WITH_SUMS)
def test_no_line_ends_with_a_sign(open_tab: Callable[..., Page], name: str) -> None:
    """Without the style that joins signs to their terms, some lines would end with a sign."""
    page = open_tab(viewport=WIDTHS["phone"], reduced_motion="reduce")
    go_to(page, name)
    page.evaluate(function_in("phone.js", "unfold"))
    break_count = 0
    for width in (320, 360, 390, 412):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(APPLY_STYLE, "")
        assert (width, []) == (width, page.evaluate(BREAKS_AFTER_SIGNS))
        page.evaluate(APPLY_STYLE, ".bc-joined { white-space: normal !important }")
        break_count += len(page.evaluate(BREAKS_AFTER_SIGNS))
    assert break_count > 0


@pytest.mark.parametrize("width", [320, 390])
def test_no_line_of_an_explanation_ends_with_a_sign(open_tab: Callable[..., Page], width: int) -> None:
    """Without the style that joins signs to their terms, some lines would end with a sign."""
    page = open_tab(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    go_to(page, "totals/base.html")
    break_count = 0
    for number in page.locator("article data:visible").all()[:12]:
        number.focus()
        page.locator("#bc-how:popover-open").wait_for()
        page.evaluate(APPLY_STYLE, "")
        assert [] == page.evaluate(BREAKS_AFTER_SIGNS, "#bc-how")
        page.evaluate(APPLY_STYLE, ".bc-joined { white-space: normal !important }")
        break_count += len(page.evaluate(BREAKS_AFTER_SIGNS, "#bc-how"))
    assert break_count > 0


def test_a_line_break_in_a_formula_or_before_it_is_noticed(phone: Page) -> None:
    phone.set_content(f"<article><p>4 × <math>{'<mi>H</mi><mo>+</mo>' * 99}<mi>F</mi></math></article>")
    assert 1 == len(phone.evaluate(BREAKS_AFTER_SIGNS))  # the formula is not on the line of its sign
    phone.set_content("<article><p></article>")
    # Browsers never break a formula. To them, an HTML element with this name is not a formula, so its text wraps.
    phone.locator("p").evaluate("paragraph => paragraph.append(document.createElement('math'))")
    phone.locator("math").evaluate("formula => (formula.textContent = 'H '.repeat(99))")
    assert 1 == len(phone.evaluate(BREAKS_AFTER_SIGNS))


@pytest.mark.parametrize("name", ["changed/index.html", "changed/structure.html"])
def test_no_underline_covers_an_underscore(phone: Page, name: str) -> None:
    phone.goto(name)
    covered_underscores = function_in("phone.js", "coveredUnderscores")
    assert [] == phone.evaluate(covered_underscores)
    phone.evaluate(APPLY_STYLE, "article a { text-underline-offset: .1em !important }")
    assert [] != phone.evaluate(covered_underscores)
