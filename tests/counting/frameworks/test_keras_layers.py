"""Summaries of the Keras libraries beyond what is recorded, and what they refuse to show."""

import pytest

from macros.counting import BadChoice, Choices, Model
from macros.counting.frameworks.keras_layers import SummaryRow, bert4keras, keras_bert


def named(rows: list[SummaryRow], name: str) -> SummaryRow:
    """The row of that name."""
    return next(row for row in rows if row.name == name)


# Sources: keras-bert 0.89.0 with keras-transformer 0.40.0, get_encoders: `Encoder-%d` of i + 1, which without layers
# hands back its input; bert4keras 0.11.5, BERT.apply_main_layers: `Transformer-%d` of index, with query, key and value.
READS: dict[str, dict[str, tuple[str, ...]]] = {
    "keras-bert": {
        "Encoder-1-MultiHeadSelfAttention": ("Embedding-Norm[0][0]",),
        "Encoder-2-MultiHeadSelfAttention": ("Encoder-1-FeedForward-Norm[0][0]",),
        "Encoder-3-MultiHeadSelfAttention": ("Encoder-2-FeedForward-Norm[0][0]",),
        "MLM-Dense": ("Encoder-3-FeedForward-Norm[0][0]",),
        "Extract": ("Encoder-3-FeedForward-Norm[0][0]",),
    },
    "bert4keras": {
        "Transformer-0-MultiHeadSelfAttention": ("Embedding-Dropout[0][0]",) * 3,
        "Transformer-1-MultiHeadSelfAttention": ("Transformer-0-FeedForward-Norm[0][0]",) * 3,
        "Transformer-2-MultiHeadSelfAttention": ("Transformer-1-FeedForward-Norm[0][0]",) * 3,
    },
    "keras-bert without layers": {"MLM-Dense": ("Embedding-Norm[0][0]",), "Extract": ("Embedding-Norm[0][0]",)},
}


@pytest.mark.parametrize(
    ("library", "layers"),
    [("keras-bert", {None, 1, 2, 3}), ("bert4keras", {None, 0, 1, 2}), ("keras-bert without layers", {None})],
)
def test_each_layer_reads_from_the_one_before(base: Model, library: str, layers: set[int | None]) -> None:
    """The first from the embeddings, the heads from the last; keras-bert numbers layers from 1, bert4keras from 0."""
    model = base.resized(L=len(layers) - 1)
    rows = bert4keras(model) if library == "bert4keras" else keras_bert(model, None)
    assert layers == {row.layer for row in rows}
    assert READS[library] == {name: named(rows, name).inputs for name in READS[library]}


def test_a_row_of_a_layer_counts_one_layer(large: Model) -> None:
    """As the column `Param #` has it, however many layers there are."""
    rows = bert4keras(large)
    assert 4_198_400 == named(rows, "Transformer-0-MultiHeadSelfAttention").parameters
    assert 4_198_400 == named(rows, "Transformer-23-MultiHeadSelfAttention").parameters
    assert 31_254_528 == named(rows, "Embedding-Token").parameters
    assert 0 == named(rows, "Embedding-Token-Segment").parameters


def test_a_row_holds_tensors_of_its_own_layer(base: Model) -> None:
    """keras-bert's twelfth layer is layer 11 of the table, and so is bert4keras's layer 11."""
    norm = ("bert/encoder/layer_11/output/LayerNorm/gamma", "bert/encoder/layer_11/output/LayerNorm/beta")
    assert norm == named(keras_bert(base, 512), "Encoder-12-FeedForward-Norm").holds
    assert norm == named(bert4keras(base), "Transformer-11-FeedForward-Norm").holds
    assert ("cls/predictions/output_bias",) == named(keras_bert(base, 512), "MLM-Sim").holds


@pytest.mark.parametrize(
    ("tied", "cross_attention", "says"),
    [
        (False, False, "tied is false and cross_attention false"),
        (False, True, "tied is false and cross_attention true"),
    ],
)
def test_a_model_they_do_not_build(base: Model, tied: bool, cross_attention: bool, says: str) -> None:
    """A decoder of its own, or cross-attention, is refused by either."""
    model = base._replace(choices=Choices(tied=tied, cross_attention=cross_attention))
    message = f"bert-base-uncased: {says}; the Keras libraries build a tied encoder without cross-attention only"
    with pytest.raises(BadChoice, match=f"^{message}$"):
        keras_bert(model, 512)
    with pytest.raises(BadChoice, match=f"^{message}$"):
        bert4keras(model)
