"""Draws the levels of the map, each with areas proportional to parameters and with its sum.

A level becomes a `<section>` with the total in its heading, a figure, the sum, and the
sums of the levels above it. Other pages and hand-outs use the figure and the sum
without the section.

The page of the map contains the levels of BERT base, BERT large and the toy model. Those
of all other models with BERT's architecture are in one module, which
`docs/assets/pages/map.js` fetches when a reader first selects one of these models.

All positions are percentages, so a picture can have any size while its labels keep the
size of the text. A block that is too thin to see keeps its true size and is marked by a
triangle at its edge; within another block, it is left out.
`docs/assets/drawing/levels.js` draws a reader's own sizes in the same way, with the
same constants; a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from macros.counting import BERT, Question, count, load_models, load_relatives
from macros.counting.sum_lines import sum_lines
from macros.example import TOY

from ..components import pages, svg
from ..components.asking import SHORT_NAMES, ask, title_of
from ..components.numbers import whole
from ..components.words import PHRASES
from .levels import (
    LEVELS,
    Block,
    Level,
    block_kinds,
    level_at,
    levels_above,
    path_below,
    tensors,
    total_of,
    values_of_toy,
)
from .tiling import ROWS, WHOLE_PICTURE, BlockKind, Tile, tiles

MODELS_ON_PAGE = {**SHORT_NAMES, TOY: "toy"}
"""The models whose levels are on the page of the map, each with its root, the first component of its addresses."""

MIN_VISIBLE = 0.7
"""A tile is too thin to be seen if its width or height is below this percentage of the picture."""

LETTER_WIDTH = 2.15
DIGIT_WIDTH = 2
"""The width of a letter in a name and of a character in a number, as percentages of a picture on a phone."""

LABEL_HEIGHT = 10
NAME_HEIGHT = 9
"""The heights of a name with its number and of a name alone, as percentages of the picture."""

VERTICAL_WIDTH = 4.5
VERTICAL_HEIGHT = 30
"""The width and height that a name with its number needs if it is set vertically, as percentages of the picture."""

POINTING_DOWN = "M0 0l-5 -8h10z"
POINTING_LEFT = {0: "M0 0l8 -5v10z", 1: "M0 -1.5l8 -9v9z", -1: "M0 1.5h8v9z"}
"""The triangles that mark thin blocks; those that point to the left, by their lean (see `mark_of`)."""

THIN_WORDS = f" {PHRASES['thin']}"
"""The sentence in a caption that explains the triangles of thin blocks."""

DECIMALS = 4
"""Decimal places in percentages, with which positions are exact to less than a thousandth of a pixel."""

MAX_SEPARATE_BLOCKS = 24
"""The maximum number of equal blocks in a row that are drawn separately; more become one block with dividing lines."""

SWATCHES = ("bc-key", "bc-key-thin")
"""The classes of the swatch before a name, indexed by whether the block is thin: its colour, or a triangle."""


def whole_map(element_id: str) -> str:
    """All levels of the models on the page, and the data that a script needs to draw the tensors of any model."""
    sections = "".join(
        section(level, ask(model=model), root) for model, root in MODELS_ON_PAGE.items() for level in LEVELS
    )
    models_by_root: dict[str, dict[str, Any]] = {
        root: {"title": name_of(ask(model=model)), "sizes": ask(model=model).sizes}
        for root, model in roots_and_models()
    }
    models_by_root[MODELS_ON_PAGE[TOY]]["values"] = values_of_toy()
    map_data = json.dumps({"models": models_by_root, "tensors": tensors()}, ensure_ascii=False, separators=(",", ":"))
    return (
        f'<div class="bc-levels" id="{element_id}" data-search-exclude>{sections}'
        f'<script type="application/json" id="levels">{map_data}</script></div>'
    )


def roots_and_models() -> Iterator[tuple[str, str]]:
    """Yield each model of the map with its root, the first component of its addresses.

    First come the models on the page, then all others of BERT's architecture.
    """
    yield from ((root, model) for model, root in MODELS_ON_PAGE.items())
    models = {**load_models(), **load_relatives()}
    yield from (
        (name, name) for name, model in models.items() if model.architecture is BERT and name not in MODELS_ON_PAGE
    )


def levels_of_other_models() -> dict[str, dict[str, str]]:
    """The levels of the models that are not on the map's page, by the path of the level and the name of the model.

    The sections of a level are nearly identical, so keeping them next to each other makes the module compress well.
    """
    other_models = [(root, ask(model=model)) for root, model in roots_and_models() if model not in MODELS_ON_PAGE]
    return {level.path: {root: section(level, question, root) for root, question in other_models} for level in LEVELS}


def section(level: Level, question: Question, root: str) -> str:
    """A level on the page of the map: its heading, picture and sum, and the sums of the levels above it."""
    level_id = id_of(root, level.path)
    aliases = "".join(f'<span id="{id_of(root, path)}"></span>' for path in level.aliases)
    total = total_of(level, question)
    return (
        f'<section class="bc-level" id="{level_id}">'
        f"<h2>{aliases}{level.title} <small>{name_of(question)}: {whole(total)} parameters</small></h2>"
        f"{picture(f'figure-{level_id}', level, question, f'#{root}', link=level_id)}"
        f"{sum_of(level, question, f'#{root}')}{_trail(level, question, root)}</section>"
    )


def id_of(root: str, path: str) -> str:
    """The id of a level on the page of the map; `root` is the id of the whole model."""
    return f"{root}/{path}" if path else root


def name_of(question: Question) -> str:
    """The name of a model on the map: "BERT base", "BERT large" or the title of any other model."""
    short_name = SHORT_NAMES.get(question.model.name)
    return f"BERT {short_name}" if short_name else escape(title_of(question.model))


def picture(figure_id: str, level: Level, question: Question, home: str, *, link: str = "") -> str:
    """A level as a figure.

    Args:
        figure_id: the id of the figure.
        level: the level to draw.
        question: a question about the model and the class in which it is counted.
        home: the address of the whole model on the map. The links of blocks begin with it.
        link: the target of the figure's permalink, if it is not the figure itself.
    """
    description = "; ".join(
        f"{block.label}: {_amount(kind)}"
        for block, kind in zip(level.blocks, block_kinds(level, question), strict=True)
    )
    return svg.figure(
        figure_id,
        # The titles of all other models are proper names.
        f"{level.title}, {name_of(question).replace('Toy', 'toy')}",
        f"{description}.",
        drawing(level, question, home),
        _caption(level, question),
        role="group",
        link=link,
    )


def _caption(level: Level, question: Question) -> str:
    """The caption: the meaning of areas, the magnification, and the legend of colours and marks."""
    model_total = count(question.model, model_class=question.model_class)
    total = total_of(level, question)
    # The magnification has one decimal place below 100 and none above. Integer arithmetic makes the rounding exact.
    tenths = (20 * model_total + total) // (2 * total)
    rounded_times = (2 * model_total + total) // (2 * total)
    times_text = f"{tenths // 10}.{tenths % 10}" if model_total < 100 * total else whole(rounded_times)
    scale_clause = f", magnified {times_text} times compared with the whole model"
    has_thin_tile = any(_is_thin(tile) for group in _tiles_of(level, question) for tile in group)
    marks_sentence = THIN_WORDS if has_thin_tile else ""
    return f"{PHRASES['to-scale']}{scale_clause if level.path else ''}.{_inner_legend(level, question)}{marks_sentence}"


def _inner_legend(level: Level, question: Question) -> str:
    """The legend of inner blocks, whose colours differ from that of the outer block; empty if there are none."""
    legend_items = [
        f'<i class="bc-key bc-{inner.style}"></i>{inner.label}'
        for block, group in zip(level.blocks, _tiles_of(level, question), strict=True)
        for inner, _, _ in _inner_blocks(block, group, question)
    ]
    if not legend_items:
        return ""
    legend_items[:-1] = [f"{legend_item}," for legend_item in legend_items[:-1]]
    # The full stop is inside the last span, because the caption of a figure that is saved as a file would otherwise
    # have a space before it.
    legend_items[-1] += "."
    return f" {PHRASES['within-layers']}" + "".join(
        f' <span class="bc-joined">{legend_item}</span>' for legend_item in legend_items
    )


def drawing(level: Level, question: Question, home: str) -> str:
    """The picture: an SVG element with one link per kind of block."""
    groups = _tiles_of(level, question)
    # The triangle of a flat block leans away from a flat neighbour, so that both are visible (see `mark_of`).
    is_flat = [level.split == ROWS and _is_thin(group[0]) for group in groups]
    leans = [_lean(index, is_flat) for index in range(len(groups))]
    links = [
        _group(block, kind, group, question, home, _part_attribute(level, block, question, home), lean)
        for block, kind, group, lean in zip(level.blocks, block_kinds(level, question), groups, leans, strict=True)
    ]
    return f'<svg class="bc-map">{"".join(links)}</svg>'


def _lean(index: int, is_flat: list[bool]) -> int:
    """The lean of the triangle of a block (see `mark_of`); 0 if it is not flat, or if neither or both neighbours are.

    Args:
        index: the index of the block in its level.
        is_flat: whether each block of the level is flat, from top to bottom.
    """
    is_flat_above = index > 0 and is_flat[index - 1]
    is_flat_below = index + 1 < len(is_flat) and is_flat[index + 1]
    if not is_flat[index] or is_flat_above == is_flat_below:
        return 0
    return 1 if is_flat_below else -1


def _tiles_of(level: Level, question: Question, bounds: Tile = WHOLE_PICTURE) -> list[list[Tile]]:
    """The tiles of a level, one list per kind of block."""
    return tiles(level.split, block_kinds(level, question), bounds)


def _is_thin(tile: Tile) -> bool:
    """Whether a tile is too thin to be seen without a mark."""
    return min(tile.width, tile.height) < MIN_VISIBLE


def _group(
    block: Block,
    kind: BlockKind,
    group: list[Tile],
    question: Question,
    home: str,
    attribute: str,
    lean: int,
) -> str:
    """All blocks of a kind as one link: their areas, inner blocks, names and numbers.

    The count of an area is the `data-value` of its nearest ancestor with this attribute.

    Args:
        block: the kind of block.
        kind: its number of blocks, and the number of parameters of each.
        group: the tiles of its blocks.
        question: a question about the model and the class in which it is counted.
        home: as for `picture`.
        attribute: the attribute by which scripts find the block; may be empty.
        lean: the lean of its triangle, if it is thin; see `mark_of`.
    """
    inner_blocks = _inner_blocks(block, group, question)
    if kind.times > MAX_SEPARATE_BLOCKS and group[0].y == group[-1].y:
        body = _merged_blocks(block, kind, group)
    elif inner_blocks:
        # The name is centred in the largest inner block, because it would be hard to read across an edge between two
        # colours. There is no number under it, because readers would take the number for that of the inner block.
        _, _, largest_tiles = max(inner_blocks, key=lambda inner_block: inner_block[1].value)
        labels = (name_alone(_block_name(block, index), tile) for index, tile in enumerate(largest_tiles))
        body = "".join([_inner_areas(inner_blocks), *map(rectangle, group), *labels])
    else:
        labels = (label_of(_block_name(block, index), whole(kind.value), tile) for index, tile in enumerate(group))
        body = "".join([*map(rectangle, group), *labels])
    is_thin = _is_thin(group[0])
    return (
        f'<a href="{target_of(block, home)}" class="bc-{block.style}{" bc-thin" if is_thin else ""}"'
        f' data-value="{kind.value}"{attribute}><title>{block.label}: {_amount(kind)}</title>{body}'
        f"{mark_of(group[-1], lean) if is_thin else ''}</a>"
    )


def _part_attribute(level: Level, block: Block, question: Question, home: str) -> str:
    """The attribute that scripts use to find a block; may be empty.

    On the map, it contains the address of the block's tensor, if the block has one; only scripts draw tensors. On other
    pages, it contains the paths of the tensors that the block counts, so that the sums on the page can highlight it.
    """
    if home.startswith("#"):
        return f' data-tensor="{home}/{path_below(level, block)}"' if block.cell_wording else ""
    (line,) = sum_lines(question.about(block.part, block.tag), 1)
    return svg.part_attribute(*line.paths)


def _merged_blocks(block: Block, kind: BlockKind, group: list[Tile]) -> str:
    """One rectangle with dividing lines, for adjacent blocks that are too many to draw separately."""
    first_tile = group[0]
    last_tile = group[-1]
    area = Tile(first_tile.x, first_tile.y, last_tile.x + last_tile.width - first_tile.x, first_tile.height)
    path_data = "".join(f"M{index} 0v1" for index in range(1, kind.times))
    return (
        f'<g data-value="{kind.value * kind.times}">{rectangle(area)}</g>'
        f'<svg{_edges(area)} viewBox="0 0 {kind.times} 1"'
        f' preserveAspectRatio="none"><path d="{path_data}" class="bc-between"/></svg>'
        f"{label_of(block.label, _amount(kind), area)}"
    )


def target_of(block: Block, home: str) -> str:
    """The address that a block links to: its level or the page that explains it."""
    return f"{home}/{block.leads_to}" if block.leads_to else f"{pages.ROOT}{block.page}"


def areas(group: list[Tile], style: str, value: int, *, has_marks: bool) -> str:
    """Areas without a link; `has_marks` adds triangles if they are thin."""
    is_thin = _is_thin(group[0])
    marks = "".join(map(mark_of, group)) if is_thin and has_marks else ""
    rectangles = "".join(map(rectangle, group))
    return f'<g class="bc-{style}{" bc-thin" if is_thin else ""}" data-value="{value}">{rectangles}{marks}</g>'


def rectangle(tile: Tile) -> str:
    """A tile as an SVG element."""
    return f"<rect{_edges(tile)}/>"


def _edges(tile: Tile) -> str:
    """The position and size of a tile as attributes. Zeros are omitted, because they are SVG's default."""
    numbers = zip(("x", "y", "width", "height"), map(_percent, tile), strict=True)
    return "".join(f' {name}="{number}%"' for name, number in numbers if number != "0")


