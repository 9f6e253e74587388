"""Models as they are stored: safetensors files, and PyTorch's dynamic quantisation.

Sources: safetensors 0.8, the format; transformers 5.23, `save_pretrained`; torch 2.13, `quantize_dynamic`.
Recorded by `tests/oracles/record_training.py`.
"""

from __future__ import annotations

import json
from math import prod
from typing import NamedTuple

from ..memory import BYTES, MemoryItems
from ..question import Question
from .listing import tensors

LENGTH = 8
"""Bytes that hold the length of the header, which is padded to a multiple of them."""


class File(NamedTuple):
    """A safetensors file: the bytes before the weights, and those of the weights."""

    header: int
    data: int

    @property
    def size(self) -> int:
        """All of its bytes."""
        return self.header + self.data


def safetensors(question: Question) -> File:
    """The file that `save_pretrained` writes for a whole model in float32, if it does not split it.

    >>> from macros.counting import model_named
    >>> safetensors(Question(model_named("bert-base-uncased"), "BertForMaskedLM"))
    File(header=23704, data=438057192)
    """
    width, offset = BYTES["float32"], 0
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    tied = tied_paths(question)
    stored = [tensor for tensor in tensors(question) if tensor.path not in tied]
    for tensor in sorted(stored, key=lambda tensor: tensor.transformers):
        end = offset + width * prod(tensor.shape)
        header[tensor.transformers] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":"))
    # The negative signs make the division round up, to a multiple of `LENGTH`.
    return File(LENGTH - (-len(text) // LENGTH) * LENGTH, offset)


class Quantised(NamedTuple):
    """A model with quantised linear layers: the number of its other parameters, and the bytes of everything.

    The bytes are those of weights and biases; the scale and zero point of each matrix are not among them.
    """

    left: int
    bytes: int


def dynamic_int8(question: Question) -> Quantised:
    """A whole model after PyTorch has quantised every linear layer, a tied decoder included."""
    left, *packed = quantised_items(question)
    return Quantised(left.number, sum(group.bytes for group in (left, *packed)))


def quantised_items(question: Question) -> tuple[MemoryItems, MemoryItems, MemoryItems]:
    """The contents of such a model: the parameters outside of linear layers, packed weights, and their biases."""
    listing, tied = list(tensors(question)), tied_paths(question)
    linear = {tensor.transformers.removesuffix(".weight") for tensor in listing if is_linear(tensor.path)}
    left = weights = biases = 0
    for tensor in listing:
        module, _, leaf = tensor.transformers.rpartition(".")
        number = prod(tensor.shape)
        # Before ties, because a quantised decoder no longer shares the word embeddings.
        if module in linear and leaf == "weight":
            weights += number
        elif module in linear:
            biases += number
        elif tensor.path not in tied:
            left += number
    return (
        MemoryItems("parameter that is left", left, BYTES["float32"]),
        MemoryItems("weight of a linear layer", weights, BYTES["int8"]),
        MemoryItems("of their biases", biases, BYTES["float32"]),
    )


def tied_paths(question: Question) -> set[str]:
    """The paths of the rows that share the weights of others."""
    return {row.path for row in question.rows if row.tied_to} if question.settled.tied else set()


def is_linear(path: str) -> bool:
    """Whether a path is that of a linear layer's matrix."""
    return path.endswith(("/kernel", "/output_weights"))
