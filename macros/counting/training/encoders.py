"""The forward passes of the architectures as operations of `Forward`, in the order of transformers 5.23."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from ..architecture import LAYER
from .forward import Forward
from .heads import run_heads
from .tensors import Tensor

ONE_ROW = {
    "token_type_embeddings": ("T", "segment ids, one row for all texts"),
    "position_embeddings": ("", ""),
    "task_type_embeddings": ("B T", "task ids"),
}
"""The symbolic shapes of the ids that choose rows of BERT's tables, and what they are. Positions are a buffer."""

SEGMENTS_OF_EACH_TEXT = {**ONE_ROW, "token_type_embeddings": ("B T", "segment ids")}
"""The same in architectures that do not keep segment ids as a buffer."""

OF_EACH_TEXT = {
    "token_type_embeddings": ("B T", "segment ids"),
    "position_embeddings": ("B T", "position ids, which leave padding out"),
}
"""The same in RoBERTa, whose positions depend on which tokens are padding."""

Layer = Callable[[Forward, Tensor], Tensor]
"""What a layer does: from its input to its output."""

EMBEDDINGS, ATTENTION, ENCODER = "bert/embeddings", f"{LAYER}/attention", "bert/encoder"


def run(
    forward: Forward,
    class_name: str,
    *,
    ids: Mapping[str, tuple[str, str]] = ONE_ROW,
    layer: Layer | None = None,
    before_layers: Callable[[Forward, Tensor], None] | None = None,
    keeps_mask: bool = True,
    widens_late: bool = False,
) -> None:
    """BERT or a relative of it, in any of its classes, with its loss if it has one.

    Args:
        forward: the forward pass.
        class_name: the class in transformers.
        ids: by table of embeddings, the shape of the ids that choose its rows, and what they are.
        layer: what a layer does; BERT's layer if not given.
        before_layers: what is computed once for all layers.
        keeps_mask: whether checkpointing keeps the mask: it keeps what a layer takes by position, not what it takes by
            name.
        widens_late: whether narrow embeddings are widened after the mask is made, which has their type.
    """
    vectors = embedded = embeddings(forward, ids)
    if "bert/embeddings_project" in forward.parameters:
        vectors = forward.dense(embedded, "bert/embeddings_project")
    if before_layers:
        before_layers(forward, vectors)
    if keeps_mask and forward.way.checkpointing:
        forward.keep_mask(embedded if widens_late else vectors)
    vectors = forward.layers(vectors, partial(layer or bert_layer, forward))
    if f"{ENCODER}/LayerNorm" in forward.parameters:
        vectors = forward.norm(vectors, f"{ENCODER}/LayerNorm")
    has_pooler = "bert/pooler/dense" in forward.parameters
    run_heads(forward, vectors, bert_pooler(forward, vectors) if has_pooler else None, class_name)


def embeddings(forward: Forward, ids: Mapping[str, tuple[str, str]]) -> Tensor:
    """The sum of a row of each table, normalised."""
    vectors = forward.input_embedding(f"{EMBEDDINGS}/word_embeddings")
    for name, (shape, what) in ids.items():
        if f"{EMBEDDINGS}/{name}" in forward.parameters:
            vectors = forward.add(vectors, forward.embedding(f"{EMBEDDINGS}/{name}", shape, what))
    if f"{EMBEDDINGS}/LayerNorm" in forward.parameters:
        vectors = forward.norm(vectors, f"{EMBEDDINGS}/LayerNorm")
    return forward.dropout(vectors, EMBEDDINGS)


def bert_layer(forward: Forward, given: Tensor, *, drops_mixed: bool = True, drops_narrowed: bool = True) -> Tensor:
    """Self-attention and the feed-forward network, each with a residual connection and LayerNorm after it.

    Args:
        forward: the forward pass.
        given: the input of the layer.
        drops_mixed: whether there is dropout after attention.
        drops_narrowed: whether there is dropout after the feed-forward network.
    """
    mixed = forward.dense(self_attention(forward, given), f"{ATTENTION}/output/dense")
    if drops_mixed:
        mixed = forward.dropout(mixed, f"{ATTENTION}/output")
    middle = forward.norm(forward.add(mixed, given), f"{ATTENTION}/output/LayerNorm")
    narrowed = feed_forward(forward, middle)
    if drops_narrowed:
        narrowed = forward.dropout(narrowed, f"{LAYER}/output")
    return forward.norm(forward.add(narrowed, middle), f"{LAYER}/output/LayerNorm")


def self_attention(forward: Forward, given: Tensor) -> Tensor:
    """Queries, keys and values, and what attention makes of them."""
    path = f"{ATTENTION}/self"
    query, key, value = (forward.dense(given, f"{path}/{name}") for name in ("query", "key", "value"))
    return forward.attention(query, key, value, path)


def feed_forward(forward: Forward, given: Tensor) -> Tensor:
    """Two dense layers with an activation function between them."""
    wide = forward.activation(forward.dense(given, f"{LAYER}/intermediate/dense"), f"{LAYER}/intermediate")
    return forward.dense(wide, f"{LAYER}/output/dense")


def layer_after_norm(forward: Forward, given: Tensor, *, drops_output: bool = True) -> Tensor:
    """A layer whose LayerNorms come before attention and before the feed-forward network."""
    read = forward.norm(given, f"{ATTENTION}/LayerNorm")
    mixed = forward.dense(self_attention(forward, read), f"{ATTENTION}/output/dense")
    middle = forward.add(forward.dropout(mixed, f"{ATTENTION}/output"), given)
    narrow = feed_forward(forward, forward.norm(middle, f"{LAYER}/intermediate/LayerNorm"))
    return forward.add(forward.dropout(narrow, f"{LAYER}/output") if drops_output else narrow, middle)


