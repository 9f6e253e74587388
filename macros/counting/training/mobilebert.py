"""The forward pass of MobileBERT, whose layers are narrow between two bottlenecks.

Source: transformers 5.23, models/mobilebert/modeling_mobilebert.py.
"""

from __future__ import annotations

from ..architecture import LAYER
from ..architectures.mobilebert import EARLIER_NETWORKS
from .encoders import ATTENTION, EMBEDDINGS, SELF, run
from .forward import Forward
from .heads import FIRST_TOKENS, run_heads
from .tensors import Tensor

NETWORKS = (*EARLIER_NETWORKS, LAYER)
"""The paths of the feed-forward networks, in the order in which they run."""


def run_mobilebert(forward: Forward, class_name: str) -> None:
    """Run MobileBERT, in any of its classes."""
    run(forward, class_name, embed=embeddings, layer=layer, heads=run_mobilebert_heads)


def embeddings(forward: Forward) -> Tensor:
    """A dense layer's output for each token and its neighbours, plus rows of two tables, normalised, with dropout."""
    word_vectors = forward.input_embedding(f"{EMBEDDINGS}/word_embeddings")
    vectors = forward.dense(word_vectors.with_last_dimension("3E"), f"{EMBEDDINGS}/project")
    for name, ids_shape in (("position", ""), ("token_type", "B T")):
        vectors = forward.add(vectors, forward.embedding(f"{EMBEDDINGS}/{name}_embeddings", ids_shape, "segment ids"))
    return forward.dropout(no_norm(forward, vectors, f"{EMBEDDINGS}/LayerNorm"), EMBEDDINGS)


def no_norm(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """The output of NoNorm: each feature times a factor, plus a shift, in 32 bits under autocast."""
    module = forward.parameters.module(path, forward.layer)
    if module.trains_weight:
        forward.keep(vectors, path, "the input")
    element_size = max(vectors.element_size, forward.element_size)
    return Tensor.new(vectors.shape, element_size, vectors.needs_gradient or module.is_trained)


def layer(forward: Forward, inputs: Tensor) -> Tensor:
    """The output of a layer: bottlenecks, attention, four feed-forward networks, a projection to the hidden size."""
    bottleneck_output = bottleneck(forward, inputs, f"{LAYER}/bottleneck/input")
    query_key_input = bottleneck(forward, inputs, f"{LAYER}/bottleneck/attention")
    query, key = (forward.dense(query_key_input, f"{SELF}/{name}") for name in ("query", "key"))
    mix = forward.attention(query, key, forward.dense(inputs, f"{SELF}/value"), SELF)
    attention_output = forward.dense(mix, f"{ATTENTION}/output/dense")
    vectors = no_norm(forward, forward.add(attention_output, bottleneck_output), f"{ATTENTION}/output/LayerNorm")
    for network in NETWORKS:
        inner_vectors = forward.relu(forward.dense(vectors, f"{network}/intermediate/dense"), f"{network}/intermediate")
        network_output = forward.dense(inner_vectors, f"{network}/output/dense")
        vectors = no_norm(forward, forward.add(network_output, vectors), f"{network}/output/LayerNorm")
    path = f"{LAYER}/output/bottleneck"
    output = forward.dropout(forward.dense(vectors, f"{path}/dense"), path)
    return no_norm(forward, forward.add(output, inputs), f"{path}/LayerNorm")


def bottleneck(forward: Forward, inputs: Tensor, path: str) -> Tensor:
    """The output of a bottleneck: a dense layer that makes vectors narrow, and a NoNorm."""
    return no_norm(forward, forward.dense(inputs, f"{path}/dense"), f"{path}/LayerNorm")


def run_mobilebert_heads(forward: Forward, vectors: Tensor, _pooler_output: Tensor | None, class_name: str) -> None:
    """Run the heads of the class. Heads for whole texts read the first token, because there is no pooler."""
    run_heads(forward, vectors, vectors.part(FIRST_TOKENS), class_name)
