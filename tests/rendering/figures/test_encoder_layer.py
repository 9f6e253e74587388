"""The drawing of a layer: one step below the other, joined by arrows that touch them, words beside each."""

from __future__ import annotations

from tests.rendering.figures.reading import anchors, boxes, drawn, lines, numbers, size, tips, words

MIDDLE = 104
"""Pixels from the left: the widest box, 160, begins at 24."""

# Source: 40 pixels for a width of 768, so 160 for 3,072; one more row for a bias, 40 ÷ 768 = 0.05.
QUERY, KEY, VALUE = ((30, 48, 40, 40.05), (84, 48, 40, 40.05), (138, 48, 40, 40.05))
OUTPUT = (84, 150.05, 40, 40.05)
NORM = (84, 244.1, 40, 0.1)
INTERMEDIATE = (24, 280.21, 160, 40.05)
FEED_FORWARD_OUTPUT = (84, 384.26, 40, 160.05)
LAST_NORM = (84, 598.31, 40, 0.1)


def test_boxes_are_in_the_order_of_computation() -> None:
    """Query, key and value side by side; all else in the middle, one below the other."""
    drawing = drawn("encoder-layer")
    assert [QUERY, KEY, VALUE, OUTPUT, NORM, INTERMEDIATE, FEED_FORWARD_OUTPUT, LAST_NORM] == boxes(drawing)
    attention, others = boxes(drawing, ".bc-self-attention"), boxes(drawing, ".bc-feed-forward")
    assert ([QUERY, KEY, VALUE, OUTPUT], [INTERMEDIATE, FEED_FORWARD_OUTPUT]) == (attention, others)
    assert [NORM, LAST_NORM] == boxes(drawing, "svg.bc-encoder-norms")
    # Operations are as wide as the three and what is between them; they have no scale, and round ends.
    assert [(30, 104.05, 148, 28), (30, 338.26, 148, 28)] == boxes(drawing, "rect.bc-step")
    assert {"14"} == {str(each["rx"]) for each in drawing.select("rect.bc-step")}
    assert [(MIDDLE, 216.1, 8), (MIDDLE, 570.31, 8)] == [
        numbers(each, "cx", "cy", "r") for each in drawing.select("circle")
    ]


def test_arrows_end_where_the_next_step_begins() -> None:
    """The tip of each is at the top of a box, an operation or an addition, and at its middle."""
    drawing = drawn("encoder-layer")
    steps = [*boxes(drawing), *boxes(drawing, "rect.bc-step")]
    tops = {(round(x + width / 2, 2), y) for x, y, width, _ in steps}
    tops |= {(x, round(y - radius, 2)) for x, y, radius in (numbers(c, "cx", "cy", "r") for c in drawing("circle"))}
    down = tips(drawing, "l-4 -7h8z")
    into_softmax = {(50, 104.05), (MIDDLE, 104.05), (158, 104.05)}
    out = {(MIDDLE, 622.42)}  # 24 below the last LayerNorm
    assert tops | into_softmax | out == set(down)
    assert len(set(down)) == len(down) == 15
    # The residual connections end at the left edge of the additions.
    assert [(96, 216.1), (96, 570.31)] == tips(drawing, "l-7 -4v8z")


def test_lines_begin_where_a_step_ends() -> None:
    """And they end 4 pixels before the tip, under the arrowhead."""
    assert [
        "M104 20V30",  # the input, to the line from which three arrows leave
        "M104 30H50V44",
        "M50 88.0521v12",
        "M104 30H104V44",
        "M104 88.0521v12",
        "M104 30H158V44",
        "M158 88.0521v12",
        "M104 132.052v14",
        "M104 190.104v14",
        "M100 216.104h8M104 212.104v8",  # a plus sign in its circle
        "M104 25H8V216.104H92",  # from the input past everything
        "M104 224.104v16",
        "M104 244.208v32",
        "M104 320.26v14",
        "M104 366.26v14",
        "M104 544.312v14",
        "M100 570.312h8M104 566.312v8",
        "M104 249.208H8V570.312H92",  # from 5 pixels below the first LayerNorm
        "M104 578.312v16",
        "M104 598.417v20",
    ] == lines(drawn("encoder-layer"))


def test_words_stand_beside_what_they_name() -> None:
    """Name, path and number, 14 pixels right of the widest box and around the middle of each."""
    drawing = drawn("encoder-layer")
    beside = 198
    assert [
        ("input: 768 numbers for each token", 0, 13),
        ("query, key, value", beside, 56.03),
        ("no parameters", beside, 123.05),
        ("attention output", beside, 158.08),
        ("add", beside, 220.1),
        ("LayerNorm: 1,536", beside, 244.1),
        ("intermediate", beside, 288.23),
        ("no parameters", beside, 357.26),
        ("feed-forward output", beside, 452.29),
        ("add", beside, 574.31),
        ("LayerNorm: 1,536", beside, 598.31),
        ("output: 768 numbers for each token", 0, 638.42),
    ] == words(drawing, "label")
    assert [
        ("3 × 590,592", beside, 88.03),
        ("590,592", beside, 190.08),
        ("2,362,368", beside, 320.23),
        ("2,360,064", beside, 484.29),
    ] == words(drawing, "figures")
    within = [each for each in words(drawing, "small") if each[1] != beside]
    assert [
        ("query", 50, 72.03),
        ("key", MIDDLE, 72.03),
        ("value", 158, 72.03),
        ("softmax, weighted sum", MIDDLE, 122.05),
        ("GELU", MIDDLE, 356.26),
    ] == within
    assert [
        ("attention/self", beside, 72.03),
        ("attention/output/dense", beside, 174.08),
        ("attention/output/LayerNorm", beside, 260.1),
        ("intermediate/dense", beside, 304.23),
        ("output/dense", beside, 468.29),
        ("output/LayerNorm", beside, 614.31),
    ] == [each for each in words(drawing, "small") if each not in within]
    assert {"start"} == anchors(drawing, "label") | anchors(drawing, "figures")


def test_the_drawing_has_room_for_its_words() -> None:
    """166 pixels right of where they begin, and a line below the last."""
    assert (364, 644.42) == size(drawn("encoder-layer"))


def test_a_layer_norm_is_marked_at_both_ends() -> None:
    """It is a tenth of a pixel high; a tip on either side points to it."""
    tips_of_norms = [str(each["d"]) for each in drawn("encoder-layer").select(".bc-edge")]
    assert [
        "M82 244.104l-8 -4.5v9z",
        "M126 244.104l8 -4.5v9z",
        "M82 598.312l-8 -4.5v9z",
        "M126 598.312l8 -4.5v9z",
    ] == tips_of_norms
