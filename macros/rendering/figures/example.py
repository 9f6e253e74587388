"""Drawings of what each part of BERT base does to one sentence, for pages that explain a part before they count it.

Ids, rows of the word table and shapes are real. The numbers in cells are made up,
as each caption says, and small enough for mental arithmetic.

Coordinates are pixels of the drawing itself. Halves, such as in `y + 16.5`, put
the baseline of a text where the text looks centred in its box.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..components import svg
from ..components.asking import ask
from ..components.example import Token, example
from ..components.numbers import MINUS, whole

MADE_UP = "The numbers in the cells are made up; "
"""The beginning of the captions of drawings with made-up numbers."""

WIDTH, MATRIX_SIDE, CELL_HEIGHT, CELL_WIDTH = 350, 78, 24, 38
"""Pixels: the width of a drawing, which fits a phone at full size; the side that stands for H; the size of a cell."""

WORD, POSITION, SEGMENT = (3, 1, 4, 2), (0, 2, -1, 1), (1, 0, 0, -1)
"""Made up: the first numbers of one row of each table."""

SHARES = (5, 15, 20, 55, 5)
"""Made up: the shares of each token's value that the chosen token takes in one head, as percentages."""


def shape(*dimensions: int) -> str:
    """A shape in print: `1 × 768`."""
    return " × ".join(map(whole, dimensions))


def rows(name: str) -> str:
    """The tokens of the sentence, and the rows of the word table that they pick, among their real neighbours."""
    sizes, sample = ask().sizes, example()
    row_height, left, right = 20, 96, 176
    body = [
        svg.text(0, 14, "position, token", anchor="start"),
        svg.text(right, 14, f"word table, {shape(sizes['V'], sizes['H'])}", anchor="start"),
    ]
    row_middles, y = {}, 26
    for after_gap, entry in _slice(sample.tokens):
        if after_gap:
            body.append(svg.text(right + 22, y + 14, "⋮"))
            y += row_height
        is_token = entry in [token.text for token in sample.tokens]
        body.append(
            svg.box(right + 50, y + 2, WIDTH - right - 50, row_height - 4, "embeddings" if is_token else "cell")
        )
        number = _ids(sample.tokens)[entry]
        style = "strong" if is_token else "label"
        body.append(svg.text(right + 42, y + 14.5, str(number), anchor="end", style=style))
        body.append(svg.text(right + 56, y + 14.5, entry, anchor="start", style=style))
        row_middles[entry] = y + row_height / 2
        y += row_height
    body.append(svg.text(right + 22, y + 14, "⋮"))
    spacing = (y - 26) / len(sample.tokens)
    for position, token in enumerate(sample.tokens):
        middle = 26 + spacing * (position + 0.5)
        body.append(svg.box(24, middle - 13, left - 24, 26, "step"))
        body.append(svg.text(8, middle + 4.5, str(position)))
        body.append(svg.text((24 + left) / 2, middle + 4.5, token.text, style="strong"))
        end = row_middles[token.text]
        body.append(svg.path(f"M{left} {middle:g}C{left + 36} {middle:g} {right - 40} {end:g} {right - 4} {end:g}"))
    token_rows = ", ".join(f"{token.text} row {token.id}" for token in sample.tokens)
    return svg.figure(
        name,
        f"The tokens of “{sample.sentence}”, and the rows they pick",
        f"{len(sample.tokens)} tokens at the left, each with a line to its row of the word table at the right: "
        f"{token_rows}. Beside each row are its neighbours in the table.",
        svg.canvas(WIDTH, y + 20, "".join(body)),
        f"“{sample.sentence}” becomes {len(sample.tokens)} tokens, and the id of each is the number of its row. "
        f"Ids and neighbours are those of "
        f'<a href="{sample.source}">the vocabulary of {sample.vocabulary}</a>. Rows are in the order of that file, '
        "which says nothing about what they mean; the dots stand for rows that are not drawn. "
        "A token that begins with ## continues a word.",
    )


