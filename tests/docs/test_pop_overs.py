"""How numbers are explained in a browser, by WCAG 2.2, 1.4.13: with a mouse, from the keyboard and by tapping."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize

from tests.docs.scripts import measure
from tests.docs.windows import WIDTHS, faults_in_windows, go_to, overflow

Tabs = Callable[..., Page]

POP_OVER = "#bc-how"
"""The one element that shows the explanations of all numbers of a page."""

ANSWER = "h1 + p data"

WORKED = """4·H² + 4·H
the matrix of one projection: 768 × 768 = 589,824
one projection, with its bias: 589,824 + 768 = 590,592
the total: 4 × 590,592 = 2,362,368
bert-base-uncased, BertModel"""
"""The explanation of the answer on the page about attention."""


@pytest.fixture
def page(desktop: Page) -> Page:
    """The page about attention, with the pointer away from everything."""
    desktop.mouse.move(0, 0)
    go_to(desktop, "parts/attention.html")
    return desktop


def answer(page: Page) -> Locator:
    """The number that answers the question of a page."""
    return page.locator(ANSWER).first


def test_pointing_at_a_number_shows_its_explanation(page: Page) -> None:
    """The pointer may move onto the explanation, which stays until it leaves both, and can be copied."""
    answer(page).hover()
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    pop_over.wait_for()
    assert WORKED == pop_over.inner_text()
    assert 1 == page.locator("[popover=manual]").count()
    pop_over.hover()
    page.wait_for_timeout(600)  # longer than its delay before closing
    assert pop_over.is_visible()
    pop_over.click(click_count=3, position={"x": 60, "y": 12})  # a line
    page.keyboard.press("Control+c")
    assert "4·H² + 4·H" in page.evaluate("navigator.clipboard.readText()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(600)
    assert pop_over.is_visible()  # it stays while some of it is selected
    page.mouse.click(2, 400)
    pop_over.wait_for(state="detached")
    answer(page).hover()
    pop_over.wait_for()
    page.mouse.move(0, 0)
    pop_over.wait_for(state="detached")


def test_escape_closes_an_explanation_under_the_pointer(page: Page) -> None:
    """Escape closes the explanation and nothing else. It stays closed until the pointer returns."""
    page.evaluate("addEventListener('keydown', event => (globalThis.reached = event.key))")
    answer(page).hover()
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    pop_over.wait_for()
    page.keyboard.press("Escape")
    assert not pop_over.is_visible()
    assert page.evaluate("globalThis.reached") is None
    page.wait_for_timeout(300)
    assert not pop_over.is_visible()
    page.keyboard.press("Escape")
    assert "Escape" == page.evaluate("globalThis.reached")


STATE = """number => [
  document.activeElement === number, document.querySelector("#bc-how").matches(":popover-open"),
  number.getAttribute("aria-expanded"), number.getAttribute("aria-describedby"),
]"""
"""Whether a number is focused and explained, and what its attributes say about that."""


def test_the_keyboard_keeps_the_focus(page: Page) -> None:
    """A focused number is explained; Escape, Enter and Space close and reopen it, and nothing moves."""
    number = answer(page)
    number.focus()
    scroll_before = page.evaluate("scrollY")
    for key, explained in (("", True), ("Escape", False), ("Enter", True), ("Enter", False), ("Space", True)):
        if key:
            page.keyboard.press(key)
        expected = [True, explained, str(explained).lower(), "bc-how" if explained else None]
        assert (key, expected) == (key, number.evaluate(STATE))
    assert scroll_before == page.evaluate("scrollY")
    page.keyboard.press("Tab")
    assert [False, "false"] == number.evaluate(STATE)[::2]


def test_the_name_of_a_number_is_the_number(page: Page) -> None:
    """The accessible name of a number is the number; its explanation is the description."""
    number = answer(page)
    number.focus()
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    client = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = client.send("Accessibility.getFullAXTree")["nodes"]
    buttons = [node for node in nodes if node.get("role", {}).get("value") == "button" and "description" in node]
    (button_of_answer,) = [button for button in buttons if button["name"]["value"] == "2,362,368"]
    assert WORKED.split() == button_of_answer["description"]["value"].split()


def test_a_tap_opens_and_closes_an_explanation(tab: Tabs) -> None:
    """On a phone, which has no Escape, a second tap closes the explanation, and so does a tap elsewhere."""
    phone = tab(viewport=WIDTHS["phone"], has_touch=True)
    go_to(phone, "parts/attention.html")
    number, pop_over = answer(phone), phone.locator(f"{POP_OVER}:popover-open")
    number.tap()
    pop_over.wait_for()
    assert WORKED == pop_over.inner_text()
    assert [] == overflow(phone)
    number.tap()
    pop_over.wait_for(state="detached")
    number.tap()
    pop_over.wait_for()
    pop_over.tap()
    assert pop_over.is_visible()
    phone.locator("article").tap(position={"x": 5, "y": 5})
    pop_over.wait_for(state="detached")


PLACES = measure("pages.js", "explainedOver")
"""Finds explanations of focused numbers that cover the number, its heading, or the heads of its row and column.

