"""The forward pass of the toy model, with all intermediate numbers.

Numbers are fractions wherever possible, so that sums and products are exact. An
irrational square root, softmax, GELU and tanh give floats, and so does everything
that is computed from them. Epsilon, which LayerNorm adds to the variance so that it
is never zero, is left out: BERT's is 10⁻¹², which does not affect any printed digit.

`tests/oracles/record_toy.py` records the numbers that transformers computes from the
same weights, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import erf, exp, isqrt, sqrt, tanh
from typing import Any, NamedTuple

from macros.counting.architecture import ONE_LAYER

from .weights import Weights, toy

Number = Fraction | float
"""A fraction if the number is exact, otherwise a float."""

Vector = tuple[Number, ...]
"""A vector, such as the features of one token."""

Vectors = tuple[Vector, ...]
"""A vector for each token."""


class Norm(NamedTuple):
    """LayerNorm of one vector, step by step.

    Attributes:
        input: the vector.
        mean: the mean of its cells.
        variance: the mean of their squared distances from the mean.
        standard_deviation: the square root of the variance.
        normalised_cells: the distance of each cell from the mean, divided by the standard deviation.
        output: the normalised cells times gamma, plus beta.
    """

    input: Vector
    mean: Number
    variance: Number
    standard_deviation: Number
    normalised_cells: Vector
    output: Vector


class Head(NamedTuple):
    """The results of one attention head; each field has one row per token.

    Attributes:
        scores: the dot products of the token's query with the keys of all tokens.
        scaled_scores: the scores divided by the square root of the head's width.
        shares: the softmax of the scaled scores, also called attention weights.
        mixes: the sum of the values of all tokens, each multiplied by its share.
    """

    scores: Vectors
    scaled_scores: Vectors
    shares: Vectors
    mixes: Vectors


class Run(NamedTuple):
    """All numbers that the toy model computes from one sentence; most fields have a vector for each token.

    Attributes:
        tokens, ids: the tokens and their ids, which are row numbers of the word table.
        words, positions, segments: the rows of the three tables.
        embedding_norms: LayerNorm of the sums of these rows; its outputs are the inputs of the layer.
        queries, keys, values: the outputs of the three projections.
        heads: the results of each head.
        mixes: the mixes of all heads, concatenated.
        attention_outputs: the output projection of `mixes`.
        attention_norms: LayerNorm of `attention_outputs` plus the input of the layer.
        inner_vectors: the outputs of the first dense layer of the feed-forward network.
        gelu_outputs: GELU of `inner_vectors`.
        feed_forward_outputs: the outputs of the second dense layer.
        output_norms: LayerNorm of `feed_forward_outputs` plus the outputs of `attention_norms`; its outputs are the
            encoder's outputs.
        pooler_dense: the output of the pooler's dense layer for the first token.
        pooler_output: the tanh of `pooler_dense`.
        transform_outputs: the outputs of the dense layer of the masked-LM head.
        transform_norms: LayerNorm of GELU of `transform_outputs`.
        logits: a score for each token of the vocabulary.
        next_sentence: the two outputs of the next-sentence head.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    words: Vectors
    positions: Vectors
    segments: Vectors
    embedding_norms: tuple[Norm, ...]
    queries: Vectors
    keys: Vectors
    values: Vectors
    heads: tuple[Head, ...]
    mixes: Vectors
    attention_outputs: Vectors
    attention_norms: tuple[Norm, ...]
    inner_vectors: Vectors
    gelu_outputs: Vectors
    feed_forward_outputs: Vectors
    output_norms: tuple[Norm, ...]
    pooler_dense: Vector
    pooler_output: Vector
    transform_outputs: Vectors
    transform_norms: tuple[Norm, ...]
    logits: Vectors
    next_sentence: Vector


@cache
def run(sentence: str = "") -> Run:
    """All numbers that the toy model computes from a sentence, by default the one on the pages.

    Raises:
        BadConfig: a word is not in the vocabulary.
    """
    weights = toy()
    tokens = weights.tokens(sentence)
    embeddings = _embeddings(weights, tokens)
    attention = _attention(weights, _outputs(embeddings["embedding_norms"]))
    feed_forward = _feed_forward(weights, _outputs(attention["attention_norms"]))
    outputs = _pooler_and_heads(weights, _outputs(feed_forward["output_norms"]))
    return Run(tokens=tokens, **embeddings, **attention, **feed_forward, **outputs)