def _ids(tokens: Sequence[Token]) -> dict[str, int]:
    """The ids of the tokens and of their neighbours in the table.

    Neighbours outside ASCII are left out, as many fonts lack them.
    """
    return {
        text: token.id + step
        for token in tokens
        for step, text in ((-1, token.before), (0, token.text), (1, token.after))
        if text.isascii()
    }


def _slice(tokens: Sequence[Token]) -> list[tuple[bool, str]]:
    """The tokens and their neighbours in the order of the table, each after a flag for rows left out before it."""
    ids = sorted((number, text) for text, number in _ids(tokens).items())
    previous = [None, *(number for number, _ in ids)]
    return [(number - 1 != last, text) for last, (number, text) in zip(previous, ids, strict=False)]


def cells(x: float, y: float, values: Sequence[int | str], style: str, width: float = CELL_WIDTH) -> str:
    """Cells side by side, each with a value in it; an empty string leaves its cell empty."""
    pieces = []
    for index, value in enumerate(values):
        left, number = x + index * width, str(value).replace("-", MINUS)
        pieces.append(svg.box(left, y, width, CELL_HEIGHT, style))
        pieces.append(svg.text(left + width / 2, y + 16.5, number) if number else "")
    return "".join(pieces)


def embeddings(name: str) -> str:
    """The steps to the vector of the chosen token: one row of each table, their sum, and LayerNorm."""
    sizes, sample = ask().sizes, example()
    token, left = sample.tokens[sample.chosen], 138
    dots = left + 4 * CELL_WIDTH + 12
    body = [svg.text(left, 14, f"{whole(sizes['H'])} columns each", anchor="start")]
    tables = (
        (f"word row {token.id}", WORD),
        (f"position row {sample.chosen}", POSITION),
        ("segment row 0", SEGMENT),
    )
    y = 24
    for index, (label, values) in enumerate(tables):
        body += [
            svg.text(left - 12, y + 16.5, f"+ {label}" if index else label, anchor="end"),
            cells(left, y, values, "embeddings"),
            svg.text(dots, y + 16, "…"),
        ]
        y += CELL_HEIGHT + 6
    totals = [sum(cell) for cell in zip(WORD, POSITION, SEGMENT, strict=True)]
    body += [
        svg.path(f"M0 {y + 1}H{dots + 12}"),
        svg.text(left - 12, y + 24.5, "= sum", anchor="end"),
        cells(left, y + 8, totals, "cell"),
        svg.text(dots, y + 24, "…"),
    ]
    y += CELL_HEIGHT + 8
    middle = left + 2 * CELL_WIDTH
    body += [
        svg.arrow(f"M{middle} {y}v14", middle, y + 18),
        step(middle, y + 18, 152, "LayerNorm"),
        svg.arrow(f"M{middle} {y + 46}v14", middle, y + 64),
    ]
    y += 64
    body += [
        svg.text(left - 12, y + 16.5, f"vector of “{token.text}”", anchor="end"),
        cells(left, y, [""] * 4, "cell"),
        svg.text(dots, y + 16, "…"),
    ]
    sums = ", ".join(
        f"{first}{_more(second)}{_more(third)} = {total}"
        for first, second, third, total in zip(WORD, POSITION, SEGMENT, totals, strict=True)
    )
    return svg.figure(
        name,
        f"How “{token.text}” becomes a vector",
        f"Row {token.id} of the word table, row {sample.chosen} of the position table and row 0 of the segment table "
        f"are added cell by cell: {sums}, and so on. LayerNorm rescales the sum.",
        svg.canvas(dots + 14, y + CELL_HEIGHT + 2, "".join(body)),
        f"{MADE_UP}the rows are those that “{token.text}” picks, at position {sample.chosen} of the first text. "
        f"For each token, one id goes in and a vector of {whole(sizes['H'])} numbers comes out.",
    )


def _more(number: int) -> str:
    """A further addend of a sum, with its sign: ` + 2`, ` − 1`."""
    return f" {MINUS if number < 0 else '+'} {abs(number)}"