It also finds those outside the window, or farther from the number than allowed.
"""

FARTHEST = 300
"""The most pixels between a number and its explanation."""

SIZES = {**WIDTHS, "wide": ViewportSize(width=2560, height=1440)}

PAGES = (
    "parts/attention.html",
    "totals/base.html",
    "run/memory-of-training.html",
    "disagreements/published-claims.html",
)


@pytest.mark.parametrize("name", PAGES)
def test_an_explanation_covers_neither_its_number_nor_a_heading(tab: Tabs, name: str) -> None:
    """In a table it covers neither the caption nor the heads of row and column, and all of it is in the window."""
    page = tab(reduced_motion="reduce")
    go_to(page, name)
    for width, size in SIZES.items():
        page.set_viewport_size(size)
        assert (width, []) == (width, page.evaluate(PLACES, [12, False, FARTHEST]))
    page.set_viewport_size(WIDTHS["desktop"])


FAR_BELOW = measure("pages.js", "explainedFarBelow")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_number_far_below_is_explained_where_it_is(tab: Tabs, width: str) -> None:
    """After a jump on the longest page, the explanation is beside its number."""
    page = tab(viewport=WIDTHS[width], reduced_motion="reduce")
    go_to(page, "disagreements/published-claims.html")
    assert [] == page.evaluate(FAR_BELOW)


MOVE = """async number => {
  const padding = document.querySelector("#bc-how").getBoundingClientRect().top - number.getBoundingClientRect().top
  document.querySelector("h1").style.paddingTop = `${padding}px`
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  const [explanation, { top, bottom }] = [document.querySelector("#bc-how"), number].map(e => e.getBoundingClientRect())
  return [padding > 0, explanation.height > 0, explanation.top < bottom && top < explanation.bottom]
}"""
"""Moves a number down to its explanation, and returns whether that was below, is still shown, and now covers it."""


def test_an_explanation_makes_room_for_its_number(page: Page) -> None:
    """If something above the number grows, the explanation moves away without any scrolling."""
    answer(page).focus()
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    assert [True, True, False] == answer(page).evaluate(MOVE)


def test_an_explanation_moves_nothing(tab: Tabs) -> None:
    """The number stays where it is, on a long page too."""
    page = tab(viewport=WIDTHS["desktop"], reduced_motion="reduce")
    go_to(page, "totals/checkpoints.html")
    page.mouse.move(0, 0)
    number = page.locator("article data:visible").nth(60)
    number.scroll_into_view_if_needed()
    number.hover()
    top_before = number.evaluate("number => number.getBoundingClientRect().top")
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    page.wait_for_timeout(100)
    assert top_before == pytest.approx(number.evaluate("number => number.getBoundingClientRect().top"), abs=1)


def test_in_a_low_frame_the_explanation_scrolls(tab: Tabs) -> None:
    """In a low frame, as on a course page, the explanation stays within the frame and does not cover its number."""
    page = tab(viewport={"width": 420, "height": 150}, reduced_motion="reduce")
    go_to(page, "embed/totals/memory/bytes.html")
    assert [] == page.evaluate(PLACES, [3, True, FARTHEST])


def test_a_shown_explanation_is_accessible(page: Page) -> None:
    """In every window, axe finds no fault."""
    page.locator(".bc-worked > .bc-more > summary").click()
    number = page.locator("#tensors data").first
    number.focus()
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    assert [] == faults_in_windows(page, f"{POP_OVER}, #tensors")


def test_with_forced_colours_an_explanation_has_a_border(tab: Tabs) -> None:
    """Otherwise it could not be told from the text around it."""
    page = tab(forced_colors="active")
    go_to(page, "parts/attention.html")
    answer(page).focus()
    style = "({ borderTopColor, borderTopWidth }) => [borderTopColor, parseFloat(borderTopWidth) > 0]"
    colour, is_wide = page.locator(POP_OVER).evaluate(f"shown => ({style})(getComputedStyle(shown))")
    assert is_wide
    assert "rgba(0, 0, 0, 0)" != colour


CONTENT = "number => getComputedStyle(number, '::after').content"


def test_without_scripts_the_style_sheet_shows_it(plain: Page, desktop: Page) -> None:
    """Without scripts CSS explains numbers by pointer and keyboard; with scripts they are not explained twice."""
    go_to(plain, "parts/attention.html")
    number = answer(plain)
    assert "none" == number.evaluate(CONTENT)
    for reach in (number.hover, number.focus):
        reach()
        assert '"' + WORKED.replace("\n", "\\a ") + '"' == number.evaluate(CONTENT).replace('" "', "")
        plain.mouse.move(0, 0)
    go_to(desktop, "parts/attention.html")
    answer(desktop).focus()
    assert "none" == answer(desktop).evaluate(CONTENT)


LINES = {
    # A number of no model. Source: the recordings of keras-bert and bert4keras, 934 and 1,929 layers.
    "about/verification.html": (":text-is('2,863')", "keras-bert; bert4keras\n934 + 1,929 = 2,863"),
    # A number of a model but of no class.
    "totals/checkpoints.html": ("[data-how^='V = ']", "V = vocab_size in the configuration of\nbert-base-uncased"),
}


@pytest.mark.parametrize("name", LINES)
def test_an_explanation_names_only_what_its_number_has(desktop: Page, name: str) -> None:
    """A number that belongs to no model gets none, and a size gets no class."""
    go_to(desktop, name)
    selector, lines = LINES[name]
    desktop.locator(f"data{selector}").first.focus()
    assert lines == desktop.locator(f"{POP_OVER}:popover-open").inner_text()