def _inner_areas(inner_blocks: list[tuple[Block, BlockKind, list[Tile]]]) -> str:
    """The areas of inner blocks, as SVG elements."""
    return "".join(
        f'<g class="bc-{block.style}" data-value="{kind.value}">{"".join(map(rectangle, group))}</g>'
        for block, kind, group in inner_blocks
    )


def _inner_blocks(block: Block, group: list[Tile], question: Question) -> list[tuple[Block, BlockKind, list[Tile]]]:
    """The blocks to draw within each tile of a group, each with its kind and its tiles.

    They are the blocks of a different colour that are not too thin to see.

    There are none if the block has the colour of its first inner block, because only its other parts would be drawn.
    """
    if not block.leads_to:
        return []
    level = level_at(block.leads_to)
    if block.style == level.blocks[0].style:
        return []
    groups_by_tile = [_tiles_of(level, question, tile) for tile in group]
    inner_blocks = []
    for index, (inner_block, kind) in enumerate(zip(level.blocks, block_kinds(level, question), strict=True)):
        inner_tiles = [tile for groups in groups_by_tile for tile in groups[index]]
        if inner_block.style != block.style and not any(map(_is_thin, inner_tiles)):
            inner_blocks.append((inner_block, kind, inner_tiles))
    return inner_blocks


