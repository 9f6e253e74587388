"""A training step, and everything that it keeps in memory.

Rule: weights and the optimiser's states are in memory throughout. The backward pass
creates the gradients while it frees the activations, layer by layer. So the activations and
the gradients of a model with several trained layers do not peak at the same time.

At the end of the forward pass, all activations are in memory, but no gradients yet. The
backward pass goes through the layers, frees the activations of each and computes its
gradients. In the first layer, which comes last, most gradients are in memory with the
activations of one layer. In between, memory holds some of both; their sum changes evenly
from one end to the other, because the layers are alike. `temporary_results.py` gives upper
bounds on the memory that temporary results need. When the optimiser steps, all gradients are
in memory, but no activations. The tests compare the rule with the memory that PyTorch records
for a step.

Some classes build a module that their loss does not depend on, such as a pooler that no head
reads. Its parameters get no gradient, so the optimiser keeps no states for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..architecture import LAYER
from ..changes.changed_model import ChangedModel
from ..changes.optimisers import load_optimisers
from ..changes.rows import ADDED, ChangedRow
from ..errors import BadChoice, entry_of, label, quote
from ..memory import UNITS, MemoryItems
from ..messages import message
from ..models import LARGEST_NUMBER
from ..operations import max_tokens
from ..polynomials import Polynomial
from ..rounding import rounded_up
from .forward import (
    AUTOCAST,
    EAGER,
    EFFICIENT,
    FLASH,
    FLOAT32,
    KERNELS,
    MATH,
    MATRIX_COPY,
    SHORT_WEIGHTS,
    Forward,
    StepSettings,
)
from .parameters import Parameters, module_of
from .programs import PROGRAMS, Program
from .temporary_results import bound_of_vocabulary, bounds_of_layers
from .tensors import FULL, SHORT, Activation

DTYPES: Mapping[str, str] = {
    "float32": FLOAT32,
    "tf32": FLOAT32,  # products round their inputs, which stay in 32 bits
    "bf16": AUTOCAST,
    "fp16": AUTOCAST,
    "pure-bf16": SHORT_WEIGHTS,
}
"""The data types that a step can use, each with the precision mode of its forward pass.

`bf16` and `fp16` use autocast, as in `Trainer`, so weights stay in float32. With `pure-bf16`
the weights are in bfloat16, too.
"""

SDPA = "sdpa"
ATTENTIONS = (SDPA, *KERNELS)
"""The implementations of attention to choose from. `sdpa` leaves the choice of the kernel to PyTorch."""

DECODER = "cls/predictions/decoder"
"""The path of the dense layer whose outputs are logits for the whole vocabulary."""

SHORT_STATES = {"adamw": "adamw-bfloat16", "sgd": "sgd"}
"""By optimiser, the block of `optimisers.toml` with its states for weights in bfloat16."""

TEXTS_PER_EXAMPLE = 2
"""Texts per multiple-choice example."""

MAX_EXCESS = 0.09
"""The largest excess of `peak_bytes` over the peak recorded for a whole model, as a fraction of `peak_bytes`."""

RESERVE = 10
"""The default percentage of a GPU's memory to leave free, for its driver and for gaps between allocations."""

FINE_TUNING: Mapping[str, Any] = {"dtype": "bf16", "padded": True}
"""The usual settings in fine-tuning: mixed precision and padded texts. All other settings have their defaults."""

ROUNDING = 32
"""The memory-efficient kernel rounds the number of logarithms that it keeps for each head up to a multiple of this."""

MASK_STEP = 16
"""The memory-efficient kernel copies a mask unless its length is a multiple of this."""


class MemoryPart(NamedTuple):
    """One term of the memory total, named in words, such as "weights"."""

    name: str
    bytes: int


