"""Where everything is in the drawings of one layer: words beside what they name, nothing on top of anything."""

from __future__ import annotations

import pytest

from macros.rendering.figures import layers
from macros.site import MACROS
from tests.rendering.figures.reading import anchors, boxes, drawn, numbers, size, words


def test_four_matrices_of_attention() -> None:
    """Squares of 78 pixels and a bias, 16 apart; name above, shape within, and below the bias and the number."""
    drawing = drawn("attention")
    assert (360, 138) == size(drawing)  # 4 × 78 + 3 × 16
    # The bias is one more row of 768: 78 ÷ 768 = 0.10 pixels.
    assert [(0, 24, 78, 78.1), (94, 24, 78, 78.1), (188, 24, 78, 78.1), (282, 24, 78, 78.1)] == boxes(drawing)
    middles = (39, 133, 227, 321)
    names = ("query", "key", "value", "output")
    assert [(name, x, 14) for name, x in zip(names, middles, strict=True)] == words(drawing, "label")
    assert [("590,592", x, 132.1) for x in middles] == words(drawing, "figures")
    # A baseline 5 pixels below the middle puts the letters in the middle.
    shapes, biases = words(drawing, "small")[::2], words(drawing, "small")[1::2]
    assert [("768 × 768", x, 68) for x in middles] == shapes
    assert [("bias: 768", x, 111.1) for x in (14, 108, 202, 296)] == biases
    # A pixel below the foot, the tip points up to it.
    assert [(x, 103.1) for x in (6, 100, 194, 288)] == [numbers(each, "x", "y") for each in drawing.select(".bc-caret")]
    assert ["middle", "start"] == sorted(anchors(drawing, "small"))
    assert {"middle"} == anchors(drawing, "label") | anchors(drawing, "figures")


def test_the_caption_of_attention_says_how_many() -> None:
    """In small letters within the sentence, in a capital where it begins one."""
    figure = MACROS["figure"]("attention")
    assert "One layer of base, to scale: four square matrices." in figure
    assert ">Four matrices of self-attention, to scale</title>" in figure
    assert "together 2,362,368 parameters." in figure


def test_stripes_of_heads() -> None:
    """Twelve stripes of 22 pixels fill a square of 264, every other one paler, each with its number above."""
    drawing = drawn("attention-heads")
    assert (336, 364) == size(drawing)
    lefts = (48, 70, 92, 114, 136, 158, 180, 202, 224, 246, 268, 290)
    assert [(x, 44, 22, 264) for x in lefts] == boxes(drawing)
    assert lefts[::2] == tuple(x for x, *_ in boxes(drawing, ".bc-self-attention-soft"))
    assert lefts[1::2] == tuple(x for x, *_ in boxes(drawing, ".bc-self-attention"))
    assert [(str(head), x + 11, 36) for head, x in enumerate(lefts)] == words(drawing, "small")
    assert [
        ("out: 12 heads × 64 = 768", 180, 16),
        ("in: 768", 0, 0),
        ("a head: 768 × 64 = 49,152", 180, 332),
        ("all: 12 × 49,152 = 589,824", 180, 354),
    ] == words(drawing, "label")
    assert {"middle"} == anchors(drawing, "label") | anchors(drawing, "small")
    titles = [each.text for each in drawing.select("title") if each.text.startswith("head ")]
    assert [f"head {head}: 768 × 64 = 49,152" for head in range(12)] == titles
    # Upright, beside the middle of the square.
    assert ["translate(32 176.0) rotate(-90)"] == [str(each["transform"]) for each in drawing.find_all("g")]


def test_matrices_of_the_feed_forward_network() -> None:
    """One wide, one tall, 66 by 264 with a bias each; a square of attention beside the tall one, at its top."""
    drawing = drawn("feed-forward")
    assert (340, 406) == size(drawing)
    assert [(0, 26, 264, 66.09), (0, 134, 66, 264.09), (102, 134, 66, 66.09)] == boxes(drawing)
    assert [
        ("intermediate: H × F, 2,362,368", 0, 16),
        ("output: F × H, 2,360,064", 0, 122),
        ("for comparison: query,", 102, 220),
        ("H × H, 590,592", 102, 240),
    ] == words(drawing, "label")
    assert {"start"} == anchors(drawing, "label")


