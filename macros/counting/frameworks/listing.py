"""Listings: every tensor of a model, one by one, with its names and shapes in two libraries.

A count takes no longer for a deep model than for a shallow one, but a listing
does. So tensors are generated one at a time, and the number of layers is limited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

from ..architecture import Architecture, Row
from ..architectures.bert import BERT
from ..errors import BadConfig
from ..models import Model
from ..polynomials import Polynomial, number_of
from ..question import LAYER_NUMBER, Question
from .names import google_name, google_order, transformers_name, transformers_shape

MAX_LAYERS = 100_000
"""The maximum number of layers in a listing. A deeper model is refused, because its listing would take too long."""


class Tensor(NamedTuple):
    """One tensor of a model.

    Attributes:
        path: the path of its row, with the number of the layer.
        transformers: its name in `named_parameters()`.
        google_bert: its name in google-research/bert; None if it has none.
        shape: its shape in transformers, where the weight of a dense layer is (out, in).
        google_shape: its shape in google-research/bert, where a kernel is (in, out).
        size: the parameters that it adds to the total; 0 if `tied_to` is not None.
        tied_to: the first name in transformers of the same tensor; None if that is this name.
    """

    path: str
    transformers: str
    google_bert: str | None
    shape: tuple[int, ...]
    google_shape: tuple[int, ...]
    size: int
    tied_to: str | None


def tensors(question: Question) -> Iterator[Tensor]:
    """All tensors of a question in the order of transformers, tied tensors included.

    Raises:
        BadConfig: the model has more than `MAX_LAYERS` layers.
        CountingError: as for `Question`.
    """
    # This is not a generator itself, so the call raises these errors, rather than the first use of its result.
    return _tensors(question, checked_layer_count(question.model))


def checked_layer_count(model: Model, limit: int = MAX_LAYERS) -> int:
    """The number of layers in a model, if it is small enough for a listing.

    Raises:
        BadConfig: the model has more than `limit` layers.
    """
    layers = model.architecture.depth(model.sizes)
    if layers > limit:
        raise BadConfig(
            f"{model.name}: it has {layers} layers; tensors are listed for up to {limit} layers, totals for any number"
        )
    return layers


def _tensors(question: Question, layers: int) -> Iterator[Tensor]:
    """The tensors of a question, whose model has this number of layers."""
    architecture = question.architecture
    names = _names(architecture, question.resolved_class.name)
    owner_names = _owner_names(question.rows, names) if question.resolved_choices.tied else {}
    single_layer = LAYER_NUMBER.search(question.part)
    layer_numbers = [int(single_layer[0])] if single_layer else range(layers)
    for is_per_layer, rows in groupby(question.rows, key=lambda row: row.is_per_layer):
        templates = [(row, _tensor(row, question, names, owner_names.get(row.path))) for row in rows]
        if not is_per_layer:
            yield from (tensor for _, tensor in templates)
            continue
        for layer in layer_numbers:
            layer_name = architecture.numbered_layer_name(layer, question.model.sizes)
            for row, template in templates:
                if layer or not row.skips_first_layer:
                    yield _in_layer(template, str(layer), layer_name)


@cache
def _names(architecture: Architecture, class_name: str) -> Mapping[str, str]:
    """The name of every row of the architecture in transformers, by path.

    The rows outside the part in question are included, because one of them may own a tied row of the part. A single
    star replaces the whole number of a layer, which in ALBERT consists of two numbers.
    """
    return {
        row.path: transformers_name(row, architecture, class_name).replace(architecture.layer_name, "*")
        for row in architecture.rows
    }


def _owner_names(rows: tuple[Row, ...], names: Mapping[str, str]) -> Mapping[str, str]:
    """The names of the owners of tied rows, by the path of the tied row.

    As in `named_parameters()`, the owner of a shared tensor is the row that comes first. In XLM-RoBERTa, whose head is
    built first, that is the row of the decoder.
    """
    paths = {row.path for row in rows}
    # An owner outside the part is not listed, so nothing else would give its name.
    first_names = {row.tied_to: names[row.tied_to] for row in rows if row.tied_to and row.tied_to not in paths}
    owner_names = {row.path: first_names.setdefault(row.tied_to or row.path, names[row.path]) for row in rows}
    return {path: name for path, name in owner_names.items() if name != names[path]}


def _tensor(row: Row, question: Question, names: Mapping[str, str], owner: str | None) -> Tensor:
    """The tensor of a row; if every layer has such a tensor, a template with `*` for the number of the layer."""
    google_shape = _shape(row.shape, question.model.sizes)
    shape = google_shape if transformers_shape(row) == row.shape else google_shape[::-1]
    return Tensor(
        row.path,
        transformers=names[row.path],
        google_bert=google_name(row) if question.architecture is BERT else None,
        shape=shape,
        google_shape=google_shape,
        size=0 if owner else prod(shape),
        tied_to=owner,
    )


def _shape(shape: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """A symbolic shape in numbers."""
    return tuple(number_of(dimension, sizes) for dimension in shape.split())


def _in_layer(template: Tensor, layer: str, layer_name: str) -> Tensor:
    """A template with the number of a layer filled in."""
    path, name, google, shape, google_shape, size, owner = template
    # Built anew rather than by `_replace`, which is slow, because a listing calls this for every tensor.
    return Tensor(
        path.replace("*", layer),
        name.replace("*", layer_name),
        google.replace("*", layer) if google else None,
        shape,
        google_shape,
        size,
        owner,
    )


def ledger_rows(question: Question) -> Iterator[dict[str, Any]]:
    """Every tensor, tied ones included, as a row of a ledger, with its formula and the running total.

    Raises:
        BadConfig, CountingError: as for `tensors`.
    """
    return _ledger_rows(question, tensors(question))


def _ledger_rows(question: Question, listing: Iterator[Tensor]) -> Iterator[dict[str, Any]]:
    """The rows of the ledger for the tensors of a listing, with a running total."""
    running_total = 0
    is_tied = question.resolved_choices.tied
    blocks = {row.path: row.block for row in question.architecture.rows}
    # A tied tensor belongs to the block in which its weights are counted, whichever of its names is listed first.
    formula_and_block = {
        row.path: (
            Polynomial.of_shape(row.shape).formula(),
            blocks[row.tied_to if is_tied and row.tied_to else row.path],
        )
        for row in question.rows
    }
    for tensor in listing:
        running_total += tensor.size
        formula, block = formula_and_block[LAYER_NUMBER.sub("*", tensor.path)]
        yield {
            "transformers": tensor.transformers,
            "google_bert": tensor.google_bert,
            "shape": list(tensor.shape),
            "formula": formula,
            "count": tensor.size,
            "running_total": running_total,
            "tied_to": tensor.tied_to,
            "block": block,
        }


def google_variables(model: Model) -> list[Tensor]:
    """The trainable variables of google-research/bert's pre-training, in the order in which its code creates them.

    Raises:
        BadConfig: as for `tensors`.
    """
    listing = tensors(Question(model, "BertForPreTraining"))
    by_name = {tensor.google_bert: tensor for tensor in listing if tensor.google_bert}
    variables = []
    rows = google_order(BERT.rows_of("BertForPreTraining"))
    for is_per_layer, run in groupby(rows, key=lambda row: row.is_per_layer):
        rows_of_run = list(run)  # read once for each layer
        layer_texts = map(str, range(model.sizes["L"])) if is_per_layer else [""]
        variables += [
            by_name[str(google_name(row)).replace("*", layer)] for layer in layer_texts for row in rows_of_run
        ]
    return variables
