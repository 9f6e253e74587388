"""The sizes of models in storage: safetensors files, and PyTorch's dynamic quantisation.

Sources: safetensors 0.8, the description of its format; transformers 5.23, `save_pretrained`; torch 2.13,
`quantize_dynamic`. `tests/oracles/record_training.py` records their results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from ..memory import BYTES, MemoryItems, buffers_of
from ..question import Question
from .listing import Tensor, tensors
from .names import name_in_class

LENGTH = 8
"""The bytes of the number that states the length of the header. The header is padded to a multiple of as many bytes."""


class File(NamedTuple):
    """The size of a safetensors file: the bytes before the weights, and the bytes of the weights."""

    header: int
    data: int

    @property
    def size(self) -> int:
        """The bytes of the whole file."""
        return self.header + self.data


class Span(NamedTuple):
    """Where the data of a tensor lies in a safetensors file: its first byte and the byte after its last.

    Both are counted from the end of the header.
    """

    tensor: Tensor
    start: int
    end: int


def spans(question: Question) -> list[Span]:
    """The tensors of a whole model in the order of the file that `save_pretrained` writes, if the file is not split.

    All weights are float32, and safetensors writes tensors of one data type in the order of their names. The names are
    those in the file. Where the file joins several tensors of the model, a span covers the joined one, with the path
    of the first. The buffers in a file have no path.
    """
    shared_paths = tied_paths(question)
    entries = {tensor.transformers: tensor for tensor in _saved_buffers(question)}
    for tensor in tensors(question):
        if tensor.path not in shared_paths:
            name = _saved_name(tensor.transformers, question.architecture.saved_names)
            length, *other_dimensions = tensor.shape
            length_so_far = entries[name].shape[0] if name in entries else 0
            longer_tensor = tensor._replace(transformers=name, shape=(length_so_far + length, *other_dimensions))
            entries[name] = longer_tensor._replace(path=entries[name].path) if length_so_far else longer_tensor
    file_spans = []
    offset = 0
    for _, tensor in sorted(entries.items()):
        end = offset + BYTES["float32"] * prod(tensor.shape)
        file_spans.append(Span(tensor, offset, end))
        offset = end
    return file_spans


def _saved_buffers(question: Question) -> list[Tensor]:
    """The buffers that files hold beside the parameters."""
    architecture, model_class = question.architecture, question.resolved_class.name
    buffers = (buffer for buffer in buffers_of(question.model, architecture.release) if buffer.saved_name)
    names = [(name_in_class(buffer.saved_name, architecture, model_class), buffer.shape) for buffer in buffers]
    return [Tensor("", name, None, shape, shape, 0, None) for name, shape in names]


def _saved_name(name: str, saved_names: Mapping[str, str]) -> str:
    """The name that a tensor of the model has in a file; see `Architecture.saved_names`."""
    for part, replacement in saved_names.items():
        name = name.replace(part, replacement)
    return name


def safetensors(question: Question) -> File:
    """The size of the file that `save_pretrained` writes for a whole model in float32, if the file is not split.

    >>> from macros.counting import model_named
    >>> safetensors(Question(model_named("bert-base-uncased"), "BertForMaskedLM"))
    File(header=23704, data=438057192)
    """
    file_spans = spans(question)
    # The negative signs make the division round up, to a multiple of `LENGTH`.
    padded_length = -(-len(_header_text(file_spans)) // LENGTH) * LENGTH
    return File(LENGTH + padded_length, file_spans[-1].end)


def _header_text(file_spans: Iterable[Span]) -> str:
    """The header as text, without the number before it and the padding after it."""
    entries = {tensor.transformers: _header_entry(tensor.shape, start, end) for tensor, start, end in file_spans}
    return _compact({"__metadata__": {"format": "pt"}} | entries)


def _header_entry(shape: Sequence[int], start: int, end: int) -> dict[str, object]:
    """The entry of a tensor in the header."""
    return {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def header_parts(question: Question) -> dict[str, list[int]]:
    """The bytes of a header by their purpose, each as factors: the bytes, or a number of tensors and bytes for each."""
    file_spans = spans(question)
    empty_entry = len(_compact({"": _header_entry([], 0, 0)}))
    words_per_tensor = empty_entry - len("{}") - len("[]") - len("[0,0]") + len(",")
    return {
        "the length of the header": [LENGTH],
        "the format of the file, and the brackets": [len(_header_text([]))],
        "the words that every tensor has": [len(file_spans), words_per_tensor],
        "the names of the tensors": [sum(len(tensor.transformers) for tensor, _, _ in file_spans)],
        "their shapes": [sum(len(_compact(tensor.shape)) for tensor, _, _ in file_spans)],
        "their positions": [sum(len(_compact([start, end])) for _, start, end in file_spans)],
        "spaces up to a multiple of eight": [-len(_header_text(file_spans)) % LENGTH],
    }


class QuantisedSize(NamedTuple):
    """The size of a model with quantised linear layers.

    Attributes:
        other_parameters: the number of parameters outside linear layers.
        bytes: the bytes of all parameters, without the scale and zero point of each matrix.
    """

    other_parameters: int
    bytes: int


def dynamic_int8(question: Question) -> QuantisedSize:
    """The size of a whole model after PyTorch has quantised every linear layer, a tied decoder included."""
    others, weights, biases = quantised_items(question)
    return QuantisedSize(others.number, others.bytes + weights.bytes + biases.bytes)


def quantised_items(question: Question) -> tuple[MemoryItems, MemoryItems, MemoryItems]:
    """The contents of a quantised model: parameters outside linear layers, weights of linear layers, their biases."""
    listing, shared_paths = list(tensors(question)), tied_paths(question)
    linear_modules = {tensor.transformers.removesuffix(".weight") for tensor in listing if is_linear(tensor.path)}
    others = weights = biases = 0
    for tensor in listing:
        module, _, leaf = tensor.transformers.rpartition(".")
        number = prod(tensor.shape)
        # Checked before ties, because a quantised decoder no longer shares the word embeddings.
        if module in linear_modules and leaf == "weight":
            weights += number
        elif module in linear_modules:
            biases += number
        elif tensor.path not in shared_paths:
            others += number
    return (
        MemoryItems("parameter that is left", others, BYTES["float32"]),
        MemoryItems("weight of a linear layer", weights, BYTES["int8"]),
        MemoryItems("of their biases", biases, BYTES["float32"]),
    )


def tied_paths(question: Question) -> set[str]:
    """The paths of the rows that share the weights of others."""
    return {row.path for row in question.rows if row.tied_to} if question.resolved_choices.tied else set()


def is_linear(path: str) -> bool:
    """Whether the row at a path is the matrix of a linear layer."""
    return path.endswith(("/kernel", "/output_weights"))
