"""The forward passes of DeBERTa, in both versions: attention that also reads relative positions.

Every head adds two products to its scores: queries times positions, and keys times
positions. Each product is computed for every position that a text may need (in v2, for the
whole table of positions), and `gather` picks one number for each pair of tokens. For the
backward pass, `gather` keeps the whole product, and indices of 8 bytes each. Attention
always runs product by product, and always with a mask.

Source: transformers 5.23, models/deberta/modeling_deberta.py and models/deberta_v2/modeling_deberta_v2.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..architectures.deberta_v2 import CONVOLUTION
from ..architectures.mpnet import RELATIVE_POSITIONS
from .encoders import EMBEDDINGS, ENCODER, SELF, Norm, bert_layer, projections
from .forward import Forward
from .heads import FIRST_TOKENS, run_heads, run_labels, run_labels_of_some_texts
from .tensors import FULL, INTEGER, MASK, Tensor

Attention = Callable[[Forward, Tensor, Tensor], Tensor]
"""Runs attention: it takes the forward pass, the table of positions and a layer's input, and returns its output."""


def run_deberta_v2(forward: Forward, class_name: str) -> None:
    """Run DeBERTa-v2 or v3, in any of its classes."""
    run(forward, class_name, attention_with_shared_projections, Forward.norm)


def run_deberta(forward: Forward, class_name: str) -> None:
    """Run DeBERTa, the first version, in any of its classes."""
    run(forward, class_name, attention_with_position_projections, norm_in_steps)


def run(forward: Forward, class_name: str, attention: Attention, norm: Norm) -> None:
    """Run the model with its head and the loss.

    Args:
        forward: the forward pass.
        class_name: the class in transformers.
        attention: runs attention.
        norm: runs a LayerNorm in the embeddings and in layers.
    """
    mask = Tensor.new("B T", INTEGER if forward.settings.padded else FULL)
    vectors = norm(forward, forward.input_embedding(f"{EMBEDDINGS}/word_embeddings"), f"{EMBEDDINGS}/LayerNorm")
    embeddings = forward.dropout(apply_mask(forward, vectors, mask, EMBEDDINGS), EMBEDDINGS)
    positions = forward.table(f"{RELATIVE_POSITIONS}/relative_embeddings")
    if f"{RELATIVE_POSITIONS}/LayerNorm" in forward.parameters:
        positions = forward.norm(positions, f"{RELATIVE_POSITIONS}/LayerNorm")
    if forward.settings.checkpointing:
        forward.keep(Tensor.new("B T T", mask.element_size), ENCODER, "the mask, which all layers read")

    def attend(forward: Forward, inputs: Tensor) -> Tensor:
        """The output of attention, which every layer computes with the same table of positions."""
        return attention(forward, positions, inputs)

    has_convolution = f"{CONVOLUTION}/dense" in forward.parameters
    vectors = forward.run_layers(
        embeddings,
        partial(bert_layer, forward, attention=attend, norm=norm),
        after_first=partial(convolution, forward, embeddings, mask) if has_convolution else None,
    )
    run_deberta_heads(forward, vectors, class_name)


def apply_mask(forward: Forward, vectors: Tensor, mask: Tensor, path: str) -> Tensor:
    """Vectors times the mask, which PyTorch first converts to their type."""
    if vectors.needs_gradient:
        forward.keep(
            mask if mask.element_size == vectors.element_size else mask.copy(vectors.element_size), path, "the mask"
        )
    return vectors.copy()