# Each of the next four functions computes a part of the model, and returns fields of `Run` by name.


def _embeddings(weights: Weights, tokens: Sequence[str]) -> dict[str, Any]:
    """The ids of the tokens, their rows in the three tables, and LayerNorm of the sums of these rows."""
    ids = tuple(map(weights.vocabulary.index, tokens))
    tables = weights.matrices
    words = tuple(tables["bert/embeddings/word_embeddings"][number] for number in ids)
    positions = tables["bert/embeddings/position_embeddings"][: len(tokens)]
    segments = (tables["bert/embeddings/token_type_embeddings"][0],) * len(tokens)
    norms = _norms(weights, "bert/embeddings/LayerNorm", _sums(words, positions, segments))
    return {"ids": ids, "words": words, "positions": positions, "segments": segments, "embedding_norms": norms}


def _attention(weights: Weights, inputs: Vectors) -> dict[str, Any]:
    """Self-attention, from the projections to the LayerNorm after it."""
    path = f"{ONE_LAYER}/attention"
    queries, keys, values = (_dense(weights, f"{path}/self/{name}", inputs) for name in ("query", "key", "value"))
    heads = _heads(weights, queries, keys, values)
    mixes = tuple(tuple(cell for head in heads for cell in head.mixes[token]) for token in range(len(inputs)))
    outputs = _dense(weights, f"{path}/output/dense", mixes)
    return {
        "queries": queries,
        "keys": keys,
        "values": values,
        "heads": heads,
        "mixes": mixes,
        "attention_outputs": outputs,
        "attention_norms": _norms(weights, f"{path}/output/LayerNorm", _sums(outputs, inputs)),
    }


def _feed_forward(weights: Weights, inputs: Vectors) -> dict[str, Any]:
    """The feed-forward network and the LayerNorm after it."""
    inner_vectors = _dense(weights, f"{ONE_LAYER}/intermediate/dense", inputs)
    gelu_outputs = _gelu_of_each(inner_vectors)
    outputs = _dense(weights, f"{ONE_LAYER}/output/dense", gelu_outputs)
    return {
        "inner_vectors": inner_vectors,
        "gelu_outputs": gelu_outputs,
        "feed_forward_outputs": outputs,
        "output_norms": _norms(weights, f"{ONE_LAYER}/output/LayerNorm", _sums(outputs, inputs)),
    }


def _pooler_and_heads(weights: Weights, encoder_outputs: Vectors) -> dict[str, Any]:
    """The pooler and the two heads for pre-training."""
    (pooler_dense,) = _dense(weights, "bert/pooler/dense", encoder_outputs[:1])
    pooler_output = tuple(map(tanh, pooler_dense))
    transform_outputs = _dense(weights, "cls/predictions/transform/dense", encoder_outputs)
    transform_norms = _norms(weights, "cls/predictions/transform/LayerNorm", _gelu_of_each(transform_outputs))
    # The decoder is tied: its column for a token is the token's row in the word table.
    decoder = weights.matrices["bert/embeddings/word_embeddings"], weights.vectors["cls/predictions/output_bias"]
    next_sentence_head = (
        weights.matrices["cls/seq_relationship/output_weights"],
        weights.vectors["cls/seq_relationship/output_bias"],
    )
    return {
        "pooler_dense": pooler_dense,
        "pooler_output": pooler_output,
        "transform_outputs": transform_outputs,
        "transform_norms": transform_norms,
        "logits": tuple(_scores(vector, *decoder) for vector in _outputs(transform_norms)),
        "next_sentence": _scores(pooler_output, *next_sentence_head),
    }


def dot(first: Sequence[Number], second: Sequence[Number]) -> Number:
    """The dot product of two vectors."""
    return total([left * right for left, right in zip(first, second, strict=True)])


def total(numbers: Sequence[Number]) -> Number:
    """The sum of `numbers`, which is exact if all of them are."""
    return sum(numbers, Fraction(0))


