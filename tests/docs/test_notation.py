"""The page about notation explains every letter that stands in a formula."""

from collections import Counter

from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

EXPLAINED_THERE = {
    "parts/attention.html": set("softmax") | set("attention"),
    "parts/feed-forward.html": set("GELU") | set("erf") | {"tanh", "π"},
    "changed/lora.html": {"s"},
}
"""Functions and constants in formulas; the page on feed-forward networks explains its auxiliary t itself, and that on
LoRA its scale s."""


def letters_of(page: BeautifulSoup) -> set[str]:
    """The letters in the formulas of a page, without primes."""
    return {letter.get_text().rstrip("′") for letter in page.select("article math mi")}


def test_every_letter_of_a_formula_is_explained(pages: Pages) -> None:
    """Each letter in a formula is that of a row on the page about notation, or explained on its own page."""
    rows = pages["notation.html"].select("article table.bc tbody th math mi")
    explained = {letter.get_text() for letter in rows}
    row_counts = Counter(letter.get_text() for letter in rows)
    assert set("VPSHFLAC") <= explained
    # E and R have several keys. N also counts parameters and examples; Q is also a number of tokens. Q, K, V, W and X
    # also stand for matrices, and d for the width of a head.
    several = {"E": 2, "K": 2, "N": 3, "Q": 3, "R": 3, "V": 2, "W": 2, "X": 2, "d": 2}
    assert several == {letter: many for letter, many in row_counts.items() if many > 1}
    unknown_letters = {
        name: letters
        for name, page in pages.items()
        if (letters := letters_of(page) - explained - EXPLAINED_THERE.get(name, set()))
    }
    assert {} == unknown_letters


def test_the_list_of_letters_leads_to_every_row(pages: Pages) -> None:
    """The list has every letter once, and for each row of a letter a link that says the letter and its meaning."""
    page = pages["notation.html"]
    letters = [link.get_text() for link in page.select("article .bc-sets a")]
    rows = {str(row["id"]): row.math.get_text() for row in page.select("article table.bc tbody tr") if row.math}
    assert sorted(set(rows.values())) == sorted(letters)
    links = {
        str(link["href"]).removeprefix("#"): str(link["aria-label"]).partition(":")[0]
        for link in page.select("article nav li a")
    }
    # Two config keys stand for the width of the embeddings, to which one link leads.
    assert rows == links | {"relative-input-embedding-size": "E"}


def test_a_letter_without_a_row_is_found(pages: Pages) -> None:
    """The letters of a page are found, such as the rank on the page about LoRA."""
    assert {"r", "L", "H"} <= letters_of(pages["changed/lora.html"])
