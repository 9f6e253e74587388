"""What sentences, captions and tables call the parts of a model: every word for a part is here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from macros.counting import Question
from macros.counting.architecture import LAYER
from macros.counting.changes.methods import load_methods
from macros.counting.changes.rows import COPIED
from macros.counting.disagreements.parts import Part
from macros.counting.sum_lines import BLOCK, MODULE, TENSOR, Line
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
    "encoder-norms": "LayerNorm of the encoder",
}
"""Blocks in the legend of a figure of relatives, whose layers may share weights or have a LayerNorm after them."""

CHANGED_BLOCKS = {
    **BLOCKS,
    "encoder-norms": "LayerNorm of the encoder",
    "cross-attention": "cross-attention, all layers",
    "discriminator-head": "discriminator head",
    "lora": "adapters beside matrices",
    "added": "tensors that are added",
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


class Label(NamedTuple):
    """What a line of a sum counts, with its article.

    Attributes:
        line: beside the line.
        sentence: within a sentence or a hint, where that is put otherwise.
        every: all of it, where the line counts one of several: what is lost with the line.
        hint: in a hint to a part that it belongs to; with a full stop it is all of the hint.
    """

    line: str
    sentence: str = ""
    every: str = ""
    hint: str = ""

    @property
    def in_sentence(self) -> str:
        """The label within a sentence."""
        return self.sentence or self.line

    @property
    def in_all(self) -> str:
        """All that a sum counts of it."""
        return self.every or self.in_sentence


TOTAL = Label("the total")

PROJECTION, NORM = "projection", "norm"

SEVERAL = {"LayerNorm": NORM, "attention": PROJECTION}
"""What several modules of one form are, by a component of their paths; what PEFT copies is called as the original."""

NORM_HINT = "A LayerNorm has a scale and a shift for each of the H features."

LABELS: Mapping[str, Label] = {
    "word_embeddings": Label("the word embeddings", "the word table"),
    "position_embeddings": Label("the position embeddings", "the position table"),
    "token_type_embeddings": Label("the segment embeddings", "the segment table"),
    "relative_embeddings": Label("the table of relative positions"),
    "lora_A": Label("the matrix A of one adapter"),
    "lora_B": Label("the matrix B of one adapter"),
    "embeddings_project": Label("the embedding projection, with its bias", "the embedding projection with its bias"),
    "embeddings_project/kernel": Label("the matrix of the embedding projection", hint="its matrix"),
    "embeddings_project/bias": Label("the bias of the embedding projection", hint="its bias"),
    PROJECTION: Label(
        "one projection, with its bias",
        "one projection with its bias",
        "the projections",
        "one projection, with its bias,",
    ),
    f"{PROJECTION}/kernel": Label("the matrix of one projection", "", "the matrix of each projection"),
    f"{PROJECTION}/bias": Label("the bias of one projection", "", "the bias of each projection"),
    "self/query": Label("the query projection, with its bias", "the query projection with its bias"),
    "self/query/kernel": Label("the matrix of the query projection", hint="its matrix"),
    "self/query/bias": Label("the bias of the query projection", hint="its bias"),
    "self/query_key_value": Label("query, key and value"),
    "self/query_key_value/kernel": Label("the matrix of query, key and value"),
    "self/key": Label("the key projection, with its bias", "the key projection with its bias"),
    "self/key/kernel": Label("the matrix of the key projection", hint="its matrix"),
    "self/key/bias": Label("the bias of the key projection", hint="its bias"),
    "self/value": Label("the value projection, with its bias", "the value projection with its bias"),
    "self/value/kernel": Label("the matrix of the value projection", hint="its matrix"),
    "self/value/bias": Label("the bias of the value projection", hint="its bias"),
    "attention/output/dense": Label("the output projection, with its bias", "the output projection with its bias"),
    "attention/output/dense/kernel": Label("the matrix of the output projection", hint="its matrix"),
    "attention/output/dense/bias": Label("the bias of the output projection", hint="its bias"),
    "intermediate/dense": Label(
        "the first dense layer, with its bias", "the first dense layer with its bias", "", "the first dense layer"
    ),
    "intermediate/dense/kernel": Label("the matrix of the first dense layer", hint="its matrix"),
    "intermediate/dense/bias": Label("the bias of the first dense layer", hint="its bias"),
    "output/dense": Label(
        "the second dense layer, with its bias", "the second dense layer with its bias", "", "the second dense layer"
    ),
    "output/dense/kernel": Label("the matrix of the second dense layer", hint="its matrix"),
    "output/dense/bias": Label("the bias of the second dense layer", hint="its bias"),
    NORM: Label("one LayerNorm", "", "the LayerNorms"),
    f"{NORM}/gamma": Label("the scale of one LayerNorm", "", "the scale of each LayerNorm"),
    f"{NORM}/beta": Label("the shift of one LayerNorm", "", "the shift of each LayerNorm"),
    "LayerNorm": Label("the LayerNorm"),
    "embeddings/LayerNorm": Label("the LayerNorm of the embeddings", hint="the LayerNorm"),
    "LayerNorm/gamma": Label("the scale of the LayerNorm", hint=NORM_HINT),
    "LayerNorm/beta": Label("the shift of the LayerNorm"),
    "pooler/dense": Label("the pooler"),
    "pooler/dense/kernel": Label("the matrix of the pooler", hint="its matrix"),
    "pooler/dense/bias": Label("the bias of the pooler", hint="its bias"),
    "transform/dense": Label(
        "the dense layer of the head, with its bias", "the dense layer of the head with its bias", "", "its dense layer"
    ),
    "transform/dense/kernel": Label("the matrix of the dense layer in the head", hint="its matrix"),
    "transform/dense/bias": Label("the bias of the dense layer in the head", hint="its bias"),
    "transform/LayerNorm": Label("the LayerNorm of the head", hint="its LayerNorm"),
    "transform/LayerNorm/gamma": Label("the scale of the LayerNorm in the head", hint=NORM_HINT),
    "transform/LayerNorm/beta": Label("the shift of the LayerNorm in the head"),
    "predictions/output_bias": Label("the prediction bias"),
    "decoder": Label("the decoder, with its bias", "the decoder with its bias"),
    "decoder/kernel": Label("the matrix of the decoder", hint="its matrix"),
    "decoder/bias": Label("the bias of the decoder", hint="its bias"),
    "dense": Label("the dense layer of the head, with its bias", "the dense layer of the head with its bias"),
    "dense/kernel": Label("the matrix of the dense layer in the head", hint="its matrix"),
    "dense/bias": Label("the bias of the dense layer in the head", hint="its bias"),
    "seq_relationship": Label("the next-sentence head"),
    "seq_relationship/output_weights": Label("the output matrix of the next-sentence head", hint="its matrix"),
    "seq_relationship/output_bias": Label("the output bias of the next-sentence head", hint="its bias"),
    "sequence_classifier": Label("the sequence-classification head"),
    "sequence_classifier/output_weights": Label(
        "the output matrix of the sequence-classification head", hint="its matrix"
    ),
    "sequence_classifier/output_bias": Label("the output bias of the sequence-classification head", hint="its bias"),
    "multiple_choice": Label("the multiple-choice head"),
    "multiple_choice/output_weights": Label("the output matrix of the multiple-choice head", hint="its matrix"),
    "multiple_choice/output_bias": Label("the output bias of the multiple-choice head", hint="its bias"),
    "token_classifier": Label("the token-classification head"),
    "token_classifier/output_weights": Label("the output matrix of the token-classification head", hint="its matrix"),
    "token_classifier/output_bias": Label("the output bias of the token-classification head", hint="its bias"),
    "answers": Label("the question-answering head"),
    "answers/output_weights": Label("the output matrix of the question-answering head", hint="its matrix"),
    "answers/output_bias": Label("the output bias of the question-answering head", hint="its bias"),
    "squad": Label("the question-answering head"),
    "squad/output_weights": Label("the output matrix of the question-answering head", hint="its matrix"),
    "squad/output_bias": Label("the output bias of the question-answering head", hint="its bias"),
    "discriminator_predictions": Label("the discriminator head"),
    "discriminator_predictions/output_weights": Label("the output matrix of the discriminator head", hint="its matrix"),
    "discriminator_predictions/output_bias": Label("the output bias of the discriminator head", hint="its bias"),
}
"""Tensors and modules as lines of a sum, by the end of their path; the longest end that fits counts.

