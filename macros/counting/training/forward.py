"""The forward pass of a training step, run on shapes alone: what each operation keeps for the backward pass.

Each method of `Forward` stands for one operation of PyTorch. It takes tensors,
returns the tensor that the operation computes, and keeps what PyTorch's backward
pass of this operation reads. The rules, in the order of the methods:

- A dense layer y = x·W + b keeps x if W is trained, and W if x needs a gradient. W is in
  memory in any case, unless it was cast: then the copy is kept.
- Under autocast, dense layers and products of attention are computed in 16 bits. Each one
  casts its own inputs, so three layers that read the same vectors keep three copies.
  LayerNorm and softmax are computed in 32 bits.
- LayerNorm keeps its input, and the mean and the inverse standard deviation of every vector,
  in 32 bits whatever the type of its input.
- GELU keeps its input, tanh its output.
- Dropout keeps one byte for each number: whether it was dropped.
- A sum keeps nothing.
- A lookup in a trained table keeps the ids.
- Attention is written out below (`attention`), one way for each kernel.
- Cross-entropy keeps the logarithms of the probabilities, the labels, and the weight by which
  it divides.

Nothing is kept for a result that needs no gradient: neither its inputs nor any parameter
before it is trained. What is kept twice, by two operations, is in memory once.

Sources: pytorch, tools/autograd/derivatives.yaml (what each backward pass reads), aten/src/ATen/autocast_mode.h (which
operations run in which type), aten/src/ATen/native/transformers/attention.cpp (the ways of attention).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ..architecture import LAYER
from .parameters import Parameters
from .tensors import FULL, INTEGER, MASK, SHORT, Activation, Storage, Tensor

GLOBAL, LOCAL = "global", "local"
"""The kinds of layers of ModernBERT: every third attends to the whole text, the others to a window."""

EAGER, MATH, EFFICIENT, FLASH = KERNELS = ("eager", "math", "efficient", "flash")
"""The ways in which attention can run; see `Forward.attention`."""

FLOAT32, AUTOCAST, SHORT_WEIGHTS = PRECISIONS = ("float32", "autocast", "short")
"""The types of numbers: all in float32; weights in float32 and products in 16 bits; or everything in 16 bits."""


class Way(NamedTuple):
    """How a training step is run.

    Attributes:
        precision: one of `PRECISIONS`.
        kernel: one of `KERNELS`.
        dropout: whether there is dropout.
        padded: whether texts are padded, so that attention reads a mask.
        checkpointing: whether each layer keeps only its input, and computes everything else again in the backward pass.
    """

    precision: str = FLOAT32
    kernel: str = EAGER
    dropout: bool = True
    padded: bool = False
    checkpointing: bool = False


class Forward:
    """A forward pass, and what it keeps.

    Args:
        parameters: the parameters of the model, which decide what needs a gradient.
        way: how the step is run.
        sizes: the number for every letter, those of the batch included.
        gelu: which function `activation` is, `gelu` or `gelu_new`.
        shares_weights: whether all layers have the same weights, as in ALBERT.

    Attributes:
        layer: the number of the layer that is running; 0 outside the layers.
    """

    def __init__(
        self,
        parameters: Parameters,
        way: Way,
        sizes: Mapping[str, int],
        gelu: str = "gelu",
        shares_weights: bool = False,
    ) -> None:
        self.parameters, self.way = parameters, way
        self._gelu = gelu
        self.texts, self.labels, self._depth = sizes["N"], sizes["C"], sizes["L"]
        self._shares_weights = shares_weights
        self._shared: dict[str, Tensor] = {}
        self.layer = 0
        self._running = range(0)  # the layers for which the one that is running stands
        self._rotations: dict[str, Tensor] = {}
        self._kept: dict[Storage, Activation] = {}
        self._recomputed: dict[Storage, Activation] = {}

    @property
    def activations(self) -> list[Activation]:
        """What is kept, in the order in which it is kept; equal entries of several layers are one."""
        return merged(self._kept.values())

    @property
    def recomputed(self) -> list[Activation]:
        """What checkpointing computes again in the backward pass."""
        return merged(self._recomputed.values())

    @property
    def _layers(self) -> int:
        return len(self._running)

    @property
    def _width(self) -> int:
        """Bytes per number of a weight, and of vectors outside of products."""
        return SHORT if self.way.precision == SHORT_WEIGHTS else FULL

    @property
    def _casts(self) -> bool:
        return self.way.precision == AUTOCAST

    def keep(self, tensor: Tensor, path: str, what: str, *, is_outside: bool = False) -> None:
        """Keep the storage of a tensor, unless it is kept already.

        Args:
            tensor: the tensor.
            path: the module that keeps it.
            what: its contents, in words.
            is_outside: whether it is one for all layers, although a layer keeps it.
        """
        storage, layers = tensor.storage, 0 if is_outside else self._layers
        if storage not in self._kept:
            self._kept[storage] = Activation(path, what, storage.shape, storage.width, layers)

    def embedding(self, table: str, ids: str, what: str) -> Tensor:
        """One row of a table for each id: vectors of the table's width.

        Args:
            table: the path of the table.
            ids: the symbolic shape of the ids; empty if they are a buffer of the model.
            what: the ids, in words.
        """
        module = self.parameters.module(table, self.layer)
        if ids:
            self.lookup(table, ids, what)
        return Tensor.new(f"B T {module.shape.split()[-1]}", self._width, module.trains_weight)

    def lookup(self, table: str, ids: str, what: str) -> None:
        """Keep the ids of a lookup whose result is used in another shape than that of vectors."""
        if self.parameters.module(table, self.layer).trains_weight:
            self.keep(Tensor.new(ids, INTEGER), table, what)

    def input_embedding(self, table: str) -> Tensor:
        """The vectors of the tokens.

        With checkpointing, transformers asks for their gradient even if their table is not trained.
        """
        vectors = self.embedding(table, "B T", "token ids")
        return replace(vectors, needs_gradient=vectors.needs_gradient or self.way.checkpointing)

    def dense(self, vectors: Tensor, path: str) -> Tensor:
        """A dense layer, with its LoRA adapter if it has one."""
        module = self.parameters.module(path, self.layer)
        into, out = module.shape.split()
        read = self._product(vectors, path, "the input", f"{into} {out}", module.trains_weight, module.is_packed)
        needs_gradient = vectors.needs_gradient or module.is_trained
        result = Tensor.new(read.resized(out).shape, read.width, needs_gradient)
        if not module.rank:
            return result
        # PEFT keeps adapters in float32, and casts what they read to float32 as well.
        given = vectors if vectors.width == FULL else vectors.copied(FULL)
        read = self._product(given, path, "the input of LoRA", f"{into} {module.rank}", is_trained=True)
        low = Tensor.new(read.resized(module.rank).shape, read.width, True)
        self._product(low, path, "the output of A", f"{module.rank} {out}", is_trained=True)
        return Tensor.new(result.shape, result.width, True)

    def _product(
        self, vectors: Tensor, path: str, what: str, shape: str, is_trained: bool, is_packed: bool = False
    ) -> Tensor:
        """Keep what a product of vectors and a matrix needs, and return the vectors as the product reads them."""
        read = self.cast(vectors)
        if is_trained:
            self.keep(read, path, what)
        # The matrix itself is in memory in any case. A packed one is unpacked again in the backward pass.
        if self._casts and vectors.needs_gradient and not is_packed:
            self._keep_matrix(path, shape, is_trained)
        return read

    def _keep_matrix(self, path: str, shape: str, is_trained: bool) -> None:
        """Keep the copy of a matrix in 16 bits. Autocast makes one copy of a trained matrix, whoever reads it."""
        copy, is_shared = Tensor.new(shape, SHORT), self._shares_weights and is_trained
        if is_shared:
            copy = self._shared.setdefault(path, copy)
        self.keep(copy, path, "the matrix, in 16 bits", is_outside=is_shared)

    def cast(self, tensor: Tensor) -> Tensor:
        """A tensor as a product reads it: under autocast a copy in 16 bits, unless it already is in 16 bits."""
        return tensor.copied(SHORT) if self._casts and tensor.width == FULL else tensor

    def uncast(self, tensor: Tensor) -> Tensor:
        """A tensor as LayerNorm, softmax and losses read it: under autocast in 32 bits."""
        return tensor.copied(FULL) if self._casts and tensor.width == SHORT else tensor

    def norm(self, vectors: Tensor, path: str) -> Tensor:
        """LayerNorm."""
        module, read = self.parameters.module(path, self.layer), self.uncast(vectors)
        needs_gradient = vectors.needs_gradient or module.is_trained
        if needs_gradient:
            self.keep(read, path, "the input")
            each = vectors.shape.rpartition(" ")[0]
            for what in ("the mean of each vector", "the inverse standard deviation of each vector"):
                self.keep(Tensor.new(each, FULL), path, what)
        return Tensor.new(read.shape, read.width, needs_gradient)

    def activation(self, vectors: Tensor, path: str) -> Tensor:
        """The activation function of the model.

        `gelu_new` is written in Python, so that its steps keep what they read: its input,
        half of it, a tanh, and a sum. Autocast runs its third power in 32 bits, and so what
        is computed from that.
        """
        read = self.uncast(vectors) if self._gelu == "gelu_new" else vectors
        if vectors.needs_gradient:
            self.keep(read, path, "the input of GELU")
            if self._gelu == "gelu_new":
                self.keep(vectors.copied(), path, "half of the input of GELU")
                self.keep(read.copied(), path, "the output of tanh in GELU")
                self.keep(read.copied(), path, "1 + tanh in GELU")
        return read.copied()

    def gate(self, vectors: Tensor, gate: Tensor, path: str) -> Tensor:
        """Vectors times the activation function of their gate, for which NomicBERT has a dense layer of its own."""
        changed = gate.copied()
        if gate.needs_gradient:
            self.keep(gate, path, "the input of the gate's activation function")
            self.keep(changed, path, "the gate")
            self.keep(vectors, path, "what the gate multiplies")
        return changed.copied()

    def gated(self, vectors: Tensor, letter: str, path: str) -> Tensor:
        """GELU of one half of every vector, times the other half, which is its gate.

        Args:
            vectors: the vectors, twice as wide as the result.
            letter: the width of the result.
            path: the module.
        """
        changed = vectors.resized(letter)
        if vectors.needs_gradient:
            self.keep(vectors, path, "the input of GELU, and its gate")
            self.keep(changed, path, "the output of GELU")
        return changed.copied()

    def relu(self, vectors: Tensor, path: str) -> Tensor:
        """The positive part of a number, or zero."""
        return self._keeping_output(vectors, path, "the output of ReLU")

    def tanh(self, vectors: Tensor, path: str) -> Tensor:
        """The hyperbolic tangent."""
        return self._keeping_output(vectors, path, "the output of tanh")

    def _keeping_output(self, vectors: Tensor, path: str, what: str) -> Tensor:
        """The output of a function whose gradient follows from its output."""
        result = vectors.copied()
        if result.needs_gradient:
            self.keep(result, path, what)
        return result

    def dropout(self, vectors: Tensor, path: str, what: str = "dropout mask of the features") -> Tensor:
        """Dropout."""
        if not self.way.dropout:
            return vectors
        if vectors.needs_gradient:
            self.keep(Tensor.new(vectors.shape, MASK), path, what)
        return vectors.copied()

    def add(self, first: Tensor, second: Tensor) -> Tensor:
        """A sum of two tensors of one shape."""
        width = max(first.width, second.width)
        return Tensor.new(first.shape, width, first.needs_gradient or second.needs_gradient)

    def rotated(self, tensor: Tensor, path: str, *, has_kinds: bool = False) -> Tensor:
        """Queries or keys, rotated by the positions of their tokens.

        Args:
            tensor: the queries or the keys.
            path: the module.
            has_kinds: whether there are layers that attend to the whole text, and layers with a window. All layers of
                a kind rotate by the same cosines and sines.
        """
        if tensor.needs_gradient:
            # Of three layers in a row, one is global.
            kinds = {LOCAL if layer % 3 else GLOBAL for layer in self._running[:3]} if has_kinds else {""}
            for kind in sorted(kinds):
                for name in ("cosines", "sines"):
                    what = f"{name} of the rotations" + (f", in layers with {kind} attention" if kind else "")
                    rotation = self._rotations.setdefault(what, Tensor.new("T D", self._width))
                    self.keep(rotation, path.removeprefix(f"{LAYER}/"), what, is_outside=True)
        return tensor.copied()

    def attention(self, query: Tensor, key: Tensor, value: Tensor, path: str, *, in_full: bool = False) -> Tensor:
        """What every token reads from all tokens: the mix of the values, in the shape of the queries.

        `eager` computes it product by product: the scores, their softmax (the shares), and
        the shares times the values. Both products keep their inputs, softmax keeps its
        output. `math` does the same within PyTorch, in 32 bits even if its inputs have 16.
        `flash` and `efficient` compute it in one kernel, which keeps its inputs and its output
        and, instead of the shares, one logarithm for every row of shares. `efficient` keeps
        them for a length rounded up to 32, and reads a mask, which it keeps in the type
        of the queries.
        """
        if self.way.kernel in (FLASH, EFFICIENT):
            return self._fused(query, key, value, path)
        if self.way.kernel == MATH:
            query, key, value = (self._in_full(tensor) for tensor in (query, key, value))
        if key.needs_gradient:
            self.keep(query, path, "queries")
        if query.needs_gradient:
            self.keep(key, path, "keys")
        scores = Tensor.new("B A T T", query.width, query.needs_gradient or key.needs_gradient)
        shares = self._softmax(scores, in_full) if self.way.kernel == EAGER else scores
        if shares.needs_gradient:
            self.keep(shares, path, "shares after softmax")
        shares = self.dropout(shares, path, "dropout mask of the shares")
        if self.way.kernel == EAGER:
            shares = shares if shares.width == query.width else shares.copied(query.width)
        if value.needs_gradient:
            self.keep(shares, path, "shares after dropout" if self.way.dropout else "shares, as the product reads them")
        if shares.needs_gradient:
            # The product copies values that are part of a larger tensor.
            self.keep(value if value.shape == value.storage.shape else value.copied(), path, "values")
        return Tensor.new(query.shape, self._product_width, shares.needs_gradient or value.needs_gradient)

    def _softmax(self, scores: Tensor, in_full: bool) -> Tensor:
        read = self._in_full(scores) if in_full else self.uncast(scores)
        return read.copied()

    @property
    def _product_width(self) -> int:
        return SHORT if self._casts else self._width

    def _in_full(self, tensor: Tensor) -> Tensor:
        return tensor if tensor.width == FULL else tensor.copied(FULL)

    def _fused(self, query: Tensor, key: Tensor, value: Tensor, path: str) -> Tensor:
        """Attention in one kernel."""
        read = [self.cast(tensor) for tensor in (query, key, value)]
        result = Tensor.new(query.shape, read[0].width, any(tensor.needs_gradient for tensor in read))
        if not result.needs_gradient:
            return result
        if self.way.padded:
            self.keep(Tensor.new("B T T", read[0].width), path, "the mask, as it is added to the scores")
        for tensor, what in zip(read, ("queries", "keys", "values"), strict=True):
            self.keep(tensor, path, what)
        is_flash = self.way.kernel == FLASH
        self.keep(result, path, "the mix of the values")
        self.keep(Tensor.new("B A T" if is_flash else "B A Q", FULL), path, "logarithm of each sum in softmax")
        self.keep(Tensor.new("2" if is_flash else "1", INTEGER), path, "seed of the random numbers")
        self.keep(Tensor.new("1", INTEGER), path, "how many random numbers were drawn before")
        return result

    def cross_entropy(
        self, logits: Tensor, labels: str, path: str, what: str = "the correct labels", of: str = ""
    ) -> None:
        """The cross-entropy of predictions.

        Args:
            logits: one number for each possible label, in the last dimension.
            labels: the symbolic shape of the labels.
            path: the module that computes the logits.
            what: the labels, in words.
            of: whose probabilities they are, if a head has several losses.
        """
        if not logits.needs_gradient:
            return
        logarithms = logits.copied()
        self.keep(logarithms, path, f"logarithms of the probabilities{of}")
        read = self.uncast(logarithms)
        self.keep(read, path, f"logarithms of the probabilities{of}, in 32 bits")
        self.keep(Tensor.new(labels, INTEGER), path, what)
        self.keep(Tensor.new("1", read.width), path, f"the weight of the loss{of}")

    def binary_cross_entropy(self, logits: Tensor, path: str) -> None:
        """The cross-entropy of yes or no for every token."""
        if logits.needs_gradient:
            self.keep(self.uncast(logits), path, "the logits, for the loss")
            self.keep(Tensor.new("B T", FULL), path, "the correct answers, as numbers")

    def squared_error(self, numbers: Tensor, path: str) -> None:
        """The mean squared error of predicted numbers."""
        if numbers.needs_gradient:
            self.keep(self.uncast(numbers), path, "the numbers, for the loss")
            self.keep(Tensor.new(numbers.shape, FULL), path, "the correct numbers")

    def keep_mask(self, vectors: Tensor) -> None:
        """Keep the mask that all layers read, if texts are padded.

        One that is added to the scores, as in eager attention, has the type of the vectors.
        """
        if self.way.padded:
            width = vectors.width if self.way.kernel == EAGER else MASK
            self.keep(Tensor.new("B T T", width), LAYER.rpartition("/")[0], "the mask, which all layers read")

    def layers(self, vectors: Tensor, run: Callable[[Tensor], Tensor]) -> Tensor:
        """Run all layers, each of which reads what the one before it returns.

        Layers that are treated alike keep alike, except for the first of them, whose input
        may need no gradient. So two of them are run, and the second stands for all others.
        """
        borders = self.parameters.borders(self._depth)
        for first, end in pairwise(borders):
            for self._running in (range(first, first + 1), range(first + 1, end)):
                if self._running:
                    self.layer = self._running.start
                    vectors = self._run(vectors, run)
        self.layer, self._running = 0, range(0)
        return vectors

    def _run(self, vectors: Tensor, run: Callable[[Tensor], Tensor]) -> Tensor:
        if not self.way.checkpointing:
            return run(vectors)
        self.keep(vectors, LAYER, "the input of the layer")
        with self._aside():
            return run(vectors)

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """Keep what is computed again apart from what stays in memory. Of all layers, the last one is remembered."""
        kept = self._kept
        self._kept = dict(kept)
        yield
        self._recomputed = {storage: item for storage, item in self._kept.items() if storage not in kept}
        self._kept = kept


def merged(activations: Iterable[Activation]) -> list[Activation]:
    """Activations with those together that differ only in their layers."""
    layers: dict[Activation, int] = {}
    for activation in activations:
        key = activation._replace(layers=min(activation.layers, 1))
        layers[key] = layers.get(key, 0) + activation.layers
    return [key._replace(layers=number) for key, number in layers.items()]
