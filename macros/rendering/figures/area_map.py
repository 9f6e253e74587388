"""Draws levels of the map: areas in proportion to parameters, with the sum that they show.

Those of base and large are on the page of the map. Those of all other models
are in one module, which `docs/assets/pages/map.js` fetches for the first of them.

Everything is placed in per cent, so a picture may have any size and its
text keeps the size of text. A block too thin to be seen keeps its width and
gets a mark at the edge of the picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from macros.counting import BERT, Question, count, load_models, load_relatives
from macros.counting.sum_lines import sum_lines

from ..components import pages, svg
from ..components.asking import SHORT, ask, title_of
from ..components.numbers import whole
from ..components.words import PHRASES
from .levels import LEVELS, Block, Level, above, level_at, path_below, shares_of, tensors, total_of
from .tiling import ROWS, WHOLE, Share, Tile, tiles

THIN = 0.7
"""Per cent of the picture: what is narrower or lower gets a mark."""

LETTER, DIGIT = 2.15, 2
"""Per cent of a picture's width on a phone that a letter of a name takes at most, and a character of a number."""

LOW, LOWEST = 10, 9
"""Per cent of a picture's height that a name above its number takes at least, and a name alone."""

TIPS = {0: "M0 0l8 -5v10z", 1: "M0 0l8 -9v9z", -1: "M0 0h8v9z"}
"""Triangles that point to the left, by where they lean."""

THIN_WORDS = f" {PHRASES['thin']}"

PLACES = 4
"""Decimals of a place in per cent: less than a thousandth of a pixel."""

MOST_DRAWN = 24
"""So many blocks of a kind are drawn one by one; more of them side by side are one block with lines in it."""

KEYS = ("bc-key", "bc-key-thin")
"""Classes of the swatch before a name: its colour, or the mark of what is too thin to see."""


def whole_map(name: str) -> str:
    """The levels of base and large one after the other, and what the script needs to draw tensors of any model."""
    levels = "".join(section(level, ask(model=model), root) for model, root in SHORT.items() for level in LEVELS)
    models = {root: {"title": name_of(ask(model=model)), "sizes": ask(model=model).sizes} for root, model in roots()}
    data = json.dumps({"models": models, "tensors": tensors()}, ensure_ascii=False, separators=(",", ":"))
    return (
        f'<div class="bc-levels" id="{name}" data-search-exclude>{levels}'
        f'<script type="application/json" id="levels">{data}</script></div>'
    )


def roots() -> Iterator[tuple[str, str]]:
    """The models of the map by the first part of their addresses: base and large, then all others that are BERT."""
    yield from ((root, model) for model, root in SHORT.items())
    models = {**load_models(), **load_relatives()}
    yield from ((name, name) for name, each in models.items() if each.architecture is BERT and name not in SHORT)


def of_other_models() -> dict[str, dict[str, str]]:
    """Every level of the models that the page does not hold, by its path and by model: alike ones side by side."""
    others = [(root, ask(model=model)) for root, model in roots() if model not in SHORT]
    return {level.path: {root: section(level, asked, root) for root, asked in others} for level in LEVELS}


def section(level: Level, asked: Question, root: str) -> str:
    """A level on the page of the map: heading, picture, sum, and the sums of the levels above."""
    address = at(root, level.path)
    aliases = "".join(f'<span id="{at(root, each)}"></span>' for each in level.aliases)
    total = total_of(level, asked)
    return (
        f'<section class="bc-level" id="{address}">'
        f"<h2>{aliases}{level.title} <small>{name_of(asked)}: {whole(total)} parameters</small></h2>"
        f"{picture(f'figure-{address}', level, asked, f'#{root}', link=address)}"
        f"{sum_of(level, asked, f'#{root}')}{_trail(level, asked, root)}</section>"
    )


def at(root: str, path: str) -> str:
    """The address of a level on its page."""
    return f"{root}/{path}" if path else root


def name_of(asked: Question) -> str:
    """What the map calls a model: base and large by their short names."""
    short = SHORT.get(asked.model.name)
    return f"BERT {short}" if short else escape(title_of(asked.model))


def picture(name: str, level: Level, asked: Question, home: str, *, link: str = "") -> str:
    """A level as a figure; `home` is the address of the whole model's, `link` that of the level if not the figure's."""
    described = "; ".join(
        f"{block.label}: {_amount(share)}" for block, share in zip(level.blocks, shares_of(level, asked), strict=True)
    )
    return svg.figure(
        name,
        f"{level.title}, {name_of(asked)}",
        f"{described}.",
        drawing(level, asked, home),
        _caption(level, asked),
        role="group",
        link=link,
    )


def _caption(level: Level, asked: Question) -> str:
    """What the areas mean, how far this picture is magnified, and what the marks are."""
    size, total = count(asked.model, model_class=asked.model_class), total_of(level, asked)
    tenths = (20 * size + total) // (2 * total)
    scale = f", magnified {whole(tenths // 10)}.{tenths % 10} times"
    thin = any(_is_thin(tile) for group in _placed(level, asked) for tile in group)
    marks = THIN_WORDS if thin else ""
    return f"{PHRASES['to-scale']}{scale if level.path else ''}.{_other_colours(level, asked)}{marks}"


