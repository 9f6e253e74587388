"""The figures that follow one sentence through BERT base and the toy model have the right ids, shapes and sums."""

import re

from bs4 import Tag

from macros.counting import Question, count, model_named
from macros.example import run
from macros.rendering import primer
from macros.rendering.components.example import example
from macros.rendering.components.toy_numbers import series
from macros.rendering.figures import toy
from macros.site import MACROS
from tests.rendering.figures.reading import boxes, drawing_of, numbers

BASE = model_named("bert-base-uncased")


def texts(name: str) -> list[str]:
    """The texts of a drawing, in document order."""
    return [text.get_text() for text in drawing_of(name).select("text")]


def test_the_word_table_has_its_shape_at_both_ends() -> None:
    """In the drawing of tying, the table of the embeddings is (V, H), and the decoder's is transposed."""
    expected = "embeddings “cat” picks a row word table 30,522 × 768 "
    expected += "decoder a column scores “cat” word table, transposed 768 × 30,522 the same numbers"
    assert expected == " ".join(texts("tying"))


def test_ids_are_rows_of_the_word_table() -> None:
    """The ids are those that `BertTokenizer` returns; the vocabulary has as many entries as the table has rows."""
    sample = example()
    assert [101, 1996, 4937, 2938, 102] == [token.id for token in sample.tokens]
    assert sample.sentence.split() == [token.text for token in sample.tokens[1:-1]]
    assert BASE.sizes["V"] == sample.vocabulary_size
    # [SEP] directly follows [CLS] in the vocabulary, so they are neighbours.
    assert ("[SEP]", "[CLS]") == (sample.tokens[0].after, sample.tokens[-1].before)


def test_rows_are_shown_between_their_neighbours() -> None:
    """The rows are in the order of the word table, and dots replace those omitted."""
    labels = texts("example-rows")
    index = labels.index("4937")
    assert ["⋮", "4936", "1915", "4937", "cat", "4938", "anthony", "⋮"] == labels[index - 3 : index + 5]
    assert ["100", "[UNK]", "101", "[CLS]", "102", "[SEP]", "103", "[MASK]"] == labels[3:11]


def framed_texts(drawing: Tag) -> list[str]:
    """The texts within the frame of a drawing, from left to right."""
    ((left, top, width, height),) = boxes(drawing, "rect.bc-chosen")
    positions = [(numbers(text, "x", "y"), text.get_text()) for text in drawing.select("text[x][y]")]
    return [text for (x, y), text in sorted(positions) if left < x < left + width and top < y < top + height]


def test_the_frame_is_around_the_vector_that_the_pooler_reads() -> None:
    """The frame encloses the vector of [CLS] after the last layer; one at another height would enclose other texts."""
    drawing = drawing_of("example-pooler")
    assert series(run().output_norms[0].output).split(", ") == framed_texts(drawing)
    frame = drawing.select("rect.bc-chosen")[0]
    frame["y"] = str(float(str(frame["y"])) + toy.CELL_HEIGHT)
    assert series(run().output_norms[0].output).split(", ") != framed_texts(drawing)


def test_matrices_are_labelled_with_their_shapes() -> None:
    layer = "bert/encoder/layer_0"
    for name, part in (
        ("example-rows", "bert/embeddings/word_embeddings"),
        ("example-feed-forward", f"{layer}/intermediate/dense/kernel"),
        ("example-feed-forward", f"{layer}/output/dense/kernel"),
    ):
        (row,) = Question(BASE, part=part).rows
        shape = " × ".join(f"{BASE.sizes[letter]:,}" for letter in row.shape.split())
        assert any(shape in text for text in texts(name)), (name, shape)


