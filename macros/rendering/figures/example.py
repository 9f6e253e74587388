"""Drawings of the effect of parts of BERT base on one sentence, for pages that explain a part before counting it.

Ids, rows of the word table and shapes are those of BERT base. `toy.py` draws the same steps
with the numbers of a model that is small enough to compute by hand.

Coordinates are in pixels, from the top left corner of the drawing. Half pixels, as in
`y + 14.5`, make text look vertically centred in its box.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..components import svg
from ..components.asking import ask
from ..components.example import Token, example
from ..components.numbers import whole

WIDTH = 350
"""The width of a drawing in pixels, which fits on a phone without scaling."""


def shape(*dimensions: int) -> str:
    """The text of a shape: `1 × 768`."""
    return " × ".join(map(whole, dimensions))


def rows(name: str) -> str:
    """The tokens of the sentence and their rows in the word table, among their real neighbours."""
    sizes = ask().sizes
    sample = example()
    top = 26
    tokens_right = 96
    table_left = 176
    body = [
        svg.text(0, 14, "position, token", anchor="start"),
        svg.text(table_left, 14, f"word table, {shape(sizes['V'], sizes['H'])}", anchor="start"),
    ]
    table_rows, row_middles, bottom = _word_table(sample.tokens, table_left, top)
    body += table_rows
    spacing = (bottom - top) / len(sample.tokens)
    for position, token in enumerate(sample.tokens):
        middle = top + spacing * (position + 0.5)
        body.append(svg.box(24, middle - 13, tokens_right - 24, 26, "step"))
        body.append(svg.text(8, middle + 4.5, str(position)))
        body.append(svg.text((24 + tokens_right) / 2, middle + 4.5, token.text, style="strong"))
        end = row_middles[token.text]
        curve = f"C{tokens_right + 36} {middle:g} {table_left - 40} {end:g} {table_left - 4} {end:g}"
        body.append(svg.path(f"M{tokens_right} {middle:g}{curve}"))
    token_rows = ", ".join(f"{token.text} row {token.id}" for token in sample.tokens)
    return svg.figure(
        name,
        f"The tokens of “{sample.sentence}”, and the rows they pick",
        f"{len(sample.tokens)} tokens on the left, each with a line to its row of the word table on the right: "
        f"{token_rows}. Beside each row are its neighbours in the table.",
        svg.canvas(WIDTH, bottom + 20, "".join(body)),
        f"“{sample.sentence}” becomes {len(sample.tokens)} tokens, and the id of each is the number of its row. "
        f"Ids and neighbours are those of "
        f'<a href="{sample.source}">the vocabulary of {sample.vocabulary}</a>. Rows are in the file\'s order, '
        "which says nothing about their meaning; the dots stand for rows that are not drawn. "
        "A token that begins with ## continues a word.",
    )


def _word_table(tokens: Sequence[Token], left: int, top: int) -> tuple[list[str], dict[str, float], int]:
    """The rows of the word table around the tokens.

    Returns:
        The elements, the vertical middle of each row by its text, and the position below the last row.
    """
    row_height = 20
    pieces = []
    row_middles = {}
    y = top
    for is_after_gap, row_text in _rows_to_draw(tokens):
        if is_after_gap:
            pieces.append(svg.text(left + 22, y + 14, "⋮"))
            y += row_height
        is_token = row_text in [token.text for token in tokens]
        box_style, text_style = ("embeddings", "strong") if is_token else ("cell", "label")
        pieces.append(svg.box(left + 50, y + 2, WIDTH - left - 50, row_height - 4, box_style))
        pieces.append(svg.text(left + 42, y + 14.5, str(_ids(tokens)[row_text]), anchor="end", style=text_style))
        pieces.append(svg.text(left + 56, y + 14.5, row_text, anchor="start", style=text_style))
        row_middles[row_text] = y + row_height / 2
        y += row_height
    pieces.append(svg.text(left + 22, y + 14, "⋮"))
    return pieces, row_middles, y


def _ids(tokens: Sequence[Token]) -> dict[str, int]:
    """The ids of the tokens and their neighbours in the table.

    Non-ASCII neighbours are left out because many fonts lack their characters.
    """
    return {
        text: token.id + distance
        for token in tokens
        for distance, text in ((-1, token.before), (0, token.text), (1, token.after))
        if text.isascii()
    }


def _rows_to_draw(tokens: Sequence[Token]) -> list[tuple[bool, str]]:
    """The tokens and their neighbours in the order of the table.

    Before each is a flag, which is True if rows above it are omitted.
    """
    ids = sorted((number, text) for text, number in _ids(tokens).items())
    previous_ids = [None, *(number for number, _ in ids)]
    return [(number - 1 != previous, text) for previous, (number, text) in zip(previous_ids, ids, strict=False)]


def step(middle: float, y: float, width: float, words: str) -> str:
    """A step without parameters: its text in a rounded frame, centred horizontally at `middle`."""
    x = middle - width / 2
    frame = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="28" rx="14" class="bc-step"/>'
    return frame + svg.text(middle, y + 18.5, words)


STRIP_HEIGHT = 14
"""The height of a vector that is drawn as a strip, in pixels."""


def strip(x: float, y: float, width: float) -> str:
    """A vector as a strip with its top left corner at (x, y); dividing lines suggest cells."""
    cuts = "".join(f"M{x + width * eighth / 8:g} {y:g}v{STRIP_HEIGHT}" for eighth in range(1, 8))
    return svg.box(x, y, width, STRIP_HEIGHT, "vector") + f'<path d="{cuts}" class="bc-cut"/>'


def feed_forward(name: str) -> str:
    """The vector of one token, widened from H to F and narrowed again, with all widths to the same scale."""
    sizes = ask().sizes
    sample = example()
    token_text = sample.tokens[sample.followed_index].text
    width = sizes["H"]
    inner_width = sizes["F"]
    widest = 330.0  # a little less than the drawing, so that the widest strip has a margin
    unit = widest / max(width, inner_width)
    middle = WIDTH / 2
    outer_length = width * unit
    inner_length = inner_width * unit
    body = [
        svg.text(middle, 13, f"“{token_text}”, after attention: {shape(1, width)}"),
        strip(middle - outer_length / 2, 20, outer_length),
        _funnel(38, outer_length, inner_length, "intermediate", shape(width, inner_width)),
        strip(middle - inner_length / 2, 100, inner_length),
        step(middle, 122, 190, f"GELU on {shape(1, inner_width)}"),
        strip(middle - inner_length / 2, 158, inner_length),
        _funnel(176, inner_length, outer_length, "output", shape(inner_width, width)),
        strip(middle - outer_length / 2, 238, outer_length),
        svg.text(middle, 270, f"added to “{token_text}”: {shape(1, width)}"),
    ]
    return svg.figure(
        name,
        f"The feed-forward network on “{token_text}”",
        f"A vector of {shape(1, width)} is multiplied by a matrix of {shape(width, inner_width)}, "
        f"which gives {shape(1, inner_width)}; GELU changes each number by itself; "
        f"a matrix of {shape(inner_width, width)} brings it back to {shape(1, width)}.",
        svg.canvas(WIDTH, 276, "".join(body)),
        "One token in one layer of BERT base. A strip is a vector; its width shows how many numbers it has. "
        "The bias that is added after each product is not drawn.",
    )


def _funnel(y: float, input_length: float, output_length: float, name: str, matrix_shape: str) -> str:
    """A trapezium for a matrix, as wide as its input at the top and as its output at the bottom, with its name."""
    middle = WIDTH / 2
    top_edge = f"M{middle - input_length / 2:g} {y:g}h{input_length:g}"
    bottom_edge = f"L{middle + output_length / 2:g} {y + 58:g}h{-output_length:g}z"
    texts = svg.text(middle, y + 26, name, style="strong") + svg.text(middle, y + 43, matrix_shape)
    return f'<path d="{top_edge}{bottom_edge}" class="bc-funnel bc-feed-forward"/>{texts}'


def token_strips(x: float, top: float, width: float, has_labels: bool, spacing: int = 30) -> str:
    """The vectors of all tokens in the sentence, one below the other at a distance of `spacing` pixels."""
    pieces = []
    for index, token in enumerate(example().tokens):
        y = top + index * spacing
        pieces.append(strip(x, y, width))
        if has_labels:
            pieces.append(svg.text(x - 6, y + 11.5, token.text, anchor="end"))
    return "".join(pieces)


def layer(name: str) -> str:
    """The path through one layer: attention mixes all tokens; the feed-forward network processes each separately."""
    width = ask().sizes["H"]
    sample = example()
    number = len(sample.tokens)
    top = 48
    strip_width = 56
    spacing = 30
    xs = (44, 166, 288)  # the left edges of the three columns of strips
    middles = [top + 7 + index * spacing for index in range(number)]
    mixing_lines = "".join(f"M{xs[0] + strip_width} {start:g}L{xs[1]} {end:g}" for start in middles for end in middles)
    arrows = "".join(svg.arrow(f"M{xs[1] + strip_width} {y:g}H{xs[2] - 4}", xs[2], y, "right") for y in middles)
    body = [
        svg.text((xs[0] + strip_width + xs[1]) / 2, 14, "self-attention", style="strong"),
        svg.text((xs[0] + strip_width + xs[1]) / 2, 31, "from all to all"),
        svg.text((xs[1] + strip_width + xs[2]) / 2, 14, "feed-forward", style="strong"),
        svg.text((xs[1] + strip_width + xs[2]) / 2, 31, "each alone"),
        svg.path(mixing_lines),
        arrows,
        *(token_strips(x, top, strip_width, x == xs[0], spacing) for x in xs),
        *(
            svg.text(min(x + strip_width / 2, WIDTH - 28), top + number * spacing + 14, shape(number, width))
            for x in xs
        ),
    ]
    return svg.figure(
        name,
        f"One layer on “{sample.sentence}”",
        f"{number} vectors of {whole(width)} numbers go in. Lines lead from each of them to each of the next "
        f"{number}: self-attention. An arrow leads from each of these straight on: the feed-forward network.",
        svg.canvas(WIDTH, top + number * spacing + 20, "".join(body)),
        "A vector goes in for each token, and one of the same length comes out. Not drawn: after each step, its "
        "input is added and a LayerNorm follows.",
    )
