"""Every tensor of a model, one by one, as a framework would print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from math import prod
from typing import NamedTuple

from .errors import BadConfig
from .models import Model
from .names import google_name, google_order, transformers_name, transformers_shape
from .tensors import ROWS, Row, rows_of

MOST_LAYERS = 100_000
"""A listing is as long as the model is deep; beyond this it is refused."""

_ROW_OF_PATH = {row.path: row for row in ROWS}


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


def tensors(model: Model, model_class: str = "BertModel", pooler: bool | None = None) -> Iterator[Tensor]:
    """All tensors of a model in transformers' own order, tied ones included.

    Raises:
        BadConfig: the model has more than `MOST_LAYERS` layers.
        UnknownModelClass, BadChoice: as for `tensors.rows_of`.
    """
    layers = model.sizes["L"]
    if layers > MOST_LAYERS:
        raise BadConfig(
            f"{model.name}: num_hidden_layers is {layers}; "
            f"tensors are listed for up to {MOST_LAYERS} layers, totals for any number"
        )
    patterns = [_pattern(model, row, model_class) for row in rows_of(model_class, pooler, model.cross_attention)]
    return _listed(patterns, layers)


def google_variables(model: Model) -> list[Tensor]:
    """The trainable variables of google-research/bert's pre-training, in the order its code creates them.

    Raises:
        BadConfig: as for `tensors`.
    """
    found = {each.google_bert: each for each in tensors(model, "BertForPreTraining") if each.google_bert}
    ordered = []
    for repeated, group in groupby(google_order(rows_of("BertForPreTraining")), key=lambda row: row.repeated):
        rows = list(group)
        layers = map(str, range(model.sizes["L"])) if repeated else [""]
        ordered += [found[str(google_name(row)).replace("*", layer)] for layer in layers for row in rows]
    return ordered


def _listed(patterns: list[Tensor], layers: int) -> Iterator[Tensor]:
    for repeated, group in groupby(patterns, key=lambda pattern: "*" in pattern.path):
        if not repeated:
            yield from group
            continue
        # Names are cut at the star once, so that a layer costs two joins a tensor.
        cut = [(p.path.split("*"), p.transformers.split("*"), p.google_bert is not None, p[3:]) for p in group]
        for layer in map(str, range(layers)):
            for (path, path_end), (name, name_end), named, rest in cut:
                full = path + layer + path_end
                yield Tensor(full, name + layer + name_end, full if named else None, *rest)


def _pattern(model: Model, row: Row, model_class: str) -> Tensor:
    """The row as a tensor whose names may still hold the `*` of its layer."""
    tied = bool(row.tied_to) and model.tied
    google_shape = _numbers(row.shape, model.sizes)
    return Tensor(
        path=row.path,
        transformers=transformers_name(row, model_class),
        google_bert=google_name(row),
        shape=_numbers(transformers_shape(row), model.sizes),
        google_shape=google_shape,
        size=0 if tied else prod(google_shape),
        tied_to=transformers_name(_ROW_OF_PATH[row.tied_to], model_class) if tied else None,
    )


def _numbers(shape: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(int(d) if d.isdigit() else sizes[d] for d in shape.split())
