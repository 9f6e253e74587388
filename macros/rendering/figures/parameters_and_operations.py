"""The parameters of base and its operations, two pictures of one height, cut by the same parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from macros.counting.operations import ATTENTION, DENSE, longest

from ..components import svg
from ..components.asking import BASE, ask
from ..components.numbers import percentage, whole
from ..components.operations import operations_of
from .area_map import LOW, THIN, label_of, mark_of, name_alone, rectangle
from .tiling import ROWS, Share, Tile, tiles


class Slice(NamedTuple):
    """A part of a picture: its name, its style, and what it counts."""

    label: str
    style: str
    number: int


def parameters_and_operations(name: str) -> str:
    """Both pictures, side by side where there is room."""
    asked = ask()
    # On the longest text attention's own products are large enough to see.
    operations = operations_of(BASE, "", longest(asked))
    rest = "pooler and LayerNorms"
    parameters = [
        Slice("embeddings", "embeddings", asked.at(tag="embeddings").number),
        Slice("attention", "self-attention", asked.at(tag="self-attention").number),
        Slice("feed-forward", "feed-forward", asked.at(tag="feed-forward").number),
        Slice(rest, "pooler", asked.at(tag="pooler").number + asked.at(tag="encoder-norms").number),
    ]
    computed = [
        Slice("attention's products", "self-attention", operations.number(ATTENTION)),
        Slice("attention's projections", "self-attention", operations.number(DENSE, block="self-attention")),
        Slice("feed-forward", "feed-forward", operations.number(block="feed-forward")),
        Slice("pooler", "pooler", operations.number(block="pooler")),
    ]
    title = f"operations on {operations.tokens} tokens"
    drawn = _picture(f"{name}-parameters", "parameters", parameters) + _picture(name, title, computed)
    return f'<div class="bc-abreast">{drawn}</div>'


def _picture(name: str, unit: str, slices: Sequence[Slice]) -> str:
    total = sum(each.number for each in slices)
    placed = tiles(ROWS, [Share(each.number, 1, 1) for each in slices])
    body = "".join(
        f'<g class="bc-{each.style}{" bc-thin" if tile.height < THIN else ""}" data-value="{each.number}">'
        f"<title>{each.label}: {whole(each.number)}</title>{rectangle(tile)}"
        f"{_label(each, total, tile)}</g>"
        for each, (tile,) in zip(slices, placed, strict=True)
    )
    described = "; ".join(f"{each.label}: {whole(each.number)}" for each in slices)
    thin = slices[-1].label
    return svg.figure(
        name,
        f"The {unit} of BERT base",
        f"{described}.",
        f'<svg class="bc-map">{body}</svg>',
        f"{whole(total)} {unit}, areas to scale. The triangle at the edge points to the {thin}, too thin to see.",
    )


def _label(of: Slice, total: int, tile: Tile) -> str:
    """Its name and share, in one line where it is low; a mark where it is too thin to see."""
    share = percentage(of.number, total)
    if tile.height < THIN:
        return mark_of(tile)
    return label_of(of.label, share, tile) if tile.height > LOW else name_alone(f"{of.label} {share}", tile)
