"""The lines of a print-out before they become text, so that faults can be planted in them.

A line lists the tensors that it describes, by their names in transformers, and
their number of parameters. Its count and its shape are kept apart from the text
around them, so that a single digit or dimension can be changed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import NamedTuple

from macros.counting import Choices, Model, ModelClass, Question, Tensor, tensors
from macros.counting.architecture import OPEN

from .modules import layer_of

COUNT, SHAPE = "\x02", "\x04"
"""The placeholders for the count and the shape in the text of a line."""

CELL = "\x1f"
"""The separator between the cells of a line, for layouts that set the widths of columns later."""

WHOLE_NUMBER = re.compile("[0-9]+")
"""A whole number in a shape."""


class PastedLine(NamedTuple):
    """A line of a print-out, or several lines that form a unit.

    Attributes:
        text: the text, with the placeholders `COUNT` and `SHAPE`.
        tensor_names: the tensors that the line describes; empty for headings, subtotals and closing brackets.
        number: the number of parameters in these tensors, not counting tied ones.
        amount: the count as printed.
        shape: the shape as printed.
        kind: the type of the module, if its parameters are more than the product of the shape's dimensions.
        layer: the index of the layer that the line belongs to, even if it describes no tensors.
        times: the number of equal layers that the line describes.
    """

    text: str
    tensor_names: tuple[str, ...] = ()
    number: int = 0
    amount: str = ""
    shape: str = ""
    kind: str = ""
    layer: int | None = None
    times: int = 1

    @property
    def full_text(self) -> str:
        """The text with its count and shape filled in."""
        return self.text.replace(COUNT, self.amount).replace(SHAPE, self.shape)

    def number_with_shape(self, shape: str) -> int:
        """The number of parameters that the line would have with `shape` instead of its own."""
        sizes = [int(size) for size in WHOLE_NUMBER.findall(shape)]
        if self.kind == "LayerNorm":
            return 2 * sizes[0] * self.times
        bias = sizes[1] if self.kind == "Linear" else 0
        return (prod(sizes) + bias) * self.times


def one_per_line(lines: Sequence[PastedLine]) -> str:
    """The text of the lines, one below the other."""
    return "\n".join(line.full_text for line in lines)


class Draft(NamedTuple):
    """A print-out before a fault is planted.

    Attributes:
        lines: its lines in order.
        stated_total: the total that it states; None if it states none.
        is_complete: whether it shows every tensor of the class.
        text: a function that returns the text of the lines.
        faults: the kinds of faults that a reader of this print-out could notice.
        shown_subject: the subject that it shows, if the layout cannot print the given one unchanged.
    """

    lines: list[PastedLine]
    stated_total: int | None = None
    is_complete: bool = True
    text: Callable[[Sequence[PastedLine]], str] = one_per_line
    faults: tuple[str, ...] = ("dropped", "doubled", "layer missing", "first layers")
    shown_subject: Subject | None = None


# The kinds of faults that can be noticed in layouts with shapes, with counts, and with both.
SHAPE_FAULTS = ("dropped", "doubled", "layer missing", "first layers", "dimension")
COUNT_FAULTS = ("dropped", "doubled", "layer missing", "first layers", "digit")
ALL_FAULTS = (*SHAPE_FAULTS, "digit")


class Subject(NamedTuple):
    """A model to print, as a class and with the choices that the architecture leaves open."""

    model: Model
    model_class: ModelClass
    choices: Choices = OPEN

    @property
    def question(self) -> Question:
        """The question to the engine about this subject."""
        return Question(self.model, self.model_class.name, choices=self.choices)

    @property
    def tensors(self) -> list[Tensor]:
        """The tensors in the order of transformers, including tied ones."""
        return list(tensors(self.question))

    @property
    def total(self) -> int:
        """The number of parameters."""
        return self.question.number

    @property
    def is_bare(self) -> bool:
        """Whether the class is the bare model, which has no head."""
        return self.model_class is self.model.architecture.classes[0]

    @property
    def is_bert(self) -> bool:
        """Whether the architecture is BERT itself, not a relative."""
        return self.model.architecture.model_type == "bert"


def line_of_tensor(tensor: Tensor, text: str, count: str = "", shape: str = "") -> PastedLine:
    """A line that describes a single tensor."""
    return PastedLine(text, (tensor.transformers,), tensor.size, count, shape, layer=layer_of(tensor))


def line_of_tensors(group: Iterable[Tensor], text: str, count: str = "") -> PastedLine:
    """A line that describes several tensors; it has a layer if all of them are in the same one."""
    group_list = list(group)
    layers = {layer_of(tensor) for tensor in group_list}
    layer = layers.pop() if len(layers) == 1 else None
    return PastedLine(
        text,
        tuple(tensor.transformers for tensor in group_list),
        sum(tensor.size for tensor in group_list),
        count,
        layer=layer,
    )


SEPARATORS = (",", ",", ",", "", "", "", ".", " ", "_")
"""Thousands separators, repeated according to how common they are."""


def number_format(separator: str) -> Callable[[int], str]:
    """A function that formats whole numbers with `separator` between thousands."""
    return lambda number: f"{number:,}".replace(",", separator)


def random_number_format(chance: random.Random) -> Callable[[int], str]:
    """A function that formats whole numbers with a random thousands separator."""
    return number_format(chance.choice(SEPARATORS))


def is_listed(tensor: Tensor) -> bool:
    """Return whether `named_parameters()` lists the tensor; it leaves out tied ones."""
    return tensor.tied_to is None


def torch_shape(shape: Sequence[int]) -> str:
    """A shape as torch prints it."""
    return f"torch.Size([{', '.join(map(str, shape))}])"


def tuple_shape(shape: Sequence[int]) -> str:
    """A shape as Python prints a tuple."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