@dataclass(frozen=True)
class TrainingStep:
    """A training step.

    Attributes:
        model: the model, its class, and which of its parameters are trained.
        examples: examples in the batch; a multiple-choice example has two texts.
        tokens: tokens per text.
        dtype: one of `DTYPES`.
        attention: one of `ATTENTIONS`; empty for the one that transformers chooses.
        dropout: whether dropout is on, as it was when BERT was trained.
        padded: whether some texts are shorter than others, so that attention reads a mask.
        checkpointing: whether each layer keeps only its input, and recomputes everything else in the backward pass.
        optimiser: the name of a block of `optimisers.toml`.

    Raises:
        BadChoice: a choice is unknown, impossible or not counted.

    >>> from ..models import model_named
    >>> from ..question import Question
    >>> base = ChangedModel.build(Question(model_named("bert-base-uncased")), [])
    >>> TrainingStep(base, examples=1, tokens=128, attention="eager").layer_polynomial.formula()
    '9·B·A·T² + 34·B·T·H + 8·B·T·F + 16·B·T'
    """

    model: ChangedModel
    examples: int
    tokens: int
    dtype: str = "float32"
    attention: str = ""
    dropout: bool = True
    padded: bool = False
    checkpointing: bool = False
    optimiser: str = "adamw"

    def __post_init__(self) -> None:
        entry_of(DTYPES, "data type", self.dtype, BadChoice)
        entry_of(load_optimisers(), "optimiser", self.optimiser, BadChoice)
        if self.attention and self.attention not in ATTENTIONS:
            raise BadChoice(f"attention is '{label(self.attention)}'; choose {', '.join(ATTENTIONS)}")
        for name, number in (("examples", self.examples), ("tokens", self.tokens)):
            if not isinstance(number, int) or not 1 <= number <= LARGEST_NUMBER:
                raise BadChoice(f"{name} is {quote(number)}; it must be an integer from 1 to {LARGEST_NUMBER}")
        if self._has_short_weights and self.optimiser not in SHORT_STATES:
            raise BadChoice(message("training-optimiser", optimiser=self.optimiser, choices=" or ".join(SHORT_STATES)))
        self._check_model()
        self._check_kernel()

    def _check_model(self) -> None:
        """Refuse a step that is not counted for the model and its class, or that they cannot run.

        Raises:
            BadChoice: the step is refused.
        """
        question = self.model.question
        program = self._program
        name = question.model.name
        class_name = question.resolved_class.name
        if question.resolved_choices.cross_attention:
            raise BadChoice(message("training-cross-attention", name=name))
        if any(question.sizes.get(letter, 1) != 1 for letter in "GI"):
            raise BadChoice(message("training-shared-layers", name=name))
        if not question.sizes["L"]:
            raise BadChoice(message("training-no-layers", name=name))
        if not self.model.trainable:
            raise BadChoice(message("training-nothing", name=name))
        if self._is_grouped and question.sizes["N"] == 1:
            raise BadChoice(
                f"{name}: all query heads share one key-value head, which PyTorch copies for some products and not for "
                "others; memory in training is counted only for two or more key-value heads"
            )
        if not program.is_counted(class_name, is_padded=False):
            raise BadChoice(f"{class_name}: memory in training is not counted for this class; choose another one")
        if not program.is_counted(class_name, is_padded=self.padded):
            raise BadChoice(message("training-padding", name=class_name))
        if self.checkpointing and not program.can_checkpoint:
            raise BadChoice(message("training-checkpointing", name=name))
        limit = max_tokens(question)
        if self.tokens > limit:
            raise BadChoice(message("training-length", tokens=self.tokens, most=limit))

    def _check_kernel(self) -> None:
        """Refuse a kernel that cannot run the attention of this step, or for which the step is not counted.

        Raises:
            BadChoice: the kernel is refused.
        """
        name = self.model.question.model.name
        kernel = self.kernel
        if kernel != EAGER and not self._program.has_kernels:
            raise BadChoice(f"{name}: transformers has only eager attention for it; choose eager")
        if kernel == FLASH and (self._is_masked or DTYPES[self.dtype] == FLOAT32):
            reason = "takes no mask" if self._is_masked else "computes in 16 bits only"
            raise BadChoice(f"the flash kernel {reason}; choose efficient, or sdpa for PyTorch's own choice")
        if kernel in (FLASH, EFFICIENT) and self._head_width % self._alignment:
            raise BadChoice(
                f"{name}: its heads are {self._head_width} wide; the {kernel} kernel needs a multiple of "
                f"{self._alignment}, so choose math or eager"
            )
        if kernel == EFFICIENT and self._is_grouped and not self._is_masked:
            raise BadChoice(
                f"{name}: it has fewer key-value heads than query heads; whether the efficient kernel accepts them "
                "without a mask depends on the version of PyTorch; choose eager or math"
            )
        window = self._program.window
        if window and kernel != EAGER and self.tokens > window:
            raise BadChoice(
                f"{name}: for more than {window} tokens, its sliding-window layers need masks, and with masks only "
                "eager attention is counted; choose eager"
            )
        if kernel == EFFICIENT and self._is_masked and self.tokens % MASK_STEP:
            lengths = {"tokens": self.tokens, "step": MASK_STEP, "length": self._mask_length}
            raise BadChoice(message("training-mask", **lengths))

    @property
    def _mask_length(self) -> int:
        """The next text length at which masks are not copied, or the previous one if the model cannot read the next."""
        next_length = rounded_up(self.tokens, MASK_STEP)
        return next_length if next_length <= max_tokens(self.model.question) else next_length - MASK_STEP

    @property
    def _program(self) -> Program:
        """The program of the architecture.

        Raises:
            BadChoice: memory in training is not counted for the architecture.
        """
        question = self.model.question
        program = PROGRAMS.get(question.architecture.model_type)
        if program is None:
            reason = "is not counted for this architecture"
            if question.architecture.global_projections:
                reason += ", because it depends on how many tokens attend to the whole text"
            raise BadChoice(
                f"{question.model.name}: memory in training {reason}; it is counted for {', '.join(PROGRAMS)}"
            )
        return program

    @property
    def _is_masked(self) -> bool:
        """Whether attention gets a mask: because of padding, or because the program always passes one."""
        return self.padded or self._program.always_masks

    @property
    def _head_width(self) -> int:
        """The number of features of each attention head."""
        sizes = self.model.sizes
        shared_width = sizes[self.model.question.architecture.letter_of_shared_width]
        return sizes.get("Q", shared_width // sizes["A"])  # Q is the width of a head in EuroBERT

    @property
    def _is_grouped(self) -> bool:
        """Whether several query heads share one key-value head."""
        heads = self.model.sizes["A"]
        return self.model.sizes.get("N", heads) != heads

    @property
    def _alignment(self) -> int:
        """The alignment of the step's data type."""
        return alignment(self.dtype)

    @property
    def kernel(self) -> str:
        """The kernel that attention uses. PyTorch prefers flash to efficient, and efficient to math."""
        attention = self.attention or (SDPA if self._program.has_kernels else EAGER)
        if attention != SDPA:
            return attention
        if self._head_width % self._alignment:
            return MATH
        return EFFICIENT if self._is_masked or DTYPES[self.dtype] == FLOAT32 else FLASH

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the model and of the batch, by letter.

        N is the number of examples, B the number of texts, T the number of tokens per text, and
        D the width of a head. Q is T rounded up to a multiple of 32, and Y is T + 1.
        """
        is_choice = self.model.question.resolved_class.name.endswith("MultipleChoice")
        return {
            **{self._program.letters.get(letter, letter): size for letter, size in self.model.sizes.items()},
            "N": self.examples,
            "B": self.examples * (TEXTS_PER_EXAMPLE if is_choice else 1),
            "T": self.tokens,
            "Q": rounded_up(self.tokens, ROUNDING),
            "Y": self.tokens + 1,
            "D": self._head_width,
            **self._sparse_sizes,
        }

    @property
    def _sparse_sizes(self) -> Mapping[str, int]:
        """The sizes of sparse attention by letter; empty without it. A `BadChoice` if its memory is not counted."""
        question = self.model.question
        settings = {**question.architecture.attention_settings, **question.model.attention_settings}
        try:
            return self._program.sparse_sizes(settings, self.model.sizes["A"], self.tokens)
        except BadChoice as error:
            raise BadChoice(f"{question.model.name}: {error}") from None

    @cached_property
    def _forward(self) -> Forward:
        """The forward pass, after it has run and recorded everything that it keeps."""
        step_settings = StepSettings(DTYPES[self.dtype], self.kernel, self.dropout, self.padded, self.checkpointing)
        program = self._program
        forward = Forward(
            Parameters(self.model, program.letters),
            step_settings,
            self.sizes,
            program.activation,
            program.shares_weights,
        )
        program.run(forward, self.model.question.resolved_class.name)
        return forward

    @cached_property
    def activations(self) -> list[Activation]:
        """The activations that the forward pass keeps."""
        return self._forward.activations

    @cached_property
    def without_checkpointing(self) -> TrainingStep:
        """The same step without checkpointing; the step itself if it has none."""
        return replace(self, checkpointing=False) if self.checkpointing else self

    @cached_property
    def _activations_without_checkpointing(self) -> list[Activation]:
        """The activations that the forward pass keeps without checkpointing."""
        return self.without_checkpointing.activations

    @property
    def recomputed_activations(self) -> list[Activation]:
        """The activations that checkpointing recomputes for one layer; none without checkpointing."""
        return [
            activation._replace(layers=min(activation.layers, 1)) for activation in self._forward.recomputed_activations
        ]

    @cached_property
    def activations_bytes(self) -> int:
        """The bytes that the forward pass keeps."""
        return self._bytes(self.activations)

    @cached_property
    def recomputed_bytes(self) -> int:
        """The bytes of the activations that checkpointing recomputes for one layer."""
        return self._bytes(self.recomputed_activations)

    @property
    def matrix_copies(self) -> list[Activation]:
        """The 16-bit copies of matrices that the forward pass keeps; they do not depend on the batch."""
        return [
            activation
            for activation in (*self.activations, *self.recomputed_activations)
            if activation.contents == MATRIX_COPY
        ]

    @cached_property
    def matrix_copies_bytes(self) -> int:
        """The bytes of the 16-bit copies of matrices."""
        return self._bytes(self.matrix_copies)

    def _bytes(self, activations: list[Activation]) -> int:
        """The bytes of some activations in all layers that keep them."""
        depth = self.sizes["L"]
        sizes = self.sizes
        return sum(activation.total(depth).value(sizes) for activation in activations)

    @property
    def forward_bytes(self) -> int:
        """The bytes that the forward pass keeps and, with checkpointing, those of the layer that is recomputed."""
        return self.activations_bytes + self.recomputed_bytes

    @property
    def forward_and_temporary_bytes(self) -> int:
        """The bytes of all activations and of the temporary results."""
        return self.forward_bytes + self.temporary_bytes

    @property
    def activations_polynomial(self) -> Polynomial:
        """The bytes that the forward pass keeps, as a symbolic formula."""
        return Polynomial.total(activation.total(self.sizes["L"]) for activation in self.activations).simplified()

    @cached_property
    def layer_polynomial(self) -> Polynomial:
        """The bytes that a layer keeps without checkpointing, as a symbolic formula.

        Activations that fewer than `layers_with_equal_activations` layers keep are left out.
        """
        layers = self.layers_with_equal_activations
        activations = [
            activation
            for activation in self._activations_without_checkpointing
            if layers and activation.layers == layers
        ]
        return Polynomial.total(activation.bytes_per_storage for activation in activations).simplified()

    @cached_property
    def layer_bytes(self) -> int:
        """The bytes that a layer keeps without checkpointing; all activations if no two layers keep equal ones."""
        return (
            self.forward_bytes if self.layers_with_equal_activations == 1 else self.layer_polynomial.value(self.sizes)
        )

    @property
    def layers_with_equal_activations(self) -> int:
        """The largest number of layers that keep equal activations without checkpointing."""
        return max((activation.layers for activation in self._activations_without_checkpointing), default=0)

    @cached_property
    def temporary_bytes(self) -> int:
        """The bytes of temporary results: an upper bound by the rules of `temporary_results.py`."""
        return max(0, *(bound.value(self.sizes) for bound in self.temporary_bounds))

    @property
    def temporary_bounds(self) -> list[Polynomial]:
        """The upper bounds on the bytes of temporary results, as symbolic formulas; the largest one decides."""
        return [*self.bounds_in_layers, *self.bounds_in_head]

    @property
    def bounds_in_layers(self) -> list[Polynomial]:
        """The bounds that depend on the layers."""
        keeps_activations = bool(self.layer_polynomial.terms)
        has_frozen_rows = any(
            row.frozen_layers or not row.is_trained for row in self.rows_read if row.path.startswith(LAYER)
        )
        return bounds_of_layers(
            self._forward.settings,
            self._program.activation,
            has_frozen_rows=has_frozen_rows,
            keeps_activations=keeps_activations,
        )

    @property
    def bounds_in_head(self) -> list[Polynomial]:
        """The bounds that depend on the head."""
        return [bound_of_vocabulary(self._forward.settings)] if DECODER in self._forward.parameters.modules_read else []

    @property
    def _has_short_weights(self) -> bool:
        """Whether the weights are in 16 bits."""
        return DTYPES[self.dtype] == SHORT_WEIGHTS

    @cached_property
    def rows_read(self) -> tuple[ChangedRow, ...]:
        """The rows that the forward pass reads; trained tensors in other rows get no gradient."""
        modules_read = self._forward.parameters.modules_read
        return tuple(row for row in self.model.rows if module_of(row) in modules_read)

    @cached_property
    def parameters_with_gradient(self) -> int:
        """The number of trained parameters that get a gradient."""
        terms = tuple(term for row in self.rows_read for term in row.trainable_terms)
        return Polynomial(terms).value(self.model.sizes)

    @property
    def parameters_without_gradient(self) -> int:
        """The number of trained parameters that get no gradient."""
        return self.model.trainable - self.parameters_with_gradient

    def _surplus_of_adapters(self, *, only_trained: bool) -> list[MemoryItems]:
        """The extra bytes of adapters if the weights are in 16 bits, because PEFT keeps adapters in float32."""
        candidates = self.rows_read if only_trained else self.model.rows
        rows = [row for row in candidates if row.addition == ADDED] if self._has_short_weights else []
        terms = tuple(term for row in rows for term in (row.trainable_terms if only_trained else row.terms))
        number = Polynomial(terms).value(self.model.sizes)
        return [MemoryItems("adapter parameter, kept in 32 bits", number, FULL - SHORT)] if number else []

    @property
    def weights(self) -> list[MemoryItems]:
        """The weights, with the scales of packed ones and the extra bytes of adapters."""
        dtype = "bfloat16" if self._has_short_weights else "float32"
        scales = self.model.scale_items
        return [*self.model.weight_items(dtype), *scales, *self._surplus_of_adapters(only_trained=False)]

    @property
    def gradients(self) -> list[MemoryItems]:
        """The gradients, which have the type of their weights."""
        element_size = SHORT if self._has_short_weights else FULL
        kind = "parameter with a gradient" if self.parameters_without_gradient else "trained parameter"
        gradients = MemoryItems(kind, self.parameters_with_gradient, element_size)
        return [gradients, *self._surplus_of_adapters(only_trained=True)]

    @property
    def states(self) -> list[MemoryItems]:
        """The states that the optimiser keeps from one step to the next."""
        optimiser = load_optimisers()[self.optimiser]
        if not self._has_short_weights:
            return list(optimiser.items_for(self.model, self.rows_read))
        short_optimiser = load_optimisers()[SHORT_STATES[self.optimiser]]
        adapter_rows = [row for row in self.rows_read if row.addition == ADDED]
        model_rows = [row for row in self.rows_read if row.addition != ADDED]
        adapter_items = (
            item._replace(kind=f"{item.kind} of an adapter") for item in optimiser.items_for(self.model, adapter_rows)
        )
        return [*short_optimiser.items_for(self.model, model_rows), *adapter_items]

    @cached_property
    def weights_bytes(self) -> int:
        """The bytes of the weights and of the scales of packed ones."""
        return total_bytes(self.weights)

    @cached_property
    def gradients_bytes(self) -> int:
        """The bytes of the gradients."""
        return total_bytes(self.gradients)

    @cached_property
    def states_bytes(self) -> int:
        """The bytes that the optimiser keeps from one step to the next."""
        return total_bytes(self.states)

    @property
    def working_bytes(self) -> int:
        """The bytes that the optimiser needs while it changes the weights."""
        return load_optimisers()[self.optimiser].working_bytes * self.parameters_with_gradient

    @property
    def memory_parts(self) -> tuple[MemoryPart, ...]:
        """Everything that takes up memory during a step, in the order in which pages add it up.

        By the rule of this module, the activations and the gradients do not peak at the same time.
        """
        parts = {
            "weights": self.weights_bytes,
            "gradients": self.gradients_bytes,
            "states of the optimiser": self.states_bytes,
            "working memory of the optimiser": self.working_bytes,
            "activations": self.activations_bytes,
            "one layer, computed again": self.recomputed_bytes,
            "temporary results, at most": self.temporary_bytes,
        }
        return tuple(MemoryPart(name, part_bytes) for name, part_bytes in parts.items() if part_bytes)

    @property
    def fixed_bytes(self) -> int:
        """The bytes that are in memory all the time: weights and states."""
        return self.weights_bytes + self.states_bytes

    @property
    def peak_bytes(self) -> int:
        """The largest number of bytes in memory at once, by the rule of this module."""
        return self.fixed_bytes + max(self._bytes_at_moments)

    @cached_property
    def _bytes_at_moments(self) -> list[int]:
        """The bytes in addition to weights and states at each moment that may be the peak."""
        temporary = [0, *(bound.value(self.sizes) for bound in self.temporary_bounds)]
        return [
            *(self.forward_bytes + bound for bound in temporary),
            *(self.gradients_bytes + self.layer_bytes + bound for bound in temporary),
            self.gradients_bytes + self.working_bytes,
        ]

    @property
    def parts_at_peak(self) -> dict[str, int]:
        """The bytes in addition to weights and states, by kind, at the end of the forward pass or in the backward pass.

        The forward pass is chosen if the peak is at its end, and the backward pass otherwise.
        """
        if self.peak_bytes == self.fixed_bytes + self.forward_and_temporary_bytes:
            return {"activations": self.forward_bytes, "temporary": self.temporary_bytes}
        return {"gradients": self.gradients_bytes, "activations": self.layer_bytes, "temporary": self.temporary_bytes}

    def with_examples(self, examples: int) -> TrainingStep:
        """The step with the given number of examples and otherwise the same settings."""
        return self if examples == self.examples else replace(self, examples=examples)

    @cached_property
    def _step_of_two(self) -> TrainingStep:
        """The step with two examples, kept because `_growth_per_example` and `largest_batch` both read its moments."""
        return self.with_examples(2)

    @cached_property
    def example_bytes(self) -> int:
        """The bytes that one more example adds to the peak of a large batch."""
        return max(self._growth_per_example)

    @cached_property
    def _growth_per_example(self) -> list[int]:
        """The bytes that each example from the third on adds at each of `_bytes_at_moments`."""
        moments = zip(self._step_of_two._bytes_at_moments, self.with_examples(3)._bytes_at_moments, strict=True)
        return [bytes_of_three - bytes_of_two for bytes_of_two, bytes_of_three in moments]

    def largest_batch(self, limit: int) -> int:
        """The largest number of examples whose step needs no more than `limit` bytes; 0 if not even one fits."""
        room = limit - self.fixed_bytes  # the weights and the states do not depend on the number of examples
        if max(self.with_examples(1)._bytes_at_moments) > room:
            return 0
        if max(self._step_of_two._bytes_at_moments) > room:
            return 1
        # From the second example on, every further one adds the same to each moment.
        moments = zip(self._step_of_two._bytes_at_moments, self._growth_per_example, strict=True)
        return 2 + min((room - bytes_of_two) // growth for bytes_of_two, growth in moments if growth > 0)


def fine_tuning_step(model: ChangedModel, examples: int, tokens: int, **settings: Any) -> TrainingStep:
    """A training step with the settings of `FINE_TUNING`, except where others are given.

    If a step on padded texts is not counted, the texts are taken to have equal length, unless the caller requests
    padding.

    Args:
        model: the model, its class, and which of its parameters are trained.
        examples: examples in the batch.
        tokens: tokens per text.
        settings: further fields of `TrainingStep`.

    Raises:
        BadChoice: a choice is unknown, impossible or not counted.
    """
    try:
        return TrainingStep(model, examples, tokens, **{**FINE_TUNING, **settings})
    except BadChoice:
        if "padded" in settings:
            raise
        return TrainingStep(model, examples, tokens, **{**FINE_TUNING, **settings, "padded": False})


def usable_memory(gib: float, reserve: int = RESERVE) -> int:
    """The bytes of a GPU's memory that a step may use.

    Args:
        gib: the memory, in GiB.
        reserve: the percentage that is left free.
    """
    return int(gib * UNITS["GiB"]) * (100 - reserve) // 100


def alignment(dtype: str) -> int:
    """The number of values that fit into 16 bytes; a fused kernel needs a head width that is a multiple of this.

    Args:
        dtype: one of `DTYPES`.
    """
    return 16 // (FULL if DTYPES[dtype] == FLOAT32 else SHORT)


def total_bytes(items: Iterable[MemoryItems]) -> int:
    """The total bytes of all items."""
    return sum(item.bytes for item in items)
