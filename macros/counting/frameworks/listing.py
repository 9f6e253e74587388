"""Every tensor of a model, one by one, as a framework would print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

from ..architecture import Row
from ..architectures.bert import BERT
from ..errors import BadConfig
from ..models import Model
from ..polynomials import Polynomial, sized
from ..question import LAYER_NUMBER, Question
from .names import google_name, google_order, transformers_name, transformers_shape

MOST_LAYERS = 100_000
"""A listing is as long as the model is deep; beyond this it is refused."""


class Tensor(NamedTuple):
    """One tensor of a model.

    Attributes:
        path: its row's path, `layer_*` made concrete.
        transformers: its name in `named_parameters()`.
        google_bert: its name in google-research/bert, None where it has none.
        shape: as transformers has it, a linear weight (out, in).
        google_shape: as google-research/bert has it, a kernel (in, out).
        size: parameters it adds to the total; 0 while tied.
        tied_to: while tied, the transformers name that owns it, of those listed the first; else None.
    """

    path: str
    transformers: str
    google_bert: str | None
    shape: tuple[int, ...]
    google_shape: tuple[int, ...]
    size: int
    tied_to: str | None


def tensors(asked: Question) -> Iterator[Tensor]:
    """All tensors of a model in one class in transformers' own order, tied ones included.

    Raises:
        BadConfig: the model has more than `MOST_LAYERS` layers.
        UnknownModelClass, BadChoice: as for `Question`.
    """
    return _listed(asked, listed_layers(asked.model))


def listed_layers(model: Model) -> int:
    """How many layers a listing of a model runs through.

    Raises:
        BadConfig: there are more than `MOST_LAYERS`.
    """
    layers = model.architecture.depth(model.sizes)
    if layers > MOST_LAYERS:
        raise BadConfig(
            f"{model.name}: it has {layers} layers; "
            f"tensors are listed for up to {MOST_LAYERS} layers, totals for any number"
        )
    return layers


def _listed(asked: Question, layers: int) -> Iterator[Tensor]:
    architecture = asked.architecture
    # Of all rows, since the owner of a tied one may lie outside of the part; one star for a layer, also where its
    # name there has two numbers.
    names = {
        row.path: transformers_name(row, architecture, asked.chosen.name).replace(architecture.layer_name, "*")
        for row in architecture.rows
    }
    owners = _owners(asked.rows, names) if asked.settled.tied else {}
    for repeated, rows in groupby(asked.rows, key=lambda row: row.repeated):
        tensors = [(row, _tensor(row, asked, names, owners.get(row.path))) for row in rows]
        if not repeated:
            yield from (each for _, each in tensors)
            continue
        for layer in range(layers):
            layer_name = architecture.layer_named(layer, asked.model.sizes)
            there = (each for row, each in tensors if layer or not row.but_first)
            yield from (_in_layer(each, str(layer), layer_name) for each in there)


def _owners(rows: tuple[Row, ...], names: Mapping[str, str]) -> Mapping[str, str]:
    """The name under which a tied tensor is listed, by the path of each row that is the same tensor again.

    As in `named_parameters()`, that is the first of its rows, which in XLM-RoBERTa, built head first, is the decoder.
    """
    paths = {row.path for row in rows}
    # An owner outside of the part is not listed, and the part counts nothing for it.
    first = {row.tied_to: names[row.tied_to] for row in rows if row.tied_to and row.tied_to not in paths}
    listed = {row.path: first.setdefault(row.tied_to or row.path, names[row.path]) for row in rows}
    return {path: name for path, name in listed.items() if name != names[path]}


def _tensor(row: Row, asked: Question, names: Mapping[str, str], owner: str | None) -> Tensor:
    """The tensor of a row; of one in every layer that of any, `*` for the layer's number."""
    google_shape, shape = _sized(row.shape, asked), _sized(transformers_shape(row), asked)
    google = google_name(row) if asked.architecture is BERT else None
    return Tensor(row.path, names[row.path], google, shape, google_shape, 0 if owner else prod(shape), owner)


def _sized(shape: str, asked: Question) -> tuple[int, ...]:
    sizes = asked.model.sizes
    return tuple(sized(each, sizes) for each in shape.split())


def _in_layer(tensor: Tensor, layer: str, layer_name: str) -> Tensor:
    path, name, google, shape, google_shape, size, owner = tensor
    named = path.replace("*", layer), name.replace("*", layer_name), google and google.replace("*", layer)
    return Tensor(*named, shape, google_shape, size, owner)


def ledger_rows(asked: Question) -> Iterator[dict[str, Any]]:
    """Every tensor, tied ones included, as a row of a ledger: with its formula and the sum so far.

    Raises:
        BadConfig: as for `tensors`.
    """
    return _ledger_rows(asked, tensors(asked))


def _ledger_rows(asked: Question, listed: Iterator[Tensor]) -> Iterator[dict[str, Any]]:
    running = 0
    formulas = {row.path: Polynomial.of_shape(row.shape).formula() for row in asked.rows}
    for each in listed:
        running += each.size
        yield {
            "transformers": each.transformers,
            "google_bert": each.google_bert,
            "shape": list(each.shape),
            "formula": formulas[LAYER_NUMBER.sub("*", each.path)],
            "count": each.size,
            "running_total": running,
            "tied_to": each.tied_to,
        }


def google_variables(model: Model) -> list[Tensor]:
    """The trainable variables of google-research/bert's pre-training, in the order its code creates them.

    Raises:
        BadConfig: as for `tensors`.
    """
    found = {each.google_bert: each for each in tensors(Question(model, "BertForPreTraining")) if each.google_bert}
    ordered = []
    rows = google_order(BERT.rows_of("BertForPreTraining"))
    for repeated, group in groupby(rows, key=lambda row: row.repeated):
        members = list(group)
        layers = map(str, range(model.sizes["L"])) if repeated else [""]
        ordered += [found[str(google_name(row)).replace("*", layer)] for layer in layers for row in members]
    return ordered
