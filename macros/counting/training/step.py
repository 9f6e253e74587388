"""A training step, and everything that it has in memory.

Rule: the gradients of a step come into being while the activations are given up, layer by
layer, so the memory that a step needs is that of the weights, the optimiser's states, and
either the activations or the gradients, whichever is larger.

At the end of the forward pass all activations are there, and no gradient is. The
backward pass frees the activations of each layer and makes its gradients. At the
optimiser's step all gradients are there, and no activation is. In between there are some
of both; their sum changes evenly from one end to the other, since layers are alike. Besides,
the backward pass of a layer needs room for its own results, which is not counted. The
tests compare the rule with PyTorch's own account of a step.

Some classes build a module that their loss does not depend on, such as a pooler that no head
reads. Its parameters get no gradient, so the optimiser keeps no states for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..changes.changed import Changed
from ..changes.optimisers import load_optimisers
from ..changes.rows import ADDED, ChangedRow
from ..errors import BadChoice, entry_of, label, quote
from ..memory import MemoryItems
from ..models import LARGEST
from ..operations import max_tokens
from ..polynomials import Polynomial
from .forward import AUTOCAST, COPY, EAGER, EFFICIENT, FLASH, FLOAT32, KERNELS, MATH, SHORT_WEIGHTS, Forward, Way
from .parameters import Parameters, module_of
from .programs import PROGRAMS, Program
from .tensors import FULL, SHORT, Activation

DTYPES: Mapping[str, str] = {
    "float32": FLOAT32,
    "tf32": FLOAT32,  # products round their inputs, which stay in 32 bits
    "bf16": AUTOCAST,
    "fp16": AUTOCAST,
    "pure-bf16": SHORT_WEIGHTS,
}
"""The types in which a step can be run, with the way in which the forward pass runs them.

`bf16` and `fp16` are autocast, as `Trainer` has it: weights stay in float32. In `pure-bf16`
the weights are in bfloat16, too.
"""

SDPA = "sdpa"
ATTENTIONS = (SDPA, *KERNELS)
"""The ways of running attention. `sdpa` leaves the choice of the kernel to PyTorch."""

SHORT_STATES = {"adamw": "adamw-bfloat16", "sgd": "sgd"}
"""By optimiser, the block of `optimisers.toml` with its states for weights in bfloat16."""

CHOICES = 2
"""Texts per example of a multiple choice."""

MOST_ABOVE = 0.09
"""The share by which PyTorch's own account of a step peaks above `peak_bytes`, at most, in all recorded steps."""

USUAL_WAY: Mapping[str, Any] = {"dtype": "bf16", "padded": True}
"""How people fine-tune: in mixed precision, on padded texts, with attention as transformers chooses it."""

ROUNDING = 32
"""The number to whose multiple the memory-efficient kernel rounds the length of what it keeps of softmax."""

MASK_STEP = 16
"""The number of which a length must be a multiple if the memory-efficient kernel reads a mask; others are copied."""


class Item(NamedTuple):
    """A kind of thing in memory.

    Attributes:
        what: the kind, in words.
        bytes: the bytes that it takes.
    """

    what: str
    bytes: int


