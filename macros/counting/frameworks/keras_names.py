"""What the Keras libraries call each row: layer and weight, `*` for the encoder layer.

A dictionary keyed by path, since each library names its layers its own way.
It has exactly the rows that the libraries build: no cross-attention, no
decoder of its own, no task head. keras-bert numbers layers from 1, the other
two from 0.

Sources: keras-bert 0.89.0 with keras-multi-head 0.29.0; bert4keras 0.11.5,
layers.py; KerasHub 0.32.0, BertBackbone and BertMaskedLM; all run.
"""

from __future__ import annotations

from typing import NamedTuple

from ..architecture import LAYER, Row


class KerasNames(NamedTuple):
    """One row in three libraries, each as layer and weight; None where a library has no such weight."""

    keras_bert: str | None
    bert4keras: str | None
    keras_hub: str | None


def _attention(ours: str, letter: str, dense: str, hub: str) -> dict[str, KerasNames]:
    """Kernel and bias of one projection of attention; `dense` is as Keras numbers it within bert4keras's layer."""
    names = {}
    for leaf, initial in (("kernel", "W"), ("bias", "b")):
        layer = "Encoder-*-MultiHeadSelfAttention"
        names[f"{LAYER}/attention/{ours}/{leaf}"] = KerasNames(
            f"{layer}/{layer}_{initial}{letter}",
            f"Transformer-*-MultiHeadSelfAttention/{dense}/{leaf}",
            f"transformer_layer_*/self_attention_layer/{hub}/{leaf}",
        )
    return names


def _feed_forward(ours: str, number: str, dense: str, hub: str) -> dict[str, KerasNames]:
    """The same of one dense layer of the feed-forward network."""
    return {
        f"{LAYER}/{ours}/dense/{leaf}": KerasNames(
            f"Encoder-*-FeedForward/Encoder-*-FeedForward_{initial}{number}",
            f"Transformer-*-FeedForward/{dense}/{leaf}",
            f"transformer_layer_*/{hub}/{leaf}",
        )
        for leaf, initial in (("kernel", "W"), ("bias", "b"))
    }


def _pair(ours: str, leaves: tuple[str, str], *layers: str | None) -> dict[str, KerasNames]:
    """Two weights that each library calls alike: kernel and bias, or gamma and beta."""
    return {f"{ours}/{leaf}": KerasNames(*(layer and f"{layer}/{leaf}" for layer in layers)) for leaf in leaves}


DENSE, NORM = ("kernel", "bias"), ("gamma", "beta")

KERAS_NAMES: dict[str, KerasNames] = {
    "bert/embeddings/word_embeddings": KerasNames(
        "Embedding-Token/embeddings", "Embedding-Token/embeddings", "token_embedding/embeddings"
    ),
    "bert/embeddings/position_embeddings": KerasNames(
        "Embedding-Position/embeddings", "Embedding-Position/embeddings", "position_embedding/embeddings"
    ),
    "bert/embeddings/token_type_embeddings": KerasNames(
        "Embedding-Segment/embeddings", "Embedding-Segment/embeddings", "segment_embedding/embeddings"
    ),
    **_pair("bert/embeddings/LayerNorm", NORM, "Embedding-Norm", "Embedding-Norm", "embeddings_layer_norm"),
    **_attention("self/query", "q", "dense", "query"),
    **_attention("self/key", "k", "dense_1", "key"),
    **_attention("self/value", "v", "dense_2", "value"),
    **_attention("output/dense", "o", "dense_3", "attention_output"),
    **_pair(
        f"{LAYER}/attention/output/LayerNorm",
        NORM,
        "Encoder-*-MultiHeadSelfAttention-Norm",
        "Transformer-*-MultiHeadSelfAttention-Norm",
        "transformer_layer_*/self_attention_layer_norm",
    ),
    **_feed_forward("intermediate", "1", "dense", "feedforward_intermediate_dense"),
    **_feed_forward("output", "2", "dense_1", "feedforward_output_dense"),
    **_pair(
        f"{LAYER}/output/LayerNorm",
        NORM,
        "Encoder-*-FeedForward-Norm",
        "Transformer-*-FeedForward-Norm",
        "transformer_layer_*/feedforward_layer_norm",
    ),
    **_pair("bert/pooler/dense", DENSE, "NSP-Dense", "Pooler-Dense", "pooled_dense"),
    "cls/predictions/output_bias": KerasNames("MLM-Sim/bias", "MLM-Bias/beta", "mlm_head/output_bias"),
    **_pair("cls/predictions/transform/dense", DENSE, "MLM-Dense", "MLM-Dense", "mlm_head/intermediate_dense"),
    **_pair("cls/predictions/transform/LayerNorm", NORM, "MLM-Norm", "MLM-Norm", "mlm_head/intermediate_layer_norm"),
    "cls/seq_relationship/output_weights": KerasNames("NSP/kernel", "NSP-Proba/kernel", None),
    "cls/seq_relationship/output_bias": KerasNames("NSP/bias", "NSP-Proba/bias", None),
}
"""Every row that a Keras library builds, by path."""


_KERAS_BERT_SHAPES = {"cls/seq_relationship/output_weights": "H 2"}


def keras_bert_shape(row: Row) -> str:
    """The shape in keras-bert and bert4keras: google-research/bert's, with the last dense layer (in, out) too.

    >>> keras_bert_shape(Row("cls/seq_relationship/output_weights", "2 H"))
    'H 2'
    """
    return _KERAS_BERT_SHAPES.get(row.path, row.shape)
