"""The rows of a changed model: its tensors, and how each of them is trained and stored.

`applying.py` applies changes to rows; it never changes a row, but replaces it with another.
The properties of a row give its contributions to sums: `terms` to the total,
`trainable_terms` to the trainable parameters, and `tensor_terms` to the number of tensors.
All of them are terms of polynomials, so that a formula is as short for a deep model as for
a shallow one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..polynomials import ALL_BUT_FIRST, Term, factors_of

ADDED, COPIED = "added", "copy"
"""Values of `ChangedRow.addition`: a tensor that the unchanged model lacks, and a copy of one of its tensors."""

ORIGINAL = "original_module"
"""PEFT's name for the original of a module that it copies and trains, in the module that holds both."""


class StorageFormat(NamedTuple):
    """A format in which a tensor is stored, with the scales and offsets that are needed to unpack it.

    Attributes:
        per: the number of weights in one element.
        width: the bytes of one element; 0 means the width of the data type.
        scales: pairs of the number of weights in a block, and the bytes of the scales of this block.
        rows: the bytes of the scales of one row of the tensor.
        offset: the bytes of the offset of the whole tensor.
    """

    per: int = 1
    width: int = 0
    scales: tuple[tuple[int, int], ...] = ()
    rows: int = 0
    offset: int = 0


class ChangedRow(NamedTuple):
    """A tensor of a changed model, or one per layer.

    Attributes:
        path: the path of the same row in the unchanged model, or of the row beside which this one was added; empty
            for a row that belongs to the whole model, such as a prompt.
        name: its name in the library, with `*` for the number of the layer.
        shape: its dimensions, symbolic as in `Row`. Those of an added tensor are in the order of its library, and
            a dimension may be a product, such as `2*L*H`.
        layers: the letters whose product is the number of tensors that the row describes.
        block: the block in which it is counted, or the method that has added it.
        addition: `ADDED` or `COPIED`; empty for a row of the unchanged model.
        is_trained: whether it is trained; if so, the layers that `frozen_layers` counts still are not.
        frozen_letter: the letter for the number of frozen layers, counted from the first; empty if none are frozen.
        frozen_layers: the value of `frozen_letter`.
        is_removed: whether its elements are subtracted, as for pruned heads.
        tied_to: the path of the row that owns its weights; empty if it owns them itself. A tied row adds nothing to
            a total.
        storage: how it is stored.
        buffer_bytes: the bytes of the buffers that come with each of these tensors.
        wrapped_name: its full name in the library, if the library has wrapped a module around it; otherwise empty.
        layer: the number of its layer, if a change that names this layer has split it off; otherwise None.
        is_counted_elsewhere: whether the total counts its elements in another row, with those of all layers.
        split_layers: the layers that have been split off; each of them has a row of its own.
        extra_buffer_bytes: the bytes of buffers that exist only once, because they were copied with the first of these
            tensors or are shared by several rows.
        registrations: if the library registers this tensor in several modules, a row for each of them.
    """

    path: str
    name: str
    shape: str
    layers: tuple[str, ...]
    block: str
    addition: str = ""
    is_trained: bool = True
    frozen_letter: str = ""
    frozen_layers: int = 0
    is_removed: bool = False
    tied_to: str = ""
    storage: StorageFormat = StorageFormat()
    buffer_bytes: int = 0
    wrapped_name: str = ""
    layer: int | None = None
    is_counted_elsewhere: bool = False
    split_layers: frozenset[int] = frozenset()
    extra_buffer_bytes: int = 0
    registrations: tuple[ChangedRow, ...] = ()

    @property
    def skips_first_layer(self) -> bool:
        """Whether the first layer lacks this tensor."""
        return any(letter.startswith("(") for letter in self.layers)

    @property
    def full_name(self) -> str:
        """Its name in the library, including those of the wrappers around its module."""
        return self.wrapped_name or self.name

    @property
    def module(self) -> str:
        """The name of its module, without those of wrappers around it."""
        return self.name.rpartition(".")[0]

    @property
    def sides(self) -> tuple[str, str]:
        """Its output width and its input width, in letters and numbers; for a vector, the same width twice.

        In the shape of a kernel or a table the output width comes last, in that of `output_weights` first.
        """
        first_dimension, last_dimension = self.shape.split()[0], self.shape.split()[-1]
        return (
            (first_dimension, last_dimension)
            if self.path.endswith("/output_weights")
            else (last_dimension, first_dimension)
        )

    def shape_beside(self, shape: str) -> str:
        """The shape of a tensor beside this row, from `data/changes.toml`, with the row's widths for `in` and `out`."""
        output_width, input_width = self.sides
        widths = {"in": input_width, "out": output_width}
        # Within a computed dimension, such as in/b, a width that is a product needs signs between its factors.
        products = {word: "·".join(factors_of(width)).replace(" ", "") for word, width in widths.items()}
        return " ".join(
            widths.get(dimension) or re.sub(r"\b(in|out)\b", lambda word: products[word[0]], dimension)
            for dimension in shape.split()
        )

    @property
    def listed_shape(self) -> list[str]:
        """Its dimensions in the order of its library; in PyTorch a kernel is (out, in)."""
        dimensions = self.shape.split()
        is_kernel = self.path.endswith("/kernel") and self.addition != ADDED
        return dimensions[::-1] if is_kernel else dimensions

    @property
    def elements_per_tensor(self) -> Term:
        """The number of elements of one of its tensors; negative if they are subtracted."""
        term = Term.of_shape(self.shape.replace("*", " "))
        return term.times(-1) if self.is_removed else term

    @property
    def terms(self) -> tuple[Term, ...]:
        """The number of elements of all its tensors; no terms if the row is tied.

        A row of the model also counts the layers that have been split off from it, so that formulas stay short.
        """
        if self.tied_to or (self.is_counted_elsewhere and not self.addition):
            return ()
        return self._terms_without_layers(len(self.split_layers) if self.addition else 0)

    @property
    def trainable_terms(self) -> tuple[Term, ...]:
        """The number of trainable elements of all its tensors: all elements, minus those in frozen layers."""
        if self.tied_to or not self.is_trained:
            return ()
        terms = self._terms_without_layers(sum(layer >= self.frozen_layers for layer in self.split_layers))
        if not self.frozen_letter:
            return terms
        layers = ALL_BUT_FIRST.format(self.frozen_letter) if self.skips_first_layer else self.frozen_letter
        return (*terms, self.elements_per_tensor.times(-1, (layers,)))

    @property
    def tensor_terms(self) -> tuple[Term, ...]:
        """The number of its tensors, without those that have been split off."""
        number = Term(1, (), self.layers)
        return (number, Term(-len(self.split_layers), (), ())) if self.split_layers else (number,)

    def _terms_without_layers(self, excluded_count: int) -> tuple[Term, ...]:
        """The number of elements in all layers, minus those in `excluded_count` of them."""
        elements = self.elements_per_tensor
        all_layers = elements.times(1, self.layers)
        return (all_layers, elements.times(-excluded_count)) if excluded_count else (all_layers,)


Rows = tuple[ChangedRow, ...]
