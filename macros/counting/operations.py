"""How many operations a model takes, from the rows that its parameters come from.

A dense layer multiplies every vector that it reads by its kernel, so vectors
times inputs times outputs is its number of multiply-adds; attention has two
products more, which have no weights. A table is looked up and multiplies
nothing. Texts are B and tokens per text T, letters like those of the sizes; a
question with several choices is as many texts.

Conventions: a multiply-add is two operations, and the numbers without a kind
are those of the matrix products alone. Biases, softmax, LayerNorm and GELU
are kinds of their own. Residual sums, dropout, masks, the scaling of scores
and the tanh of the pooler are never counted.

Sources: torch 2.13, torch/utils/flop_counter.py (which operators count, and
that each multiply-add is two); google-research/electra,
flops_computation.py (operations per element of what is no product).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .architecture import BIASES, MATRICES, Architecture, Row, lies_under
from .errors import BadChoice, shown
from .models import LARGEST
from .polynomials import Polynomial
from .question import Question

DENSE, ATTENTION = PRODUCTS = ("dense layers", "attention's products")
"""The kinds of matrix products: those with weights, and those without."""

BIAS, SOFTMAX, NORM, GELU = OTHERS = ("biases", "softmax", "LayerNorm", "GELU")
"""The other kinds of operations."""

COSTS = {DENSE: 2, ATTENTION: 2, BIAS: 1, SOFTMAX: 5, NORM: 5, GELU: 8}
"""Operations per multiply-add of a product, and per element of everything else."""

TEXTS, TOKENS, LOOKED_AT = "B", "T", "U"
"""The letters of a batch: texts, tokens of each, and tokens of the text that cross-attention looks at."""

GELU_AFTER = (
    *("intermediate", "transform", "discriminator_predictions"),
    *("sequence_head", "multiple_choice_head", "token_head", "answer_head"),
)
"""The dense layers behind which the activation of the configuration stands."""

BACKWARD, STEP = 2, 3
"""How often training multiplies what the forward pass does once.

