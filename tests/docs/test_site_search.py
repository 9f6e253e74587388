"""The search of the site: where a number is typed, it offers to explain it."""

from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Locator, Page, expect

from macros.rendering.components.pages import I_GOT
from macros.rendering.files.exported import table
from tests.docs.scripts import with_scripts
from tests.docs.windows import WINDOWS, show, violations, watch


@pytest.fixture(scope="module")
def page(desk: Page, address: str) -> Iterator[Page]:
    """A page one folder below the top, for tests that stay on it; no error may come up."""
    errors = watch(desk, address)
    desk.goto("parts/heads.html")
    yield desk
    assert [] == errors


def search(page: Page, typed: str) -> Locator:
    """What the search offers first for what a reader types, if it is to explain a number."""
    page.locator("[data-md-component=search-query]").fill(typed)
    return page.locator("[data-md-component=search-result] > :first-child:is(a)")


KEYS: dict[str, list[list[str]]] = {"parts/heads.html": [["Enter"], ["ArrowDown", "Enter"]], "404.html": [[]]}
"""On two pages, the keys that take the offer, the first result of the search; where there are none, it is clicked."""


@pytest.mark.parametrize("name", KEYS)
def test_the_search_offers_to_explain_a_number(tab: Callable[..., Page], address: str, name: str) -> None:
    """On every page, as the first thing, and still so when what the search found is listed."""
    page = tab(locale="en")
    for keys in KEYS[name]:
        page.goto(name)
        offer = search(page, "2,362,368")
        page.keyboard.press("End")  # the theme searches when a key is released
        expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents", timeout=20_000)
        assert "Explain this number: 2,362,368" == offer.inner_text()
        # The page does not search by itself.
        assert [True] == ["/workers/search." in each.url for each in page.workers]
        for key in keys:
            page.keyboard.press(key)
        if not keys:
            offer.click()
        page.wait_for_url(f"{address}/{I_GOT}?n=2%2C362%2C368")


UNITS = [*table()["units"]["counts"], *table()["units"]["bytes"], "%"]
NUMBERS = ["109482240", "109.482.240", "109 482 240", "109_482_240", "109’482’240", "~ 110M", "≈110 million", "768"]
NUMBERS += ["22.35 GFLOPs", "11.17 GMACs"]


OFFERED = [*NUMBERS, *(f"7 {unit}" for unit in UNITS), "7MIB"]


def test_numbers_are_offered(page: Page) -> None:
    """In all forms that readers write one in, and with every unit; the address holds it as typed."""
    for typed in OFFERED:
        offer = search(page, f" {typed} ")
        assert "-1" == offer.get_attribute("tabindex")  # as all results: Tab leaves the search
        assert f"Explain this number: {typed}" == offer.inner_text()
        page_of_it, _, query = str(offer.get_attribute("href")).partition("?")
        assert (f"../{I_GOT}", [("n", typed)]) == (page_of_it, parse_qsl(query))


def test_what_is_offered_is_read(tab: Callable[..., Page], address: str) -> None:
    """The page that explains numbers reads each of these as a number."""
    page = tab(locale="en")
    with_scripts(page, address)
    assert OFFERED == page.evaluate("texts => texts.filter(text => bertCounted.read(text))", OFFERED)


OTHERS = ["", "12", "heads", "12 layers", "BERT 110M", "768d", "layer_11", "M", "-", "<b>768</b>", "7 constructor"]


def test_other_texts_are_not(page: Page) -> None:
    """Neither words nor few digits; an offer that was there goes."""
    for typed in OTHERS:
        assert 1 == search(page, "768").count()
        assert 0 == search(page, typed).count()
        assert 0 == page.locator(".md-search-result b").count()


def test_the_offer_is_accessible(page: Page) -> None:
    """In every window it is large enough, within the window, and nothing serious is found by axe."""
    offer = search(page, "1" * 100)
    for width, scheme in WINDOWS:
        show(page, width, scheme)
        search(page, "1" * 100)
        assert [] == violations(page, "[data-md-component=search-result] > :first-child")
        expect(offer).to_be_in_viewport()
        assert offer.evaluate("each => each.scrollWidth <= each.clientWidth && each.clientHeight >= 24")
