"""The forward passes of DeBERTa, in both versions: attention that also reads relative positions.

Every head adds two products to its scores: the queries with the positions, and the
keys with the positions. Each is computed for all rows of the table of positions that
the text may need, and `gather` picks one number for each pair of tokens. For its
backward pass, `gather` keeps the whole product, and indices of 8 bytes each.
Attention always runs product by product, and always with a mask.

Source: transformers 5.23, models/deberta/modeling_deberta.py and models/deberta_v2/modeling_deberta_v2.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .encoders import EMBEDDINGS, ENCODER, SELF, Norm, bert_layer, projections
from .forward import Forward
from .heads import FIRST, labels, picked_label, run_heads
from .tensors import FULL, INTEGER, MASK, Tensor

TABLE = "bert/relative_positions"
CONVOLUTION = f"{ENCODER}/convolution"

Attention = Callable[[Forward, Tensor, Tensor], Tensor]
"""A function that runs attention: it takes the table of positions and the input of a layer."""


def deberta_v2(forward: Forward, class_name: str) -> None:
    """DeBERTa-v2 or v3, in any of its classes."""
    run(forward, class_name, attention_with_shared_projections, Forward.norm)


def deberta(forward: Forward, class_name: str) -> None:
    """DeBERTa, the first version, in any of its classes."""
    run(forward, class_name, attention_with_own_projections, norm_in_steps)


def run(forward: Forward, class_name: str, attention: Attention, norm: Norm) -> None:
    """The model with its head and the loss.

    Args:
        forward: the forward pass.
        class_name: the class in transformers.
        attention: runs attention.
        norm: runs a LayerNorm in the embeddings and in layers.
    """
    mask = Tensor.new("B T", INTEGER if forward.way.padded else FULL)
    vectors = norm(forward, forward.input_embedding(f"{EMBEDDINGS}/word_embeddings"), f"{EMBEDDINGS}/LayerNorm")
    embedded = vectors = forward.dropout(apply_mask(forward, vectors, mask, EMBEDDINGS), EMBEDDINGS)
    positions = forward.table(f"{TABLE}/relative_embeddings")
    if f"{TABLE}/LayerNorm" in forward.parameters:
        positions = forward.norm(positions, f"{TABLE}/LayerNorm")
    if forward.way.checkpointing:
        forward.keep(Tensor.new("B T T", mask.width), ENCODER, "the mask, which all layers read")

    def attend(forward: Forward, inputs: Tensor) -> Tensor:
        return attention(forward, positions, inputs)

    has_convolution = f"{CONVOLUTION}/dense" in forward.parameters
    vectors = forward.layers(
        vectors,
        partial(bert_layer, forward, attention=attend, norm=norm),
        after_first=partial(convolution, forward, embedded, mask) if has_convolution else None,
    )
    heads(forward, vectors, class_name)


def apply_mask(forward: Forward, vectors: Tensor, mask: Tensor, path: str) -> Tensor:
    """Vectors times the mask, which PyTorch first turns into their type."""
    if vectors.needs_gradient:
        forward.keep(mask if mask.width == vectors.width else mask.copied(vectors.width), path, "the mask")
    return vectors.copied()


def norm_in_steps(forward: Forward, vectors: Tensor, path: str) -> Tensor:
    """LayerNorm as DeBERTa writes it."""
    uses = ("to be squared", "to be divided")
    distances = {f"the distances from the mean, {use}": vectors.copied(FULL) for use in uses}
    return forward.norm_in_steps(vectors, path, distances, "standard deviation", "gamma and beta")


def attention_with_shared_projections(forward: Forward, table: Tensor, inputs: Tensor) -> Tensor:
    """Attention in DeBERTa-v2, where positions go through the projections of queries and keys."""
    query, key, value = projections(forward, inputs)
    scores = forward.product(query, key.copied(), "B A T T", SELF, ("queries", "keys, divided"))
    positions = forward.dropout(table, SELF, "dropout mask of the positions")
    rows = positions.shape.split()[0]
    for name, tokens, words in (("key", query, "queries"), ("query", key, "keys")):
        projected = forward.dense(positions, f"{SELF}/{name}")
        # Every text gets a copy.
        projected = Tensor.new(f"B {projected.shape}", projected.width, projected.needs_gradient)
        of_positions = forward.product(
            tokens, projected, f"B A T {rows}", SELF, (words, f"positions, projected as {name}")
        )
        scores = forward.add(scores, gather(forward, of_positions, name))
    return mix(forward, scores, value)


def attention_with_own_projections(forward: Forward, table: Tensor, inputs: Tensor) -> Tensor:
    """Attention in DeBERTa, where positions have projections of their own, which read as many rows as a text needs.

    One projection makes queries, keys and values. Queries and values have a bias each,
    with which they are in 32 bits under autocast.
    """
    projections = forward.dense(inputs, f"{SELF}/query_key_value")
    key = projections.part("B T H")
    query, value = (forward.add(key.copied(), forward.bias(f"{SELF}/{name}")) for name in ("query", "value"))
    scores = forward.product(in_product(forward, query), in_product(forward, key), "B A T T", SELF, ("queries", "keys"))
    positions = forward.dropout(table, SELF, "dropout mask of the positions").part("2T H")
    for name, tokens, words in (("key", query, "queries"), ("query", key, "keys")):
        projected = forward.dense(positions, f"{SELF}/position_{name}")
        if forward.sizes["B"] > 1:
            projected = Tensor.new(f"B {projected.shape}", projected.width, projected.needs_gradient)
        of_positions = forward.product(
            in_product(forward, tokens),
            projected,
            "B A T 2T",
            SELF,
            (f"{words}, for the positions", f"positions, projected as {name}"),
        )
        scores = forward.add(scores, gather(forward, of_positions, name))
    return mix(forward, scores, forward.cast(value))


def in_product(forward: Forward, tensor: Tensor) -> Tensor:
    """Queries or keys as a product reads them: a copy that is split into heads, unless there is nothing to reorder."""
    tensor_read = forward.cast(tensor)
    is_copied = tensor_read is tensor and forward.sizes["B"] > 1 and forward.sizes["T"] > 1
    return tensor.copied() if is_copied else tensor_read


def gather(forward: Forward, product: Tensor, name: str) -> Tensor:
    """For each pair of tokens the number that belongs to the position of one relative to the other."""
    if product.needs_gradient:
        forward.keep(Tensor.new("T T", INTEGER), SELF, f"indices of the positions, projected as {name}")
        forward.keep(product, SELF, f"scores of all positions, projected as {name}")
    return Tensor.new("B A T T", product.width, product.needs_gradient)


def mix(forward: Forward, scores: Tensor, value: Tensor) -> Tensor:
    """The values, mixed by the softmax of the scores after the mask."""
    if scores.needs_gradient:
        forward.keep(Tensor.new("B T T", MASK), SELF, "the mask")
    return forward.mix(scores, value, SELF)


def convolution(forward: Forward, embedded: Tensor, mask: Tensor, vectors: Tensor) -> Tensor:
    """The convolution over the embeddings, whose output is added to that of the first layer.

    Args:
        forward: the forward pass.
        embedded: the embeddings.
        mask: the mask, a number for each token.
        vectors: the output of the first layer.
    """
    convolved = forward.convolution(embedded, f"{CONVOLUTION}/dense")
    if convolved.needs_gradient:
        forward.keep(Tensor.new("B T", MASK), CONVOLUTION, "whether a token is padding")
    activations = forward.tanh(forward.dropout(convolved, CONVOLUTION), CONVOLUTION)
    vectors = forward.norm(forward.add(vectors, activations), f"{CONVOLUTION}/LayerNorm")
    return apply_mask(forward, vectors, mask, CONVOLUTION)


def heads(forward: Forward, vectors: Tensor, class_name: str) -> None:
    """The head of the class, with its loss."""
    if "sequence_head/dense" in forward.parameters:
        path = "sequence_classifier"
        picked_label(forward, pooled(forward, vectors, "sequence_head", path), path)
    elif "multiple_choice_head/dense" in forward.parameters:
        path = "multiple_choice"
        labels(forward, pooled(forward, vectors, "multiple_choice_head", path), path, "N", "the correct choices")
    else:
        run_heads(forward, vectors, None, class_name)


def pooled(forward: Forward, vectors: Tensor, pooler: str, path: str) -> Tensor:
    """The output of a pooler that belongs to one head, whose path is the last argument."""
    dense = forward.dense(vectors.part(FIRST), f"{pooler}/dense")
    return forward.dropout(forward.activation(dense, pooler), path)
