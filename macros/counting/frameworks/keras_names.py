"""The name of each row in the Keras libraries: layer and weight, with `*` for the number of the encoder layer.

The names are listed by path, because no rule derives them from our paths. The list
has the rows of a BERT for pre-training: no cross-attention, no decoder with weights
of its own, no task head. keras-bert numbers layers from 1, and the other two libraries
number them from 0. `keras_bert_shape` gives the shapes in keras-bert and bert4keras.

Sources: keras-bert 0.89.0 with keras-multi-head 0.29.0; bert4keras 0.11.5,
layers.py; KerasHub 0.32.0, BertBackbone and BertMaskedLM; tests/oracles runs all three.
"""

from __future__ import annotations

from typing import NamedTuple

from ..architecture import LAYER, Row


class KerasNames(NamedTuple):
    """The names of one row in three libraries, as layer and weight; None if a library has no such weight."""

    keras_bert: str | None
    bert4keras: str | None
    keras_hub: str | None


def _dense(path: str, block: str, suffix: str, name_in_block: str, name_in_keras_hub: str) -> dict[str, KerasNames]:
    """The names of a dense layer's kernel and bias within an encoder layer.

    Args:
        path: its path within our encoder layer.
        block: the name of its block in keras-bert and bert4keras, `ATTENTION` or `FEED_FORWARD`.
        suffix: the character that keras-bert appends to the W of the kernel and the b of the bias.
        name_in_block: its name within the block in bert4keras, such as `dense_1`; the number comes from Keras.
        name_in_keras_hub: its name within the encoder layer of KerasHub.
    """
    return {
        f"{LAYER}/{path}/{leaf}": KerasNames(
            f"Encoder-*-{block}/Encoder-*-{block}_{letter}{suffix}",
            f"Transformer-*-{block}/{name_in_block}/{leaf}",
            f"transformer_layer_*/{name_in_keras_hub}/{leaf}",
        )
        for leaf, letter in (("kernel", "W"), ("bias", "b"))
    }


def _same_leaves(path: str, leaves: tuple[str, ...], *layers: str) -> dict[str, KerasNames]:
    """The names of a layer's weights if their last components are the same in all libraries and in our paths.

    Args:
        path: our path of the layer.
        leaves: the last components, `DENSE_LEAVES` or `NORM_LEAVES`.
        layers: the names of the layer in the three libraries.
    """
    return {f"{path}/{leaf}": KerasNames(*(f"{layer}/{leaf}" for layer in layers)) for leaf in leaves}


def _norm_after(block: str, path: str, name_in_keras_hub: str) -> dict[str, KerasNames]:
    """The names of the LayerNorm after a block of an encoder layer; arguments as for `_dense`."""
    return _same_leaves(
        f"{LAYER}/{path}",
        NORM_LEAVES,
        f"Encoder-*-{block}-Norm",
        f"Transformer-*-{block}-Norm",
        f"transformer_layer_*/{name_in_keras_hub}",
    )


DENSE_LEAVES, NORM_LEAVES = ("kernel", "bias"), ("gamma", "beta")
"""The last components of the weights of a dense layer and of a LayerNorm."""

ATTENTION, FEED_FORWARD = "MultiHeadSelfAttention", "FeedForward"
"""The names of an encoder layer's two blocks in keras-bert and bert4keras."""

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
    **_same_leaves(
        "bert/embeddings/LayerNorm", NORM_LEAVES, "Embedding-Norm", "Embedding-Norm", "embeddings_layer_norm"
    ),
    **_dense("attention/self/query", ATTENTION, "q", "dense", "self_attention_layer/query"),
    **_dense("attention/self/key", ATTENTION, "k", "dense_1", "self_attention_layer/key"),
    **_dense("attention/self/value", ATTENTION, "v", "dense_2", "self_attention_layer/value"),
    **_dense("attention/output/dense", ATTENTION, "o", "dense_3", "self_attention_layer/attention_output"),
    **_norm_after(ATTENTION, "attention/output/LayerNorm", "self_attention_layer_norm"),
    **_dense("intermediate/dense", FEED_FORWARD, "1", "dense", "feedforward_intermediate_dense"),
    **_dense("output/dense", FEED_FORWARD, "2", "dense_1", "feedforward_output_dense"),
    **_norm_after(FEED_FORWARD, "output/LayerNorm", "feedforward_layer_norm"),
    **_same_leaves("bert/pooler/dense", DENSE_LEAVES, "NSP-Dense", "Pooler-Dense", "pooled_dense"),
    "cls/predictions/output_bias": KerasNames("MLM-Sim/bias", "MLM-Bias/beta", "mlm_head/output_bias"),
    **_same_leaves(
        "cls/predictions/transform/dense", DENSE_LEAVES, "MLM-Dense", "MLM-Dense", "mlm_head/intermediate_dense"
    ),
    **_same_leaves(
        "cls/predictions/transform/LayerNorm", NORM_LEAVES, "MLM-Norm", "MLM-Norm", "mlm_head/intermediate_layer_norm"
    ),
    "cls/seq_relationship/output_weights": KerasNames("NSP/kernel", "NSP-Proba/kernel", None),
    "cls/seq_relationship/output_bias": KerasNames("NSP/bias", "NSP-Proba/bias", None),
}
"""The names of each row, by path."""


def keras_bert_shape(row: Row) -> str:
    """The shape of a row in keras-bert and bert4keras, where the NSP classifier's kernel is (in, out), like all others.

    All other shapes are those of google-research/bert.

    >>> keras_bert_shape(Row("cls/seq_relationship/output_weights", "2 H"))
    'H 2'
    """
    return "H 2" if row.path == "cls/seq_relationship/output_weights" else row.shape
