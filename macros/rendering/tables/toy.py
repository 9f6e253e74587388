"""Macros for sentences about the toy model: its vectors, its weights, and how its numbers are rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import e
from typing import NamedTuple

from macros.counting import CountingError
from macros.counting.errors import entry_of, quote
from macros.example import run, toy
from macros.example.forward import Number, Run
from macros.example.weights import own_tensors

from ..components import pages
from ..components.toy_numbers import (
    DECIMALS,
    DECODER_SLACK,
    MASKED_SENTENCE,
    POWER_SLACK,
    SLACK,
    as_text,
    product_equation,
    series,
)


class TensorValues(NamedTuple):
    """A tensor of the toy model as a row of a table: its path, its shape, and its values as HTML, row by row."""

    path: str
    shape: str
    values: str


def tensors() -> list[TensorValues]:
    """Every tensor of the toy model with its values, in the order of transformers."""
    weights = toy()
    rows = []
    for tensor in own_tensors(weights.model):
        matrix = weights.matrices.get(tensor.path) or [weights.vectors[tensor.path]]
        shape = " × ".join(map(str, tensor.google_shape))
        lines = [f'<span class="bc-joined">{series(row)}</span>' for row in matrix]
        rows.append(TensorValues(tensor.path, shape, ";<br>".join(lines)))
    return rows


class ToyToken(NamedTuple):
    """One token with its vector, query, key, value and shares of attention, all printed as in a sentence.

    Attributes:
        text: the token.
        id: the number of its row in the word table.
        position: its position in the sentence, counted from 0.
        embedded: its vector after the embeddings.
        query: its query, head by head, as are the key and the value.
        key: its key.
        value: its value.
        shares: for each head, the shares that it takes of all tokens in the order of the sentence.
    """

    text: str
    id: str
    position: str
    embedded: str
    query: str
    key: str
    value: str
    shares: tuple[tuple[str, ...], ...]


def tokens(sentence: str = "") -> list[ToyToken]:
    """The tokens of a sentence, from [CLS] to [SEP]; without an argument, of the sentence that the pages follow."""
    result = run(sentence)
    embedded = [norm.output for norm in result.embedding_norms]
    return [
        ToyToken(
            text,
            str(result.ids[index]),
            str(index),
            series(embedded[index]),
            _by_head(result.queries[index], len(result.heads)),
            _by_head(result.keys[index], len(result.heads)),
            _by_head(result.values[index], len(result.heads)),
            tuple(tuple(map(as_text, head.shares[index])) for head in result.heads),
        )
        for index, text in enumerate(result.tokens)
    ]


def _by_head(vector: Sequence[Number], heads: int) -> str:
    """A query, key or value, with a semicolon between the heads."""
    width = len(vector) // heads
    return "; ".join(series(vector[head * width : (head + 1) * width]) for head in range(heads))


def _run_and_index(token: str) -> tuple[Run, int]:
    """The run of the sentence that has a token, and its position there.

    Raises:
        CountingError: it is in neither sentence.
    """
    for result in (run(), run(MASKED_SENTENCE)):
        if token in result.tokens:
            return result, result.tokens.index(token)
    raise CountingError(f"the toy model's sentences have no token {quote(token)}")


def _row_of_followed(rows: Sequence[Sequence[Number]]) -> Sequence[Number]:
    """The row of the token that the pages follow."""
    return rows[run().tokens.index(toy().followed_word)]


VECTORS: dict[str, Callable[[Run, int], Sequence[Number]]] = {
    "sum": lambda result, index: result.embedding_norms[index].input,
    "embedded": lambda result, index: result.embedding_norms[index].output,
    "query": lambda result, index: result.queries[index],
    "mix": lambda result, index: result.mixes[index],
    "attention": lambda result, index: result.attention_norms[index].input,
    "attended": lambda result, index: result.attention_norms[index].output,
    "feed-forward": lambda result, index: result.output_norms[index].input,
    "finished": lambda result, index: result.output_norms[index].output,
    "pooled": lambda result, _: result.pooler_output,
    "next-sentence": lambda result, _: result.next_sentence,
}
"""The vectors that sentences name: those of one token, and at the end those of the whole text."""


def vector(name: str, token: str = "") -> str:
    """A vector of the toy model: `{{ example.vector("embedded") }}` is "1, 0, 2, 0".

    Args:
        name: a key of `VECTORS`.
        token: the token that has it; if not given, the one that the pages follow.

    Raises:
        CountingError: no vector has that name, or neither sentence has that token.
    """
    return series(entry_of(VECTORS, "vector", name)(*_run_and_index(token or toy().followed_word)))


def _is_next_equation() -> str:
    """The first output of the next-sentence head, worked out from the vector of the pooler."""
    result = run()
    path = "cls/seq_relationship"
    weights = toy().matrices[f"{path}/output_weights"]
    bias = toy().vectors[f"{path}/output_bias"]
    return product_equation(result.pooler_output, weights[0], result.next_sentence[0], bias[0])


def match(head: int) -> str:
    """The token that the followed one attends to most in a head: `{{ example.match(head=0) }}` is "“sat”".

    Raises:
        CountingError: there is no such head.
    """
    heads = run().heads
    if head not in range(len(heads)):
        raise CountingError(
            f"the toy model has no head {quote(head)}; its heads are numbered from 0 to {len(heads) - 1}"
        )
    shares = _row_of_followed(heads[head].shares)
    return f"“{run().tokens[shares.index(max(shares))]}”"


def rounding_sentence() -> str:
    """The sentence that pages about parts have if their figures show rounded numbers."""
    link = f'<a href="{pages.ROOT}{pages.TOY_MODEL}#rounding">rounded</a>'
    return f"Numbers with two decimals are {link}; the steps continue from unrounded ones."


CUBIC = 0.044715
"""The factor of x³ where google-research/bert approximates GELU by tanh: `gelu` in its `modeling.py`."""

TOPIC: dict[str, object] = {
    "vector": vector,
    "match": match,
    "tensors": tensors(),
    "tokens": tokens(),
    "heads": range(len(run().heads)),
    "ids": ", ".join(f"{token.text} {token.id}" for token in tokens()),
    "positions": f"0 to {len(tokens()) - 1}",
    "places": [
        " or ".join(dict.fromkeys(texts)) for texts in zip(run().tokens, run(MASKED_SENTENCE).tokens, strict=True)
    ],
    "is_next": _is_next_equation(),
    "masked": next(token for token in tokens(MASKED_SENTENCE) if token.text == "[MASK]"),
    "e": f"{e:.3f}",
    "vocabulary": ", ".join(toy().vocabulary),
    "kinds": "integers and halves",  # `weights.py` refuses any other value
    "decimals": f"{DECIMALS} decimals",
    "cubic": str(CUBIC),
    "slack": str(SLACK),
    "rounded": rounding_sentence,
    "power_slack": str(POWER_SLACK),
    "decoder_slack": str(DECODER_SLACK),
}
"""The macro and the values of pages about the toy model, such as `example.slack`."""
