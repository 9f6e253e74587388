"""Drawings of the parts of one encoder layer: its matrices, attention heads and LayerNorms.

A matrix is drawn as (in, out), so its bias, which has one number per output, is one
more row at the bottom.
"""

from __future__ import annotations

from macros.counting import model_named
from macros.counting.architecture import ONE_LAYER
from macros.counting.published.conditions import says

from ..components import svg
from ..components.asking import BASE, ask
from ..components.example import example
from ..components.numbers import whole

PROJECTIONS = {"query": "self/query", "key": "self/key", "value": "self/value", "output": "output/dense"}
"""The paths of the matrices of attention, by their labels in a drawing."""


def attention(name: str) -> str:
    """The four matrices of self-attention in one layer of BERT base, as squares side by side."""
    width = model_named(BASE).sizes["H"]
    # Lengths are in pixels. Four squares with their gaps are about as wide as a phone.
    side = 78
    gap = 15
    top = 24  # leaves room for the labels above the squares
    unit = side / width
    bottom = top + (width + 1) * unit
    body = []
    number_word = says("Four", "tensors('bert/encoder/layer_0', 'self-attention kernel') == 4")
    for index, (label, path) in enumerate(PROJECTIONS.items()):
        question = ask(f"{ONE_LAYER}/attention/{path}")
        x = index * (side + gap)
        title = f"{label}: {whole(question.number)}"
        body.append(svg.text(x + side / 2, 14, label))
        body.append(svg.area(x, top, unit, (width + 1, width), "self-attention", title, question.part))
        body.append(svg.text(x + side / 2, top + side / 2 + 5, f"{width} × {width}", style="inside"))
        body.append(svg.caret(x + 6, bottom + 2, "self-attention"))
        body.append(svg.text(x + 14, bottom + 17, f"bias: {whole(width)}", anchor="start"))
        body.append(svg.text(x + side / 2, bottom + 38, whole(question.number), style="figures"))
    total = ask(ONE_LAYER, "self-attention")
    return svg.figure(
        name,
        f"{number_word} matrices of self-attention, to scale",
        f"{number_word} squares of {width} by {width}, query, key, value and output, each with one more row for its "
        f"bias; {whole(total.number)} parameters in total.",
        svg.canvas(4 * side + 3 * gap, 146, "".join(body), unit),
        f"One layer of BERT base, to scale: {number_word.lower()} square matrices. "
        "Each is drawn as (in, out), with its bias as one more row at the bottom.",
    )


def attention_heads(name: str) -> str:
    """The query matrix of one layer of BERT base, divided into the columns of its heads."""
    sizes = model_named(BASE).sizes
    heads, width = sizes["A"], sizes["H"]
    part = f"{ONE_LAYER}/attention/self/query/kernel"
    share = ask(part).number // heads
    head_width = width // heads
    # Lengths are in pixels. The left and top margins have room for labels.
    side = 276
    left = 44
    top = 44
    unit = side / width
    bottom = top + side + 74
    body = [
        svg.text(left + side / 2, 14, f"out: {width}"),
        svg.text(left - 8, top - 10, "head", anchor="end"),
        svg.text(left - 8, top + side + 20, "slice", anchor="end"),
        _rotated_text(left - 16, top + side / 2, f"in: {width}"),
    ]
    size_of_head = f"{width} × {head_width} = {whole(share)}"
    for head in range(heads):
        # Alternating shades distinguish neighbours.
        style = "self-attention" if head % 2 else "self-attention-soft"
        x = left + head * head_width * unit
        middle = left + (head + 0.5) * head_width * unit
        body.append(svg.area(x, top, unit, (width, head_width), style, f"head {head}: {size_of_head}", part))
        body.append(svg.text(middle, top - 10, str(head)))
        body.append(_rotated_text(middle + 4.5, top + side + 6, columns_of(head, head_width), anchor="end"))
    body.append(svg.text(left + side / 2, bottom + 20, f"a head: {size_of_head}"))
    body.append(svg.text(left + side / 2, bottom + 41, f"all: {heads} × {whole(share)} = {whole(share * heads)}"))
    return svg.figure(
        name,
        "One query matrix holds the columns of all heads",
        f"A square of {width} by {width} cut into {heads} stripes, one for each head; each stripe has {head_width} "
        f"of the {width} columns and holds {whole(share)} weights; together, they hold {whole(share * heads)}.",
        svg.canvas(left + side + 12, bottom + 50, "".join(body), unit),
        "The query matrix of one layer of BERT base, to scale, as (in, out): "
        f"each head has {head_width} of its columns. The index below each stripe, such as "
        f"{columns_of(heads - 1, head_width)}, selects that head in "
        "<code>query.weight</code>, whose rows are the columns drawn here, because PyTorch stores the matrix as "
        "(out, in).",
    )


def _rotated_text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    """A line of text that reads from bottom to top."""
    return f'<g transform="translate({x:g} {y:g}) rotate(-90)">{svg.text(0, 0, words, anchor=anchor)}</g>'


