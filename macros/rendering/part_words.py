"""How a sentence calls a part of the model, and the page that explains it."""

from __future__ import annotations

from macros.counting.explanations import Part
from macros.counting.tensors import LAYER, ROWS, lies_under

from .part_tables import BLOCK_TITLES

NUMBERS_OF = {"kernel": "matrix", "bias": "bias", "gamma": "scale", "beta": "shift"}
"""The last component of a path, where the one before it has a name of its own."""

MODULES = {
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
    "sequence_classifier/output_weights": "the matrix of the sequence-classification head",
    "sequence_classifier/output_bias": "the bias of the sequence-classification head",
}
"""Modules and tensors by path."""

WHOLE = ("bert/encoder", LAYER)
"""Paths whose words say already how many layers are meant."""

SELECTIONS = {
    "kernel": "the matrices of all dense layers",
    "bias": "the biases of all dense layers",
    "vector": "everything with one dimension",
    "LayerNorm": "all LayerNorms",
    "embedding-table": "the embedding tables",
    "self-attention": "self-attention",
    "self-attention kernel": "the matrices of self-attention",
    "self-attention bias": "the biases of self-attention",
    "feed-forward": "the feed-forward network",
    "feed-forward kernel": "the matrices of the feed-forward network",
    "feed-forward bias": "the biases of the feed-forward network",
    "encoder-norms": "the LayerNorms",
}
"""What a tag selects where several rows carry it."""


def in_words(part: Part) -> str:
    """A part as a noun with its article.

    Raises:
        KeyError: the lists above lack a path or tag; a test tries all parts.

    >>> in_words(Part("bert/encoder/layer_0/attention/self/query"))
    'the query projection in one layer'
    """
    path = part.path.replace("layer_0", "layer_*")
    if part.share:
        matrices = "the matrices of " if part.tag else ""
        return f"one head's share of {matrices}{MODULES[path]}"
    if part.tag:
        return f"{SELECTIONS[part.tag]}{' in the model' if not path else _layers(part)}"
    if path in MODULES:
        return MODULES[path] if path in WHOLE else f"{MODULES[path]}{_layers(part)}"
    module, _, last = path.rpartition("/")
    return f"the {NUMBERS_OF[last]} of {MODULES[module]}{_layers(part)}"


def _layers(part: Part) -> str:
    if "layer_0" in part.path:
        return " in one layer"
    return " in all layers" if part.path.startswith("bert/encoder") else ""


def page_of(part: Part) -> str:
    """The address of the page that explains a part, from the top of the site."""
    path = part.path.replace("layer_0", "layer_*")
    if part.share:
        return "parts/attention-heads.html"
    if part.tag in BLOCK_TITLES:
        return BLOCK_TITLES[part.tag][1]
    if "LayerNorm" in (part.tag, *path.split("/")):
        return "parts/layer-norm.html"
    for block in BLOCK_TITLES:
        if part.tag.startswith(f"{block} "):
            return BLOCK_TITLES[block][1]
    if path in WHOLE:
        return "parts/encoder-layer.html"
    if not path:
        return "parts/embeddings.html" if part.tag == "embedding-table" else "totals/base.html"
    return BLOCK_TITLES[next(row.block for row in ROWS if lies_under(row.path, (path,)))][1]
