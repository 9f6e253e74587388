"""The forward passes of BERT and of its closest relatives, as sequences of the operations of `Forward`.

They follow the modeling files of transformers 5.23. `run` runs a whole model;
relatives pass functions to it for the parts in which they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ..architecture import LAYER
from .forward import Forward
from .heads import Heads, reads_pooler, run_heads, run_passage_heads
from .tensors import FULL, INTEGER, MASK, Tensor

BERT_IDS = {
    "token_type_embeddings": ("T", "segment ids, one row for all texts"),
    "position_embeddings": ("", ""),
    "task_type_embeddings": ("B T", "task ids"),
}
"""By table, the symbolic shape and the contents of the ids that select its rows. Position ids are a buffer in BERT."""

IDS_WITHOUT_SEGMENT_BUFFER = {**BERT_IDS, "token_type_embeddings": ("B T", "segment ids")}
"""The ids in architectures that do not keep segment ids as a buffer."""

ROBERTA_IDS = {
    "token_type_embeddings": ("B T", "segment ids"),
    "position_embeddings": ("B T", "position ids, which leave padding out"),
}
"""The ids in RoBERTa, where positions depend on which tokens are padding."""

Layer = Callable[[Forward, Tensor], Tensor]
"""A function that runs a layer, or the attention in a layer: it takes the input and returns the output."""

Norm = Callable[[Forward, Tensor, str], Tensor]
"""A function that runs a LayerNorm: it takes the input and the path, and returns the output."""

EMBEDDINGS, ATTENTION, ENCODER = "bert/embeddings", f"{LAYER}/attention", "bert/encoder"
SELF, POOLER = f"{ATTENTION}/self", "bert/pooler/dense"


def run(
    forward: Forward,
    class_name: str,
    *,
    ids: Mapping[str, tuple[str, str]] = BERT_IDS,
    embed: Callable[[Forward], Tensor] | None = None,
    layer: Layer | None = None,
    before_layers: Callable[[Forward, Tensor], None] | None = None,
    keeps_mask: bool = True,
    widens_late: bool = False,
    heads: Heads = run_heads,
) -> None:
    """Run BERT or a relative of it, in any of its classes, with its loss if it has one.

    Args:
        forward: the forward pass.
        class_name: the class in transformers.
        ids: by table of embeddings, the symbolic shape and the contents of the ids that select its rows.
        embed: runs the embeddings; if not given, they are added up as in BERT.
        layer: runs a layer; BERT's layer if not given.
        before_layers: if given, runs the operations whose results all layers share, before the first layer.
        keeps_mask: whether checkpointing keeps the mask, as it does if layers take the mask as a positional argument.
        widens_late: whether narrow embeddings are projected to the hidden size only after the mask is created; the mask
            then has the type of the narrow embeddings.
        heads: runs the heads of the class, with their losses.
    """
    embedding_output = embed(forward) if embed else embeddings(forward, ids)
    vectors = embedding_output
    if "bert/embeddings_project" in forward.parameters:
        vectors = forward.dense(embedding_output, "bert/embeddings_project")
    if before_layers:
        before_layers(forward, vectors)
    if keeps_mask and forward.settings.checkpointing:
        forward.keep_mask(embedding_output if widens_late else vectors)
    vectors = forward.run_layers(vectors, partial(layer or bert_layer, forward))
    if f"{ENCODER}/LayerNorm" in forward.parameters:
        vectors = forward.norm(vectors, f"{ENCODER}/LayerNorm")
    has_pooler = POOLER in forward.parameters and reads_pooler(forward, class_name)
    heads(forward, vectors, bert_pooler(forward, vectors) if has_pooler else None, class_name)


def embeddings(forward: Forward, ids: Mapping[str, tuple[str, str]]) -> Tensor:
    """The sum of one row of each table for every token, normalised if there is a LayerNorm, with dropout."""
    vectors = forward.input_embedding(f"{EMBEDDINGS}/word_embeddings")
    for name, (shape, contents) in ids.items():
        if f"{EMBEDDINGS}/{name}" in forward.parameters:
            vectors = forward.add(vectors, forward.embedding(f"{EMBEDDINGS}/{name}", shape, contents))
    if f"{EMBEDDINGS}/LayerNorm" in forward.parameters:
        vectors = forward.norm(vectors, f"{EMBEDDINGS}/LayerNorm")
    return forward.dropout(vectors, EMBEDDINGS)


def projections(forward: Forward, inputs: Tensor) -> Iterator[Tensor]:
    """The queries, the keys and the values, which three dense layers compute."""
    return (forward.dense(inputs, f"{SELF}/{name}") for name in ("query", "key", "value"))


def self_attention(forward: Forward, inputs: Tensor, *, in_full: bool = False) -> Tensor:
    """The output of BERT's attention; `in_full` is passed to `Forward.mix`."""
    query, key, value = projections(forward, inputs)
    return forward.attention(query, key, value, SELF, in_full=in_full)


