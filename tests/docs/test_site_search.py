"""The search offers to explain a number or a model that a reader types into it."""

from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Locator, Page, expect

from macros.counting.published.printed_numbers import COUNT_UNITS, MEMORY_UNITS
from macros.rendering.components.pages import I_GOT
from tests.docs.scripts import open_with_modules
from tests.docs.windows import WINDOWS, show, violations, watch


@pytest.fixture(scope="module")
def page(desktop: Page, address: str) -> Iterator[Page]:
    """A page in a folder, which stays open for all tests. Any error on the page fails the last test."""
    errors = watch(desktop, address)
    desktop.goto("parts/heads.html")
    yield desktop
    assert [] == errors


def type_and_find_offer(page: Page, text: str) -> Locator:
    """Type a text into the search, and return a locator for the offer to explain it, which is the first result."""
    page.locator("[data-md-component=search-query]").fill(text)
    return page.locator("[data-md-component=search-result] > :first-child:is(a)")


KEY_SEQUENCES: dict[str, list[list[str]]] = {"parts/heads.html": [["Enter"], ["ArrowDown", "Enter"]], "404.html": [[]]}
"""For each page, the key sequences that activate the offer. An empty sequence means a click."""


@pytest.mark.parametrize("name", KEY_SEQUENCES)
def test_the_search_offers_to_explain_a_number(open_tab: Callable[..., Page], address: str, name: str) -> None:
    page = open_tab(locale="en")
    for keys in KEY_SEQUENCES[name]:
        page.goto(name)
        offer = type_and_find_offer(page, "2,362,368")
        page.keyboard.press("End")  # the theme searches when a key is released
        expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents", timeout=20_000)
        assert "Explain this number: 2,362,368" == offer.inner_text()
        # The page leaves the search to a single worker.
        assert [True] == ["/workers/search." in worker.url for worker in page.workers]
        for key in keys:
            page.keyboard.press(key)
        if not keys:
            offer.click()
        page.wait_for_url(f"{address}/{I_GOT}?n=2%2C362%2C368")


UNITS = [*COUNT_UNITS, *MEMORY_UNITS, "%"]
NUMBERS = ["109482240", "109.482.240", "109 482 240", "109_482_240", "109’482’240", "~ 110M", "≈110 million", "768"]
NUMBERS += ["22.35 GFLOPs", "11.17 GMACs"]

OFFERED_TEXTS = [*NUMBERS, *(f"7 {unit}" for unit in UNITS), "7MIB"]
"""Numbers in several notations and with every unit."""


def test_numbers_are_offered(page: Page) -> None:
    for text in OFFERED_TEXTS:
        offer = type_and_find_offer(page, f" {text} ")
        assert "-1" == offer.get_attribute("tabindex")  # like all results, so that the Tab key leaves the search
        assert f"Explain this number: {text}" == offer.inner_text()
        target, _, query = str(offer.get_attribute("href")).partition("?")
        assert (f"../{I_GOT}", [("n", text)]) == (target, parse_qsl(query))


def test_every_offered_text_can_be_read(open_tab: Callable[..., Page], address: str) -> None:
    page = open_tab(locale="en")
    open_with_modules(page, address)
    assert OFFERED_TEXTS == page.evaluate("texts => texts.filter(text => bertCounted.read(text))", OFFERED_TEXTS)


NAMES_BY_TEXT = {
    "bert-base-uncased": "bert-base-uncased",
    "BAAI/bge-small-en-v1.5": "BAAI/bge-small-en-v1.5",
    "BERT large": "BERT large",
    "legal-bert": "legal-bert-base-uncased",
    "all-MiniLM-L6-v2": "all-MiniLM-L6-v2",
}
"""Texts, each with the name of the model that is offered."""


def test_models_are_offered(page: Page) -> None:
    """If a name is incomplete, the offer contains the shortest known name that begins with it."""
    for text, name in NAMES_BY_TEXT.items():
        offer = type_and_find_offer(page, text)
        expect(offer).to_have_text(f"Explain this model: {name}")
        target, _, query = str(offer.get_attribute("href")).partition("?")
        assert (f"../{I_GOT}", [("n", name)]) == (target, parse_qsl(query))


def test_names_of_no_known_model_are_not_offered(page: Page) -> None:
    for text in ("self-attention", "masked-LM head", "layer-norm", "bert-of-my-own", "bert lora"):
        assert 1 == type_and_find_offer(page, "768").count()
        type_and_find_offer(page, text)
        # This offer proves that the names of models have been fetched.
        expect(type_and_find_offer(page, "bert-base-uncased")).to_have_count(1)
        assert 0 == type_and_find_offer(page, text).count()


TEXTS_WITHOUT_OFFER = [
    "",
    "12",
    "heads",
    "12 layers",
    "BERT 110M",
    "768d",
    "layer_11",
    "M",
    "-",
    "<b>768</b>",
    "7 constructor",
]
"""Texts that are neither a number with enough digits nor a number with a unit, nor the name of a model."""


def test_other_texts_are_not_offered(page: Page) -> None:
    for text in TEXTS_WITHOUT_OFFER:
        assert 1 == type_and_find_offer(page, "768").count()
        assert 0 == type_and_find_offer(page, text).count()
        assert 0 == page.locator(".md-search-result b").count()


def test_the_offer_is_visible_and_accessible_in_every_window(page: Page) -> None:
    """WCAG 2.2 requires a height of at least 24 pixels."""
    offer = type_and_find_offer(page, "1" * 100)
    for width, scheme in WINDOWS:
        show(page, width, scheme)
        type_and_find_offer(page, "1" * 100)
        assert [] == violations(page, "[data-md-component=search-result] > :first-child")
        expect(offer).to_be_in_viewport()
        assert offer.evaluate("offer => offer.scrollWidth <= offer.clientWidth && offer.clientHeight >= 24")