def test_each_figure_begins_where_the_previous_one_ended() -> None:
    """The toy model's numbers for "cat" were worked out by hand from `toy.toml` or recorded from transformers."""
    embedded_vector = ["1", "0", "2", "0"]
    assert ["6", "2", "6", "2", "LayerNorm", "vector of “cat”", *embedded_vector] == texts("example-embeddings")[-10:]
    assert ["6", "2", "6", "2"] == texts("example-layer-norm")[1:5]
    assert embedded_vector == texts("example-layer-norm")[-4:]
    assert ["= out", "2", "1", "1", "−1"] == texts("example-attention")[26:31]
    mix, sums = ["0.91", "0.45", "0.81", "1.11"], ["3.01", "0.45", "1.70", "0.09"]
    assert [f"{number} ×" for number in mix] == [text for text in texts("example-output") if "×" in text]
    assert sums == texts("example-output")[-4:]
    assert sums == texts("example-norm-of-attention")[1:5]
    attention_output, layer_output = ["2.96", "−0.75", "0.34", "−0.06"], ["1.61", "−1.13", "−0.39", "−0.28"]
    assert attention_output == texts("example-norm-of-attention")[-4:]
    assert ["“cat”", *attention_output] == texts("example-widening")[:5]
    gelu_outputs = ["2.95", "−0.17", "0.21", "−0.03"]
    assert gelu_outputs == texts("example-widening")[15::8][:4]
    factors = ["2.95 ×", "(−0.17) ×", "0.21 ×", "(−0.03) ×"]
    assert factors == [text for text in texts("example-narrowing") if "×" in text][:4]
    assert layer_output == texts("example-norm-of-feed-forward")[-4:]
    assert layer_output == texts("example-path")[-4:]


def test_the_largest_share_is_worked_out() -> None:
    """The caption derives the share of "sat" from its score with the numbers of the figure."""
    caption = MACROS["figure"]("example-asking")
    assert "2 × 1 + 1 × 1 = 3; divided by √2, it is 2.12; e to that power is 8.34; " in caption
    assert "the powers of all tokens add up to 13.01, and 8.34 ÷ 13.01 ≈ 0.64" in caption
    assert ["[CLS]", "1, −1", "1", "0.71", "2.03", "0.16"] == texts("example-asking")[6:12]
    assert "For “the”: 1 × 2 + (−1) × (−2) = 4" in MACROS["figure"]("example-second-head")


def test_calculations_use_the_printed_numbers() -> None:
    """Readers can reproduce a feed-forward feature and a decoder score from the numbers on the page."""
    feed_forward_figure, decoder_figure = MACROS["figure"]("example-widening"), MACROS["figure"]("example-decoder")
    assert "feature 14 is 2.96 × 0 + (−0.75) × 0 + 0.34 × 1 + (−0.06) × (−1) − 1 = −0.60." in feed_forward_figure
    assert (
        "0.54 × 5 + (−1.06) × 0 + 0.68 × 7 + (−0.84) × 2 + 0 = 5.78, or 5.79 from unrounded numbers." in decoder_figure
    )


def test_the_small_dense_layer_can_be_counted() -> None:
    """The small dense layer has the shape of one head's query, and its first output is worked out."""
    small_layer = primer.fold()
    assert "the first output is 1 × 1 + 0 × 0 + 2 × 1 + 0 × 0 − 1 = 2." in small_layer
    assert "4 × 2 + 2 = 10 of them" in small_layer


def test_head_widths_add_up_to_the_query() -> None:
    assert ">64</data>" in MACROS["size"]("H/A")
    assert count(BASE, "bert/encoder/layer_0/attention/self/query/bias") == 64 * BASE.sizes["A"]


def test_the_curve_and_dots_of_gelu_fit_their_drawing() -> None:
    drawing = drawing_of("example-gelu")
    dots = [str(dot["d"]) for dot in drawing.select("path.bc-dot")]
    assert 16 == len(dots)  # one for each inner feature
    curve = str(drawing.select("path.bc-line")[1]["d"])
    points = [tuple(map(float, point)) for point in re.findall(r"(-?[0-9.]+) (-?[0-9.]+)", " ".join([*dots, curve]))]
    width, height = float(str(drawing["width"])), float(str(drawing["height"]))
    assert [] == [(x, y) for x, y in points if not (0 <= x <= width and 0 <= y <= height)]


def test_the_caption_of_gelu_names_the_followed_token() -> None:
    assert "inner features of “cat”" in toy.gelu_curve("example-gelu")
