"""A row of a Keras summary counts one layer with its own tensors; models that Keras does not build are refused."""

import pytest

from macros.counting import BadChoice, Choices, Model
from macros.counting.frameworks.keras_layers import SummaryRow, bert4keras, keras_bert


def row_named(rows: list[SummaryRow], name: str) -> SummaryRow:
    """The row with that name."""
    return next(row for row in rows if row.name == name)


def test_a_row_of_a_layer_counts_one_layer(large: Model) -> None:
    rows = bert4keras(large)
    assert 4_198_400 == row_named(rows, "Transformer-0-MultiHeadSelfAttention").parameters
    assert 4_198_400 == row_named(rows, "Transformer-23-MultiHeadSelfAttention").parameters
    assert 31_254_528 == row_named(rows, "Embedding-Token").parameters
    assert 0 == row_named(rows, "Embedding-Token-Segment").parameters


def test_a_row_holds_tensors_of_its_own_layer(base: Model) -> None:
    """Layers are numbered from 1 in keras-bert, and from 0 in bert4keras."""
    norm = ("bert/encoder/layer_11/output/LayerNorm/gamma", "bert/encoder/layer_11/output/LayerNorm/beta")
    assert norm == row_named(keras_bert(base, 512), "Encoder-12-FeedForward-Norm").weights
    assert norm == row_named(bert4keras(base), "Transformer-11-FeedForward-Norm").weights
    assert ("cls/predictions/output_bias",) == row_named(keras_bert(base, 512), "MLM-Sim").weights


@pytest.mark.parametrize(
    ("tied", "cross_attention", "reason"),
    [
        (False, False, "tied is false and cross_attention false"),
        (False, True, "tied is false and cross_attention true"),
    ],
)
def test_models_that_the_libraries_do_not_build_are_refused(
    base: Model, tied: bool, cross_attention: bool, reason: str
) -> None:
    model = base._replace(choices=Choices(tied=tied, cross_attention=cross_attention))
    message = f"bert-base-uncased: {reason}; the Keras libraries build only a tied encoder without cross-attention"
    with pytest.raises(BadChoice, match=f"^{message}$"):
        keras_bert(model, 512)
    with pytest.raises(BadChoice, match=f"^{message}$"):
        bert4keras(model)