def bert_layer(
    forward: Forward,
    inputs: Tensor,
    *,
    attention: Layer = self_attention,
    norm: Norm = Forward.norm,
    drops_after_attention: bool = True,
    drops_after_feed_forward: bool = True,
) -> Tensor:
    """The output of a layer: attention and a feed-forward network, each with a residual connection and then LayerNorm.

    Args:
        forward: the forward pass.
        inputs: the input of the layer.
        attention: runs attention, up to the mix of the values.
        norm: runs a LayerNorm.
        drops_after_attention: whether there is dropout after attention.
        drops_after_feed_forward: whether there is dropout after the feed-forward network.
    """
    output = forward.dense(attention(forward, inputs), f"{ATTENTION}/output/dense")
    if drops_after_attention:
        output = forward.dropout(output, f"{ATTENTION}/output")
    vectors_between = norm(forward, forward.add(output, inputs), f"{ATTENTION}/output/LayerNorm")
    output = feed_forward(forward, vectors_between)
    if drops_after_feed_forward:
        output = forward.dropout(output, f"{LAYER}/output")
    return norm(forward, forward.add(output, vectors_between), f"{LAYER}/output/LayerNorm")


def feed_forward(forward: Forward, inputs: Tensor) -> Tensor:
    """The output of two dense layers with an activation function between them."""
    inner_vectors = forward.activation(forward.dense(inputs, f"{LAYER}/intermediate/dense"), f"{LAYER}/intermediate")
    return forward.dense(inner_vectors, f"{LAYER}/output/dense")


def layer_after_norm(
    forward: Forward, inputs: Tensor, *, attention: Layer = self_attention, drops_output: bool = True
) -> Tensor:
    """The output of a layer whose LayerNorms come before attention and before the feed-forward network."""
    norm_output = forward.norm(inputs, f"{ATTENTION}/LayerNorm")
    attention_output = forward.dense(attention(forward, norm_output), f"{ATTENTION}/output/dense")
    vectors_between = forward.add(forward.dropout(attention_output, f"{ATTENTION}/output"), inputs)
    network_output = feed_forward(forward, forward.norm(vectors_between, f"{LAYER}/intermediate/LayerNorm"))
    return forward.add(
        forward.dropout(network_output, f"{LAYER}/output") if drops_output else network_output, vectors_between
    )


def rotary_attention(forward: Forward, inputs: Tensor) -> Tensor:
    """The output of attention whose queries and keys are rotated."""
    query, key, value = projections(forward, inputs)
    query, key = (forward.rotate(tensor, SELF) for tensor in (query, key))
    return forward.attention(query, key, value, SELF)


def rotary_layer(forward: Forward, inputs: Tensor, *, drops_after_gate: bool = False) -> Tensor:
    """The output of BERT's layer with rotated queries and keys, and with a gate if the model has one."""
    attention_output = forward.dense(rotary_attention(forward, inputs), f"{ATTENTION}/output/dense")
    vectors_between = forward.add(forward.dropout(attention_output, f"{ATTENTION}/output"), inputs)
    vectors_between = forward.norm(vectors_between, f"{ATTENTION}/output/LayerNorm")
    if f"{LAYER}/intermediate/gate" in forward.parameters:
        gate, inner_vectors = (
            forward.dense(vectors_between, f"{LAYER}/intermediate/{name}") for name in ("gate", "dense")
        )
        gate_output = forward.gate(inner_vectors, gate, f"{LAYER}/intermediate")
        if drops_after_gate:
            gate_output = forward.dropout(gate_output, f"{LAYER}/intermediate")
        network_output = forward.dense(gate_output, f"{LAYER}/output/dense")
    else:
        network_output = feed_forward(forward, vectors_between)
    return forward.norm(
        forward.add(forward.dropout(network_output, f"{LAYER}/output"), vectors_between), f"{LAYER}/output/LayerNorm"
    )


