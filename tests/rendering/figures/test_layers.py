"""Drawings of layers and their matrices have the right texts, labels centred on boxes, and no overlaps."""

from itertools import pairwise

import pytest
from bs4 import Tag

from macros.site import MACROS
from tests.rendering.figures.reading import Numbers, boxes, drawing_of, numbers, placed_texts, size, tips


def test_captions_count_matrices_and_compare_their_sizes() -> None:
    figure = MACROS["figure"]("attention")
    assert "One layer of BERT base, to scale: four square matrices." in figure
    assert ">Four matrices of self-attention, to scale</title>" in figure
    assert "2,362,368 parameters in total." in figure
    caption = MACROS["figure"]("feed-forward").partition("<figcaption>")[2]
    assert "Each large matrix holds as many weights as all four matrices of attention." in caption


def test_gamma_and_beta_belong_to_every_layer_norm() -> None:
    """Gamma and beta carry the paths of all LayerNorms: one in the embeddings and two in each layer."""
    linked_tensors = [str(group["data-part"]).split() for group in drawing_of("layer-norm").select("g[data-part]")]
    parents = ("bert/embeddings", "bert/encoder/layer_*/attention/output", "bert/encoder/layer_*/output")
    assert [[f"{parent}/LayerNorm/{tensor}" for parent in parents] for tensor in ("gamma", "beta")] == linked_tensors


DESCRIPTIONS = {
    "attention": "Four squares of 768 by 768, query, key, value and output, each with one more row for its bias; "
    "2,362,368 parameters in total.",
    "attention-heads": "A square of 768 by 768 cut into 12 stripes, one for each head; each stripe has 64 of the 768 "
    "columns and holds 49,152 weights; together, they hold 589,824.",
    "feed-forward": "A wide rectangle of 768 by 3,072, a tall one of 3,072 by 768, and the query matrix of 768 by 768 "
    "for comparison; each has one more row for its bias.",
}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_descriptions_give_shapes_and_numbers(name: str) -> None:
    description = drawing_of(name).desc
    assert description
    assert DESCRIPTIONS[name] == description.get_text()


DRAWINGS = ("attention", "attention-heads", "encoder-layer", "feed-forward", "layer-norm")


@pytest.mark.parametrize("name", DRAWINGS)
def test_texts_fit_and_do_not_overlap(name: str) -> None:
    """Every text is anchored within the drawing, and texts in one column are at least a line apart."""
    drawing = drawing_of(name)
    width, height = size(drawing)
    texts = [text for style in ("label", "figures", "small") for text in placed_texts(drawing, style)]
    assert len(texts) >= 4
    rotated_texts = [text for text in texts if text[1:] == (0, 0)]  # positioned and rotated by their groups
    assert len(rotated_texts) <= (13 if name == "attention-heads" else 1)
    for text, x, y in texts:
        assert 0 <= x <= width, text
        assert 0 <= y <= height - 2, text
        assert not [other for other in texts if other[0] != text and x == other[1] and 0 < abs(y - other[2]) < 14]


# The names and numbers of a drawing's boxes, in document order.
NAMES_AND_NUMBERS = {
    "attention": (["query", "key", "value", "output"], ["590,592"] * 4),
    "encoder-layer": (["query", "key", "value"], ["3 × 590,592", "590,592", "2,362,368", "2,360,064"]),
}


@pytest.mark.parametrize("name", NAMES_AND_NUMBERS)
def test_labels_are_centred_on_their_boxes(name: str) -> None:
    """Names and numbers are centred on their boxes; in the drawing of a layer, numbers form one column in order."""
    drawing = drawing_of(name)
    names, expected_numbers = NAMES_AND_NUMBERS[name]
    middles = {text: x for style in ("label", "small", "inside") for text, x, _ in placed_texts(drawing, style)}
    centres = [round(x + width / 2, 2) for x, _, width, _ in boxes(drawing)]
    assert centres[: len(names)] == [middles[label] for label in names]
    numbers_shown = placed_texts(drawing, "figures")
    assert expected_numbers == [text for text, _, _ in numbers_shown]
    if name == "encoder-layer":
        assert 1 == len({x for _, x, _ in numbers_shown})
        assert sorted(numbers_shown, key=lambda number: number[2]) == numbers_shown
    else:
        assert centres == [x for _, x, _ in numbers_shown]
        boxes_and_numbers = zip(boxes(drawing), numbers_shown, strict=True)
        assert [] == [(top, height, y) for (_, top, _, height), (_, _, y) in boxes_and_numbers if top + height >= y]


