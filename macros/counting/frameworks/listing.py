"""Every tensor of a model, one by one, as a framework would print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, groupby
from math import prod
from typing import NamedTuple

from ..architecture import Architecture, Row
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
    model, architecture = asked.model, asked.architecture
    layers = architecture.depth(model.sizes)
    if layers > MOST_LAYERS:
        raise BadConfig(
            f"{model.name}: it has {layers} layers; "
            f"tensors are listed for up to {MOST_LAYERS} layers, totals for any number"
        )
    name = asked.model_class or asked.chosen.name
    runs = _runs(asked.rows, architecture, name)
    numbered = [(str(layer), architecture.layer_named(layer, model.sizes)) for layer in range(layers)]
    return chain.from_iterable(_listed(runs, model.sizes, bool(asked.settled.tied), numbered))


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


class _Run(NamedTuple):
    """Successive rows of which all are in every layer or none is, and what is the same whatever the sizes.

    The names of all rows are one text, a line for each, so that a layer's number is put into all of them at once.
    """

    repeated: bool
    paths: str
    names: str
    google_names: tuple[str | None, ...]
    shapes: tuple[tuple[str, ...], ...]
    turned: tuple[bool, ...]
    owners: tuple[str | None, ...]


@lru_cache(maxsize=256)
def _runs(rows: tuple[Row, ...], architecture: Architecture, model_class: str) -> list[_Run]:
    # Of all rows, since the owner of a tied one may lie outside of the part.
    # One star for a layer, also where its name there has two numbers.
    names = {
        row.path: transformers_name(row, architecture, model_class).replace(architecture.layer_name, "*")
        for row in architecture.rows
    }
    owners = _owners(rows, names)
    found = []
    for repeated, group in groupby(rows, key=lambda row: row.repeated):
        run = list(group)
        found.append(
            _Run(
                repeated,
                paths="\n".join(row.path for row in run),
                names="\n".join(names[row.path] for row in run),
                google_names=tuple(google_name(row) if architecture is BERT else None for row in run),
                shapes=tuple(tuple(row.shape.split()) for row in run),
                turned=tuple(transformers_shape(row) != row.shape for row in run),
                owners=tuple(owners.get(row.path) for row in run),
            )
        )
    return found


def _owners(rows: tuple[Row, ...], names: Mapping[str, str]) -> Mapping[str, str]:
    """The name under which a tied tensor is listed, by the path of each row that is the same tensor again.

    As in `named_parameters()`, that is the first of its rows, which in XLM-RoBERTa, built head first, is the decoder.
    """
    paths = {row.path for row in rows}
    # An owner outside of the part is not listed, and the part counts nothing for it.
    first = {row.tied_to: names[row.tied_to] for row in rows if row.tied_to and row.tied_to not in paths}
    listed = {row.path: first.setdefault(row.tied_to or row.path, names[row.path]) for row in rows}
    return {path: name for path, name in listed.items() if name != names[path]}


def _listed(
    runs: list[_Run], sizes: Mapping[str, int], all_tied: bool, layers: list[tuple[str, str]]
) -> Iterator[Iterable[Tensor]]:
    """The tensors of one layer after the other, and before and after them those outside of layers."""
    # A thousand times as often as anything else here, so past the constructor with its defaults.
    tensor = partial(tuple.__new__, Tensor)
    for run in runs:
        google_shapes = [tuple([sizes[d] if d in sizes else int(d) for d in shape]) for shape in run.shapes]
        shapes = [shape[::-1] if turned else shape for shape, turned in zip(google_shapes, run.turned, strict=True)]
        owners = run.owners if all_tied else (None,) * len(shapes)
        counts = [0 if owner else prod(shape) for shape, owner in zip(google_shapes, owners, strict=True)]
        named = all(run.google_names)
        for layer, layer_name in layers if run.repeated else [("*", "*")]:
            paths = run.paths.replace("*", layer).split("\n")
            names = run.names.replace("*", layer_name).split("\n")
            google: Iterable[str | None] = run.google_names
            if run.repeated:
                google = paths if named else [path if name else None for path, name in zip(paths, google, strict=True)]
            yield map(tensor, zip(paths, names, google, shapes, google_shapes, counts, owners, strict=True))