def _width_for(name: str, number: str) -> float:
    """The width that a name above a number needs, as a percentage."""
    return max(LETTER_WIDTH * len(name), DIGIT_WIDTH * len(number))


def label_of(name: str, number: str, tile: Tile) -> str:
    """A name above its number in the middle of a tile, or vertically if the tile is narrow; empty if neither fits."""
    x = _percent(tile.x + tile.width / 2)
    y = _percent(tile.y + tile.height / 2)
    if tile.width >= _width_for(name, number) and tile.height >= LABEL_HEIGHT:
        return f'<text x="{x}%" y="{y}%">{name}<tspan x="{x}%" dy="1.3em">{number}</tspan></text>'
    if tile.width >= VERTICAL_WIDTH and tile.height >= VERTICAL_HEIGHT:
        return f'<text x="{x}%" y="{y}%" class="bc-upright">{name} · {number}</text>'
    return ""


def name_alone(name: str, tile: Tile) -> str:
    """A name in the middle of a tile; empty if it does not fit."""
    x = _percent(tile.x + tile.width / 2)
    y = _percent(tile.y + tile.height / 2)
    fits = tile.width >= _width_for(name, "") and tile.height >= NAME_HEIGHT
    return f'<text x="{x}%" y="{y}%" dominant-baseline="central">{name}</text>' if fits else ""


