"""Scripts come once the page is there; nothing that a reader does is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from macros.publish.scripts import JOINED, WORKER
from tests.docs.windows import WIDTHS, open_page

pytestmark = pytest.mark.other_browser

PAGE = "parts/attention.html"


@pytest.fixture
def desk(browser: Browser) -> Iterator[Page]:
    """One page at desktop width."""
    opened = browser.new_context(viewport=WIDTHS["desktop"])
    yield opened.new_page()
    opened.close()


def requests(page: Page) -> list[str]:
    """A list that fills with the files that a page fetches, those of a folder by their end."""
    found: list[str] = []
    page.on("request", lambda request: found.append(urlsplit(request.url).path.lstrip("/")))
    return found


def before_load(page: Page) -> list[str]:
    """A list that fills with the scripts that a page fetches before its load event."""
    page.add_init_script("addEventListener('load', () => console.debug('loaded'))")
    done: list[str] = []
    page.on("console", lambda message: done.append(message.text) if message.text == "loaded" else None)
    found: list[str] = []
    page.on("request", lambda request: None if done else found.append(urlsplit(request.url).path.lstrip("/")))
    return found


def test_scripts_wait_for_the_page(desk: Page, address: str) -> None:
    """One small one comes with the page, all others in one file after it."""
    found, early = requests(desk), before_load(desk)
    assert [] == open_page(desk, f"{address}/{PAGE}")
    assert ["assets/pages/later.js"] == [each for each in early if each.endswith(".js")]
    late = [each for each in found if each.endswith(".js") and each not in early and not each.startswith(WORKER)]
    assert 1 == len([each for each in late if each.startswith(JOINED)]) == len(late)


def test_a_question_in_the_address_needs_one_request(desk: Page, address: str) -> None:
    """What answers it comes in one file, before all that can wait."""
    found = requests(desk)
    desk.goto(f"{address}/disagreements/i-got.html?n=75641856")
    desk.locator("#answer:not([aria-busy]) .bc-answer").wait_for()
    expect(desk.locator(".md-top, .md-skip").first).to_be_attached()
    scripts = [each for each in dict.fromkeys(found) if each.endswith(".js")]
    assert "assets/pages/later.js" == scripts[0]
    assert scripts[1].startswith(JOINED)
    assert not [each for each in scripts if not each.startswith((JOINED, WORKER, "assets/pages/later.js"))]


WITHOUT = {
    "the timer": """const { setTimeout } = window
      window.setTimeout = (act, after, ...given) => (after === 3000 ? 0 : setTimeout(act, after, ...given))""",
    "the answer": """const { setTimeout } = window
      window.setTimeout = (act, after, ...given) => setTimeout(act, after === 3000 ? 100 : after, ...given)
      document.addEventListener("answered", event => event.stopImmediatePropagation(), true)""",
}
"""What keeps one of the two ways from being taken; the timer need not take its three seconds."""


@pytest.mark.parametrize("missing", WITHOUT)
def test_all_that_can_wait_comes_after_the_answer(desk: Page, address: str, missing: str) -> None:
    """At once, and where there is no answer after a while: the script that all pages share is the second."""
    desk.add_init_script(WITHOUT[missing])
    desk.goto(f"{address}/disagreements/i-got.html?n=75641856")
    expect(desk.locator(f"head script[src*='{JOINED}']")).to_have_count(2)


WAYS = {
    "the field": lambda page: page.locator(".md-search__input").focus(),
    "a slash": lambda page: page.keyboard.press("/"),
    "an s": lambda page: page.keyboard.press("s"),
    "an f": lambda page: page.keyboard.press("f"),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_search_is_reached_by_key(desk: Page, address: str, way: str) -> None:
    """By whatever way a reader goes to it, and it finds."""
    open_page(desk, f"{address}/{PAGE}")
    WAYS[way](desk)
    desk.keyboard.type("pooler")
    desk.locator(".md-search-result__item").first.wait_for()
    assert "pooler" == desk.input_value(".md-search__input")


def test_the_sign_for_the_search_on_phones(browser: Browser, address: str) -> None:
    """A tap on it opens the search, and what is typed is found; also while the theme's script is still coming."""
    context = browser.new_context(viewport=WIDTHS["phone"], has_touch=True)
    page = context.new_page()
    held: list[Route] = []
    page.route(f"**/{JOINED}/*.js", lambda route: held.append(route))
    page.goto(f"{address}/{PAGE}", wait_until="load")
    page.locator(".md-header__button[for=__search]").tap()
    expect(page.locator(".md-search__input")).to_be_focused()
    page.keyboard.type("pooler")
    assert held
    for route in held:
        route.continue_()
    page.locator(".md-search-result__item").first.wait_for()
    assert "pooler" == page.input_value(".md-search__input")
    context.close()


