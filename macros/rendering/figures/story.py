"""The story from a sentence to the total: the parameters that each scene adds, and the map that the scenes fill.

Without scripts, all scenes are listed and the map is full. `docs/assets/pages/story.js`
empties the map and fills it again scene by scene, according to the `data-step` of its areas.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from macros.counting import Question
from macros.counting.architecture import ONE_LAYER
from macros.counting.sum_lines import plain_line, sum_lines

from ..components import svg
from ..components.asking import BASE, SHORT_NAMES, ask
from ..components.example import example
from ..components.numbers import whole
from ..components.words import PHRASES
from .area_map import areas, name_of, rectangle
from .levels import block_kinds, level_at
from .pieces import model_buttons, model_version
from .tiling import Tile, tiles


class Scene(NamedTuple):
    """A scene of the story.

    Attributes:
        title: its title.
        words: the text of the scene.
        sum: the sum of the parameters that it adds, in one or more lines; empty if it adds none.
        parameters: the result of this sum.
    """

    title: str
    words: str
    sum: str
    parameters: int


def story(name: str) -> str:
    """The stories of BERT base and BERT large. One is visible at a time, and switching needs no script."""
    ids = {model: name if model == BASE else f"{name}-of-{short_name}" for model, short_name in SHORT_NAMES.items()}
    versions = "".join(model_version(model, _story_of(ids[model], ask(model=model))) for model in SHORT_NAMES)
    buttons = model_buttons(name, "Follow the sentence through:")
    return f'<div class="bc-pictures bc-story" data-search-exclude>{buttons}{versions}</div>'


def scenes_of(question: Question) -> list[Scene]:
    """All scenes, from the sentence to the pooler. The parameters that they add make up the model's total."""
    (pooler,) = sum_lines(question.about("bert/pooler"), 1)
    first_token = example().tokens[0].text
    return [
        *_scenes_of_embeddings(question),
        *_scenes_of_layers(question),
        Scene(
            "The pooler",
            f"A last matrix turns the vector of {first_token} into one that stands for the whole sentence.",
            str(pooler),
            pooler.result,
        ),
    ]


def _scenes_of_embeddings(question: Question) -> list[Scene]:
    """The scenes from the sentence to the vectors that the first layer reads."""
    sizes = question.sizes
    sample = example()
    token = sample.tokens[sample.followed_index]
    tokens = ", ".join(listed_token.text for listed_token in sample.tokens)
    (word_table,) = sum_lines(question.about("bert/embeddings/word_embeddings"))
    other_parameters = question.about("bert/embeddings").number - word_table.result
    # LayerNorm's scale and shift are as wide as the rows of the tables, so they are counted as rows.
    rows_of_norm = other_parameters // sizes["H"] - sizes["P"] - sizes["S"]
    return [
        Scene("The sentence", f"“{sample.sentence}” becomes tokens: {tokens}. This step uses no parameters.", "", 0),
        Scene(
            "A row for each token",
            f"Each token picks its row of the word table; “{token.text}” is row {token.id}.",
            str(word_table),
            word_table.result,
        ),
        Scene(
            "The rest of the embeddings",
            f"One of {whole(sizes['P'])} position rows and one of {whole(sizes['S'])} segment rows are added. "
            f"LayerNorm then rescales the sum; its scale and shift count as {rows_of_norm} more rows.",
            f"({whole(sizes['P'])} + {whole(sizes['S'])} + {rows_of_norm}) × {whole(sizes['H'])} "
            f"= {whole(other_parameters)}",
            other_parameters,
        ),
    ]


def _scenes_of_layers(question: Question) -> list[Scene]:
    """The scenes for the blocks of the first layer, and the scene for all other layers."""
    (attention,) = sum_lines(question.about(ONE_LAYER, "self-attention"), 1)
    (feed_forward,) = sum_lines(question.about(ONE_LAYER, "feed-forward"), 1)
    # The first line counts one LayerNorm, and the second counts both LayerNorms of the layer.
    norm, norms = sum_lines(question.about(ONE_LAYER, "encoder-norms"))
    network_and_norms = plain_line(feed_forward.result, tuple(factor.number for factor in norms.addends[0].factors))
    layer = plain_line(attention.result, network_and_norms.result)
    other_layers = plain_line((question.sizes["L"] - 1, layer.result))
    return [
        Scene(
            "Attention",
            "In each layer, the query, key, value and output projections let every token draw on the others. "
            "Each is a matrix with a bias.",
            str(attention),
            attention.result,
        ),
        Scene(
            "Feed-forward and LayerNorms",
            "A wide matrix and a tall one work on each token alone: the feed-forward network. "
            "Attention, this network and the LayerNorms are one layer.",
            f"{feed_forward}\n{norm}\n{network_and_norms}",
            network_and_norms.result,
        ),
        Scene(
            "The other layers",
            "All layers have the same shapes, and each has parameters of its own.",
            f"{layer}\n{other_layers}",
            other_layers.result,
        ),
    ]


