"""Figures of changed models: additions by LoRA, adapters and prompts, the trained parts, and the stored bytes.

Every area is to scale, including the bias of a dense layer, which is drawn as
one more row of its matrix. Tensors that a change adds have their paths in an
attribute, so that the sum below a figure can highlight them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from macros.counting import ChangedModel, Polynomial
from macros.counting.architecture import ONE_LAYER
from macros.counting.changes.rows import ChangedRow
from macros.counting.memory import BYTES

from ..components import pages, svg, words
from ..components.asking import ask
from ..components.changes import added_rows, changed_model, example_of, last_line_of_sum
from ..components.numbers import whole
from .encoder_layer import LABEL_WIDTH, Flow
from .layers import PROJECTIONS
from .shares import bar_chart

FROZEN_STYLE = "self-attention-soft"
ADDED_STYLE = "lora"
"""The styles of frozen matrices and of the tensors that any method adds, not only LoRA."""

MATRIX_SIDE = 136
ADAPTER_GAP = 9
"""The side of an H by H square and the gap between it and the strips of its adapter, in pixels."""


def lora(name: str) -> str:
    """The matrices of attention in one layer of BERT base; each adapted one has LoRA's A on its left and B above it."""
    change = example_of("lora")
    model = changed_model(change)
    sizes = model.sizes
    unit = MATRIX_SIDE / sizes["H"]
    width = sizes["H"]
    rank = sizes["r"]
    # There are two rows of two squares. To the left of a square is room for A, above it for B, and below it for a line
    # of text.
    column_width = MATRIX_SIDE + 48
    row_height = MATRIX_SIDE + 88
    body = []
    for index, (label, path) in enumerate(PROJECTIONS.items()):
        x = 26 + index % 2 * column_width
        y = 38 + index // 2 * row_height
        part = f"{ONE_LAYER}/attention/{path}"
        middle = x + MATRIX_SIDE / 2
        frozen_title = f"{label}, frozen: {whole(ask(part).number)}"
        body.append(svg.area(x, y, unit, (width + 1, width), FROZEN_STYLE, frozen_title, part))
        body.append(svg.text(middle, y + MATRIX_SIDE / 2 - 4, label))
        body.append(svg.text(middle, y + MATRIX_SIDE / 2 + 16, f"{width} × {width}"))
        caption = "no adapter"
        if adapter := _adapter_of(model, path):
            body += _draw_lora_adapter(x, y, width, rank, adapter)
            number = width * rank
            caption = f"{whole(number)} + {whole(number)} = {whole(2 * number)}"
        body.append(svg.text(middle, y + MATRIX_SIDE + 20, caption, style="figures" if adapter else "label"))
    figure = svg.figure(
        name,
        "LoRA's adapters and the matrices of attention, to scale",
        f"The four matrices of attention in one layer, each {width} by {width}. Query and value have narrow "
        f"strips beside them: A on the left, {width} by {rank}, and B above, {rank} by {width}.",
        svg.canvas(26 + column_width + MATRIX_SIDE + 6, 38 + row_height + MATRIX_SIDE + 34, "".join(body), unit),
        f"Attention in one layer of BERT base, to scale, as (in, out): A is {width} × {rank}, and B is "
        f"{rank} × {width}. The strips are added and trained; the squares are frozen.",
    )
    return f'<div>{figure}<p class="bc-summed">All layers and the classifier: {last_line_of_sum(change)}</p></div>'


def _draw_lora_adapter(x: float, y: float, width: int, rank: int, adapter: list[ChangedRow]) -> list[str]:
    """A and B as strips next to the matrix whose top left corner is at (x, y), each with its letter."""
    unit = MATRIX_SIDE / width
    left = x - ADAPTER_GAP - rank * unit
    top = y - ADAPTER_GAP - rank * unit
    title_of_a, title_of_b = (
        f"{letter}: {whole(rows * columns)}" for letter, rows, columns in _adapter_shapes(width, rank)
    )
    path_of_a, path_of_b = map(_path, adapter)
    return [
        svg.area(left, y, unit, (width, rank), ADDED_STYLE, title_of_a, path_of_a),
        svg.area(x, top, unit, (rank, width), ADDED_STYLE, title_of_b, path_of_b),
        svg.text(left - 4, y + MATRIX_SIDE / 2 + 5, "A", anchor="end", style="strong"),
        svg.text(x + MATRIX_SIDE / 2, top - 6, "B", style="strong"),
    ]


