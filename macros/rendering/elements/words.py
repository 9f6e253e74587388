"""What sentences, captions and tables call the parts of a model: every word for a part is here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from macros.counting import Question
from macros.counting.architecture import LAYER
from macros.counting.disagreements.parts import Part
from macros.counting.sum_lines import BLOCK, TENSOR, Line
from macros.counting.sum_lines import LAYER as ONE_LAYER

BLOCKS = {
    "embeddings": "embeddings",
    "self-attention": "self-attention, all layers",
    "feed-forward": "feed-forward, all layers",
    "encoder-norms": "LayerNorm in the layers",
    "pooler": "pooler",
    "mlm-head": "masked-LM head",
    "nsp-head": "next-sentence head",
    "task-head": "task head",
}
"""The blocks as rows of a table, in the order of the model."""

OF_FIGURES = {
    **BLOCKS,
    "self-attention": "self-attention",
    "feed-forward": "feed-forward",
}
"""Blocks in the legend of a figure that shows models whose layers share their weights."""

CHANGED_BLOCKS = {
    **BLOCKS,
    "cross-attention": "cross-attention, all layers",
    "discriminator-head": "discriminator head",
    "lora": "LoRA adapters",
    "copied-head": "copy of the head, which PEFT trains",
}
"""Those of any architecture, and what PEFT adds; only the calculator counts them all."""

LEAVES = {"kernel": "matrix", "bias": "bias", "gamma": "scale", "beta": "shift"}
"""The last component of a path, where the one before it has a name of its own."""

MODULES = {
    "": "the whole model",
    "bert/embeddings": "the embeddings",
    "bert/embeddings/word_embeddings": "the word embeddings",
    "bert/embeddings/position_embeddings": "the position embeddings",
    "bert/embeddings/token_type_embeddings": "the segment embeddings",
    "bert/embeddings/LayerNorm": "the LayerNorm of the embeddings",
    "bert/encoder": "all encoder layers",
    LAYER: "one encoder layer",
    f"{LAYER}/attention": "attention with its LayerNorm",
    f"{LAYER}/attention/self": "query, key and value",
    f"{LAYER}/attention/self/query": "the query projection",
    f"{LAYER}/attention/self/key": "the key projection",
    f"{LAYER}/attention/self/value": "the value projection",
    f"{LAYER}/attention/output": "the output projection of attention with its LayerNorm",
    f"{LAYER}/attention/output/dense": "the output projection of attention",
    f"{LAYER}/attention/output/LayerNorm": "the LayerNorm after attention",
    f"{LAYER}/intermediate": "the first dense layer of the feed-forward network",
    f"{LAYER}/intermediate/dense": "the first dense layer of the feed-forward network",
    f"{LAYER}/output": "the second dense layer of the feed-forward network with its LayerNorm",
    f"{LAYER}/output/dense": "the second dense layer of the feed-forward network",
    f"{LAYER}/output/LayerNorm": "the LayerNorm after the feed-forward network",
    "bert/pooler": "the pooler",
    "bert/pooler/dense": "the pooler",
    "cls/predictions": "the masked-LM head",
    "cls/predictions/output_bias": "the prediction bias",
    "cls/predictions/transform": "the dense layer and LayerNorm of the masked-LM head",
    "cls/predictions/transform/dense": "the dense layer of the masked-LM head",
    "cls/predictions/transform/LayerNorm": "the LayerNorm of the masked-LM head",
    "cls/predictions/decoder": "the decoder, which is tied and adds nothing",
    "cls/seq_relationship": "the next-sentence head",
    "cls/seq_relationship/output_weights": "the matrix of the next-sentence head",
    "cls/seq_relationship/output_bias": "the bias of the next-sentence head",
    "sequence_classifier": "the sequence-classification head",
    "sequence_classifier/output_weights": "the matrix of the sequence-classification head",
    "sequence_classifier/output_bias": "the bias of the sequence-classification head",
    "multiple_choice": "the multiple-choice head",
    "multiple_choice/output_weights": "the matrix of the multiple-choice head",
    "multiple_choice/output_bias": "the bias of the multiple-choice head",
    "token_classifier": "the token-classification head",
    "token_classifier/output_weights": "the matrix of the token-classification head",
    "token_classifier/output_bias": "the bias of the token-classification head",
    "cls/squad": "the question-answering head",
    "cls/squad/output_weights": "the matrix of the question-answering head",
    "cls/squad/output_bias": "the bias of the question-answering head",
    f"{LAYER}/intermediate, {LAYER}/output": "the feed-forward network with its LayerNorm",
    f"{LAYER}/attention/self/query, {LAYER}/attention/self/key": "query and key",
    "bert/embeddings/word_embeddings, bert/embeddings/position_embeddings": "the word and position embeddings",
    "bert/embeddings/word_embeddings, bert/embeddings/token_type_embeddings": "the word and segment embeddings",
    "bert/embeddings, bert/pooler": "the embeddings and the pooler",
    "bert/pooler, cls/seq_relationship": "the pooler and the next-sentence head",
    "bert/pooler, cls": "the pooler, the masked-LM head and the next-sentence head",
    "cls": "the masked-LM head and the next-sentence head",
}
"""Modules and tensors by path."""

BRIEFLY = {
    f"{LAYER}/attention/self/query": "query",
    f"{LAYER}/attention/self/key": "key",
    f"{LAYER}/attention/self/value": "value",
    f"{LAYER}/attention/output/dense": "output projection",
    f"{LAYER}/intermediate/dense": "first dense layer",
    f"{LAYER}/output/dense": "second dense layer",
    "bert/embeddings/LayerNorm": "LayerNorm",
    "cls/predictions/transform/dense": "dense layer",
    "cls/predictions/transform/LayerNorm": "LayerNorm",
}
"""Modules in the lines of a sum, whose page says where they belong; the others are called as above."""

SUMMED = {"self-attention": "self-attention", "feed-forward": "feed-forward network", "encoder-norms": "LayerNorms"}
"""Blocks of one layer in the lines of a sum."""

WHOLE = ("bert/encoder", LAYER)
"""Paths whose words already say how many layers are meant."""

WITHOUT_NORMS = "-LayerNorm"

TAGS = {
    "kernel": "matrices",
    "bias": "biases",
    "vector": "vectors",
    "embedding-table": "the tables",
    WITHOUT_NORMS: "without LayerNorms",
}
"""What tags are called beside a path; blocks keep their own names."""

SELECTIONS = {
    "kernel": "the matrices of all dense layers",
    "bias": "the biases of all dense layers",
    "vector": "everything with one dimension",
    "LayerNorm": "all LayerNorms",
    "embedding-table": "the embedding tables",
    "self-attention": "self-attention",
    "feed-forward": "the feed-forward network",
    "encoder-norms": "the LayerNorms",
}
"""What a tag selects where several rows carry it."""


def blocks_of(asked: Question) -> list[str]:
    """The blocks that a model class has, in the order of a table."""
    present = {row.block for row in asked.at().rows}
    return [block for block in BLOCKS if block in present]


def in_words(part: Part) -> str:
    """A part as a noun with its article.

    Raises:
        KeyError: the lists above lack a path or tag; a test tries all parts.

    >>> in_words(Part("bert/encoder/layer_0/attention/self/query"))
    'the query projection in one layer'
    """
    path = _pattern(part.path)
    if part.share:
        return f"one head's share of {_shared(part)}{_layers(part)}"
    if part.tag == WITHOUT_NORMS:
        return f"{MODULES[path]} without {'its' if path == LAYER else 'their'} LayerNorms"
    if part.tag and path not in ("", LAYER, "bert/encoder"):
        return f"the {TAGS[part.tag]} of {MODULES[path]}{_layers(part)}"
    if part.tag:
        return f"{_selection(part.tag)}{_layers(part) if path else ' in the model'}"
    if path in MODULES:
        return MODULES[path] if path in WHOLE else f"{MODULES[path]}{_layers(part)}"
    module, _, last = path.rpartition("/")
    return f"the {LEAVES[last]} of {MODULES[module]}{_layers(part)}"


def caption(path: str, tag: str) -> str:
    """A part as the caption of a table calls it; one without a name of its own by its path.

    >>> caption("bert/encoder/layer_0", "self-attention")
    'self-attention in one encoder layer'
    """
    module = MODULES.get(_pattern(path), path)
    selected = SELECTIONS.get(tag, tag)
    return selected if tag and not path else f"{selected} in {module}" if tag else module


def of_line(line: Line) -> str:
    """What one line of a sum counts.

    >>> from macros.counting.sum_lines import TENSOR, Line
    >>> of_line(Line(TENSOR, ("bert/pooler/dense/kernel",), ()))
    'pooler: matrix'
    """
    if line.kind in (BLOCK, ONE_LAYER):
        return SUMMED.get(line.block, BLOCKS.get(line.block, "one layer"))
    if line.kind == TENSOR and _pattern(line.paths[0]) not in MODULES:
        modules, leaves = zip(*(path.rpartition("/")[::2] for path in line.paths), strict=True)
        leaf = LEAVES.get(leaves[0], leaves[0].replace("output_weights", "matrix").replace("output_bias", "bias"))
        several = len(set(modules)) > 1
        return f"{_briefly(modules)}: {'each ' if several else ''}{leaf}"
    return f"{'each of ' if len(line.paths) > 1 else ''}{_briefly(line.paths)}"


def _briefly(modules: Iterable[str]) -> str:
    """Modules in a few words, each named once."""
    patterns = map(_pattern, modules)
    names = (BRIEFLY.get(each, MODULES.get(each, each.rpartition("/")[2]).removeprefix("the ")) for each in patterns)
    return ", ".join(dict.fromkeys(names))


def as_path(part: Part) -> str:
    """A part as HTML: its path, what of it, and whether in one layer or in all."""
    layer = re.match(r"bert/encoder/?(layer_(\*|0))?/?", part.path)
    path = part.path[layer.end() :] if layer else part.path.removeprefix("bert/")
    kept = [f"<code>{path}</code>"] if path else []
    kept += [TAGS.get(tag, tag) for tag in part.tag.split()]
    if layer:
        kept.append("one layer" if layer[2] == "0" else "all layers")
    elif not part.path:
        kept.append("the whole model")
    words = ", ".join(kept)
    return f"one head's share of {words}" if part.share else words


def _pattern(path: str) -> str:
    return path.replace("layer_0", "layer_*")


def _selection(tag: str) -> str:
    """A tag, or a block and what of it: `self-attention kernel`."""
    block, _, kind = tag.partition(" ")
    return f"the {TAGS[kind]} of {SELECTIONS[block]}" if kind else SELECTIONS[tag]


def _shared(part: Part) -> str:
    """What heads share: modules, or their matrices."""
    if part.tag.startswith("self-attention"):
        return f"the matrices of {SELECTIONS['self-attention']}"
    what = MODULES[_pattern(part.path)]
    several = part.path.endswith("/self")
    return (
        f"the {'matrices' if several else 'matrix'} of {what}"
        if part.tag
        else f"{what} with {'their biases' if several else 'its bias'}"
    )


def _layers(part: Part) -> str:
    if "layer_0" in part.path:
        return " in one layer"
    return " in all layers" if part.path.startswith("bert/encoder") else ""
