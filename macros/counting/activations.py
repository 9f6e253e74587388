"""What a training step keeps in memory besides parameters: the activations that the backward pass will ask for.

Unit: bytes. One implementation is counted, tensor by tensor: BERT of
transformers, as PyTorch runs it on a CPU. The tensors are data,
`data/activations.toml`, which says what they are and when they are there; a
recording of `torch.autograd.graph.saved_tensors_hooks` holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from .architecture import LAYER, lies_under
from .architectures.bert import BERT
from .blocks import DATA, blocks_of, check_keys
from .errors import BadChoice, label, shown
from .memory import BYTES
from .models import LARGEST
from .polynomials import Polynomial
from .question import Question

FILE = DATA / "activations.toml"

EAGER, FUSED = ATTENTIONS = ("eager", "fused")
"""How attention runs: product by product, or in one kernel, which keeps no shares."""

FLOAT = BYTES["float32"]

CHOICES = 2
"""Texts of one example of a multiple choice."""


class Activation(NamedTuple):
    """One tensor that is kept, or one in every layer.

    Attributes:
        name: its block in the data file.
        path: whose it is, as the row of a parameter; `layer_*` is every layer.
        what: what it holds, in words.
        shape: in letters: B texts of T tokens, from N examples; the others are the model's.
        bytes: of one number.
        has: path prefixes with commas between them; a class with rows under one of them keeps it. Empty is every class.
        dropout: whether it is there only with dropout.
        attention: the way of running attention that keeps it; empty is both.
        model_class: the only class that keeps it; empty is every class with rows under `has`.
        when: a letter and how many there must be of it, such as `N=1`, or must not be, such as `C≠1`.
        within: the block in whose storage its bytes lie; empty where it has a storage of its own.
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
    def in_layer(self) -> bool:
        """Whether every layer keeps one."""
        return self.path.startswith(LAYER)

    @property
    def once(self) -> Polynomial:
        """Its bytes in letters, in one layer where there are several."""
        return Polynomial.of_shape(f"{self.bytes} {self.shape}")

    @property
    def letters(self) -> Polynomial:
        """Its bytes in letters, in all layers."""
        return self.once.in_each(("L",)) if self.in_layer else self.once


@cache
def every_activation() -> tuple[Activation, ...]:
    """All of the data file, in the order in which they are kept.

    Raises:
        BadConfig: a key is missing, unknown, or of the wrong type.
    """
    return tuple(_activation(name, block) for name, block in blocks_of(FILE).items())


def _activation(name: str, block: Any) -> Activation:
    check_keys(f"{FILE.name}, {name}", block, ("path", "what", "shape"), OPTIONAL, **KINDS)
    fields = dict(block)
    return Activation(name, attention=fields.pop("in", ""), model_class=fields.pop("class", ""), **fields)


OPTIONAL = ("bytes", "has", "dropout", "in", "class", "when", "within")
"""What a block need not say."""

KINDS: Mapping[str, type[object]] = {"bytes": int, "dropout": bool}


class TrainingStep(NamedTuple):
    """A training step, and what it keeps.

    Attributes:
        asked: the model and its class.
        texts: examples in the batch; one of a multiple choice has two texts.
        tokens: tokens of each text.
        attention: one of `ATTENTIONS`.
        dropout: whether there is dropout, as in training as published.
        checkpointing: whether layers keep what goes in and nothing else, and compute the rest once more.

    Every property raises:
        BadChoice: another architecture than BERT's, which is not recorded; cross-attention; a way of running attention
            that is none of `ATTENTIONS`; or a number of texts or tokens that cannot be.

    >>> from .models import model_named
    >>> step = TrainingStep(Question(model_named("bert-base-uncased")), texts=1, tokens=128)
    >>> step.layer.formula()
    '12·B·A·T² + 40·B·T·H + 8·B·T·F + 16·B·T'
    """

    asked: Question
    texts: int
    tokens: int
    attention: str = EAGER
    dropout: bool = True
    checkpointing: bool = False

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number behind every letter."""
        self._check()
        texts = self.texts * (CHOICES if self._has("multiple_choice") else 1)
        return {**self.asked.sizes, "N": self.texts, "B": texts, "T": self.tokens}

    @property
    def kept(self) -> tuple[Activation, ...]:
        """What the forward pass keeps."""
        return tuple(each for each in self._computed if not (self.checkpointing and self._is_computed_again(each)))

    @property
    def again(self) -> tuple[Activation, ...]:
        """What is kept of one layer while it is computed once more: nothing without checkpointing."""
        return tuple(each for each in self._computed if self.checkpointing and self._is_computed_again(each))

    @property
    def number(self) -> int:
        """The bytes that the forward pass keeps."""
        sizes = self.sizes
        return sum(each.letters.value(sizes) for each in self.kept)

    @property
    def highest(self) -> int:
        """The bytes that are kept where most are: with checkpointing, one layer is there as a whole."""
        sizes = self.sizes
        return self.number + sum(each.once.value(sizes) for each in self.again)

    @property
    def layer(self) -> Polynomial:
        """The bytes that one layer keeps, in letters."""
        return Polynomial.total(each.once for each in self._computed if each.in_layer).simplified()

    @property
    def polynomial(self) -> Polynomial:
        """The bytes that the forward pass keeps, in letters."""
        return Polynomial.total(each.letters for each in self.kept).simplified()

    @property
    def _computed(self) -> tuple[Activation, ...]:
        """Every activation that the class, dropout and the way of running attention bring."""
        self._check()
        return tuple(each for each in every_activation() if self._is_there(each))

    def _is_there(self, each: Activation) -> bool:
        if (each.dropout and not self.dropout) or each.model_class not in ("", self.asked.chosen.name):
            return False
        if each.when and not _holds(each.when, self.sizes):
            return False
        # With dropout the fused kernel is not taken.
        attention = EAGER if self.dropout else self.attention
        return each.attention in ("", attention) and (not each.has or self._has(*each.has.split(", ")))

    def _has(self, *prefixes: str) -> bool:
        return any(lies_under(row.path, prefixes) for row in self.asked.rows)

    def _is_computed_again(self, each: Activation) -> bool:
        return each.in_layer and each.path != LAYER

    def _check(self) -> None:
        asked = self.asked
        if asked.architecture is not BERT or asked.settled.cross_attention:
            raise BadChoice(
                f"{asked.model.name}: activations are recorded for BERT without cross-attention, "
                "so choose such a model; parameters are counted for all"
            )
        if self.attention not in ATTENTIONS:
            raise BadChoice(f"attention is '{label(self.attention)}'; choose {' or '.join(ATTENTIONS)}")
        for name, number in (("texts", self.texts), ("tokens", self.tokens)):
            if not 1 <= number <= LARGEST:
                raise BadChoice(f"{name} is {shown(number)}; it must be an integer from 1 to {LARGEST}")
        if self.tokens > asked.sizes["P"]:
            raise BadChoice(f"{asked.model.name}: {self.tokens} tokens; it has {asked.sizes['P']} positions at most")


def _holds(when: str, sizes: Mapping[str, int]) -> bool:
    """Whether there are as many of a letter as `when` says.

    >>> _holds("N=1", {"N": 1}), _holds("C≠1", {"C": 1})
    (True, False)
    """
    letter, _, number = when.partition("≠" if "≠" in when else "=")
    return (sizes[letter] == int(number)) == ("=" in when)
