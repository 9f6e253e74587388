"""The slides of the lesson are shown one at a time, are turned with buttons and keys, and can fill the screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import WIDTHS, go_to

VISIBLE_SLIDES = """(strip) => [...strip.children].flatMap((slide, index) => {
    const { left, right } = slide.getBoundingClientRect()
    const box = strip.getBoundingClientRect()
    return left >= box.left - 1 && right <= box.right + 1 ? [index + 1] : []
})"""
"""Returns the numbers of the slides that are fully visible in the strip of slides. One pixel allows for rounding."""


@pytest.fixture(scope="module")
def slides(open_tab: Callable[..., Page]) -> Page:
    """The page with the slides, in a window with the proportions of a slide."""
    page = open_tab(viewport={"width": 1280, "height": 720})
    go_to(page, "teach/slides.html")
    return page


def test_the_first_screen_has_a_whole_slide_and_the_buttons(slides: Page) -> None:
    """The page is only about twice as long as the screen, because the slides are next to one another."""
    slides.reload()
    assert [1] == slides.locator(".bc-slides").evaluate(VISIBLE_SLIDES)
    box = slides.locator(".bc-slide").first.bounding_box()
    assert box is not None
    buttons = slides.locator(".bc-turning").bounding_box()
    assert buttons is not None
    assert box["y"] + box["height"] < buttons["y"] < buttons["y"] + buttons["height"] <= 720
    assert slides.evaluate("document.documentElement.scrollHeight") < 1500


def test_buttons_and_keys_turn_the_slides(slides: Page) -> None:
    slides.reload()
    strip, counter = slides.locator(".bc-slides"), slides.locator(".bc-turning output")
    count = strip.locator(".bc-slide").count()
    expect(counter).to_have_text(f"Slide 1 of {count}")
    slides.get_by_role("button", name="Next").click()
    expect(counter).to_have_text(f"Slide 2 of {count}")
    slides.get_by_role("button", name="Back", exact=True).click(click_count=2)
    expect(counter).to_have_text(f"Slide 1 of {count}")
    expect(slides.get_by_role("button", name="Back", exact=True)).to_have_attribute("aria-disabled", "true")
    strip.focus()
    for key, number in (("ArrowRight", 2), ("PageDown", 3), (" ", 4), ("ArrowLeft", 3), ("PageUp", 2), ("End", count)):
        slides.keyboard.press(key)
        expect(counter).to_have_text(f"Slide {number} of {count}")
        assert [number] == strip.evaluate(VISIBLE_SLIDES)
    slides.keyboard.press("ArrowRight")
    assert [count] == strip.evaluate(VISIBLE_SLIDES)
    slides.keyboard.press("Home")
    expect(counter).to_have_text(f"Slide 1 of {count}")


def test_a_link_leads_to_a_slide(slides: Page) -> None:
    slides.goto("about:blank")
    go_to(slides, "teach/slides.html#slides-map")
    last_slide = slides.locator(".bc-slide").count()
    expect(slides.locator(".bc-turning output")).to_have_text(f"Slide {last_slide} of {last_slide}")


def test_slides_fill_the_screen(slides: Page) -> None:
    slides.reload()
    slides.get_by_role("button", name="Full screen").click()
    slides.wait_for_function("document.fullscreenElement?.id === 'slides'")
    slides.keyboard.press("Home")
    slides.keyboard.press("PageDown")
    box = slides.locator(".bc-slide").nth(1).bounding_box()
    assert box is not None
    assert [0, 0, 1280, 720] == [round(length) for length in (box["x"], box["y"], box["width"], box["height"])]
    slides.keyboard.press("Escape")


def test_slides_can_be_read_without_scripts_and_on_a_phone(open_tab: Callable[..., Page]) -> None:
    """Without scripts, the strip can be scrolled to every slide. On a phone, the slides are stacked."""
    page = open_tab(java_script_enabled=False)
    go_to(page, "teach/slides.html")
    page.locator(".bc-slide").last.scroll_into_view_if_needed()
    assert [page.locator(".bc-slide").count()] == page.locator(".bc-slides").evaluate(VISIBLE_SLIDES)
    phone = open_tab(viewport=WIDTHS["phone"])
    go_to(phone, "teach/slides.html")
    assert phone.locator(".bc-slide").count() == len(phone.locator(".bc-slides").evaluate(VISIBLE_SLIDES))
    expect(phone.get_by_role("button", name="Next")).to_have_count(0)
