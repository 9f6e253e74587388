"""Counting: which rows are meant, and how many parameters they hold.

A part is a path prefix, whole components only: `"bert/embeddings"`,
`"bert/encoder/layer_*/attention"`. `layer_*` is all layers, `layer_0` is one.
A tag narrows it: any component of a row's path (`"LayerNorm"`, `"bias"`) or
the name of its block (`"self-attention"`); of several, parted by spaces, a row
must carry all.

Nothing here loops over layers: a subtotal is a polynomial, and `L` is one of
its letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .errors import UnknownPart, shown
from .models import Model
from .polynomials import Polynomial
from .tensors import Row, lies_under, rows_of

ONE_LAYER = re.compile(r"(?<=\blayer_)[0-9]+")


def count(
    model: Model,
    part: str = "",
    tag: str = "",
    *,
    model_class: str = "BertModel",
    pooler: bool | None = None,
    mistakes: Sequence[str] = (),
) -> int:
    """Number of trainable parameters in one part of a model.

    Unit: elements, not bytes. A tied tensor counts once, at its owner.

    Args:
        model: the sizes of one configuration.
        part: a path prefix such as "bert/pooler"; "" is everything.
        tag: narrows the part to the rows that carry this tag.
        model_class: which transformers class is counted.
        pooler: False leaves the pooler of `BertModel` out.
        mistakes: names from `data/mistakes.toml`; the number is then the one
            that somebody gets who makes all of them.

    Raises:
        UnknownPart: no tensor of the class lies under `part` with that tag.
        UnknownMistake, BadChoice: as for `mistakes.Counted`.
        UnknownModelClass, BadChoice: as for `tensors.rows_of`.

    Source: google-research/bert, modeling.py; transformers, modeling_bert.py.

    >>> from .models import model_named
    >>> count(model_named("bert-base-uncased"), "bert/pooler")
    590592
    """
    if mistakes:
        # Imported here: a plain count does not need it, and it counts through this module.
        from .mistakes import Counted

        return Counted(model, model_class, tuple(mistakes)).of(part, tag, pooler)
    return polynomial(model, part, tag, model_class=model_class, pooler=pooler).value(model.sizes)


def polynomial(
    model: Model, part: str = "", tag: str = "", *, model_class: str = "BertModel", pooler: bool | None = None
) -> Polynomial:
    """The same number in letters; arguments and errors as for `count`.

    >>> from .models import model_named
    >>> polynomial(model_named("bert-base-uncased"), "bert/encoder/layer_0", "self-attention").formula()
    '4·H² + 4·H'
    """
    if "layer_" in part:
        _check_layer(model, part)
    return _polynomial(part, tag, model_class, pooler, model.tied, model.cross_attention)


def select(
    model: Model, part: str = "", tag: str = "", *, model_class: str = "BertModel", pooler: bool | None = None
) -> list[Row]:
    """The rows of the table that `count` would add, in order; tied rows are among them."""
    if "layer_" in part:
        _check_layer(model, part)
    return list(_select(part, tag, model_class, pooler, model.cross_attention))


def size_of(row: Row, part: str, tied: bool) -> Polynomial:
    """What one row counts within `part`: one layer's share if `part` names one layer, nothing if tied."""
    if row.tied_to and tied:
        return Polynomial()
    return Polynomial.of_shape(row.shape) if ONE_LAYER.search(part) else row.size


@lru_cache(maxsize=4096)
def _select(part: str, tag: str, model_class: str, pooler: bool | None, cross_attention: bool) -> tuple[Row, ...]:
    prefix = ONE_LAYER.sub("*", part).rstrip("/")
    found = tuple(
        row
        for row in rows_of(model_class, pooler, cross_attention)
        if (not prefix or lies_under(row.path, (prefix,))) and row.tags.issuperset(tag.split())
    )
    if not found:
        tagged = f" with the tag {shown(tag)}" if tag else ""
        known = sorted({row.path.rsplit("/", 1)[0] for row in rows_of(model_class, pooler, cross_attention)})
        raise UnknownPart(f"{model_class} has no tensor under {shown(part)}{tagged}; known: {', '.join(known)}")
    return found


@lru_cache(maxsize=4096)
def _polynomial(
    part: str, tag: str, model_class: str, pooler: bool | None, tied: bool, cross_attention: bool
) -> Polynomial:
    rows = _select(part, tag, model_class, pooler, cross_attention)
    return Polynomial.total(size_of(row, part, tied) for row in rows)


def _check_layer(model: Model, part: str) -> None:
    asked = ONE_LAYER.search(part)
    layers = model.sizes["L"]
    if asked and int(asked[0]) >= layers:
        raise UnknownPart(
            f"{model.name} has no layer {asked[0]}, asked for in {shown(part)}; "
            f"it has {layers}, numbered from 0, and layer_* is all of them"
        )
