"""The toy model's data file has every tensor that the engine counts, and faults in it are named."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from macros.counting import BadConfig, count
from macros.counting.blocks import blocks_of
from macros.example.weights import MODEL_CLASS, TOY_FILE, read, toy


def test_every_parameter_has_a_value() -> None:
    weights = toy()
    value_count = sum(len(vector) for vector in weights.vectors.values())
    value_count += sum(len(row) for matrix in weights.matrices.values() for row in matrix)
    assert count(weights.model, model_class=MODEL_CLASS) == value_count
    # 8 × 4 + 6 × 4 + 2 × 4 + 8 = 72; 4 × (16 + 4) + 64 + 16 + 64 + 4 + 2 × 8 = 244; 16 + 4 = 20.
    assert (72, 244, 20, 336) == tuple(
        count(weights.model, part) for part in ("bert/embeddings", "bert/encoder", "bert/pooler", "")
    )


def test_weights_are_arranged_as_in_the_file() -> None:
    """A matrix has a row for each input, and a token's id is the number of its row in the word table."""
    weights = toy()
    words = weights.matrices["bert/embeddings/word_embeddings"]
    assert [5, 0, 7, 2] == list(words[weights.vocabulary.index("cat")])
    query = weights.matrices["bert/encoder/layer_0/attention/self/query/kernel"]
    assert [[1, 1, 0, -1], [1, 0, 0, 0]] == [list(query[0]), list(query[2])]
    assert ("[CLS]", "sat", "[SEP]") == weights.tokens("sat")


def drop_a_tensor(blocks: dict[str, Any]) -> None:
    """Leave out a tensor."""
    del blocks["weights"]["bert/pooler/dense/bias"]


def shorten(blocks: dict[str, Any]) -> None:
    """Leave out the last cell of a row."""
    blocks["weights"]["bert/pooler/dense/kernel"][3].pop()


def misspell(blocks: dict[str, Any]) -> None:
    """Add a path that no tensor has."""
    blocks["weights"]["bert/poolr/dense/bias"] = [0, 0, 0, 0]


def write_a_decimal(blocks: dict[str, Any]) -> None:
    """Write a value that is neither an integer nor a half."""
    blocks["weights"]["bert/pooler/dense/bias"][0] = 0.3


def forget_a_token(blocks: dict[str, Any]) -> None:
    """List fewer tokens than the word table has rows."""
    blocks["vocabulary"].pop()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (drop_a_tensor, "bert/pooler/dense/bias is missing; write it"),
        (shorten, "bert/pooler/dense/kernel: has the wrong shape; write 4 × 4 numbers"),
        (misspell, "unknown key bert/poolr/dense/bias"),
        (write_a_decimal, "bert/pooler/dense/bias: a value is 0.3; write an integer or a half"),
        (forget_a_token, "the vocabulary has 7 tokens; list 8"),
    ],
)
def test_a_fault_in_the_file_is_named(fault: Callable[[dict[str, Any]], None], message: str) -> None:
    blocks = deepcopy(blocks_of(TOY_FILE))
    fault(blocks)
    with pytest.raises(BadConfig, match=re.escape(message)):
        read(blocks)


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(BadConfig, match='"dog" is not in the vocabulary; add it'):
        toy().tokens("the dog sat")
