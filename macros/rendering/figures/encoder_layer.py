"""The drawing of one encoder layer, from its input to its output, with every matrix to scale.

`Flow` draws from top to bottom: a method that draws an element puts it at the vertical
position `y`, and then moves `y` below it. `changes.py` extends `Flow` for a layer with
adapters.
"""

from __future__ import annotations

from macros.counting.architecture import ONE_LAYER

from ..components import svg, words
from ..components.asking import ask
from ..components.numbers import whole

MATRIX_SIDE = 38
"""The side of an H by H square in pixels, which determines the scale of the drawing."""

LEFT_MARGIN = 20
BOX_GAP = 14
LABEL_GAP = 12
LABEL_WIDTH = 170
"""The margin to the left of the boxes, the gap between boxes, the gap before labels and their width, in pixels.

Residual connections are drawn in the margin.
"""


class Flow:
    """A drawing of a layer that grows downwards, with labels on the right; a frozen layer has paler colours.

    `y` is the top of the next element, and `branch_y` is the vertical position at which the current residual connection
    leaves the middle line.
    """

    def __init__(self, *, is_frozen: bool = False) -> None:
        self.shade = "-soft" if is_frozen else ""
        sizes = ask(ONE_LAYER).sizes
        self.width = sizes["H"]
        self.inner_width = sizes["F"]
        self.unit = MATRIX_SIDE / self.width
        widest = self.inner_width * self.unit  # wider than three squares, because F is four times H
        self.middle = LEFT_MARGIN + widest / 2
        self.label_x = LEFT_MARGIN + widest + LABEL_GAP
        self.y = 20.0
        self.branch_y = 0.0
        self.body: list[str] = []

    def draw_arrow(self, length: float) -> None:
        """Draw an arrow down to the next element."""
        self.body.append(svg.arrow(f"M{self.middle:g} {self.y:g}v{length - 4}", self.middle, self.y + length))
        self.y += length

    def describe(self, *lines: str, y: float) -> None:
        """Write up to three lines on the right, in the styles of a name, a path and a number."""
        styles = ("label", "small", "figures")
        # There may be fewer lines than styles.
        for index, (line, style) in enumerate(zip(lines, styles, strict=False)):
            self.body.append(svg.text(self.label_x, y + 16 * index, line, anchor="start", style=style))

    def draw_dense(self, name: str, path: str, style: str, shape: tuple[int, int]) -> None:
        """Draw a dense layer with a matrix of the given shape and one more row for its bias."""
        question = ask(f"{ONE_LAYER}/{path}")
        number = whole(question.number)
        rows = shape[0] + 1
        columns = shape[1]
        x = self.middle - columns * self.unit / 2
        title = f"{name}: {number}"
        self.body.append(svg.area(x, self.y, self.unit, (rows, columns), f"{style}{self.shade}", title, question.part))
        height = rows * self.unit
        self.describe(name, path, number, y=self.y + height / 2 - 12)
        self.y += height

    def draw_projections(self) -> None:
        """Draw query, key and value side by side, each with an incoming and an outgoing arrow."""
        # The middle line ends at a horizontal bar, from which an arrow leads to each matrix.
        bar = self.y + 10
        top = self.y + 28
        self.body.append(svg.path(f"M{self.middle:g} {self.y:g}V{bar:g}"))
        height = (self.width + 1) * self.unit
        for index, name in enumerate(("query", "key", "value")):
            question = ask(f"{ONE_LAYER}/attention/self/{name}")
            number = whole(question.number)
            middle = self.middle + (index - 1) * (MATRIX_SIDE + BOX_GAP)
            self.body.append(svg.arrow(f"M{self.middle:g} {bar:g}H{middle:g}V{top - 4:g}", middle, top))
            shape = (self.width + 1, self.width)
            title = f"{name}: {number}"
            style = f"self-attention{self.shade}"
            box = svg.area(middle - MATRIX_SIDE / 2, top, self.unit, shape, style, title, question.part)
            text_style = "small" if self.shade else "inside"
            self.body += [box, svg.text(middle, top + height / 2 + 4, name, style=text_style)]
            self.body.append(svg.arrow(f"M{middle:g} {top + height:g}v12", middle, top + height + 16))
        self.describe("query, key, value", "attention/self", f"3 × {number}", y=top + height / 2 - 12)
        self.y = top + height + 16

    def draw_operation(self, text: str) -> None:
        """Draw a step without parameters as a rounded frame, which is not to scale."""
        width = 3 * MATRIX_SIDE + 2 * BOX_GAP + 14
        x = self.middle - width / 2
        self.body.append(f'<rect x="{x:g}" y="{self.y:g}" width="{width}" height="28" rx="14" class="bc-step"/>')
        self.body.append(svg.text(self.middle, self.y + 18, text, style="small"))
        self.describe("no parameters", y=self.y + 19)
        self.y += 28

    def branch_off(self) -> None:
        """Start a residual connection, which `draw_add_and_norm` will draw."""
        self.branch_y = self.y + 5

    def draw_add_and_norm(self, path: str) -> None:
        """Draw the addition at the end of the residual connection, and the LayerNorm below it.

        The LayerNorm is too thin to see, so triangles at both ends point to it.
        """
        radius = 8
        self.draw_arrow(18)
        y = self.y + radius
        left = self.middle - radius
        self.body.append(f'<circle cx="{self.middle:g}" cy="{y:g}" r="{radius}" class="bc-step"/>')
        self.body.append(svg.path(f"M{self.middle - 4:g} {y:g}h8M{self.middle:g} {y - 4:g}v8"))
        self.body.append(
            svg.arrow(f"M{self.middle:g} {self.branch_y:g}H8V{y:g}H{left - 4:g}", left, y, direction="right")
        )
        self.describe("add", y=y + 4)
        self.y = y + radius
        self.draw_arrow(20)
        question = ask(f"{ONE_LAYER}/{path}")
        x = self.middle - MATRIX_SIDE / 2
        title = f"LayerNorm: {whole(question.number)}"
        style = f"encoder-norms{self.shade}"
        self.body.append(svg.area(x, self.y, self.unit, (2, self.width), style, title, question.part))
        for end, points in ((x - 2, "l-8 -4.5v9z"), (x + MATRIX_SIDE + 2, "l8 -4.5v9z")):
            attributes = f'class="bc-edge bc-encoder-norms" data-part="{question.part}"'
            self.body.append(f'<path d="M{end:g} {self.y:g}{points}" {attributes}/>')
        self.describe(title, path, y=self.y)
        self.y += 2 * self.unit

    def draw_layer(self, input_text: str, output_text: str) -> None:
        """Draw the whole layer, with a line of text above it for the input and one below it for the output."""
        width = self.width
        inner_width = self.inner_width
        self.body.append(svg.text(0, 13, input_text, anchor="start"))
        self.branch_off()
        self.draw_projections()
        self.draw_operation("softmax, weighted sum")
        self.draw_arrow(18)
        self.draw_dense("output projection", "attention/output/dense", "self-attention", (width, width))
        self.draw_after("attention/output/dense")
        self.draw_add_and_norm("attention/output/LayerNorm")
        self.branch_off()
        self.draw_arrow(36)
        self.draw_dense("first dense layer", "intermediate/dense", "feed-forward", (width, inner_width))
        self.draw_arrow(18)
        self.draw_operation("GELU")
        self.draw_arrow(18)
        self.draw_dense("second dense layer", "output/dense", "feed-forward", (inner_width, width))
        self.draw_after("layer_*/output/dense")
        self.draw_add_and_norm("output/LayerNorm")
        self.draw_arrow(24)
        self.body.append(svg.text(0, self.y + 16, output_text, anchor="start"))

    def draw_after(self, module: str) -> None:
        """Draw what a subclass adds after a module, given the end of the module's path; a plain layer adds nothing."""


