"""The map as a figure, and pieces of it on other pages: whole models, single levels and locators.

A locator is a small picture of the whole model with one part marked. It shows the
place and the share of a page's subject in the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from macros.counting import Question

from ..components import pages, svg
from ..components.asking import BASE, LARGE, SHORT_NAMES, ask
from ..components.numbers import percentage, whole
from .area_map import THIN_WORDS, areas, name_of, picture, sum_of, whole_map
from .levels import HEADS_AND_POOLER, PRETRAINING, Block, Level, block_kinds, level_at, total_of
from .tiling import WHOLE_PICTURE, Tile, tiles

FigureMaker = Callable[[str], str]
"""A function that draws a figure, given its id."""

UNMARKED_STYLE = "elsewhere"
"""The style of all areas that are not marked."""


class LocatedPart(NamedTuple):
    """The part of BERT base that a locator marks.

    Attributes:
        words: its name, as at the beginning of the caption.
        path: its level on the map.
        labels: the labels of the blocks to mark.
        part, tag: the part and tag of the `Question` that counts it.
    """

    words: str
    path: str
    labels: tuple[str, ...]
    part: str = ""
    tag: str = ""


def whole_model(model: str) -> FigureMaker:
    """A function that draws a whole model, with its sum below it; the blocks link to the map."""

    def draw(name: str) -> str:
        """The whole model and its sum; `name` is the id of the figure."""
        question = ask(model=model)
        home = pages.ROOT + pages.of_level(model)
        return f"<div>{picture(name, level_at(''), question, home)}{sum_of(level_at(''), question, home)}</div>"

    return draw


def both_models(name: str) -> str:
    """Figures of BERT base and BERT large. One is visible at a time, and switching needs no script."""
    figures = {BASE: whole_model(BASE)(name), LARGE: whole_model(LARGE)(f"{name}-of-large")}
    buttons = model_buttons(name, "The whole model, to scale:")
    return f'<div class="bc-pictures">{buttons}{"".join(map(model_version, figures, figures.values()))}</div>'


def model_version(model: str, figure: str) -> str:
    """The picture of one model in a choice of models; `links.js` reads the model from `data-drawn`."""
    return f'<div class="bc-of-{SHORT_NAMES[model]}" data-drawn="{model}">{figure}</div>'


def model_buttons(name: str, legend: str) -> str:
    """Radio buttons to choose between BERT base and BERT large."""
    choices = "".join(
        f'<label><input type="radio" name="{name}-model" id="{name}-{short_name}"{" checked" if model == BASE else ""}>'
        f" BERT {short_name}</label>"
        for model, short_name in SHORT_NAMES.items()
    )
    return f'<fieldset class="bc-pick"><legend>{legend}</legend>{choices}</fieldset>'


def piece(located_part: LocatedPart) -> FigureMaker:
    """A function that draws one level of BERT base, with its locator next to it."""

    def draw(name: str) -> str:
        """The level, its sum and the locator; `name` is the id of the level's figure."""
        level = level_at(located_part.path)
        question = ask()
        home = pages.ROOT + pages.of_level(BASE)
        body = picture(name, level, question, home) + sum_of(level, question, home)
        return f'<div class="bc-piece"><div>{body}</div>{locator(located_part)(f"{name}-place")}</div>'

    return draw


def heads(name: str) -> str:
    """The pooler and the pre-training heads of BERT base, with their locator next to them."""
    question = ask(model_class=PRETRAINING.model_class)
    home = pages.ROOT + pages.of_level(BASE)
    body = picture(name, HEADS_AND_POOLER, question, home) + sum_of(HEADS_AND_POOLER, question, home)
    labels = ("pooler", "masked-LM head", "next-sentence head")
    locator_figure = _locator_figure(
        f"{name}-place",
        "The pooler and the pre-training heads",
        PRETRAINING,
        question,
        labels,
        total_of(HEADS_AND_POOLER, question),
    )
    return f'<div class="bc-piece"><div>{body}</div>{locator_figure}</div>'


