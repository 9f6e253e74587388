"""Drawings of the toy model at work: its vectors, its weights and its shares of attention.

Most drawings consist of stacks: lines of cells, one below the other, with their labels on the left. In the stack of a
dense layer, the label of a matrix row is the input that multiplies it, so a reader can work out an output by adding up
its column. Cells that contain parameters are coloured; cells that contain inputs or outputs are not.

Coordinates are in pixels, from the top left corner of the drawing, as in `example.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, exp
from typing import NamedTuple

from macros.counting.architecture import ONE_LAYER
from macros.example import Norm, run, toy
from macros.example.forward import Number, gelu, softmax, total
from macros.example.weights import Matrix, Vector

from ..components import pages, svg
from ..components.numbers import MINUS
from ..components.toy_numbers import (
    MASKED_SENTENCE,
    as_printed,
    as_text,
    operand,
    product_equation,
    series,
)
from .example import WIDTH, step

CELL_HEIGHT = 24
CELL_WIDTH = 46
"""The default size of a cell; some stacks have narrower cells."""

GAP = 8
"""The space above a line that is set apart from the lines above it, and between two matrices side by side."""

EXAMPLE_FEATURE = 14
"""The inner feature in the caption of `widening`; it has several weights and a bias, and GELU changes it."""


class StackLine(NamedTuple):
    """A line of a stack: its label, the numbers in its cells, their style, and whether there is a gap above it."""

    label: str
    numbers: Sequence[Number]
    style: str = "cell"
    has_gap: bool = False


def stack(x: float, y: float, lines: Sequence[StackLine], width: float = CELL_WIDTH) -> tuple[str, float]:
    """The drawing of a stack, and the y-coordinate below its last line.

    Args:
        x: the left edge of the cells; labels are to the left of it.
        y: the top of the first line.
        lines: the lines, from top to bottom.
        width: the width of a cell.
    """
    pieces = []
    for line in lines:
        y += GAP if line.has_gap else 0
        style = "label" if width >= CELL_WIDTH else "small"
        pieces.append(svg.text(x - 8, y + 16.5, line.label, anchor="end", style=style) if line.label else "")
        for index, value in enumerate(line.numbers):
            left = x + index * width
            pieces.append(svg.box(left, y, width, CELL_HEIGHT, line.style))
            pieces.append(svg.text(left + width / 2, y + 16.5, as_text(value), style=style))
        y += CELL_HEIGHT
    return "".join(pieces), y


def dense_lines(
    inputs: Sequence[Number], matrix: Sequence[Vector], bias: Vector, outputs: Sequence[Number], style: str, label: str
) -> list[StackLine]:
    """The lines of a dense layer: the rows of its matrix, labelled with their inputs, its bias, and its outputs.

    `label` is the label of the outputs.
    """
    rows = [StackLine(f"{operand(value)} ×", row, style) for value, row in zip(inputs, matrix, strict=True)]
    return [*rows, StackLine("+ bias", bias, style, has_gap=True), StackLine(label, outputs, has_gap=True)]


def weights_of(path: str) -> tuple[Matrix, Vector]:
    """The matrix and the bias of a dense layer of the toy model."""
    return toy().matrices[f"{path}/kernel"], toy().vectors[f"{path}/bias"]


def followed_position() -> int:
    """The position of the token that the pages follow."""
    return run().tokens.index(toy().followed_word)


def _column(rows: Sequence[Sequence[Number]], index: int) -> list[Number]:
    """A column of a matrix that is given by its rows."""
    return [row[index] for row in rows]


def embeddings(name: str) -> str:
    """The computation of the followed token's vector: one row from each table, their sum, and LayerNorm."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    norm = toy_run.embedding_norms[position]
    rows = [toy_run.words[position], toy_run.positions[position], toy_run.segments[position]]
    gamma, beta = (toy().vectors[f"bert/embeddings/LayerNorm/{leaf}"] for leaf in ("gamma", "beta"))
    x = 150
    middle = 150 + 2 * CELL_WIDTH
    lines = [
        StackLine(f"word row {toy_run.ids[position]}", rows[0], "embeddings"),
        StackLine(f"+ position row {position}", rows[1], "embeddings"),
        StackLine("+ segment row 0", rows[2], "embeddings"),
        StackLine("= sum", norm.input, has_gap=True),
    ]
    body, y = stack(x, 1, lines)
    norm_drawing, end = stack(x, y + 64, [StackLine(f"vector of “{token}”", norm.output)])
    arrows = [
        svg.arrow(f"M{middle} {y}v14", middle, y + 18),
        step(middle, y + 18, 152, "LayerNorm"),
        svg.arrow(f"M{middle} {y + 46}v14", middle, y + 64),
    ]
    sums = ", ".join(
        f"{' + '.join(map(operand, cells))} = {as_text(result_cell)}"
        for cells, result_cell in zip(zip(*rows, strict=True), norm.input, strict=True)
    )
    return svg.figure(
        name,
        f"How “{token}” becomes a vector",
        f"Row {toy_run.ids[position]} of the word table, row {position} of the position table and row 0 of the segment "
        f"table are added cell by cell: {sums}. LayerNorm subtracts the mean, {as_text(norm.mean)}, divides by the "
        f"standard deviation, {as_text(norm.standard_deviation)}, multiplies by gamma ({series(gamma)}) and adds beta "
        f"({series(beta)}): {series(norm.output)}.",
        svg.canvas(x + 4 * CELL_WIDTH + 2, end + 2, body + "".join(arrows) + norm_drawing),
        f"“{token}” has id {toy_run.ids[position]} in the toy model's vocabulary, is at position {position} and "
        "belongs to segment 0, like all tokens of a single text. "
        f'<a href="{pages.ROOT}{pages.LAYER_NORM}#step">LayerNorm</a> is worked out on its own page.',
    )