def test_the_feed_forward_network_is_compared_with_attention() -> None:
    """Equal in BERT, and the caption says so."""
    assert "Each of the two is as large as all four matrices of attention, biases apart." in drawn_caption()


@pytest.mark.parametrize("counts", [(4, 5, 5), (4, 4, 5), (4, 5, 4)])
def test_where_they_differ_the_caption_says_by_how_much(
    monkeypatch: pytest.MonkeyPatch, counts: tuple[int, int, int]
) -> None:
    """A site built for other sizes has no false words; here are 4 weights of attention and 4 or 5 of each matrix."""
    answers = iter(counts)

    class Asked:
        number = property(lambda _: next(answers))

    monkeypatch.setattr(layers, "ask", lambda *_: Asked())
    four, first, second = counts
    said = f"They have {first / four:.2f} and {second / four:.2f} times the weights of all matrices of attention."
    assert said == layers._compared()


def drawn_caption() -> str:
    """The words below the drawing of the feed-forward network."""
    return MACROS["figure"]("feed-forward").partition("<figcaption>")[2]


def test_columns_that_gamma_and_beta_multiply() -> None:
    """Eight features in five rows of tokens, cells of 30 pixels; the third column is marked from gamma to the foot."""
    drawing = drawn("layer-norm")
    assert (324, 240) == size(drawing)
    columns = (84, 114, 144, 174, 204, 234, 264, 294)
    rows = [(8, 18), (30, 18), (62, 27), (92, 27), (122, 27), (152, 27), (182, 27)]
    assert [(x, y, 27, height) for y, height in rows for x in columns] == boxes(drawing, "rect")
    assert [(144, y, 27, height) for y, height in rows] == boxes(drawing, "rect.bc-encoder-norms")
    # All others of gamma and beta are pale in the same colour, those of the tokens have none.
    assert 14 == len(drawing.select("g > rect.bc-encoder-norms-soft"))
    assert 35 == len(drawing.select("rect.bc-cell"))
    assert [
        ("gamma", 74, 21),
        ("beta", 74, 43),
        ("768 features, up to 512 tokens", 204, 230),
    ] == words(drawing, "label")
    tokens = ("first token", "second", "next", "…", "last")
    assert [(each, 74, y) for each, y in zip(tokens, (80, 110, 140, 170, 200), strict=True)] == words(drawing, "small")
    assert {"end"} == anchors(drawing, "small")
    assert ["end", "end", "middle"] == [str(each["text-anchor"]) for each in drawing.select("text.bc-label")]


def test_gamma_and_beta_are_those_of_every_layer_norm() -> None:
    """The sums of the page light them by their paths: in the embeddings and twice in each layer."""
    lit = [str(each["data-part"]).split() for each in drawn("layer-norm").select("g[data-part]")]
    places = ("bert/embeddings", "bert/encoder/layer_*/attention/output", "bert/encoder/layer_*/output")
    assert [[f"{place}/LayerNorm/{tensor}" for place in places] for tensor in ("gamma", "beta")] == lit


SAID = {
    "attention": "Four squares of 768 by 768, query, key, value and output, each with one more row for its bias; "
    "together 2,362,368 parameters.",
    "attention-heads": "A square of 768 by 768 cut into 12 slices, one for each head; a slice is 768 by 64 and holds "
    "49,152 weights, all together 589,824.",
    "feed-forward": "A wide rectangle of 768 by 3072, a tall one of 3072 by 768, and the query matrix of 768 by 768 "
    "for comparison; each has one more row for its bias.",
}


@pytest.mark.parametrize("name", SAID)
def test_who_does_not_see_a_drawing_is_told_what_it_shows(name: str) -> None:
    """Shapes and numbers, in words."""
    found = drawn(name).desc
    assert found
    assert SAID[name] == found.get_text()


def test_a_bias_is_one_more_row() -> None:
    """Each area counts its matrix and its bias: 769 × 768, 769 × 3,072 and 3,073 × 768."""
    values = [str(each["data-value"]) for each in drawn("feed-forward").select("[data-value]")]
    assert ["2362368", "2360064", "590592"] == values
