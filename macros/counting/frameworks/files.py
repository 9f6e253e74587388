"""How models are stored: files of safetensors, and PyTorch's dynamic quantisation.

Sources: safetensors 0.8, the format; transformers 5.23, `save_pretrained`; torch 2.13, `quantize_dynamic`.
Recorded by `tests/oracles/record_training.py`.
"""

from __future__ import annotations

import json
from math import prod
from typing import NamedTuple

from ..memory import BYTES, Kept
from ..question import Question
from .listing import tensors

LENGTH = 8
"""Bytes that hold the length of the header; it is filled up to a multiple of them."""


class File(NamedTuple):
    """A file of safetensors: the bytes before the numbers, and those of the numbers."""

    header: int
    data: int

    @property
    def size(self) -> int:
        """All of its bytes."""
        return self.header + self.data


def safetensors(asked: Question) -> File:
    """The file that `save_pretrained` writes of a whole model in float32, where it is one file.

    >>> from macros.counting import model_named
    >>> safetensors(Question(model_named("bert-base-uncased"), "BertForMaskedLM"))
    File(header=23704, data=438057192)
    """
    width, place = BYTES["float32"], 0
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    tied = tied_paths(asked)
    written = [each for each in tensors(asked) if each.path not in tied]
    for each in sorted(written, key=lambda each: each.transformers):
        end = place + width * prod(each.shape)
        header[each.transformers] = {"dtype": "F32", "shape": each.shape, "data_offsets": [place, end]}
        place = end
    text = json.dumps(header, separators=(",", ":"))
    return File(LENGTH - (-len(text) // LENGTH) * LENGTH, place)


class Quantised(NamedTuple):
    """A model whose linear layers are quantised: what is left of its parameters, and the bytes of all.

    Each matrix has a scale and a zero point besides.
    """

    left: int
    bytes: int


def dynamic_int8(asked: Question) -> Quantised:
    """What PyTorch makes of a whole model in which every linear layer is quantised, a tied decoder included."""
    left, *packed = kept_quantised(asked)
    return Quantised(left.many, sum(each.bytes for each in (left, *packed)))


def kept_quantised(asked: Question) -> tuple[Kept, Kept, Kept]:
    """What PyTorch keeps of such a model: what is left of its parameters, packed weights, and their biases."""
    listed, tied = list(tensors(asked)), tied_paths(asked)
    linear = {each.transformers.removesuffix(".weight") for each in listed if is_linear(each.path)}
    left = weights = biases = 0
    for each in listed:
        module, _, leaf = each.transformers.rpartition(".")
        number = prod(each.shape)
        if module in linear and leaf == "weight":
            weights += number
        elif module in linear:
            biases += number
        elif each.path not in tied:
            left += number
    return (
        Kept("parameter that is left", left, BYTES["float32"]),
        Kept("weight of a linear layer", weights, BYTES["int8"]),
        Kept("of their biases", biases, BYTES["float32"]),
    )


def tied_paths(asked: Question) -> set[str]:
    """The paths of rows that share the weights of others."""
    return {row.path for row in asked.rows if row.tied_to} if asked.settled.tied else set()


def is_linear(path: str) -> bool:
    """Whether it is the matrix of a linear layer."""
    return path.endswith(("/kernel", "/output_weights"))
