"""The forward pass of MobileBERT, whose layers are narrow between two bottlenecks.

Source: transformers 5.23, models/mobilebert/modeling_mobilebert.py.
"""

from __future__ import annotations

from ..architecture import LAYER
from .encoders import ATTENTION, EMBEDDINGS, SELF, run
from .forward import Forward
from .heads import FIRST, run_heads
from .tensors import Tensor

NETWORKS = (*(f"{LAYER}/feed_forward_{number}" for number in range(3)), LAYER)
"""The paths of the feed-forward networks, in the order in which they run."""


def mobilebert(forward: Forward, class_name: str) -> None:
    """MobileBERT, in any of its classes."""
    run(forward, class_name, embed=embeddings, layer=layer, heads=heads)


def embeddings(forward: Forward) -> Tensor:
    """The output of a dense layer for three successive tokens, plus a row for the position and one for the segment."""
    narrow = forward.input_embedding(f"{EMBEDDINGS}/word_embeddings")
    vectors = forward.dense(narrow.resized("3E"), f"{EMBEDDINGS}/project")
    for name, ids in (("position", ""), ("token_type", "B T")):
        vectors = forward.add(vectors, forward.embedding(f"{EMBEDDINGS}/{name}_embeddings", ids, "segment ids"))
    return forward.dropout(no_norm(forward, vectors, f"{EMBEDDINGS}/LayerNorm"), EMBEDDINGS)


def no_norm(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """NoNorm: a factor and a shift for each feature, in 32 bits under autocast."""
    module = forward.parameters.module(path, forward.layer)
    if module.trains_weight:
        forward.keep(vectors, path, "the input")
    width = max(vectors.width, forward.width)
    return Tensor.new(vectors.shape, width, vectors.needs_gradient or module.is_trained)


def layer(forward: Forward, inputs: Tensor) -> Tensor:
    """Two bottlenecks, attention, four feed-forward networks, and a way back to the hidden size."""
    narrow, shared = (bottleneck(forward, inputs, f"{LAYER}/bottleneck/{name}") for name in ("input", "attention"))
    query, key = (forward.dense(shared, f"{SELF}/{name}") for name in ("query", "key"))
    mixed = forward.attention(query, key, forward.dense(inputs, f"{SELF}/value"), SELF)
    mixed = forward.dense(mixed, f"{ATTENTION}/output/dense")
    vectors = no_norm(forward, forward.add(mixed, narrow), f"{ATTENTION}/output/LayerNorm")
    for network in NETWORKS:
        wide = forward.relu(forward.dense(vectors, f"{network}/intermediate/dense"), f"{network}/intermediate")
        narrowed = forward.dense(wide, f"{network}/output/dense")
        vectors = no_norm(forward, forward.add(narrowed, vectors), f"{network}/output/LayerNorm")
    path = f"{LAYER}/output/bottleneck"
    widened = forward.dropout(forward.dense(vectors, f"{path}/dense"), path)
    return no_norm(forward, forward.add(widened, inputs), f"{path}/LayerNorm")


def bottleneck(forward: Forward, inputs: Tensor, path: str) -> Tensor:
    """A dense layer that makes vectors narrow, and a NoNorm."""
    return no_norm(forward, forward.dense(inputs, f"{path}/dense"), f"{path}/LayerNorm")


def heads(forward: Forward, vectors: Tensor, _pooled: Tensor | None, class_name: str) -> None:
    """The heads of the class. Those for whole texts read the first token, since there is no pooler."""
    run_heads(forward, vectors, vectors.part(FIRST), class_name)
