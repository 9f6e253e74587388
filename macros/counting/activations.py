"""Activations: the bytes that the forward pass of a training step keeps for the backward pass.

One implementation is counted, tensor by tensor: BERT of transformers, as
PyTorch runs it on a CPU. The tensors are data: `data/activations.toml` says
what each of them contains, and in which training steps it is kept. The tests
compare this list with a recording made with
`torch.autograd.graph.saved_tensors_hooks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from .architecture import LAYER, lies_under
from .architectures.bert import BERT
from .blocks import DATA, blocks_of, check_keys
from .errors import BadChoice, label, quote
from .memory import BYTES
from .models import LARGEST
from .polynomials import Polynomial
from .question import Question

FILE = DATA / "activations.toml"

EAGER, FUSED = ATTENTIONS = ("eager", "fused")
"""The ways of running attention: product by product, or in one fused kernel, which does not keep attention weights."""

FLOAT = BYTES["float32"]
"""Bytes per element of a tensor, unless its block says otherwise."""

CHOICES = 2
"""Texts per example of a multiple choice. The recording was made with two choices."""


class Activation(NamedTuple):
    """One tensor that is kept, or one per layer.

    Attributes:
        name: the name of its block in the data file.
        path: the module that keeps it, as in the path of a row; `layer_*` stands for every layer.
        what: its contents, in words.
        shape: its symbolic shape: B texts of T tokens, from N examples; the other letters are sizes of the model.
        bytes: bytes per element.
        has: path prefixes, separated by commas. Only classes with rows under one of them keep it; empty if all do.
        dropout: whether it is only kept if there is dropout.
        attention: the way of running attention, one of `ATTENTIONS`, that keeps it; empty if both do.
        model_class: the only class that keeps it; empty if all classes with rows under `has` do.
        when: a condition on one letter, such as `N=1` or `C≠1`; empty if it is always kept.
        within: the name of the activation whose storage it shares; empty if it has storage of its own.
    """

    name: str
    path: str
    what: str
    shape: str
    bytes: int = FLOAT
    has: str = ""
    dropout: bool = False
    attention: str = ""
    model_class: str = ""
    when: str = ""
    within: str = ""

    @property
    def is_per_layer(self) -> bool:
        """Whether every layer keeps such a tensor."""
        return self.path.startswith(LAYER)

    @property
    def polynomial_of_one(self) -> Polynomial:
        """The bytes of one such tensor, as a symbolic formula."""
        return Polynomial.of_shape(f"{self.bytes} {self.shape}")

    @property
    def polynomial(self) -> Polynomial:
        """Its bytes in all layers, as a symbolic formula."""
        return self.polynomial_of_one.in_each(("L",)) if self.is_per_layer else self.polynomial_of_one


@cache
def every_activation() -> tuple[Activation, ...]:
    """Every activation of the data file, in the order in which they are kept.

    Raises:
        BadConfig: a key is missing or unknown, or has a value of the wrong type.
    """
    return tuple(_activation(name, block) for name, block in blocks_of(FILE).items())


def _activation(name: str, block: Any) -> Activation:
    check_keys(f"{FILE.name}, {name}", block, ("path", "what", "shape"), OPTIONAL, **KINDS)
    fields = dict(block)
    # Two keys of the file are reserved words in Python.
    return Activation(name, attention=fields.pop("in", ""), model_class=fields.pop("class", ""), **fields)


OPTIONAL = ("bytes", "has", "dropout", "in", "class", "when", "within")
"""The keys that a block may have in addition to those that it must have."""

KINDS: Mapping[str, type[object]] = {"bytes": int, "dropout": bool}
"""The types of values that are not texts, by key."""


class TrainingStep(NamedTuple):
    """A training step, and the activations that it keeps.

    Attributes:
        question: the model and its class.
        texts: examples in the batch; each example of a multiple choice has two texts.
        tokens: tokens per text.
        attention: one of `ATTENTIONS`.
        dropout: whether there is dropout, as there was when BERT was trained.
        checkpointing: whether each layer keeps only its input, and computes everything else again in the backward pass.

    Every property raises:
        BadChoice: the architecture is not BERT, or the model has cross-attention, for which there is no recording;
            `attention` is not one of `ATTENTIONS`; or the number of texts or tokens is impossible.

    >>> from .models import model_named
    >>> step = TrainingStep(Question(model_named("bert-base-uncased")), texts=1, tokens=128)
    >>> step.layer.formula()
    '12·B·A·T² + 40·B·T·H + 8·B·T·F + 16·B·T'
    """

    question: Question
    texts: int
    tokens: int
    attention: str = EAGER
    dropout: bool = True
    checkpointing: bool = False

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number for every letter: the sizes of the model and of the batch."""
        self._check()
        texts = self.texts * (CHOICES if self._has("multiple_choice") else 1)
        return {**self.question.sizes, "N": self.texts, "B": texts, "T": self.tokens}

    @property
    def activations(self) -> tuple[Activation, ...]:
        """The activations that the forward pass keeps."""
        return tuple(item for item in self._computed if not (self.checkpointing and self._is_computed_again(item)))

    @property
    def recomputed(self) -> tuple[Activation, ...]:
        """The activations of a layer that checkpointing computes again; none without checkpointing."""
        return tuple(item for item in self._computed if self.checkpointing and self._is_computed_again(item))

    @property
    def number(self) -> int:
        """The bytes that the forward pass keeps."""
        sizes = self.sizes
        return sum(item.polynomial.value(sizes) for item in self.activations)

    @property
    def peak(self) -> int:
        """Peak bytes. With checkpointing they include the activations of the one layer that is computed again."""
        sizes = self.sizes
        return self.number + sum(item.polynomial_of_one.value(sizes) for item in self.recomputed)

    @property
    def layer(self) -> Polynomial:
        """The bytes of one layer's activations without checkpointing, as a symbolic formula."""
        return Polynomial.total(item.polynomial_of_one for item in self._computed if item.is_per_layer).simplified()

    @property
    def polynomial(self) -> Polynomial:
        """The bytes that the forward pass keeps, as a symbolic formula."""
        return Polynomial.total(item.polynomial for item in self.activations).simplified()

    @property
    def _computed(self) -> tuple[Activation, ...]:
        """Every activation that this class computes with this dropout and attention."""
        self._check()
        return tuple(item for item in every_activation() if self._computes(item))

    def _computes(self, item: Activation) -> bool:
        """Whether this step computes an activation, and would keep it without checkpointing."""
        if (item.dropout and not self.dropout) or item.model_class not in ("", self.question.resolved_class.name):
            return False
        if item.when and not _holds(item.when, self.sizes):
            return False
        # On a CPU, PyTorch's fused kernel has no dropout, so with dropout it runs product by product.
        attention = EAGER if self.dropout else self.attention
        return item.attention in ("", attention) and (not item.has or self._has(*item.has.split(", ")))

    def _has(self, *prefixes: str) -> bool:
        return any(lies_under(row.path, prefixes) for row in self.question.rows)

    def _is_computed_again(self, item: Activation) -> bool:
        # The input of a layer, which checkpointing keeps, has the path of the layer itself.
        return item.is_per_layer and item.path != LAYER

    def _check(self) -> None:
        question = self.question
        if question.architecture is not BERT or question.resolved_choices.cross_attention:
            raise BadChoice(
                f"{question.model.name}: activations are recorded for BERT without cross-attention, "
                "so choose such a model; parameters are counted for all"
            )
        if self.attention not in ATTENTIONS:
            raise BadChoice(f"attention is '{label(self.attention)}'; choose {' or '.join(ATTENTIONS)}")
        for name, number in (("texts", self.texts), ("tokens", self.tokens)):
            if not 1 <= number <= LARGEST:
                raise BadChoice(f"{name} is {quote(number)}; it must be an integer from 1 to {LARGEST}")
        if self.tokens > question.sizes["P"]:
            raise BadChoice(
                f"{question.model.name}: {self.tokens} tokens; it has {question.sizes['P']} positions at most"
            )


def _holds(when: str, sizes: Mapping[str, int]) -> bool:
    """Whether a condition on the number for a letter is true.

    >>> _holds("N=1", {"N": 1}), _holds("C≠1", {"C": 1})
    (True, False)
    """
    letter, _, number = when.partition("≠" if "≠" in when else "=")
    return (sizes[letter] == int(number)) == ("=" in when)
