"""Messages repeat only a little of the text that an address or a reader supplies, however long it is."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import go_to

MANY = 7_000
"""About as many characters as a server accepts in an address."""

TEXTS = {
    "a long word": "qz" * (MANY // 2),
    "many words": ",".join(f"qz{index}" for index in range(MANY // 7)),
    "digits": "7" * MANY,
    "a long sum": "7+" * (MANY // 2) + "7",
}

ADDRESS_KEYS = {
    "try/calculator.html": ("more", "beside", "class", "lora", "frozen", "H"),
    "embed/try/calculator.html": ("more", "beside", "model", "L"),
    "try/exercises.html": ("set", "seed", "answer", "class"),
    "embed/try/exercises.html": ("set", "seed", "answer"),
    "disagreements/i-got.html": ("n", "model"),
    "404.html": ("n", "q"),
}
"""The keys that the address of each page may have."""

MOST, LONGEST = 1_500, 130
"""How much a page may grow, in characters and in pixels of its height, and how many characters a word may have."""

MEASURE = """() => {
  const text = document.body.innerText
  return [text.length, Math.max(...text.split(/[^\\w+]+/).map((word) => word.length)), document.body.scrollHeight]
}"""
"""Returns the length of a page's text, the length of its longest word, and the height of the page."""


@pytest.mark.parametrize("page_name", ADDRESS_KEYS)
def test_a_long_address_makes_no_long_page(desktop: Page, page_name: str) -> None:
    """With long texts of any kind in all keys, a page grows little and gets no long word."""
    go_to(desktop, page_name)
    usual_length, _, usual_height = desktop.evaluate(MEASURE)
    for kind, text in TEXTS.items():
        go_to(desktop, f"{page_name}?{urlencode(dict.fromkeys(ADDRESS_KEYS[page_name], text), safe=',+')}")
        length, longest, height = desktop.evaluate(MEASURE)
        assert length < usual_length + MOST, kind
        assert longest < LONGEST, kind
        assert height < usual_height + MOST, kind


def test_a_key_may_be_repeated(desktop: Page) -> None:
    """A complaint about a key repeated many times names a few values and counts the others."""
    go_to(desktop, "try/calculator.html?" + "&".join(f"more={index}" for index in range(5_000)))
    expect(desktop.locator("#calculator-address")).to_have_text("Not everything in the address could be read: more=0.")
    go_to(desktop, "try/calculator.html?more=" + ",".join(f"x{index}" for index in range(5_000)))
    first_values = "; ".join(f"more=x{index}" for index in range(6))
    expect(desktop.locator("#calculator-address")).to_have_text(
        f"Not everything in the address could be read: {first_values}; 4,994 more."
    )


def test_a_long_number_is_cut_where_the_search_explains_it(tab: Callable[..., Page]) -> None:
    """The offer shows only the start of a long number, but links to the whole number."""
    page = tab()
    go_to(page, "index.html")
    page.locator("[data-md-component=search-query]").fill("7" * MANY)
    offer = page.locator(".bc-explain")
    expect(offer).to_have_text(f"Explain this number: {'7' * 57}...")
    href = page.locator("a:has(.bc-explain)").get_attribute("href") or ""
    assert href.endswith(f"?n={'7' * MANY}")
