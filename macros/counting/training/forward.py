"""The forward pass of a training step, run on shapes alone to find what each operation keeps for the backward pass.

Many methods of `Forward` stand for one operation of PyTorch each. Such a method takes
tensors and keeps what the backward pass of the operation reads. Unless the operation is a
loss, the method returns the tensor that the operation computes. The rules:

- A dense layer y = x·W + b keeps x if W is trained, and W if x needs a gradient. W is in
  memory anyway, so only a cast copy of it counts.
- A dense layer with a packed matrix returns a tensor in the type of its input. It keeps its input if the weights
  have 8 bits.
- Under autocast, dense layers and products of attention are computed in 16 bits. Each of
  them casts its own inputs, so three layers that read the same vectors keep three copies.
  LayerNorm and softmax are computed in 32 bits.
- LayerNorm keeps its input and, in 32 bits whatever the type of the input, the mean and the
  inverse standard deviation of every vector.
- GELU keeps its input; tanh and ReLU keep their outputs.
- Dropout keeps one byte per element: whether the element was dropped.
- A sum keeps nothing.
- A lookup in a trained table keeps the ids, unless they are a buffer of the model.
- Attention keeps different tensors for each kernel; see `Forward.attention`.
- Cross-entropy keeps the logarithms of the probabilities, the labels, and the weight by which
  it divides.
- For convolutions, gates, rotations, norms written in Python and the other losses, the methods
  of `Forward` show what they keep.

If no input of an operation needs a gradient and none of its parameters is trained, its
result needs no gradient, and nothing is kept for it. A tensor that two operations keep is
in memory only once.

Sources: pytorch, tools/autograd/derivatives.yaml (what each backward pass reads), aten/src/ATen/autocast_mode.h (which
operations run in which type), aten/src/ATen/native/transformers/attention.cpp (the kernels of attention).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from ..architecture import LAYER
from .parameters import Parameters
from .tensors import FULL, INTEGER, MASK, SHORT, Activation, Storage, Tensor, with_last_dimension

GLOBAL, LOCAL = "global", "local"
"""The kinds of layers of ModernBERT: every third attends to the whole text, the others to a window."""

EAGER, MATH, EFFICIENT, FLASH = "eager", "math", "efficient", "flash"
KERNELS = (EAGER, MATH, EFFICIENT, FLASH)
"""The implementations of attention; see `Forward.attention`."""

FLOAT32, AUTOCAST, SHORT_WEIGHTS = "float32", "autocast", "short"
PRECISIONS = (FLOAT32, AUTOCAST, SHORT_WEIGHTS)
"""The precision modes: everything in float32; weights in float32 and products in 16 bits; or everything in 16 bits."""

MATRIX_COPY = "the matrix, in 16 bits"
"""The label of the 16-bit copies of matrices that autocast keeps beside weights; see `TrainingStep.matrix_copies`."""


class StepSettings(NamedTuple):
    """The conditions under which a training step runs.

    Attributes:
        precision: one of `PRECISIONS`.
        kernel: one of `KERNELS`.
        dropout: whether there is dropout.
        padded: whether texts are padded, so that attention reads a mask.
        checkpointing: whether each layer keeps only its input, and recomputes everything else in the backward pass.
    """

    precision: str = FLOAT32
    kernel: str = EAGER
    dropout: bool = True
    padded: bool = False
    checkpointing: bool = False


class Forward:
    """A forward pass, and the tensors that it keeps.

    Args:
        parameters: the parameters of the model, which decide what needs a gradient.
        settings: how the step is run.
        sizes: the number for every letter, including the letters of the batch.
        activation_function: `gelu`, `gelu_new`, `erf` for ESM-2's GELU, or `relu`.
        shares_weights: whether all layers have the same weights, as in ALBERT.

    Attributes:
        parameters, settings, sizes: the arguments of these names.
        examples: the number of examples in the batch.
        labels: the number of labels that a head predicts.
        layer: the number of the current layer; 0 outside the layers.
        mask: the mask that a model creates even if no text is padded; None if only padded texts need a mask.
    """

    def __init__(
        self,
        parameters: Parameters,
        settings: StepSettings,
        sizes: Mapping[str, int],
        activation_function: str = "gelu",
        shares_weights: bool = False,
    ) -> None:
        self.parameters = parameters
        self.settings = settings
        self.sizes = sizes
        self.examples = sizes["N"]
        self.labels = sizes["C"]
        self._depth = sizes["L"]
        self._activation_function = activation_function
        self._shares_weights = shares_weights
        self._cast_matrices: dict[tuple[str, str, int], Tensor] = {}
        self.layer = 0
        self.mask: Tensor | None = None
        self._represented_layers = range(0)  # the layers that the current layer represents
        self._rotations: dict[str, Tensor] = {}
        self._kept_by_storage: dict[Storage, Activation] = {}
        self._recomputed_by_storage: dict[Storage, Activation] = {}
        self._held_storages: set[Storage] = set()  # the storages that checkpointing does not set aside

    @property
    def activations(self) -> list[Activation]:
        """The activations in the order in which they are kept. Equal activations of several layers are merged."""
        return merge_layers(self._kept_by_storage.values())

    @property
    def recomputed_activations(self) -> list[Activation]:
        """The activations that checkpointing recomputes in the backward pass."""
        return merge_layers(self._recomputed_by_storage.values())

    @property
    def _number_of_layers(self) -> int:
        """The number of layers that the current layer represents; 0 outside the layers."""
        return len(self._represented_layers)

    @property
    def element_size(self) -> int:
        """Bytes per element of a weight, and of vectors outside products."""
        return SHORT if self.settings.precision == SHORT_WEIGHTS else FULL

    @property
    def _uses_autocast(self) -> bool:
        """Whether the step runs under autocast."""
        return self.settings.precision == AUTOCAST

    def keep(self, tensor: Tensor, path: str, contents: str, *, is_shared: bool = False, is_held: bool = False) -> None:
        """Keep the storage of a tensor, unless it is already kept or holds a parameter of the model.

        Args:
            tensor: the tensor that the backward pass reads.
            path: the module that keeps it.
            contents: its contents, in words.
            is_shared: whether all layers share it, even though a layer keeps it.
            is_held: whether it stays in memory even with checkpointing.
        """
        storage = tensor.storage
        layer_count = 0 if is_shared else self._number_of_layers
        if is_held:
            self._held_storages.add(storage)
        if storage not in self._kept_by_storage and not storage.is_parameter:
            self._kept_by_storage[storage] = Activation(
                path, contents, storage.shape, storage.element_size, layer_count
            )

    def embedding(self, table: str, ids_shape: str, contents: str) -> Tensor:
        """One row of a table for each id, as vectors.

        Args:
            table: the path of the table.
            ids_shape: the symbolic shape of the ids; empty if they are a buffer of the model.
            contents: the ids, in words.
        """
        module = self.parameters.module(table, self.layer)
        if ids_shape:
            self.keep_ids(table, ids_shape, contents)
        return Tensor.new(f"B T {module.shape.split()[-1]}", self.element_size, module.trains_weight)

    def keep_ids(self, table: str, ids_shape: str, contents: str) -> None:
        """Keep the ids of a lookup, if the table is trained.

        Args:
            table: the path of the table.
            ids_shape: the symbolic shape of the ids.
            contents: the ids, in words.
        """
        if self.parameters.module(table, self.layer).trains_weight:
            self.keep(Tensor.new(ids_shape, INTEGER), table, contents)

    def input_embedding(self, table: str) -> Tensor:
        """The vectors of the tokens.

        With checkpointing, transformers makes them require a gradient even if their table is not trained.
        """
        vectors = self.embedding(table, "B T", "token ids")
        return vectors._replace(needs_gradient=vectors.needs_gradient or self.settings.checkpointing)

    def table(self, path: str) -> Tensor:
        """A whole table of vectors, rather than rows chosen by ids."""
        module = self.parameters.module(path, self.layer)
        return Tensor.parameter(module.shape, self.element_size, module.trains_weight)

    def bias(self, path: str) -> Tensor:
        """A bias that is a module of its own."""
        module = self.parameters.module(path, self.layer)
        return Tensor.parameter("H", self.element_size, module.trains_bias)

    def dense(self, vectors: Tensor, path: str) -> Tensor:
        """The output of a dense layer, with its LoRA adapter if it has one."""
        module = self.parameters.module(path, self.layer)
        input_width, output_width = module.shape.split()
        if module.bits:
            inputs = self._packed_product(vectors, path, module.bits)
        else:
            inputs = self._product(vectors, path, "the input", module.shape, module.trains_weight)
        needs_gradient = vectors.needs_gradient or module.is_trained
        output = Tensor.new(with_last_dimension(inputs.shape, output_width), inputs.element_size, needs_gradient)
        if not module.rank:
            return output
        # PEFT keeps adapters in float32 and casts their input to float32 as well. For a packed matrix, it leaves the
        # cast to autocast.
        is_cast = vectors.element_size != FULL and not (module.bits and self._uses_autocast)
        inputs = self._product(
            vectors.copy(FULL) if is_cast else vectors,
            path,
            "the input of LoRA",
            f"{input_width} {module.rank}",
            is_trained=True,
        )
        low_rank = Tensor.new(with_last_dimension(inputs.shape, module.rank), inputs.element_size, True)
        self._product(low_rank, path, "the output of A", f"{module.rank} {output_width}", is_trained=True)
        return Tensor.new(output.shape, output.element_size, True)

    def _packed_product(self, vectors: Tensor, path: str, bits: int) -> Tensor:
        """Keep what a product with a packed matrix needs, and return the vectors, which decide the type of the result.

        The matrix is unpacked for each product, and again in the backward pass. With 8 bits, bitsandbytes also keeps
        the input, although the matrix is not trained, and does so in a way that checkpointing does not see.
        """
        if bits == 8 and vectors.needs_gradient:
            self.keep(vectors, path, "the input", is_held=True)
        return vectors

    def convolution(self, vectors: Tensor, path: str) -> Tensor:
        """The output of a convolution over successive tokens.

        The convolution reads a copy of its input that is laid out feature by feature. It keeps this copy and, under
        autocast, the copy of its matrix, if its output needs a gradient.
        """
        module = self.parameters.module(path, self.layer)
        inputs = self.cast(vectors.copy() if self.sizes["T"] > 1 else vectors)
        needs_gradient = vectors.needs_gradient or module.is_trained
        if needs_gradient:
            self.keep(inputs, path, "the input")
            if self._uses_autocast:
                self._keep_matrix(path, module.shape, module.trains_weight)
        return Tensor.new(inputs.shape, inputs.element_size, needs_gradient)

    def _product(self, vectors: Tensor, path: str, contents: str, shape: str, is_trained: bool) -> Tensor:
        """Keep what a product of vectors and a matrix needs, and return the vectors as the product reads them."""
        inputs = self.cast(vectors)
        if is_trained:
            self.keep(inputs, path, contents)
        # The matrix itself is in memory in any case, so only its copy has to be kept.
        if self._uses_autocast and vectors.needs_gradient:
            self._keep_matrix(path, shape, is_trained)
        return inputs

    def _keep_matrix(self, path: str, shape: str, is_trained: bool) -> None:
        """Keep the copy of a matrix in 16 bits. A trained matrix is copied only once, however often it is read."""
        cast_matrix = Tensor.new(shape, SHORT)
        is_shared = self._shares_weights and is_trained
        if is_trained:
            cast_matrix = self._cast_matrices.setdefault((path, shape, 0 if is_shared else self.layer), cast_matrix)
        self.keep(cast_matrix, path, MATRIX_COPY, is_shared=is_shared)

    def cast(self, tensor: Tensor) -> Tensor:
        """A tensor as a product reads it: under autocast a copy in 16 bits, unless it is already in 16 bits."""
        return tensor.copy(SHORT) if self._uses_autocast and tensor.element_size == FULL else tensor

    def in_full(self, tensor: Tensor) -> Tensor:
        """A tensor in 32 bits, whatever the precision of the step; a copy, unless it already is in 32 bits."""
        return tensor if tensor.element_size == FULL else tensor.copy(FULL)

    def uncast(self, tensor: Tensor) -> Tensor:
        """A tensor as LayerNorm, softmax and losses read it: under autocast in 32 bits."""
        return tensor.copy(FULL) if self._uses_autocast and tensor.element_size == SHORT else tensor

    def norm(self, vectors: Tensor, path: str) -> Tensor:
        """The output of LayerNorm."""
        module = self.parameters.module(path, self.layer)
        inputs = self.uncast(vectors)
        needs_gradient = vectors.needs_gradient or module.is_trained
        if needs_gradient:
            self.keep(inputs, path, "the input")
            shape = vectors.shape.rpartition(" ")[0]
            for contents in ("the mean of each vector", "the inverse standard deviation of each vector"):
                self.keep(Tensor.new(shape, FULL), path, contents)
        return Tensor.new(inputs.shape, inputs.element_size, needs_gradient)

    def norm_in_steps(
        self, vectors: Tensor, path: str, inputs: Mapping[str, Tensor], statistic: str, weights: str
    ) -> Tensor:
        """The output of a norm that is written in Python, so each of its steps keeps tensors; it runs in 32 bits.

        Args:
            vectors: the vectors to normalise.
            path: the norm's module.
            inputs: the tensors that the steps keep, by their names in words.
            statistic: the name of the one number that is kept for each vector.
            weights: the names of the parameters that scale, and perhaps shift, the output.
        """
        module = self.parameters.module(path, self.layer)
        if vectors.needs_gradient:
            for contents, tensor in inputs.items():
                self.keep(tensor, path, contents)
            shape = vectors.shape.rpartition(" ")[0]
            self.keep(Tensor.new(shape, FULL), path, f"the {statistic} of each vector")
        if module.trains_weight:
            self.keep(vectors.copy(), path, f"the output, before {weights}")
        element_size = max(vectors.element_size, self.element_size)
        return Tensor.new(vectors.shape, element_size, vectors.needs_gradient or module.is_trained)

    def activation(self, vectors: Tensor, path: str) -> Tensor:
        """The output of the model's activation function.

        `gelu_new` is written in Python, so its steps keep what they read: its input, half of
        its input, a tanh, and a sum. Autocast computes the third power in 32 bits, and hence
        everything that depends on it. ESM-2 also writes GELU in Python, with erf.
        """
        if self._activation_function == "relu":
            return self.relu(vectors, path)
        inputs = self.uncast(vectors) if self._activation_function == "gelu_new" else vectors
        if vectors.needs_gradient:
            if self._activation_function == "erf":
                self.keep(inputs.copy(), path, "the input of erf in GELU")
                self.keep(inputs.copy(), path, "half of the input of GELU")
                self.keep(inputs.copy(), path, "1 + erf in GELU")
            else:
                self.keep(inputs, path, "the input of GELU")
            if self._activation_function == "gelu_new":
                self.keep(vectors.copy(), path, "half of the input of GELU")
                self.keep(inputs.copy(), path, "the output of tanh in GELU")
                self.keep(inputs.copy(), path, "1 + tanh in GELU")
        return inputs.copy()

    def gate(self, vectors: Tensor, gate: Tensor, path: str) -> Tensor:
        """Vectors times their activated gate, which has a dense layer of its own, as in NomicBERT."""
        gate_output = gate.copy()
        if gate.needs_gradient:
            self.keep(gate, path, "the input of the gate's activation function")
            self.keep(gate_output, path, "the gate")
            self.keep(vectors, path, "what the gate multiplies")
        return gate_output.copy()

    def geglu(self, vectors: Tensor, letter: str, path: str) -> Tensor:
        """GELU of one half of every vector, times the other half, which is its gate.

        Args:
            vectors: the vectors, twice as wide as the result.
            letter: the letter for the width of the result.
            path: the module.
        """
        gelu_output = vectors.with_last_dimension(letter)
        if vectors.needs_gradient:
            self.keep(vectors, path, "the input of GELU, and its gate")
            self.keep(gelu_output, path, "the output of GELU")
        return gelu_output.copy()

    def relu(self, vectors: Tensor, path: str) -> Tensor:
        """The output of ReLU."""
        return self._keep_output(vectors, path, "the output of ReLU")

    def tanh(self, vectors: Tensor, path: str) -> Tensor:
        """The output of the hyperbolic tangent."""
        return self._keep_output(vectors, path, "the output of tanh")

    def _keep_output(self, vectors: Tensor, path: str, contents: str) -> Tensor:
        """Keep and return the output of a function whose gradient follows from its output."""
        output = vectors.copy()
        if output.needs_gradient:
            self.keep(output, path, contents)
        return output

    def dropout(self, vectors: Tensor, path: str, contents: str = "dropout mask of the features") -> Tensor:
        """The output of dropout; the vectors themselves if the step runs without it."""
        if not self.settings.dropout:
            return vectors
        if vectors.needs_gradient:
            self.keep(Tensor.new(vectors.shape, MASK), path, contents)
        return vectors.copy()

    def add(self, first: Tensor, second: Tensor) -> Tensor:
        """The sum of a tensor and another that broadcasts to its shape."""
        element_size = max(first.element_size, second.element_size)
        return Tensor.new(first.shape, element_size, first.needs_gradient or second.needs_gradient)

    def rotate(self, tensor: Tensor, path: str, *, has_kinds: bool = False) -> Tensor:
        """Queries or keys, rotated by the positions of their tokens.

        Args:
            tensor: the queries or the keys.
            path: the module.
            has_kinds: whether some layers attend to the whole text and others to a window. All layers of one kind use
                the same cosines and sines.
        """
        if tensor.needs_gradient:
            # One of any three successive layers is global, so three of them show which kinds there are.
            sample_layers = self._represented_layers[:3]
            kinds = {LOCAL if layer % 3 else GLOBAL for layer in sample_layers} if has_kinds else {""}
            for kind in sorted(kinds):
                for name in ("cosines", "sines"):
                    contents = f"{name} of the rotations" + (f", in layers with {kind} attention" if kind else "")
                    rotation = self._rotations.setdefault(contents, Tensor.new("T D", self.element_size))
                    self.keep(rotation, path.removeprefix(f"{LAYER}/"), contents, is_shared=True)
        return tensor.copy()

    def product(self, first: Tensor, second: Tensor, shape: str, path: str, contents: tuple[str, str]) -> Tensor:
        """The matrix products of two tensors, one for each head of each text.

        Args:
            first: the first tensor, in the type in which the product reads it.
            second: the second tensor, in the same type.
            shape: the symbolic shape of the result.
            path: the module.
            contents: the two tensors, in words.
        """
        if second.needs_gradient:
            self.keep(first, path, contents[0])
        if first.needs_gradient:
            self.keep(second, path, contents[1])
        return Tensor.new(shape, first.element_size, first.needs_gradient or second.needs_gradient)

    def attention(self, query: Tensor, key: Tensor, value: Tensor, path: str, *, in_full: bool = False) -> Tensor:
        """The output of attention, in the shape of the queries: for every token, a mix of the values of all tokens.

        `eager` computes it product by product: the scores, their softmax (the attention
        weights), and these weights times the values. Both products keep their inputs, and
        softmax keeps its output. `math` does the same within PyTorch, in 32 bits even if its
        inputs have 16. `flash` and `efficient` compute it in one kernel, which keeps its
        inputs, its output, the state of the random numbers, and, instead of the attention
        weights, one logarithm for every row of them. `efficient` rounds the number of these
        logarithms for each head up to a multiple of 32. It can also read a mask, which it
        keeps in the type of the queries.
        """
        query, key, value = (self.cast(tensor) for tensor in (query, key, value))
        if self.settings.kernel in (FLASH, EFFICIENT):
            return self._fused_attention(query, key, value, path)
        if self.settings.kernel == MATH:
            query, key, value = (self.in_full(tensor) for tensor in (query, key, value))
        scores = self.product(query, key, "B A T T", path, ("queries", "keys"))
        return self.mix(scores, value, path, in_full=in_full)

    def mix(self, scores: Tensor, value: Tensor, path: str, *, in_full: bool = False) -> Tensor:
        """The values, mixed by the softmax of the scores.

        Args:
            scores: the scores, for every pair of tokens.
            value: the values.
            path: the module.
            in_full: whether softmax is computed in 32 bits, whatever the type of the scores.
        """
        weights = self._softmax(scores, in_full) if self.settings.kernel == EAGER else scores
        if weights.needs_gradient:
            self.keep(weights, path, "attention weights after softmax")
        weights = self.dropout(weights, path, "dropout mask of the attention weights")
        if self.settings.kernel == EAGER:
            weights = weights if weights.element_size == value.element_size else weights.copy(value.element_size)
        if value.needs_gradient:
            name = "attention weights"
            contents = f"{name} after dropout" if self.settings.dropout else f"{name}, as the product reads them"
            self.keep(weights, path, contents)
        if weights.needs_gradient:
            # The product copies values that are a part of a larger tensor.
            self.keep(value if value.shape == value.storage.shape else value.copy(), path, "values")
        return Tensor.new(value.shape, self._product_element_size, weights.needs_gradient or value.needs_gradient)

    def _softmax(self, scores: Tensor, in_full: bool) -> Tensor:
        """The softmax of the scores; `in_full` is that of `mix`."""
        inputs = self.in_full(scores) if in_full else self.uncast(scores)
        return inputs.copy()

    @property
    def _product_element_size(self) -> int:
        """Bytes per element of the result of a product."""
        return SHORT if self._uses_autocast else self.element_size

    def _fused_attention(self, query: Tensor, key: Tensor, value: Tensor, path: str) -> Tensor:
        """The output of attention that a single kernel computes."""
        inputs = (query, key, value)
        output = Tensor.new(query.shape, query.element_size, any(tensor.needs_gradient for tensor in inputs))
        if not output.needs_gradient:
            return output
        if self.mask or self.settings.padded:
            mask = self.cast(self.mask) if self.mask else Tensor.new("B T T", query.element_size)
            self.keep(mask, path, "the mask, as it is added to the scores", is_shared=mask is self.mask)
        for tensor, contents in zip(inputs, ("queries", "keys", "values"), strict=True):
            self.keep(tensor, path, contents)
        is_flash = self.settings.kernel == FLASH
        self.keep(output, path, "the mix of the values")
        self.keep(Tensor.new("B A T" if is_flash else "B A Q", FULL), path, "logarithm of each sum in softmax")
        self.keep(Tensor.new("2" if is_flash else "1", INTEGER), path, "seed of the random numbers")
        self.keep(Tensor.new("1", INTEGER), path, "how many random numbers were drawn before")
        return output

    def cross_entropy(
        self, logits: Tensor, labels_shape: str, path: str, contents: str = "the target labels", suffix: str = ""
    ) -> None:
        """Keep what the backward pass of cross-entropy reads.

        Args:
            logits: one number for each possible label, in the last dimension.
            labels_shape: the symbolic shape of the labels.
            path: the module that computes the logits.
            contents: the labels, in words.
            suffix: words to append to those for probabilities and loss if a head has several losses, such as
                " of the start".
        """
        if not logits.needs_gradient:
            return
        logarithms = logits.copy()
        self.keep(logarithms, path, f"logarithms of the probabilities{suffix}")
        loss_input = self.uncast(logarithms)
        self.keep(loss_input, path, f"logarithms of the probabilities{suffix}, in 32 bits")
        self.keep(Tensor.new(labels_shape, INTEGER), path, contents)
        self.keep(Tensor.new("1", loss_input.element_size), path, f"the weight of the loss{suffix}")

    def binary_cross_entropy(self, logits: Tensor, path: str) -> None:
        """Keep what the backward pass of a binary cross-entropy for every token reads."""
        if logits.needs_gradient:
            self.keep(self.uncast(logits), path, "the logits, for the loss")
            self.keep(Tensor.new("B T", FULL), path, "the correct answers, as numbers")

    def squared_error(self, numbers: Tensor, path: str) -> None:
        """Keep what the backward pass of a mean squared error reads."""
        if numbers.needs_gradient:
            self.keep(self.uncast(numbers), path, "the numbers, for the loss")
            self.keep(Tensor.new(numbers.shape, FULL), path, "the correct numbers")

    def keep_mask(self, vectors: Tensor) -> None:
        """Keep the mask that all layers read, if there is one.

        In eager attention, the mask is added to the scores, so it has the type of the vectors.
        """
        if self.mask or self.settings.padded:
            mask = self.mask or Tensor.new("B T T", vectors.element_size if self.settings.kernel == EAGER else MASK)
            self.keep(mask, LAYER.rpartition("/")[0], "the mask, which all layers read")

    def run_layers(
        self, vectors: Tensor, run: Callable[[Tensor], Tensor], after_first: Callable[[Tensor], Tensor] | None = None
    ) -> Tensor:
        """Run all layers, each of which reads the output of the one before, and return the output of the last.

        Successive layers whose parameters are treated alike keep equal tensors. Only the first
        of them may differ, because its input may need no gradient. So two of them are run, and
        the second represents all the others.

        Args:
            vectors: the input of the first layer.
            run: runs one layer.
            after_first: if given, changes the output of the first layer before the second reads it.
        """
        borders = self.parameters.borders(self._depth)
        for first_layer, end in pairwise(borders):
            for layers in (range(first_layer, first_layer + 1), range(first_layer + 1, end)):
                self._represented_layers = layers
                if layers:
                    self.layer = layers.start
                    vectors = self._run_layer(vectors, run)
                is_first_layer = layers == range(1)
                if after_first and is_first_layer:
                    self._represented_layers = range(0)
                    vectors = after_first(vectors)
        self.layer = 0
        self._represented_layers = range(0)
        return vectors

    def _run_layer(self, vectors: Tensor, run: Callable[[Tensor], Tensor]) -> Tensor:
        """The output of one layer. With checkpointing, everything that it keeps apart from its input is set aside."""
        if not self.settings.checkpointing:
            return run(vectors)
        self.keep(vectors, LAYER, "the input of the layer")
        with self._set_aside():
            return run(vectors)

    @contextmanager
    def _set_aside(self) -> Iterator[None]:
        """Set aside what a layer keeps and later recomputes. Storages that are held stay.

        Only the tensors of the layer that ran last are recorded, because only one layer is recomputed at a time.
        """
        kept_before = self._kept_by_storage
        self._kept_by_storage = dict(kept_before)
        yield
        self._recomputed_by_storage = {
            storage: activation for storage, activation in self._kept_by_storage.items() if storage not in kept_before
        }
        self._kept_by_storage = kept_before | {
            storage: activation
            for storage, activation in self._recomputed_by_storage.items()
            if storage in self._held_storages
        }


def merge_layers(activations: Iterable[Activation]) -> list[Activation]:
    """Merge the activations that differ only in their number of layers, and add up these numbers."""
    layer_counts: dict[tuple[str, str, str, int, bool], int] = {}
    for path, contents, shape, element_size, number in activations:
        key = path, contents, shape, element_size, number > 0
        layer_counts[key] = layer_counts.get(key, 0) + number
    return [
        Activation(path, contents, shape, element_size, number)
        for (path, contents, shape, element_size, _), number in layer_counts.items()
    ]
