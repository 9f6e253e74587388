"""The menu on a phone shows all sections at once. A tap or a key opens a section; a tap works without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import WIDTHS, violations

SECTIONS = ["Answer", "Inside BERT", "Other numbers", "Run and train", "Practise", "Teach"]
"""The top level of the navigation, as in mkdocs.yml."""

OPENER = ".md-header__button[for=__drawer]"
"""A selector for the label that opens the menu, even without scripts."""

BUTTON = f"{OPENER} > [role=button]"
"""A selector for the button within this label, for the keyboard and screen readers."""

TOP_ENTRIES = ".md-nav--primary > ul > li"
"""A selector for the entries for sections."""


def visible_sections(page: Page) -> list[str]:
    """The sections whose entries are fully in the window and not covered."""
    titles: list[str] = page.locator(f"{TOP_ENTRIES} > label").evaluate_all(
        """labels => labels.filter(label => {
          const { left, right, top, bottom } = label.getBoundingClientRect()
          const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && label.contains(topmost)
        }).map(label => label.textContent.trim())"""
    )
    return titles


def expect_all_sections(page: Page) -> None:
    """Wait up to two seconds until all sections are visible, because a list of pages may still be sliding away."""
    for _ in range(40):
        if SECTIONS == visible_sections(page):
            return
        page.wait_for_timeout(50)
    assert SECTIONS == visible_sections(page)


def page_list_selector(section: str) -> str:
    """A selector for the list of pages in a section."""
    return f"{TOP_ENTRIES}:nth-child({SECTIONS.index(section) + 1}) > nav"


@pytest.fixture(scope="module", params=[True, False], ids=["scripts", "no scripts"])
def phone(open_tab: Callable[..., Page], request: pytest.FixtureRequest) -> Page:
    """A tab on a phone, once with and once without scripts."""
    return open_tab(
        viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce", java_script_enabled=request.param
    )


@pytest.mark.parametrize("name", ["index.html", "parts/attention.html", "teach/lesson.html"])
def test_taps_lead_to_the_pages_of_every_section_and_back(phone: Page, name: str) -> None:
    phone.goto(name)
    phone.locator(OPENER).tap()
    for section in SECTIONS:
        phone.locator(f"{TOP_ENTRIES} > label", has_text=section).tap()
        expect(phone.locator(f"{page_list_selector(section)} a.md-nav__link").last).to_be_in_viewport()
        phone.locator(f"{page_list_selector(section)} > label").tap()
        expect_all_sections(phone)
    current_entry = phone.locator(f"{TOP_ENTRIES} [aria-current]")
    expect(current_entry).to_have_count(1)
    assert "700" == current_entry.evaluate("entry => getComputedStyle(entry).fontWeight")
    assert phone.locator(f"{TOP_ENTRIES}:has([aria-current]) a.md-nav__link--active").count()


def test_a_menu_closed_within_a_section_reopens_with_all_sections(open_tab: Callable[..., Page]) -> None:
    page = open_tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")
    page.goto("parts/attention.html")
    page.locator(OPENER).tap()
    page.locator(f"{TOP_ENTRIES} > label", has_text="Teach").tap()
    page.wait_for_timeout(400)  # milliseconds, until the list has slid in
    page.touchscreen.tap(WIDTHS["phone"]["width"] - 10, 400)
    expect(page.locator(BUTTON)).to_have_attribute("aria-expanded", "false")
    page.wait_for_timeout(400)  # until the menu has slid out
    page.locator(OPENER).tap()
    expect_all_sections(page)
    assert [] == violations(page, ".md-header") + violations(page, ".md-sidebar--primary")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_menu_can_be_used_with_the_keyboard(open_tab: Callable[..., Page], key: str) -> None:
    page = open_tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")
    page.goto("parts/attention.html")
    focused_text = "document.activeElement.textContent.trim()"
    page.locator(BUTTON).focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate("!!document.activeElement.closest('.md-sidebar--primary')")
    page.locator(BUTTON).focus()
    page.keyboard.press(key)
    assert "Answer" == page.evaluate(focused_text)
    page.keyboard.press("Tab")
    assert "Inside BERT" == page.evaluate(focused_text)
    page.keyboard.press(key)
    expect(page.locator(f"{page_list_selector('Inside BERT')} a.md-nav__link").first).to_be_in_viewport()
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    expect_all_sections(page)
    page.keyboard.press("Escape")
    assert page.locator(BUTTON).evaluate("button => button === document.activeElement")
    expect(page.locator(BUTTON)).to_have_attribute("aria-expanded", "false")


def test_no_label_is_a_button_while_the_menu_is_closed(open_tab: Callable[..., Page]) -> None:
    """HTML does not allow a label to have the role of a button, which axe reports as a minor violation."""
    page = open_tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")
    page.goto("parts/attention.html")
    expect(page.locator(BUTTON)).to_have_attribute("aria-expanded", "false")
    assert 0 == page.locator("label[role]:visible").count()


def test_a_desktop_shows_the_pages_of_the_current_section(desktop: Page) -> None:
    """The Tab key skips the heading above the pages, because the heading opens nothing."""
    desktop.goto("parts/attention.html")
    expect(desktop.locator(f"{page_list_selector('Inside BERT')} a.md-nav__link--active").first).to_be_visible()
    assert "visible" == desktop.locator(page_list_selector("Inside BERT")).evaluate(
        "list => getComputedStyle(list).visibility"
    )
    assert 0 == desktop.locator(".md-nav--primary label[tabindex='0']:visible").count()
