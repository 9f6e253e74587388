"""Drawings of one encoder layer and what is in it: its matrices, heads, LayerNorms and blocks."""

from __future__ import annotations

from macros.counting import model_named

from ..elements import svg
from ..elements.asking import BASE, ask
from ..elements.numbers import whole

LAYER = "bert/encoder/layer_0"


def attention(name: str) -> str:
    """The four matrices of self-attention in one layer, as squares."""
    width = model_named(BASE).sizes["H"]
    side, gap = 78, 16
    body = []
    paths = {"query": "self/query", "key": "self/key", "value": "self/value", "output": "output/dense"}
    for index, (label, path) in enumerate(paths.items()):
        one = ask(f"{LAYER}/attention/{path}")
        x = index * (side + gap)
        body.append(svg.text(x + side / 2, 14, label))
        body.append(svg.box(x, 24, side, side, "self-attention", f"{label}: {whole(one.number)}"))
        body.append(svg.text(x + side / 2, 24 + side / 2 + 5, f"{width} × {width}", style="inside-small"))
        body.append(svg.box(x, 24 + side + 4, side, 3, "self-attention", f"bias: {whole(width)}"))
        body.append(svg.text(x + side / 2, 24 + side + 26, whole(one.number), style="figures"))
    total = ask(LAYER, "self-attention")
    return svg.figure(
        name,
        "The four matrices of self-attention",
        f"Four squares of {width} by {width}, query, key, value and output, each with a strip for its bias; "
        f"together {whole(total.number)} parameters.",
        svg.canvas(4 * side + 3 * gap, 140, "".join(body)),
        "One layer of base: four square matrices, and under each its bias.",
    )


def attention_heads(name: str) -> str:
    """The query matrix of base, cut into the slices of its heads."""
    sizes = model_named(BASE).sizes
    heads, width = sizes["A"], sizes["H"]
    one = ask(f"{LAYER}/attention/self/query/kernel").number // heads
    side, left, top = 264, 48, 44
    slice_width = side / heads
    body = [svg.text(left + side / 2, 16, f"out: {heads} heads × {width // heads} = {width}")]
    for head in range(heads):
        style = "self-attention" if head % 2 else "self-attention-soft"
        title = f"head {head}: {width} × {width // heads} = {whole(one)}"
        body.append(svg.box(left + head * slice_width, top, slice_width, side, style, title))
        body.append(svg.text(left + (head + 0.5) * slice_width, top - 8, str(head), style="small"))
    body.append(
        f'<g transform="translate({left - 16} {top + side / 2}) rotate(-90)">{svg.text(0, 0, f"in: {width}")}</g>'
    )
    body.append(svg.text(left + side / 2, top + side + 24, f"a head: {width} × {width // heads} = {whole(one)}"))
    body.append(svg.text(left + side / 2, top + side + 46, f"all: {heads} × {whole(one)} = {whole(one * heads)}"))
    return svg.figure(
        name,
        "One query matrix holds the slices of all heads",
        f"A square of {width} by {width} cut into {heads} slices, one for each head; a slice is {width} by "
        f"{width // heads} and holds {whole(one)} weights, all together {whole(one * heads)}.",
        svg.canvas(left + side + 24, top + side + 56, "".join(body)),
        "The query matrix of one layer of base. Each stripe is one head.",
    )


def feed_forward(name: str) -> str:
    """The two matrices of the feed-forward network beside one of attention, to scale."""
    sizes = model_named(BASE).sizes
    unit = 66 / sizes["H"]
    narrow, wide = sizes["H"] * unit, sizes["F"] * unit
    first, second = (ask(f"{LAYER}/{path}/dense") for path in ("intermediate", "output"))
    one = ask(f"{LAYER}/attention/self/query")
    top = 26 + narrow + 42
    body = [
        svg.text(0, 16, f"intermediate: H × F, {whole(first.number)}", anchor="start"),
        svg.box(0, 26, wide, narrow, "feed-forward", f"intermediate: {whole(first.number)}"),
        svg.text(0, top - 12, f"output: F × H, {whole(second.number)}", anchor="start"),
        svg.box(0, top, narrow, wide, "feed-forward", f"output: {whole(second.number)}"),
        svg.box(narrow + 36, top, narrow, narrow, "self-attention", f"query: {whole(one.number)}"),
        svg.text(narrow + 36, top + narrow + 20, "for comparison: query,", anchor="start"),
        svg.text(narrow + 36, top + narrow + 40, f"H × H, {whole(one.number)}", anchor="start"),
    ]
    return svg.figure(
        name,
        "The two matrices of the feed-forward network, to scale",
        f"A wide rectangle of {sizes['H']} by {sizes['F']}, a tall one of {sizes['F']} by {sizes['H']}, "
        f"and the query matrix of {sizes['H']} by {sizes['H']} for comparison.",
        svg.canvas(340, round(top + wide + 8), "".join(body)),
        "One layer of base, to scale. Each of the two is as large as all four matrices of attention, biases apart.",
    )


