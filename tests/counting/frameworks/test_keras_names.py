"""Names and shapes in the Keras libraries."""

from macros.counting import BERT
from macros.counting.frameworks.keras_hub import keras_hub_shape
from macros.counting.frameworks.keras_names import KERAS_NAMES, keras_bert_shape
from macros.counting.frameworks.names import google_name

LAYER = "bert/encoder/layer_*"


def test_they_have_the_rows_of_pre_training() -> None:
    """The dictionary has exactly the rows that google-research/bert's pre-training has."""
    built = {row.path for row in BERT.rows if google_name(row) and row.path.split("/")[0] in ("bert", "cls")}
    assert {path for path in built if not path.startswith("cls/squad")} == set(KERAS_NAMES)


def test_shapes_that_differ() -> None:
    """KerasHub keeps heads apart, and all three turn the last dense layer; all else is as in google-research/bert."""
    # Source: the recordings of these libraries.
    apart = {row.path: keras_hub_shape(row) for row in BERT.rows if keras_hub_shape(row) != row.shape}
    heads = {f"{LAYER}/attention/self/{name}/kernel": "H A H/A" for name in ("query", "key", "value")}
    heads |= {f"{LAYER}/attention/self/{name}/bias": "A H/A" for name in ("query", "key", "value")}
    heads[f"{LAYER}/attention/output/dense/kernel"] = "A H/A H"
    assert {**heads, "sequence_classifier/output_weights": "H C"} == apart
    turned = {row.path: keras_bert_shape(row) for row in BERT.rows if keras_bert_shape(row) != row.shape}
    assert {"cls/seq_relationship/output_weights": "H 2"} == turned
