"""Faults: what goes wrong between a print-out and the text that somebody pastes, with its exact effect.

A fault is only planted where it can be distinguished from a sound print-out of another
model: a vocabulary of another size, one layer fewer, or a class without this
head would be no fault at all to somebody who sees only the text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .lines import WHOLE, Draft, PastedLine, Subject


class Fault(NamedTuple):
    """A fault of a text, or none.

    Attributes:
        kind: "none", or the kind of the fault.
        tensors: the names in transformers of the tensors that it concerns.
        number: the amount that it adds to the sum of the rows.
    """

    kind: str = "none"
    tensors: tuple[str, ...] = ()
    number: int = 0


Planting = tuple[list[PastedLine], Fault]
"""The lines of a text with a fault, and the fault."""


def is_sound(subject: Subject, lines: Sequence[PastedLine]) -> bool:
    """Whether lines list all tensors of some class of the architecture, so that none seems to be missing."""
    names_on_lines = {name for line in lines for name in line.holds}
    return any(names_on_lines == names for names in complete_lists(subject))


def complete_lists(subject: Subject) -> list[set[str]]:
    """The names of every class of the subject's architecture, with and without a pooler, in its way of naming."""
    lists = []
    for model_class in subject.model.architecture.classes:
        for pooler in (True, False):
            fixed = model_class.fixed.pooler
            if fixed is not None and fixed is not pooler:
                continue
            if model_class.labels not in (None, subject.model.sizes["C"]):
                continue
            other = subject._replace(model_class=model_class, choices=subject.choices._replace(pooler=pooler))
            lists.append({tensor.transformers for tensor in other.tensors})
    return lists


