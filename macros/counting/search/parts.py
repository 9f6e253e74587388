"""Every part of a BERT that somebody may count: prefixes of paths, unions, selections by tag, one head's share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..architecture import LAYER, belongs
from ..architectures.bert import BERT

KINDS = ("", " kernel", " bias")
"""What one counts of a block: all of it, its matrices or its biases."""

ATTENTION = f"{LAYER}/attention"
UNIONS = (
    f"{LAYER}/intermediate, {LAYER}/output",
    f"{ATTENTION}/self/query, {ATTENTION}/self/key",
    "bert/embeddings/word_embeddings, bert/embeddings/position_embeddings",
    "bert/embeddings/word_embeddings, bert/embeddings/token_type_embeddings",
    "bert/embeddings, bert/pooler",
    "bert/pooler, cls/seq_relationship",
    "bert/pooler, cls",
    "cls",
)
"""Neighbours that are counted together."""


class Part(NamedTuple):
    """A part of a model as a question names it; with `share` the part of one head."""

    path: str
    tag: str = ""
    share: bool = False


@cache
def parts() -> tuple[tuple[str, Part], ...]:
    """Every part, with a class that has it; no two of the same rows."""
    found: dict[tuple[object, ...], tuple[str, Part]] = {}
    for model_class, part in _named_parts():
        every_layer = part.path.replace("layer_0", "layer_*")
        rows = [row for row in BERT.rows_of(model_class) if belongs(row, every_layer, part.tag)]
        if rows:
            found.setdefault(("layer_0" in part.path, part.share, *rows), (model_class, part))
    return tuple(found.values())


def _named_parts() -> Iterator[tuple[str, Part]]:
    """Every prefix of a path, for one layer and for all; then what tags select, unions, and what one head has."""
    for model_class in ("BertForPreTraining", "BertForSequenceClassification"):
        for row in BERT.rows_of(model_class):
            steps = row.path.split("/")
            for path in ("/".join(steps[:length]) for length in range(2, len(steps) + 1)):
                yield model_class, Part(path.replace("layer_*", "layer_0"))
                yield model_class, Part(path)
    blocks = [f"{block}{kind}" for block in ("self-attention", "feed-forward", "encoder-norms") for kind in KINDS]
    for path in ("bert/encoder/layer_0", "bert/encoder", ""):
        for tag in [
            *((*blocks, "-LayerNorm") if path else ()),
            "LayerNorm",
            "kernel",
            "bias",
            "vector",
            "embedding-table",
        ]:
            yield "BertModel", Part(path, tag)
    for path in ("bert/encoder/layer_0", LAYER):
        for tag in ("kernel", "bias"):
            yield "BertModel", Part(f"{path}/attention/self", tag)
    for path in UNIONS:
        for each in dict.fromkeys((path.replace("layer_*", "layer_0"), path)):
            yield "BertForPreTraining", Part(each)
    yield from (("BertModel", each) for each in _one_head())


def _one_head() -> Iterator[Part]:
    """What a single head has: slices of matrices and of the biases of its projections; the output bias has none."""
    for layer in ("bert/encoder/layer_0", LAYER):
        for path in ("attention/self/query", "attention/self"):
            for tag in ("kernel", ""):
                yield Part(f"{layer}/{path}", tag, share=True)
        yield Part(f"{layer}/attention/output/dense", "kernel", share=True)
        yield Part(layer, "self-attention kernel", share=True)
