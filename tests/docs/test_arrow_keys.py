"""The arrow keys move in their directions: from number to number in tables, and from term to term in sums."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.docs.windows import watch

WHERE = """() => {
  const cell = document.activeElement.closest("td, th")
  return cell && [cell.parentElement.rowIndex, cell.cellIndex]
}"""
"""Row and column of the focused number; the head is row 0."""


@pytest.fixture
def page(desktop: Page, address: str) -> Iterator[Page]:
    """The page on memory, whose first table has four rows of five numbers, with a head and a name per row.

    No error may occur on it, at an edge of the table or elsewhere.
    """
    errors = watch(desktop, address)
    desktop.goto("totals/memory.html")
    desktop.locator("#bytes data[tabindex='-1']").first.wait_for()
    yield desktop
    assert [] == errors


def walked(page: Page, table: str, keys: str) -> list[list[int] | None]:
    """The position to which each key leads, starting from the focus."""
    places = []
    for key in keys.split():
        page.keyboard.press(f"Arrow{key}" if key in ("Up", "Down", "Left", "Right") else key)
        places.append(page.evaluate(WHERE))
        assert 1 == page.locator(f"{table} data[tabindex='0']").count()
    return places


def test_a_table_is_one_stop(page: Page) -> None:
    """The tab key reaches one number of each table, at first its first one, and every number outside tables."""
    for table in page.locator("table.bc").all():
        stops = table.locator("data[tabindex='0']")
        assert 1 == stops.count()
        assert stops.first.inner_text() == table.locator("data").first.inner_text()
    assert page.locator("p data[tabindex='0']").count() == page.locator("p data").count() > 0


def test_an_arrow_key_moves_in_its_direction(page: Page) -> None:
    """At an edge the focus stays."""
    page.evaluate("addEventListener('keydown', event => (globalThis.taken = event.defaultPrevented))")
    page.locator("#bytes data").first.focus()
    page.keyboard.press("ArrowUp")  # leads nowhere, so the page scrolls
    assert not page.evaluate("taken")
    page.locator("#bytes data").first.focus()
    assert [[1, 2], [1, 3], [2, 3], [3, 3], [3, 2], [2, 2], [1, 2], [1, 2]] == walked(
        page, "#bytes", "Right Right Down Down Left Up Up Up"
    )
    assert [[1, 1], [1, 1], [2, 1], [3, 1], [4, 1], [4, 1]] == walked(page, "#bytes", "Left Left Down Down Down Down")
    assert [[4, 2], [4, 3], [4, 4], [4, 5], [4, 5]] == walked(page, "#bytes", "Right Right Right Right Right")
    assert [[4, 5], [4, 5], [4, 5]] == walked(page, "#bytes", "Home x Escape")


def test_cells_without_a_number_are_stepped_over(page: Page) -> None:
    """Rows of tools whose total is off by no number are stepped over."""
    page.goto("disagreements/what-your-tool-prints.html")
    table = "#by-tool"
    page.locator(f"{table} data[tabindex='-1']").first.wait_for()
    rows = page.eval_on_selector_all(
        f"{table} tr", "rows => rows.flatMap((r, at) => r.cells[3].querySelector('data') ? [at] : [])"
    )
    assert rows[:4] == [1, 3, 4, 10]
    page.locator(f"{table} tbody tr:first-child data").last.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert [[row, 3] for row in (3, 4, 10, 4, 3, 1, 1)] == walked(page, table, "Down Down Down Up Up Up Up")


FOCUSED = "document.activeElement.textContent"

SUM = ".bc-worked ol.bc-steps"
"""The worked sum of a part; its exercises have more of them."""


def test_arrow_keys_move_from_term_to_term_in_a_sum(page: Page) -> None:
    """Right and down lead to the next term, left and up to the one before; at the ends the focus stays."""
    page.goto("parts/attention.html")
    page.locator(f"{SUM} .bc-term[tabindex='-1']").first.wait_for()
    for steps in page.locator(".bc-steps").all():
        assert ["0"] == steps.locator(".bc-term[tabindex='0']").evaluate_all(
            "all => all.map(each => each.getAttribute('tabindex'))"
        )
    terms = page.locator(f"{SUM} .bc-term").all_inner_texts()
    # Source: the worked sum of self-attention, 768 × 768 = 589,824 and so on.
    assert ["768 × 768", "589,824"] == terms[:2]
    page.evaluate("addEventListener('keydown', event => (globalThis.taken = event.defaultPrevented))")
    page.locator(f"{SUM} .bc-term").first.focus()
    for key, place, moves in (
        ("ArrowLeft", 0, False),
        ("ArrowRight", 1, True),
        ("ArrowDown", 2, True),
        ("ArrowUp", 1, True),
        ("Home", 1, False),
        ("ArrowLeft", 0, True),
        ("ArrowUp", 0, False),
    ):
        page.keyboard.press(key)
        assert (key, terms[place], moves) == (key, page.evaluate(FOCUSED), page.evaluate("taken"))
        assert 1 == page.locator(f"{SUM} .bc-term[tabindex='0']").count()
    page.keyboard.press("Escape")
    assert "BODY" == page.evaluate("document.activeElement.tagName")