@dataclass(frozen=True)
class TrainingStep:
    """A training step.

    Attributes:
        changed: the model, its class, and what of it is trained.
        texts: examples in the batch; each example of a multiple choice has two texts.
        tokens: tokens per text.
        dtype: one of `DTYPES`.
        attention: one of `ATTENTIONS`; empty for what transformers chooses.
        dropout: whether there is dropout, as there was when BERT was trained.
        padded: whether some text is shorter than others, so that attention reads a mask.
        checkpointing: whether each layer keeps only its input, and computes everything else again in the backward pass.
        optimiser: the name of a block of `optimisers.toml`.

    Raises:
        BadChoice: a choice is unknown, impossible or not counted; the message says what would do.

    >>> from ..models import model_named
    >>> from ..question import Question
    >>> base = Changed.of(Question(model_named("bert-base-uncased")), [])
    >>> TrainingStep(base, texts=1, tokens=128, attention="eager").layer.formula()
    '9·B·A·T² + 34·B·T·H + 8·B·T·F + 16·B·T'
    """

    changed: Changed
    texts: int
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
        for name, number in (("texts", self.texts), ("tokens", self.tokens)):
            if not isinstance(number, int) or not 1 <= number <= LARGEST:
                raise BadChoice(f"{name} is {quote(number)}; it must be an integer from 1 to {LARGEST}")
        if self._is_short and self.optimiser not in SHORT_STATES:
            raise BadChoice(
                f"with weights in bfloat16, the states of {self.optimiser} are not counted; "
                f"choose {' or '.join(SHORT_STATES)}"
            )
        self._check_model()
        self._check_kernel()

    def _check_model(self) -> None:
        question, program = self.changed.question, self._program
        name, class_name = question.model.name, question.resolved_class.name
        if question.resolved_choices.cross_attention:
            raise BadChoice(f"{name}: memory in training is counted without cross-attention; leave it out")
        if any(question.sizes.get(letter, 1) != 1 for letter in "GI"):
            raise BadChoice(f"{name}: memory in training is counted if all layers share one set of weights")
        if self._is_grouped and question.sizes["N"] == 1:
            raise BadChoice(
                f"{name}: all query heads share one head of keys and values, which is copied for some products and not "
                "for others; memory in training is counted from two heads on"
            )
        if not program.counts(class_name, padded=False):
            raise BadChoice(f"{class_name}: memory in training is not counted for this class; choose another one")
        if not program.counts(class_name, padded=self.padded):
            raise BadChoice(
                f"{class_name}: its loss picks the tokens that are not padding, so memory depends on how many there "
                "are; leave the padding out"
            )
        if self.checkpointing and not program.checkpoints:
            raise BadChoice(f"{name}: transformers has no gradient checkpointing for it; leave checkpointing out")
        most = max_tokens(question)
        if self.tokens > most:
            raise BadChoice(f"{name}: {self.tokens} tokens; its texts have {most} at most")

    def _check_kernel(self) -> None:
        name, kernel = self.changed.question.model.name, self.kernel
        if kernel != EAGER and not self._program.kernels:
            raise BadChoice(f"{name}: transformers runs its attention only as eager; choose eager")
        if kernel == FLASH and (self._is_masked or DTYPES[self.dtype] == FLOAT32):
            reason = "takes no mask" if self._is_masked else "computes in 16 bits only"
            raise BadChoice(f"the flash kernel {reason}; choose efficient, or sdpa for PyTorch's own choice")
        if kernel in (FLASH, EFFICIENT) and self._head_width % self._aligned:
            raise BadChoice(
                f"{name}: its heads are {self._head_width} wide; the {kernel} kernel needs a multiple of "
                f"{self._aligned}, so choose math or eager"
            )
        if kernel == EFFICIENT and self._is_grouped and not self._is_masked:
            raise BadChoice(
                f"{name}: it has fewer heads of keys and values than of queries, and without a mask it depends on the "
                "version of PyTorch whether the efficient kernel reads them; choose eager or math"
            )
        window = self._program.window
        if window and kernel != EAGER and self.tokens > window:
            raise BadChoice(
                f"{name}: for more than {window} tokens, its layers with a window need masks, with which only eager "
                "attention is counted; choose eager"
            )
        if kernel == EFFICIENT and self._is_masked and self.tokens % MASK_STEP:
            raise BadChoice(
                f"{self.tokens} tokens: PyTorch copies a mask whose length is no multiple of {MASK_STEP}, and such "
                f"copies are not counted; choose {self._mask_length}"
            )

    @property
    def _mask_length(self) -> int:
        """The nearest length above, or else below, with which a mask is not copied."""
        above = -(-self.tokens // MASK_STEP) * MASK_STEP
        return above if above <= max_tokens(self.changed.question) else above - MASK_STEP

    @property
    def _program(self) -> Program:
        question = self.changed.question
        program = PROGRAMS.get(question.architecture.model_type)
        if program is None:
            reason = "is not counted for this architecture"
            if question.architecture.for_whole_text:
                reason += ", because it depends on how many tokens attend to the whole text"
            raise BadChoice(f"{question.model.name}: memory in training {reason}; it is for {', '.join(PROGRAMS)}")
        return program

    @property
    def _is_masked(self) -> bool:
        """Whether attention reads a mask."""
        return self.padded or self._program.masks

    @property
    def _head_width(self) -> int:
        sizes = self.changed.sizes
        shared = sizes[self.changed.question.architecture.heads_share]
        return sizes.get("Q", shared // sizes["A"])  # Q is the width of a head in EuroBERT

    @property
    def _is_grouped(self) -> bool:
        """Whether several query heads share one head of keys and values."""
        heads = self.changed.sizes["A"]
        return self.changed.sizes.get("N", heads) != heads

    @property
    def _aligned(self) -> int:
        """The number of which a head's width must be a multiple for a fused kernel: 16 bytes hold that many numbers."""
        return 16 // (FULL if DTYPES[self.dtype] == FLOAT32 else SHORT)

    @property
    def kernel(self) -> str:
        """How attention runs. PyTorch prefers flash to efficient, and efficient to math."""
        attention = self.attention or (SDPA if self._program.kernels else EAGER)
        if attention != SDPA:
            return attention
        if self._head_width % self._aligned:
            return MATH
        return EFFICIENT if self._is_masked or DTYPES[self.dtype] == FLOAT32 else FLASH

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The number for every letter: the sizes of the model, and those of the batch.

        N is the number of examples, B of texts, T of tokens, D the width of a head. Q is T
        rounded up to a multiple of 32, and Y is T + 1.
        """
        is_choice = self.changed.question.resolved_class.name.endswith("MultipleChoice")
        return {
            **{self._program.letters.get(letter, letter): size for letter, size in self.changed.sizes.items()},
            "N": self.texts,
            "B": self.texts * (CHOICES if is_choice else 1),
            "T": self.tokens,
            "Q": -(-self.tokens // ROUNDING) * ROUNDING,
            "Y": self.tokens + 1,
            "D": self._head_width,
            **self._sparse_sizes,
        }

    @property
    def _sparse_sizes(self) -> Mapping[str, int]:
        """The sizes of sparse attention by letter."""
        question = self.changed.question
        settings = {**question.architecture.attention, **question.model.attention}
        try:
            return self._program.sparse_sizes(settings, self.changed.sizes["A"], self.tokens)
        except BadChoice as error:
            raise BadChoice(f"{question.model.name}: {error}") from None

    @cached_property
    def _forward(self) -> Forward:
        way = Way(DTYPES[self.dtype], self.kernel, self.dropout, self.padded, self.checkpointing)
        program = self._program
        forward = Forward(
            Parameters(self.changed, program.letters), way, self.sizes, program.activation, program.shares
        )
        program.run(forward, self.changed.question.resolved_class.name)
        return forward

    @property
    def activations(self) -> list[Activation]:
        """The activations that the forward pass keeps."""
        return self._forward.activations

    @property
    def recomputed(self) -> list[Activation]:
        """The activations that checkpointing recomputes for one layer; none without checkpointing."""
        return [item._replace(layers=min(item.layers, 1)) for item in self._forward.recomputed]

    @cached_property
    def activations_bytes(self) -> int:
        """The bytes that the forward pass keeps."""
        return self._bytes(self.activations)

    @cached_property
    def recomputed_bytes(self) -> int:
        """The bytes that checkpointing computes again for one layer."""
        return self._bytes(self.recomputed)

    @property
    def copies(self) -> list[Activation]:
        """The copies of matrices in 16 bits, which are among what the forward pass keeps, whatever the batch."""
        return [item for item in (*self.activations, *self.recomputed) if item.what == COPY]

    @cached_property
    def copies_bytes(self) -> int:
        """The bytes of these copies."""
        return self._bytes(self.copies)

    def _bytes(self, activations: list[Activation]) -> int:
        depth, sizes = self.sizes["L"], self.sizes
        return sum(item.total(depth).value(sizes) for item in activations)

    @property
    def forward_bytes(self) -> int:
        """The bytes that the forward pass keeps, and with checkpointing those of the layer that is computed again."""
        return self.activations_bytes + self.recomputed_bytes

    @property
    def polynomial(self) -> Polynomial:
        """The bytes that the forward pass keeps, as a symbolic formula."""
        return Polynomial.total(item.total(self.sizes["L"]) for item in self.activations).simplified()

    @property
    def layer(self) -> Polynomial:
        """The bytes that a layer after the first keeps without checkpointing, as a symbolic formula."""
        activations = replace(self, checkpointing=False).activations
        most = max((item.layers for item in activations), default=0)
        return Polynomial.total(item.one for item in activations if item.layers == most > 0).simplified()

    @property
    def _is_short(self) -> bool:
        return DTYPES[self.dtype] == SHORT_WEIGHTS

    @cached_property
    def rows_read(self) -> tuple[ChangedRow, ...]:
        """The rows that the forward pass reads: trained tensors of other rows get no gradient."""
        read = self._forward.parameters.read
        return tuple(row for row in self.changed.rows if module_of(row) in read)

    @cached_property
    def with_gradient(self) -> int:
        """The number of trained parameters that get a gradient."""
        terms = tuple(term for row in self.rows_read for term in row.trainable_terms)
        return Polynomial(terms).value(self.changed.sizes)

    @property
    def without_gradient(self) -> int:
        """The number of trained parameters that get none."""
        return self.changed.trainable - self.with_gradient

    def _more_for_adapters(self, *, trained: bool) -> list[MemoryItems]:
        """The further bytes of adapters beside weights of 16 bits: PEFT keeps adapters in float32."""
        of_model = self.rows_read if trained else self.changed.rows
        rows = [row for row in of_model if row.added == ADDED] if self._is_short else []
        terms = tuple(term for row in rows for term in (row.trainable_terms if trained else row.terms))
        number = Polynomial(terms).value(self.changed.sizes)
        return [MemoryItems("number of an adapter, which is in 32 bits", number, FULL - SHORT)] if number else []

    @property
    def weights(self) -> list[MemoryItems]:
        """The weights, with the scales of packed ones."""
        dtype = "bfloat16" if self._is_short else "float32"
        scales = self.changed.scale_items
        return [*self.changed.weight_items(dtype), *scales, *self._more_for_adapters(trained=False)]

    @property
    def gradients(self) -> list[MemoryItems]:
        """The gradients, which have the type of their weights."""
        width = SHORT if self._is_short else FULL
        what = "parameter with a gradient" if self.without_gradient else "trained parameter"
        gradients = MemoryItems(what, self.with_gradient, width)
        return [gradients, *self._more_for_adapters(trained=True)]

    @property
    def states(self) -> list[MemoryItems]:
        """The states that the optimiser keeps from one step to the next."""
        optimiser = load_optimisers()[self.optimiser]
        if not self._is_short:
            return list(optimiser.items_for(self.changed, self.rows_read))
        short = load_optimisers()[SHORT_STATES[self.optimiser]]
        adapter_rows = [row for row in self.rows_read if row.added == ADDED]
        model_rows = [row for row in self.rows_read if row.added != ADDED]
        of_adapters = (
            item._replace(what=f"{item.what} of an adapter") for item in optimiser.items_for(self.changed, adapter_rows)
        )
        return [*short.items_for(self.changed, model_rows), *of_adapters]

    @cached_property
    def weights_bytes(self) -> int:
        """The bytes of the weights, with the scales of packed ones."""
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
        return load_optimisers()[self.optimiser].working * self.with_gradient

    @property
    def items(self) -> tuple[Item, ...]:
        """The contents of memory when most of it is in use, in the order of the sum: see the rule of this module."""
        kinds = {
            "weights": self.weights_bytes,
            "gradients": self.gradients_bytes,
            "states of the optimiser": self.states_bytes,
            "working memory of the optimiser": self.working_bytes,
            "activations": self.activations_bytes,
            "one layer, computed again": self.recomputed_bytes,
        }
        return tuple(Item(what, number) for what, number in kinds.items() if number)

    @property
    def fixed_bytes(self) -> int:
        """The bytes that are in memory all the time: weights and states."""
        return self.weights_bytes + self.states_bytes

    @property
    def peak_bytes(self) -> int:
        """The most bytes that are in memory at once, by the rule of this module."""
        return self.fixed_bytes + max(self.forward_bytes, self.gradients_bytes + self.working_bytes)

    def with_texts(self, texts: int) -> TrainingStep:
        """The same step with another number of texts."""
        return replace(self, texts=texts)

    @cached_property
    def text_bytes(self) -> int:
        """The bytes that one more text adds to what the forward pass keeps."""
        two, three = (self.with_texts(texts) for texts in (2, 3))
        return three.forward_bytes - two.forward_bytes

    def largest_batch(self, limit: int) -> int:
        """The largest number of texts whose step needs no more than `limit` bytes; 0 if not even one fits."""
        one, two = self.with_texts(1), self.with_texts(2)
        if one.peak_bytes > limit:
            return 0
        room = limit - two.fixed_bytes - two.forward_bytes
        # From two texts on, each adds the same number of bytes.
        return max(1, 2 + room // self.text_bytes)


def usual_step(changed: Changed, texts: int, tokens: int, **way: Any) -> TrainingStep:
    """A training step that is run as in `USUAL_WAY` where nothing else is given.

    Where a step on padded texts is not counted, one on texts of equal length is, unless padding is asked for.

    Args:
        changed: the model, its class, and what of it is trained.
        texts: examples in the batch.
        tokens: tokens per text.
        way: further fields of `TrainingStep`.

    Raises:
        BadChoice: a choice is unknown, impossible or not counted.
    """
    try:
        return TrainingStep(changed, texts, tokens, **{**USUAL_WAY, **way})
    except BadChoice:
        if "padded" in way:
            raise
        return TrainingStep(changed, texts, tokens, **{**USUAL_WAY, **way, "padded": False})


def total_bytes(items: Iterable[MemoryItems]) -> int:
    """The bytes of all items."""
    return sum(item.bytes for item in items)
