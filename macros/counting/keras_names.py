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

from .tensors import LAYER, Row

DENSE_LAYERS = ("dense", "dense_1", "dense_2", "dense_3")
"""How Keras numbers the dense layers within one of bert4keras's composite layers."""


class KerasNames(NamedTuple):
    """One row in three libraries, each as layer and weight; None where a library has no such weight."""

    keras_bert: str | None
    bert4keras: str | None
    keras_hub: str | None


def _attention(ours: str, letter: str, hub: str) -> dict[str, KerasNames]:
    """Kernel and bias of one projection of attention."""
    names = {}
    for leaf, initial in (("kernel", "W"), ("bias", "b")):
        layer = "Encoder-*-MultiHeadSelfAttention"
        names[f"{LAYER}/attention/{ours}/{leaf}"] = KerasNames(
            f"{layer}/{layer}_{initial}{letter}",
            f"Transformer-*-MultiHeadSelfAttention/{DENSE_LAYERS['qkvo'.index(letter)]}/{leaf}",
            f"transformer_layer_*/self_attention_layer/{hub}/{leaf}",
        )
    return names


def _feed_forward(ours: str, number: int, hub: str) -> dict[str, KerasNames]:
    """Kernel and bias of one dense layer of the feed-forward network."""
    return {
        f"{LAYER}/{ours}/dense/{leaf}": KerasNames(
            f"Encoder-*-FeedForward/Encoder-*-FeedForward_{initial}{number}",
            f"Transformer-*-FeedForward/{DENSE_LAYERS[number - 1]}/{leaf}",
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
    **_attention("self/query", "q", "query"),
    **_attention("self/key", "k", "key"),
    **_attention("self/value", "v", "value"),
    **_attention("output/dense", "o", "attention_output"),
    **_pair(
        f"{LAYER}/attention/output/LayerNorm",
        NORM,
        "Encoder-*-MultiHeadSelfAttention-Norm",
        "Transformer-*-MultiHeadSelfAttention-Norm",
        "transformer_layer_*/self_attention_layer_norm",
    ),
    **_feed_forward("intermediate", 1, "feedforward_intermediate_dense"),
    **_feed_forward("output", 2, "feedforward_output_dense"),
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


def keras_bert_shape(row: Row) -> str:
    """The shape in keras-bert and bert4keras: google-research/bert's, with the last dense layer (in, out) too.

    >>> keras_bert_shape(Row("cls/seq_relationship/output_weights", "2 H"))
    'H 2'
    """
    return "H 2" if row.path == "cls/seq_relationship/output_weights" else row.shape