def attention(name: str) -> str:
    """The query, key and value of the followed token: one vector times three matrices, side by side."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    inputs = toy_run.embedding_norms[position].output
    heads = len(toy_run.heads)
    width = len(inputs) // heads
    cell_width = 23.0
    x = 54.0
    body = []
    y = 0.0
    descriptions = []
    for projection, outputs in (("query", toy_run.queries), ("key", toy_run.keys), ("value", toy_run.values)):
        matrix, bias = weights_of(f"{ONE_LAYER}/attention/self/{projection}")
        lines = dense_lines(inputs, matrix, bias, outputs[position], "self-attention", "= out")
        # The inputs of all three matrices are the same, so only the first matrix has labels.
        labelled_lines = lines if projection == "query" else [line._replace(label="") for line in lines]
        body.append(svg.text(x + 2 * cell_width, 14, projection, style="strong"))
        piece, y = stack(x, 22, labelled_lines, cell_width)
        edge = x + width * cell_width
        body += [piece, f'<path d="M{edge:g} 18V{y + 4:g}" class="bc-between-heads"/>']
        x += len(inputs) * cell_width + GAP
        descriptions.append(f"the {projection} is {series(outputs[position])}")
    matrix, bias = weights_of(f"{ONE_LAYER}/attention/self/query")
    first_equation = product_equation(inputs, _column(matrix, 0), toy_run.queries[position][0], bias[0])
    return svg.figure(
        name,
        f"The query, the key and the value of “{token}”",
        f"The vector of {token}, {series(inputs)}, is multiplied by each matrix, and its bias is added: "
        f"{', '.join(descriptions)}. The first output is {first_equation}.",
        svg.canvas(WIDTH, y + 5, "".join(body)),
        f"The vector of “{token}” is on the left, one feature beside each row. Multiply each row by its feature, add "
        f"up each column, and add the bias: the first number of the query is {first_equation}. A line in each matrix "
        f"separates the columns of head 0 from those of head 1.",
    )


def shares_in_head(name: str, head: int) -> str:
    """The followed token's attention in one head.

    Each token has a row with its key, score, scaled score, power and share.
    """
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    head_result = toy_run.heads[head]
    width = len(head_result.mixes[position])
    head_slice = slice(head * width, (head + 1) * width)
    query = toy_run.queries[position][head_slice]
    keys = [row[head_slice] for row in toy_run.keys]
    scores, scaled_scores, shares = (
        rows[position] for rows in (head_result.scores, head_result.scaled_scores, head_result.shares)
    )
    powers = [exp(score) for score in scaled_scores]
    body, y = _table_of_shares(toy_run.tokens, keys, scores, scaled_scores, powers, shares)
    printed_sum = sum(map(as_printed, shares))
    rounding_note = "" if printed_sum == 1 else f" Rounded as they are, the shares add up to {float(printed_sum):g}."
    best_index = max(range(len(powers)), key=lambda index: powers[index])
    steps = (
        f"{product_equation(query, keys[best_index], scores[best_index])}; divided by √{width}, it is "
        f"{as_text(scaled_scores[best_index])}; e to that power is {as_text(powers[best_index])}; the "
        f"powers of all tokens add up to {as_text(total(powers))}, and "
        f"{as_text(powers[best_index])} ÷ {as_text(total(powers))} ≈ {as_text(shares[best_index])}"
    )
    return svg.figure(
        name,
        f"What “{token}” takes from each token in head {head}",
        f"The query is {series(query)}. "
        + "; ".join(
            f"{read_token}: key {series(key)}, score {as_text(score)}, share {as_text(share)}"
            for read_token, key, score, share in zip(toy_run.tokens, keys, scores, shares, strict=True)
        )
        + ".",
        svg.canvas(WIDTH, y + 24, body),
        f"Head {head} uses the {'last' if head else 'first'} {width} features of each query and key, so "
        f"the query of “{token}” is q = {series(query)}. "
        f"For “{toy_run.tokens[best_index]}”: {steps}.{rounding_note}",
    )


def _table_of_shares(
    tokens: Sequence[str],
    keys: Sequence[Sequence[Number]],
    scores: Sequence[Number],
    scaled_scores: Sequence[Number],
    powers: Sequence[float],
    shares: Sequence[Number],
) -> tuple[str, int]:
    """A row for each token, from its key to its share as a bar, and the y-coordinate below the last row."""
    columns = {42: "key of", 78: "k", 122: "q · k", 164: f"÷ √{len(keys[0])}", 212: "exp"}
    pieces = [svg.text(x, 14, words, anchor="end" if x == 42 else "middle") for x, words in columns.items()]
    pieces.append(svg.text(240, 14, "share", anchor="start"))
    y = 24
    longest_bar = 62
    for token, key, score, scaled_score, power, share in zip(
        tokens, keys, scores, scaled_scores, powers, shares, strict=True
    ):
        length = longest_bar * share / max(shares)
        pieces += [
            svg.text(42, y + 15.5, token, anchor="end"),
            svg.text(78, y + 15.5, series(key)),
            svg.text(122, y + 15.5, as_text(score)),
            svg.text(164, y + 15.5, as_text(scaled_score)),
            svg.text(212, y + 15.5, as_text(power)),
            svg.box(240, y, length, 22, "weight"),
            svg.text(246 + length, y + 15.5, as_text(share), anchor="start"),
        ]
        y += 27
    pieces += [svg.path(f"M186 {y}H234"), svg.text(212, y + 18, as_text(total(powers)))]
    return "".join(pieces), y


def mix(name: str) -> str:
    """The values of all tokens, multiplied by their shares and summed, in both heads."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    xs = (90, 244)
    body = []
    bottom = 0.0
    for head, (head_result, x) in enumerate(zip(toy_run.heads, xs, strict=True)):
        width = len(head_result.mixes[position])
        values = [row[head * width : (head + 1) * width] for row in toy_run.values]
        shares = head_result.shares[position]
        lines = [
            *(
                StackLine(f"{'' if head else read_token + ' '} {as_text(share)} ×".strip(), row)
                for read_token, share, row in zip(toy_run.tokens, shares, values, strict=True)
            ),
            StackLine("= mix", head_result.mixes[position], has_gap=True),
        ]
        body.append(svg.text(x + width * CELL_WIDTH / 2, 14, f"values, head {head}", style="strong"))
        piece, bottom = stack(x, 22, lines)
        body.append(piece)
    shares = toy_run.heads[0].shares[position]
    first_equation = product_equation(shares, _column(toy_run.values, 0), toy_run.mixes[position][0])
    return svg.figure(
        name,
        f"What “{token}” receives",
        "; ".join(
            f"head {head}: shares {series(head_result.shares[position])}, mix {series(head_result.mixes[position])}"
            for head, head_result in enumerate(toy_run.heads)
        )
        + ".",
        svg.canvas(WIDTH, bottom + 2, "".join(body)),
        f"Each value is multiplied by its share, and the products are added up: the first number is {first_equation}. "
        f'All values are on <a href="{pages.ROOT}{pages.TOY_MODEL}#toy-tokens">the page about the toy model</a>, and '
        f'the shares of head 1 are worked out on <a href="{pages.ROOT}{pages.ATTENTION_HEADS}#second-head">the page '
        "about heads</a>.",
    )


