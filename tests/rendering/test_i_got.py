"""On the page that explains a number, every model can be chosen, and each example leads to its answer."""

from bs4 import BeautifulSoup

from macros.rendering import i_got


def test_each_example_links_to_its_answer() -> None:
    page = BeautifulSoup(i_got.examples(), "html.parser")
    # They have different kinds of answers: 109,482,240 − 590,592; a published total; 110,106,428, rounded; 4 × 590,592;
    # 12 × 768 × 12; 437,928,960 bytes ÷ 2²⁰.
    expected = ["108,891,648", "75,641,856", "110M", "2,362,368", "110,592", "417.6 MiB"]
    links = page.select("#examples a")
    assert expected == [link.get_text() for link in links]
    queries = [str(link["href"]).removeprefix("site-root:disagreements/i-got.html?n=") for link in links]
    assert [text.replace(",", "%2C").replace(" ", "+") for text in expected] == queries


def test_every_model_can_be_chosen() -> None:
    page = BeautifulSoup(i_got.form(), "html.parser")
    groups = {
        "Original releases": 4,
        "Whole word masking": 2,
        "Multilingual": 2,
        "Chinese": 1,
        "Miniatures": 24,
        "From articles and tutorials": 3,
    }
    sizes = {str(element["label"]): len(element("option")) for element in page("optgroup")}
    assert list(groups) == list(sizes)[: len(groups)]
    # Groups may grow as models are added.
    assert [] == [(group, number) for group, number in groups.items() if sizes[group] < number]
    first, second, *_ = page("option")
    assert ("", "any model") == (first["value"], first.get_text())
    assert ("bert-base-uncased", "BERT base, uncased") == (second["value"], second.get_text())