def rotary_layer(forward: Forward, given: Tensor, *, drops_gated: bool = False) -> Tensor:
    """BERT's layer with rotated queries and keys, and with a gate if it has one."""
    path = f"{ATTENTION}/self"
    query, key, value = (forward.dense(given, f"{path}/{name}") for name in ("query", "key", "value"))
    query, key = (forward.rotated(tensor, path) for tensor in (query, key))
    mixed = forward.dense(forward.attention(query, key, value, path), f"{ATTENTION}/output/dense")
    middle = forward.add(forward.dropout(mixed, f"{ATTENTION}/output"), given)
    middle = forward.norm(middle, f"{ATTENTION}/output/LayerNorm")
    if f"{LAYER}/intermediate/gate" in forward.parameters:
        gate, wide = (forward.dense(middle, f"{LAYER}/intermediate/{name}") for name in ("gate", "dense"))
        gated = forward.gate(wide, gate, f"{LAYER}/intermediate")
        if drops_gated:
            gated = forward.dropout(gated, f"{LAYER}/intermediate")
        narrow = forward.dense(gated, f"{LAYER}/output/dense")
    else:
        narrow = feed_forward(forward, middle)
    return forward.norm(forward.add(forward.dropout(narrow, f"{LAYER}/output"), middle), f"{LAYER}/output/LayerNorm")


def modernbert_layer(forward: Forward, given: Tensor) -> Tensor:
    """LayerNorms before blocks, rotated queries and keys, and a gated feed-forward network."""
    norm, path = f"{ATTENTION}/LayerNorm", f"{ATTENTION}/self"
    read = forward.norm(given, norm) if forward.layer else given
    together = forward.dense(read, f"{path}/query_key_value")
    query, key = (forward.rotated(together.resized("H"), path, has_kinds=True) for _ in range(2))
    mixed = forward.attention(query, key, together.part("B T H"), path, in_full=True)
    mixed = forward.dropout(forward.dense(mixed, f"{ATTENTION}/output/dense"), f"{ATTENTION}/output")
    middle = forward.add(mixed, given)
    wide = forward.dense(forward.norm(middle, f"{LAYER}/intermediate/LayerNorm"), f"{LAYER}/intermediate/dense")
    gated = forward.gated(wide, "F", f"{LAYER}/intermediate")
    narrow = forward.dense(forward.dropout(gated, f"{LAYER}/intermediate"), f"{LAYER}/output/dense")
    return forward.add(narrow, middle)


def bert_pooler(forward: Forward, vectors: Tensor) -> Tensor:
    """A dense layer and tanh, for the first token of each text."""
    return forward.tanh(forward.dense(vectors.part("B H"), "bert/pooler/dense"), "bert/pooler")


def relative_positions(forward: Forward, _: Tensor) -> None:
    """MPNet's numbers for the distances of tokens, which are added to the scores of every layer."""
    forward.lookup("bert/relative_positions/relative_embeddings", "T T", "buckets of the distances")


class Program(NamedTuple):
    """The forward pass of an architecture.

    Attributes:
        run: runs it, given the forward pass and the name of a class.
        activation: the activation function that transformers chooses if a config names none.
        kernels: whether attention can run in PyTorch's own kernels; otherwise it is always eager.
        shares: whether all layers have the same weights.
        checkpoints: whether transformers can run its layers with gradient checkpointing.
    """

    run: Callable[[Forward, str], None] = run
    activation: str = "gelu"
    kernels: bool = True
    shares: bool = False
    checkpoints: bool = True


def rotary(layer: Layer, forward: Forward, class_name: str) -> None:
    """A model whose layers rotate queries and keys, and are otherwise like BERT's."""
    run(forward, class_name, ids=SEGMENTS_OF_EACH_TEXT, layer=layer, keeps_mask=False)


BERT = Program()
ROBERTA = Program(partial(run, ids=OF_EACH_TEXT))

PROGRAMS: Mapping[str, Program] = {
    "bert": BERT,
    "ernie": BERT,
    "electra": BERT,
    "roberta": ROBERTA,
    "xlm-roberta": ROBERTA,
    "camembert": ROBERTA,
    "data2vec-text": ROBERTA,
    "distilbert": Program(partial(run, layer=partial(bert_layer, drops_mixed=False))),
    "albert": Program(
        partial(run, layer=partial(bert_layer, drops_narrowed=False)),
        activation="gelu_new",
        shares=True,
        checkpoints=False,
    ),
    "mpnet": Program(
        partial(run, ids=OF_EACH_TEXT, before_layers=relative_positions), kernels=False, checkpoints=False
    ),
    "modernbert": Program(partial(run, layer=modernbert_layer, keeps_mask=False)),
    "nomic_bert": Program(partial(rotary, rotary_layer)),
    "gte": Program(partial(rotary, partial(rotary_layer, drops_gated=True))),
    "jina_embeddings_v3": Program(partial(rotary, rotary_layer)),
    "rembert": Program(partial(run, ids=SEGMENTS_OF_EACH_TEXT, widens_late=True), kernels=False),
    "megatron-bert": Program(partial(run, ids=SEGMENTS_OF_EACH_TEXT, layer=layer_after_norm), kernels=False),
    "xlm-roberta-xl": Program(partial(run, ids=OF_EACH_TEXT, layer=partial(layer_after_norm, drops_output=False))),
}
"""By architecture, its forward pass."""