def output(name: str) -> str:
    """The output projection of the followed token's mixes, and its sum with the input of the layer."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    inputs = toy_run.embedding_norms[position].output
    matrix, bias = weights_of(f"{ONE_LAYER}/attention/output/dense")
    lines = [
        *dense_lines(
            toy_run.mixes[position], matrix, bias, toy_run.attention_outputs[position], "self-attention", "= added"
        ),
        *residual_lines(token, inputs, toy_run.attention_norms[position].input),
    ]
    return _single_stack(
        name,
        f"What attention adds to “{token}”",
        f"{series(toy_run.mixes[position])} is multiplied by the output matrix, and the bias is added, which gives "
        f"{series(toy_run.attention_outputs[position])}; adding the vector of {token} gives "
        f"{series(toy_run.attention_norms[position].input)}.",
        lines,
        "The mixes of both heads, one after the other, are on the left. The result is added to the vector with which "
        f"“{token}” entered the layer; LayerNorm follows.",
    )


def residual_lines(token: str, vector: Sequence[Number], sum_vector: Sequence[Number]) -> list[StackLine]:
    """The lines that add the vector of a token to the line above, and show the sum."""
    return [StackLine(f"+ “{token}”", vector), StackLine("= sum", sum_vector)]


def _single_stack(name: str, title: str, description: str, lines: Sequence[StackLine], caption: str) -> str:
    """A figure of a single stack of vectors."""
    x = 150
    column_count = len(lines[0].numbers)
    body, y = stack(x, 1, lines)
    return svg.figure(name, title, description, svg.canvas(x + column_count * CELL_WIDTH + 2, y + 2, body), caption)


def layer_norm(name: str, location: str, norms: Callable[[], Sequence[Norm]], path: str) -> str:
    """One LayerNorm of the followed token, with a line for each step from the input to the output.

    Args:
        name: the id of the figure.
        location: the place of this LayerNorm in the model, for the title.
        norms: returns this LayerNorm's computation for every token.
        path: the path that gamma and beta have in common.
    """
    norm = norms()[followed_position()]
    gamma = toy().vectors[f"{path}/gamma"]
    beta = toy().vectors[f"{path}/beta"]
    centred_values: list[Number] = [value - norm.mean for value in norm.input]
    scaled_values = [value * scale for value, scale in zip(norm.normalised_cells, gamma, strict=True)]
    lines = [
        StackLine("x, the input", norm.input),
        StackLine(f"− the mean, {as_text(norm.mean)}", centred_values),
        StackLine(f"÷ the std. dev., {as_text(norm.standard_deviation)}", norm.normalised_cells),
        StackLine("× gamma", gamma, "encoder-norms", has_gap=True),
        StackLine("=", scaled_values),
        StackLine("+ beta", beta, "encoder-norms", has_gap=True),
        StackLine("= y, the output", norm.output),
    ]
    count = len(norm.input)
    # If the input is exact and the root rational, all results are exact; otherwise the standard deviation is a float.
    equals_sign = "=" if isinstance(norm.standard_deviation, Fraction) else "≈"
    squares = " + ".join(f"{as_text(value).removeprefix(MINUS)}²" for value in centred_values)
    return _single_stack(
        name,
        f"LayerNorm of “{toy().followed_word}” {location}",
        f"x is {series(norm.input)}. Subtracting its mean, {as_text(norm.mean)}, gives {series(centred_values)}; "
        f"dividing by its standard deviation, {as_text(norm.standard_deviation)}, gives "
        f"{series(norm.normalised_cells)}; "
        f"multiplying by gamma, {series(gamma)}, gives {series(scaled_values)}; "
        f"adding beta, {series(beta)}, gives {series(norm.output)}.",
        lines,
        f"({squares}) ÷ {count} {equals_sign} {as_text(norm.variance)}, and the root of this variance, "
        f"{as_text(norm.standard_deviation)}, is the standard deviation. "
        f"Only gamma and beta, in colour, are parameters.",
    )


def widening(name: str) -> str:
    """The first dense layer of the feed-forward network for the followed token, and GELU."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    inputs = toy_run.attention_norms[position].output
    matrix, bias = weights_of(f"{ONE_LAYER}/intermediate/dense")
    inner_vector = toy_run.inner_vectors[position]
    gelu_outputs = toy_run.gelu_outputs[position]
    x = 46
    width = 38
    y = float(CELL_HEIGHT + GAP)
    matrix_right = x + len(inputs) * width
    body = [stack(x, 0, [StackLine(f"“{token}”", inputs)], width)[0]]
    body += [
        svg.text(matrix_right + offset, 16.5, words) for offset, words in ((29, "bias"), (76, "sum"), (128, "GELU"))
    ]
    for index, values in enumerate(zip(bias, inner_vector, gelu_outputs, strict=True)):
        piece, bottom = stack(x, y, [StackLine(str(index), _column(matrix, index), "feed-forward")], width)
        body += [
            piece,
            *_bias_and_results(matrix_right, y, 34, "feed-forward", zip((29, 76, 128), values, strict=True)),
        ]
        y = bottom
    feature = EXAMPLE_FEATURE
    output_equation = product_equation(inputs, _column(matrix, feature), inner_vector[feature], bias[feature])
    return svg.figure(
        name,
        f"From {len(inputs)} to {len(inner_vector)} features",
        f"The vector of {token}, {series(inputs)}, is multiplied by a matrix of {len(inputs)} × {len(inner_vector)}, "
        f"and the bias is added, which gives {series(inner_vector)}. GELU turns these into {series(gelu_outputs)}.",
        svg.canvas(WIDTH, y + 2, "".join(body)),
        f"“{token}”, after attention and LayerNorm, is at the top. Each line below is one inner feature and shows its "
        f"column of the matrix, turned on its side; feature {feature} is {output_equation}. GELU "
        f"multiplies each number by the share of a standard normal distribution that lies below it: for "
        f"{as_text(inner_vector[feature])} that share is {as_text(gelu_outputs[feature] / inner_vector[feature])}, "
        f"and the product is {as_text(gelu_outputs[feature])}.",
    )


