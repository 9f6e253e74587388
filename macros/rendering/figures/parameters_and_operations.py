"""BERT base in two pictures of equal height: its parameters, and the operations of a forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from macros.counting.operations import ATTENTION, DENSE, max_tokens

from ..components import svg
from ..components.asking import BASE, ask
from ..components.numbers import percentage, whole
from ..components.operations import operations_of
from .area_map import LABEL_HEIGHT, MIN_VISIBLE, label_of, mark_of, name_alone, rectangle
from .tiling import ROWS, BlockKind, Tile, tiles


class Slice(NamedTuple):
    """One part of a picture: its label, its style, and its number of parameters or operations."""

    label: str
    style: str
    number: int


def parameters_and_operations(name: str) -> str:
    """The pictures of parameters and of operations, side by side if there is room."""
    question = ask()
    # The text has the maximum length, because attention's products, which grow with the square of the length, are too
    # small to see in a short text.
    operations = operations_of(BASE, "", max_tokens(question))
    remaining_label = "pooler and LayerNorms"
    parameter_slices = [
        Slice("embeddings", "embeddings", question.about(tag="embeddings").number),
        Slice("attention", "self-attention", question.about(tag="self-attention").number),
        Slice("feed-forward", "feed-forward", question.about(tag="feed-forward").number),
        Slice(
            remaining_label, "pooler", question.about(tag="pooler").number + question.about(tag="encoder-norms").number
        ),
    ]
    operation_slices = [
        Slice("attention's products", "self-attention", operations.number(ATTENTION)),
        Slice("attention's projections", "self-attention", operations.number(DENSE, block="self-attention")),
        Slice("feed-forward", "feed-forward", operations.number(block="feed-forward")),
        Slice("pooler", "pooler", operations.number(block="pooler")),
    ]
    title = f"operations on {operations.tokens} tokens"
    pictures = _picture(f"{name}-parameters", "parameters", parameter_slices) + _picture(name, title, operation_slices)
    return f'<div class="bc-abreast">{pictures}</div>'


def _picture(name: str, unit: str, slices: Sequence[Slice]) -> str:
    """One picture; its last slice is too thin to see clearly, so the caption names it."""
    total = sum(part.number for part in slices)
    groups = tiles(ROWS, [BlockKind(part.number, 1, 1) for part in slices])
    body = "".join(
        f'<g class="bc-{part.style}{" bc-thin" if tile.height < MIN_VISIBLE else ""}" data-value="{part.number}">'
        f"<title>{part.label}: {whole(part.number)}</title>{rectangle(tile)}"
        f"{_label(part, total, tile)}</g>"
        for part, (tile,) in zip(slices, groups, strict=True)
    )
    description = "; ".join(f"{part.label}: {whole(part.number)}" for part in slices)
    thin_label = slices[-1].label
    return svg.figure(
        name,
        f"BERT base: {unit}",
        f"{description}.",
        f'<svg class="bc-map">{body}</svg>',
        f"{whole(total)} {unit}, areas to scale. The triangle at the edge points to the {thin_label}, "
        "too thin to see clearly.",
    )


def _label(part: Slice, total: int, tile: Tile) -> str:
    """The name and share of a slice, on one line if there is no room for two; only a mark if it is too thin to see."""
    share = percentage(part.number, total)
    if tile.height < MIN_VISIBLE:
        return mark_of(tile)
    return (
        label_of(part.label, share, tile) if tile.height > LABEL_HEIGHT else name_alone(f"{part.label} {share}", tile)
    )
