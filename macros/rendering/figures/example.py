"""Drawings of what each part of BERT base does to one sentence, for pages that explain a part before they count it.

Ids, rows of the word table and shapes are real. The numbers in cells are made
up: small enough to check in one's head, and each caption says that they are.

Coordinates are pixels of the drawing itself. Odd halves, such as `y + 16.5`,
place the baseline of a text so that it looks centred in its box.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..components import svg
from ..components.asking import ask
from ..components.example import Token, example
from ..components.numbers import MINUS, whole

MADE_UP = "The numbers in the cells are made up; "

WIDE, SIDE, ROW = 350, 78, 24
"""Pixels: the width of a drawing, which fits a phone at full size; the side that stands for H; the height of a cell."""

WORD, POSITION, SEGMENT = (3, 1, 4, 2), (0, 2, -1, 1), (1, 0, 0, -1)
"""Made up: the first numbers of one row of each table."""

SHARES = (5, 15, 20, 55, 5)
"""Made up: how much the chosen token takes from each token in one head, in per cent."""


def shape(*dimensions: int) -> str:
    """A shape in print: `1 × 768`."""
    return " × ".join(map(whole, dimensions))


def rows(name: str) -> str:
    """The tokens of the sentence, and the rows of the word table that they pick, among their real neighbours."""
    sizes, sample = ask().sizes, example()
    line, left, right = 20, 96, 176
    body = [
        svg.text(0, 14, "position, token", anchor="start"),
        svg.text(right, 14, f"word table, {shape(sizes['V'], sizes['H'])}", anchor="start"),
    ]
    places, y = {}, 26
    for after_gap, entry in _slice(sample.tokens):
        if after_gap:
            body.append(svg.text(right + 22, y + 14, "⋮"))
            y += line
        is_token = entry in [token.text for token in sample.tokens]
        body.append(svg.box(right + 50, y + 2, WIDE - right - 50, line - 4, "embeddings" if is_token else "cell"))
        number = _ids(sample.tokens)[entry]
        style = "strong" if is_token else "label"
        body.append(svg.text(right + 42, y + 14.5, str(number), anchor="end", style=style))
        body.append(svg.text(right + 56, y + 14.5, entry, anchor="start", style=style))
        places[entry] = y + line / 2
        y += line
    body.append(svg.text(right + 22, y + 14, "⋮"))
    apart = (y - 26) / len(sample.tokens)
    for position, token in enumerate(sample.tokens):
        middle = 26 + apart * (position + 0.5)
        body.append(svg.box(24, middle - 13, left - 24, 26, "step"))
        body.append(svg.text(8, middle + 4.5, str(position)))
        body.append(svg.text((24 + left) / 2, middle + 4.5, token.text, style="strong"))
        end = places[token.text]
        body.append(svg.path(f"M{left} {middle:g}C{left + 36} {middle:g} {right - 40} {end:g} {right - 4} {end:g}"))
    token_rows = ", ".join(f"{token.text} row {token.id}" for token in sample.tokens)
    return svg.figure(
        name,
        f"The tokens of “{sample.sentence}”, and the rows they pick",
        f"{len(sample.tokens)} tokens at the left, each with a line to its row of the word table at the right: "
        f"{token_rows}. Beside each row are its neighbours in the table.",
        svg.canvas(WIDE, y + 20, "".join(body)),
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
    """The tokens and their neighbours in the order of the table, each with whether rows are left out before it."""
    ids = sorted((number, text) for text, number in _ids(tokens).items())
    previous = [None, *(number for number, _ in ids)]
    return [(number - 1 != last, text) for last, (number, text) in zip(previous, ids, strict=False)]


def cells(x: float, y: float, values: Sequence[int | str], style: str, wide: float = 38) -> str:
    """Cells side by side, each with a value in it; an empty string leaves its cell empty."""
    pieces = []
    for place, value in enumerate(values):
        left, number = x + place * wide, str(value).replace("-", MINUS)
        pieces.append(svg.box(left, y, wide, ROW, style))
        pieces.append(svg.text(left + wide / 2, y + 16.5, number) if number else "")
    return "".join(pieces)


def embeddings(name: str) -> str:
    """How the chosen token gets its vector: one row of each table, added up and rescaled by LayerNorm."""
    sizes, sample = ask().sizes, example()
    token, left = sample.tokens[sample.chosen], 138
    dots = left + 4 * 38 + 12
    body = [svg.text(left, 14, f"{whole(sizes['H'])} columns each", anchor="start")]
    tables = (
        (f"word row {token.id}", WORD),
        (f"position row {sample.chosen}", POSITION),
        ("segment row 0", SEGMENT),
    )
    y = 24
    for place, (label, values) in enumerate(tables):
        body += [
            svg.text(left - 12, y + 16.5, f"+ {label}" if place else label, anchor="end"),
            cells(left, y, values, "embeddings"),
            svg.text(dots, y + 16, "…"),
        ]
        y += ROW + 6
    totals = [sum(cell) for cell in zip(WORD, POSITION, SEGMENT, strict=True)]
    body += [
        svg.path(f"M0 {y + 1}H{dots + 12}"),
        svg.text(left - 12, y + 24.5, "= sum", anchor="end"),
        cells(left, y + 8, totals, "cell"),
        svg.text(dots, y + 24, "…"),
    ]
    y += ROW + 8
    middle = left + 2 * 38
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
        svg.canvas(dots + 14, y + ROW + 2, "".join(body)),
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
    cuts = "".join(f"M{x + width * place / 8:g} {y:g}v{height:g}" for place in range(1, 8))
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
        middle = y + SIDE / 2
        body += [
            svg.text(SIDE / 2, middle - 14, source),
            strip(0, middle - 7, SIDE),
            svg.text(SIDE / 2, middle + 22, vector),
            svg.text(SIDE + 8, middle + 4.5, "×"),
            svg.box(SIDE + 16, y, SIDE, SIDE, "self-attention"),
            svg.text(SIDE + 16 + SIDE / 2, middle - 6, matrix, style="strong"),
            svg.text(SIDE + 16 + SIDE / 2, middle + 14, square),
            svg.text(2 * SIDE + 24, middle + 4.5, "="),
            strip(2 * SIDE + 32, middle - 7, SIDE),
            svg.text(2 * SIDE + 32 + SIDE / 2, middle + 22, vector),
            svg.text(3 * SIDE + 39, middle - 3, result, anchor="start", style="strong"),
            svg.text(3 * SIDE + 39, middle + 14, purpose, anchor="start"),
        ]
        y += SIDE + 12
    return svg.figure(
        name,
        f"The products of “{token}” in self-attention",
        f"The vector of {token}, {vector}, is multiplied by the query, the key and the value matrix, each {square}, "
        f"which gives a query, a key and a value of {vector}. "
        f"What it got from all tokens, {vector}, is multiplied by the output matrix, {square}.",
        svg.canvas(WIDE, y - 11, "".join(body)),
        f"What happens to “{token}” in the self-attention of one layer of BERT base: {len(lines)} products, each of a "
        f"vector and a matrix. After each product, a bias of {whole(width)} numbers is added, which is not drawn. "
        "A vector is a single row; here it is a thick strip so that you can see it.",
    )


def asking(name: str) -> str:
    """How much of each token's value the chosen token takes in one head, as bars."""
    sizes, sample = ask().sizes, example()
    chosen, head = sample.tokens[sample.chosen].text, sizes["H"] // sizes["A"]
    left, full, y = 80, 210, 26
    body = [
        svg.text(left - 10, 14, "key of", anchor="end"),
        svg.text(left, 14, f"how much of its value goes to “{chosen}”", anchor="start"),
    ]
    for token, share in zip(sample.tokens, SHARES, strict=True):
        long = full * share / max(SHARES)
        body += [
            svg.text(left - 10, y + 15.5, token.text, anchor="end"),
            svg.box(left, y, long, 22, "weight"),
            svg.text(left + long + 8, y + 15.5, f"{share}%", anchor="start"),
        ]
        y += 28
    return svg.figure(
        name,
        f"What “{chosen}” takes from each token",
        "; ".join(f"{token.text} {share}%" for token, share in zip(sample.tokens, SHARES, strict=True)),
        svg.canvas(WIDE, y, "".join(body)),
        f"One head of one layer; the shares are made up. For each share, the query of “{chosen}” and the key of one "
        f"token, {whole(head)} numbers each in BERT base, are multiplied cell by cell, and the products are added up; "
        f"softmax turns these sums into shares that add up to {sum(SHARES)}%.",
    )


