"""The number of operations that a model computes, from the same rows as its parameters.

A dense layer multiplies every vector that it reads by its kernel, which takes
vectors × inputs × outputs multiply-adds. Attention computes two more matrix
products, between activations rather than with weights. Rows of an embedding
table are only looked up, so a table adds nothing. A batch has B texts of T
tokens; B and T are letters like those of the sizes. In a multiple-choice
question, each choice is a text.

Conventions: a multiply-add is two operations, and unless a kind is named, only
matrix products are counted. Biases, softmax, LayerNorm and GELU are separate
kinds; GELU here means whichever activation the config names. Residual sums,
dropout, masks, the scaling of scores and the tanh of the pooler are never
counted.

Sources: torch 2.13, torch/utils/flop_counter.py (the operators that count, and
two operations per multiply-add); google-research/electra,
flops_computation.py (operations per element of the other kinds).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from .architecture import BIASES, MATRICES, Architecture, Row, lies_under
from .errors import BadChoice, quote
from .models import LARGEST_NUMBER
from .polynomials import Polynomial
from .question import Question

DENSE, ATTENTION = "dense layers", "attention's products"
PRODUCTS = (DENSE, ATTENTION)
"""The kinds of matrix products: those with weights, and those of two activations."""

BIAS, SOFTMAX, NORM, GELU = "biases", "softmax", "LayerNorm", "GELU"
OTHER_KINDS = (BIAS, SOFTMAX, NORM, GELU)
"""The kinds of operations that are not matrix products."""

COSTS = {DENSE: 2, ATTENTION: 2, BIAS: 1, SOFTMAX: 5, NORM: 5, GELU: 8}
"""By kind, the operations per multiply-add of a matrix product, or per element of anything else."""

TEXTS, TOKENS, OTHER_TOKENS = "B", "T", "U"
"""The letters for the texts in a batch, the tokens per text, and the tokens of the text that cross-attention reads."""

PADDED_TOKENS, SCORES, SCORES_OF_SOFTMAX, CONTEXT, GLOBAL_TOKENS, READ_BY_GLOBAL_TOKENS = "p", "s", "e", "x", "g", "y"
SPARSE_LETTERS = (PADDED_TOKENS, SCORES, SCORES_OF_SOFTMAX, CONTEXT, GLOBAL_TOKENS, READ_BY_GLOBAL_TOKENS)
"""The letters for the extent of sparse attention for one text, in the order of `SparseAttention`."""

GELU_AFTER = (
    "intermediate",
    "convolution",
    "transform",
    "discriminator_predictions",
    "sequence_head",
    "multiple_choice_head",
    "token_head",
    "answer_head",
)
"""Components in the paths of dense layers whose output goes through the activation that the config names."""

BACKWARD_PRODUCTS = 2
"""Matrix products of the backward pass per product of the forward pass: the gradients of the weights and the inputs."""


class Operation(NamedTuple):
    """The operations of one kind in one module, such as the multiply-adds with its kernel, in all layers that have it.

    Attributes:
        kind: a key of `COSTS`.
        path: the path of its row or module, or a path that names attention's product.
        block: the block in which it is counted.
        shape: the letters and integers whose product is its number of multiply-adds or elements, as in a row.
        layers: the letters whose product is the number of times that it runs; empty if it runs once.
    """

    kind: str
    path: str
    block: str
    shape: str
    layers: tuple[str, ...] = ()

    def polynomial(self, cost: int = 0) -> Polynomial:
        """Its operations as a symbolic formula.

        Args:
            cost: operations per multiply-add or element; 0 means the number in `COSTS`.
        """
        return Polynomial.of_shape(f"{cost or COSTS[self.kind]} {self.shape}", self.layers)


class Operations(NamedTuple):
    """The operations of a model on a batch of texts.

    Attributes:
        question: a model in a class, without part, tag and deviations.
        tokens: tokens per text.
        batch: texts in the batch.
        other_tokens: tokens of the text that cross-attention reads; 0 means the same number as `tokens`.
        global_tokens: tokens per text that attend to the whole text, for an architecture with `global_projections`;
            None means the default of the class.
        additions: further operations, such as those of adapters.
        added_sizes: sizes that only occur in `additions`, as pairs of a letter and a number.
        is_trained: whether all parameters are trained; otherwise the backward pass is not counted.

    Its properties and methods raise the errors of `Question`. `sizes`, and the properties and methods that return a
    number, also raise:
        BadChoice: the operations of this batch cannot be counted; for example, a text is longer than the model can
            read.

    >>> from .models import model_named
    >>> Operations(Question(model_named("bert-base-uncased")), tokens=128).forward
    22348431360
    """

    question: Question
    tokens: int
    batch: int = 1
    other_tokens: int = 0
    global_tokens: int | None = None
    additions: tuple[Operation, ...] = ()
    added_sizes: tuple[tuple[str, int], ...] = ()
    is_trained: bool = True

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the model, the additions and the batch.

        Raises:
            BadChoice: the question is about a part or has deviations; the number of global tokens has to be given for
                this class, or cannot be chosen in this architecture; a size of the batch is out of range; or a setting
                of sparse attention is not counted.
        """
        question, tokens, batch, other_tokens, global_tokens, *_ = self
        if question.part or question.tag or question.deviations:
            raise BadChoice("operations are counted for whole models; leave out part, tag and deviations")
        if global_tokens is None and (reason := refusal(question.architecture, question.resolved_class.name)):
            raise BadChoice(f"{question.model.name}: {reason}")
        if global_tokens is not None and not question.architecture.global_projections:
            raise BadChoice(
                f"{question.model.name}: which tokens attend to the whole text cannot be chosen; leave out their number"
            )
        limit = max_tokens(question)
        for name, number in (("tokens", tokens), ("other_tokens", other_tokens or 1)):
            if not 0 < number <= limit:
                raise BadChoice(f"{name} must be from 1 to {limit:,} for {question.model.name}, not {quote(number)}")
        if not 0 <= (global_tokens or 0) <= tokens:
            raise BadChoice(
                f"tokens that attend to the whole text must be from 0 to {tokens:,}, not {quote(global_tokens)}"
            )
        if not 0 < batch <= LARGEST_NUMBER:
            raise BadChoice(f"batch must be from 1 to {LARGEST_NUMBER} texts, not {quote(batch)}")
        batch_sizes = {TEXTS: batch, TOKENS: tokens, OTHER_TOKENS: other_tokens or tokens}
        return {**question.sizes, **dict(self.added_sizes), **batch_sizes, **self._sparse_sizes}

    @property
    def attention_settings(self) -> Mapping[str, Any]:
        """The settings of sparse attention by config key; empty if every token attends to every other."""
        return {**self.question.architecture.attention_settings, **self.question.model.attention_settings}

    @property
    def _sparse_sizes(self) -> Mapping[str, int]:
        """The extent of sparse attention for one text, by letter; empty if every token attends to every other.

        Raises:
            BadChoice: operations are not counted for a setting of the model's sparse attention.
        """
        question = self.question
        sparse_attention = self.question.architecture.sparse_attention
        if sparse_attention is None:
            return {}
        global_tokens = self.global_tokens
        if global_tokens is None:
            global_tokens = question.architecture.default_global_tokens.get(question.resolved_class.name, 0)
        try:
            extent = sparse_attention(self.attention_settings, question.resolved_choices, self.tokens, global_tokens)
        except BadChoice as error:
            raise BadChoice(f"{question.model.name}: {error}") from None
        return dict(zip(SPARSE_LETTERS, extent, strict=True))

    @property
    def items(self) -> tuple[Operation, ...]:
        """Every operation, in the order of the rows; the additions come last."""
        return (*_operations(self.question.architecture, self.question.rows), *self.additions)

    def polynomial(self, *kinds: str, block: str = "", cost: int = 0) -> Polynomial:
        """Operations of the forward pass, as a symbolic formula.

        Args:
            kinds: the kinds to add up; if none are given, those of matrix products.
            block: the only block to add up; empty for the whole model.
            cost: operations per multiply-add or element; 0 means the numbers in `COSTS`.
        """
        selection = [
            operation
            for operation in self.items
            if operation.kind in (kinds or PRODUCTS) and block in ("", operation.block)
        ]
        return Polynomial.total(operation.polynomial(cost) for operation in selection).simplified()

    def number(self, *kinds: str, block: str = "", cost: int = 0) -> int:
        """Operations of the forward pass; arguments as for `polynomial`."""
        return self.polynomial(*kinds, block=block, cost=cost).value(self.sizes)

    @property
    def blocks(self) -> tuple[str, ...]:
        """The blocks in which something is computed, in the architecture's order, and then those of the additions."""
        computed_blocks = {operation.block for operation in self.items}
        model_blocks = [block for block in self.question.architecture.blocks if block in computed_blocks]
        return (*model_blocks, *dict.fromkeys(operation.block for operation in self.additions))

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of the forward pass, in matrix products only."""
        return self.number(cost=1)

    @property
    def forward(self) -> int:
        """Operations of the forward pass, in matrix products only."""
        return self.number()

    @property
    def backward(self) -> int:
        """Operations of the backward pass, in matrix products only, if all parameters are trained.

        A pooler may run in the forward pass although no head reads its result; it then takes no part in the backward
        pass. Some classes of LayoutLM and BigBird are like that: their head reads every token, or has a dense layer of
        its own that reads the first one.
        """
        heads = self.question.resolved_class.heads
        rows = self.question.rows
        dense_heads = tuple(head for head in heads if any(lies_under(row.path, (f"{head}/dense",)) for row in rows))
        paths_per_text = self.question.architecture.per_text_layers
        reads_pooler = not heads or any(lies_under(head, paths_per_text) and head not in dense_heads for head in heads)
        return BACKWARD_PRODUCTS * (self.forward if reads_pooler else self.forward - self.number(block="pooler"))

    @property
    def step(self) -> int:
        """Operations of a training step, forward and backward. The optimiser computes no matrix product."""
        return self.forward + self.backward


def refusal(architecture: Architecture, model_class: str) -> str:
    """The message that the operations of a class depend on a number from the caller; empty if they do not."""
    token_words = architecture.global_tokens_depend_on.get(model_class, "")
    if not token_words:
        return ""
    return (
        f"operations of {model_class} depend on how many tokens attend to the whole text, which are {token_words}; "
        "give their number to the command line, as in --global 20"
    )


def max_tokens(question: Question) -> int:
    """The number of tokens in the longest text that a model can read.

    The position table limits it or, in a model without one, the maximum text length for which the model was designed.
    """
    return question.sizes["P"] - question.architecture.first_position


@cache
def _operations(architecture: Architecture, rows: tuple[Row, ...]) -> tuple[Operation, ...]:
    """The operations of all these rows, in their order."""
    return tuple(operation for row in rows for operation in operations_of_row(architecture, row))


def operations_of_row(architecture: Architecture, row: Row) -> Iterator[Operation]:
    """The operations that a row's tensor takes part in.

    Attention's products and its softmax have no row. They are yielded with the
    projection that computes the values, because every attention block has
    exactly one.
    """
    if lies_under(row.path, architecture.idle_layers):
        return
    module, _, leaf = row.path.rpartition("/")
    layers = architecture.layers_of(row, per_pass=True)
    vectors = vectors_of(architecture, module)
    if leaf in MATRICES:
        yield Operation(DENSE, row.path, row.block, f"{vectors} {row.shape}", layers)
        yield from _position_operations(architecture, row, layers)
        if any(component in GELU_AFTER for component in module.split("/")) and module.endswith("/dense"):
            # A gated layer has a width of 2F, but only F of it goes through the activation: the last character.
            yield Operation(GELU, module, row.block, f"{vectors} {row.shape.split()[-1][-1]}", layers)
    elif leaf in BIASES and not row.tied_to:
        yield Operation(BIAS, row.path, row.block, f"{vectors} {row.shape}", layers)
    elif leaf == "gamma":
        yield Operation(NORM, module, row.block, f"{vectors} {row.shape}", layers)
    if row.path.endswith(("/self/value/kernel", "/self/query_key_value/kernel")):
        attention = module.rpartition("/")[0]
        width = _width_of_queries(architecture, attention)
        # Every token attends to every token that the value projection reads, unless attention is sparse.
        pairs = f"{TEXTS} {TOKENS} {vectors.split()[-1]}"
        scores, softmax, context = pairs, pairs, pairs
        if architecture.sparse_attention and not attention.endswith("crossattention"):
            scores, softmax, context = (f"{TEXTS} {letter}" for letter in (SCORES, SCORES_OF_SOFTMAX, CONTEXT))
        yield Operation(ATTENTION, f"{attention}/scores", row.block, f"{scores} {width}", layers)
        yield Operation(SOFTMAX, f"{attention}/softmax", row.block, f"{softmax} A", layers)
        yield Operation(ATTENTION, f"{attention}/context", row.block, f"{context} {width}", layers)
        if architecture.positions_in_products:
            for product in ("scores", "context"):
                yield Operation(ATTENTION, f"{attention}/{product}_of_positions", row.block, f"{pairs} {width}", layers)


@cache
def _width_of_queries(architecture: Architecture, attention: str) -> str:
    """The combined width of all query heads of an attention block. There may be fewer key-value heads."""
    shapes = {row.path: row.shape for row in architecture.rows}
    query = shapes.get(f"{attention}/query/kernel")
    # One matrix for query, key and value has a width of 3H; its input is as wide as one of the three.
    return query.split()[-1] if query else shapes[f"{attention}/query_key_value/kernel"].split()[0]


def _position_operations(architecture: Architecture, row: Row, layers: tuple[str, ...]) -> Iterator[Operation]:
    """The operations of a projection on relative positions, as in DeBERTa; none for any other projection.

    The table is projected once for all texts of a batch. Then each token's
    vector is multiplied by each of the projected rows.
    """
    module = row.path.rpartition("/")[0]
    positions = architecture.relative_positions
    width = row.shape.split()[-1]
    is_shared = lies_under(module, architecture.shared_with_positions)
    if is_shared:
        yield Operation(DENSE, row.path, row.block, f"{positions} {row.shape}", layers)
    if is_shared or lies_under(module, architecture.position_projections):
        yield Operation(ATTENTION, f"{module}/positions", row.block, f"{TEXTS} {TOKENS} {positions} {width}", layers)


def vectors_of(architecture: Architecture, path: str) -> str:
    """The letters whose product is the number of vectors that the layer at a path reads.

    A layer reads one vector per text, or one per token. Cross-attention computes keys and values from the tokens of
    another text, and a projection of relative positions alone reads these once for all texts. With sparse attention,
    the embeddings and the layers also read the tokens that pad a text, except for the separate projections of global
    tokens: these read only global tokens, or the tokens that they attend to.
    """
    if lies_under(path, architecture.position_projections):
        return architecture.relative_positions
    if lies_under(path, architecture.per_text_layers):
        return TEXTS
    if path.endswith(("crossattention/self/key", "crossattention/self/value")):
        return f"{TEXTS} {OTHER_TOKENS}"
    if lies_under(path, architecture.global_projections):
        return f"{TEXTS} {GLOBAL_TOKENS if 'query' in path else READ_BY_GLOBAL_TOKENS}"
    if architecture.sparse_attention and lies_under(path, ("bert/embeddings", "bert/encoder")):
        return f"{TEXTS} {PADDED_TOKENS}"
    return f"{TEXTS} {TOKENS}"