def step(middle: float, y: float, width: float, words: str) -> str:
    """A step without parameters: its words in a rounded frame, centred at `middle`."""
    x = middle - width / 2
    frame = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="28" rx="14" class="bc-step"/>'
    return frame + svg.text(middle, y + 18.5, words)


def strip(x: float, y: float, width: float, style: str = "vector", height: float = 14) -> str:
    """A whole vector, drawn thicker than a row to scale so that it can be seen, with lines that suggest its cells."""
    cuts = "".join(f"M{x + width * eighth / 8:g} {y:g}v{height:g}" for eighth in range(1, 8))
    return svg.box(x, y, width, height, style) + f'<path d="{cuts}" class="bc-cut"/>'


def attention(name: str) -> str:
    """The four matrix products of one token in self-attention, each with its input and its output."""
    width, sample = ask().sizes["H"], example()
    token = sample.tokens[sample.chosen].text
    vector, square = shape(1, width), shape(width, width)
    lines = (
        (f"“{token}”", "query", "query:", "to ask"),
        (f"“{token}”", "key", "key:", "to answer"),
        (f"“{token}”", "value", "value:", "to give"),
        ("what it got", "output", "added", f"to “{token}”"),
    )
    body, y = [], 1.0
    for source, matrix, result, purpose in lines:
        middle = y + MATRIX_SIDE / 2
        body += [
            svg.text(MATRIX_SIDE / 2, middle - 14, source),
            strip(0, middle - 7, MATRIX_SIDE),
            svg.text(MATRIX_SIDE / 2, middle + 22, vector),
            svg.text(MATRIX_SIDE + 8, middle + 4.5, "×"),
            svg.box(MATRIX_SIDE + 16, y, MATRIX_SIDE, MATRIX_SIDE, "self-attention"),
            svg.text(MATRIX_SIDE + 16 + MATRIX_SIDE / 2, middle - 6, matrix, style="strong"),
            svg.text(MATRIX_SIDE + 16 + MATRIX_SIDE / 2, middle + 14, square),
            svg.text(2 * MATRIX_SIDE + 24, middle + 4.5, "="),
            strip(2 * MATRIX_SIDE + 32, middle - 7, MATRIX_SIDE),
            svg.text(2 * MATRIX_SIDE + 32 + MATRIX_SIDE / 2, middle + 22, vector),
            svg.text(3 * MATRIX_SIDE + 39, middle - 3, result, anchor="start", style="strong"),
            svg.text(3 * MATRIX_SIDE + 39, middle + 14, purpose, anchor="start"),
        ]
        y += MATRIX_SIDE + 12
    return svg.figure(
        name,
        f"The products of “{token}” in self-attention",
        f"The vector of {token}, {vector}, is multiplied by the query, the key and the value matrix, each {square}, "
        f"which gives a query, a key and a value of {vector}. "
        f"What it has received from all tokens, {vector}, is multiplied by the output matrix, {square}.",
        svg.canvas(WIDTH, y - 11, "".join(body)),
        f"What happens to “{token}” in the self-attention of one layer of BERT base: {len(lines)} products, each of a "
        f"vector and a matrix. After each product, a bias of {whole(width)} numbers is added, which is not drawn. "
        "A vector is a single row; here it is a thick strip so that you can see it.",
    )