def test_heads_are_labelled_above_and_below() -> None:
    """A head's number is centred above its stripe; its slice, rotated by 90 degrees, is centred below."""
    drawing = drawing_of("attention-heads")
    middles = [round(x + width / 2, 2) for x, _, width, _ in boxes(drawing)]
    x_by_label = {text: x for text, x, _ in placed_texts(drawing, "label")}
    assert middles == [x_by_label[str(head)] for head in range(12)]
    transforms = {group.get_text(): str(group["transform"]).split() for group in drawing.select("g[transform]")}
    slices = [transforms[f"[{64 * head}:{64 * (head + 1)}]"] for head in range(12)]
    assert {"rotate(-90)"} == {turn for _, _, turn in slices}
    assert middles == [round(float(x.removeprefix("translate(")) - 4.5, 2) for x, _, _ in slices]


def steps_of(drawing: object) -> list[Numbers]:
    """The left, top, width and height of every step of a layer: its matrices, operations and additions."""
    assert isinstance(drawing, Tag)
    circles = (numbers(circle, "cx", "cy", "r") for circle in drawing("circle"))
    circle_boxes = [(x - radius, y - radius, 2 * radius, 2 * radius) for x, y, radius in circles]
    return [*boxes(drawing), *boxes(drawing, "rect.bc-step"), *circle_boxes]


def test_arrows_lead_from_step_to_step() -> None:
    """An arrow leads down to the middle of each step's top. Two more lead to softmax, and one leaves the layer."""
    drawing = drawing_of("encoder-layer")
    tops = {(round(x + width / 2, 2), round(y, 2)) for x, y, width, _ in steps_of(drawing)}
    downward_tips = tips(drawing, "l-4 -7h8z")
    (softmax, _) = boxes(drawing, "rect.bc-step")
    tips_at_softmax = {(x, y) for x, y in downward_tips if y == softmax[1]}
    _, height = size(drawing)
    outgoing_tips = {(x, y) for x, y in downward_tips if y > height - 24}
    assert (3, 1) == (len(tips_at_softmax), len(outgoing_tips))
    assert tops | tips_at_softmax | outgoing_tips == set(downward_tips)
    assert len(set(downward_tips)) == len(downward_tips) == 15
    # The two residual connections end at the left edges of the additions.
    circles = [numbers(circle, "cx", "cy", "r") for circle in drawing("circle")]
    assert [(x - 8, round(y, 2)) for x, y, _ in circles] == [(x, y) for x, y in tips(drawing, "l-7 -4v8z")]


def test_steps_are_in_order_from_top_left_to_bottom_right_and_do_not_overlap() -> None:
    drawing = drawing_of("encoder-layer")
    query, key, value, *later_boxes = boxes(drawing)
    assert query[1] == key[1] == value[1]
    assert query[0] < key[0] < value[0]
    column = [query, *later_boxes]
    assert [] == [
        (top, height, next_top)
        for (_, top, _, height), (_, next_top, *_) in pairwise(column)
        if top + height >= next_top
    ]
    parts = [str(area["data-part"]).rpartition("layer_0/")[2] for area in drawing.select("svg.bc-area")]
    assert [
        "attention/self/query",
        "attention/self/key",
        "attention/self/value",
        "attention/output/dense",
        "attention/output/LayerNorm",
        "intermediate/dense",
        "output/dense",
        "output/LayerNorm",
    ] == parts