@pytest.mark.parametrize("key", ["/", "s", "f"])
def test_a_reader_who_types_at_once_loses_no_key(desk: Page, address: str, key: str) -> None:
    """What is typed before the theme's script is there is searched once it is."""
    held: list[Route] = []
    desk.route(f"**/{JOINED}/*.js", lambda route: held.append(route))
    desk.goto(f"{address}/{PAGE}", wait_until="load")
    desk.keyboard.press(key)
    desk.keyboard.type("pooler f/s")
    assert "pooler f/s" == desk.input_value(".md-search__input")
    for route in held:
        route.continue_()
    desk.locator(".md-search-result__item").first.wait_for()
    assert "pooler f/s" == desk.input_value(".md-search__input")


def test_a_number_typed_at_once_is_offered(desk: Page, address: str) -> None:
    """The offer to explain it comes with the script that makes it."""
    held: list[Route] = []
    desk.route(f"**/{JOINED}/*.js", lambda route: held.append(route))
    desk.goto(f"{address}/{PAGE}", wait_until="load")
    desk.keyboard.press("s")
    desk.keyboard.type("2,362,368")
    for route in held:
        route.continue_()
    desk.locator(".bc-explain").wait_for()


def test_keys_of_the_browser_are_left_alone(desk: Page, address: str) -> None:
    """Control and f search the page, and a letter in a field is a letter."""
    desk.route(f"**/{JOINED}/*.js", lambda _: None)
    desk.goto(f"{address}/disagreements/i-got.html")
    desk.keyboard.press("Control+f")
    assert "BODY" == desk.evaluate("document.activeElement.tagName")
    desk.locator("#question [name=n]").focus()
    desk.keyboard.type("s/f")
    assert "s/f" == desk.input_value("#question [name=n]")


def test_the_theme_does_all_it_did(browser: Browser, address: str) -> None:
    """Drawer, table of contents, marks of what was searched, the switch of colours and the buttons of code."""
    context = browser.new_context(viewport=WIDTHS["desktop"], permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    assert [] == open_page(page, f"{address}/{PAGE}?h=query")
    assert "query" == page.locator("mark").first.inner_text().lower()
    page.locator("article h2").last.scroll_into_view_if_needed()
    page.mouse.wheel(0, 10_000)
    page.locator(".md-nav--secondary .md-nav__link--active").first.wait_for(state="attached")
    page.locator("label[title='Switch to dark']").click()
    assert "slate" == page.locator("body").get_attribute("data-md-color-scheme")
    copy = page.locator(".md-code__button[data-md-type=copy], .md-clipboard").first
    copy.click()
    assert page.evaluate("navigator.clipboard.readText()").strip()
    page.set_viewport_size(WIDTHS["phone"])
    page.evaluate("scrollTo(0, 0)")
    page.locator(".md-header__button[for=__drawer]").click()
    expect(page.locator(".md-sidebar--primary")).to_be_in_viewport()
    page.keyboard.press("Escape")
    context.close()


@pytest.mark.parametrize("typed", ["pooler", "2,362,368"])
def test_the_search_works_from_a_folder(desk: Page, site: Path, typed: str) -> None:
    """Opened as files, the search finds what it finds on a server, and asks no host."""
    found = requests(desk)
    faults = open_page(desk, (site / PAGE).as_uri())
    desk.keyboard.press("s")
    desk.keyboard.type(typed)
    desk.locator(".md-search-result__item a").first.wait_for()
    assert "matching document" in desk.inner_text(".md-search-result__meta")
    desk.locator(".md-search-result__item a").first.click()
    desk.wait_for_url(f"{site.as_uri()}/**")
    assert desk.locator("h1").count() == 1
    assert [] == faults
    assert not [each for each in found if not Path(f"/{each}").is_file()]


def test_a_folder_without_its_index_is_noticed(desk: Page, site: Path) -> None:
    """The test of the folder fails where the search cannot start: here because the index as a script is missing."""
    desk.route("**/search_index.js", lambda route: route.abort())
    with desk.expect_event("requestfailed"):
        faults = open_page(desk, (site / PAGE).as_uri())
        desk.keyboard.press("s")
        desk.keyboard.type("pooler")
    assert faults
    assert 0 == desk.locator(".md-search-result__item").count()


def test_colours_follow_the_reader(browser: Browser, address: str) -> None:
    """The system's colours at the first visit, and those that a reader switches to; scroll bars as well."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{address}/{PAGE}")
    for scheme, told, button in (("slate", "dark", "light"), ("default", "light", "dark"), ("slate", "dark", "light")):
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
        expect(page.locator("body")).not_to_have_attribute("data-md-color-switching", "")
        expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", told)
        page.locator(f"label[title='Switch to {button}']").click()
    context.close()
