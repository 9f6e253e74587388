"""Where everything is in the drawings of one layer: words beside what they name, nothing on top of anything."""

from itertools import pairwise

import pytest
from bs4 import Tag

from macros.site import MACROS
from tests.rendering.figures.reading import Place, boxes, drawn, numbers, size, tips, words


def test_captions_say_how_many_and_compare() -> None:
    """In small letters within the sentence, in a capital where it begins one; equal in BERT, as the caption says."""
    figure = MACROS["figure"]("attention")
    assert "One layer of base, to scale: four square matrices." in figure
    assert ">Four matrices of self-attention, to scale</title>" in figure
    assert "2,362,368 parameters in total." in figure
    caption = MACROS["figure"]("feed-forward").partition("<figcaption>")[2]
    assert "Each of the two is as large as all four matrices of attention, biases apart." in caption


def test_gamma_and_beta_are_those_of_every_layer_norm() -> None:
    """The sums of the page light them by their paths: in the embeddings and twice in each layer."""
    lit = [str(each["data-part"]).split() for each in drawn("layer-norm").select("g[data-part]")]
    places = ("bert/embeddings", "bert/encoder/layer_*/attention/output", "bert/encoder/layer_*/output")
    assert [[f"{place}/LayerNorm/{tensor}" for place in places] for tensor in ("gamma", "beta")] == lit


SAID = {
    "attention": "Four squares of 768 by 768, query, key, value and output, each with one more row for its bias; "
    "2,362,368 parameters in total.",
    "attention-heads": "A square of 768 by 768 cut into 12 stripes, one for each head; a stripe is 64 columns of 768 "
    "and holds 49,152 weights, 589,824 in all of them.",
    "feed-forward": "A wide rectangle of 768 by 3072, a tall one of 3072 by 768, and the query matrix of 768 by 768 "
    "for comparison; each has one more row for its bias.",
}


@pytest.mark.parametrize("name", SAID)
def test_who_does_not_see_a_drawing_is_told_what_it_shows(name: str) -> None:
    """Shapes and numbers, in words."""
    found = drawn(name).desc
    assert found
    assert SAID[name] == found.get_text()


DRAWINGS = ("attention", "attention-heads", "encoder-layer", "feed-forward", "layer-norm")


@pytest.mark.parametrize("name", DRAWINGS)
def test_words_are_within_the_drawing_and_apart(name: str) -> None:
    """Each is anchored in it, with a line of room, and none begins on another."""
    drawing = drawn(name)
    width, height = size(drawing)
    found = [each for style in ("label", "figures", "small") for each in words(drawing, style)]
    assert len(found) >= 4
    upright = [each for each in found if each[1:] == (0, 0)]  # turned and moved as a group
    assert len(upright) <= (13 if name == "attention-heads" else 1)
    for text, x, y in found:
        assert 0 <= x <= width, text
        assert 0 <= y <= height - 2, text
        assert not [other for other in found if other[0] != text and x == other[1] and 0 < abs(y - other[2]) < 14]


# What stands in each drawing, by what is said of it: the words of its boxes, or of its axes.
BESIDE = {
    "attention": (["query", "key", "value", "output"], ["590,592"] * 4),
    "encoder-layer": (["query", "key", "value"], ["3 × 590,592", "590,592", "2,362,368", "2,360,064"]),
}


@pytest.mark.parametrize("name", BESIDE)
def test_words_stand_at_the_middle_of_what_they_name(name: str) -> None:
    """A name above or within its box, a number below it; beside a layer all stand in one column, in its order."""
    drawing = drawn(name)
    names, figures = BESIDE[name]
    middles = {text: x for style in ("label", "small", "inside") for text, x, _ in words(drawing, style)}
    centres = [round(x + width / 2, 2) for x, _, width, _ in boxes(drawing)]
    assert centres[: len(names)] == [middles[each] for each in names]
    shown = words(drawing, "figures")
    assert figures == [text for text, _, _ in shown]
    if name == "encoder-layer":
        assert 1 == len({x for _, x, _ in shown})
        assert sorted(shown, key=lambda each: each[2]) == shown
    elif shown:
        assert centres == [x for _, x, _ in shown]
        assert all(top + height < y for (_, top, _, height), (_, _, y) in zip(boxes(drawing), shown, strict=True))


def test_heads_stand_above_their_columns() -> None:
    """And the slice below, turned by a quarter; both in the middle of the stripe."""
    drawing = drawn("attention-heads")
    middles = [round(x + width / 2, 2) for x, _, width, _ in boxes(drawing)]
    above = {text: x for text, x, _ in words(drawing, "label")}
    assert middles == [above[str(head)] for head in range(12)]
    turned = {each.get_text(): str(each["transform"]).split() for each in drawing.select("g[transform]")}
    slices = [turned[f"[{64 * head}:{64 * (head + 1)}]"] for head in range(12)]
    assert {"rotate(-90)"} == {turn for _, _, turn in slices}
    assert middles == [round(float(x.removeprefix("translate(")) - 4.5, 2) for x, _, _ in slices]


def steps_of(drawing: object) -> list[Place]:
    """Left, top, width and height of what a layer computes: boxes, operations and additions."""
    assert isinstance(drawing, Tag)
    circles = (numbers(each, "cx", "cy", "r") for each in drawing("circle"))
    around = [(x - radius, y - radius, 2 * radius, 2 * radius) for x, y, radius in circles]
    return [*boxes(drawing), *boxes(drawing, "rect.bc-step"), *around]


def test_arrows_lead_from_step_to_step() -> None:
    """The tip of each is at the top of a step, at its middle; and into each leads one, but where three do."""
    drawing = drawn("encoder-layer")
    tops = {(round(x + width / 2, 2), round(y, 2)) for x, y, width, _ in steps_of(drawing)}
    down = tips(drawing, "l-4 -7h8z")
    (softmax, _) = boxes(drawing, "rect.bc-step")
    from_queries = {(x, softmax[1]) for x, _ in down if (x, softmax[1]) in down}
    _, height = size(drawing)
    out = {(x, y) for x, y in down if y > height - 24}
    assert (3, 1) == (len(from_queries), len(out))
    assert tops | from_queries | out == set(down)
    assert len(set(down)) == len(down) == 15
    # Two residual connections end at the left edge of the additions.
    circles = [numbers(each, "cx", "cy", "r") for each in drawing("circle")]
    assert [(x - 8, round(y, 2)) for x, y, _ in circles] == [(x, y) for x, y in tips(drawing, "l-7 -4v8z")]


def test_a_step_stands_below_the_one_before() -> None:
    """In the order of computation, and none on another."""
    drawing = drawn("encoder-layer")
    query, key, value, *others = boxes(drawing)
    assert query[1] == key[1] == value[1]
    places = [query, *others]
    assert all(top + height < after for (_, top, _, height), (_, after, *_) in pairwise(places))
    parts = [str(each["data-part"]).rpartition("layer_0/")[2] for each in drawing.select("svg.bc-area")]
    assert [
        *("attention/self/query", "attention/self/key", "attention/self/value", "attention/output/dense"),
        *("attention/output/LayerNorm", "intermediate/dense", "output/dense", "output/LayerNorm"),
    ] == parts
