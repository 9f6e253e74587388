"""Modules load without waiting for each other, the search loads only when it is used, and the theme's features work."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from macros.publish.scripts import MODULES_FOLDER
from tests.docs.windows import WIDTHS, open_page

PAGE = "parts/attention.html"

MAX_MODULES = 15
"""The maximum number of module files on a page. When it was set, the exercises page had the most, 13."""


@pytest.mark.other_browser
@pytest.mark.parametrize(
    "name",
    ["index.html", "disagreements/i-got.html", "try/calculator.html", "try/exercises.html", "embed/map.html"],
)
def test_no_module_waits_for_another(desktop: Page, address: str, name: str) -> None:
    """The page itself loads or preloads every module that it runs."""
    urls: list[str] = []
    desktop.on("request", lambda request: urls.append(request.url))
    assert [] == open_page(desktop, f"{address}/{name}")
    addresses_on_page = desktop.eval_on_selector_all(
        "script[type=module], link[rel=modulepreload]",
        "elements => elements.map(element => element.src || element.href)",
    )
    modules = [url for url in urls if f"/{MODULES_FOLDER}/" in url]
    assert sorted(addresses_on_page) == sorted(modules)
    assert len(modules) <= MAX_MODULES
    assert 1 == len({urlsplit(url).path.split("/")[2] for url in modules})  # all from the same build


SEARCH_FILES = ("/search/", "/workers/", "/site-search/numbers.js")
"""Parts of the paths of files that only the search needs: the index, the theme's worker, and our loader for it."""


@pytest.mark.parametrize("query", ["", "?n=768", "?h=", "?q=pooler"])
def test_the_search_is_fetched_only_when_it_is_used(browser: Browser, address: str, query: str) -> None:
    """Readers use the search by focusing its field, or by opening an address with the theme's parameter `q` or `h`."""
    page = browser.new_context().new_page()
    requested_paths: list[str] = []
    page.context.on("request", lambda request: requested_paths.append(urlsplit(request.url).path))

    def requested_search_files() -> list[str]:
        return sorted({part for path in requested_paths for part in SEARCH_FILES if part in path})

    assert [] == open_page(page, f"{address}/{PAGE}{query}")
    assert (sorted(SEARCH_FILES) if query[1:2] in ("q", "h") else []) == requested_search_files()
    page.locator(".md-search__input").select_text()
    page.keyboard.type("pooler")
    page.locator(".md-search-result__item").first.wait_for()
    assert sorted(SEARCH_FILES) == requested_search_files()
    assert 1 == sum("/search/" in path for path in requested_paths)
    page.context.close()


def test_a_search_waits_for_the_index(open_tab: Callable[..., Page], address: str) -> None:
    """The offer to explain a number needs no index, so it appears at once."""
    page = open_tab(locale="en")
    pending_routes: list[Route] = []
    page.route("**/search/*.json", lambda route: pending_routes.append(route))
    assert [] == open_page(page, f"{address}/{PAGE}")
    status = page.locator(".md-search-result__meta")
    # The worker of the search may ask for the index later than the offer appears.
    with page.expect_request("**/search/*.json"):
        page.locator(".md-search__input").focus()
        page.keyboard.type("2,362,368")
    expect(status).to_have_text("Initializing search")
    expect(page.locator(".bc-explain")).to_have_text("Explain this number: 2,362,368")
    (route,) = pending_routes
    route.continue_()
    page.locator(".md-search-result__item").first.wait_for()
    page.unroute("**/search/*.json")


ACTIONS = {
    "the field": lambda page: page.locator(".md-search__input").focus(),
    "a slash": lambda page: page.keyboard.press("/"),
}
"""Ways to reach the search with the keyboard."""


@pytest.mark.other_browser
@pytest.mark.parametrize("action", ACTIONS)
def test_the_search_can_be_reached_with_the_keyboard(desktop: Page, address: str, action: str) -> None:
    open_page(desktop, f"{address}/{PAGE}")
    ACTIONS[action](desktop)
    desktop.keyboard.type("pooler")
    desktop.locator(".md-search-result__item").first.wait_for()
    assert "pooler" == desktop.input_value(".md-search__input")


@pytest.mark.other_browser
def test_the_search_icon_opens_the_search_on_phones(open_tab: Callable[..., Page], address: str) -> None:
    page = open_tab(viewport=WIDTHS["phone"], has_touch=True)
    open_page(page, f"{address}/{PAGE}")
    page.locator(".md-header__button[for=__search]").tap()
    expect(page.locator(".md-search__input")).to_be_focused()
    page.keyboard.type("pooler")
    page.locator(".md-search-result__item").first.wait_for()


@pytest.mark.other_browser
def test_features_of_the_theme_work(open_tab: Callable[..., Page], address: str) -> None:
    """The features are highlighted words, the table of contents, the theme switch, copy buttons, and the drawer."""
    page = open_tab(locale="en")
    assert [] == open_page(page, f"{address}/{PAGE}?h=query")
    assert "query" == page.locator("mark").first.inner_text().lower()
    page.locator("article h2").last.scroll_into_view_if_needed()
    page.mouse.wheel(0, 10_000)
    page.locator(".md-nav--secondary .md-nav__link--active").first.wait_for(state="attached")
    page.locator("label[title='Switch to dark']").click()
    assert "slate" == page.locator("body").get_attribute("data-md-color-scheme")
    page.locator("details:has(.highlight) > summary").first.click()
    copy_button = page.locator(".md-code__button[data-md-type=copy], .md-clipboard").first
    copy_button.click()
    assert page.evaluate("navigator.clipboard.readText()").strip()
    page.set_viewport_size(WIDTHS["phone"])
    page.evaluate("scrollTo(0, 0)")
    page.locator(".md-header__button[for=__drawer]").click()
    expect(page.locator(".md-sidebar--primary")).to_be_in_viewport()
    page.keyboard.press("Escape")


REQUIREMENTS = {
    "try/calculator.html": "needs JavaScript and a web server",
    "try/exercises.html": "need JavaScript and a web server",
    "disagreements/i-got.html": "needs JavaScript and a web server",
}
"""Pages with tools, each with the requirement that it states if it is opened from disk."""


@pytest.mark.other_browser
@pytest.mark.parametrize("name", [PAGE, "map.html", *REQUIREMENTS])
def test_a_page_can_be_read_from_disk(desktop: Page, site: Path, name: str) -> None:
    """Browsers do not load modules from disk, so tools state their requirements."""
    faults = open_page(desktop, (site / name).as_uri())
    assert REQUIREMENTS.get(name, "") in desktop.inner_text("article")
    # Source: Chromium's messages about a module and about a link to one, and the theme's about its missing index.
    expected = ("Access to script at 'file:", "Failed to load resource", "failed: file:", "Invalid script: file:")
    assert [] == [fault for fault in faults if not fault.startswith(expected)]


@pytest.mark.other_browser
def test_colours_follow_the_system_until_the_reader_chooses_a_theme(open_tab: Callable[..., Page]) -> None:
    page = open_tab(color_scheme="dark")
    page.goto(PAGE)
    for scheme, meta_content, next_scheme in (
        ("slate", "dark", "light"),
        ("default", "light", "dark"),
        ("slate", "dark", "light"),
    ):
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
        expect(page.locator("body")).not_to_have_attribute("data-md-color-switching", "")
        expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", meta_content)
        page.locator(f"label[title='Switch to {next_scheme}']").click()