def on_its_page_only(draw: Callable[[str], str]) -> Callable[[str], str]:
    """A function that draws the same figure in an element that excludes it from published files and frames."""
    return lambda name: pages.on_its_page_only(draw(name))


class FlowWithAdapters(Flow):
    """A drawing of one layer with Houlsby adapters. The layer is pale because, unlike the adapters, it is frozen."""

    def __init__(self, model: ChangedModel) -> None:
        super().__init__(is_frozen=True)
        self.adapter_width = model.sizes["m"]
        self.adapter_rows = added_rows(model)

    def draw_after(self, module: str) -> None:
        """Draw the two matrices of the adapter that follows a module, each with one more row for its bias."""
        rows = [row for row in self.adapter_rows if row.path.endswith(f"{module}/kernel")]
        number = (2 * self.width + 1) * self.adapter_width + self.width
        self.draw_arrow(18)
        self.describe("adapter", f"{self.width} → {self.adapter_width} → {self.width}", whole(number), y=self.y + 14)
        for direction, shape in {
            "down": (self.width + 1, self.adapter_width),
            "up": (self.adapter_width + 1, self.width),
        }.items():
            paths = " ".join(_path(row) for row in rows if f"adapter_{direction}" in row.name)
            x = self.middle - shape[1] * self.unit / 2
            title = f"{direction}: {whole(shape[0] * shape[1])}"
            self.body.append(svg.area(x, self.y, self.unit, shape, ADDED_STYLE, title, paths))
            self.y += shape[0] * self.unit
            if direction == "down":
                self.draw_arrow(12)


def adapters(name: str) -> str:
    """One layer of BERT base with Houlsby adapters after attention and after the last dense layer."""
    change = example_of("houlsby")
    model = changed_model(change)
    flow = FlowWithAdapters(model)
    flow.draw_layer("input", "output")
    figure = svg.figure(
        name,
        "One encoder layer of BERT base with Houlsby adapters",
        f"The encoder layer from top to bottom, frozen. One adapter comes after the output projection of attention, "
        f"another after the second dense layer of the feed-forward network. Each goes from {flow.width} features to "
        f"{flow.adapter_width} and back to {flow.width}.",
        svg.canvas(flow.label_x + LABEL_WIDTH, flow.y + 22, "".join(flow.body), flow.unit),
        "One layer of BERT base, to scale, with matrices as (in, out); each bias is drawn as one more row of its "
        "matrix. The adapters, in full colour, are added and trained; the outlined blocks are frozen. "
        "The two LayerNorms, between the triangles ▸◂, are too thin to see.",
    )
    return f'<div>{figure}<p class="bc-summed">All layers and the classifier: {last_line_of_sum(change)}</p></div>'


TABLE_GAP = 4
"""The vertical gap between tables, in pixels."""


class Shelf:
    """Part of a drawing: the tensors that one method adds, stacked on the left, with a description on the right.

    `y` is the top of the next tensor.
    """

    def __init__(self, model: ChangedModel, y: float) -> None:
        self.sizes = model.sizes
        self.unit = MATRIX_SIDE / model.sizes["H"]
        self.rows = {row.name.rpartition("default.")[2]: row for row in added_rows(model)}
        self.body: list[str] = []
        self.y = y

    def put(self, shape: tuple[int, int], title: str, row: ChangedRow, gap: float = TABLE_GAP) -> None:
        """Draw a table or matrix below the last one, centred in the column, with a gap below it."""
        left = (MATRIX_SIDE - shape[1] * self.unit) / 2
        self.body.append(svg.area(left, self.y, self.unit, shape, ADDED_STYLE, title, _path(row)))
        self.y += shape[0] * self.unit + gap

    def describe(self, top: float, title: str, *lines: str) -> None:
        """Write a title and the lines below it, beginning at `top`, and move `y` below both columns."""
        texts = [(title, "strong"), *((line, "label") for line in lines)]
        for index, (line, style) in enumerate(texts):
            self.body.append(svg.text(MATRIX_SIDE + 20, top + 10 + 20 * index, line, anchor="start", style=style))
        self.y = max(self.y, top + 20 * len(texts)) + 18


