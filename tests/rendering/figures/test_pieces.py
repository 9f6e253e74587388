"""Pieces of the map on other pages mark a part in the whole model, and give its share."""

import pytest
from bs4 import BeautifulSoup

from macros.site import MACROS


def figure_of(name: str) -> BeautifulSoup:
    """The parsed HTML of a figure."""
    return BeautifulSoup(MACROS["figure"](name), "html.parser")


def groups(page: BeautifulSoup) -> list[tuple[str, int, int, int]]:
    """The groups of areas in the small picture: style, value of one area, number of areas, number of marks."""
    (small_map,) = page.select("svg.bc-small-map")
    return [
        (str(group["class"][0]), int(str(group["data-value"])), len(group("rect")), len(group.select(".bc-mark")))
        for group in small_map.find_all("g", recursive=False)
    ]


MARKED_PARTS = [
    # One block in each of the twelve layers, in its own colour.
    ("attention-place", [("bc-self-attention", 2_362_368, 1, 0)] * 12, "28,348,416 of 109,482,240 parameters (25.9%)"),
    ("feed-forward-place", [("bc-feed-forward", 4_722_432, 1, 0)] * 12, "56,669,184 of 109,482,240 parameters (51.8%)"),
    # One LayerNorm in the embeddings and two in each layer, all too thin to see, so each has a mark.
    (
        "layer-norm-place",
        [("bc-encoder-norms", 1_536, 1, 1), *[("bc-encoder-norms", 1_536, 2, 2)] * 12],
        "38,400 of 109,482,240 parameters (under 0.1%)",
    ),
    (
        "attention-heads-place",
        [("bc-self-attention", 590_592, 3, 0)] * 12,
        "21,261,312 of 109,482,240 parameters (19.4%)",
    ),
    ("encoder-layer-place", [("bc-layer", 7_087_872, 12, 0)], "85,054,464 of 109,482,240 parameters (77.7%)"),
]


@pytest.mark.parametrize(("name", "marked_groups", "share"), MARKED_PARTS)
def test_a_part_is_marked_in_the_whole(name: str, marked_groups: list[tuple[str, int, int, int]], share: str) -> None:
    """The marked part is drawn on top of the rest, which has no colour and no marks. The caption states its share."""
    page = figure_of(name)
    areas = groups(page)
    assert marked_groups == areas[-len(marked_groups) :]
    assert share.startswith(f"{sum(value * number for _, value, number, _ in marked_groups):,} of ")
    assert {("bc-elsewhere", 0)} == {(style, marks) for style, _, _, marks in areas[: -len(marked_groups)]}
    # However finely the model is divided, the areas add up to BERT base.
    assert 109_482_240 == sum(value * number for _, value, number, _ in areas)
    note = " A triangle marks what is too thin to see clearly." if any(marks for *_, marks in marked_groups) else ""
    assert f": {share}.{note} Open it on the map" in page.figcaption.get_text()  # type: ignore[union-attr]
    assert f"The whole model to scale, with this part marked: {share}." == page.desc.get_text()  # type: ignore[union-attr]


def test_the_heads_are_marked_in_the_model_with_heads() -> None:
    assert [
        ("bc-elsewhere", 23_837_184, 1, 0),
        ("bc-elsewhere", 7_087_872, 12, 0),
        ("bc-pooler", 590_592, 1, 1),
        ("bc-mlm-head", 622_650, 1, 1),
        ("bc-nsp-head", 1_538, 1, 1),
    ] == groups(figure_of("heads"))
    captions = [caption.get_text() for caption in figure_of("heads")("figcaption")]
    # 110,106,428 ÷ 1,214,780 = 90.64
    assert captions[0].startswith("Areas are to scale, magnified 90.6 times compared with the whole model.")
    note = "A triangle marks what is too thin to see clearly."
    assert (
        f"The pooler and the pre-training heads: 1,214,780 of 110,106,428 parameters (1.1%). {note} Open the map\xa0#"
        == captions[1]
    )


def test_base_is_shown_first_and_large_on_request() -> None:
    """Radio buttons switch between two pictures without a script."""
    page = figure_of("where")
    choices = [(str(button["id"]), button.has_attr("checked"), str(button["name"])) for button in page("input")]
    assert [
        ("figure-where-base", True, "figure-where-model"),
        ("figure-where-large", False, "figure-where-model"),
    ] == choices
    totals = [str(total["data-value"]) for total in page.select(".bc-level-sum strong")]
    assert ["109482240", "335141888"] == totals
    assert ["bc-of-base", "bc-of-large"] == [str(picture["class"][0]) for picture in page.select(".bc-pictures > div")]


@pytest.mark.parametrize(("name", "total"), [("base", "109482240"), ("large", "335141888"), ("embeddings", "23837184")])
def test_a_picture_has_its_sum_and_links_to_the_map_or_to_parts(name: str, total: str) -> None:
    page = figure_of(name)
    assert [total] == [str(result["data-value"]) for result in page.select(".bc-level-sum strong")]
    model = "large" if name == "large" else "base"
    addresses = [str(link["href"]) for link in page.select("a:not(.bc-permalink)")]
    assert all(address.startswith((f"site-root:map.html#{model}", "site-root:parts")) for address in addresses)
