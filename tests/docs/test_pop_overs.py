"""Pop-overs explain numbers to readers who use a pointer, a keyboard or touch, and behave as WCAG 2.2 requires."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.docs.scripts import function_in
from tests.docs.windows import WIDTHS, faults_in_windows, go_to, overflow

OpenTab = Callable[..., Page]

POP_OVER = "#bc-how"
"""A selector for the element that shows explanations; a page has only one."""

ANSWER = "h1 + p data"
"""A selector for the number that answers the question of a page."""

EXPLANATION = """4·H² + 4·H
the matrix of one projection: 768 × 768 = 589,824
one projection, with its bias: 589,824 + 768 = 590,592
the total: 4 × 590,592 = 2,362,368
bert-base-uncased, BertModel"""
"""The explanation of the answer on the page about attention."""


@pytest.fixture
def page(desktop: Page) -> Page:
    """The page about attention, with the pointer in its corner."""
    desktop.mouse.move(0, 0)
    go_to(desktop, "parts/attention.html")
    return desktop


def answer(page: Page) -> Locator:
    """The number that answers the question of a page."""
    return page.locator(ANSWER).first


def test_an_explanation_stays_while_it_is_pointed_at_or_selected(page: Page) -> None:
    answer(page).hover()
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    pop_over.wait_for()
    assert EXPLANATION == pop_over.inner_text()
    assert 1 == page.locator("[popover=manual]").count()
    pop_over.hover()
    page.wait_for_timeout(600)  # longer than the delay before it closes
    assert pop_over.is_visible()
    pop_over.click(click_count=3, position={"x": 60, "y": 12})  # selects a line
    page.keyboard.press("Control+c")
    assert "4·H² + 4·H" in page.evaluate("navigator.clipboard.readText()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(600)
    assert pop_over.is_visible()  # because part of it is selected
    page.mouse.click(2, 400)
    pop_over.wait_for(state="detached")
    answer(page).hover()
    pop_over.wait_for()
    page.mouse.move(0, 0)
    pop_over.wait_for(state="detached")


CROSS_ELEMENTS = """async () => {
  for (const element of [...document.querySelectorAll("article > *")].slice(-10)) {
    element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}"""
"""Moves a pointer over ten elements of the page in about a second, without stopping."""


def test_an_explanation_closes_while_the_pointer_moves_on(page: Page) -> None:
    """The delay begins when the pointer leaves the number, and not again at every element that it crosses."""
    answer(page).hover()
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    pop_over.wait_for()
    page.evaluate(CROSS_ELEMENTS)
    assert not pop_over.is_visible()


def test_escape_closes_an_explanation_under_the_pointer(page: Page) -> None:
    """The page does not receive the key, so nothing else closes."""
    page.evaluate("addEventListener('keydown', event => (globalThis.receivedKey = event.key))")
    answer(page).hover()
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    pop_over.wait_for()
    page.keyboard.press("Escape")
    assert not pop_over.is_visible()
    assert page.evaluate("globalThis.receivedKey") is None
    page.wait_for_timeout(300)
    assert not pop_over.is_visible()
    page.keyboard.press("Escape")
    assert "Escape" == page.evaluate("globalThis.receivedKey")


STATE_OF_NUMBER = """number => [
  document.activeElement === number, document.querySelector("#bc-how").matches(":popover-open"),
  number.getAttribute("aria-expanded"), number.getAttribute("aria-describedby"),
]"""
"""Returns whether a number is focused, whether it is explained, and the attributes that refer to the explanation."""


def test_keys_close_and_reopen_the_explanation_of_a_focused_number(page: Page) -> None:
    number = answer(page)
    number.focus()
    scroll_before = page.evaluate("scrollY")
    for key, is_explained in (("", True), ("Escape", False), ("Enter", True), ("Enter", False), ("Space", True)):
        if key:
            page.keyboard.press(key)
        expected = [True, is_explained, str(is_explained).lower(), "bc-how" if is_explained else None]
        assert (key, expected) == (key, number.evaluate(STATE_OF_NUMBER))
    assert scroll_before == page.evaluate("scrollY")
    page.keyboard.press("Tab")
    assert [False, "false"] == number.evaluate(STATE_OF_NUMBER)[::2]


def test_a_dismissed_explanation_does_not_return(page: Page) -> None:
    """After another number has been pointed at, only the explanation of a pinned number returns."""
    pinned_number, other_number = answer(page), page.locator("article data").nth(1)
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    pinned_number.click()
    pop_over.wait_for()
    for returns in ("true", "false"):
        other_number.hover()
        expect(other_number).to_have_attribute("aria-expanded", "true")
        page.mouse.move(0, 0)
        expect(other_number).to_have_attribute("aria-expanded", "false")
        expect(pinned_number).to_have_attribute("aria-expanded", returns)
        page.keyboard.press("Escape")


def test_screen_readers_announce_a_number_and_its_explanation(page: Page) -> None:
    """The number is the accessible name of its button, and the explanation is its description."""
    number = answer(page)
    number.focus()
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    client = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = client.send("Accessibility.getFullAXTree")["nodes"]
    buttons = [node for node in nodes if node.get("role", {}).get("value") == "button" and "description" in node]
    (button_of_answer,) = [button for button in buttons if button["name"]["value"] == "2,362,368"]
    assert EXPLANATION.split() == button_of_answer["description"]["value"].split()


def test_a_tap_opens_and_closes_an_explanation(open_tab: OpenTab) -> None:
    """A second tap on the number, or a tap elsewhere, closes the explanation, because phones have no Escape key."""
    phone = open_tab(viewport=WIDTHS["phone"], has_touch=True)
    go_to(phone, "parts/attention.html")
    number, pop_over = answer(phone), phone.locator(f"{POP_OVER}:popover-open")
    number.tap()
    pop_over.wait_for()
    assert EXPLANATION == pop_over.inner_text()
    assert [] == overflow(phone)
    number.tap()
    pop_over.wait_for(state="detached")
    number.tap()
    pop_over.wait_for()
    pop_over.tap()
    assert pop_over.is_visible()
    phone.locator("article").tap(position={"x": 5, "y": 5})
    pop_over.wait_for(state="detached")


MISPLACED_EXPLANATIONS = function_in("pages.js", "misplacedExplanations")
"""Returns the faults of explanations in a sample of numbers.

An explanation must not cover the number or its heading, caption or headers, extend beyond the window, or be too far
away.
"""

MAX_DISTANCE = 300
"""The largest distance in pixels between a number and its explanation: a third of the height of the desktop window."""

WINDOWS = {**WIDTHS, "wide": ViewportSize(width=2560, height=1440)}
"""Windows from a phone to a wide screen, by name."""

PAGES = (
    "parts/attention.html",
    "totals/base.html",
    "run/memory-of-training.html",
    "disagreements/published-claims.html",
)
"""Pages with numbers in sentences, sums, tables and forms. The last one is long."""


@pytest.mark.parametrize("name", PAGES)
def test_an_explanation_covers_neither_its_number_nor_a_heading(open_tab: OpenTab, name: str) -> None:
    page = open_tab(reduced_motion="reduce")
    go_to(page, name)
    for window, size in WINDOWS.items():
        page.set_viewport_size(size)
        assert (window, []) == (window, page.evaluate(MISPLACED_EXPLANATIONS, [12, False, MAX_DISTANCE]))
    page.set_viewport_size(WIDTHS["desktop"])


MISPLACED_AFTER_JUMP = function_in("pages.js", "misplacedAfterJump")
"""Returns the faults of explanations of numbers that the page has jumped to."""


@pytest.mark.parametrize("width", WIDTHS)
def test_after_a_jump_the_explanation_is_next_to_its_number(open_tab: OpenTab, width: str) -> None:
    """On a long page, focusing a number far below makes the browser scroll while the explanation opens."""
    page = open_tab(viewport=WIDTHS[width], reduced_motion="reduce")
    go_to(page, "disagreements/published-claims.html")
    assert [] == page.evaluate(MISPLACED_AFTER_JUMP)


MOVE_NUMBER = """async number => {
  const padding = document.querySelector("#bc-how").getBoundingClientRect().top - number.getBoundingClientRect().top
  document.querySelector("h1").style.paddingTop = `${padding}px`
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  const elements = [document.querySelector("#bc-how"), number]
  const [explanation, { top, bottom }] = elements.map(element => element.getBoundingClientRect())
  return [padding > 0, explanation.height > 0, explanation.top < bottom && top < explanation.bottom]
}"""
"""Moves a number down to its explanation. Returns whether the explanation was below, is still shown, and covers it."""


def test_an_explanation_moves_away_from_a_number_that_moves(page: Page) -> None:
    """If something above a number grows, the number moves although nothing has been scrolled."""
    answer(page).focus()
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    assert [True, True, False] == answer(page).evaluate(MOVE_NUMBER)


def test_an_explanation_moves_nothing(open_tab: OpenTab) -> None:
    page = open_tab(viewport=WIDTHS["desktop"], reduced_motion="reduce")
    go_to(page, "totals/checkpoints.html")
    page.mouse.move(0, 0)
    number = page.locator("article data:visible").nth(60)
    number.scroll_into_view_if_needed()
    number.hover()
    top_before = number.evaluate("number => number.getBoundingClientRect().top")
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    page.wait_for_timeout(100)  # milliseconds, during which something might move
    assert top_before == pytest.approx(number.evaluate("number => number.getBoundingClientRect().top"), abs=1)


def test_in_a_short_frame_the_explanation_does_not_cover_its_number(open_tab: OpenTab) -> None:
    """The frame may be on the page of a course. The explanation stays within the frame and scrolls there."""
    page = open_tab(viewport={"width": 420, "height": 150}, reduced_motion="reduce")
    go_to(page, "embed/totals/memory/bytes.html")
    assert [] == page.evaluate(MISPLACED_EXPLANATIONS, [3, True, MAX_DISTANCE])


def test_an_open_explanation_is_accessible(page: Page) -> None:
    page.locator(".bc-worked > .bc-more > summary").click()
    number = page.locator("#tensors data").first
    number.focus()
    page.locator(f"{POP_OVER}:popover-open").wait_for()
    assert [] == faults_in_windows(page, f"{POP_OVER}, #tensors")


def test_with_forced_colours_an_explanation_has_a_border(open_tab: OpenTab) -> None:
    """Without a border, an explanation could not be distinguished from the text around it."""
    page = open_tab(forced_colors="active")
    go_to(page, "parts/attention.html")
    answer(page).focus()
    style = "({ borderTopColor, borderTopWidth }) => [borderTopColor, parseFloat(borderTopWidth) > 0]"
    colour, has_width = page.locator(POP_OVER).evaluate(f"element => ({style})(getComputedStyle(element))")
    assert has_width
    assert "rgba(0, 0, 0, 0)" != colour


LEFT_EDGES = """popOver => {
  const range = document.createRange()
  range.selectNodeContents(popOver)
  const lines = new Map([...range.getClientRects()].map(({ top, left }) => [top, left]).reverse())
  return [...new Set([...lines.values()].map(Math.round))]
}"""
"""Returns the left edges of the lines of a text, each once."""


def test_the_lines_of_an_explanation_begin_at_one_edge(page: Page) -> None:
    """The number may be in a column that is aligned right."""
    page.locator("td data[data-how*='\\n']").first.hover()
    pop_over = page.locator(f"{POP_OVER}:popover-open")
    assert len(pop_over.inner_text().splitlines()) > 1
    assert 1 == len(pop_over.evaluate(LEFT_EDGES))
    pop_over.evaluate("popOver => { popOver.style.textAlign = 'right' }")
    assert 1 < len(pop_over.evaluate(LEFT_EDGES))


CONTENT_AFTER = "number => getComputedStyle(number, '::after').content"
"""Returns the text that the style sheet shows after a number."""


def test_without_scripts_the_style_sheet_explains_numbers(scriptless_tab: Page, desktop: Page) -> None:
    """The style sheet does nothing if scripts explain the numbers."""
    go_to(scriptless_tab, "parts/attention.html")
    number = answer(scriptless_tab)
    assert "none" == number.evaluate(CONTENT_AFTER)
    for point_at_number in (number.hover, number.focus):
        point_at_number()
        assert '"' + EXPLANATION.replace("\n", "\\a ") + '"' == number.evaluate(CONTENT_AFTER).replace('" "', "")
        scriptless_tab.mouse.move(0, 0)
    go_to(desktop, "parts/attention.html")
    answer(desktop).focus()
    assert "none" == answer(desktop).evaluate(CONTENT_AFTER)


SHORT_EXPLANATIONS = {
    # A number that belongs to no model. Source: the recordings of keras-bert, with 934 layers, and of bert4keras, with
    # 1,044 in models without options.
    "about/verification.html": (":text-is('1,978')", "keras-bert; bert4keras\n934 + 1,044 = 1,978"),
    # A size, which belongs to a model but not to a class.
    "totals/checkpoints.html": ("[data-how^='V = ']", "V = vocab_size in the configuration of\nbert-base-uncased"),
}
"""Pages, each with a selector for a number and its complete explanation."""


@pytest.mark.parametrize("name", SHORT_EXPLANATIONS)
def test_an_explanation_names_a_model_and_class_only_if_it_has_them(desktop: Page, name: str) -> None:
    """A model or class in the explanation would suggest that the number depends on it."""
    go_to(desktop, name)
    selector, lines = SHORT_EXPLANATIONS[name]
    desktop.locator(f"data{selector}").first.focus()
    assert lines == desktop.locator(f"{POP_OVER}:popover-open").inner_text()
