"""Messages repeat only a little of the text in an address or from a reader, however long it is."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.docs.windows import go_to

LENGTH = 7_000
"""Roughly the number of characters that servers accept in an address."""

TEXTS = {
    "a long word": "qz" * (LENGTH // 2),
    "many words": ",".join(f"qz{index}" for index in range(LENGTH // 7)),
    "digits": "7" * LENGTH,
    "a long sum": "7+" * (LENGTH // 2) + "7",
}
"""Long texts of different kinds."""

ADDRESS_KEYS = {
    "try/calculator.html": ("more", "beside", "class", "lora", "frozen", "H"),
    "embed/try/calculator.html": ("more", "beside", "model", "L"),
    "try/exercises.html": ("set", "seed", "answer", "class"),
    "embed/try/exercises.html": ("set", "seed", "answer"),
    "disagreements/i-got.html": ("n", "model"),
    "404.html": ("n", "q"),
}
"""Pages, each with parameters that its address may have."""

MAX_GROWTH = 1_500
"""The limit on the growth of a page, both in characters and in pixels of height.

Messages repeat only a few values, each with about sixty characters at most.
"""

MAX_WORD_LENGTH = 130
"""The limit on the number of characters in a word."""

MEASURE = """() => {
  const text = document.body.innerText
  return [text.length, Math.max(...text.split(/[^\\w+]+/).map((word) => word.length)), document.body.scrollHeight]
}"""
"""Returns the length of a page's text, the length of its longest word, and the height of the page."""


@pytest.mark.parametrize("page_name", ADDRESS_KEYS)
def test_a_long_address_does_not_make_the_page_long(desktop: Page, page_name: str) -> None:
    go_to(desktop, page_name)
    short_length, _, short_height = desktop.evaluate(MEASURE)
    for kind, text in TEXTS.items():
        go_to(desktop, f"{page_name}?{urlencode(dict.fromkeys(ADDRESS_KEYS[page_name], text), safe=',+')}")
        length, longest_word_length, height = desktop.evaluate(MEASURE)
        assert length < short_length + MAX_GROWTH, kind
        assert longest_word_length < MAX_WORD_LENGTH, kind
        assert height < short_height + MAX_GROWTH, kind


def test_a_complaint_about_many_values_lists_only_a_few(desktop: Page) -> None:
    """If a parameter is repeated, only its first value counts."""
    go_to(desktop, "try/calculator.html?" + "&".join(f"more={index}" for index in range(5_000)))
    expect(desktop.locator("#calculator-address")).to_have_text("Not everything in the address could be read: more=0.")
    go_to(desktop, "try/calculator.html?more=" + ",".join(f"x{index}" for index in range(5_000)))
    first_values = "; ".join(f"more=x{index}" for index in range(6))
    expect(desktop.locator("#calculator-address")).to_have_text(
        f"Not everything in the address could be read: {first_values}; 4,994 more."
    )


def test_the_search_shows_only_the_start_of_a_long_number(open_tab: Callable[..., Page]) -> None:
    page = open_tab()
    go_to(page, "index.html")
    page.locator("[data-md-component=search-query]").fill("7" * LENGTH)
    offer = page.locator(".bc-explain")
    expect(offer).to_have_text(f"Explain this number: {'7' * 57}...")
    href = page.locator("a:has(.bc-explain)").get_attribute("href") or ""
    assert href.endswith(f"?n={'7' * LENGTH}")
