"""Every page on a phone: what a row is about stays in sight, what scrolls shows it, and numbers are near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.docs.windows import WIDTHS

HIDDEN_CELLS = """() => {
  const hidden = []
  for (const row of document.querySelectorAll("table.bc tr")) {
    const short = (cell, column) => cell.matches(
      `.bc-num, .bc-word, .bc-num-${column} :nth-child(${column}), .bc-word-${column} :nth-child(${column})`)
    const cells = [...row.cells].filter((cell, place) =>
      cell.textContent.trim() && (!place || short(cell, place + 1) || cell.querySelector("data, math")))
    for (const cell of cells) {
      const range = document.createRange()
      range.selectNodeContents(cell)
      const { left, right, width } = range.getBoundingClientRect()
      const region = cell.closest(".bc-scroll").getBoundingClientRect()
      if (width && (left < region.left - 1 || right > Math.min(region.right, innerWidth) + 1))
        hidden.push(`${row.closest(".bc-table").id}: ${cell.textContent}`)
    }
  }
  return hidden
}"""
"""Names, figures, words and formulas of tables that are not in sight as a whole without scrolling sideways."""

WIDE_TABLES = """() => [...document.querySelectorAll("article .bc-scroll")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.parentElement.id)"""
"""Tables that scroll sideways."""

WITHOUT_SHADE = """async () => {
  const found = []
  for (const each of document.querySelectorAll("article *")) {
    if (each.scrollWidth <= each.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(each).overflowX)) continue
    if (!each.checkVisibility()) continue
    // What is far below gets its shade when it comes into sight, with the next frame.
    each.scrollIntoView({ block: "center", behavior: "instant" })
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    if (getComputedStyle(each).boxShadow === "none") found.push(each.outerHTML.slice(0, 99))
  }
  scrollTo(0, 0)
  return found
}"""
"""What scrolls sideways and does not show it at its edge."""

EMPTY_LINES = """() => {
  const headings = [...document.querySelectorAll("article :is(h1, h2, h3):has(.headerlink)")]
  const marks = headings.map((each) => each.querySelector(".headerlink"))
  const heights = () => headings.map((each) => each.getBoundingClientRect().height)
  const [places, before] = [marks.map((each) => [each.parentNode, each.nextSibling]), heights()]
  for (const each of marks) each.remove()
  const after = heights()
  marks.forEach((each, at) => places[at][0].insertBefore(each, places[at][1]))
  return headings.filter((_, at) => before[at] !== after[at]).map((each) => each.textContent)
}"""
"""Headings that are taller for the mark that links to them."""

SMALL_LETTERS = """() => [...document.querySelectorAll(".bc-figure svg text")].filter((each) => {
  const { a, b } = each.getScreenCTM()
  return each.checkVisibility() && parseFloat(getComputedStyle(each).fontSize) * Math.hypot(a, b) < 11.99
}).map((each) => each.textContent)"""
"""Words in figures that are smaller than twelve pixels."""

STRADDLING = """() => {
  const inside = (one, other) => one.left >= other.left - 0.5 && one.right <= other.right + 0.5
    && one.top >= other.top - 0.5 && one.bottom <= other.bottom + 0.5
  const filled = (each) => !["none", "rgba(0, 0, 0, 0)"].includes(getComputedStyle(each).fill)
  return [...document.querySelectorAll(".bc-map text")].filter((text) => {
    const areas = [...text.closest(".bc-map").querySelectorAll("rect")].filter(filled)
    const box = text.getBoundingClientRect()
    return text.checkVisibility() && !areas.some((each) => inside(box, each.getBoundingClientRect()))
  }).map((each) => each.textContent)
}"""
"""Words on areas that do not lie within one of one colour."""

COVERED = """async (most) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const covered = []
  const shown = [...document.querySelectorAll("article data")].filter((each) => each.checkVisibility())
  const step = Math.max(1, Math.floor(shown.length / most))
  for (let place = 0; place + 1 < shown.length; place += step) {
    const [number, next] = [shown[place], shown[place + 1]]
    number.scrollIntoView({ block: ["start", "center", "end"][place % 3] })
    number.focus({ preventScroll: true })
    await frame()
    const { left, top, width, height } = next.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    if (document.elementFromPoint(x, y) === number) covered.push(`${number.textContent} covers ${next.textContent}`)
  }
  document.activeElement.blur()
  return covered
}"""
"""Numbers whose explanation lies over the number after them, of so many on the page."""

SOME = 12
"""How many numbers of a page are focused."""


@pytest.fixture(scope="module")
def phone(tab: Callable[..., Page]) -> Page:
    """One page on a phone."""
    return tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")


def stops_to_a_number(page: Page) -> int:
    """How many stops of the tab key it takes from the top of a page to its first number; the skip link is followed."""
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
    """What is wrong with a page in a window of that width, by what is measured."""
    page.set_viewport_size(WIDTHS["phone"])
    rules = (HIDDEN_CELLS, WIDE_TABLES, WITHOUT_SHADE, EMPTY_LINES, SMALL_LETTERS, STRADDLING)
    return [found for each in rules if (found := page.evaluate(each))] + [
        found for found in [page.evaluate(COVERED, SOME)] if found
    ]


def test_explanations_leave_the_next_number_on_a_desk(tab: Callable[..., Page]) -> None:
    """In text, in tables and in sums, with a mouse as well."""
    page = tab(reduced_motion="reduce")
    for name in ("parts/attention.html", "totals/base.html", "disagreements/conventions.html"):
        page.goto(name, wait_until="load")
        assert [] == page.evaluate(COVERED, SOME)


WIDE_LISTINGS = """() => {
  const folds = [...document.querySelectorAll(".bc-stacked details")]
  folds.forEach((fold) => (fold.open = true))
  return folds.map((fold) => fold.querySelector("pre")).filter((each) => each.scrollWidth > each.clientWidth).length
}"""
"""How many folds of the print-outs whose columns are ours scroll sideways."""


def test_lines_with_our_columns_are_stacked(phone: Page) -> None:
    """A name has a line of its own, and all that stands behind it on a desk is in sight below it."""
    for name in ("listings/ledger.html", "listings/transformers.html"):
        phone.goto(name, wait_until="load")
        assert 0 == phone.evaluate(WIDE_LISTINGS)
        phone.evaluate(STYLED, ".bc-stacked :is(samp, b) { display: inline !important; white-space: pre !important }")
        assert 3 < phone.evaluate(WIDE_LISTINGS)


STYLED = """style => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
}"""

FAULTS = {
    "table.bc { display: table !important; width: 60rem }": HIDDEN_CELLS,
    "table.bc td { min-width: 9rem !important }": WIDE_TABLES,
    ".bc-formula { animation: none !important } .bc-formula math { width: 60rem; display: block }": WITHOUT_SHADE,
    ".headerlink { position: static !important; display: block !important }": EMPTY_LINES,
    ".bc-figure text { font-size: 11px !important }": SMALL_LETTERS,
    ".bc-map text { font-size: 90px !important }": STRADDLING,
    "data::after { position-area: block-end !important }": COVERED,
}


def test_faults_are_found(phone: Page) -> None:
    """Each of the measures notices what it is for, and a page without it has none; a far number is noticed as well."""
    phone.goto("parts/embeddings.html", wait_until="load")
    assert [] == unlike_a_phone(phone)
    for style, measure in FAULTS.items():
        phone.evaluate(STYLED, style)
        assert [] != phone.evaluate(measure, SOME if measure == COVERED else None), style
    phone.evaluate(STYLED, "")
    phone.set_content("<a href=#a>a</a>" * 5 + "<data tabindex=0>1</data>")
    assert 6 == stops_to_a_number(phone)
