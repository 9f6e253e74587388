"""One sentence on its way through the model: real ids and shapes, and made-up numbers that add up."""

from macros.counting import Question, count, model_named
from macros.rendering import primer
from macros.rendering.components.example import example
from macros.rendering.figures import example as figures
from macros.site import MACROS
from tests.rendering.figures.reading import drawn

BASE = model_named("bert-base-uncased")


def texts(name: str) -> list[str]:
    """What is written in a drawing, in its order."""
    return [each.get_text() for each in drawn(name).select("text")]


def test_ids_are_rows_of_the_word_table() -> None:
    """Those that `BertTokenizer` of transformers gives for this sentence; as many entries as the table has rows."""
    found = example()
    assert [101, 1996, 4937, 2938, 102] == [each.id for each in found.tokens]
    assert found.sentence.split() == [each.text for each in found.tokens[1:-1]]
    assert BASE.sizes["V"] == found.entries
    # [SEP] follows [CLS] at once, so each is the neighbour of the other.
    assert ("[SEP]", "[CLS]") == (found.tokens[0].after, found.tokens[-1].before)


def test_neighbours_stand_beside_their_rows() -> None:
    """In the order of the table, with dots where rows are left out."""
    written = texts("example-rows")
    place = written.index("4937")
    assert ["⋮", "4936", "1915", "4937", "cat", "4938", "anthony", "⋮"] == written[place - 3 : place + 5]
    assert ["100", "[UNK]", "101", "[CLS]", "102", "[SEP]", "103", "[MASK]"] == written[3:11]


def test_shapes_are_those_of_the_tensors() -> None:
    """What a matrix is drawn as has as many cells as the engine counts in it."""
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
        assert any(shape in each for each in texts(name)), (name, shape)


def test_made_up_numbers_add_up() -> None:
    """The sums of the embeddings, LayerNorm, the shares of one token, and the small matrix; worked out by hand."""
    assert ["4", "3", "3", "2"] == texts("example-embeddings")[-8:-4]
    assert ["2", "0", "2", "1"] == texts("example-layer-norm")[-4:]
    assert 100 == sum(figures.SHARES)
    shown = primer.folded()
    assert "the first output is 1 × 1 + 2 × 2 + 3 × 0 + 1 = 6." in shown
    assert "3 × 2 + 2 = 8 of them" in shown


def test_the_width_of_a_head_is_its_share_of_the_query() -> None:
    """The rows of one head, times the heads, are all rows of the query matrix."""
    assert ">64</data>" in MACROS["size"]("H/A")
    assert count(BASE, "bert/encoder/layer_0/attention/self/query/bias") == 64 * BASE.sizes["A"]