def gelu(number: Number) -> float:
    """The number times the probability that a standard normal variable is below it."""
    return float(number) * (1 + erf(float(number) / sqrt(2))) / 2


def softmax(scores: Vector) -> Vector:
    """The exponential of each score, divided by the sum of all exponentials."""
    exponentials = [exp(score) for score in scores]
    return tuple(exponential / sum(exponentials) for exponential in exponentials)


def root(number: Number) -> Number:
    """The square root: a fraction if `number` is a fraction with a rational root, otherwise a float."""
    if isinstance(number, Fraction):
        numerator_root = isqrt(number.numerator)
        denominator_root = isqrt(number.denominator)
        if Fraction(numerator_root * numerator_root, denominator_root * denominator_root) == number:
            return Fraction(numerator_root, denominator_root)
    return sqrt(number)


def _dense(weights: Weights, path: str, inputs: Sequence[Vector]) -> Vectors:
    """The outputs of a dense layer: its inputs times its matrix, plus its bias."""
    matrix = weights.matrices[f"{path}/kernel"]
    biases = weights.vectors[f"{path}/bias"]
    columns = list(zip(*matrix, strict=True))
    return tuple(tuple(dot(row, column) + bias for column, bias in zip(columns, biases, strict=True)) for row in inputs)


def _scores(vector: Vector, matrix: Sequence[Vector], biases: Vector) -> Vector:
    """The outputs of a layer whose matrix has a row instead of a column for each output."""
    return tuple(dot(vector, row) + bias for row, bias in zip(matrix, biases, strict=True))


def _gelu_of_each(vectors: Vectors) -> Vectors:
    """GELU of each cell of some vectors."""
    return tuple(tuple(map(gelu, row)) for row in vectors)


def _heads(weights: Weights, queries: Vectors, keys: Vectors, values: Vectors) -> tuple[Head, ...]:
    """The results of all heads, each of which reads a slice of the queries, keys and values."""
    hidden_size = weights.model.sizes["H"]
    head_width = hidden_size // weights.model.sizes["A"]
    slices = [slice(start, start + head_width) for start in range(0, hidden_size, head_width)]
    return tuple(
        _head(
            [query[features] for query in queries],
            [key[features] for key in keys],
            [value[features] for value in values],
        )
        for features in slices
    )


def _head(queries: Sequence[Vector], keys: Sequence[Vector], values: Sequence[Vector]) -> Head:
    """The results of one head, given its slices of the queries, keys and values of all tokens."""
    divisor = root(Fraction(len(keys[0])))
    scores = tuple(tuple(dot(query, key) for key in keys) for query in queries)
    scaled_scores = tuple(tuple(score / divisor for score in row) for row in scores)
    shares = tuple(map(softmax, scaled_scores))
    mixes = tuple(tuple(dot(row, feature) for feature in zip(*values, strict=True)) for row in shares)
    return Head(scores, scaled_scores, shares, mixes)


def _norms(weights: Weights, path: str, inputs: Sequence[Vector]) -> tuple[Norm, ...]:
    """The steps of a LayerNorm for each token. `path` is the path of the LayerNorm's module."""
    gamma = weights.vectors[f"{path}/gamma"]
    beta = weights.vectors[f"{path}/beta"]
    norms = []
    for row in inputs:
        mean = total(row) / len(row)
        variance = total([(cell - mean) * (cell - mean) for cell in row]) / len(row)
        standard_deviation = root(variance)
        normalised_row = tuple((cell - mean) / standard_deviation for cell in row)
        output = tuple(cell * scale + shift for cell, scale, shift in zip(normalised_row, gamma, beta, strict=True))
        norms.append(Norm(row, mean, variance, standard_deviation, normalised_row, output))
    return tuple(norms)


def _outputs(norms: Sequence[Norm]) -> Vectors:
    """The outputs of a LayerNorm for each token."""
    return tuple(norm.output for norm in norms)


def _sums(*terms: Sequence[Vector]) -> Vectors:
    """The sum of the vectors of each token, cell by cell."""
    return tuple(tuple(map(total, zip(*rows, strict=True))) for rows in zip(*terms, strict=True))