def modernbert_layer(forward: Forward, inputs: Tensor) -> Tensor:
    """The output of a layer with LayerNorms before its blocks, rotated queries and keys, and a feed-forward gate."""
    # The first layer has no LayerNorm before attention.
    attention_input = forward.norm(inputs, f"{ATTENTION}/LayerNorm") if forward.layer else inputs
    joint_projection = forward.dense(attention_input, f"{SELF}/query_key_value")
    query, key = (forward.rotate(joint_projection.with_last_dimension("H"), SELF, has_kinds=True) for _ in range(2))
    mix = forward.attention(query, key, joint_projection.part("B T H"), SELF, in_full=True)
    attention_output = forward.dropout(forward.dense(mix, f"{ATTENTION}/output/dense"), f"{ATTENTION}/output")
    vectors_between = forward.add(attention_output, inputs)
    inner_vectors = forward.dense(
        forward.norm(vectors_between, f"{LAYER}/intermediate/LayerNorm"), f"{LAYER}/intermediate/dense"
    )
    gate_output = forward.geglu(inner_vectors, "F", f"{LAYER}/intermediate")
    network_output = forward.dense(forward.dropout(gate_output, f"{LAYER}/intermediate"), f"{LAYER}/output/dense")
    return forward.add(network_output, vectors_between)


def bert_pooler(forward: Forward, vectors: Tensor) -> Tensor:
    """The output of the pooler: a dense layer and tanh, for the first token of each text."""
    return forward.tanh(forward.dense(vectors.part("B H"), POOLER), "bert/pooler")


def keep_buckets(forward: Forward, _: Tensor) -> None:
    """Keep the buckets of distances, with which MPNet looks up the numbers that every layer adds to its scores."""
    forward.keep_ids("bert/relative_positions/relative_embeddings", "T T", "buckets of the distances")


def run_rotary(layer: Layer, forward: Forward, class_name: str) -> None:
    """Run a model whose layers rotate queries and keys."""
    run(forward, class_name, ids=IDS_WITHOUT_SEGMENT_BUFFER, layer=layer, keeps_mask=False)


def run_dpr(forward: Forward, class_name: str) -> None:
    """Run DPR, a BERT without a pooler. Only its reader leaves segment ids to BERT, which keeps them as a buffer."""
    ids = BERT_IDS if class_name == "DPRReader" else IDS_WITHOUT_SEGMENT_BUFFER
    run(forward, class_name, ids=ids, heads=run_passage_heads)


def run_esm(forward: Forward, class_name: str) -> None:
    """Run ESM-2, which has LayerNorm before each block, and rotates queries and keys."""
    layer = partial(layer_after_norm, attention=rotary_attention)
    run(forward, class_name, embed=esm_embeddings, layer=layer, keeps_mask=False)


def esm_embeddings(forward: Forward) -> Tensor:
    """A row of the table for each token, with zeros for mask tokens, scaled to make up for these zeros.

    This assumes that `token_dropout` is true in the config.
    """
    vectors = forward.input_embedding(f"{EMBEDDINGS}/word_embeddings")
    if vectors.needs_gradient:
        forward.keep(Tensor.new("B T", MASK), EMBEDDINGS, "whether a token is masked")
        forward.keep(Tensor.new("B", FULL), EMBEDDINGS, "the share of tokens that are not masked")
        if forward.settings.padded:
            forward.keep(Tensor.new("B T", INTEGER), EMBEDDINGS, "whether a token is padding")
    return vectors.copy()


def run_layoutlm(forward: Forward, class_name: str) -> None:
    """Run LayoutLM, which embeds the position of each token on its page, and computes softmax in 32 bits."""
    layer = partial(bert_layer, attention=partial(self_attention, in_full=True))
    run(forward, class_name, embed=layoutlm_embeddings, layer=layer)


def layoutlm_embeddings(forward: Forward) -> Tensor:
    """BERT's embeddings, plus rows for the four edges of each token's box, and for its height and its width.

    The edges are slices of one tensor with all boxes, which is kept once, as a whole.
    LayoutLM also makes a mask that all layers read, even without padding.
    """
    forward.mask = Tensor.new("B T", forward.element_size)
    boxes = Tensor.new("B T 4", INTEGER)
    parameters = forward.parameters
    for axis in "xy":
        if parameters.module(f"{EMBEDDINGS}/{axis}_position_embeddings", 0).trains_weight:
            forward.keep(boxes, f"{EMBEDDINGS}/{axis}_position_embeddings", "edges of the boxes")
    ids = {
        **IDS_WITHOUT_SEGMENT_BUFFER,
        "h_position_embeddings": ("B T", "heights of the boxes"),
        "w_position_embeddings": ("B T", "widths of the boxes"),
        "x_position_embeddings": ("", ""),
        "y_position_embeddings": ("", ""),
    }
    return embeddings(forward, ids)
