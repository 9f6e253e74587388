"""The names of the parts of a model, in sentences, captions, tables and sums.

`words.toml` has the nouns. Names that follow from a noun by rule are derived here: those of the matrix and bias of a
dense layer or head, of the scale and shift of a LayerNorm, and of the biases of a block.

There are two kinds of names. `in_words`, `caption` and `as_path` name a part as a question selects it, by path and tag.
Labels (`of_line`) name the lines of a sum. The scripts also label lines, with the same tables (`exported_labels`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import Question
from macros.counting.architecture import LAYER
from macros.counting.changes.methods import load_methods
from macros.counting.changes.rows import COPIED
from macros.counting.search.parts import Part
from macros.counting.sum_lines import BLOCK, MODULE, TENSOR, Line
from macros.counting.sum_lines import LAYER as LAYER_LINE

WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The data file; it explains its tables."""

BLOCKS: Mapping[str, str] = {name: block["row"] for name, block in WORDS["blocks"].items()}
"""The names of the blocks in the rows of tables, in the order of the model."""

ALL_BLOCKS = {**BLOCKS, **{name: block["row"] for name, block in WORDS["changed_blocks"].items()}}
"""The names of all blocks in the rows of tables, including those that only relatives and changed models have."""

LEGENDS: Mapping[str, str] = {
    name: block.get("legend", block["row"]) for name, block in (WORDS["blocks"] | WORDS["changed_blocks"]).items()
}
"""The names of the blocks in the legend of a figure, or below a number in a narrow column."""

LEAVES = {"kernel": "matrix", "bias": "bias", "gamma": "scale", "beta": "shift"}
"""The words for the last component of the path of a tensor in a module."""

LEAVES_OF_HEADS = {"output_weights": "matrix", "output_bias": "bias"}
"""The words for the last component of the path of a tensor in the output layer of a head."""

NOUNS: Mapping[str, str] = WORDS["modules"]
"""The nouns for modules and tensors, with their articles, by path."""


class Label(NamedTuple):
    """The label of a line of a sum: a noun, with its article, for what the line counts.

    Attributes:
        line: the form next to the line.
        sentence: the form within a sentence or a hint, if it differs.
        every: the form for a whole group of equal things, if the line counts one of them. Leaving out the line
            would leave out the whole group.
        hint: the form within a hint about the part that contains what the line counts. If this form ends with a
            full stop, it is the whole hint.
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
        """The label for all things of this kind that the sum counts."""
        return self.every or self.in_sentence


TOTAL = Label(WORDS["total"])
"""The label of the last line of a sum."""

PROJECTION = "projection"
NORM = "norm"
"""The keys of the labels for one of several equal modules."""

KEYS_OF_SEVERAL = {"LayerNorm": NORM, "attention": PROJECTION}
"""The key of the label for one of several equal modules, by a component of their paths.

PEFT's copies of these modules have the same keys.
"""

NORM_HINT = "A LayerNorm has a scale and a shift for each of the H features."
"""The hint about the scale of any LayerNorm."""


def _noun_and_hint(word: str | Mapping[str, str]) -> tuple[str, str]:
    """The noun and the hint of a module; an entry of the data file is either only the noun or a table of both."""
    return (word, "") if isinstance(word, str) else (word["noun"], word.get("hint", ""))


def _after_of(noun: str) -> str:
    """The form of a noun after "of", in which "in" avoids a second "of": the scale of the LayerNorm *in* the head."""
    return noun.replace(" of ", " in ")


def _of_dense(end: str, word: str | Mapping[str, str]) -> Iterator[tuple[str, Label]]:
    """Yield the labels of a dense layer, its matrix and its bias, each with the end of its path."""
    noun, hint = _noun_and_hint(word)
    yield end, Label(f"{noun}, with its bias", f"{noun} with its bias", hint=hint)
    yield f"{end}/kernel", Label(f"the matrix of {_after_of(noun)}", hint="its matrix")
    yield f"{end}/bias", Label(f"the bias of {_after_of(noun)}", hint="its bias")


def _of_head(end: str, noun: str) -> Iterator[tuple[str, Label]]:
    """Yield the labels of a head that consists of an output layer, and of its matrix and bias."""
    yield end, Label(noun)
    for leaf, word in LEAVES_OF_HEADS.items():
        yield f"{end}/{leaf}", Label(f"the output {word} of {noun}", hint=f"its {word}")


def _of_norm(end: str, word: str | Mapping[str, str]) -> Iterator[tuple[str, Label]]:
    """Yield the labels of a LayerNorm, its scale and its shift."""
    noun, hint = _noun_and_hint(word)
    yield end, Label(noun, hint=hint)
    yield f"{end}/gamma", Label(f"the scale of {_after_of(noun)}", hint=NORM_HINT)
    yield f"{end}/beta", Label(f"the shift of {_after_of(noun)}")


LABELS: Mapping[str, Label] = {
    **dict(label for end, word in WORDS["dense"].items() for label in _of_dense(end, word)),
    **dict(label for end, noun in WORDS["heads"].items() for label in _of_head(end, noun)),
    **dict(label for end, word in WORDS["norms"].items() for label in _of_norm(end, word)),
    # A label in the data file takes precedence over a derived one.
    **{end: Label(**label) for end, label in WORDS["lines"].items()},
}
"""The labels of tensors and modules, by the end of their path; the longest match is used."""


def _block_labels() -> Iterator[tuple[str, Label]]:
    """Yield the labels of blocks, of the biases of blocks in the layers, and of the lines under `other_lines`."""
    for name, block in (WORDS["blocks"] | WORDS["changed_blocks"]).items():
        plural = block.get("every", "")
        yield name, Label(block["line"], every=plural)
        if plural:
            yield f"{name} bias", Label(f"the biases of {plural}")
    for name, label in WORDS["other_lines"].items():
        yield name, Label(**label)


BLOCK_LABELS: Mapping[str, Label] = dict(_block_labels())
"""The labels of blocks and of `other_lines`, by name; those of blocks in the layers refer to one layer."""

ADDED_LABELS: Mapping[str, str] = WORDS["added"]
"""The labels of tensors that a change adds, by a substring of their names."""

COPIED_LABEL = "the copied classifier, with its bias"
"""The label of the copy of the head that PEFT trains."""

ADDED_IN_ONE_LAYER: Mapping[str, str] = WORDS["added_in_one_layer"]
"""The labels of what a method adds to one layer, by the method's name; all other methods add adapters."""