A sum of one part does not say which LayerNorm or head is meant, since it stands below the name of that part.
"""

BLOCK_LABELS: Mapping[str, Label] = {
    "embeddings": Label("the embeddings"),
    "self-attention": Label("self-attention in one layer", "", "self-attention"),
    "self-attention bias": Label("the biases of self-attention"),
    "cross-attention": Label("cross-attention in one layer", "", "cross-attention"),
    "feed-forward": Label("the feed-forward network in one layer", "", "the feed-forward network"),
    "feed-forward bias": Label("the biases of the feed-forward network"),
    "encoder-norms": Label("the LayerNorms in one layer", "", "the LayerNorms"),
    "pooler": Label("the pooler"),
    "mlm-head": Label("the masked-LM head"),
    "nsp-head": Label("the next-sentence head"),
    "task-head": Label("the task head"),
    "discriminator-head": Label("the discriminator head"),
    "lora": Label("the adapters beside matrices"),
    "added": Label("what is added"),
    "lora module": Label("one adapter"),
    "copied-head": Label("the copy of the head"),
    "pruned": Label("what goes with one head"),
    "pruned module": Label("its part of one projection"),
    ONE_LAYER: Label("one layer", "", "the layers"),
    f"part of a {ONE_LAYER}": Label("all of it in one layer", "", "all of it"),
}
"""Blocks as lines of a sum, which counts those of the layers in one layer."""

ADDED_LABELS = {
    "lora_A": LABELS["lora_A"].line,
    "lora_B": LABELS["lora_B"].line,
    "adapter_down": "the first matrix of one adapter",
    "adapter_up": "the second matrix of one adapter",
    "embedding.weight": "the vectors of all virtual tokens",
    "mlp_head.0": "the first matrix of the prompt encoder",
    "mlp_head.2": "the second matrix of the prompt encoder",
    "mlp_head.4": "the last matrix of the prompt encoder",
    "modules_to_save": "the matrix of the copied classifier",
}
"""Tensors that a change adds as lines of a sum, by what their names hold."""

COPIED_LABEL = "the copied classifier, with its bias"

IN_ONE_LAYER = {"ia3": "the vectors in one layer", "p-tuning": "the virtual tokens and their encoder"}
"""What a method adds as a line of a sum, if not adapters."""

IN_A_LAYER = ("self", "intermediate", "LayerNorm")
"""Modules of which a whole layer has some."""

WHOLE = ("bert/encoder", LAYER)
"""Paths whose words already say how many layers are meant."""

WITHOUT_NORMS = "-LayerNorm"

TAGS = {
    "kernel": "matrices",
    "bias": "biases",
    "vector": "vectors",
    "embedding-table": "tables",
}
"""What tags are called, of a part that a name or a path stands for."""

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


def of_line(line: Line) -> Label:
    """What one line of a sum counts.

    Raises:
        KeyError: the lists above lack it; a test tries every line of every architecture.

    >>> from macros.counting.sum_lines import TENSOR, Line
    >>> of_line(Line(TENSOR, ("bert/pooler/dense/kernel",), ())).line
    'the matrix of the pooler'
    """
    if line.kind == ONE_LAYER and not all(any(f"/{each}/" in f"{path}/" for path in line.paths) for each in IN_A_LAYER):
        return BLOCK_LABELS[f"part of a {ONE_LAYER}"]
    if line.kind in (BLOCK, ONE_LAYER):
        bias = " bias" if all(path.endswith("/bias") for path in line.paths) else ""
        return BLOCK_LABELS.get(f"{line.block}{bias}") or BLOCK_LABELS[line.block or line.kind]
    first, leaf = _parted(line.paths[0])
    if len({_parted(path)[0] for path in line.paths}) > 1:
        first = next((name for piece, name in SEVERAL.items() if f"{piece}/" in f"{first}/"), first)
    return _ending(f"{first}/{leaf}" if leaf and line.kind == TENSOR else first)


def exported() -> dict[str, Any]:
    """The labels beside lines, for scripts."""
    return {
        "total": TOTAL.line,
        "several": SEVERAL,
        "leaves": list(LEAVES),
        "blocks": {name: label.line for name, label in BLOCK_LABELS.items()},
        "ends": {end: label.line for end, label in LABELS.items()},
    }


def labels(lines: Sequence[Line]) -> list[str]:
    """What the lines of a sum count, each as it stands beside its line; the last is the total."""
    return [*(of_line(each).line for each in lines[:-1]), TOTAL.line]


def of_sum(asked: Question) -> str:
    """What the last line of a sum counts where the sum stands by itself: the part, or all of a model."""
    return in_words(Part(asked.part, asked.tag)) if asked.part or asked.tag else TOTAL.line


def labels_of_changed(lines: Sequence[Line]) -> list[str]:
    """What the lines of a sum count of a changed model, each as it stands beside its line; the last is the total."""
    return [*map(_of_changed, lines[:-1]), TOTAL.line]


def _of_changed(line: Line) -> str:
    name = line.paths[0].rpartition("/")[2]
    if line.kind == TENSOR and (label := next((label for part, label in ADDED_LABELS.items() if part in name), "")):
        return label
    if line.block == COPIED:
        return COPIED_LABEL
    if line.kind == BLOCK and all(path.endswith("/beta") for path in line.paths):
        return "the shifts of the LayerNorms in one layer"
    if line.block in IN_ONE_LAYER:
        return IN_ONE_LAYER[line.block]
    if line.kind == MODULE and name == "kernel":
        return BLOCK_LABELS["lora module"].line
    return "the adapters in one layer" if line.block in load_methods() else of_line(line).line


def _parted(path: str) -> tuple[str, str]:
    """The module of a tensor and the leaf; a module, or a tensor with a name of its own, has none."""
    module, _, last = path.rpartition("/")
    return (module, last) if last in LEAVES else (path, "")


def _ending(path: str) -> Label:
    """The label of the longest end of a path that has one."""
    parts = path.split("/")
    ends = ("/".join(parts[place:]) for place in range(len(parts)))
    return LABELS[next((end for end in ends if end in LABELS), path)]


def as_path(part: Part) -> str:
    """A part as HTML: what of it, its path, and whether in one layer or in all; in words where no path is left.

    >>> as_path(Part("bert/encoder/layer_0/output"))
    '<code>output</code> in one layer'
    """
    path = re.sub(r"^bert/(encoder/?(layer_[*0]/?)?)?", "", part.path)
    if not path:
        return in_words(part)
    named = f"the {TAGS[part.tag]} of <code>{path}</code>" if part.tag else f"<code>{path}</code>"
    return f"one head's share of {named}{_layers(part)}" if part.share else f"{named}{_layers(part)}"


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