def columns_of(head: int, head_width: int) -> str:
    """The columns of a head as a Python slice: `[64:128]`."""
    return f"[{head * head_width}:{(head + 1) * head_width}]"


def feed_forward(name: str) -> str:
    """The two matrices of the feed-forward network, with one of attention's matrices for comparison."""
    sizes = model_named(BASE).sizes
    width = sizes["H"]
    inner_width = sizes["F"]
    unit = 66 / width  # an H by H square is 66 pixels wide, so that an H by F matrix fits on a phone
    first, second, query = (
        ask(f"{ONE_LAYER}/{path}") for path in ("intermediate", "output/dense", "attention/self/query")
    )
    query_left = width * unit + 36
    top = 26 + width * unit + 42
    query_text_offset = width * unit + 20
    body = [
        svg.text(0, 16, f"intermediate: H × F + F = {whole(first.number)}", anchor="start"),
        svg.area(
            0, 26, unit, (width + 1, inner_width), "feed-forward", f"intermediate: {whole(first.number)}", first.part
        ),
        svg.text(0, top - 12, f"output: F × H + H = {whole(second.number)}", anchor="start"),
        svg.area(
            0, top, unit, (inner_width + 1, width), "feed-forward", f"output: {whole(second.number)}", second.part
        ),
        svg.area(
            query_left, top, unit, (width + 1, width), "self-attention", f"query: {whole(query.number)}", query.part
        ),
        svg.text(query_left, top + query_text_offset, "for comparison: query,", anchor="start"),
        svg.text(query_left, top + query_text_offset + 20, f"H × H + H = {whole(query.number)}", anchor="start"),
    ]
    return svg.figure(
        name,
        "The two matrices of the feed-forward network, to scale",
        f"A wide rectangle of {width} by {whole(inner_width)}, a tall one of {whole(inner_width)} by {width}, "
        f"and the query matrix of {width} by {width} for comparison; each has one more row for its bias.",
        svg.canvas(340, round(top + inner_width * unit + 8), "".join(body), unit),
        f"One layer of BERT base, to scale, as (in, out). {_comparison()} "
        "Each bias is drawn as one more row of its matrix, too thin to see.",
    )


def _comparison() -> str:
    """A sentence that compares each matrix of the feed-forward network with attention's four matrices."""
    attention_weights = ask(ONE_LAYER, "self-attention kernel").number
    first_weights, second_weights = (
        ask(f"{ONE_LAYER}/{path}/dense/kernel").number for path in ("intermediate", "output")
    )
    if first_weights == second_weights == attention_weights:
        comparison_words = says(
            "as many weights as all four matrices",
            "number('bert/encoder/layer_0', 'self-attention kernel') == 4 * H * H == F * H",
            "bert-base-uncased",
        )
        return f"Each large matrix holds {comparison_words} of attention."
    ratios = f"{first_weights / attention_weights:.2f} and {second_weights / attention_weights:.2f}"
    return f"They have {ratios} times the weights of all matrices of attention."


def layer_norm(name: str) -> str:
    """A grid of tokens and features, in which each feature has one gamma and one beta for all tokens."""
    sizes = model_named(BASE).sizes
    tokens = [token.text for token in example().tokens]
    # Eight columns represent all features, because more would not fit on a phone.
    columns = 8
    rows = len(tokens)
    cell = 30
    left = 84
    top = 62
    marked_column = 2  # any column that has neighbours on both sides

    def row_of_boxes(y: int, height: int, style_of_others: str) -> list[str]:
        """A box for each column; the style applies to all but the marked one."""
        styles = ("encoder-norms" if column == marked_column else style_of_others for column in range(columns))
        return [svg.box(left + column * cell, y, cell - 3, height, style) for column, style in enumerate(styles)]

    body = []
    for row, label in enumerate(("gamma", "beta")):
        y = 8 + row * 22
        part = svg.part_attribute(*(tensor.path for tensor in ask(tag=label).rows))
        boxes = "".join(row_of_boxes(y, 18, "encoder-norms-soft"))
        body += [svg.text(left - 10, y + 13, label, anchor="end"), f"<g{part}>{boxes}</g>"]
    for row in range(rows):
        body += row_of_boxes(top + row * cell, cell - 3, "cell")
    body += [svg.text(left - 10, top + row * cell + 18, token, anchor="end") for row, token in enumerate(tokens)]
    bottom = top + rows * cell
    body.append(svg.text(left + columns * cell / 2, bottom + 18, f"{sizes['H']} features, up to {sizes['P']} tokens"))
    return svg.figure(
        name,
        "What gamma and beta apply to",
        "A grid with a row for each token and a column for each feature. Above each column are one gamma and one "
        f"beta. The marked gamma multiplies its column in every row. There are {sizes['H']} gammas and "
        f"{sizes['H']} betas, for any number of tokens.",
        svg.canvas(left + columns * cell, bottom + 28, "".join(body)),
        "One scale and one shift for each feature, the same at every position.",
    )
