"""What sentences, captions and tables call the parts of a model.

The nouns are in `words.toml`, one for a part. What follows by rule is derived
here: the matrix and the bias of a dense layer or a head, the scale and the
shift of a LayerNorm, the biases of a block.
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
from macros.counting.sum_lines import LAYER as ONE_LAYER

WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The nouns, by kind; the file explains them."""

BLOCKS: Mapping[str, str] = {name: each["row"] for name, each in WORDS["blocks"].items()}
"""The blocks as rows of a table, in the order of the model."""

OF_FIGURES: Mapping[str, str] = {name: each.get("legend", each["row"]) for name, each in WORDS["blocks"].items()}
"""The blocks in the legend of a figure."""

CHANGED_BLOCKS = {**BLOCKS, **{name: each["row"] for name, each in WORDS["changed_blocks"].items()}}
"""Those of any architecture, and what PEFT adds; only the calculator counts them all."""

LEAVES = {"kernel": "matrix", "bias": "bias", "gamma": "scale", "beta": "shift"}
"""The last component of a path, where the one before it has a name of its own."""

LEAVES_OF_HEADS = {"output_weights": "matrix", "output_bias": "bias"}
"""The same of the output layers of heads."""

MODULES: Mapping[str, str] = WORDS["modules"]
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


TOTAL = Label(WORDS["total"])

PROJECTION, NORM = "projection", "norm"

SEVERAL = {"LayerNorm": NORM, "attention": PROJECTION}
"""What several modules of one form are, by a component of their paths; what PEFT copies is called as the original."""

NORM_HINT = "A LayerNorm has a scale and a shift for each of the H features."


def _noun(word: str | Mapping[str, str]) -> tuple[str, str]:
    """The noun of a module and its form in a hint, from one text or a table of both."""
    return (word, "") if isinstance(word, str) else (word["noun"], word.get("hint", ""))


def _within(noun: str) -> str:
    """A noun behind "of", which should not be followed by another "of": the scale of the LayerNorm in the head."""
    return noun.replace(" of ", " in ")


def _of_dense(end: str, word: str | Mapping[str, str]) -> Iterator[tuple[str, Label]]:
    """A dense layer, its matrix and its bias."""
    noun, hint = _noun(word)
    yield end, Label(f"{noun}, with its bias", f"{noun} with its bias", hint=hint)
    yield f"{end}/kernel", Label(f"the matrix of {_within(noun)}", hint="its matrix")
    yield f"{end}/bias", Label(f"the bias of {_within(noun)}", hint="its bias")


def _of_head(end: str, noun: str) -> Iterator[tuple[str, Label]]:
    """A head of one output layer, and the matrix and bias of that."""
    yield end, Label(noun)
    for leaf, called in LEAVES_OF_HEADS.items():
        yield f"{end}/{leaf}", Label(f"the output {called} of {noun}", hint=f"its {called}")


def _of_norm(end: str, word: str | Mapping[str, str]) -> Iterator[tuple[str, Label]]:
    """A LayerNorm, its scale and its shift."""
    noun, hint = _noun(word)
    yield end, Label(noun, hint=hint)
    yield f"{end}/gamma", Label(f"the scale of {_within(noun)}", hint=NORM_HINT)
    yield f"{end}/beta", Label(f"the shift of {_within(noun)}")


LABELS: Mapping[str, Label] = {
    **dict(label for end, word in WORDS["dense"].items() for label in _of_dense(end, word)),
    **dict(label for end, noun in WORDS["heads"].items() for label in _of_head(end, noun)),
    **dict(label for end, word in WORDS["norms"].items() for label in _of_norm(end, word)),
    # What follows no rule wins over what does.
    **{end: Label(**label) for end, label in WORDS["lines"].items()},
}
"""Tensors and modules as lines of a sum, by the end of their path; the longest end that fits counts."""


def _block_labels() -> Iterator[tuple[str, Label]]:
    """The blocks as lines of a sum, and their biases where they are in the layers."""
    for name, block in (WORDS["blocks"] | WORDS["changed_blocks"]).items():
        every = block.get("every", "")
        yield name, Label(block["line"], every=every)
        if every:
            yield f"{name} bias", Label(f"the biases of {every}")
    for name, label in WORDS["other_lines"].items():
        yield name, Label(**label)


BLOCK_LABELS: Mapping[str, Label] = dict(_block_labels())
"""Blocks as lines of a sum, which counts those of the layers in one layer."""

ADDED_LABELS: Mapping[str, str] = WORDS["added"]
"""Tensors that a change adds as lines of a sum, by what their names hold."""

COPIED_LABEL = "the copied classifier, with its bias"

IN_ONE_LAYER: Mapping[str, str] = WORDS["added_in_one_layer"]
"""What a method adds as a line of a sum, if not adapters."""

IN_A_LAYER = ("self", "intermediate", "LayerNorm")
"""Modules of which a whole layer has some."""

WHOLE = ("bert/encoder", LAYER)
"""Paths whose words already say how many layers are meant."""

WITHOUT_NORMS = "-LayerNorm"

TAGS: Mapping[str, str] = WORDS["tags"]
"""What tags are called, of a part that a name or a path stands for."""

SELECTIONS: Mapping[str, str] = WORDS["selections"]
"""What a tag selects where several rows carry it."""


PHRASES: Mapping[str, str] = WORDS["phrases"]
"""What both pages and scripts say, with names in braces for what is filled in."""

WATERFALL: Mapping[str, str] = WORDS["waterfall"]
"""The legend of a waterfall by style."""


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
    return MODULES[path] if path in WHOLE else f"{_module(path)}{_layers(part)}"


def caption(path: str, tag: str) -> str:
    """A part as the caption of a table calls it; one without a name of its own by its path.

    >>> caption("bert/encoder/layer_0", "self-attention")
    'self-attention in one encoder layer'
    """
    try:
        module = _module(_pattern(path))
    except KeyError:
        module = path
    selected = SELECTIONS.get(tag, tag)
    return selected if tag and not path else f"{selected} in {module}" if tag else module


def _module(path: str) -> str:
    """A module or a tensor as a noun with its article."""
    if path in MODULES:
        return MODULES[path]
    module, _, leaf = path.rpartition("/")
    return f"the {(LEAVES | LEAVES_OF_HEADS)[leaf]} of {MODULES[module]}"


def of_line(line: Line) -> Label:
    """What one line of a sum counts.

    Raises:
        KeyError: the lists above lack it, and the message says where to add it; a test tries every line of every
            architecture.

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
    label = next((LABELS[end] for end in ends if end in LABELS), None)
    if label is None:
        raise KeyError(f"{path} has no label in words.toml; add a line under [lines], or its module under [modules]")
    return label


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
