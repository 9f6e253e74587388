"""Pieces of the map on other pages: where a part sits in the whole model, and how much of it that is."""

import pytest
from bs4 import BeautifulSoup

from macros.site import MACROS


def drawn(name: str) -> BeautifulSoup:
    """A figure, parsed."""
    return BeautifulSoup(MACROS["figure"](name), "html.parser")


def groups(page: BeautifulSoup) -> list[tuple[str, int, int, int]]:
    """Groups of areas of the small picture in their order: style, value of each, how many, and marks."""
    (small,) = page.select("svg.bc-small-map")
    found = small.find_all("g", recursive=False)
    return [
        (str(each["class"][0]), int(str(each["data-value"])), len(each("rect")), len(each.select(".bc-mark")))
        for each in found
    ]


MARKED = [
    # One block in each of twelve layers, in its colour.
    ("attention-place", [("bc-self-attention", 2_362_368, 1, 0)] * 12, "28,348,416 of 109,482,240, 25.9%"),
    ("feed-forward-place", [("bc-feed-forward", 4_722_432, 1, 0)] * 12, "56,669,184 of 109,482,240, 51.8%"),
    # One after the embeddings and two in each layer, too thin to see, so each has a mark.
    (
        "layer-norm-place",
        [("bc-encoder-norms", 1_536, 1, 1), *[("bc-encoder-norms", 1_536, 2, 2)] * 12],
        "38,400 of 109,482,240, under 0.1%",
    ),
    ("attention-heads-place", [("bc-self-attention", 590_592, 3, 0)] * 12, "21,261,312 of 109,482,240, 19.4%"),
    ("encoder-layer-place", [("bc-layer", 7_087_872, 12, 0)], "85,054,464 of 109,482,240, 77.7%"),
]


@pytest.mark.parametrize(("name", "marked", "share"), MARKED)
def test_a_part_is_marked_in_the_whole(name: str, marked: list[tuple[str, int, int, int]], share: str) -> None:
    """On top of all else, which has no colour and no marks; the caption says how much it is."""
    page = drawn(name)
    found = groups(page)
    assert marked == found[-len(marked) :]
    assert share.startswith(f"{sum(value * many for _, value, many, _ in marked):,} of ")
    assert {("bc-elsewhere", 0)} == {(style, marks) for style, _, _, marks in found[: -len(marked)]}
    # Together they are base, whatever is drawn in parts.
    assert 109_482_240 == sum(value * many for _, value, many, _ in found)
    thin = " A triangle marks what is too thin to see." if any(marks for *_, marks in marked) else ""
    assert f": {share}.{thin} Open it on the map" in page.figcaption.get_text()  # type: ignore[union-attr]
    assert f"The whole model to scale, with this part marked: {share}." == page.desc.get_text()  # type: ignore[union-attr]


def test_the_heads_are_marked_in_the_model_with_heads() -> None:
    """Pooler, masked-LM head and next-sentence head, each with its colour and a mark, of what pre-training has."""
    assert [
        ("bc-elsewhere", 23_837_184, 1, 0),
        ("bc-elsewhere", 7_087_872, 12, 0),
        ("bc-pooler", 590_592, 1, 1),
        ("bc-mlm-head", 622_650, 1, 1),
        ("bc-nsp-head", 1_538, 1, 1),
    ] == groups(drawn("heads"))
    captions = [each.get_text() for each in drawn("heads")("figcaption")]
    # 110,106,428 ÷ 1,214,780 = 90.64
    assert captions[0].startswith("Areas are to scale, magnified 90.6 times.")
    thin = "A triangle marks what is too thin to see."
    assert f"The heads with the pooler: 1,214,780 of 110,106,428, 1.1%. {thin} Open the map\xa0#" == captions[1]


def test_base_is_shown_first_and_large_by_choice() -> None:
    """Two pictures, one of them chosen without a script."""
    page = drawn("where")
    choices = [(str(each["id"]), each.has_attr("checked"), str(each["name"])) for each in page("input")]
    assert [
        ("figure-where-base", True, "figure-where-model"),
        ("figure-where-large", False, "figure-where-model"),
    ] == choices
    totals = [str(each["data-value"]) for each in page.select(".bc-level-sum strong")]
    assert ["109482240", "335141888"] == totals
    assert ["bc-of-base", "bc-of-large"] == [str(each["class"][0]) for each in page.select(".bc-pictures > div")]


@pytest.mark.parametrize(("name", "total"), [("base", "109482240"), ("large", "335141888"), ("embeddings", "23837184")])
def test_a_picture_has_its_sum(name: str, total: str) -> None:
    """Below it, and it leads into the map."""
    page = drawn(name)
    assert [total] == [str(each["data-value"]) for each in page.select(".bc-level-sum strong")]
    model = "large" if name == "large" else "base"
    links = [str(each["href"]) for each in page.select("a:not(.bc-permalink)")]
    assert all(each.startswith((f"site-root:map.html#{model}", "site-root:parts")) for each in links)