def layer_norm(name: str) -> str:
    """What scale and shift multiply: one column of features at every position."""
    sizes = model_named(BASE).sizes
    columns, rows, cell, left, top = 8, 5, 30, 84, 62
    chosen = 2

    def features(y: int, height: int, plain: str) -> list[str]:
        styles = ("encoder-norms" if column == chosen else plain for column in range(columns))
        return [svg.box(left + column * cell, y, cell - 3, height, style) for column, style in enumerate(styles)]

    body = []
    for row, label in enumerate(("gamma", "beta")):
        y = 8 + row * 22
        body += [svg.text(left - 10, y + 13, label, anchor="end"), *features(y, 18, "encoder-norms-soft")]
    for row in range(rows):
        body += features(top + row * cell, cell - 3, "cell")
    words = ("first token", "second", "third", "…", "last")
    body += [
        svg.text(left - 10, top + row * cell + 18, each, anchor="end", style="small") for row, each in enumerate(words)
    ]
    bottom = top + rows * cell
    body.append(svg.text(left + columns * cell / 2, bottom + 18, f"{sizes['H']} features, up to {sizes['P']} tokens"))
    return svg.figure(
        name,
        "What gamma and beta belong to",
        "A grid with a row for each token and a column for each feature. Above each column stand one gamma and one "
        f"beta. The marked gamma multiplies its column in every row: {sizes['H']} of each, for any number of tokens.",
        svg.canvas(left + columns * cell, bottom + 28, "".join(body)),
        "One scale and one shift for each feature, the same at every position.",
    )


def encoder_layer(name: str) -> str:
    """One layer of base as its blocks, with the count on each."""
    middle, width = 180, 200
    body, y = [svg.text(middle, 16, "H numbers for each token, from below")], 28

    def line(length: int) -> None:
        nonlocal y
        body.append(svg.path(f"M{middle} {y}v{length}"))
        y += length

    def block(words: str, style: str, part: str = "", *, height: int = 40, gap: int = 16, residual: int = 0) -> None:
        """A block below a line as long as `gap`; a residual connection that starts at `residual` ends here as well."""
        nonlocal y
        line(gap)
        if residual:
            body.append(svg.path(f"M{middle} {residual}H{middle + width / 2 + 24}V{y + 20}H{middle + width / 2}"))
        number = whole(ask(f"{LAYER}/{part}").number) if part else "0"
        body.append(svg.box(middle - width / 2, y, width, height, style, f"{words}: {number}"))
        body.append(svg.text(middle - width / 2 + 10, y + height / 2 + 5, words, anchor="start", style="inside"))
        body.append(svg.text(middle + width / 2 - 10, y + height / 2 + 5, number, anchor="end", style="inside"))
        y += height

    start = y + 4
    line(22)
    third = (width - 16) / 3
    for index, each in enumerate(("query", "key", "value")):
        one = ask(f"{LAYER}/attention/self/{each}")
        x = middle - width / 2 + index * (third + 8)
        body.append(svg.box(x, y, third, 46, "self-attention", f"{each}: {whole(one.number)}"))
        body.append(svg.text(x + third / 2, y + 19, each, style="inside"))
        body.append(svg.text(x + third / 2, y + 37, whole(one.number), style="inside-small"))
    y += 46
    block("softmax, weighted sum", "cell", height=34)
    block("output", "self-attention", "attention/output/dense")
    block("add, LayerNorm", "encoder-norms", "attention/output/LayerNorm", residual=start)
    start = y + 4
    block("intermediate", "feed-forward", "intermediate", gap=22)
    block("GELU", "cell", height=34)
    block("output", "feed-forward", "output/dense")
    block("add, LayerNorm", "encoder-norms", "output/LayerNorm", residual=start)
    line(20)
    total = ask(LAYER)
    body.append(svg.text(middle, y + 14, "H numbers for each token, to the next layer"))
    return svg.figure(
        name,
        "One encoder layer of BERT base, block by block",
        "From top to bottom: query, key and value side by side, softmax and weighted sum, output projection, addition "
        "and LayerNorm, intermediate layer, GELU, output layer, addition and LayerNorm. "
        f"Together {whole(total.number)} parameters.",
        svg.canvas(360, y + 24, "".join(body)),
        f"One layer of base, {whole(total.number)} parameters. The lines at the side are the residual connections.",
    )
