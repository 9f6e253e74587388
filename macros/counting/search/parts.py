"""The parts of a BERT that people may count: path prefixes, unions, selections by tag, one attention head's share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..architecture import LAYER, belongs
from ..architectures.bert import BERT

TAG_ENDS = ("", " kernel", " bias")
"""The endings of tags that select a whole block, its matrices, or its biases."""

ATTENTION = f"{LAYER}/attention"
"""The path of attention in every layer."""

UNIONS = (
    f"{LAYER}/intermediate, {LAYER}/output",
    f"{ATTENTION}/self/query, {ATTENTION}/self/key",
    "bert/embeddings/word_embeddings, bert/embeddings/position_embeddings",
    "bert/embeddings/word_embeddings, bert/embeddings/token_type_embeddings",
    "bert/embeddings, bert/pooler",
    "bert/pooler, cls/predictions",
    "bert/pooler, cls/seq_relationship",
    "bert/pooler, cls",
    "cls",
)
"""Parts that people count together."""


class Part(NamedTuple):
    """A part of a model: a path and a tag, as in a `Question`. With `share`, only one attention head's share of it."""

    path: str
    tag: str = ""
    share: bool = False


CLASSIFIERS = tuple(
    ("BertForSequenceClassification", Part(path))
    for path in ("sequence_classifier", "bert/pooler, sequence_classifier")
)
"""The classifier, alone and with the pooler, each paired with its class.

With two labels, it is as large as the next-sentence head, and far more people train it, so it comes first.
"""


@cache
def parts() -> tuple[tuple[str, Part], ...]:
    """Every part, paired with a class that has it. Of several parts with the same rows, only the first is kept.

    A part in one layer, that part in all layers, and one attention head's share of either are different parts.
    """
    parts_by_rows: dict[tuple[object, ...], tuple[str, Part]] = {}
    for model_class, part in (*CLASSIFIERS, *_named_parts()):
        every_layer = part.path.replace("layer_0", "layer_*")
        rows = [row for row in BERT.rows_of(model_class) if belongs(row, every_layer, part.tag)]
        if rows:
            parts_by_rows.setdefault(("layer_0" in part.path, part.share, *rows), (model_class, part))
    return tuple(parts_by_rows.values())


def _named_parts() -> Iterator[tuple[str, Part]]:
    """Parts, each with a class: prefixes of paths, selections by tag, unions, and shares of one attention head.

    A part in the layers is yielded twice: for one layer and for all layers.
    """
    for model_class in ("BertForPreTraining", "BertForSequenceClassification"):
        for row in BERT.rows_of(model_class):
            steps = row.path.split("/")
            for length in range(2, len(steps) + 1):
                path = "/".join(steps[:length])
                yield model_class, Part(path.replace("layer_*", "layer_0"))
                yield model_class, Part(path)
    blocks = [f"{block}{end}" for block in ("self-attention", "feed-forward", "encoder-norms") for end in TAG_ENDS]
    for path in ("bert/encoder/layer_0", "bert/encoder", ""):
        # Only in the encoder do people count one kind of block, or everything except LayerNorm or the biases.
        tags_of_encoder = [*blocks, "-LayerNorm", "-bias"] if path else []
        for tag in [*tags_of_encoder, "LayerNorm", "kernel", "bias", "vector", "embedding-table"]:
            yield "BertModel", Part(path, tag)
    for path in ("bert/encoder/layer_0", LAYER):
        for tag in ("kernel", "bias"):
            yield "BertModel", Part(f"{path}/attention/self", tag)
    for path in UNIONS:
        for union in dict.fromkeys((path.replace("layer_*", "layer_0"), path)):
            yield "BertForPreTraining", Part(union)
    yield from (("BertModel", part) for part in _shares_of_one_head())


def _shares_of_one_head() -> Iterator[Part]:
    """The shares of one attention head: slices of matrices, and of the biases of query, key and value.

    The bias of the output projection belongs to no single head, so none of these parts includes it.
    """
    for layer in ("bert/encoder/layer_0", LAYER):
        for path in ("attention/self/query", "attention/self"):
            for tag in ("kernel", ""):
                yield Part(f"{layer}/{path}", tag, share=True)
        yield Part(f"{layer}/attention/output/dense", "kernel", share=True)
        yield Part(layer, "self-attention kernel", share=True)