MODULES_OF_A_LAYER = ("self", "intermediate", "LayerNorm")
"""Components of paths that every whole layer has. A line that lacks any of them counts only a part of a layer."""

WITHOUT_LAYER_WORDS = ("bert/encoder", LAYER)
"""The paths whose nouns already state whether they mean one layer or all layers."""

EXCLUDED_BY_TAG = {"-LayerNorm": "{} LayerNorms", "-bias": "the biases of {} dense layers"}
"""The words for the tensors that a tag with a minus sign excludes; "its" or "their" replaces the braces."""

TAGS: Mapping[str, str] = WORDS["tags"]
"""The words for each tag in the phrase "the … of" a part."""

SELECTIONS: Mapping[str, str] = WORDS["selections"]
"""The words for all tensors with a tag."""

PHRASES: Mapping[str, str] = WORDS["phrases"]
"""The sentences that pages and scripts share, with names in braces for their values."""

WATERFALL: Mapping[str, str] = WORDS["waterfall"]
"""The legend of waterfalls, by style."""


def block_names(question: Question) -> list[str]:
    """The keys in `BLOCKS` of the blocks that a model class has, in the order of tables."""
    names = {row.block for row in question.whole.rows}
    return [block for block in BLOCKS if block in names]


def in_words(part: Part) -> str:
    """A part as a noun with its article.

    Raises:
        KeyError: `words.toml` lacks a path or a tag. A test tries every part.

    >>> in_words(Part("bert/encoder/layer_0/attention/self/query"))
    'the query projection in one layer'
    """
    path = _starred(part.path)
    if part.share:
        return f"one head's share of {_shared_by_heads(part)}{_layers(part)}"
    if part.tag in EXCLUDED_BY_TAG:
        return f"{NOUNS[path]} without {EXCLUDED_BY_TAG[part.tag].format('its' if path == LAYER else 'their')}"
    if part.tag and path not in ("", LAYER, "bert/encoder"):
        return f"the {TAGS[part.tag]} of {NOUNS[path]}{_layers(part)}"
    if part.tag:
        return f"{_selection(part.tag)}{_layers(part) if path else ' in the model'}"
    return NOUNS[path] if path in WITHOUT_LAYER_WORDS else f"{_module(path)}{_layers(part)}"


def caption(path: str, tag: str) -> str:
    """A part as named in the caption of a table; a part without a noun is named by its path.

    >>> caption("bert/encoder/layer_0", "self-attention")
    'self-attention in one encoder layer'
    """
    try:
        module = _module(_starred(path))
    except KeyError:
        module = path
    if not tag:
        return module
    selection = SELECTIONS.get(tag, tag)
    return f"{selection} in {module}" if path else selection


def _module(path: str) -> str:
    """A module or tensor as a noun with its article."""
    if path in NOUNS:
        return NOUNS[path]
    module, _, leaf = path.rpartition("/")
    return f"the {(LEAVES | LEAVES_OF_HEADS)[leaf]} of {NOUNS[module]}"


