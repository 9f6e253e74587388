"""Addresses within the site: every part, letter, model and deviation has a page."""

import pytest

from macros.counting import BERT, load_models, load_relatives
from macros.counting.deviations import load_deviations
from macros.counting.search.parts import Part, parts
from macros.rendering.components import pages, words
from tests.docs.building import ROOT

LAYER = "bert/encoder/layer_0"


def is_a_page(address: str) -> bool:
    """Return whether the page at an address has a source."""
    return (ROOT / "docs" / address.partition("#")[0]).with_suffix(".md").is_file()


# Source: the pages themselves.
PAGES_OF_PARTS = [
    (Part("bert/pooler"), "parts/heads.html#pooler"),
    (Part("bert/encoder", "encoder-norms"), "parts/layer-norm.html"),
    (Part(f"{LAYER}/output/LayerNorm"), "parts/layer-norm.html"),
    (Part(LAYER, "self-attention kernel"), "parts/attention.html"),
    (Part(LAYER), "parts/encoder-layer.html"),
    (Part(f"{LAYER}/attention/self", share=True), "parts/attention-heads.html"),
    (Part("", "embedding-table"), "parts/embeddings.html"),
    (Part("", "bias"), "totals/base.html"),
    (Part("sequence_classifier"), "parts/heads.html#task-heads"),
    (Part("cls"), "parts/heads.html"),
    (Part("bert/pooler, cls"), "parts/heads.html#pooler"),
    (Part(f"{LAYER}/attention/self/query, {LAYER}/attention/self/key"), "parts/attention.html"),
    (Part(LAYER, "-LayerNorm"), "parts/encoder-layer.html"),
]


@pytest.mark.parametrize(("part", "page"), PAGES_OF_PARTS, ids=lambda entry: str(entry)[:50])
def test_a_part_links_to_the_page_that_explains_it(part: Part, page: str) -> None:
    assert page == pages.of_part(part)


def test_the_page_and_id_of_every_part_exist() -> None:
    ids = (ROOT / "tests" / "docs" / "published_ids.txt").read_text().split()
    for _, part in parts():
        page = pages.of_part(part)
        assert is_a_page(page), part
        assert "#" not in page or page in ids, part


def test_exactly_the_named_blocks_have_a_page() -> None:
    assert set(words.BLOCKS) == set(pages.BLOCKS)
    assert all(map(is_a_page, pages.BLOCKS.values()))


def test_models_letters_and_deviations_have_pages() -> None:
    """A relative has the address of its section or of its row in the table."""
    assert ("totals/base.html", "totals/base.html#large") == tuple(
        map(pages.of_model, ("bert-base-uncased", "bert-large-uncased"))
    )
    assert [] == [name for name in [*load_models(), *load_relatives()] if not is_a_page(pages.of_model(name))]
    assert [f"totals/relatives.html#{anchor}" for anchor in ("roberta", "xlm-roberta", "minilm", "LaBSE")] == [
        pages.of_model(name) for name in ("distilroberta-base", "bge-m3", "MiniLM-L12-H384-uncased", "LaBSE")
    ]
    assert ["notation.html#symbol-v", "notation.html#symbol-c"] == [
        pages.of_symbol(BERT.symbols[index].letter) for index in (0, -1)
    ]
    assert [] == [name for name in load_deviations() if not is_a_page(pages.of_deviation(name))]
    # Source: the kind of each deviation in data/deviations.toml.
    assert "disagreements/conventions.html#pooler-left-out" == pages.of_deviation("pooler-left-out")
    assert "disagreements/mistakes.html#attention-one-layer" == pages.of_deviation("attention-one-layer")


def test_addresses_from_the_root_become_relative_to_the_page() -> None:
    link = f'<a href="{pages.ROOT}notation.html">'
    assert '<a href="notation.html">' == pages.relative(link, "index.html")
    assert '<a href="../notation.html">' == pages.relative(link, "parts/heads.html")
    assert '<a href="other.html">' == pages.relative('<a href="other.html">', "parts/heads.html")
