"""Reads the toy model: its sizes for the counting engine, its vocabulary, and the value of every parameter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import BERT, Model, Question
from macros.counting.blocks import blocks_of, check_keys
from macros.counting.errors import BadConfig, quote
from macros.counting.frameworks.files import tied_paths
from macros.counting.frameworks.listing import Tensor, tensors
from macros.counting.models import checked_sizes

TOY_FILE = Path(__file__).with_name("toy.toml")

TOY = "toy model"
"""The name of the toy model on pages. It contains a space, so it is not the name of a published model."""

MODEL_CLASS = "BertForPreTraining"
"""The class of the toy model, which has all tensors of that class."""

Vector = tuple[Fraction, ...]
"""The values of a bias, or of gamma or beta in a LayerNorm."""

Matrix = tuple[Vector, ...]
"""The values of a table or a matrix, row by row, in the shape of google-research/bert.

The shape is (in, out), except for the matrix of the next-sentence head, which is (out, in).
"""


class Weights(NamedTuple):
    """The toy model, with the value of each of its parameters.

    Attributes:
        model: the model with its sizes, for the counting engine.
        sentence: the sentence on the pages, in words of the vocabulary.
        followed_word: the word in that sentence that the pages follow through the model.
        vocabulary: the tokens in the order of their ids.
        matrices: the values of every table and matrix, by its path.
        vectors: the values of every other tensor, by its path.
    """

    model: Model
    sentence: str
    followed_word: str
    vocabulary: tuple[str, ...]
    matrices: Mapping[str, Matrix]
    vectors: Mapping[str, Vector]

    def tokens(self, sentence: str = "") -> tuple[str, ...]:
        """The tokens of a sentence, by default the one on the pages, between [CLS] and [SEP].

        Raises:
            BadConfig: a word is not in the vocabulary.
        """
        words = (sentence or self.sentence).split()
        for word in words:
            if word not in self.vocabulary:
                raise BadConfig(f"{TOY_FILE.name}: {quote(word)} is not in the vocabulary; add it")
        return ("[CLS]", *words, "[SEP]")


@cache
def toy() -> Weights:
    """The toy model, read from its data file.

    Raises:
        BadConfig: a key is missing or unknown, a tensor is missing or has a shape other than the counting engine's,
            or a value is neither an integer nor a half.
    """
    return read(blocks_of(TOY_FILE))


def read(blocks: Mapping[str, Any]) -> Weights:
    """The toy model in the blocks of a data file; errors are as for `toy`."""
    keys = ("title", "sentence", "followed_word", "vocabulary", "sizes", "weights")
    check_keys(TOY_FILE.name, blocks, keys, (), vocabulary=list, sizes=dict, weights=dict)
    sizes = checked_sizes(TOY_FILE.name, BERT, blocks["sizes"])
    model = Model(TOY, BERT, sizes, title=blocks["title"])
    if len(blocks["vocabulary"]) != sizes["V"]:
        raise BadConfig(f"{TOY_FILE.name}: the vocabulary has {len(blocks['vocabulary'])} tokens; list {sizes['V']}")
    shapes = {tensor.path: tensor.google_shape for tensor in untied_tensors(model)}
    check_keys(f"{TOY_FILE.name}, weights", blocks["weights"], shapes, (), **dict.fromkeys(shapes, list))
    values = {path: _values(path, blocks["weights"][path], shape) for path, shape in shapes.items()}
    return Weights(
        model,
        blocks["sentence"],
        blocks["followed_word"],
        tuple(blocks["vocabulary"]),
        {path: tensor for path, tensor in values.items() if len(shapes[path]) > 1},
        {path: tensor[0] for path, tensor in values.items() if len(shapes[path]) == 1},
    )


def untied_tensors(model: Model) -> list[Tensor]:
    """The tensors of a model with the pre-training heads, without tied tensors."""
    question = Question(model, MODEL_CLASS)
    paths_of_tied_tensors = tied_paths(question)
    return [tensor for tensor in tensors(question) if tensor.path not in paths_of_tied_tensors]


def _values(path: str, value: list[Any], shape: tuple[int, ...]) -> Matrix:
    """The values of a tensor as rows; a vector is a single row.

    Raises:
        BadConfig: the values do not have this shape, or a value is neither an integer nor a half.
    """
    rows = value if len(shape) > 1 else [value]
    columns = shape[-1]
    if len(rows) * columns != prod(shape) or any(not isinstance(row, list) or len(row) != columns for row in rows):
        raise BadConfig(f"{TOY_FILE.name}, {path}: has the wrong shape; write {' × '.join(map(str, shape))} numbers")
    # Halves and integers make manual computation easy.
    for cell in chain.from_iterable(rows):
        if type(cell) not in (int, float) or cell * 2 != int(cell * 2):
            raise BadConfig(f"{TOY_FILE.name}, {path}: a value is {quote(cell)}; write an integer or a half")
    return tuple(tuple(map(Fraction, row)) for row in rows)