def encoder_layer(name: str) -> str:
    """One layer of BERT base from its input to its output, with every matrix to scale."""
    flow = Flow()
    tokens = f"{flow.width} numbers for each token"
    flow.draw_layer(f"input: {tokens}", f"output: {tokens}")
    total = whole(ask(ONE_LAYER).number)
    return svg.figure(
        name,
        "One encoder layer of BERT base, from its input to its output",
        f"From top to bottom: the input, {tokens}; query, key and value side by side; softmax and weighted sum; the "
        "output projection of attention; addition of the input and LayerNorm; the first dense layer of the "
        "feed-forward network; GELU; the second dense layer; addition of the network's input and LayerNorm; the "
        f"output. {total} parameters in total.",
        svg.canvas(flow.label_x + LABEL_WIDTH, flow.y + 22, "".join(flow.body), flow.unit),
        f"One layer of BERT base, {total} parameters, from the input at the top to the output at the bottom. "
        "The coloured areas are to scale, with matrices as (in, out); each bias is drawn as one more row of its "
        "matrix. The lines on the left are the residual connections. "
        f"The two LayerNorms, between the triangles ▸◂, are too thin to see.{LEGEND}",
    )


LEGEND = svg.legend({name: words.LEGENDS[name] for name in ("self-attention", "feed-forward", "encoder-norms")})
"""The legend of a layer's blocks."""