def asking(name: str) -> str:
    """Bars for the share of each token's value that the chosen token takes in one head."""
    sizes, sample = ask().sizes, example()
    chosen, head = sample.tokens[sample.chosen].text, sizes["H"] // sizes["A"]
    left, longest_bar, y = 80, 210, 26
    body = [
        svg.text(left - 10, 14, "key of", anchor="end"),
        svg.text(left, 14, f"how much of its value goes to “{chosen}”", anchor="start"),
    ]
    for token, share in zip(sample.tokens, SHARES, strict=True):
        length = longest_bar * share / max(SHARES)
        body += [
            svg.text(left - 10, y + 15.5, token.text, anchor="end"),
            svg.box(left, y, length, 22, "weight"),
            svg.text(left + length + 8, y + 15.5, f"{share}%", anchor="start"),
        ]
        y += 28
    return svg.figure(
        name,
        f"What “{chosen}” takes from each token",
        "; ".join(f"{token.text} {share}%" for token, share in zip(sample.tokens, SHARES, strict=True)),
        svg.canvas(WIDTH, y, "".join(body)),
        f"One head of one layer; the shares are made up. For each share, the query of “{chosen}” and the key of one "
        f"token, {whole(head)} numbers each in BERT base, are multiplied cell by cell, and the products are added up; "
        f"the sums are divided by √{head}, and softmax turns them into shares that add up to {sum(SHARES)}%.",
    )


def feed_forward(name: str) -> str:
    """The vector of one token, widened from H to F and narrowed again, all widths to the same scale."""
    sizes, sample = ask().sizes, example()
    token, width, inner = sample.tokens[sample.chosen].text, sizes["H"], sizes["F"]
    widest = 330.0  # a little less than the drawing, so that the widest strip has a margin
    unit = widest / max(width, inner)
    middle, outer_length, inner_length, height = WIDTH / 2, width * unit, inner * unit, 58

    def funnel(y: float, above: float, below: float, *words: str) -> str:
        """A trapezium for a matrix, as wide as its input above and as its output below, with words in it."""
        points = f"M{middle - above / 2:g} {y:g}h{above:g}L{middle + below / 2:g} {y + height:g}h{-below:g}z"
        texts = (
            svg.text(middle, y + 26 + 17 * index, line, style="strong" if index == 0 else "label")
            for index, line in enumerate(words)
        )
        return f'<path d="{points}" class="bc-funnel bc-feed-forward"/>' + "".join(texts)

    body = [
        svg.text(middle, 13, f"“{token}”, after attention: {shape(1, width)}"),
        strip(middle - outer_length / 2, 20, outer_length),
        funnel(38, outer_length, inner_length, "intermediate", shape(width, inner)),
        strip(middle - inner_length / 2, 100, inner_length),
        step(middle, 122, 190, f"GELU on {shape(1, inner)}"),
        strip(middle - inner_length / 2, 158, inner_length),
        funnel(176, inner_length, outer_length, "output", shape(inner, width)),
        strip(middle - outer_length / 2, 238, outer_length),
        svg.text(middle, 270, f"added to “{token}”: {shape(1, width)}"),
    ]
    return svg.figure(
        name,
        f"The feed-forward network on “{token}”",
        f"A vector of {shape(1, width)} is multiplied by a matrix of {shape(width, inner)}, "
        f"which gives {shape(1, inner)}; GELU changes each number by itself; "
        f"a matrix of {shape(inner, width)} brings it back to {shape(1, width)}.",
        svg.canvas(WIDTH, 276, "".join(body)),
        "One token in one layer of BERT base. A strip is a vector; its width shows how many numbers it has. "
        "The bias that is added after each product is not drawn.",
    )


NORM = ((6, 2, 6, 2), (2, 1, 3, 1), (0, 1, -1, 2))
"""Made up: features, gamma and beta of a LayerNorm, chosen so that mean and standard deviation are whole numbers."""