def _other_colours(level: Level, asked: Question) -> str:
    """Names for what is drawn within blocks in other colours than theirs."""
    named = [
        f'<i class="bc-key bc-{inner.style}"></i>{inner.label}'
        for block, group in zip(level.blocks, _placed(level, asked), strict=True)
        for inner, _, _ in _within(block, group, asked)
    ]
    if not named:
        return ""
    # The full stop stands within the last of them: a figure that becomes a file would have a space before it.
    named[-1] += "."
    return f" {PHRASES['within-layers']}" + "".join(f' <span class="bc-joined">{each}</span>' for each in named)


def drawing(level: Level, asked: Question, home: str) -> str:
    """The picture itself: one link for each kind of block."""
    placed = _placed(level, asked)
    low = [level.split == ROWS and _is_thin(group[0]) for group in placed]
    leans = [here * (under - over) for over, here, under in zip([0, *low[:-1]], low, [*low[1:], 0], strict=True)]
    groups = [
        _group(block, share, group, asked, home, _attribute(level, block, asked, home), lean)
        for block, share, group, lean in zip(level.blocks, shares_of(level, asked), placed, leans, strict=True)
    ]
    return f'<svg class="bc-map">{"".join(groups)}</svg>'


def _placed(level: Level, asked: Question, within: Tile = WHOLE) -> list[list[Tile]]:
    return tiles(level.split, shares_of(level, asked), within)


def _is_thin(tile: Tile) -> bool:
    return min(tile.width, tile.height) < THIN


def _group(block: Block, share: Share, group: list[Tile], asked: Question, home: str, attribute: str, lean: int) -> str:
    """All blocks of a kind as one link: their areas, what is within them, their names and numbers.

    What each area counts stands in the `data-value` of the nearest element around it.
    """
    inner = _within(block, group, asked)
    if share.times > MOST_DRAWN and group[0].y == group[-1].y:
        drawn = _many(block, share, group)
    elif inner:
        # A name across the edge between two colours is hard to read, and a number within one would be taken for its.
        _, _, largest = max(inner, key=lambda each: each[1].each)
        labels = (name_alone(_name(block, place), tile) for place, tile in enumerate(largest))
        drawn = "".join([_inside(inner), *map(rectangle, group), *labels])
    else:
        labels = (label_of(_name(block, place), whole(share.each), tile) for place, tile in enumerate(group))
        drawn = "".join([*map(rectangle, group), *labels])
    thin = _is_thin(group[0])
    return (
        f'<a href="{leads_to(block, home)}" class="bc-{block.style}{" bc-thin" if thin else ""}"'
        f' data-value="{share.each}"{attribute}><title>{block.label}: {_amount(share)}</title>{drawn}'
        f"{mark_of(group[-1], lean) if thin else ''}</a>"
    )


def _attribute(level: Level, block: Block, asked: Question, home: str) -> str:
    """On the map the address of a tensor, which only scripts show; elsewhere the paths of what a block counts.

    There are sums there that it belongs to.
    """
    if home.startswith("#"):
        return f' data-tensor="{home}/{path_below(level, block)}"' if block.cells else ""
    (line,) = sum_lines(asked.at(block.part, block.tag), 1)
    return svg.part_of(*line.paths)


def _many(block: Block, share: Share, group: list[Tile]) -> str:
    """Blocks side by side that are too many for a rectangle each: one for all, and the lines between them."""
    first, last = group[0], group[-1]
    area = Tile(first.x, first.y, last.x + last.width - first.x, first.height)
    lines = "".join(f"M{place} 0v1" for place in range(1, share.times))
    return (
        f'<g data-value="{share.each * share.times}">{rectangle(area)}</g>'
        f'<svg{_place(area)} viewBox="0 0 {share.times} 1"'
        f' preserveAspectRatio="none"><path d="{lines}" class="bc-between"/></svg>'
        f"{label_of(block.label, _amount(share), area)}"
    )


def leads_to(block: Block, home: str) -> str:
    """Where a block leads: to its own level, or to the page that explains it."""
    return f"{home}/{block.to}" if block.to else f"{pages.ROOT}{block.page}"


def areas(group: list[Tile], style: str, value: int, *, marked: bool) -> str:
    """Areas that lead nowhere; thin ones get their marks if asked for."""
    thin = _is_thin(group[0])
    marks = "".join(map(mark_of, group)) if thin and marked else ""
    drawn = "".join(map(rectangle, group))
    return f'<g class="bc-{style}{" bc-thin" if thin else ""}" data-value="{value}">{drawn}{marks}</g>'


def rectangle(tile: Tile) -> str:
    """A tile as an element."""
    return f"<rect{_place(tile)}/>"


def _place(tile: Tile) -> str:
    """Edges and sizes as attributes; an edge at zero needs none."""
    numbers = zip(("x", "y", "width", "height"), map(_percent, tile), strict=True)
    return "".join(f' {name}="{number}%"' for name, number in numbers if number != "0")