def prompts(name: str) -> str:
    """The tensors that prompt tuning, prefix tuning and p-tuning add to BERT base, all to the same scale."""
    body: list[str] = []
    y = 6.0
    for method, draw_method in {"prompt": _draw_prompt, "prefix": _draw_prefix, "p-tuning": _draw_p_tuning}.items():
        shelf = Shelf(changed_model(example_of(method)), y)
        shelf.describe(y, *draw_method(shelf))
        body += shelf.body
        y = shelf.y
    sizes = changed_model(example_of("prefix")).sizes
    tokens = sizes["t"]
    width = sizes["H"]
    layers = sizes["L"]
    return svg.figure(
        name,
        "What prompt tuning, prefix tuning and p-tuning train, to scale",
        f"Prompt tuning: one table of {tokens} by {width}. Prefix tuning: {2 * layers} such tables, one for the keys "
        f"and one for the values of each layer. P-tuning: one such table, and a network.",
        svg.canvas(MATRIX_SIDE + 216, y, "".join(body), shelf.unit),
        f"For {tokens} virtual tokens in BERT base, to scale, with matrices as (in, out); each bias is drawn as one "
        "more row of its matrix. Everything shown is added and trained. The classifier is trained too.",
    )


def _table_shape(shelf: Shelf) -> tuple[int, int]:
    """The rows and columns of a table with one vector per virtual token."""
    return shelf.sizes["t"], shelf.sizes["H"]


def _draw_prompt(shelf: Shelf) -> tuple[str, ...]:
    """Draw the tensors of prompt tuning; return the title and the lines of their description."""
    tokens, width = _table_shape(shelf)
    total_text = whole(tokens * width)
    shelf.put((tokens, width), f"vectors of virtual tokens: {total_text}", shelf.rows["embedding.weight"])
    return "Prompt tuning", f"{tokens} × {width} = {total_text}"


def _draw_prefix(shelf: Shelf) -> tuple[str, ...]:
    """Draw the tensors of prefix tuning; return the title and the lines of their description."""
    tokens, width = _table_shape(shelf)
    layers = shelf.sizes["L"]
    number = tokens * width
    for layer in range(layers):
        title = f"prefix in layer {layer}: {whole(number)}"
        for gap in (1, TABLE_GAP):  # keys and values of the same layer are closer together
            shelf.put((tokens, width), title, shelf.rows["embedding.weight"], gap)
    lines = f"keys and values of {layers} layers", f"2 × {layers} × {whole(number)}", f"= {whole(2 * layers * number)}"
    return "Prefix tuning", *lines


def _draw_p_tuning(shelf: Shelf) -> tuple[str, ...]:
    """Draw the tensors of p-tuning; return the title and the lines of their description."""
    tokens, width = _table_shape(shelf)
    inner_width = shelf.sizes["n"]
    table_text = whole(tokens * width)
    shelf.put(
        (tokens, width), f"vectors of virtual tokens: {table_text}", shelf.rows["embedding.weight"], 2 * TABLE_GAP
    )
    # The keys are indices in PEFT's network; the indices between them are activation functions.
    shape_by_index = {0: (width + 1, inner_width), 2: (inner_width + 1, inner_width), 4: (inner_width + 1, width)}
    for index, shape in shape_by_index.items():
        title = f"layer of the network: {whole(shape[0] * shape[1])}"
        shelf.put(shape, title, shelf.rows[f"mlp_head.{index}.weight"], 2 * TABLE_GAP)
    network_lines = [f"+ {rows} × {columns} = {whole(rows * columns)}" for rows, columns in shape_by_index.values()]
    total = tokens * width + sum(rows * columns for rows, columns in shape_by_index.values())
    return (
        f"P-tuning, width n = {inner_width}",
        f"{tokens} × {width} = {table_text}",
        *network_lines,
        f"in all {whole(total)}",
    )


