"""The figures of one sentence on its way through the model: ids and shapes are real, and made-up numbers add up."""

from macros.counting import Question, count, model_named
from macros.rendering import primer
from macros.rendering.components.example import example
from macros.rendering.figures import example as figures
from macros.site import MACROS
from tests.rendering.figures.reading import drawing_of

BASE = model_named("bert-base-uncased")


def texts(name: str) -> list[str]:
    """The texts of a drawing, in document order."""
    return [text.get_text() for text in drawing_of(name).select("text")]


def test_ids_are_rows_of_the_word_table() -> None:
    """The ids are those of `BertTokenizer` in transformers; the vocabulary has an entry for each row of the table."""
    sample = example()
    assert [101, 1996, 4937, 2938, 102] == [token.id for token in sample.tokens]
    assert sample.sentence.split() == [token.text for token in sample.tokens[1:-1]]
    assert BASE.sizes["V"] == sample.entries
    # [SEP] comes right after [CLS] in the vocabulary, so each is a neighbour of the other.
    assert ("[SEP]", "[CLS]") == (sample.tokens[0].after, sample.tokens[-1].before)


def test_neighbours_stand_beside_their_rows() -> None:
    """The rows of the word table are in its order, with dots where rows are left out."""
    labels = texts("example-rows")
    place = labels.index("4937")
    assert ["⋮", "4936", "1915", "4937", "cat", "4938", "anthony", "⋮"] == labels[place - 3 : place + 5]
    assert ["100", "[UNK]", "101", "[CLS]", "102", "[SEP]", "103", "[MASK]"] == labels[3:11]


def test_shapes_are_those_of_the_tensors() -> None:
    """Every matrix is labelled with the shape that the engine gives its tensor."""
    layer = "bert/encoder/layer_0"
    for name, part in (
        ("example-rows", "bert/embeddings/word_embeddings"),
        ("example-attention", f"{layer}/attention/self/query/kernel"),
        ("example-feed-forward", f"{layer}/intermediate/dense/kernel"),
        ("example-feed-forward", f"{layer}/output/dense/kernel"),
        ("example-pooler", "bert/pooler/dense/kernel"),
    ):
        (row,) = Question(BASE, part=part).rows
        shape = " × ".join(f"{BASE.sizes[letter]:,}" for letter in row.shape.split())
        assert any(shape in text for text in texts(name)), (name, shape)


def test_made_up_numbers_add_up() -> None:
    """The embeddings, the LayerNorm, the shares and the small dense layer come out as worked out by hand."""
    assert ["4", "3", "3", "2"] == texts("example-embeddings")[-8:-4]
    assert ["2", "0", "2", "1"] == texts("example-layer-norm")[-4:]
    assert 100 == sum(figures.SHARES)
    small_layer = primer.folded()
    assert "the first output is 1 × 1 + 2 × 2 + 3 × 0 + 1 = 6." in small_layer
    assert "3 × 2 + 2 = 8 of them" in small_layer


def test_the_width_of_a_head_is_its_share_of_the_query() -> None:
    """The width of a head times the number of heads is the width of the query projection."""
    assert ">64</data>" in MACROS["size"]("H/A")
    assert count(BASE, "bert/encoder/layer_0/attention/self/query/bias") == 64 * BASE.sizes["A"]