def _bias_and_results(
    right: float, y: float, bias_width: int, style: str, numbers: Iterable[tuple[int, Number]]
) -> Iterator[str]:
    """Yield the box of the bias to the right of a row of weights, and the numbers at their distances from `right`."""
    yield svg.box(right + 12, y, bias_width, CELL_HEIGHT, style)
    for distance, number in numbers:
        yield svg.text(right + distance, y + 16.5, as_text(number))


CURVE_MARGIN = 16
"""The space on either side of GELU's curve, wide enough for half of the number at the end of the axis."""


def gelu_curve(name: str) -> str:
    """The curve of GELU with a dot for each inner feature of the followed token."""
    position = followed_position()
    token = run().tokens[position]
    inner_vector = run().inner_vectors[position]
    end = ceil(max(abs(float(value)) for value in inner_vector))
    unit = (WIDTH / 2 - CURVE_MARGIN) / end
    x_of_zero = WIDTH / 2
    y_of_zero = 24 + end * unit

    def point_of(x: float) -> str:
        """The point of the curve at x, as SVG coordinates."""
        return f"{x_of_zero + x * unit:.1f} {y_of_zero - gelu(x) * unit:.1f}"

    bottom = y_of_zero + 20
    axes = f"M{x_of_zero - end * unit:g} {y_of_zero:g}H{x_of_zero + end * unit:g}M{x_of_zero:g} {bottom:g}V20"
    tenths = range(-end * 10, end * 10 + 1)
    body = [
        svg.path(axes),
        svg.path("M" + "L".join(point_of(tenth / 10) for tenth in tenths)),
        *(f'<path d="M{point_of(float(value))}h0" class="bc-dot bc-feed-forward"/>' for value in inner_vector),
        *(
            svg.text(x_of_zero + tick * unit, bottom - 2, as_text(Fraction(tick)), style="small")
            for tick in (-end, end)
        ),
        svg.text(x_of_zero - 8, y_of_zero - end * unit + 5, as_text(Fraction(end)), anchor="end", style="small"),
    ]
    return svg.figure(
        name,
        "The curve of GELU",
        f"From {as_text(Fraction(-end))} to {as_text(Fraction(end))}: on the left, the curve runs along zero; on the "
        "right, it approaches the line on which output and input are equal.",
        svg.canvas(WIDTH, bottom + 6, "".join(body)),
        f"GELU, with a dot for each of the {len(inner_vector)} inner features of “{token}”. The "
        "horizontal axis is the input, the vertical axis the output.",
    )


