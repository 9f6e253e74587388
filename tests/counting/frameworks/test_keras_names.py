"""The Keras libraries name the rows of pre-training, and few of their shapes differ from google-research/bert."""

from macros.counting import BERT
from macros.counting.frameworks.keras_hub import keras_hub_shape
from macros.counting.frameworks.keras_names import KERAS_NAMES, keras_bert_shape
from macros.counting.frameworks.names import google_name

LAYER = "bert/encoder/layer_*"
"""Path of an encoder layer, with an asterisk for its number."""


def test_the_libraries_name_the_rows_of_pre_training() -> None:
    google_paths = {row.path for row in BERT.rows if google_name(row) and row.path.split("/")[0] in ("bert", "cls")}
    # The head for SQuAD is the only one of these that is not for pre-training.
    assert {path for path in google_paths if not path.startswith("cls/squad")} == set(KERAS_NAMES)


def test_few_shapes_differ_from_google_bert() -> None:
    # Source: the recordings of these libraries.
    in_keras_hub = {row.path: keras_hub_shape(row) for row in BERT.rows if keras_hub_shape(row) != row.shape}
    heads = {f"{LAYER}/attention/self/{name}/kernel": "H A H/A" for name in ("query", "key", "value")}
    heads |= {f"{LAYER}/attention/self/{name}/bias": "A H/A" for name in ("query", "key", "value")}
    heads[f"{LAYER}/attention/output/dense/kernel"] = "A H/A H"
    assert {**heads, "sequence_classifier/output_weights": "H C"} == in_keras_hub
    in_keras_bert = {row.path: keras_bert_shape(row) for row in BERT.rows if keras_bert_shape(row) != row.shape}
    assert {"cls/seq_relationship/output_weights": "H 2"} == in_keras_bert