def locator(located_part: LocatedPart) -> FigureMaker:
    """A function that draws BERT base as a small figure with one part marked, and a link to its level on the map."""

    def draw(name: str) -> str:
        """The locator; `name` is the id of the figure."""
        number = ask(located_part.part, located_part.tag).number
        return _locator_figure(
            name, located_part.words, level_at(""), ask(), located_part.labels, number, located_part.path
        )

    return draw


def _locator_figure(
    name: str, words: str, level: Level, question: Question, labels: tuple[str, ...], number: int, path: str = ""
) -> str:
    """The figure of a locator; without `path`, it links to the whole map."""
    total = total_of(level, question)
    share = f"{whole(number)} of {whole(total)} parameters ({percentage(number, total)})"
    link_text = "Open it on the map" if path else "Open the map"
    link = f'<a href="{pages.ROOT}{pages.of_level(BASE, path)}">{link_text}</a>'
    # Marked areas come last, so that they and their triangles are drawn on top.
    body = "".join(sorted(_areas(level, question, labels), key=lambda area: UNMARKED_STYLE not in area))
    return svg.figure(
        name,
        f"{name_of(question)}, with {words[0].lower()}{words[1:]} marked",
        f"The whole model to scale, with this part marked: {share}.",
        f'<svg class="bc-map bc-small-map">{body}</svg>',
        f"{words}: {share}.{THIN_WORDS if 'bc-mark' in body else ''} {link}",
    )


def _areas(level: Level, question: Question, labels: tuple[str, ...], bounds: Tile = WHOLE_PICTURE) -> Iterator[str]:
    """Yield the areas of a level, with marked blocks in colour; blocks that contain marked ones are subdivided."""
    groups = tiles(level.split, block_kinds(level, question), bounds)
    for block, kind, group in zip(level.blocks, block_kinds(level, question), groups, strict=True):
        is_marked = block.label in labels
        if not is_marked and _has_inner_block(block, labels):
            for tile in group:
                yield from _areas(level_at(block.leads_to), question, labels, tile)
        else:
            yield areas(group, block.style if is_marked else UNMARKED_STYLE, kind.value, has_marks=is_marked)


def _has_inner_block(block: Block, labels: tuple[str, ...]) -> bool:
    """Whether a block contains, at any depth, a block with one of these labels."""
    blocks = level_at(block.leads_to).blocks if block.leads_to else ()
    return any(inner.label in labels or _has_inner_block(inner, labels) for inner in blocks)


LOCATED_PARTS = {
    "embeddings": LocatedPart("The embeddings", "embeddings", ("embeddings",), "bert/embeddings"),
    "attention": LocatedPart("Self-attention in all layers", "layer/attention", ("attention",), "", "self-attention"),
    "feed-forward": LocatedPart(
        "The feed-forward networks in all layers", "layer/feed-forward", ("feed-forward",), "", "feed-forward"
    ),
    "layer-norm": LocatedPart("All LayerNorms", "layer/layer-norm", ("LayerNorm", "LayerNorms"), "", "LayerNorm"),
    "encoder-layer": LocatedPart("All encoder layers", "layer", ("layers",), "bert/encoder"),
    "attention-heads": LocatedPart(
        "Query, key and value in all layers",
        "layer/attention/query",
        ("query, key, value",),
        "bert/encoder/layer_*/attention/self",
    ),
}
"""The parts that have a locator, by the name of the page about them."""

FIGURES: dict[str, FigureMaker] = {
    "map": whole_map,
    "where": both_models,
    "base": whole_model(BASE),
    "large": whole_model(LARGE),
    "embeddings": piece(LOCATED_PARTS["embeddings"]),
    "heads": heads,
    **{f"{name}-place": locator(located_part) for name, located_part in LOCATED_PARTS.items() if name != "embeddings"},
}
"""The map and the figures that show pieces of it, by name."""