def of_line(line: Line) -> Label:
    """The label of one line of a sum.

    Raises:
        KeyError: `words.toml` lacks the label; the message states where to add it. A test tries every line of
            every architecture.

    >>> from macros.counting.sum_lines import TENSOR, Line
    >>> of_line(Line(TENSOR, ("bert/pooler/dense/kernel",), ())).line
    'the matrix of the pooler'
    """
    if line.kind == LAYER_LINE:
        modules = {component for path in line.paths for component in path.split("/")}
        if not modules.issuperset(MODULES_OF_A_LAYER):
            return BLOCK_LABELS[f"part of a {LAYER_LINE}"]
    if line.kind in (BLOCK, LAYER_LINE):
        bias = " bias" if all(path.endswith("/bias") for path in line.paths) else ""
        return BLOCK_LABELS.get(f"{line.block}{bias}") or BLOCK_LABELS[line.block or line.kind]
    module, leaf = _module_and_leaf(line.paths[0])
    if len({_module_and_leaf(path)[0] for path in line.paths}) > 1:
        module = next((key for component, key in KEYS_OF_SEVERAL.items() if f"{component}/" in f"{module}/"), module)
    return _label_of(f"{module}/{leaf}" if leaf and line.kind == TENSOR else module)


def exported_labels() -> dict[str, Any]:
    """The labels of lines in the form that the scripts read."""
    return {
        "total": TOTAL.line,
        "several": KEYS_OF_SEVERAL,
        "leaves": list(LEAVES),
        "blocks": {name: label.line for name, label in BLOCK_LABELS.items()},
        "ends": {end: label.line for end, label in LABELS.items()},
    }


def labels(lines: Sequence[Line]) -> list[str]:
    """The labels of the lines of a sum; the last line is the total."""
    return [*(of_line(line).line for line in lines[:-1]), TOTAL.line]


def of_sum(question: Question) -> str:
    """The label of the last line of a sum in a list: the part that the sum counts, or "the total"."""
    return in_words(Part(question.part, question.tag)) if question.part or question.tag else TOTAL.line


def labels_of_changed(lines: Sequence[Line]) -> list[str]:
    """The labels of the lines of a sum of a changed model; the last line is the total."""
    return [*map(_label_of_changed, lines[:-1]), TOTAL.line]


def _label_of_changed(line: Line) -> str:
    """The label of one line of a changed model's sum, by the first rule that applies."""
    name = line.paths[0].rpartition("/")[2]
    if line.kind == TENSOR:
        for substring, label_text in ADDED_LABELS.items():
            if substring in name:
                return label_text
    if line.block == COPIED:
        return COPIED_LABEL
    if line.kind == BLOCK and all(path.endswith("/beta") for path in line.paths):
        return "the shifts of the LayerNorms in one layer"
    if line.block in ADDED_IN_ONE_LAYER:
        return ADDED_IN_ONE_LAYER[line.block]
    if line.kind == MODULE and name == "kernel":
        return BLOCK_LABELS["lora module"].line
    return "the adapters in one layer" if line.block in load_methods() else of_line(line).line


def _module_and_leaf(path: str) -> tuple[str, str]:
    """The module and the leaf of a tensor; a module, or a tensor with its own noun, has an empty leaf."""
    module, _, last_component = path.rpartition("/")
    return (module, last_component) if last_component in LEAVES else (path, "")


def _label_of(path: str) -> Label:
    """The label of a path: the entry of `LABELS` for the longest possible end of the path.

    Raises:
        KeyError: no end of the path has an entry.
    """
    components = path.split("/")
    ends = ("/".join(components[start:]) for start in range(len(components)))
    label = next((LABELS[end] for end in ends if end in LABELS), None)
    if label is None:
        raise KeyError(f"{path} has no label in words.toml; add a line under [lines], or its module under [modules]")
    return label


def as_path(part: Part) -> str:
    """A part as HTML: its tag, its path within a layer or the model, and its layers; in words if that path is empty.

    >>> as_path(Part("bert/encoder/layer_0/output"))
    '<code>output</code> in one layer'
    """
    path = re.sub(r"^bert/(encoder/?(layer_[*0]/?)?)?", "", part.path)
    if not path:
        return in_words(part)
    noun = f"the {TAGS[part.tag]} of <code>{path}</code>" if part.tag else f"<code>{path}</code>"
    return f"one head's share of {noun}{_layers(part)}" if part.share else f"{noun}{_layers(part)}"


def _starred(path: str) -> str:
    """The path with a star for the number of the layer, as in `words.toml`, where all layers share an entry."""
    return path.replace("layer_0", "layer_*")


def _selection(tag: str) -> str:
    """The words for a tag, or for a block and a kind of tensor: `self-attention kernel`."""
    block, _, kind = tag.partition(" ")
    return f"the {TAGS[kind]} of {SELECTIONS[block]}" if kind else SELECTIONS[tag]


def _shared_by_heads(part: Part) -> str:
    """The words for the modules, or only their matrices, that the heads of a layer share."""
    if part.tag.startswith("self-attention"):
        return f"the matrices of {SELECTIONS['self-attention']}"
    module = NOUNS[_starred(part.path)]
    has_several_modules = part.path.endswith("/self")
    return (
        f"the {'matrices' if has_several_modules else 'matrix'} of {module}"
        if part.tag
        else f"{module} with {'their biases' if has_several_modules else 'its bias'}"
    )


def _layers(part: Part) -> str:
    """The words after the name of a part that state its layers; empty outside the layers."""
    if "layer_0" in part.path:
        return " in one layer"
    return " in all layers" if part.path.startswith("bert/encoder") else ""