def narrowing(name: str) -> str:
    """The second dense layer of the feed-forward network for the followed token, and the sum with its input."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    gelu_outputs = toy_run.gelu_outputs[position]
    matrix, bias = weights_of(f"{ONE_LAYER}/output/dense")
    lines = [
        *dense_lines(gelu_outputs, matrix, bias, toy_run.feed_forward_outputs[position], "feed-forward", "= added"),
        *residual_lines(token, toy_run.attention_norms[position].output, toy_run.output_norms[position].input),
    ]
    return _single_stack(
        name,
        f"From {len(gelu_outputs)} features back to {len(bias)}",
        f"{series(gelu_outputs)} is multiplied by a matrix of {len(gelu_outputs)} × {len(bias)}, and the bias is "
        f"added, which gives {series(toy_run.feed_forward_outputs[position])}; adding the vector of {token} gives "
        f"{series(toy_run.output_norms[position].input)}.",
        lines,
        f"On the left are the inner features from 0 to {len(gelu_outputs) - 1}, after GELU. The result is added to the "
        f"vector of “{token}” that entered the network; LayerNorm follows.",
    )


def path_through_layer(name: str) -> str:
    """The vector of the followed token at each step through the layer."""
    toy_run = run()
    position = followed_position()
    token = toy_run.tokens[position]
    lines = [
        StackLine("from the embeddings", toy_run.embedding_norms[position].output),
        StackLine("+ attention", toy_run.attention_outputs[position], has_gap=True),
        StackLine("= sum", toy_run.attention_norms[position].input),
        StackLine("LayerNorm", toy_run.attention_norms[position].output),
        StackLine("+ feed-forward", toy_run.feed_forward_outputs[position], has_gap=True),
        StackLine("= sum", toy_run.output_norms[position].input),
        StackLine("LayerNorm", toy_run.output_norms[position].output),
    ]
    return _single_stack(
        name,
        f"“{token}” on its way through the layer",
        "; ".join(f"{line.label}: {series(line.numbers)}" for line in lines) + ".",
        lines,
        f"The vector of “{token}” has {len(lines[0].numbers)} features from the first line to the last.",
    )


def pooler(name: str) -> str:
    """The vectors from the last layer, with a frame around the one that the pooler reads, and the pooler's output."""
    toy_run = run()
    matrix, bias = weights_of("bert/pooler/dense")
    first_token = toy_run.tokens[0]
    x = 110
    stack_lines = [
        StackLine(token, norm.output) for token, norm in zip(toy_run.tokens, toy_run.output_norms, strict=True)
    ]
    upper_stack, y = stack(x, 22, stack_lines)
    width = len(bias) * CELL_WIDTH
    frame = f'<rect x="{x}" y="22" width="{width}" height="{CELL_HEIGHT}" class="bc-chosen"/>'
    lines = [
        *dense_lines(toy_run.output_norms[0].output, matrix, bias, toy_run.pooler_dense, "pooler", "= sum"),
        StackLine("tanh", toy_run.pooler_output),
    ]
    lower_stack, end = stack(x, y + 42, lines)
    body = [
        svg.text(x + width / 2, 14, "from the last layer", style="strong"),
        upper_stack,
        frame,
        svg.text(x + width / 2, y + 34, f"the pooler, on {first_token}", style="strong"),
        lower_stack,
    ]
    return svg.figure(
        name,
        f"What the pooler makes of “{toy().sentence}”",
        f"{len(toy_run.tokens)} vectors come out of the last layer. The pooler reads the vector of {first_token}, "
        f"{series(toy_run.output_norms[0].output)}. Its matrix and its bias turn this vector into "
        f"{series(toy_run.pooler_dense)}, and tanh then gives {series(toy_run.pooler_output)}.",
        svg.canvas(x + width + 60, end + 2, "".join(body)),
        f"The pooler reads the vector of {first_token} alone, but in every layer that vector has collected information "
        f"from all the others.",
    )


