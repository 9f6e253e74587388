"""A model as a tree of modules, in which a library replaces one module after another.

The tree holds the modules, in the order of `named_modules()`, and the tensors of each.
Nothing else decides which parameters exist and are trained. Two names may lead to the
same tensor. A star takes the place of a layer's number, so the tree of a deep model is no
larger than that of a shallow one.

Source: torch 2.13, nn/modules/module.py (`named_modules`, `get_submodule`, `__setattr__`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

from .rows import ORIGINAL, ChangedRow

DEFAULT_ADAPTER = "default"
"""PEFT's name for the only adapter of a model."""

TRAINED_COPIES = "modules_to_save"
"""PEFT's name for the modules that it trains in place of an original, in a module that holds both."""

TRAINED_COPY = f"{TRAINED_COPIES}.{DEFAULT_ADAPTER}"
"""The path from this module to the copy that is trained."""


TensorNames = list[tuple[str, ChangedRow, int]]
"""The names of one tensor; see `Module.names`."""


class ModuleKind(Enum):
    """The kinds of modules that PEFT treats differently."""

    PLAIN = auto()
    LIST = auto()  # or a dictionary of modules
    ADAPTED = auto()  # has a base layer and adapters
    SAVED = auto()  # has an original and a copy of it, which is trained
    TOKENS = auto()  # has a table in which only the rows of some tokens are trained


@dataclass(eq=False)
class ModuleTensor:
    """A tensor. It may have several names: if two modules share a tensor, both hold the same object."""

    is_trained: bool
    is_packed: bool = False


@dataclass(eq=False)
class Module:
    """A module of a model.

    Attributes:
        kind: how PEFT treats it.
        tensors: its own tensors by name, each with the row that describes it in this module.
        children: the modules in it, by name.
        buffer_bytes: the bytes of its own buffers.
    """

    kind: ModuleKind = ModuleKind.PLAIN
    tensors: dict[str, tuple[ChangedRow, ModuleTensor]] = field(default_factory=dict)
    children: dict[str, Module] = field(default_factory=dict)
    buffer_bytes: int = 0

    def put(self, row: ChangedRow, tensor: ModuleTensor) -> None:
        """Put a tensor into the module that the full name of its row gives, and create missing modules on the way."""
        *steps, leaf = row.full_name.split(".")
        module = self
        for step in steps:
            if step == "base_layer":
                module.kind = ModuleKind.ADAPTED
            if step == "*" or step.isdigit():
                module.kind = ModuleKind.LIST
            module = module.children.setdefault(step, Module())
        module.tensors[leaf] = (row, tensor)

    def walk(self) -> Iterator[tuple[str, Module]]:
        """Yield this module under an empty name, and every module in it under its name within this one.

        The order is that of `named_modules()`, but a module with two names is yielded twice.
        """
        to_visit = [("", self)]
        while to_visit:
            name, module = to_visit.pop()
            yield name, module
            children = [(f"{name}.{step}" if name else step, child) for step, child in module.children.items()]
            to_visit += reversed(children)  # the first child is visited next

    def at(self, steps: Iterable[str]) -> Module:
        """The module at a path in this one. A step that a saved module lacks is looked up in its trained copy.

        Raises:
            KeyError: there is no module at this path.
        """
        module = self
        for step in steps:
            while step not in module.children and module.kind is ModuleKind.SAVED:
                module = module.children[TRAINED_COPIES].children[DEFAULT_ADAPTER]
            module = module.children[step]
        return module

    def every_tensor(self) -> Iterator[ModuleTensor]:
        """Every tensor in this module; a tensor with two names is yielded twice."""
        for _, module in self.walk():
            yield from (tensor for _, tensor in module.tensors.values())

    def set_trained(self, is_trained: bool) -> None:
        """Mark every tensor in this module as trained, or as frozen."""
        for tensor in self.every_tensor():
            tensor.is_trained = is_trained

    def train_copy(self) -> None:
        """Mark the copy in this module, which is of the kind `SAVED`, as trained, and the original as frozen."""
        self.children[ORIGINAL].set_trained(is_trained=False)
        self.children[TRAINED_COPIES].set_trained(is_trained=True)

    def every_name(self) -> Iterator[tuple[str, ModuleTensor]]:
        """The names of all tensors, each with its tensor; a tensor with two names is yielded twice."""
        for name, module in self.walk():
            yield from ((f"{name}.{leaf}", tensor) for leaf, (_, tensor) in module.tensors.items())

    def copy(self, copy_by_id: dict[int, Any]) -> Module:
        """A copy of this module, in which two modules share a tensor if their originals share one.

        Args:
            copy_by_id: the copies of modules and tensors so far, by the identity of their originals.
        """
        if id(self) not in copy_by_id:
            module_copy = Module(self.kind, buffer_bytes=self.buffer_bytes)
            copy_by_id[id(self)] = module_copy
            for leaf, (row, tensor) in self.tensors.items():
                if id(tensor) not in copy_by_id:
                    copy_by_id[id(tensor)] = replace(tensor)
                module_copy.tensors[leaf] = (row, copy_by_id[id(tensor)])
            module_copy.children.update({step: child.copy(copy_by_id) for step, child in self.children.items()})
        module: Module = copy_by_id[id(self)]
        return module

    @property
    def buffer_bytes_of_empty_copies(self) -> int:
        """The bytes of the buffers in copies of modules that have buffers, but no tensors."""
        return sum(
            module.buffer_bytes
            for name, module in self.walk()
            if module.buffer_bytes and TRAINED_COPIES in name.split(".") and not any(module.every_tensor())
        )

    def names(self) -> dict[int, TensorNames]:
        """The names of every tensor in the order of `named_parameters()`, by the identity of the tensor.

        Each name is accompanied by the row that describes the tensor under this name, and by the bytes of the buffers
        of the modules whose first tensor it is. `buffer_bytes_of_empty_copies` counts those of copies without tensors.
        """
        names: dict[int, TensorNames] = {}
        buffer_bytes = 0
        visited_ids: set[int] = set()
        for name, module in self.walk():
            if module.buffer_bytes and id(module) not in visited_ids and any(module.every_tensor()):
                buffer_bytes += module.buffer_bytes
            visited_ids.add(id(module))
            for leaf, (row, tensor) in module.tensors.items():
                names.setdefault(id(tensor), []).append((f"{name}.{leaf}" if name else leaf, row, buffer_bytes))
                buffer_bytes = 0
        return names
