"""The forward pass of BigBird, whose attention is BERT's in short texts, and sparse in longer ones.

Sparse attention is computed block by block. The tokens of the first and of the last
block attend to the whole text. The tokens of every other block attend to that block, its
two neighbours, the first block, the last one, and R random ones. A block has W tokens, and all
these blocks have E. In the second block and in the last but one, the first or the last block
is also a neighbour, so E−W tokens remain. There is no dropout of the shares, the results of
the softmax.

A product reads heads that are side by side in memory. With one text it reads them in
place, and with several it copies them. Tensors that are split into blocks are always
copied.

At the end, transformers writes the shares into a table of T × T numbers for each head. It
frees the table at once, along with the indices that it used. Neither is kept for the
backward pass.

Source: transformers 5.23, models/big_bird/modeling_big_bird.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ..architectures.bigbird import BLOCKS_AROUND, block_size_and_random_blocks
from ..errors import BadChoice
from .encoders import EMBEDDINGS, SELF, bert_layer, projections, run, self_attention
from .forward import Forward
from .heads import run_edge_losses, run_heads
from .tensors import FULL, INTEGER, Tensor

ANSWER_HEAD = "answer_head"
"""The path of the feed-forward network in the head for question answering."""

BLOCK, RANDOM, BAND = "W", "R", "E"
"""The letters for the tokens of a block, the number of random blocks, and the tokens that a middle token attends to."""

END_SHAPE = f"B A {BLOCK} D"
"""The symbolic shape of the queries, keys or values of one block."""

MIDDLE_TOKENS = f"B A T−4{BLOCK}"
"""The dimensions for the tokens in all blocks but two at each end, in every head of every text."""

MIDDLE_SHAPE = f"{MIDDLE_TOKENS} D"
"""The symbolic shape of the queries, keys or values of these tokens."""


def sparse_sizes(attention_settings: Mapping[str, Any], heads: int, tokens: int) -> Mapping[str, int]:
    """The sizes of sparse attention by letter; empty if every token attends to every other.

    Args:
        attention_settings: the settings of sparse attention in the config.
        heads: the number of attention heads.
        tokens: tokens per text.

    Raises:
        BadChoice: the memory of sparse attention is not counted; for example, texts end within a block.
    """
    sparse_settings = block_size_and_random_blocks(attention_settings, tokens)
    if sparse_settings is None:
        return {}
    block_size, random_blocks = sparse_settings
    if tokens % block_size:
        raise BadChoice(
            f"{tokens} tokens are not a multiple of the block of {block_size} tokens, "
            f"and the copies that padding needs are not counted; choose {tokens // block_size * block_size}"
        )
    if heads == 1:
        raise BadChoice("memory in training is counted for sparse attention from two heads on")
    return {BLOCK: block_size, RANDOM: random_blocks, BAND: (BLOCKS_AROUND + random_blocks) * block_size}


def run_bigbird(forward: Forward, class_name: str) -> None:
    """Run BigBird, in any of its classes."""
    is_question_answering = class_name.endswith("QuestionAnswering")
    mask = Tensor.new("B T", FULL)
    attention = partial(sparse_attention, mask=mask) if BLOCK in forward.sizes else self_attention
    run(
        forward,
        class_name,
        embed=partial(embeddings, is_question_answering=is_question_answering),
        layer=partial(bert_layer, attention=attention),
        keeps_mask=False,
        heads=run_bigbird_heads,
    )


def embeddings(forward: Forward, *, is_question_answering: bool) -> Tensor:
    """The sum of a row of each table, normalised after dropout."""
    vectors = forward.input_embedding(f"{EMBEDDINGS}/word_embeddings")
    for name, ids_shape in (("token_type", "B T" if is_question_answering else ""), ("position", "")):
        vectors = forward.add(vectors, forward.embedding(f"{EMBEDDINGS}/{name}_embeddings", ids_shape, "segment ids"))
    return forward.norm(forward.dropout(vectors, EMBEDDINGS), f"{EMBEDDINGS}/LayerNorm")


def sparse_attention(forward: Forward, inputs: Tensor, *, mask: Tensor) -> Tensor:
    """The output of sparse attention.

    Args:
        forward: the forward pass.
        inputs: the input of the layer.
        mask: numbers that mark the tokens other than padding. A layer copies the mask if texts are padded, or if its
            vectors have another type.
    """
    query, key, value = projections(forward, inputs)
    indices = Tensor.new(f"B A T/{BLOCK}−2 {RANDOM}", INTEGER)
    for tensor, contents in ((key, "keys"), (value, "values")):
        if tensor.needs_gradient:
            forward.keep(indices, SELF, "indices of the random blocks")
            forward.keep(tensor, SELF, contents)
    mixes = []
    for block in ("first", "last"):
        keys, values = (side_by_side(forward, tensor, "B A T D") for tensor in (key, value))
        mixes.append(attention_at_end(forward, query, keys, values, f"the {block} block"))
    for block in ("second", "last but one"):
        keys, values = (reordered_copy(tensor, f"B A {BAND}−{BLOCK} D") for tensor in (key, value))
        mixes.append(attention_at_end(forward, query, keys, values, f"the {block} block"))
    mixes.append(attention_in_middle(forward, query, key, value))
    needs_gradient = any(tensor.needs_gradient for tensor in mixes)
    if needs_gradient:
        is_cast = forward.settings.padded or forward.element_size != FULL
        mask_read = mask.copy(forward.element_size) if is_cast else mask
        forward.keep(mask_read, SELF, "which tokens are not padding", is_shared=not is_cast)
    # The mask has the type of the weights, so the product with the mask has this type, too.
    return Tensor.new("B T H", forward.element_size, needs_gradient)


def side_by_side(forward: Forward, tensor: Tensor, shape: str) -> Tensor:
    """Queries, keys or values of successive tokens, split into heads, as a product reads them."""
    return tensor.part(shape) if forward.sizes["B"] == 1 else reordered_copy(tensor, shape)


def reordered_copy(tensor: Tensor, shape: str) -> Tensor:
    """A copy of queries, keys or values in another order."""
    return Tensor.new(shape, tensor.element_size, tensor.needs_gradient)


def attention_at_end(forward: Forward, query: Tensor, keys: Tensor, values: Tensor, block: str) -> Tensor:
    """The mix of the values for one of the two blocks at either end of the text; each block has its own products."""
    queries = side_by_side(forward, query, END_SHAPE)
    scores_shape = f"B A {BLOCK} {keys.shape.split()[2]}"
    names = (f"queries of {block}", f"keys for {block}")
    shares = softmax(forward, forward.product(queries, keys, scores_shape, SELF, names), f"shares of {block}")
    names = (f"shares of {block}, as the product reads them", f"values for {block}")
    return forward.product(forward.cast(shares), values, END_SHAPE, SELF, names)


def attention_in_middle(forward: Forward, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The mix of the values for all blocks but two at each end, with a product for each kind of block that is read."""
    kinds = ("near", "random", "first", "last")
    scores = []
    for kind in kinds:
        queries = (
            reordered_copy(query, MIDDLE_SHAPE)
            if kind in COPIED_BLOCK_COUNTS
            else side_by_side(forward, query, MIDDLE_SHAPE)
        )
        keys = blocks_of_kind(forward, key, kind)
        names = (f"queries, for the {kind} blocks", f"keys of the {kind} blocks")
        scores.append(forward.product(queries, keys, f"{MIDDLE_TOKENS} {tokens_of(kind)}", SELF, names))
    needs_gradient = any(tensor.needs_gradient for tensor in scores)
    shares = softmax(
        forward,
        Tensor.new(f"{MIDDLE_TOKENS} {BAND}", scores[0].element_size, needs_gradient),
        "shares of the middle blocks",
    )
    mixes = []
    for kind in kinds:
        shares_read = forward.cast(shares.part(f"{MIDDLE_TOKENS} {tokens_of(kind)}"))
        names = (f"shares of the {kind} blocks, as the product reads them", f"values of the {kind} blocks")
        values = blocks_of_kind(forward, value, kind)
        mixes.append(forward.product(shares_read, values, MIDDLE_SHAPE, SELF, names))
    return Tensor.new(MIDDLE_SHAPE, mixes[0].element_size, any(tensor.needs_gradient for tensor in mixes))