def _block_name(block: Block, index: int) -> str:
    """The name of a block, given its index among those of its kind: its own name, or a shared name with the index."""
    if len(block.names) == 1:
        return f"{block.names[0]} {index}"
    return block.names[index] if block.names else block.label


def mark_of(tile: Tile, lean: int = 0) -> str:
    """The triangle that points to a thin block: from above if the block is narrow, or from the right if it is flat.

    If two flat blocks are adjacent, each has half a triangle, so that neither hides the other: the upper block has the
    half above the tip (`lean` is 1), and the lower block has the half below it (`lean` is -1). A gap separates them.
    """
    if tile.width < MIN_VISIBLE:
        x = _percent(tile.x + tile.width / 2)
        y = _percent(tile.y)
        points = POINTING_DOWN
    else:
        x = _percent(tile.x + tile.width)
        y = _percent(tile.y + tile.height / 2)
        points = POINTING_LEFT[lean]
    return f'<svg x="{x}%" y="{y}%" class="bc-mark"><path d="{points}"/></svg>'


def _percent(value: float) -> str:
    """A percentage for an attribute, without the percent sign and trailing zeros."""
    return f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")


def _amount(kind: BlockKind) -> str:
    """The parameters of a kind of block: `12 × 7,087,872`, or only the number if there is one block."""
    return f"{whole(kind.times)} × {whole(kind.value)}" if kind.times > 1 else whole(kind.value)


