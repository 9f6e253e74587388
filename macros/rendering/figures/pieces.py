"""Pieces of the map on other pages: one level, or the whole model drawn small with one part marked.

The small picture, called the locator, shows where the part that a page is about
sits in the model, and how much of the model it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from macros.counting import Question

from ..components import pages, svg
from ..components.asking import BASE, LARGE, SHORT_NAMES, ask
from ..components.numbers import percentage, whole
from .area_map import THIN_WORDS, areas, name_of, picture, sum_of, whole_map
from .levels import HEADS_AND_POOLER, PRETRAINING, Block, Level, level_at, shares_of, total_of
from .tiling import WHOLE_PICTURE, Tile, tiles

Draw = Callable[[str], str]
"""Draws a figure, given its id."""


ELSEWHERE = "elsewhere"
"""The style of all areas that are not marked."""


class LocatedPart(NamedTuple):
    """The part of BERT base that a page is about, as a locator shows it.

    Attributes:
        words: its name, as a caption begins.
        path: its level on the map.
        labels: the labels of the blocks to mark.
        part, tag: what it counts, as for a `Question`.
    """

    words: str
    path: str
    labels: tuple[str, ...]
    part: str = ""
    tag: str = ""


def whole_model(model: str) -> Draw:
    """A figure of a whole model, its blocks linked to the map, with the sum below it."""

    def draw(name: str) -> str:
        question = ask(model=model)
        home = pages.ROOT + pages.of_level(model)
        return f"<div>{picture(name, level_at(''), question, home)}{sum_of(level_at(''), question, home)}</div>"

    return draw


def both_models(name: str) -> str:
    """BERT base and BERT large, one of them shown at a time; the choice needs no script."""
    figures = {BASE: whole_model(BASE)(name), LARGE: whole_model(LARGE)(f"{name}-of-large")}
    buttons = choice(name, "The whole model, to scale:")
    return f'<div class="bc-pictures">{buttons}{"".join(map(version, figures, figures.values()))}</div>'


def version(model: str, figure: str) -> str:
    """The picture that a choice of models shows for one of them; `links.js` reads the model."""
    return f'<div class="bc-of-{SHORT_NAMES[model]}" data-drawn="{model}">{figure}</div>'


def choice(name: str, legend: str) -> str:
    """Radio buttons for BERT base and BERT large."""
    choices = "".join(
        f'<label><input type="radio" name="{name}-model" id="{name}-{short}"{" checked" if model == BASE else ""}>'
        f" BERT {short}</label>"
        for model, short in SHORT_NAMES.items()
    )
    return f'<fieldset class="bc-pick"><legend>{legend}</legend>{choices}</fieldset>'


def piece(located: LocatedPart) -> Draw:
    """A figure of one level of BERT base, with its locator beside it."""

    def draw(name: str) -> str:
        level = level_at(located.path)
        question = ask()
        home = pages.ROOT + pages.of_level(BASE)
        body = picture(name, level, question, home) + sum_of(level, question, home)
        return f'<div class="bc-piece"><div>{body}</div>{locator(located)(f"{name}-place")}</div>'

    return draw


def heads(name: str) -> str:
    """The pooler and the pre-training heads of BERT base, with their locator beside them."""
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


def locator(located: LocatedPart) -> Draw:
    """A figure of the whole of BERT base, drawn small, with one part marked and linked to its level on the map."""

    def draw(name: str) -> str:
        number = ask(located.part, located.tag).number
        return _locator_figure(name, located.words, level_at(""), ask(), located.labels, number, located.path)

    return draw


def _locator_figure(
    name: str, words: str, level: Level, question: Question, labels: tuple[str, ...], number: int, path: str = ""
) -> str:
    """The figure of a locator; without `path`, it links to the map as a whole."""
    total = total_of(level, question)
    share = f"{whole(number)} of {whole(total)} parameters ({percentage(number, total)})"
    link_text = "Open it on the map" if path else "Open the map"
    link = f'<a href="{pages.ROOT}{pages.of_level(BASE, path)}">{link_text}</a>'
    # Marked areas come last, so that they and their triangles lie on top.
    body = "".join(sorted(_areas(level, question, labels), key=lambda area: ELSEWHERE not in area))
    return svg.figure(
        name,
        f"Where it sits in {name_of(question)}",
        f"The whole model to scale, with this part marked: {share}.",
        f'<svg class="bc-map bc-small-map">{body}</svg>',
        f"{words}: {share}.{THIN_WORDS if 'bc-mark' in body else ''} {link}",
    )


def _areas(level: Level, question: Question, labels: tuple[str, ...], bounds: Tile = WHOLE_PICTURE) -> Iterator[str]:
    """The areas of a level, with the marked blocks in their colours; a block that holds marked ones is cut further."""
    groups = tiles(level.split, shares_of(level, question), bounds)
    for block, share, group in zip(level.blocks, shares_of(level, question), groups, strict=True):
        is_marked = block.label in labels
        if not is_marked and _holds_one_of(block, labels):
            for tile in group:
                yield from _areas(level_at(block.leads_to), question, labels, tile)
        else:
            yield areas(group, block.style if is_marked else ELSEWHERE, share.number, with_marks=is_marked)


def _holds_one_of(block: Block, labels: tuple[str, ...]) -> bool:
    """Whether a block holds, at any depth, one with one of these labels."""
    blocks = level_at(block.leads_to).blocks if block.leads_to else ()
    return any(inner.label in labels or _holds_one_of(inner, labels) for inner in blocks)


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

FIGURES: dict[str, Draw] = {
    "map": whole_map,
    "where": both_models,
    "base": whole_model(BASE),
    "large": whole_model(LARGE),
    "embeddings": piece(LOCATED_PARTS["embeddings"]),
    "heads": heads,
    **{f"{name}-place": locator(located) for name, located in LOCATED_PARTS.items() if name != "embeddings"},
}
"""The map and the figures made of pieces of it, by name."""
