"""The search offers to explain a number that is typed into it."""

from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Locator, Page, expect

from macros.rendering.components.pages import I_GOT
from macros.rendering.files.exported import table
from tests.docs.scripts import with_scripts
from tests.docs.windows import WINDOWS, show, violations, watch


@pytest.fixture(scope="module")
def page(desktop: Page, address: str) -> Iterator[Page]:
    """A page one folder below the top, for tests that stay on it; an error on it fails the test."""
    errors = watch(desktop, address)
    desktop.goto("parts/heads.html")
    yield desktop
    assert [] == errors


def search(page: Page, text: str) -> Locator:
    """The first result of the search for a text, if it offers to explain a number."""
    page.locator("[data-md-component=search-query]").fill(text)
    return page.locator("[data-md-component=search-result] > :first-child:is(a)")


KEYS: dict[str, list[list[str]]] = {"parts/heads.html": [["Enter"], ["ArrowDown", "Enter"]], "404.html": [[]]}
"""Keys that take the offer, the first result of the search, on two pages; without keys it is clicked."""


@pytest.mark.parametrize("name", KEYS)
def test_the_search_offers_to_explain_a_number(tab: Callable[..., Page], address: str, name: str) -> None:
    """On every page the offer comes first, and stays first when the search has its results."""
    page = tab(locale="en")
    for keys in KEYS[name]:
        page.goto(name)
        offer = search(page, "2,362,368")
        page.keyboard.press("End")  # the theme searches when a key is released
        expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents", timeout=20_000)
        assert "Explain this number: 2,362,368" == offer.inner_text()
        # Only the worker searches, not the page.
        assert [True] == ["/workers/search." in worker.url for worker in page.workers]
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
    """Numbers in all usual notations and with every unit get an offer, whose address holds them as typed."""
    for text in OFFERED:
        offer = search(page, f" {text} ")
        assert "-1" == offer.get_attribute("tabindex")  # as for all results, so Tab leaves the search
        assert f"Explain this number: {text}" == offer.inner_text()
        target, _, query = str(offer.get_attribute("href")).partition("?")
        assert (f"../{I_GOT}", [("n", text)]) == (target, parse_qsl(query))


def test_every_offered_text_can_be_read(tab: Callable[..., Page], address: str) -> None:
    """The page that explains numbers can read everything that is offered to it."""
    page = tab(locale="en")
    with_scripts(page, address)
    assert OFFERED == page.evaluate("texts => texts.filter(text => bertCounted.read(text))", OFFERED)


MODELS = {
    "bert-base-uncased": "bert-base-uncased",
    "BAAI/bge-small-en-v1.5": "BAAI/bge-small-en-v1.5",
    "BERT large": "BERT large",
    "legal-bert": "legal-bert-base-uncased",
    "all-MiniLM-L6-v2": "all-MiniLM-L6-v2",
}


def test_models_are_offered(page: Page) -> None:
    """The name of a model gets an offer, under the shortest known name that continues it if it is incomplete."""
    for text, name in MODELS.items():
        offer = search(page, text)
        expect(offer).to_have_text(f"Explain this model: {name}")
        target, _, query = str(offer.get_attribute("href")).partition("?")
        assert (f"../{I_GOT}", [("n", name)]) == (target, parse_qsl(query))


def test_names_that_no_model_has_are_not_offered(page: Page) -> None:
    """Terms with a hyphen, and names of models that we do not know, get no offer."""
    for text in ("self-attention", "masked-LM head", "layer-norm", "bert-of-my-own", "bert lora"):
        assert 1 == search(page, "768").count()
        search(page, text)
        # By then the names have been fetched, for a text that has one.
        expect(search(page, "bert-base-uncased")).to_have_count(1)
        assert 0 == search(page, text).count()


WITHOUT_OFFER = [
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


def test_other_texts_get_no_offer(page: Page) -> None:
    """These are words and numbers of few digits, which also remove an earlier offer."""
    for text in WITHOUT_OFFER:
        assert 1 == search(page, "768").count()
        assert 0 == search(page, text).count()
        assert 0 == page.locator(".md-search-result b").count()


def test_the_offer_is_accessible(page: Page) -> None:
    """In every window the offer is in sight and large enough, and axe finds nothing serious."""
    offer = search(page, "1" * 100)
    for width, scheme in WINDOWS:
        show(page, width, scheme)
        search(page, "1" * 100)
        assert [] == violations(page, "[data-md-component=search-result] > :first-child")
        expect(offer).to_be_in_viewport()
        assert offer.evaluate("each => each.scrollWidth <= each.clientWidth && each.clientHeight >= 24")