Backward, each product has one for its weights and one for what it reads, which the embeddings learn from.
"""


class Operation(NamedTuple):
    """Operations of one kind at one place, once or in every layer.

    `path` is that of the row it comes from, or of a product without weights;
    `shape` is its number of multiply-adds or elements, symbolic as in a row,
    and `layers` the letters that count how often it runs.
    """

    kind: str
    path: str
    block: str
    shape: str
    layers: tuple[str, ...] = ()

    def polynomial(self, cost: int = 0) -> Polynomial:
        """Its operations in letters; `cost` is how many a multiply-add or an element is, if not as in `COSTS`."""
        return Polynomial.of_shape(f"{cost or COSTS[self.kind]} {self.shape}", self.layers)


class Operations(NamedTuple):
    """What a model computes for a batch of texts, and thereby its numbers of operations.

    Attributes:
        asked: a model in a class, whole and counted rightly.
        tokens: the length of each text.
        batch: how many texts.
        others: tokens of the text that cross-attention looks at; 0 is as many.

    Every property raises:
        BadChoice: the question is about a part or has deviations; no batch,
            no tokens, or more of them than the model has positions.
        UnknownModelClass: as for `Question`.

    >>> from .models import model_named
    >>> Operations(Question(model_named("bert-base-uncased")), tokens=128).forward
    22348431360
    """

    asked: Question
    tokens: int
    batch: int = 1
    others: int = 0

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the model and of the batch."""
        asked, tokens, batch, others = self
        if asked.part or asked.tag or asked.deviations:
            raise BadChoice("operations are counted of whole models; ask without part, tag and deviations")
        most = longest(asked)
        for name, number in (("tokens", tokens), ("others", others or 1)):
            if not 0 < number <= most:
                raise BadChoice(f"{name} is {shown(number)}; {asked.model.name} reads 1 to {most:,} tokens")
        if not 0 < batch <= LARGEST:
            raise BadChoice(f"batch is {shown(batch)}; write how many texts, from 1 to {LARGEST}")
        return {**asked.sizes, TEXTS: batch, TOKENS: tokens, LOOKED_AT: others or tokens}

    @property
    def items(self) -> tuple[Operation, ...]:
        """Everything that is computed, in the order of the rows."""
        return _operations(self.asked.architecture, self.asked.rows)

    def polynomial(self, *kinds: str, block: str = "", cost: int = 0) -> Polynomial:
        """Operations of the forward pass in letters: of some kinds, of one block.

        Args:
            kinds: left out, they are those of matrix products.
            block: left out, it is the whole model.
            cost: operations per multiply-add or element, if not those of `COSTS`.
        """
        chosen = [each for each in self.items if each.kind in (kinds or PRODUCTS) and block in ("", each.block)]
        return Polynomial.total(each.polynomial(cost) for each in chosen).simplified()

    def number(self, *kinds: str, block: str = "", cost: int = 0) -> int:
        """Operations of the forward pass; arguments as above."""
        return self.polynomial(*kinds, block=block, cost=cost).value(self.sizes)

    @property
    def blocks(self) -> tuple[str, ...]:
        """The blocks that have operations of any kind, in the architecture's order."""
        present = {each.block for each in self.items}
        return tuple(block for block in self.asked.architecture.blocks if block in present)

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of the forward pass."""
        return self.number(cost=1)

    @property
    def forward(self) -> int:
        """Operations of the forward pass, matrix products alone."""
        return self.number()

    @property
    def backward(self) -> int:
        """Operations of the backward pass, matrix products alone, if all parameters are trained."""
        return BACKWARD * self.forward

    @property
    def step(self) -> int:
        """Operations of a training step: forward and backward; what the optimizer does is no product."""
        return STEP * self.forward


def longest(asked: Question) -> int:
    """Tokens of the longest text that a model has positions for, or was made for where it has no table of them."""
    return asked.sizes["P"] - asked.architecture.first_position


@cache
def _operations(architecture: Architecture, rows: tuple[Row, ...]) -> tuple[Operation, ...]:
    return tuple(each for row in rows for each in of_row(architecture, row))


def of_row(architecture: Architecture, row: Row) -> Iterator[Operation]:
    """What a row's tensor takes part in; attention's own products come with its value projection."""
    before, _, leaf = row.path.rpartition("/")
    layers = architecture.layers_of(row, passes=True)
    vectors = _vectors(architecture, before)
    if leaf in MATRICES:
        yield Operation(DENSE, row.path, row.block, f"{vectors} {row.shape}", layers)
        if lies_under(before, architecture.shared_with_positions):
            yield from _of_positions(row, layers)
        if any(step in GELU_AFTER for step in before.split("/")) and before.endswith("/dense"):
            # Of a gated layer, which gives out 2F, the gate has no activation.
            yield Operation(GELU, before, row.block, f"{vectors} {row.shape.split()[-1][-1]}", layers)
    elif leaf in BIASES and not row.tied_to:
        yield Operation(BIAS, row.path, row.block, f"{vectors} {row.shape}", layers)
    elif leaf == "gamma":
        yield Operation(NORM, before, row.block, f"{vectors} {row.shape}", layers)
    if row.path.endswith(("/self/value/kernel", "/self/query_key_value/kernel")):
        attention = before.rpartition("/")[0]
        pairs = f"{TEXTS} {TOKENS} {vectors.split()[-1]}"
        width = row.shape.split()[0]
        yield Operation(ATTENTION, f"{attention}/scores", row.block, f"{pairs} {width}", layers)
        yield Operation(SOFTMAX, f"{attention}/softmax", row.block, f"{pairs} A", layers)
        yield Operation(ATTENTION, f"{attention}/context", row.block, f"{pairs} {width}", layers)


def _of_positions(row: Row, layers: tuple[str, ...]) -> Iterator[Operation]:
    """What a projection does with the table of relative positions: it projects each, once for all texts of a batch.

    Then every token of every text is multiplied by each of them.
    """
    before = row.path.rpartition("/")[0]
    width = row.shape.split()[-1]
    yield Operation(DENSE, row.path, row.block, f"2R {row.shape}", layers)
    yield Operation(ATTENTION, f"{before}/positions", row.block, f"{TEXTS} {TOKENS} 2R {width}", layers)


def _vectors(architecture: Architecture, path: str) -> str:
    """How many vectors the layer at a path reads: one per text, or one per token of this text or of another."""
    if lies_under(path, architecture.one_per_text):
        return TEXTS
    return f"{TEXTS} {LOOKED_AT if path.endswith(('crossattention/self/key', 'crossattention/self/value')) else TOKENS}"