def masked_lm_head(name: str) -> str:
    """The masked-LM head for the masked token: the dense layer, GELU and LayerNorm."""
    toy_run = run(MASKED_SENTENCE)
    position = toy_run.tokens.index("[MASK]")
    transform_path = "cls/predictions/transform"
    matrix, bias = weights_of(f"{transform_path}/dense")
    gamma = toy().vectors[f"{transform_path}/LayerNorm/gamma"]
    beta = toy().vectors[f"{transform_path}/LayerNorm/beta"]
    inputs = toy_run.output_norms[position].output
    norm = toy_run.transform_norms[position]
    lines = [
        *dense_lines(inputs, matrix, bias, toy_run.transform_outputs[position], "mlm-head", "= sum"),
        StackLine("GELU", norm.input),
        StackLine(f"− {as_text(norm.mean)}, ÷ {as_text(norm.standard_deviation)}", norm.normalised_cells, has_gap=True),
        StackLine("× gamma", gamma, "mlm-head"),
        StackLine("+ beta", beta, "mlm-head"),
        StackLine("= h", norm.output),
    ]
    return _single_stack(
        name,
        "The masked-LM head before the decoder",
        f"The vector of [MASK], {series(inputs)}, becomes "
        f"{series(toy_run.transform_outputs[position])} in the dense layer, {series(norm.input)} after GELU, "
        f"and {series(norm.output)} after LayerNorm.",
        lines,
        f"The vector of [MASK] in “{MASKED_SENTENCE}”, as the last layer leaves it, is on the left. After GELU, "
        f"LayerNorm subtracts the mean, {as_text(norm.mean)}, divides by the standard deviation, "
        f"{as_text(norm.standard_deviation)}, multiplies by gamma, its weight, and adds beta, its bias.",
    )


