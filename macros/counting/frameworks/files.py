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
from ..rounding import rounded_up
from .listing import Tensor, tensors
from .names import name_in_class

LENGTH_FIELD_BYTES = 8
"""The size in bytes of the integer that gives the header's length. The header is padded to a multiple of this size."""


class FileSize(NamedTuple):
    """The size of a safetensors file in bytes: the header with the length before it, and the data of the tensors."""

    bytes_before_data: int
    data_bytes: int

    @property
    def size(self) -> int:
        """The bytes of the whole file."""
        return self.bytes_before_data + self.data_bytes


class Span(NamedTuple):
    """The range of a tensor's data in a safetensors file: its first byte and the byte after its last.

    Both are counted from the end of the header.
    """

    tensor: Tensor
    start: int
    end: int


def spans(question: Question) -> list[Span]:
    """The range of each tensor of a whole model in the file that `save_pretrained` writes, in the file's order.

    The file is assumed not to be sharded, and all weights to be float32. safetensors writes tensors of one data type in
    the order of their names in the file. If the file joins several tensors of the model, their span covers the joined
    tensor and has the path of the first of them. The path of a buffer is empty.
    """
    paths_of_tied_rows = tied_paths(question)
    entries = {tensor.transformers: tensor for tensor in _saved_buffers(question)}
    for tensor in tensors(question):
        if tensor.path not in paths_of_tied_rows:
            name = _saved_name(tensor.transformers, question.architecture.saved_names)
            length, *other_dimensions = tensor.shape
            length_so_far = entries[name].shape[0] if name in entries else 0
            saved_tensor = tensor._replace(transformers=name, shape=(length_so_far + length, *other_dimensions))
            entries[name] = saved_tensor._replace(path=entries[name].path) if length_so_far else saved_tensor
    file_spans = []
    offset = 0
    for _, tensor in sorted(entries.items()):
        end = offset + BYTES["float32"] * prod(tensor.shape)
        file_spans.append(Span(tensor, offset, end))
        offset = end
    return file_spans


def _saved_buffers(question: Question) -> list[Tensor]:
    """The buffers that files hold in addition to the parameters."""
    architecture = question.architecture
    model_class = question.resolved_class.name
    buffers = (buffer for buffer in buffers_of(question.model, architecture.last_release) if buffer.saved_name)
    names = [(name_in_class(buffer.saved_name, architecture, model_class), buffer.shape) for buffer in buffers]
    return [Tensor("", name, None, shape, shape, 0, None) for name, shape in names]


def _saved_name(name: str, saved_names: Mapping[str, str]) -> str:
    """The name that a tensor of the model has in a file; see `Architecture.saved_names`."""
    for part, replacement in saved_names.items():
        name = name.replace(part, replacement)
    return name


def safetensors_size(question: Question) -> FileSize:
    """The size of the file that `save_pretrained` writes for a whole model in float32, assuming it is not sharded.

    >>> from macros.counting import model_named
    >>> safetensors_size(Question(model_named("bert-base-uncased"), "BertForMaskedLM"))
    FileSize(bytes_before_data=23704, data_bytes=438057192)
    """
    file_spans = spans(question)
    padded_length = rounded_up(len(_header_text(file_spans)), LENGTH_FIELD_BYTES)
    return FileSize(LENGTH_FIELD_BYTES + padded_length, file_spans[-1].end)


def _header_text(file_spans: Iterable[Span]) -> str:
    """The header as text, without the length before it or the padding after it."""
    entries = {tensor.transformers: _header_entry(tensor.shape, start, end) for tensor, start, end in file_spans}
    return _compact_json({"__metadata__": {"format": "pt"}} | entries)


def _header_entry(shape: Sequence[int], start: int, end: int) -> dict[str, object]:
    """The entry of a tensor in the header of a safetensors file; its values lie from `start` up to `end`, in bytes."""
    return {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}


def _compact_json(value: object) -> str:
    """A value as JSON without spaces, as safetensors writes it."""
    return json.dumps(value, separators=(",", ":"))


def header_parts(question: Question) -> dict[str, list[int]]:
    """The bytes before the data of a file, by purpose.

    Each value is a list of factors: a number of bytes alone, or a number of tensors and the bytes for each.
    """
    file_spans = spans(question)
    empty_entry = len(_compact_json({"": _header_entry([], 0, 0)}))
    fixed_bytes_per_tensor = empty_entry - len("{}") - len("[]") - len("[0,0]") + len(",")
    return {
        "the length of the header": [LENGTH_FIELD_BYTES],
        "the metadata with the file's format, and the outer braces": [len(_header_text([]))],
        "the keys, type and punctuation of each tensor's entry": [len(file_spans), fixed_bytes_per_tensor],
        "the names of the tensors": [sum(len(tensor.transformers) for tensor, _, _ in file_spans)],
        "their shapes": [sum(len(_compact_json(tensor.shape)) for tensor, _, _ in file_spans)],
        "their positions": [sum(len(_compact_json([start, end])) for _, start, end in file_spans)],
        "spaces that pad the header to a multiple of eight": [-len(_header_text(file_spans)) % LENGTH_FIELD_BYTES],
    }


class QuantisedSize(NamedTuple):
    """The size of a model with quantised dense layers.

    Attributes:
        other_parameters: the number of parameters outside dense layers.
        bytes: the bytes of all parameters, without the scale and zero point of each matrix.
    """

    other_parameters: int
    bytes: int


def dynamic_int8_size(question: Question) -> QuantisedSize:
    """The size of a whole BERT after PyTorch has quantised every dense layer, a tied decoder included."""
    other_items, weight_items, bias_items = quantised_items(question)
    return QuantisedSize(other_items.number, other_items.bytes + weight_items.bytes + bias_items.bytes)


def quantised_items(question: Question) -> tuple[MemoryItems, MemoryItems, MemoryItems]:
    """The contents of a quantised BERT: parameters outside dense layers, weights of dense layers, their biases."""
    listing = list(tensors(question))
    paths_of_tied_rows = tied_paths(question)
    linear_modules = {
        tensor.transformers.removesuffix(".weight") for tensor in listing if is_linear_weight(tensor.path)
    }
    other_parameters = weight_count = bias_count = 0
    for tensor in listing:
        module, _, leaf = tensor.transformers.rpartition(".")
        number = prod(tensor.shape)
        # Checked before ties, because a quantised decoder no longer shares the word embeddings.
        if module in linear_modules and leaf == "weight":
            weight_count += number
        elif module in linear_modules:
            bias_count += number
        elif tensor.path not in paths_of_tied_rows:
            other_parameters += number
    return (
        MemoryItems("parameter outside the dense layers", other_parameters, BYTES["float32"]),
        MemoryItems("weight of a dense layer", weight_count, BYTES["int8"]),
        MemoryItems("bias of a dense layer", bias_count, BYTES["float32"]),
    )


def tied_paths(question: Question) -> set[str]:
    """The paths of the rows that share the weights of others."""
    return {row.path for row in question.rows if row.tied_to} if question.resolved_choices.tied else set()


def is_linear_weight(path: str) -> bool:
    """Whether the row of a BERT at a path is the matrix of a dense layer."""
    return path.endswith(("/kernel", "/output_weights"))
