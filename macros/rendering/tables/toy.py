"""Macros for sentences about the toy model: its vectors, its weights, and how its numbers are rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from macros.counting import CountingError
from macros.counting.errors import entry_of, quote
from macros.example import run, toy
from macros.example.forward import Number
from macros.example.weights import own_tensors

from ..components.toy_numbers import DECIMALS, DECODER_SLACK, POWER_SLACK, SLACK, series


class Values(NamedTuple):
    """A tensor of the toy model as a row of a table: its path, its shape, and its values as HTML, row by row."""

    path: str
    shape: str
    values: str


def tensors() -> list[Values]:
    """Every tensor of the toy model with its values, in the order of transformers."""
    weights, rows = toy(), []
    for tensor in own_tensors(weights.model):
        matrix = weights.matrices.get(tensor.path) or [weights.vectors[tensor.path]]
        shape = " × ".join(map(str, tensor.google_shape))
        lines = [f'<span class="bc-joined">{series(row)}</span>' for row in matrix]
        rows.append(Values(tensor.path, shape, ";<br>".join(lines)))
    return rows


class ToyToken(NamedTuple):
    """One token of the sentence, its vector, and what attention makes of it, all printed as in a sentence."""

    text: str
    embedded: str
    query: str
    key: str
    value: str


def tokens() -> list[ToyToken]:
    """The tokens of the sentence, from [CLS] to [SEP]."""
    result = run()
    embedded = [norm.output for norm in result.embedded]
    vectors = zip(embedded, result.queries, result.keys, result.values, strict=True)
    return [ToyToken(text, *map(series, rows)) for text, rows in zip(result.tokens, vectors, strict=True)]


def _of_chosen(rows: Sequence[Sequence[Number]]) -> Sequence[Number]:
    """The row of the token that the pages follow."""
    return rows[run().tokens.index(toy().chosen)]


VECTORS: dict[str, Callable[[], Sequence[Number]]] = {
    "sum": lambda: _of_chosen([norm.input for norm in run().embedded]),
    "embedded": lambda: _of_chosen([norm.output for norm in run().embedded]),
    "query": lambda: _of_chosen(run().queries),
    "mix": lambda: _of_chosen(run().mixed),
    "attention": lambda: _of_chosen([norm.input for norm in run().attended]),
    "attended": lambda: _of_chosen([norm.output for norm in run().attended]),
    "feed-forward": lambda: _of_chosen([norm.input for norm in run().finished]),
    "finished": lambda: _of_chosen([norm.output for norm in run().finished]),
    "first": lambda: run().finished[0].output,
    "pooled": lambda: run().pooled,
    "next-sentence": lambda: run().next_sentence,
}
"""The vectors that sentences name: those of the chosen token, and at last those of the first."""


def vector(name: str) -> str:
    """A vector of the toy model: `{{ example.vector("embedded") }}` is "1, 0, 2, 0".

    Raises:
        CountingError: no vector has that name; the message suggests the nearest.
    """
    return series(entry_of(VECTORS, "vector", name)())


def match(head: int) -> str:
    """The token of which the chosen one takes the largest share in a head: `{{ example.match(head=0) }}` is "“sat”".

    Raises:
        CountingError: there is no such head.
    """
    heads = run().heads
    if head not in range(len(heads)):
        raise CountingError(
            f"the toy model has no head {quote(head)}; its heads are numbered from 0 to {len(heads) - 1}"
        )
    shares = _of_chosen(heads[head].shares)
    return f"“{run().tokens[shares.index(max(shares))]}”"


CUBIC = 0.044715
"""The factor of x³ where google-research/bert approximates GELU by tanh: `gelu` in its `modeling.py`."""

TOPIC: dict[str, object] = {
    "vector": vector,
    "match": match,
    "tensors": tensors(),
    "tokens": tokens(),
    "vocabulary": ", ".join(toy().vocabulary),
    "cat": str(toy().vocabulary.index(toy().chosen)),
    "kinds": "integers and halves",  # `weights.py` refuses any other value
    "decimals": f"{DECIMALS} decimals",
    "cubic": str(CUBIC),
    "slack": str(SLACK),
    "power_slack": str(POWER_SLACK),
    "decoder_slack": str(DECODER_SLACK),
}
"""The macro and the values of pages about the toy model, such as `example.slack`."""