def sum_of(level: Level, question: Question, home: str) -> str:
    """The sum of a level, in which each term has the name and the link of its block."""
    terms = [
        f'<a href="{target_of(block, home)}"{_part_attribute(level, block, question, home)}><small>'
        f'<i class="{SWATCHES[_is_thin(group[0])]} bc-{block.style}"></i>{block.label}</small> {_amount(kind)}</a>'
        for block, kind, group in zip(
            level.blocks, block_kinds(level, question), _tiles_of(level, question), strict=True
        )
    ]
    total = total_of(level, question)
    result = f'<span>= <strong data-value="{total}">{whole(total)}</strong></span>'
    addends = "</span> <span>+ ".join(terms)  # keeps each sign on the line of the term after it
    return f'<p class="bc-level-sum" data-result="{whole(total)} parameters"><span>{addends}</span> {result}</p>'


def _trail(level: Level, question: Question, root: str) -> str:
    """The sums of the levels above, from the whole model down, each with the term that leads to this level marked."""
    lines = "".join(_step(upper, next_block, question, root) for upper, next_block in levels_above(level))
    return f'<ol class="bc-trail" aria-label="Levels above">{lines}</ol>' if lines else ""


def _step(upper: Level, next_block: Block, question: Question, root: str) -> str:
    """One sum of the trail, with a mark on the term of the block that leads to the next level."""
    terms = [
        f"<mark>{_amount(kind)}</mark>" if block == next_block else _amount(kind)
        for block, kind in zip(upper.blocks, block_kinds(upper, question), strict=True)
    ]
    signed_numbers = [*(f"+ {term}" for term in terms[1:]), f"= {whole(total_of(upper, question))}"]
    # Publishing prevents lines on pages from ending with a sign. The module with the other models' levels is not a
    # page, so this has to be done here.
    line_html = " ".join([terms[0], *(f'<span class="bc-joined">{text}</span>' for text in signed_numbers)])
    return f'<li><a href="#{id_of(root, upper.path)}">{upper.title}</a> <span>{line_html}</span></li>'
