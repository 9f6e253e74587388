"""Pieces of the map on other pages: a level, with the whole model small beside it and the part marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from macros.counting import Question

from ..components import pages, svg
from ..components.asking import BASE, LARGE, SHORT, ask
from ..components.numbers import percentage, whole
from .area_map import THIN_WORDS, areas, name_of, picture, sum_of, whole_map
from .levels import BEHIND_ENCODER, PRETRAINING, Block, Level, level_at, shares_of, total_of
from .tiling import Tile, tiles

Draw = Callable[[str], str]
"""Draws a figure of a name."""


ELSEWHERE = "elsewhere"
"""The style of what is not marked."""


class Place(NamedTuple):
    """Where a page's part sits in base: its level on the map, what is marked, and as what question it is counted."""

    words: str
    path: str
    marked: tuple[str, ...]
    part: str = ""
    tag: str = ""


def whole_model(model: str) -> Draw:
    """A whole model, each block a link into the map, and the sum under it."""

    def draw(name: str) -> str:
        asked, home = ask(model=model), pages.ROOT + pages.of_level(model)
        return f"<div>{picture(name, level_at(''), asked, home)}{sum_of(level_at(''), asked, home)}</div>"

    return draw


def both_models(name: str) -> str:
    """The whole of base or of large, one of them shown by a choice that needs no script."""
    drawn = {BASE: whole_model(BASE)(name), LARGE: whole_model(LARGE)(f"{name}-of-large")}
    pictures = "".join(f'<div class="bc-of-{SHORT[model]}">{each}</div>' for model, each in drawn.items())
    return f'<div class="bc-pictures">{choice(name, "All of it, to scale:")}{pictures}</div>'


def choice(name: str, legend: str) -> str:
    """A choice between base and large."""
    choices = "".join(
        f'<label><input type="radio" name="{name}-model" id="{name}-{short}"{" checked" if model == BASE else ""}>'
        f" BERT {short}</label>"
        for model, short in SHORT.items()
    )
    return f'<fieldset class="bc-pick"><legend>{legend}</legend>{choices}</fieldset>'


def piece(place: Place) -> Draw:
    """A level of base, and the whole model small beside it."""

    def draw(name: str) -> str:
        level, asked, home = level_at(place.path), ask(), pages.ROOT + pages.of_level(BASE)
        shown = picture(name, level, asked, home) + sum_of(level, asked, home)
        return f'<div class="bc-piece"><div>{shown}</div>{locator(place)(f"{name}-place")}</div>'

    return draw


def heads(name: str) -> str:
    """What pre-training adds behind the encoder of base, beside the whole of it."""
    asked, home = ask(model_class=PRETRAINING.model_class), pages.ROOT + pages.of_level(BASE)
    shown = picture(name, BEHIND_ENCODER, asked, home) + sum_of(BEHIND_ENCODER, asked, home)
    marked = ("pooler", "masked-LM head", "next-sentence head")
    small = _small(
        f"{name}-place", "The heads with the pooler", PRETRAINING, asked, marked, total_of(BEHIND_ENCODER, asked)
    )
    return f'<div class="bc-piece"><div>{shown}</div>{small}</div>'


def locator(place: Place) -> Draw:
    """The whole of base, small, with a part marked, and the way to the part on the map."""

    def draw(name: str) -> str:
        number = ask(place.part, place.tag).number
        return _small(name, place.words, level_at(""), ask(), place.marked, number, place.path)

    return draw


def _small(
    name: str, words: str, level: Level, asked: Question, marked: tuple[str, ...], number: int, path: str = ""
) -> str:
    """A small picture of a whole model as a figure of its own."""
    total = total_of(level, asked)
    share = f"{whole(number)} of {whole(total)}, {percentage(number, total)}"
    opens = "Open it on the map" if path else "Open the map"
    where = f'<a href="{pages.ROOT}{pages.of_level(BASE, path)}">{opens}</a>'
    # What is marked lies on top, with its marks.
    body = "".join(sorted(_drawn(level, asked, marked), key=lambda drawn: ELSEWHERE not in drawn))
    return svg.figure(
        name,
        f"Where it sits in {name_of(asked)}",
        f"The whole model to scale, with this part marked: {share}.",
        f'<svg class="bc-map bc-small-map">{body}</svg>',
        f"{words}: {share}.{THIN_WORDS if 'bc-mark' in body else ''} {where}",
    )


def _drawn(level: Level, asked: Question, marked: tuple[str, ...], within: Tile | None = None) -> Iterator[str]:
    """The areas of a level, those of the marked blocks in their colours; what they are in is drawn in parts."""
    placed = tiles(level.split, shares_of(level, asked), *([within] if within else []))
    for block, share, group in zip(level.blocks, shares_of(level, asked), placed, strict=True):
        here = block.label in marked
        if not here and _leads_to_one_of(block, marked):
            for tile in group:
                yield from _drawn(level_at(block.to), asked, marked, tile)
        else:
            yield areas(group, block.style if here else ELSEWHERE, share.each, marked=here)


def _leads_to_one_of(block: Block, labels: tuple[str, ...]) -> bool:
    """Whether a block with one of these labels is within another, at any depth."""
    inner = level_at(block.to).blocks if block.to else ()
    return any(each.label in labels or _leads_to_one_of(each, labels) for each in inner)


PLACES = {
    "embeddings": Place("The embeddings", "embeddings", ("embeddings",), "bert/embeddings"),
    "attention": Place("Self-attention in all layers", "layer/attention", ("attention",), "", "self-attention"),
    "feed-forward": Place(
        "The feed-forward networks in all layers", "layer/feed-forward", ("feed-forward",), "", "feed-forward"
    ),
    "layer-norm": Place("All LayerNorms", "layer/layer-norm", ("LayerNorm", "LayerNorms"), "", "LayerNorm"),
    "encoder-layer": Place("All encoder layers", "layer", ("layers",), "bert/encoder"),
    "attention-heads": Place(
        "Query, key and value in all layers",
        "layer/attention/query",
        ("query, key, value",),
        "bert/encoder/layer_*/attention/self",
    ),
}
"""Where the part of each page sits."""

FIGURES: dict[str, Draw] = {
    "map": whole_map,
    "where": both_models,
    "base": whole_model(BASE),
    "large": whole_model(LARGE),
    "embeddings": piece(PLACES["embeddings"]),
    "heads": heads,
    **{f"{name}-place": locator(place) for name, place in PLACES.items() if name != "embeddings"},
}
"""The map, and the figures that are pieces of it, by name."""
