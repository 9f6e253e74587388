"""Lines: what a layout makes of a model before it becomes text, so that a fault can be planted in it.

A line says in words of the engine what it stands for: the names of its tensors
in transformers and their number. Its count and its shape stand apart from the
text around them, so that a single digit or dimension can be changed.
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
"""The places of count and shape in the text of a line."""

CELL = "\x1f"
"""The separator of the cells of a line whose layout decides their widths."""

WHOLE = re.compile("[0-9]+")
"""A whole number in a shape."""


class PastedLine(NamedTuple):
    """One line of a print-out, or several that belong together.

    Attributes:
        text: with `COUNT` and `SHAPE` where these belong.
        holds: the names of the tensors that it stands for; empty for headings, subtotals and closing brackets.
        number: their parameters, 0 for tied ones.
        amount: the count as printed.
        shape: the shape as printed.
        kind: the type of a module whose shape says more than the product of its dimensions.
        layer: the number of the layer that it belongs to, whether or not it stands for tensors.
        times: the equal layers that it stands for.
    """

    text: str
    holds: tuple[str, ...] = ()
    number: int = 0
    amount: str = ""
    shape: str = ""
    kind: str = ""
    layer: int | None = None
    times: int = 1

    @property
    def whole(self) -> str:
        """The text with count and shape."""
        return self.text.replace(COUNT, self.amount).replace(SHAPE, self.shape)

    def of_shape(self, shape: str) -> int:
        """The parameters that follow from a shape in place of its own."""
        sizes = [int(torch_shape) for torch_shape in WHOLE.findall(shape)]
        if self.kind == "LayerNorm":
            return 2 * sizes[0] * self.times
        bias = sizes[1] if self.kind == "Linear" else 0
        return (prod(sizes) + bias) * self.times


def one_per_line(lines: Sequence[PastedLine]) -> str:
    """The text in which each line stands below the one before."""
    return "\n".join(line.whole for line in lines)


class Draft(NamedTuple):
    """A print-out before faults.

    Attributes:
        lines: its lines in order.
        stated: the total that it states; None if it states none.
        complete: whether it shows every tensor of the class.
        text: makes the text of the lines.
        faults: the kinds of faults that can be seen in it.
        shown: the subject that it shows, if the layout cannot print the one it was given as it is.
    """

    lines: list[PastedLine]
    stated: int | None = None
    complete: bool = True
    text: Callable[[Sequence[PastedLine]], str] = one_per_line
    faults: tuple[str, ...] = ("dropped", "doubled", "layer missing", "first layers")
    shown: Subject | None = None


# The kinds of faults that can be seen in layouts with shapes, with counts, and with both.
SHAPE_FAULTS = ("dropped", "doubled", "layer missing", "first layers", "dimension")
COUNT_FAULTS = ("dropped", "doubled", "layer missing", "first layers", "digit")
ALL_FAULTS = (*SHAPE_FAULTS, "digit")


class Subject(NamedTuple):
    """A model that is printed, in a class and with choices of the architecture."""

    model: Model
    model_class: ModelClass
    choices: Choices = OPEN

    @property
    def question(self) -> Question:
        """The question that the engine answers about it."""
        return Question(self.model, self.model_class.name, choices=self.choices)

    @property
    def tensors(self) -> list[Tensor]:
        """Its tensors in the order of transformers, tied ones included."""
        return list(tensors(self.question))

    @property
    def total(self) -> int:
        """Its parameters."""
        return self.question.number

    @property
    def is_bare(self) -> bool:
        """Whether it is the model without a head."""
        return self.model_class is self.model.architecture.classes[0]

    @property
    def is_bert(self) -> bool:
        """Whether it is a BERT and no relative."""
        return self.model.architecture.model_type == "bert"


def of_tensor(tensor: Tensor, text: str, count: str = "", shape: str = "") -> PastedLine:
    """The line of a single tensor."""
    return PastedLine(text, (tensor.transformers,), tensor.size, count, shape, layer=layer_of(tensor))


def of_tensors(group: Iterable[Tensor], text: str, count: str = "") -> PastedLine:
    """The line of several tensors."""
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
"""The separators of thousands, repeated according to how common they are."""


def number_in(separator: str) -> Callable[[int], str]:
    """A function that prints whole numbers with a separator of thousands."""
    return lambda number: f"{number:,}".replace(",", separator)


def some_numbers(chance: random.Random) -> Callable[[int], str]:
    """A function that prints whole numbers with a random separator of thousands."""
    return number_in(chance.choice(SEPARATORS))


def is_listed(tensor: Tensor) -> bool:
    """Whether `named_parameters()` lists a tensor, which it does only once."""
    return tensor.tied_to is None


def torch_shape(shape: Sequence[int]) -> str:
    """A shape as torch prints it."""
    return f"torch.Size([{', '.join(map(str, shape))}])"


def tuple_shape(shape: Sequence[int]) -> str:
    """A shape as Python prints a tuple."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
