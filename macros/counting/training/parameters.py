"""The parameters of a changed model by module and layer: which of them are trained, packed or adapted.

The forward pass requests the parameters of each module that it runs, because the tensors that a module keeps for the
backward pass depend on which of its parameters are trained. These requests are recorded, so that a trained part that no
output depends on can be reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..changes.changed_model import ChangedModel
from ..changes.rows import ADDED, COPIED, ChangedRow
from ..errors import BadChoice
from ..messages import message

LORA_METHODS = ("lora", "rslora")
"""The methods whose added tensors are counted here: two matrices for each adapted one."""


class ModuleParameters(NamedTuple):
    """The parameters of one module in one layer.

    Attributes:
        shape: the symbolic shape of its matrix, in the order (in, out), of its table of embeddings, or of the gamma of
            a LayerNorm.
        trains_weight: whether this matrix, table or gamma is trained.
        trains_bias: whether its bias, or the beta of a LayerNorm, is trained.
        bits: the bits per weight of its packed matrix, 8 or 4; 0 if the matrix is not packed.
        rank: the letter for the rank of its LoRA matrices; empty if it is not adapted.
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


GROUP_LETTER = "G"
"""ALBERT's letter for the number of groups of layers; the layers of a group share their weights."""

WEIGHTS = ("kernel", "output_weights", "gamma")
"""The last components of the paths of matrices, and of the gamma of a LayerNorm.

A row of the model whose path ends otherwise is a bias, the beta of a LayerNorm, or a table of embeddings.
"""


class Parameters:
    """The parameters of a changed model, as one forward pass reads them.

    Args:
        model: the model with its changes.
        letters: by letter of the model, the letter that replaces it; see `Program.letters`.

    Attributes:
        modules_read: the paths of the modules that the forward pass has requested.

    Raises:
        BadChoice: a change adds tensors whose memory in training is not counted, or prunes heads.
    """

    def __init__(self, model: ChangedModel, letters: Mapping[str, str]) -> None:
        self._modules = _modules_of(model, frozenset(letters.items()))
        self.modules_read: set[str] = set()

    def __contains__(self, path: str) -> bool:
        """Whether the model has parameters in a module."""
        return path in self._modules

    def module(self, path: str, layer: int) -> ModuleParameters:
        """The parameters of a module in a layer. For a module outside the layers, `layer` is ignored."""
        self.modules_read.add(path)
        return self._modules.parameters(path, layer)

    def borders(self, depth: int) -> list[int]:
        """The first layer of each run of layers whose parameters are treated alike, followed by the number of layers.

        Layers differ if parameters are frozen in the first of them, or adapted in single ones.
        """
        return sorted(border for border in {*self._modules.borders, depth} if border <= depth)


class _Modules:
    """The modules of a changed model.

    Args:
        model: the model with its changes.
        letters: the letters that are replaced, each with its replacement.

    Raises:
        BadChoice: as for `Parameters`.
    """

    def __init__(self, model: ChangedModel, letters: frozenset[tuple[str, str]]) -> None:
        self._letters = str.maketrans(dict(letters))
        self._rows: defaultdict[str, list[ChangedRow]] = defaultdict(list)
        self._parameters: dict[tuple[str, int], ModuleParameters] = {}
        for row in model.rows:
            if row.is_removed or (row.addition == ADDED and row.block not in LORA_METHODS):
                method = row.block if row.addition else "pruned"
                raise BadChoice(message("training-method", method=method))
            self._rows[module_of(row)].append(row)

    def __contains__(self, path: str) -> bool:
        """Whether a module has parameters."""
        return path in self._rows

    def parameters(self, path: str, layer: int) -> ModuleParameters:
        """The parameters of a module in a layer; see `Parameters.module`."""
        if (path, layer) not in self._parameters:
            self._parameters[path, layer] = self._read_parameters(path, layer)
        return self._parameters[path, layer]

    @cached_property
    def borders(self) -> frozenset[int]:
        """The layers whose parameters may be treated differently from those of the layer before."""
        borders = {0}
        for rows in self._rows.values():
            for row in rows:
                borders |= {row.frozen_layers, *row.split_layers, *(layer + 1 for layer in row.split_layers)}
        return frozenset(borders)

    def _read_parameters(self, path: str, layer: int) -> ModuleParameters:
        """The parameters of a module in a layer, as its rows describe them."""
        rows = [row for row in self._rows[path] if row.layer in (None, layer) and layer not in row.split_layers]
        # If PEFT has copied a module, only the copy is read and trained.
        is_copied = any(row.addition == COPIED for row in rows)
        shape = rank = ""
        trains_weight = trains_bias = False
        bits = 0
        for row in rows:
            if row.addition == ADDED:
                # The two dimensions of LoRA's matrix are the rank and one of the module's own, whose row comes first.
                adapter_shape = row.shape.translate(self._letters)
                rank = (set(adapter_shape.split()) - set(shape.split())).pop()
            elif is_copied and row.addition != COPIED:
                continue
            elif row.path == path or row.path.endswith(WEIGHTS):
                matrix_shape = " ".join(reversed(row.sides)) if row.path.endswith("/output_weights") else row.shape
                shape = matrix_shape.translate(self._letters)
                trains_weight = is_trained_in(row, layer)
                # An element of packed weights has one byte.
                bits = 8 // row.storage.per if row.storage.width else 0
            else:
                trains_bias = is_trained_in(row, layer)
        return ModuleParameters(shape, trains_weight, trains_bias, bits, rank)


@lru_cache(maxsize=16)  # a step runs its model with and without checkpointing, and with several numbers of examples
def _modules_of(model: ChangedModel, letters: frozenset[tuple[str, str]]) -> _Modules:
    """The modules of a changed model, which are the same in all its forward passes."""
    return _Modules(model, letters)


def module_of(row: ChangedRow) -> str:
    """The path of the module that a row belongs to."""
    return row.path if row.path.endswith("_embeddings") else row.path.rpartition("/")[0]


def is_trained_in(row: ChangedRow, layer: int) -> bool:
    """Whether the tensor of a row is trained in a layer."""
    if not row.frozen_letter or not row.is_trained:
        return row.is_trained
    # In an ALBERT with a single group of one layer, all layers share their weights, so they are frozen together.
    # `step.py` refuses any other ALBERT.
    return not row.frozen_layers if GROUP_LETTER in row.layers else layer >= row.frozen_layers