def norm_in_steps(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """LayerNorm as DeBERTa writes it, in Python rather than with PyTorch's own operation."""
    purposes = ("to be squared", "to be divided")
    distances = {f"the distances from the mean, {purpose}": vectors.copy(FULL) for purpose in purposes}
    return forward.norm_in_steps(vectors, path, distances, "standard deviation", "gamma and beta")


def attention_with_shared_projections(forward: Forward, table: Tensor, inputs: Tensor) -> Tensor:
    """The mix of the values in DeBERTa-v2, where positions go through the projections of queries and keys."""
    query, key, value = projections(forward, inputs)
    scores = forward.product(query, key.copy(), "B A T T", SELF, ("queries", "keys, divided"))
    positions = forward.dropout(table, SELF, "dropout mask of the positions")
    row_dimension = positions.shape.split()[0]
    for name, tokens, contents in (("key", query, "queries"), ("query", key, "keys")):
        # Every text gets a copy of the projection.
        projection = copy_per_text(forward.dense(positions, f"{SELF}/{name}"))
        position_scores = forward.product(
            tokens, projection, f"B A T {row_dimension}", SELF, (contents, f"positions, projected as {name}")
        )
        scores = forward.add(scores, gather(forward, position_scores, name))
    return mix(forward, scores, value)


def attention_with_position_projections(forward: Forward, table: Tensor, inputs: Tensor) -> Tensor:
    """The mix of the values in DeBERTa, where positions have projections of their own.

    These projections read only as many rows of the table as a text needs. A single projection
    computes queries, keys and values. Queries and values have a bias each; adding it converts
    them to 32 bits under autocast.
    """
    joint_projection = forward.dense(inputs, f"{SELF}/query_key_value")
    key = joint_projection.part("B T H")
    query, value = (forward.add(key.copy(), forward.bias(f"{SELF}/{name}")) for name in ("query", "value"))
    scores = forward.product(as_heads(forward, query), as_heads(forward, key), "B A T T", SELF, ("queries", "keys"))
    positions = forward.dropout(table, SELF, "dropout mask of the positions").part("2T H")
    for name, tokens, contents in (("key", query, "queries"), ("query", key, "keys")):
        projection = forward.dense(positions, f"{SELF}/position_{name}")
        if forward.sizes["B"] > 1:
            projection = copy_per_text(projection)
        position_scores = forward.product(
            as_heads(forward, tokens),
            projection,
            "B A T 2T",
            SELF,
            (f"{contents}, for the positions", f"positions, projected as {name}"),
        )
        scores = forward.add(scores, gather(forward, position_scores, name))
    return mix(forward, scores, forward.cast(value))


def copy_per_text(projection: Tensor) -> Tensor:
    """The projection of the positions, with a copy for each text."""
    return Tensor.new(f"B {projection.shape}", projection.element_size, projection.needs_gradient)


def as_heads(forward: Forward, tensor: Tensor) -> Tensor:
    """Queries or keys as a product reads them: a copy that is split into heads, unless there is nothing to reorder."""
    tensor_read = forward.cast(tensor)
    # The cast is already a copy, and with a single text or token the order in memory stays the same.
    needs_copy = tensor_read is tensor and forward.sizes["B"] > 1 and forward.sizes["T"] > 1
    return tensor.copy() if needs_copy else tensor_read


def gather(forward: Forward, product: Tensor, name: str) -> Tensor:
    """Pick from a product, for each pair of tokens, the number for the position of one relative to the other."""
    if product.needs_gradient:
        forward.keep(Tensor.new("T T", INTEGER), SELF, f"indices of the positions, projected as {name}")
        forward.keep(product, SELF, f"scores of all positions, projected as {name}")
    return Tensor.new("B A T T", product.element_size, product.needs_gradient)


def mix(forward: Forward, scores: Tensor, value: Tensor) -> Tensor:
    """The values, mixed by the softmax of the masked scores."""
    if scores.needs_gradient:
        forward.keep(Tensor.new("B T T", MASK), SELF, "the mask")
    return forward.mix(scores, value, SELF)


def convolution(forward: Forward, embeddings: Tensor, mask: Tensor, vectors: Tensor) -> Tensor:
    """The sum of the first layer's output and a convolution over the embeddings, normalised and masked.

    Args:
        forward: the forward pass.
        embeddings: the output of the embeddings.
        mask: the mask, a number for each token.
        vectors: the output of the first layer.
    """
    features = forward.convolution(embeddings, f"{CONVOLUTION}/dense")
    if features.needs_gradient:
        forward.keep(Tensor.new("B T", MASK), CONVOLUTION, "whether a token is padding")
    features = forward.tanh(forward.dropout(features, CONVOLUTION), CONVOLUTION)
    vectors = forward.norm(forward.add(vectors, features), f"{CONVOLUTION}/LayerNorm")
    return apply_mask(forward, vectors, mask, CONVOLUTION)


def run_deberta_heads(forward: Forward, vectors: Tensor, class_name: str) -> None:
    """Run the head of the class, with its loss."""
    if "sequence_head/dense" in forward.parameters:
        path = "sequence_classifier"
        run_labels_of_some_texts(forward, pool(forward, vectors, "sequence_head", path), path)
    elif "multiple_choice_head/dense" in forward.parameters:
        path = "multiple_choice"
        run_labels(forward, pool(forward, vectors, "multiple_choice_head", path), path, "N", "the correct choices")
    else:
        run_heads(forward, vectors, None, class_name)


def pool(forward: Forward, vectors: Tensor, pooler: str, path: str) -> Tensor:
    """The output of a pooler that belongs to a single head.

    Args:
        forward: the forward pass.
        vectors: the output of the last layer.
        pooler: the path of the pooler.
        path: the path of the head.
    """
    dense_output = forward.dense(vectors.part(FIRST_TOKENS), f"{pooler}/dense")
    return forward.dropout(forward.activation(dense_output, pooler), path)
