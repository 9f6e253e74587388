"""KerasHub: its classes, their weights, and its presets of Google's checkpoints.

A class of KerasHub is an encoder with a pooler and at most one head. The
decoder of BertMaskedLM reuses the token embedding, so it has no matrix of its own.

Sources: KerasHub 0.32.0, BertBackbone, BertMaskedLM, BertTextClassifier and
bert_presets.py; all of them were run.
"""

from __future__ import annotations

from functools import cache

from ..architecture import LAYER, Row, lies_under
from ..architectures.bert import BERT
from ..polynomials import Polynomial
from .keras_names import KERAS_NAMES

HEADS = {"BertBackbone": (), "BertMaskedLM": ("cls/predictions",), "BertTextClassifier": ("sequence_classifier",)}
"""The head that each class adds to the backbone, as path prefixes of rows; empty if it adds none."""

PRESETS = {
    "bert_tiny_en_uncased": "bert_uncased_L-2_H-128_A-2",
    "bert_small_en_uncased": "bert_uncased_L-4_H-512_A-8",
    "bert_medium_en_uncased": "bert_uncased_L-8_H-512_A-8",
    "bert_base_en_uncased": "bert-base-uncased",
    "bert_base_en": "bert-base-cased",
    "bert_base_zh": "bert-base-chinese",
    "bert_base_multi": "bert-base-multilingual-cased",
    "bert_large_en_uncased": "bert-large-uncased",
    "bert_large_en": "bert-large-cased",
}
"""The presets that hold Google's own checkpoints, each with the name that this site uses for the model."""


@cache
def keras_hub_rows(keras_hub_class: str) -> tuple[Row, ...]:
    """The rows of one class; those of the backbone come first."""
    head = tuple(row for row in BERT.rows if lies_under(row.path, HEADS[keras_hub_class]) and not row.tied_to)
    return BERT.rows_of("BertModel") + head


def keras_hub_size(keras_hub_class: str) -> Polynomial:
    """The number of parameters of one class, as a symbolic formula."""
    return Polynomial.total(BERT.size(row) for row in keras_hub_rows(keras_hub_class))


def keras_hub_name(row: Row) -> str | None:
    """The path of a row's weight, with `*` for the number of the layer; None if KerasHub has no such weight.

    >>> keras_hub_name(BERT.rows[0])
    'token_embedding/embeddings'
    """
    if row.path.startswith("sequence_classifier/"):
        return "logits/kernel" if row.path.endswith("/output_weights") else "logits/bias"
    return KERAS_NAMES[row.path].keras_hub if row.path in KERAS_NAMES else None


_PROJECTIONS = ("query", "key", "value")

_SHAPES = {
    **{f"{LAYER}/attention/self/{projection}/kernel": "H A H/A" for projection in _PROJECTIONS},
    **{f"{LAYER}/attention/self/{projection}/bias": "A H/A" for projection in _PROJECTIONS},
    f"{LAYER}/attention/output/dense/kernel": "A H/A H",
    "sequence_classifier/output_weights": "H C",
}
"""The shapes in KerasHub that differ from google-research/bert's, by path."""


def keras_hub_shape(row: Row) -> str:
    """The shape of a row's weight in KerasHub.

    The projections of attention have a dimension for the heads, each of width
    H/A, and the matrix of the classifier is transposed.

    >>> keras_hub_shape(Row(f"{LAYER}/attention/self/query/kernel", "H H"))
    'H A H/A'
    """
    return _SHAPES.get(row.path, row.shape)