def _inside(inner: list[tuple[Block, Share, list[Tile]]]) -> str:
    """What the block's own level shows in other colours."""
    return "".join(
        f'<g class="bc-{each.style}" data-value="{share.each}">{"".join(map(rectangle, found))}</g>'
        for each, share, found in inner
    )


def _within(block: Block, group: list[Tile], asked: Question) -> list[tuple[Block, Share, list[Tile]]]:
    """The blocks within each of a group that have another colour and are not too thin to see."""
    if not block.to:
        return []
    level = level_at(block.to)
    placed = [_placed(level, asked, tile) for tile in group]
    return [
        (inner, share, [tile for each in placed for tile in each[place]])
        for place, (inner, share) in enumerate(zip(level.blocks, shares_of(level, asked), strict=True))
        if inner.style != block.style and not any(_is_thin(tile) for each in placed for tile in each[place])
    ]


def _room_for(name: str, number: str) -> float:
    """How wide a block has to be for a name above a number to stay within it."""
    return max(LETTER * len(name), DIGIT * len(number))


def label_of(name: str, number: str, tile: Tile) -> str:
    """Name and number in the middle of a block, one above the other or upright, where there is room."""
    x, y = _percent(tile.x + tile.width / 2), _percent(tile.y + tile.height / 2)
    if tile.width >= _room_for(name, number) and tile.height >= LOW:
        return f'<text x="{x}%" y="{y}%">{name}<tspan x="{x}%" dy="1.3em">{number}</tspan></text>'
    if tile.width >= 4.5 and tile.height >= 30:
        return f'<text x="{x}%" y="{y}%" class="bc-upright">{name} · {number}</text>'
    return ""


def name_alone(name: str, tile: Tile) -> str:
    """A name in the middle of a block, where there is room."""
    x, y = _percent(tile.x + tile.width / 2), _percent(tile.y + tile.height / 2)
    fits = tile.width >= _room_for(name, "") and tile.height >= LOWEST
    return f'<text x="{x}%" y="{y}%" dominant-baseline="central">{name}</text>' if fits else ""


def _name(block: Block, place: int) -> str:
    """The name of one block of its kind: its own, or that of its kind with its place."""
    if len(block.names) == 1:
        return f"{block.names[0]} {place}"
    return block.names[place] if block.names else block.label


def mark_of(tile: Tile, lean: int = 0) -> str:
    """A triangle at the top of a narrow block, or at the right of a low one, that points to it.

    Two low blocks, one on the other, have half a triangle each: the upper one (`lean` is 1) above its tip, the lower
    one (-1) below it. So neither hides the other.
    """
    if tile.width < THIN:
        x, y, points = _percent(tile.x + tile.width / 2), _percent(tile.y), "M0 0l-5 -8h10z"
    else:
        x, y, points = _percent(tile.x + tile.width), _percent(tile.y + tile.height / 2), TIPS[lean]
    return f'<svg x="{x}%" y="{y}%" class="bc-mark"><path d="{points}"/></svg>'


def _percent(value: float) -> str:
    return f"{value:.{PLACES}f}".rstrip("0").rstrip(".")


def _amount(share: Share) -> str:
    """`12 × 7,087,872`, or the number alone."""
    return f"{whole(share.times)} × {whole(share.each)}" if share.times > 1 else whole(share.each)


def sum_of(level: Level, asked: Question, home: str) -> str:
    """The sum that a level shows; each term is named and leads where its block leads."""
    terms = [
        f'<a href="{leads_to(block, home)}"{_attribute(level, block, asked, home)}><small>'
        f'<i class="{KEYS[_is_thin(group[0])]} bc-{block.style}"></i>{block.label}</small> {_amount(share)}</a>'
        for block, share, group in zip(level.blocks, shares_of(level, asked), _placed(level, asked), strict=True)
    ]
    total = total_of(level, asked)
    result = f'<span>= <strong data-value="{total}">{whole(total)}</strong></span>'
    listed = "</span> <span>+ ".join(terms)  # a sign stays with the term after it
    return f'<p class="bc-level-sum" data-result="{whole(total)} parameters"><span>{listed}</span> {result}</p>'


def _trail(level: Level, asked: Question, root: str) -> str:
    """The sums of the levels above, the whole model first, each with the term marked that leads on."""
    lines = "".join(_step(upper, towards, asked, root) for upper, towards in above(level))
    return f'<ol class="bc-trail" aria-label="Levels above">{lines}</ol>' if lines else ""


def _step(upper: Level, towards: Block, asked: Question, root: str) -> str:
    terms = [
        f"<mark>{_amount(share)}</mark>" if block == towards else _amount(share)
        for block, share in zip(upper.blocks, shares_of(upper, asked), strict=True)
    ]
    first, *signed = [terms[0], *(f"+ {each}" for each in terms[1:]), f"= {whole(total_of(upper, asked))}"]
    # Of most models a script shows it, which is not published as a page is: so no line ends with a sign there, either.
    sum_shown = " ".join([first, *(f'<span class="bc-joined">{each}</span>' for each in signed)])
    return f'<li><a href="#{at(root, upper.path)}">{upper.title}</a> <span>{sum_shown}</span></li>'
