"""The rows of a changed model: tensors that are there, trained or not, and how they are stored."""

from __future__ import annotations

from typing import NamedTuple

from ..polynomials import BUT_FIRST, Term

ADDED, COPIED, TRAINED, ORIGINAL = "added", "copy", "modules_to_save.default", "original_module"
"""What a row is that the model lacks, or holds twice; and what PEFT calls both of them."""


class Storage(NamedTuple):
    """How a tensor is stored: so many weights in an element of so many bytes, and what is kept beside them.

    `scales` are pairs: of each so many weights of a tensor, so many bytes. `rows` are bytes for each of its rows,
    and `offset` bytes for the whole of it. No width is that of the data type.
    """

    per: int = 1
    width: int = 0
    scales: tuple[tuple[int, int], ...] = ()
    rows: int = 0
    offset: int = 0


class ChangedRow(NamedTuple):
    """A tensor of a changed model, or one in every layer.

    Attributes:
        path: of the row that it is, or that it belongs to; empty for what belongs to the whole model.
        name: what it is called there; `*` for a layer.
        shape: as the table has it, kernels (in, out), and what is added as its library has it; a dimension may be a
            product, such as `2*L*H`.
        layers: the letters that count what there are of it.
        block: the part of the model.
        added: empty for what the plain model has; else `ADDED` or `COPIED`.
        trained: whether it is trained.
        first: the letter of how many of the first layers are not trained, if any.
        removed: whether it is not there, and so is taken away.
        tied: the path of the row that owns its weights, while it counts nothing.
        stored: how.
        buffered: bytes that a buffer keeps for each of its numbers.
        within: the module that the library has wrapped, and under which name it keeps what was there.
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
    stored: Storage = Storage()
    buffered: int = 0
    within: tuple[str, str] = ("", "")

    @property
    def is_but_first(self) -> bool:
        """Whether the first layer has none."""
        return any(each.startswith("(") for each in self.layers)

    @property
    def full_name(self) -> str:
        """Its name, with that of what wraps it."""
        module, own = self.within
        return f"{module}.{own}{self.name.removeprefix(module)}" if module else self.name

    @property
    def sides(self) -> tuple[str, str]:
        """How many numbers a matrix or table gives out, and how many it takes in; of a bias the same, twice."""
        first, last = self.shape.split()[0], self.shape.split()[-1]
        return (first, last) if self.path.endswith("/output_weights") else (last, first)

    def shaped(self, shape: str) -> str:
        """A shape in which `in` and `out` stand for its sides."""
        out, into = self.sides
        return " ".join({"in": into, "out": out}.get(each, each) for each in shape.split())

    @property
    def listed_shape(self) -> list[str]:
        """Its shape as its library has it."""
        is_kernel = self.path.endswith("/kernel") and self.added != ADDED
        return self.shape.split()[:: -1 if is_kernel else 1]

    @property
    def one(self) -> Term:
        """The elements of one such tensor; below zero where it is taken away."""
        term = Term.of_shape(self.shape.replace("*", " "))
        return term._replace(coefficient=-term.coefficient) if self.removed else term

    @property
    def all(self) -> tuple[Term, ...]:
        """The elements of all such tensors."""
        return () if self.tied else (self.one._replace(layers=self.layers),)

    @property
    def learnt(self) -> tuple[Term, ...]:
        """Those that are trained: in all layers, but for the first."""
        if self.tied or not self.trained:
            return ()
        first = BUT_FIRST.format(self.first) if self.is_but_first else self.first
        frozen = self.one._replace(coefficient=-self.one.coefficient, layers=(first,))
        return (*self.all, frozen) if self.first else self.all


Rows = tuple[ChangedRow, ...]
