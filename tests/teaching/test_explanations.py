"""Links from hints lead to existing pages, and are named after them."""

import re
from pathlib import Path

import pytest

from macros.teaching.explanations import TITLES, page_of
from macros.teaching.sets import load_sets
from tests.docs.building import ROOT

DOCS = ROOT / "docs"
TITLE = re.compile(r"^title: (.+)$", re.MULTILINE)


def source_of(address: str) -> Path:
    """The Markdown file of a page."""
    return (DOCS / address).with_suffix(".md")


@pytest.mark.parametrize(("address", "title"), TITLES.items())
def test_titles_are_those_of_the_pages(address: str, title: str) -> None:
    match = TITLE.search(source_of(address).read_text(encoding="utf-8"))
    assert match
    assert title == match[1]


def test_every_question_has_a_page_with_a_title() -> None:
    addresses: set[str] = set()
    for exercise_set in load_sets().sets.values():
        addresses |= {exercise_set.page} if exercise_set.page else set(map(page_of, exercise_set.asks))
    assert set(TITLES) == {address.partition("#")[0] for address in addresses}
    for address in addresses:
        page, _, name = address.partition("#")
        assert not name or f"{{ #{name} }}" in source_of(page).read_text(encoding="utf-8"), address


@pytest.mark.parametrize(
    ("name", "index", "page"),
    [
        ("tensor", 0, "parts/embeddings.html"),
        ("layer", 2, "parts/layer-norm.html"),
        ("layer", 4, "parts/encoder-layer.html"),
        ("part", 9, "parts/heads.html#pooler"),
        ("model", 0, "totals/base.html"),
        ("class", 1, "parts/heads.html"),
        ("relatives", 0, "totals/relatives.html"),
        ("tuned", 0, "changed/lora.html"),
        ("operations", 5, "run/operations.html"),
    ],
)
def test_a_question_leads_to_the_page_about_its_part(name: str, index: int, page: str) -> None:
    """One block leads to its own page, and several blocks lead to the layer, the whole model or the heads."""
    assert page == page_of(load_sets().sets[name].asks[index])
