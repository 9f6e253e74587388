"""The rows of a changed model: which tensors there are, whether they are trained, and how they are stored."""

from __future__ import annotations

from typing import NamedTuple

from ..polynomials import BUT_FIRST, Term

ADDED, COPIED = "added", "copy"
"""Values of `ChangedRow.added`: a tensor that the plain model lacks, and one that it then has twice."""

TRAINED, ORIGINAL = "modules_to_save.default", "original_module"
"""PEFT's names inside a module of which it trains a copy: for the copy, and for what it was made from."""


class Storage(NamedTuple):
    """How a tensor is stored, and what is stored with it to unpack it.

    Attributes:
        per: weights in one element.
        width: bytes of one element; zero stands for the width of the data type.
        scales: pairs of a block size in weights and the bytes kept for each such block.
        rows: bytes kept for each row of the tensor.
        offset: bytes kept for the tensor as a whole.
    """

    per: int = 1
    width: int = 0
    scales: tuple[tuple[int, int], ...] = ()
    rows: int = 0
    offset: int = 0


class ChangedRow(NamedTuple):
    """A tensor of a changed model, or one in every layer.

    Attributes:
        path: the row of the plain model that this is, or beside which it stands; empty for what belongs to the
            whole model, such as a prompt.
        name: its name in the library, with `*` for the number of the layer.
        shape: kernels as (in, out), as in the table; added tensors as in their library. A dimension may be a
            product, such as `2*L*H`.
        layers: the letters that multiply to the number of such tensors.
        block: the part of the model that it is counted in.
        added: `ADDED` or `COPIED`; empty for a row of the plain model.
        trained: whether it is trained.
        first: the letter for the number of first layers in which it is not trained; empty if there are none.
        removed: whether its elements are subtracted, as those of pruned heads are.
        tied: the path of the row that owns its weights; empty if they are its own. A tied row counts nothing.
        storage: how it is stored.
        buffer_bytes: bytes that a buffer keeps per element.
        within: the module that the library has wrapped, and its name for what was there; empty if not wrapped.
    """

    path: str
    name: str
    shape: str
    layers: tuple[str, ...]
    block: str
    added: str = ""
    trained: bool = True
    first: str = ""
    removed: bool = False
    tied: str = ""
    storage: Storage = Storage()
    buffer_bytes: int = 0
    within: tuple[str, str] = ("", "")

    @property
    def is_but_first(self) -> bool:
        """Whether the first layer lacks this tensor."""
        return any(letter.startswith("(") for letter in self.layers)

    @property
    def full_name(self) -> str:
        """Its name in the library, including the wrapper around its module."""
        module, own = self.within
        return f"{module}.{own}{self.name.removeprefix(module)}" if module else self.name

    @property
    def sides(self) -> tuple[str, str]:
        """The letters of its output and input width; for a vector the same letter twice.

        Output comes first. A kernel and a table have it last in their shape, the weights of a head's output first.
        """
        first, last = self.shape.split()[0], self.shape.split()[-1]
        return (first, last) if self.path.endswith("/output_weights") else (last, first)

    def shaped(self, shape: str) -> str:
        """A shape of `data/changes.toml` with this row's widths in place of `in` and `out`."""
        out, into = self.sides
        return " ".join({"in": into, "out": out}.get(dimension, dimension) for dimension in shape.split())

    @property
    def listed_shape(self) -> list[str]:
        """Its dimensions in the order of its library; PyTorch has kernels as (out, in)."""
        is_kernel = self.path.endswith("/kernel") and self.added != ADDED
        return self.shape.split()[:: -1 if is_kernel else 1]

    @property
    def one(self) -> Term:
        """The elements of one such tensor; negative if it is removed."""
        term = Term.of_shape(self.shape.replace("*", " "))
        return term._replace(coefficient=-term.coefficient) if self.removed else term

    @property
    def terms(self) -> tuple[Term, ...]:
        """The elements of all such tensors; no term if it is tied."""
        return () if self.tied else (self.one._replace(layers=self.layers),)

    @property
    def trainable_terms(self) -> tuple[Term, ...]:
        """The trained elements of all such tensors: all, less those of first layers that are frozen."""
        if self.tied or not self.trained:
            return ()
        first = BUT_FIRST.format(self.first) if self.is_but_first else self.first
        frozen = self.one._replace(coefficient=-self.one.coefficient, layers=(first,))
        return (*self.terms, frozen) if self.first else self.terms


Rows = tuple[ChangedRow, ...]
