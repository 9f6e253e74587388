"""Every letter in a formula is explained, on the notation page or on the page of the formula."""

from collections import Counter

from bs4 import BeautifulSoup

from tests.docs.conftest import Pages

EXPLAINED_ON_PAGE = {
    "parts/attention.html": set("softmax") | set("attention"),
    "parts/feed-forward.html": set("GELU") | set("erf") | {"tanh", "π"},
    "changed/lora.html": {"s"},
}
"""Letters that are explained on the page of the formula: those in names of functions, π, and LoRA's scale s."""


def letters_of(page: BeautifulSoup) -> set[str]:
    """The letters in the formulas of a page, without primes."""
    return {letter.get_text().rstrip("′") for letter in page.select("article math mi")}


def test_every_letter_of_a_formula_is_explained(pages: Pages) -> None:
    rows = pages["notation.html"].select("article table.bc tbody th math mi")
    row_counts = Counter(letter.get_text() for letter in rows)
    explained_letters = {*row_counts}
    assert set("VPSHFLAC") <= explained_letters
    # Some letters have several rows. E and R belong to several config keys. N also counts parameters and examples, and
    # Q is also a number of tokens. Q, K, V, W and X are also matrices, and d is also the width of a head.
    repeated_letters = {"E": 2, "K": 2, "N": 3, "Q": 3, "R": 3, "V": 2, "W": 2, "X": 2, "d": 2}
    assert repeated_letters == {letter: count for letter, count in row_counts.items() if count > 1}
    unexplained_letters = {
        name: letters_of(page) - explained_letters - EXPLAINED_ON_PAGE.get(name, set()) for name, page in pages.items()
    }
    assert {} == {name: letters for name, letters in unexplained_letters.items() if letters}


def test_the_list_of_letters_leads_to_every_row(pages: Pages) -> None:
    page = pages["notation.html"]
    letters = [link.get_text() for link in page.select("article .bc-sets a")]
    rows = {str(row["id"]): row.math.get_text() for row in page.select("article table.bc tbody tr") if row.math}
    assert sorted(set(rows.values())) == sorted(letters)
    links = {
        str(link["href"]).removeprefix("#"): str(link["aria-label"]).partition(":")[0]
        for link in page.select("article nav li a")
    }
    # Two config keys give the width of the embeddings, and the link leads to the first one.
    assert rows == links | {"relative-input-embedding-size": "E"}


def test_a_letter_leads_to_its_first_row_and_its_meanings_are_in_the_order_of_the_page(pages: Pages) -> None:
    page = pages["notation.html"]
    rows = {str(row["id"]): row.math.get_text() for row in page.select("article table.bc tbody tr") if row.math}
    first_rows = {letter: row_id for row_id, letter in reversed(rows.items())}
    links = page.select("article .bc-sets a")
    assert first_rows == {link.get_text(): str(link["href"]).removeprefix("#") for link in links}
    for item in page.select("article nav details > ul:last-of-type li"):
        row_ids = [str(link["href"]).removeprefix("#") for link in item.select("a")]
        assert row_ids == sorted(row_ids, key=[*rows].index)


def test_the_letters_in_the_formulas_of_a_page_are_found(pages: Pages) -> None:
    """If no letters were found, none could lack an explanation. The page about LoRA uses the rank r."""
    assert {"r", "L", "H"} <= letters_of(pages["changed/lora.html"])