COPIED_BLOCK_COUNTS = {"near": "3", "random": RANDOM}
"""By kind, the number of blocks that are copied for each block in the middle, as a number or a letter."""


def tokens_of(kind: str) -> str:
    """The tokens in the blocks of one kind to which a token in the middle attends, as a symbolic dimension."""
    return COPIED_BLOCK_COUNTS.get(kind, "") + BLOCK


def blocks_of_kind(forward: Forward, tensor: Tensor, kind: str) -> Tensor:
    """The keys or the values of the blocks of a kind, as the products of the middle blocks read them."""
    if kind in COPIED_BLOCK_COUNTS:
        return reordered_copy(tensor, f"{MIDDLE_SHAPE} {COPIED_BLOCK_COUNTS[kind]}")
    return side_by_side(forward, tensor, END_SHAPE)


def softmax(forward: Forward, scores: Tensor, contents: str) -> Tensor:
    """The shares: the softmax of the scores, in 32 bits under autocast."""
    shares = forward.uncast(scores).copy()
    if shares.needs_gradient:
        forward.keep(shares, SELF, contents)
    return shares


def run_bigbird_heads(forward: Forward, vectors: Tensor, pooler_output: Tensor | None, class_name: str) -> None:
    """Run the heads of the class. The head for answers has a feed-forward network of its own."""
    if f"{ANSWER_HEAD}/output/dense" not in forward.parameters:
        run_heads(forward, vectors, pooler_output, class_name)
        return
    inputs = forward.dropout(vectors, ANSWER_HEAD)
    inner_vectors = forward.activation(
        forward.dense(inputs, f"{ANSWER_HEAD}/intermediate/dense"), f"{ANSWER_HEAD}/intermediate"
    )
    network_output = forward.dropout(
        forward.dense(inner_vectors, f"{ANSWER_HEAD}/output/dense"), f"{ANSWER_HEAD}/output"
    )
    vectors_between = forward.norm(forward.add(network_output, vectors), f"{ANSWER_HEAD}/output/LayerNorm")
    logits = forward.dense(vectors_between, "cls/squad")
    # To rule out the tokens of the question, transformers subtracts numbers in 32 bits, so the logits are in 32 bits.
    run_edge_losses(forward, forward.in_full(logits), "cls/squad")