def feed_forward(name: str) -> str:
    """The vector of one token, widened from H to F and narrowed again, all widths to the same scale."""
    sizes, sample = ask().sizes, example()
    token, width, inner = sample.tokens[sample.chosen].text, sizes["H"], sizes["F"]
    widest = 330.0
    unit = widest / max(width, inner)
    middle, narrow, wide, tall = WIDE / 2, width * unit, inner * unit, 58

    def funnel(y: float, above: float, below: float, *words: str) -> str:
        points = f"M{middle - above / 2:g} {y:g}h{above:g}L{middle + below / 2:g} {y + tall:g}h{-below:g}z"
        texts = (
            svg.text(middle, y + 26 + 17 * place, line, style="strong" if place == 0 else "label")
            for place, line in enumerate(words)
        )
        return f'<path d="{points}" class="bc-funnel bc-feed-forward"/>' + "".join(texts)

    body = [
        svg.text(middle, 13, f"“{token}”, after attention: {shape(1, width)}"),
        strip(middle - narrow / 2, 20, narrow),
        funnel(38, narrow, wide, "intermediate", shape(width, inner)),
        strip(middle - wide / 2, 100, wide),
        step(middle, 122, 190, f"GELU on {shape(1, inner)}"),
        strip(middle - wide / 2, 158, wide),
        funnel(176, wide, narrow, "output", shape(inner, width)),
        strip(middle - narrow / 2, 238, narrow),
        svg.text(middle, 270, f"added to “{token}”: {shape(1, width)}"),
    ]
    return svg.figure(
        name,
        f"The feed-forward network on “{token}”",
        f"A vector of {shape(1, width)} is multiplied by a matrix of {shape(width, inner)}, "
        f"which gives {shape(1, inner)}; GELU changes each number by itself; "
        f"a matrix of {shape(inner, width)} brings it back to {shape(1, width)}.",
        svg.canvas(WIDE, 276, "".join(body)),
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
    stretched = [value * by for value, by in zip(scaled, gamma, strict=True)]
    outputs = [value + by for value, by in zip(stretched, beta, strict=True)]
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
    for place, (sign, label, values, style) in enumerate(lines):
        y = place * (ROW + 7) + 1
        body += [svg.text(left - 12, y + 16.5, f"{sign} {label}".strip(), anchor="end"), cells(left, y, values, style)]
    return svg.figure(
        name,
        "LayerNorm, worked out on a short vector",
        f"x is {_series(features)}. Subtracting its mean, {mean}, gives {_series(centred)}; dividing by its standard "
        f"deviation, {deviation}, gives {_series(scaled)}; multiplying by gamma, {_series(gamma)}, gives "
        f"{_series(stretched)}; adding beta, {_series(beta)}, gives {_series(outputs)}.",
        svg.canvas(left + 4 * 38 + 2, len(lines) * (ROW + 7) - 4, "".join(body)),
        f"{MADE_UP}{len(features)} features stand for the {whole(width)} of “{sample.tokens[sample.chosen].text}”. "
        "Only gamma and beta, in colour, are parameters. "
        "Epsilon, which only keeps the divisor from being zero, is left out.",
    )


def _series(values: Sequence[int]) -> str:
    return ", ".join(map(str, values)).replace("-", MINUS)


def tokens_in(x: float, top: float, wide: float, labels: bool, apart: int = 30) -> str:
    """The vectors of all tokens of the sentence, one below the other, `apart` pixels from top to top."""
    pieces = []
    for place, token in enumerate(example().tokens):
        y = top + place * apart
        pieces.append(strip(x, y, wide))
        if labels:
            pieces.append(svg.text(x - 6, y + 11.5, token.text, anchor="end"))
    return "".join(pieces)


def layer(name: str) -> str:
    """The way through one layer: attention mixes all tokens, and the feed-forward network works on each one alone."""
    width, sample = ask().sizes["H"], example()
    number, top, wide, apart = len(sample.tokens), 48, 56, 30
    xs = (44, 166, 288)
    middles = [top + 7 + place * apart for place in range(number)]
    mixing = "".join(f"M{xs[0] + wide} {one:g}L{xs[1]} {other:g}" for one in middles for other in middles)
    arrows = "".join(svg.arrow(f"M{xs[1] + wide} {y:g}H{xs[2] - 4}", xs[2], y, "right") for y in middles)
    body = [
        svg.text((xs[0] + wide + xs[1]) / 2, 14, "self-attention", style="strong"),
        svg.text((xs[0] + wide + xs[1]) / 2, 31, "from all to all"),
        svg.text((xs[1] + wide + xs[2]) / 2, 14, "feed-forward", style="strong"),
        svg.text((xs[1] + wide + xs[2]) / 2, 31, "each alone"),
        svg.path(mixing),
        arrows,
        *(tokens_in(x, top, wide, x == xs[0], apart) for x in xs),
        *(svg.text(min(x + wide / 2, WIDE - 28), top + number * apart + 14, shape(number, width)) for x in xs),
    ]
    return svg.figure(
        name,
        f"One layer on “{sample.sentence}”",
        f"{number} vectors of {whole(width)} numbers go in. Lines lead from each of them to each of the next "
        f"{number}: self-attention. An arrow leads from each of these straight on: the feed-forward network.",
        svg.canvas(WIDE, top + number * apart + 20, "".join(body)),
        f"{number} vectors go in, and {number} vectors of the same length come out. Not drawn: after each step, its "
        "input is added and a LayerNorm follows.",
    )


def pooler(name: str) -> str:
    """The pooler, which reads the vector of the first token and no other."""
    width, sample = ask().sizes["H"], example()
    top, x, square = 26, 48, SIDE
    matrix = x + SIDE + 34
    body = [
        svg.text(x + SIDE / 2, 14, f"last layer: {shape(len(sample.tokens), width)}"),
        tokens_in(x, top, SIDE, True),
        svg.arrow(f"M{x + SIDE + 2} {top + 7}h{28}", matrix - 2, top + 7, "right"),
        svg.box(matrix, top - 2, square, square, "pooler"),
        svg.text(matrix + square / 2, top + 28, "pooler", style="strong"),
        svg.text(matrix + square / 2, top + 48, shape(width, width)),
        svg.arrow(f"M{matrix + square + 2} {top + 7}h{20}", matrix + square + 26, top + 7, "right"),
        strip(matrix + square + 28, top, SIDE),
        svg.text(matrix + square + 28 + SIDE / 2, top + 31, shape(1, width)),
        svg.text(matrix + square + 28 + SIDE / 2, top + 50, "after tanh"),
    ]
    return svg.figure(
        name,
        f"What the pooler reads of “{sample.sentence}”",
        f"{len(sample.tokens)} vectors come out of the last layer. An arrow leads from the first, "
        f"{sample.tokens[0].text}, to the pooler, a matrix of {shape(width, width)}, "
        f"and from there to one vector of {shape(1, width)}.",
        svg.canvas(WIDE, top + len(sample.tokens) * 30 - 10, "".join(body)),
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
        sum(x * row[place] for x, row in zip(vector, matrix, strict=True)) + bias[place] for place in range(len(bias))
    ]
    wide, left, right = 38, 0, 156
    height = len(matrix) * ROW
    body = [
        svg.text(left + 1.5 * wide, 14, "x, the input"),
        cells(left, 24 + ROW, vector, "cell", wide),
        svg.text(right - 18, 24 + ROW + 16.5, "×"),
        svg.text(right + wide, 14, "W, the matrix"),
        *(cells(right, 24 + place * ROW, row, "weight", wide) for place, row in enumerate(matrix)),
        svg.text(right - 18, 24 + height + 26.5, "+"),
        cells(right, 24 + height + 10, bias, "weight", wide),
        svg.text(right + 2 * wide + 10, 24 + height + 26.5, "b, the bias", anchor="start"),
        svg.text(right - 18, 24 + height + 68.5, "="),
        cells(right, 24 + height + 52, out, "cell", wide),
        svg.text(right + 2 * wide + 10, 24 + height + 68.5, "y, the output", anchor="start"),
        svg.path(f"M{right - 28} {24 + height + 43}H{WIDE}"),
        svg.text(right + 2 * wide + 10, 24 + height / 2 + 4.5, shape(len(vector), len(bias)), anchor="start"),
    ]
    products = " + ".join(f"{x} × {row[0]}" for x, row in zip(vector, matrix, strict=True))
    count = len(vector) * len(bias) + len(bias)
    return svg.figure(
        name,
        "A dense layer, and which of its numbers are parameters",
        f"A vector of {len(vector)} numbers times a matrix of {shape(len(vector), len(bias))}, "
        f"plus a bias of {len(bias)}, gives {len(bias)} numbers. The cells of matrix and bias are parameters.",
        svg.canvas(WIDE, 24 + height + 52 + ROW + 2, "".join(body)),
        f"{MADE_UP}the first output is {products} + {bias[0]} = {out[0]}. The filled cells stay the same "
        f"for every text: they are the parameters, {shape(len(vector), len(bias))} + {len(bias)} = {count} of them. "
        "The inputs and outputs are computed anew for each text and are not counted.",
    )
