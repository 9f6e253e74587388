"""The arrow keys move the focus from number to number in tables, and from term to term in sums."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.docs.windows import watch

POSITION_OF_FOCUS = """() => {
  const cell = document.activeElement.closest("td, th")
  return cell && [cell.parentElement.rowIndex, cell.cellIndex]
}"""
"""Returns the row and column of the focused number; null if none is focused. The header row is row 0."""

RECORD_HANDLING = "addEventListener('keydown', event => (globalThis.isHandled = event.defaultPrevented))"
"""Records whether the page handled the last key, which otherwise has its default effect, such as scrolling."""


@pytest.fixture
def page(desktop: Page, address: str) -> Iterator[Page]:
    """The page about memory. Its first table has a header row, and four rows with a name and five numbers each.

    Any error on the page fails the test.
    """
    errors = watch(desktop, address)
    desktop.goto("totals/memory.html")
    desktop.locator("#bytes data[tabindex='-1']").first.wait_for()
    yield desktop
    assert [] == errors


def positions_after(page: Page, table: str, keys: str) -> list[list[int] | None]:
    """Press the keys, and return the position of the focus after each.

    The Tab key must always reach exactly one number in the table.
    """
    positions = []
    for key in keys.split():
        page.keyboard.press(f"Arrow{key}" if key in ("Up", "Down", "Left", "Right") else key)
        positions.append(page.evaluate(POSITION_OF_FOCUS))
        assert 1 == page.locator(f"{table} data[tabindex='0']").count()
    return positions


def test_the_tab_key_stops_at_the_first_number_of_each_table_and_at_all_numbers_outside(page: Page) -> None:
    for table in page.locator("table.bc").all():
        stops = table.locator("data[tabindex='0']")
        assert 1 == stops.count()
        assert stops.first.inner_text() == table.locator("data").first.inner_text()
    assert page.locator("p data[tabindex='0']").count() == page.locator("p data").count() > 0


def test_an_arrow_key_moves_in_its_direction(page: Page) -> None:
    page.evaluate(RECORD_HANDLING)
    page.locator("#bytes data").first.focus()
    page.keyboard.press("ArrowUp")
    assert not page.evaluate("isHandled")  # at an edge of the table, the key scrolls the page as usual
    page.locator("#bytes data").first.focus()
    assert [[1, 2], [1, 3], [2, 3], [3, 3], [3, 2], [2, 2], [1, 2], [1, 2]] == positions_after(
        page, "#bytes", "Right Right Down Down Left Up Up Up"
    )
    assert [[1, 1], [1, 1], [2, 1], [3, 1], [4, 1], [4, 1]] == positions_after(
        page, "#bytes", "Left Left Down Down Down Down"
    )
    assert [[4, 2], [4, 3], [4, 4], [4, 5], [4, 5]] == positions_after(page, "#bytes", "Right Right Right Right Right")
    assert [[4, 5], [4, 5], [4, 5]] == positions_after(page, "#bytes", "Home x Escape")


def test_arrow_keys_skip_cells_without_a_number(page: Page) -> None:
    """In the table of tools, the fourth column has a number only if the tool's total is wrong."""
    page.goto("disagreements/what-your-tool-prints.html")
    table = "#by-tool"
    page.locator(f"{table} data[tabindex='-1']").first.wait_for()
    rows = page.eval_on_selector_all(
        f"{table} tr", "rows => rows.flatMap((row, index) => row.cells[3].querySelector('data') ? [index] : [])"
    )
    assert rows[:4] == [1, 3, 4, 10]
    page.locator(f"{table} tbody tr:first-child data").last.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert [[row, 3] for row in (3, 4, 10, 4, 3, 1, 1)] == positions_after(page, table, "Down Down Down Up Up Up Up")


FOCUSED_TEXT = "document.activeElement.textContent"
"""Evaluates to the text of the focused element."""

SUM = ".bc-worked ol.bc-steps"
"""A selector for the worked sum of a part. The exercises on the page have sums, too."""


def test_arrow_keys_move_from_term_to_term_in_a_sum(page: Page) -> None:
    page.goto("parts/attention.html")
    page.locator(f"{SUM} .bc-term[tabindex='-1']").first.wait_for()
    for steps in page.locator(".bc-steps").all():
        assert ["0"] == steps.locator(".bc-term[tabindex='0']").evaluate_all(
            "terms => terms.map(term => term.getAttribute('tabindex'))"
        )
    terms = page.locator(f"{SUM} .bc-term").all_inner_texts()
    # Source: the worked sum of self-attention, 768 × 768 = 589,824 and so on.
    assert ["768 × 768", "589,824"] == terms[:2]
    page.evaluate(RECORD_HANDLING)
    page.locator(f"{SUM} .bc-term").first.focus()
    for key, index, is_handled in (
        ("ArrowLeft", 0, False),
        ("ArrowRight", 1, True),
        ("ArrowDown", 2, True),
        ("ArrowUp", 1, True),
        ("Home", 1, False),
        ("ArrowLeft", 0, True),
        ("ArrowUp", 0, False),
    ):
        page.keyboard.press(key)
        assert (key, terms[index], is_handled) == (key, page.evaluate(FOCUSED_TEXT), page.evaluate("isHandled"))
        assert 1 == page.locator(f"{SUM} .bc-term[tabindex='0']").count()
    page.keyboard.press("Escape")
    assert "BODY" == page.evaluate("document.activeElement.tagName")
