"""Which parameters of a changed model are trained, packed or adapted, module by module and layer by layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from ..changes.changed_model import ChangedModel
from ..changes.rows import ADDED, COPIED, ChangedRow
from ..errors import BadChoice
from ..messages import message

LORA = ("lora", "rslora")
"""The methods whose added tensors are counted here: two matrices beside each adapted one."""


class ModuleParameters(NamedTuple):
    """The parameters of one module in one layer.

    Attributes:
        shape: the symbolic shape of its matrix, in the order (in, out).
        trains_weight: whether its matrix is trained, or the gamma of a LayerNorm.
        trains_bias: whether its bias is trained, or the beta of a LayerNorm.
        bits: the bits per weight in which its matrix is packed, 8 or 4; 0 if it is not packed.
        rank: the letter for the rank of its LoRA adapter; empty if it has none.
    """

    shape: str = ""
    trains_weight: bool = False
    trains_bias: bool = False
    bits: int = 0
    rank: str = ""

    @property
    def is_trained(self) -> bool:
        """Whether any of its own parameters is trained."""
        return self.trains_weight or self.trains_bias


GROUPS = "G"
"""The letter for the groups of layers of ALBERT, which share their weights."""

WEIGHTS = ("kernel", "output_weights", "gamma")
"""The last component of the path of a matrix, or of a LayerNorm's factor. Any other row of a module is its bias."""


class Parameters:
    """The parameters of a changed model.

    Args:
        model: the model with its changes.
        letters: other letters for some sizes of the model.

    Attributes:
        read: the paths of the modules that have been asked for: those that the forward pass reads.

    Raises:
        BadChoice: a change adds tensors of which nothing is known here.
    """

    def __init__(self, model: ChangedModel, letters: Mapping[str, str]) -> None:
        self._letters = str.maketrans(dict(letters))
        self._rows: defaultdict[str, list[ChangedRow]] = defaultdict(list)
        self._modules: dict[tuple[str, int], ModuleParameters] = {}
        self.read: set[str] = set()
        for row in model.rows:
            if row.is_removed or (row.added == ADDED and row.block not in LORA):
                method = row.block if row.added else "pruned"
                raise BadChoice(message("training-method", method=method))
            self._rows[module_of(row)].append(row)

    def __contains__(self, path: str) -> bool:
        return path in self._rows

    def module(self, path: str, layer: int) -> ModuleParameters:
        """The parameters of a module in a layer; outside the layers, `layer` is ignored."""
        self.read.add(path)
        if (path, layer) not in self._modules:
            self._modules[path, layer] = self._module(path, layer)
        return self._modules[path, layer]

    def _module(self, path: str, layer: int) -> ModuleParameters:
        """The parameters of a module in a layer, put together from its rows."""
        rows = [row for row in self._rows[path] if row.layer in (None, layer) and layer not in row.split_layers]
        # Of a module that PEFT has copied, the copy alone is trained and read.
        is_copied = any(row.added == COPIED for row in rows)
        module = ModuleParameters()
        for row in rows:
            if row.added == ADDED:
                shape = row.shape.translate(self._letters)
                module = module._replace(rank=(set(shape.split()) - set(module.shape.split())).pop())
            elif is_copied and row.added != COPIED:
                continue
            elif row.path == path or row.path.endswith(WEIGHTS):
                shape = " ".join(reversed(row.sides)) if row.path.endswith("/output_weights") else row.shape
                module = module._replace(
                    shape=shape.translate(self._letters),
                    trains_weight=trains(row, layer),
                    bits=8 // row.storage.per if row.storage.width else 0,
                )
            else:
                module = module._replace(trains_bias=trains(row, layer))
        return module

    def borders(self, depth: int) -> list[int]:
        """The layers at which what is done to their parameters changes, with 0 and the number of layers, in order."""
        borders = {0, depth}
        for rows in self._rows.values():
            for row in rows:
                borders |= {row.frozen_layers, *row.split_layers, *(layer + 1 for layer in row.split_layers)}
        return sorted(border for border in borders if border <= depth)


def module_of(row: ChangedRow) -> str:
    """The path of the module that a row belongs to."""
    return row.path if row.path.endswith("_embeddings") else row.path.rpartition("/")[0]


def trains(row: ChangedRow, layer: int) -> bool:
    """Whether the tensor of a row is trained in a layer."""
    if not row.frozen_letter or not row.is_trained:
        return row.is_trained
    # All layers of an ALBERT that is counted here have the weights of one, so they are frozen together.
    return not row.frozen_layers if GROUPS in row.layers else layer >= row.frozen_layers