def decoder(name: str) -> str:
    """The decoder, which computes a score for every token in the vocabulary from the token's row of the word table."""
    toy_run = run(MASKED_SENTENCE)
    weights = toy()
    position = toy_run.tokens.index("[MASK]")
    hidden_vector = toy_run.transform_norms[position].output
    logits = toy_run.logits[position]
    table = weights.matrices["bert/embeddings/word_embeddings"]
    biases = weights.vectors["cls/predictions/output_bias"]
    shares = softmax(logits)
    x = 66
    width = 38
    y = float(CELL_HEIGHT + GAP)
    table_right = x + len(hidden_vector) * width
    body = [svg.text(x - 8, 16.5, "h", anchor="end"), stack(x, 0, [StackLine("", hidden_vector)], width)[0]]
    body += [
        svg.text(table_right + offset, 16.5, words) for offset, words in ((28, "bias"), (72, "score"), (114, "share"))
    ]
    for token, row, bias, score, share in zip(weights.vocabulary, table, biases, logits, shares, strict=True):
        piece, bottom = stack(x, y, [StackLine(token, row, "embeddings")], width)
        results = ((28, bias), (72, score), (114, share))
        body += [piece, *_bias_and_results(table_right, y, 32, "mlm-head", results)]
        y = bottom
    likeliest_index = max(range(len(logits)), key=lambda index: float(logits[index]))
    equation = product_equation(hidden_vector, table[likeliest_index], logits[likeliest_index], biases[likeliest_index])
    return svg.figure(
        name,
        "The score of every token",
        f"h is {series(hidden_vector)}. "
        + "; ".join(f"{token} {as_text(score)}" for token, score in zip(weights.vocabulary, logits, strict=True))
        + ".",
        svg.canvas(table_right + 136, y + 2, "".join(body)),
        f"Each row of the word table is multiplied by h, cell by cell, and the products and the bias are added up: for "
        f"“{weights.vocabulary[likeliest_index]}”, {equation}. Softmax turns the scores into "
        "shares, the tokens' probabilities.",
    )


