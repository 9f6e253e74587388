"""The walk from a sentence to the total: what each step adds, and the map that fills with it.

Without scripts all steps are there and the map is full; `docs/assets/pages/story.js`
empties it, and fills it again step by step.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from macros.counting import Question
from macros.counting.sum_lines import in_numbers, in_one, sum_lines

from ..components import svg
from ..components.asking import BASE, SHORT, ask
from ..components.example import example
from ..components.numbers import whole
from ..components.words import PHRASES
from .area_map import areas, name_of, rectangle
from .levels import ONE_LAYER, level_at, shares_of
from .pieces import choice
from .tiling import Tile, tiles


class Scene(NamedTuple):
    """A scene of the walk: what happens, and the lines of the sum that says what it adds, which is `adds`."""

    title: str
    words: str
    sum: str
    adds: int


def story(name: str) -> str:
    """The walk through base or large, one of them shown by a choice that needs no script."""
    told = "".join(
        f'<div class="bc-of-{short}">{_told(name if model == BASE else f"{name}-of-large", ask(model=model))}</div>'
        for model, short in SHORT.items()
    )
    pick = choice(name, "Follow the sentence through:")
    return f'<div class="bc-pictures bc-story" data-search-exclude>{pick}{told}</div>'


def scenes_of(asked: Question) -> list[Scene]:
    """Every scene from the sentence to the pooler; together they add all of the model."""
    sizes, known = asked.sizes, example()
    width, chosen, tokens = whole(sizes["H"]), known.tokens[known.chosen], ", ".join(each.text for each in known.tokens)
    words = sum_lines(asked.at("bert/embeddings/word_embeddings"))
    rest = asked.at("bert/embeddings").number - words[-1].result
    attention = sum_lines(asked.at(ONE_LAYER, "self-attention"))
    feed_forward = sum_lines(asked.at(ONE_LAYER, "feed-forward"))
    ((norms,),) = (line.addends for line in sum_lines(asked.at(ONE_LAYER, "encoder-norms"), most=1))
    with_norms = in_numbers(feed_forward[-1].result, tuple(each.number for each in norms.factors))
    pooler = sum_lines(asked.at("bert/pooler"))
    others = in_numbers((sizes["L"] - 1, asked.at(ONE_LAYER).number))
    return [
        Scene("The sentence", f"“{known.sentence}” is cut into tokens: {tokens}. That takes no parameters.", "", 0),
        Scene(
            "A row for each token",
            f"Each token picks its row of the word table; “{chosen.text}” is row {chosen.id}.",
            in_one(words),
            words[-1].result,
        ),
        Scene(
            "The embeddings",
            f"A row for its position, one of {whole(sizes['P'])}, and one for its segment, one of {whole(sizes['S'])}, "
            "are added to it. LayerNorm has a scale and a shift per feature.",
            f"({whole(sizes['P'])} + {whole(sizes['S'])} + 2) × {width} = {whole(rest)}",
            rest,
        ),
        Scene(
            "Attention",
            "In a layer, query, key, value and output let each token take in what it needs from the others. "
            "Each is a matrix with a bias.",
            in_one(attention),
            attention[-1].result,
        ),
        Scene(
            "Feed-forward",
            "A wide matrix and a tall one work on each token by itself. With the LayerNorms, that is one layer.",
            f"{in_one(feed_forward)}\n{with_norms}",
            with_norms.result,
        ),
        Scene(
            "The other layers",
            "All layers have the same shapes, and each has parameters of its own.",
            str(others),
            others.result,
        ),
        Scene(
            "The pooler",
            f"A last matrix turns the vector of {known.tokens[0].text} into one that stands for the whole sentence.",
            in_one(pooler),
            pooler[-1].result,
        ),
    ]


def _told(name: str, asked: Question) -> str:
    """The map of a model, and the scenes with the sum that climbs."""
    listed, before = [], 0
    scenes = scenes_of(asked)
    for scene in scenes:
        so_far = before + scene.adds
        lines = scene.sum.split("\n") if scene.adds else []
        if before:
            lines.append(str(in_numbers(before, scene.adds)))
        ends = f"<strong>{whole(so_far)}</strong>"
        sums = "".join(f"<span>{each}</span>" for each in lines).replace(f"{whole(so_far)}</span>", f"{ends}</span>")
        listed.append(
            f'<li data-sum="{whole(so_far)}"><strong>{scene.title}</strong><p>{escape(scene.words)}</p>{sums}</li>'
        )
        before = so_far
    figure = svg.figure(
        name,
        f"From the sentence to all of {name_of(asked)}",
        "; ".join(f"{scene.title}: {whole(scene.adds)}" for scene in scenes) + ".",
        f'<svg class="bc-map">{_drawn(asked)}</svg>',
        f"{PHRASES['to-scale']}.",
    )
    return f"{figure}<ol>{''.join(listed)}</ol>"


def _drawn(asked: Question) -> str:
    """The areas that the steps fill, each within its part; what is too thin to see there is left out."""
    whole_model = level_at("")
    (embeddings,), layers, (pooler,) = tiles(whole_model.split, shares_of(whole_model, asked))
    words, positions, *_ = _areas("embeddings", asked, [embeddings])
    attention, feed_forward, _ = _areas("layer", asked, layers[:1])
    other_attention, other_feed_forward, _ = _areas("layer", asked, layers[1:])
    layer = asked.at(ONE_LAYER).number
    return (
        _around("embeddings", asked.at("bert/embeddings").number, [embeddings], {1: [words], 2: [positions]})
        + _around("layer", layer, layers, {3: [attention], 4: [feed_forward], 5: [other_attention, other_feed_forward]})
        + _of_step(6, areas([pooler], "pooler", asked.at("bert/pooler").number, marked=True))
    )


def _around(style: str, value: int, group: list[Tile], filled: dict[int, list[str]]) -> str:
    """Parts of one kind, and in them what steps fill."""
    inside = "".join(_of_step(step, each) for step, drawn in filled.items() for each in drawn)
    return f'<g class="bc-{style}" data-value="{value}">{inside}{"".join(map(rectangle, group))}</g>'


def _of_step(step: int, drawn: str) -> str:
    return drawn.replace("<g ", f'<g data-step="{step}" ', 1)


def _areas(path: str, asked: Question, within: list[Tile]) -> list[str]:
    """The blocks of a level in each of some areas."""
    level = level_at(path)
    shares = shares_of(level, asked)
    placed = [tiles(level.split, shares, tile) for tile in within]
    return [
        areas([tile for each in placed for tile in each[order]], block.style, share.each, marked=False)
        for order, (block, share) in enumerate(zip(level.blocks, shares, strict=True))
    ]
