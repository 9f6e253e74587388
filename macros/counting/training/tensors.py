"""The tensors of a forward pass, with everything on which memory depends: shape, bytes per element, and storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..polynomials import Polynomial

MASK, SHORT, FULL, INTEGER = 1, 2, 4, 8
"""Bytes per element: of a dropout mask, of bfloat16 and float16, of float32, and of token ids and labels (int64)."""


@dataclass(eq=False, slots=True)
class Storage:
    """The memory that one or more tensors share. Two storages are never equal, since each has memory of its own.

    Attributes:
        shape: its symbolic shape, in the letters of `TrainingStep.sizes`, such as B for the number of texts and T for
            the number of tokens per text.
        element_size: bytes per element.
        is_parameter: whether it holds a parameter of the model, which is in memory in any case.
    """

    shape: str
    element_size: int
    is_parameter: bool = False


class Tensor(NamedTuple):
    """A tensor of the forward pass.

    Attributes:
        shape: its symbolic shape; the last dimension is the one that a dense layer reads.
        element_size: bytes per element.
        needs_gradient: whether the backward pass computes a gradient for it.
        storage: the memory that it uses. It is larger than the tensor if the tensor is a part of another.
    """

    shape: str
    element_size: int
    needs_gradient: bool
    storage: Storage

    @classmethod
    def new(cls, shape: str, element_size: int, needs_gradient: bool = False) -> Tensor:
        """A tensor with memory of its own."""
        return cls(shape, element_size, needs_gradient, Storage(shape, element_size))

    @classmethod
    def parameter(cls, shape: str, element_size: int, needs_gradient: bool) -> Tensor:
        """A parameter of the model, read as a tensor."""
        return cls(shape, element_size, needs_gradient, Storage(shape, element_size, is_parameter=True))

    def copy(self, element_size: int = 0) -> Tensor:
        """A copy with memory of its own, and with another number of bytes per element if one is given."""
        return Tensor.new(self.shape, element_size or self.element_size, self.needs_gradient)

    def part(self, shape: str) -> Tensor:
        """A part of the tensor, which shares its storage."""
        return self._replace(shape=shape)

    def with_last_dimension(self, dimension: str) -> Tensor:
        """A new tensor with `dimension` in place of the last one."""
        return Tensor.new(with_last_dimension(self.shape, dimension), self.element_size, self.needs_gradient)


def with_last_dimension(shape: str, dimension: str) -> str:
    """A symbolic shape with `dimension` in place of its last one."""
    return " ".join([*shape.split()[:-1], dimension])


class Activation(NamedTuple):
    """A storage that is kept for the backward pass, or an equal one in each of several layers.

    Attributes:
        path: the module that keeps it, as in the path of a row; `layer_*` means a layer.
        contents: the numbers in it, in words.
        shape: its symbolic shape.
        element_size: bytes per element.
        layers: the number of layers that keep an equal storage; 0 for a storage outside the layers.
    """

    path: str
    contents: str
    shape: str
    element_size: int
    layers: int = 0

    @property
    def bytes_per_storage(self) -> Polynomial:
        """The bytes of one storage, as a symbolic formula."""
        return Polynomial.of_shape(f"{self.element_size} {self.shape}")

    def total(self, depth: int) -> Polynomial:
        """The bytes of the storages in all layers, as a symbolic formula.

        Args:
            depth: the number of layers of the model; the formula has the letter L if all of them keep the storage.
        """
        if not self.layers:
            return self.bytes_per_storage
        if self.layers == depth:
            return self.bytes_per_storage.in_each(("L",))
        return Polynomial.of_shape(f"{self.layers} {self.element_size} {self.shape}")
