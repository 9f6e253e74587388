"""Summaries of the Keras libraries beyond what is recorded, and what they refuse to show."""

import pytest

from macros.counting import BadChoice, Choices, Model
from macros.counting.frameworks.keras_layers import SummaryRow, bert4keras, keras_bert


def named(rows: list[SummaryRow], name: str) -> SummaryRow:
    """The row of that name."""
    return next(row for row in rows if row.name == name)


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