TRAINED_IN_PART = ("head", "layernorm", "bitfit", "frozen:6", "embeddings")
"""Changes that train only part of the model, in the order of the figure's bars."""


def trained_in_part(name: str) -> str:
    """The parameters of BERT base that each change in `TRAINED_IN_PART` trains, by block, and those that it freezes."""
    bars: list[svg.Bar] = []
    blocks_in_colour: set[str] = set()
    for change_name in TRAINED_IN_PART:
        model = changed_model(change_name)
        numbers_by_block: Counter[str] = Counter()
        for row in model.rows:
            numbers_by_block[row.block] += Polynomial(row.trainable_terms).value(model.sizes)
        trainable = {block: number for block, number in numbers_by_block.items() if number}
        blocks_in_colour |= trainable.keys()
        segments = [
            svg.Segment(block, number, f"{_block_name(block)}: {whole(number)}") for block, number in trainable.items()
        ]
        frozen_number = model.number - model.trainable
        segments.append(svg.Segment("cell", frozen_number, f"frozen: {whole(frozen_number)}"))
        (change,) = model.changes
        label = change.method.title.replace("first layers", f"first {change.sizes.get('k')} layers")
        bars.append(svg.Bar(label, f"{whole(model.trainable)} trained", segments))
    blocks = [block for block in words.BLOCKS if block in blocks_in_colour]
    legend = svg.legend({block: _block_name(block) for block in blocks} | {"cell": "frozen"})
    caption = (
        "Every bar is the whole of BERT base with a classifier, and all bars are to the same scale. What is trained is "
        f"in colour; where no colour shows, the trained part is too small to see.{legend}"
    )
    return bar_chart(name, "How much of BERT base is trained", bars, caption)


def _block_name(name: str) -> str:
    """The name of a block, as in legends."""
    return words.LEGENDS[name]


STORAGE_LABELS = {"head": "float32", "int8": "int8", "int4": "4 bits", "nf4-double": "4 bits with double quantisation"}
"""The labels of ways to store BERT base, by change. Freezing does not change any bytes, so `head` means float32."""


def storage(name: str) -> str:
    """The bytes of BERT base for each way to store it, split into embeddings, all other weights, and scales."""
    bars = []
    for change, label in STORAGE_LABELS.items():
        model = changed_model(change)
        rows = [row for row in model.rows if row.path.startswith("bert/embeddings")]
        embedding_terms = tuple(term for row in rows for term in row.terms)
        embedding_bytes = Polynomial(embedding_terms).value(model.sizes) * BYTES["float32"]
        amounts = {
            "embeddings": embedding_bytes,
            "cell": model.weights_bytes() - embedding_bytes,
            ADDED_STYLE: model.scales_bytes,
        }
        segments = [
            svg.Segment(style, amount, f"{STORAGE_LEGEND[style]}: {whole(amount)}")
            for style, amount in amounts.items()
            if amount
        ]
        bars.append(svg.Bar(label, f"{model.bytes_of() / 1e6:.1f} MB", segments))
    legend = svg.legend(STORAGE_LEGEND)
    caption = f"BERT base with a classifier, all bars to the same scale.{legend}"
    return bar_chart(name, "Bytes of BERT base, by storage format", bars, caption)


STORAGE_LEGEND = {"embeddings": "embeddings", "cell": "everything else", ADDED_STYLE: "scales"}
"""The legend of the figure that `storage` draws, by style."""


def _adapter_shapes(width: int, rank: int) -> tuple[tuple[str, int, int], tuple[str, int, int]]:
    """The letter, rows and columns of each of an adapter's two matrices."""
    return ("A", width, rank), ("B", rank, width)


def _adapter_of(model: ChangedModel, path: str) -> list[ChangedRow]:
    """The rows that a change adds to one matrix of attention: either A and B or none."""
    return [row for row in added_rows(model) if row.path.endswith(f"attention/{path}/kernel")]


def _path(row: ChangedRow) -> str:
    """The path of an added row, in the same form as in the lines of a sum."""
    return f"{row.path}/{row.name}"
