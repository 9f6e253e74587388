"""The form that explains a number, and what it offers."""

from bs4 import BeautifulSoup

from macros.rendering import i_got


def test_examples_are_numbers_of_every_kind() -> None:
    """A total, one in print, a rounded one, a part, a product that is a coincidence, and memory, each a question."""
    page = BeautifulSoup(i_got.examples(), "html.parser")
    # Sources: 109,482,240 − 590,592; the hand count's article; 110,106,428; 4 × 590,592; 12 × 768 × 12;
    # 437,928,960 bytes ÷ 2²⁰.
    expected = ["108,891,648", "75,641,856", "110M", "2,362,368", "110,592", "417.6 MiB"]
    assert expected == [each.get_text() for each in page("a")]
    queries = [str(each["href"]).removeprefix("site-root:disagreements/i-got.html?n=") for each in page("a")]
    assert [each.replace(",", "%2C").replace(" ", "+") for each in expected] == queries


def test_every_model_can_be_chosen() -> None:
    """By group, under its title; no choice is any model."""
    page = BeautifulSoup(i_got.form(), "html.parser")
    groups = {
        "Original releases": 4,
        "Whole word masking": 2,
        "Multilingual": 2,
        "Chinese": 1,
        "Miniatures": 24,
        "Models from texts": 3,
    }
    found = {str(each["label"]): len(each("option")) for each in page("optgroup")}
    assert list(groups) == list(found)[: len(groups)]
    # A model that is added is one more in its group.
    assert all(found[group] >= number for group, number in groups.items())
    first, second, *_ = page("option")
    assert ("", "any model") == (first["value"], first.get_text())
    assert ("bert-base-uncased", "BERT base, uncased") == (second["value"], second.get_text())
