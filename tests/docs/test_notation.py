"""The page about notation explains every letter that stands in a formula."""

from collections import Counter

from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

EXPLAINED_THERE = {
    "parts/attention.html": set("QKV") | set("softmax") | set("attention") | {"d"},
    "parts/attention-heads.html": {"W", "X"},
    "parts/feed-forward.html": set("GELU") | set("erf") | {"tanh", "e", "π", "t", "x"},
    "parts/layer-norm.html": set("xyjμσγβε"),
}
"""Letters that are no sizes, in formulas that a page explains itself: vectors, matrices, functions and constants."""


def letters_of(page: BeautifulSoup) -> set[str]:
    """The letters in the formulas of a page, without primes."""
    return {letter.get_text().rstrip("′") for letter in page.select("article math mi")}


def test_every_letter_of_a_formula_is_explained(pages: Pages) -> None:
    """Each letter in a formula is that of a row on the page about notation, or explained on its own page."""
    rows = pages["notation.html"].select("article table.bc tbody th math mi")
    explained = {letter.get_text() for letter in rows}
    row_counts = Counter(letter.get_text() for letter in rows)
    assert set("VPSHFLAC") <= explained
    # E and R have several keys. N also counts parameters and examples; Q is also a number of tokens.
    assert {"E": 2, "N": 3, "Q": 2, "R": 3} == {letter: many for letter, many in row_counts.items() if many > 1}
    unknown = {
        name: letters
        for name, page in pages.items()
        if (letters := letters_of(page) - explained - EXPLAINED_THERE.get(name, set()))
    }
    assert {} == unknown


def test_a_letter_without_a_row_is_found(pages: Pages) -> None:
    """The letters of a page are found, such as the rank on the page about LoRA."""
    assert {"r", "L", "H"} <= letters_of(pages["changed/lora.html"])
