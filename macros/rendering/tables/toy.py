"""Macros for pages about the toy model: its vectors, its weights, and the rounding of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import e
from typing import NamedTuple

from macros.counting import CountingError
from macros.counting.errors import entry_of, quote
from macros.example import run, toy
from macros.example.forward import Number, Run
from macros.example.weights import untied_tensors

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
    """A tensor of the toy model for a table: its path, its shape, and the rows of its values as HTML."""

    path: str
    shape: str
    values: str


def tensors() -> list[TensorValues]:
    """The tensors of the toy model with their values, in the order of transformers."""
    weights = toy()
    rows = []
    for tensor in untied_tensors(weights.model):
        matrix = weights.matrices.get(tensor.path) or [weights.vectors[tensor.path]]
        shape = " × ".join(map(str, tensor.google_shape))
        lines = [f'<span class="bc-joined">{series(row)}</span>' for row in matrix]
        rows.append(TensorValues(tensor.path, shape, ";<br>".join(lines)))
    return rows


class ToyToken(NamedTuple):
    """A token with its vector, query, key, value and shares of attention, formatted for sentences.

    Attributes:
        text: the token itself.
        id: the index of its row in the word table.
        position: its position in the sentence, counted from 0.
        embedding: its vector after the embeddings.
        query: its query, with the heads separated by semicolons.
        key: its key, in the same form.
        value: its value, in the same form.
        shares: for each head, its attention to every token in the order of the sentence.
    """

    text: str
    id: str
    position: str
    embedding: str
    query: str
    key: str
    value: str
    shares: tuple[tuple[str, ...], ...]


def tokens(sentence: str = "") -> list[ToyToken]:
    """The tokens of a sentence from [CLS] to [SEP]; by default, of the sentence that the pages follow."""
    toy_run = run(sentence)
    embeddings = [norm.output for norm in toy_run.embedding_norms]
    return [
        ToyToken(
            text,
            str(toy_run.ids[index]),
            str(index),
            series(embeddings[index]),
            _by_head(toy_run.queries[index], len(toy_run.heads)),
            _by_head(toy_run.keys[index], len(toy_run.heads)),
            _by_head(toy_run.values[index], len(toy_run.heads)),
            tuple(tuple(map(as_text, head.shares[index])) for head in toy_run.heads),
        )
        for index, text in enumerate(toy_run.tokens)
    ]


def _by_head(features: Sequence[Number], heads: int) -> str:
    """The text of a query, key or value, with a semicolon between heads."""
    width = len(features) // heads
    return "; ".join(series(features[head * width : (head + 1) * width]) for head in range(heads))


def _run_and_index(token: str) -> tuple[Run, int]:
    """The run of the sentence that contains a token, and the position of the token.

    Raises:
        CountingError: neither sentence contains the token.
    """
    for toy_run in (run(), run(MASKED_SENTENCE)):
        if token in toy_run.tokens:
            return toy_run, toy_run.tokens.index(token)
    raise CountingError(f"the toy model's sentences have no token {quote(token)}")


def _row_of_followed(rows: Sequence[Sequence[Number]]) -> Sequence[Number]:
    """The row for the token that the pages follow."""
    return rows[run().tokens.index(toy().followed_word)]


VECTORS: dict[str, Callable[[Run, int], Sequence[Number]]] = {
    "sum": lambda toy_run, index: toy_run.embedding_norms[index].input,
    "embedded": lambda toy_run, index: toy_run.embedding_norms[index].output,
    "query": lambda toy_run, index: toy_run.queries[index],
    "mix": lambda toy_run, index: toy_run.mixes[index],
    "attention": lambda toy_run, index: toy_run.attention_norms[index].input,
    "attended": lambda toy_run, index: toy_run.attention_norms[index].output,
    "feed-forward": lambda toy_run, index: toy_run.output_norms[index].input,
    "finished": lambda toy_run, index: toy_run.output_norms[index].output,
    "pooled": lambda toy_run, _: toy_run.pooler_output,
    "next-sentence": lambda toy_run, _: toy_run.next_sentence,
}
"""The vectors for use in sentences: first those of a single token, then those of the whole text."""


def vector(name: str, token: str = "") -> str:
    """A vector of the toy model: `{{ example.vector("embedded") }}` is "1, 0, 2, 0".

    Args:
        name: a key of `VECTORS`.
        token: the token whose vector it is; by default, the one that the pages follow.

    Raises:
        CountingError: there is no vector with that name, or neither sentence contains that token.
    """
    return series(entry_of(VECTORS, "vector", name)(*_run_and_index(token or toy().followed_word)))


def _next_sentence_equation() -> str:
    """The first output of the next-sentence head, worked out from the output of the pooler."""
    toy_run = run()
    path = "cls/seq_relationship"
    weights = toy().matrices[f"{path}/output_weights"]
    bias = toy().vectors[f"{path}/output_bias"]
    return product_equation(toy_run.pooler_output, weights[0], toy_run.next_sentence[0], bias[0])


def most_attended_token(head: int) -> str:
    """The token to which the followed token attends most in a head: `{{ example.match(head=0) }}` is "“sat”".

    Raises:
        CountingError: there is no such head.
    """
    head_results = run().heads
    if head not in range(len(head_results)):
        raise CountingError(
            f"the toy model has no head {quote(head)}; its heads are numbered from 0 to {len(head_results) - 1}"
        )
    shares = _row_of_followed(head_results[head].shares)
    return f"“{run().tokens[shares.index(max(shares))]}”"


def rounding_sentence() -> str:
    """The note on pages about parts whose figures show rounded numbers."""
    link = f'<a href="{pages.ROOT}{pages.TOY_MODEL}#rounding">rounded</a>'
    return f"Numbers with two decimals are {link}; the steps continue from unrounded ones."


CUBIC_COEFFICIENT = 0.044715
"""The coefficient of x³ in google-research/bert's tanh approximation of GELU (`gelu` in `modeling.py`)."""

TOPIC: dict[str, object] = {
    "vector": vector,
    "match": most_attended_token,
    "tensors": tensors(),
    "tokens": tokens(),
    "heads": range(len(run().heads)),
    "ids": ", ".join(f"{token.text} {token.id}" for token in tokens()),
    "positions": f"0 to {len(tokens()) - 1}",
    "places": [
        " or ".join(text if text.startswith("[") else f"“{text}”" for text in dict.fromkeys(texts))
        for texts in zip(run().tokens, run(MASKED_SENTENCE).tokens, strict=True)
    ],
    "is_next": _next_sentence_equation(),
    "masked": next(token for token in tokens(MASKED_SENTENCE) if token.text == "[MASK]"),
    "e": f"{e:.3f}",
    "vocabulary": ", ".join(toy().vocabulary),
    "kinds": "integers and halves",  # `weights.py` rejects any other value
    "decimals": f"{DECIMALS} decimals",
    "cubic": str(CUBIC_COEFFICIENT),
    "slack": str(SLACK),
    "rounded": rounding_sentence,
    "power_slack": str(POWER_SLACK),
    "decoder_slack": str(DECODER_SLACK),
}
"""Macros and values for the pages about the toy model, such as `example.slack`."""