def parameter(name: str) -> str:
    """A small dense layer in which the parameters are marked and one output is worked out."""
    toy_run = run()
    position = followed_position()
    inputs = toy_run.embedding_norms[position].output
    width = len(toy_run.heads[0].mixes[position])
    matrix, bias = weights_of(f"{ONE_LAYER}/attention/self/query")
    matrix_part = [row[:width] for row in matrix]
    biases = bias[:width]
    outputs = toy_run.queries[position][:width]
    x = 110
    notes_left = x + width * CELL_WIDTH + 12
    lines = dense_lines(inputs, matrix_part, biases, outputs, "weight", "= y, the output")
    body, y = stack(x, 22, lines)
    shape = f"{len(inputs)} × {width}"
    notes = [
        svg.text(x - 8, 14, "x, the input", anchor="end"),
        svg.text(x + width * CELL_WIDTH / 2, 14, "W"),
        svg.text(notes_left, 22 + 2 * CELL_HEIGHT + 4.5, f"W, the matrix: {shape}", anchor="start"),
        svg.text(notes_left, 22 + 4 * CELL_HEIGHT + GAP + 16.5, f"b, the bias: {width}", anchor="start"),
    ]
    count = len(inputs) * width + width
    first_equation = product_equation(inputs, _column(matrix_part, 0), outputs[0], biases[0])
    return svg.figure(
        name,
        "A dense layer, and which of its numbers are parameters",
        f"A vector of {len(inputs)} numbers times a {shape} matrix, plus a bias of {width} numbers, gives {width} "
        "numbers. "
        "The cells of the matrix and of the bias are parameters.",
        svg.canvas(WIDTH, y + 2, body + "".join(notes)),
        f"The query of “{toy().followed_word}” in one head of the toy model: the first output is "
        f"{first_equation}. The filled cells stay the same for "
        f"every text: they are the parameters, {shape} + {width} = {count} of them. The inputs and outputs are "
        f"computed anew for each text and are not counted.",
    )


# The LayerNorms are given as functions, so that the model is run only when a figure is drawn.
FIGURES: dict[str, Callable[[str], str]] = {
    "example-embeddings": embeddings,
    "example-attention": attention,
    "example-asking": partial(shares_in_head, head=0),
    "example-second-head": partial(shares_in_head, head=1),
    "example-mix": mix,
    "example-output": output,
    "example-layer-norm": partial(
        layer_norm,
        location="after the embeddings",
        norms=lambda: run().embedding_norms,
        path="bert/embeddings/LayerNorm",
    ),
    "example-norm-of-attention": partial(
        layer_norm,
        location="after attention",
        norms=lambda: run().attention_norms,
        path=f"{ONE_LAYER}/attention/output/LayerNorm",
    ),
    "example-norm-of-feed-forward": partial(
        layer_norm,
        location="after the feed-forward network",
        norms=lambda: run().output_norms,
        path=f"{ONE_LAYER}/output/LayerNorm",
    ),
    "example-widening": widening,
    "example-gelu": gelu_curve,
    "example-narrowing": narrowing,
    "example-path": path_through_layer,
    "example-pooler": pooler,
    "example-masked": masked_lm_head,
    "example-decoder": decoder,
}
"""The figures of the toy model, by the names that pages use."""
