"""The search of the site: where a number is typed, it offers to explain it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl, urljoin

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from macros.rendering.elements.pages import I_GOT
from macros.rendering.files.exported import table
from tests.docs.conftest import Pages
from tests.docs.scripts import with_scripts
from tests.docs.windows import WIDTHS, WINDOWS, show, violations, watch


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page one folder below the top, for tests that stay on it; no error may come up."""
    opened = browser.new_context(viewport=WIDTHS["desktop"])
    page = opened.new_page()
    errors = watch(page, address)
    page.goto(f"{address}/parts/heads.html")
    yield page
    opened.close()
    assert [] == errors


def search(page: Page, typed: str) -> Locator:
    """What the search offers first for what a reader types, if it is to explain a number."""
    field = page.locator("[data-md-component=search-query]")
    field.fill(typed)
    field.press("End")  # the theme searches when a key is released
    return page.locator("[data-md-component=search-result] > :first-child:is(a)")


def test_every_page_knows_who_explains(pages: Pages) -> None:
    """The search of each page leads to the page that explains numbers, by an address that needs no host."""
    leads = {
        name: urljoin(name, str(page.find("script", attrs={"data-explains": True})["data-explains"]))  # type: ignore[index]
        for name, page in pages.items()
        if name != "404.html"  # served for any address, so its links are absolute
    }
    assert dict.fromkeys(leads, I_GOT) == leads


@pytest.mark.parametrize("name", ["index.html", "parts/heads.html", "listings/index.html", "404.html"])
def test_the_search_offers_to_explain_a_number(browser: Browser, address: str, name: str) -> None:
    """On every page, as the first thing, and still so when what the search found is listed."""
    page = browser.new_context(viewport=WIDTHS["desktop"]).new_page()
    page.goto(f"{address}/{name}")
    offer = search(page, "2,362,368")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents", timeout=20_000)
    assert "Explain this number: 2,362,368" == offer.inner_text()
    assert [True] == ["/workers/search." in each.url for each in page.workers]  # the page does not search by itself
    offer.click()
    page.wait_for_url(f"{address}/{I_GOT}?n=2%2C362%2C368")
    page.context.close()


UNITS = [*table()["units"]["counts"], *table()["units"]["bytes"], "%"]
NUMBERS = ["109482240", "109.482.240", "109 482 240", "109_482_240", "109’482’240", "~ 110M", "≈110 million", "768"]


OFFERED = [*NUMBERS, *(f"7 {unit}" for unit in UNITS), "7MIB"]


@pytest.mark.parametrize("typed", OFFERED)
def test_numbers_are_offered(page: Page, typed: str) -> None:
    """In all forms that readers write one in, and with every unit; the address holds it as typed."""
    offer = search(page, f" {typed} ")
    assert "-1" == offer.get_attribute("tabindex")  # as all results: Tab leaves the search
    assert f"Explain this number: {typed}" == offer.inner_text()
    page_of_it, _, query = str(offer.get_attribute("href")).partition("?")
    assert (f"../{I_GOT}", [("n", typed)]) == (page_of_it, parse_qsl(query))


def test_what_is_offered_is_read(browser: Browser, address: str) -> None:
    """The page that explains numbers reads each of these as a number."""
    page = browser.new_context().new_page()
    with_scripts(page, address)
    read = page.evaluate("texts => texts.filter(text => bertCounted.read(text))", OFFERED)
    page.context.close()
    assert OFFERED == read


OTHERS = ["", "12", "heads", "12 layers", "BERT 110M", "768d", "layer_11", "M", "-", "<b>768</b>", "7 constructor"]


@pytest.mark.parametrize("typed", OTHERS)
def test_other_texts_are_not(page: Page, typed: str) -> None:
    """Neither words nor few digits; an offer that was there goes."""
    assert 1 == search(page, "768").count()
    assert 0 == search(page, typed).count()
    assert 0 == page.locator(".md-search-result b").count()


def test_an_emptied_search_offers_nothing(page: Page) -> None:
    """The button that empties the field takes the offer away."""
    assert 1 == (offer := search(page, "768")).count()
    page.locator(".md-search button[type=reset]").click()
    assert 0 == offer.count()


@pytest.mark.parametrize("keys", [["Enter"], ["ArrowDown", "Enter"]])
def test_the_offer_is_taken_with_the_keyboard(browser: Browser, address: str, keys: list[str]) -> None:
    """It is the first result for the keys of the search as well: Enter takes it, and the arrow keys lead to it."""
    page = browser.new_context(viewport=WIDTHS["desktop"]).new_page()
    page.goto(f"{address}/parts/heads.html")
    search(page, "2,362,368")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents", timeout=20_000)
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_url(f"{address}/{I_GOT}?n=2%2C362%2C368")
    page.context.close()


def test_the_offer_is_accessible(page: Page) -> None:
    """In every window it is large enough, within the window, and nothing serious is found by axe."""
    offer = search(page, "1" * 100)
    for width, scheme in WINDOWS:
        show(page, width, scheme)
        search(page, "1" * 100)
        assert [] == violations(page, "[data-md-component=search-result] > :first-child")
        expect(offer).to_be_in_viewport()
        assert offer.evaluate("each => each.scrollWidth <= each.clientWidth && each.clientHeight >= 24")