def drop(subject: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines without a row whose absence can be noticed; None if there is no such row among a few."""
    indices = [index for index, line in enumerate(lines) if line.number]
    chance.shuffle(indices)
    for index in indices[:5]:
        remaining_lines = lines[:index] + lines[index + 1 :]
        if not is_sound(subject, remaining_lines):
            return remaining_lines, Fault("dropped", lines[index].holds, -lines[index].number)
    return None


def double(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with a row repeated; None if no row has a number."""
    indices = [index for index, line in enumerate(lines) if line.number]
    if not indices:
        return None
    index = chance.choice(indices)
    line = lines[index]
    return lines[: index + 1] + lines[index:], Fault("doubled", line.holds, line.number)


def layers_in(lines: Sequence[PastedLine]) -> list[int]:
    """The numbers of the layers in which tensors stand."""
    return sorted({line.layer for line in lines if line.layer is not None and line.holds})


def leave_out_layer(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines without a layer from the middle, since a model without its last layer is another model.

    None if there are fewer than three layers.
    """
    layers = layers_in(lines)
    if len(layers) < 3:
        return None
    layer = chance.choice(layers[1:-1])
    missing = [line for line in lines if line.layer == layer]
    names = tuple(name for line in missing for name in line.holds)
    remaining_lines = [line for line in lines if line.layer != layer]
    return remaining_lines, Fault("layer missing", names, -sum(line.number for line in missing))


DOTS = ("...", "......", "[...]", "…", "# ...", "(...)", "...\n...", "<snip>", "... (same for the other layers) ...")


def show_first_layers(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines of the first layers, with dots for the layers after them; None if there is only one layer."""
    layers = layers_in(lines)
    if len(layers) < 2:
        return None
    last_layer = chance.randrange(1, min(3, len(layers)) + (len(layers) > 3))
    hidden_layers = set(layers[last_layer:])
    if not hidden_layers:
        return None
    missing = [line for line in lines if line.layer in hidden_layers]
    index = next(index for index, line in enumerate(lines) if line.layer in hidden_layers)
    indent = missing[0].text[: len(missing[0].text) - len(missing[0].text.lstrip(" "))]
    dots = PastedLine(f"{indent}{chance.choice(DOTS)}")
    remaining_lines = [*lines[:index], dots, *(line for line in lines[index:] if line.layer not in hidden_layers)]
    names = tuple(name for line in missing for name in line.holds)
    return remaining_lines, Fault("first layers", names, -sum(line.number for line in missing))


def elide(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with all layers but the first written as `(1): BertLayer(...)`; None if there is only one layer."""
    layers = layers_in(lines)
    if len(layers) < 2:
        return None
    missing = [line for line in lines if line.layer in layers[1:]]
    heads_of_layers = {next(index for index, line in enumerate(lines) if line.layer == layer) for layer in layers[1:]}
    dots = chance.choice(["...", " ... ", "…"])
    remaining_lines = [
        line._replace(text=f"{line.text}{dots})") if index in heads_of_layers else line
        for index, line in enumerate(lines)
        if index in heads_of_layers or line.layer not in layers[1:]
    ]
    names = tuple(name for line in missing for name in line.holds)
    return remaining_lines, Fault("first layers", names, -sum(line.number for line in missing))


def change_digit(subject: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with one digit of a count changed; None if no change among a few would be recognised as a fault."""
    width = subject.model.sizes.get("E", subject.model.sizes["H"])
    indices = [
        index for index, line in enumerate(lines) if line.amount and line.holds and any(map(str.isdigit, line.amount))
    ]
    chance.shuffle(indices)
    for index in indices[:8]:
        line = lines[index]
        digit_index = chance.choice([index for index, sign in enumerate(line.amount) if sign.isdigit()])
        new_digit = chance.choice([other for other in "123456789" if other != line.amount[digit_index]])
        count = line.amount[:digit_index] + new_digit + line.amount[digit_index + 1 :]
        before, after = (int("".join(filter(str.isdigit, text))) for text in (line.amount, count))
        # A table of another length would be another model's.
        if line.layer is None and (after % width == 0 or (len(line.holds) == 1 and before < 100)):
            continue
        with_fault = [*lines[:index], line._replace(amount=count), *lines[index + 1 :]]
        return with_fault, Fault("digit", line.holds, after - before)
    return None


def change_dimension(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with one dimension of a tensor in a layer changed; None if few tensors are there to compare it with."""
    indices = [
        index
        for index, line in enumerate(lines)
        if line.shape and line.holds and (line.layer is not None or line.times > 1)
    ]
    if not indices or len(indices) < 8:
        return None
    index = chance.choice(indices)
    line = lines[index]
    sizes = list(WHOLE.finditer(line.shape))
    match = chance.choice([size for size in sizes if int(size[0]) > 1] or sizes)
    old = int(match[0])
    new = chance.choice([old + 1, old - 1, old + 10, old * 2, int(match[0][::-1])])
    if new in (old, 0):
        new = old + 2
    shape = f"{line.shape[: match.start()]}{new}{line.shape[match.end() :]}"
    change = line.of_shape(shape) - line.of_shape(line.shape)
    with_fault = [*lines[:index], line._replace(shape=shape), *lines[index + 1 :]]
    return with_fault, Fault("dimension", line.holds, change)


PLANTERS: dict[str, Callable[[Subject, list[PastedLine], random.Random], Planting | None]] = {
    "dropped": drop,
    "doubled": double,
    "layer missing": leave_out_layer,
    "first layers": show_first_layers,
    "elided": elide,
    "digit": change_digit,
    "dimension": change_dimension,
}
"""The functions that plant each kind of fault."""


def plant(subject: Subject, draft: Draft, chance: random.Random) -> Planting:
    """The lines, half of the time with a fault of any kind that the layout allows and the lines can have."""
    if draft.faults and chance.random() < 0.5:
        for kind in chance.sample(draft.faults, len(draft.faults)):
            result = PLANTERS[kind](subject, draft.lines, chance)
            if result:
                return result
    return draft.lines, Fault()


def cut_lines(text: str, width: int) -> str:
    """A text whose lines are cut at some width."""
    return "\n".join(line[:width] for line in text.split("\n"))


def wrap_lines(text: str, width: int = 80) -> str:
    """A text whose lines are wrapped by force, as a narrow terminal does."""
    return "\n".join(
        line[start : start + width] for line in text.split("\n") for start in range(0, max(len(line), 1), width)
    )