def _story_of(name: str, question: Question) -> str:
    """The map of a model, followed by the list of scenes with the running total."""
    items = []
    total_before = 0
    scenes = scenes_of(question)
    for scene in scenes:
        total_after = total_before + scene.parameters
        lines = scene.sum.split("\n") if scene.parameters else []
        if total_before:
            lines.append(str(plain_line(total_before, scene.parameters)))
        # The running total is in bold at the end of a line.
        bold_total = f"<strong>{whole(total_after)}</strong>"
        sums = "".join(f'<p class="bc-running">{line}</p>' for line in lines).replace(
            f"{whole(total_after)}</p>", f"{bold_total}</p>"
        )
        items.append(
            f'<li data-sum="{whole(total_after)}"><strong>{scene.title}</strong><p>{escape(scene.words)}</p>{sums}</li>'
        )
        total_before = total_after
    figure = svg.figure(
        name,
        f"From the sentence to the total of {name_of(question)}",
        "; ".join(f"{scene.title}: {whole(scene.parameters)}" for scene in scenes) + ".",
        f'<svg class="bc-map">{_map(question)}</svg>',
        f"{PHRASES['to-scale']}.",
    )
    return f"{figure}<ol>{''.join(items)}</ol>"


def _map(question: Question) -> str:
    """The areas that the scenes fill; those of the embeddings and of the layers are inside outlines.

    The areas of segments and LayerNorms are left out because they are too thin to see.
    """
    whole_model = level_at("")
    (embeddings,), layers, (pooler,) = tiles(whole_model.split, block_kinds(whole_model, question))
    word_area, position_area, *_ = _areas("embeddings", question, [embeddings])
    attention_area, feed_forward_area, _ = _areas("layer", question, layers[:1])
    other_attention_areas, other_feed_forward_areas, _ = _areas("layer", question, layers[1:])
    parameters_of_layer = question.about(ONE_LAYER).number
    return (
        _outlined_areas(
            "embeddings", question.about("bert/embeddings").number, [embeddings], {1: [word_area], 2: [position_area]}
        )
        + _outlined_areas(
            "layer",
            parameters_of_layer,
            layers,
            {3: [attention_area], 4: [feed_forward_area], 5: [other_attention_areas, other_feed_forward_areas]},
        )
        + _for_step(6, areas([pooler], "pooler", question.about("bert/pooler").number, has_marks=True))
    )


def _outlined_areas(style: str, value: int, group: list[Tile], areas_by_step: dict[int, list[str]]) -> str:
    """The outlines of all parts of one kind and, inside them, the areas that each scene fills.

    Args:
        style: the style of the outlines.
        value: the number of parameters in each outline.
        group: the tiles of the outlines.
        areas_by_step: the areas by the index of the scene that fills them.
    """
    filled_areas = "".join(_for_step(step, area) for step, step_areas in areas_by_step.items() for area in step_areas)
    return f'<g class="bc-{style}" data-value="{value}">{filled_areas}{"".join(map(rectangle, group))}</g>'


def _for_step(step: int, area: str) -> str:
    """The area with `step`, the index of the scene that fills it, for the script."""
    return area.replace("<g ", f'<g data-step="{step}" ', 1)


def _areas(path: str, question: Question, bounds: list[Tile]) -> list[str]:
    """The areas of a level's blocks, each drawn in all tiles of `bounds`."""
    level = level_at(path)
    kinds = block_kinds(level, question)
    groups_by_tile = [tiles(level.split, kinds, tile) for tile in bounds]
    return [
        areas([tile for groups in groups_by_tile for tile in groups[index]], block.style, kind.value, has_marks=False)
        for index, (block, kind) in enumerate(zip(level.blocks, kinds, strict=True))
    ]
