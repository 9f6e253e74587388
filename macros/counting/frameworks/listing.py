"""Every tensor of a model, one by one, as a framework would print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from math import prod
from typing import NamedTuple

from ..architecture import Row
from ..architectures.bert import BERT
from ..errors import BadConfig
from ..models import Model
from ..question import Question
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
        tied_to: the transformers name of the owner while tied, else None.
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
    model, architecture = asked.model, asked.architecture
    layers = architecture.depth(model.sizes)
    if layers > MOST_LAYERS:
        raise BadConfig(
            f"{model.name}: it has {layers} layers; "
            f"tensors are listed for up to {MOST_LAYERS} layers, totals for any number"
        )
    name = asked.model_class or asked.chosen.name
    names = {row.path: transformers_name(row, architecture, name) for row in asked.rows}
    tied = bool(asked.settled.tied)
    patterns = [_pattern(row, names, model, tied) for row in asked.rows]
    return _listed(patterns, [(str(layer), architecture.layer_name(layer, model.sizes)) for layer in range(layers)])


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


def _listed(patterns: list[Tensor], layers: list[tuple[str, str]]) -> Iterator[Tensor]:
    new = tuple.__new__
    for repeated, group in groupby(patterns, key=lambda pattern: "*" in pattern.path):
        if not repeated:
            yield from group
            continue
        # Names are cut at the star once, so that a layer costs two joins per tensor.
        cut = [(p.path.split("*"), p.transformers.split("*"), p.google_bert is not None, p[3:]) for p in group]
        for layer, layer_name in layers:
            for (path, path_end), (name, name_end), named, rest in cut:
                full = f"{path}{layer}{path_end}"
                # A thousand times as often as anything else here, so past the constructor with its defaults.
                yield new(Tensor, (full, f"{name}{layer_name}{name_end}", full if named else None, *rest))


def _pattern(row: Row, names: Mapping[str, str], model: Model, all_tied: bool) -> Tensor:
    """The row as a tensor whose names may still hold the `*` of its layer."""
    tied = bool(row.tied_to) and all_tied
    google_shape = _numbers(row.shape, model.sizes)
    return Tensor(
        path=row.path,
        transformers=names[row.path],
        google_bert=google_name(row) if model.architecture is BERT else None,
        shape=_numbers(transformers_shape(row), model.sizes),
        google_shape=google_shape,
        size=0 if tied else prod(google_shape),
        tied_to=names[row.tied_to] if tied else None,
    )


def _numbers(shape: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple([sizes[d] if d in sizes else int(d) for d in shape.split()])