def layer_norm(name: str) -> str:
    """LayerNorm worked out on a vector short enough to follow."""
    features, gamma, beta = NORM
    width, sample = ask().sizes["H"], example()
    mean = sum(features) // len(features)
    centred = [value - mean for value in features]
    deviation = round((sum(value * value for value in centred) / len(features)) ** 0.5)
    scaled = [value // deviation for value in centred]
    stretched = [value * scale for value, scale in zip(scaled, gamma, strict=True)]
    outputs = [value + shift for value, shift in zip(stretched, beta, strict=True)]
    left = 192
    lines: tuple[tuple[str, str, Sequence[int], str], ...] = (
        ("", "x, the input", features, "cell"),
        (MINUS, f"the mean, {mean}", centred, "cell"),
        ("÷", f"the standard deviation, {deviation}", scaled, "cell"),
        ("×", "gamma", gamma, "encoder-norms"),
        ("=", "", stretched, "cell"),
        ("+", "beta", beta, "encoder-norms"),
        ("=", "y, the output", outputs, "cell"),
    )
    body = []
    for index, (sign, label, values, style) in enumerate(lines):
        y = index * (CELL_HEIGHT + 7) + 1
        body += [svg.text(left - 12, y + 16.5, f"{sign} {label}".strip(), anchor="end"), cells(left, y, values, style)]
    return svg.figure(
        name,
        "LayerNorm, worked out on a short vector",
        f"x is {_series(features)}. Subtracting its mean, {mean}, gives {_series(centred)}; dividing by its standard "
        f"deviation, {deviation}, gives {_series(scaled)}; multiplying by gamma, {_series(gamma)}, gives "
        f"{_series(stretched)}; adding beta, {_series(beta)}, gives {_series(outputs)}.",
        svg.canvas(left + 4 * CELL_WIDTH + 2, len(lines) * (CELL_HEIGHT + 7) - 4, "".join(body)),
        f"{MADE_UP}{len(features)} features stand for the {whole(width)} of “{sample.tokens[sample.chosen].text}”. "
        "Only gamma and beta, in colour, are parameters. "
        "Epsilon, which only keeps the divisor from being zero, is left out.",
    )


def _series(values: Sequence[int]) -> str:
    """Numbers in a sentence, separated by commas."""
    return ", ".join(map(str, values)).replace("-", MINUS)


def token_strips(x: float, top: float, width: float, with_labels: bool, spacing: int = 30) -> str:
    """The vectors of all tokens of the sentence, one below the other, `spacing` pixels from top to top."""
    pieces = []
    for index, token in enumerate(example().tokens):
        y = top + index * spacing
        pieces.append(strip(x, y, width))
        if with_labels:
            pieces.append(svg.text(x - 6, y + 11.5, token.text, anchor="end"))
    return "".join(pieces)


def layer(name: str) -> str:
    """The path through one layer: attention mixes all tokens, and the feed-forward network works on each one alone."""
    width, sample = ask().sizes["H"], example()
    number, top, strip_width, spacing = len(sample.tokens), 48, 56, 30
    xs = (44, 166, 288)  # the left edges of the three columns of strips
    middles = [top + 7 + index * spacing for index in range(number)]
    mixing = "".join(f"M{xs[0] + strip_width} {one:g}L{xs[1]} {other:g}" for one in middles for other in middles)
    arrows = "".join(svg.arrow(f"M{xs[1] + strip_width} {y:g}H{xs[2] - 4}", xs[2], y, "right") for y in middles)
    body = [
        svg.text((xs[0] + strip_width + xs[1]) / 2, 14, "self-attention", style="strong"),
        svg.text((xs[0] + strip_width + xs[1]) / 2, 31, "from all to all"),
        svg.text((xs[1] + strip_width + xs[2]) / 2, 14, "feed-forward", style="strong"),
        svg.text((xs[1] + strip_width + xs[2]) / 2, 31, "each alone"),
        svg.path(mixing),
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
        f"{number} vectors go in, and {number} vectors of the same length come out. Not drawn: after each step, its "
        "input is added and a LayerNorm follows.",
    )


def pooler(name: str) -> str:
    """The pooler, which reads the vector of the first token and no other."""
    width, sample = ask().sizes["H"], example()
    top, x, square = 26, 48, MATRIX_SIDE
    matrix = x + MATRIX_SIDE + 34
    body = [
        svg.text(x + MATRIX_SIDE / 2, 14, f"last layer: {shape(len(sample.tokens), width)}"),
        token_strips(x, top, MATRIX_SIDE, True),
        svg.arrow(f"M{x + MATRIX_SIDE + 2} {top + 7}h{28}", matrix - 2, top + 7, "right"),
        svg.box(matrix, top - 2, square, square, "pooler"),
        svg.text(matrix + square / 2, top + 28, "pooler", style="strong"),
        svg.text(matrix + square / 2, top + 48, shape(width, width)),
        svg.arrow(f"M{matrix + square + 2} {top + 7}h{20}", matrix + square + 26, top + 7, "right"),
        strip(matrix + square + 28, top, MATRIX_SIDE),
        svg.text(matrix + square + 28 + MATRIX_SIDE / 2, top + 31, shape(1, width)),
        svg.text(matrix + square + 28 + MATRIX_SIDE / 2, top + 50, "after tanh"),
    ]
    return svg.figure(
        name,
        f"What the pooler reads of “{sample.sentence}”",
        f"{len(sample.tokens)} vectors come out of the last layer. An arrow leads from the first, "
        f"{sample.tokens[0].text}, to the pooler, a matrix of {shape(width, width)}, "
        f"and from there to one vector of {shape(1, width)}.",
        svg.canvas(WIDTH, top + len(sample.tokens) * 30 - 10, "".join(body)),
        f"The pooler multiplies the first vector, that of {sample.tokens[0].text}, by its matrix, adds a bias and "
        "applies tanh. It reads no other vector, but this one has collected information from all the others in every "
        "layer.",
    )


SMALL = ((1, 2, 3), ((1, 0), (2, 1), (0, 3)), (1, -1))
"""Made up: a vector, a matrix and a bias."""


def parameter(name: str) -> str:
    """A small dense layer: which of its numbers are parameters, with one output worked out."""
    vector, matrix, bias = SMALL
    out = [
        sum(x * row[column] for x, row in zip(vector, matrix, strict=True)) + bias[column]
        for column in range(len(bias))
    ]
    left, right = 0, 156
    height = len(matrix) * CELL_HEIGHT
    body = [
        svg.text(left + 1.5 * CELL_WIDTH, 14, "x, the input"),
        cells(left, 24 + CELL_HEIGHT, vector, "cell"),
        svg.text(right - 18, 24 + CELL_HEIGHT + 16.5, "×"),
        svg.text(right + CELL_WIDTH, 14, "W, the matrix"),
        *(cells(right, 24 + index * CELL_HEIGHT, row, "weight") for index, row in enumerate(matrix)),
        svg.text(right - 18, 24 + height + 26.5, "+"),
        cells(right, 24 + height + 10, bias, "weight"),
        svg.text(right + 2 * CELL_WIDTH + 10, 24 + height + 26.5, "b, the bias", anchor="start"),
        svg.text(right - 18, 24 + height + 68.5, "="),
        cells(right, 24 + height + 52, out, "cell"),
        svg.text(right + 2 * CELL_WIDTH + 10, 24 + height + 68.5, "y, the output", anchor="start"),
        svg.path(f"M{right - 28} {24 + height + 43}H{WIDTH}"),
        svg.text(right + 2 * CELL_WIDTH + 10, 24 + height / 2 + 4.5, shape(len(vector), len(bias)), anchor="start"),
    ]
    products = " + ".join(f"{x} × {row[0]}" for x, row in zip(vector, matrix, strict=True))
    count = len(vector) * len(bias) + len(bias)
    return svg.figure(
        name,
        "A dense layer, and which of its numbers are parameters",
        f"A vector of {len(vector)} numbers times a matrix of {shape(len(vector), len(bias))}, "
        f"plus a bias of {len(bias)}, gives {len(bias)} numbers. The cells of matrix and bias are parameters.",
        svg.canvas(WIDTH, 24 + height + 52 + CELL_HEIGHT + 2, "".join(body)),
        f"{MADE_UP}the first output is {products} + {bias[0]} = {out[0]}. The filled cells stay the same "
        f"for every text: they are the parameters, {shape(len(vector), len(bias))} + {len(bias)} = {count} of them. "
        "The inputs and outputs are computed anew for each text and are not counted.",
    )
