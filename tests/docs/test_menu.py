"""The menu of a phone shows all sections at once and opens each with one tap, by keyboard, and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import WIDTHS, violations

SECTIONS = ["Answer", "Inside BERT", "Other numbers", "Run and train", "Practise", "Teach"]
"""The top level of the navigation, as in mkdocs.yml."""

OPENER = ".md-header__button[for=__drawer]"
BUTTON = f"{OPENER} > [role=button]"
TOP_ENTRIES = ".md-nav--primary > ul > li"


def entries_in_sight(page: Page) -> list[str]:
    """The top-level entries that are wholly visible and not covered."""
    visible_entries: list[str] = page.locator(f"{TOP_ENTRIES} > label").evaluate_all(
        """labels => labels.filter(label => {
          const { left, right, top, bottom } = label.getBoundingClientRect()
          const drawn = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && label.contains(drawn)
        }).map(label => label.textContent.trim())"""
    )
    return visible_entries


def expect_all_sections(page: Page) -> None:
    """Wait until all sections are visible, while a panel slides out of the way."""
    for _ in range(40):
        if SECTIONS == entries_in_sight(page):
            return
        page.wait_for_timeout(50)
    assert SECTIONS == entries_in_sight(page)


def panel(section: str) -> str:
    """A selector of the list of pages in a section."""
    return f"{TOP_ENTRIES}:nth-child({SECTIONS.index(section) + 1}) > nav"


@pytest.fixture(scope="module", params=[True, False], ids=["scripts", "no scripts"])
def phone(tab: Callable[..., Page], request: pytest.FixtureRequest) -> Page:
    """A page on a phone, with scripts and without."""
    return tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce", java_script_enabled=request.param)


@pytest.mark.parametrize("name", ["index.html", "parts/attention.html", "teach/lesson.html"])
def test_the_menu_opens_with_all_sections(phone: Page, name: str) -> None:
    """All sections are shown, the current one marked; one tap leads into each, and another back."""
    phone.goto(name)
    phone.locator(OPENER).tap()
    for section in SECTIONS:
        phone.locator(f"{TOP_ENTRIES} > label", has_text=section).tap()
        expect(phone.locator(f"{panel(section)} a.md-nav__link").last).to_be_in_viewport()
        phone.locator(f"{panel(section)} > label").tap()
        expect_all_sections(phone)
    current = phone.locator(f"{TOP_ENTRIES} [aria-current]")
    expect(current).to_have_count(1)
    assert "700" == current.evaluate("each => getComputedStyle(each).fontWeight")
    assert phone.locator(f"{TOP_ENTRIES}:has([aria-current]) a.md-nav__link--active").count()


def test_the_menu_reopens_with_all_sections(tab: Callable[..., Page]) -> None:
    """However the menu was left, it opens with all sections again."""
    page = tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")
    page.goto("parts/attention.html")
    page.locator(OPENER).tap()
    page.locator(f"{TOP_ENTRIES} > label", has_text="Teach").tap()
    page.wait_for_timeout(400)
    page.touchscreen.tap(WIDTHS["phone"]["width"] - 10, 400)
    expect(page.locator(BUTTON)).to_have_attribute("aria-expanded", "false")
    page.wait_for_timeout(400)
    page.locator(OPENER).tap()
    expect_all_sections(page)
    assert [] == violations(page, ".md-header") + violations(page, ".md-sidebar--primary")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_menu_is_used_by_keyboard(tab: Callable[..., Page], key: str) -> None:
    """The tab key skips the closed menu; a key opens it, enters the current section, and leads back."""
    page = tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")
    page.goto("parts/attention.html")
    focused = "document.activeElement.textContent.trim()"
    page.locator(BUTTON).focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate("!!document.activeElement.closest('.md-sidebar--primary')")
    page.locator(BUTTON).focus()
    page.keyboard.press(key)
    assert "Answer" == page.evaluate(focused)
    page.keyboard.press("Tab")
    assert "Inside BERT" == page.evaluate(focused)
    page.keyboard.press(key)
    expect(page.locator(f"{panel('Inside BERT')} a.md-nav__link").first).to_be_in_viewport()
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    expect_all_sections(page)
    page.keyboard.press("Escape")
    assert page.locator(BUTTON).evaluate("each => each === document.activeElement")
    expect(page.locator(BUTTON)).to_have_attribute("aria-expanded", "false")


def test_no_label_is_a_button_while_the_menu_is_closed(tab: Callable[..., Page]) -> None:
    """HTML lets no label have the role of a button, which axe reports as a minor fault."""
    page = tab(viewport=WIDTHS["phone"], has_touch=True, reduced_motion="reduce")
    page.goto("parts/attention.html")
    expect(page.locator(BUTTON)).to_have_attribute("aria-expanded", "false")
    assert 0 == page.locator("label[role]:visible").count()


def test_a_desk_shows_the_section_and_no_other_stops(desktop: Page) -> None:
    """On a desktop the pages of the section are shown, and the tab key skips its heading."""
    desktop.goto("parts/attention.html")
    expect(desktop.locator(f"{panel('Inside BERT')} a.md-nav__link--active").first).to_be_visible()
    assert "visible" == desktop.locator(panel("Inside BERT")).evaluate("each => getComputedStyle(each).visibility")
    assert 0 == desktop.locator(".md-nav--primary label[tabindex='0']:visible").count()
