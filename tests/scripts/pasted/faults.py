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


def is_sound(subject: Subject, lines: Sequence[PastedLine]) -> bool:
    """Return whether the lines that are left list all tensors of another class or choice of the architecture."""
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
    """A row is missing."""
    indices = [index for index, line in enumerate(lines) if line.number]
    chance.shuffle(indices)
    for index in indices[:5]:
        rest = lines[:index] + lines[index + 1 :]
        if not is_sound(subject, rest):
            return rest, Fault("dropped", lines[index].holds, -lines[index].number)
    return None


def double(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """A row stands twice."""
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
    """A whole layer is missing, but not the last, since that would be another model."""
    layers = layers_in(lines)
    if len(layers) < 3:
        return None
    layer = chance.choice(layers[1:-1])
    missing = [line for line in lines if line.layer == layer]
    names = tuple(name for line in missing for name in line.holds)
    rest = [line for line in lines if line.layer != layer]
    return rest, Fault("layer missing", names, -sum(line.number for line in missing))


DOTS = ("...", "......", "[...]", "…", "# ...", "(...)", "...\n...", "<snip>", "... (same for the other layers) ...")


def show_first_layers(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """Only the first layers are shown, and dots stand for the rest."""
    layers = layers_in(lines)
    if len(layers) < 2:
        return None
    last_layer = chance.randrange(1, min(3, len(layers)) + (len(layers) > 3))
    after = set(layers[last_layer:])
    if not after:
        return None
    missing = [line for line in lines if line.layer in after]
    index = next(index for index, line in enumerate(lines) if line.layer in after)
    indent = missing[0].text[: len(missing[0].text) - len(missing[0].text.lstrip(" "))]
    dots = PastedLine(f"{indent}{chance.choice(DOTS)}")
    rest = [*lines[:index], dots, *(line for line in lines[index:] if line.layer not in after)]
    names = tuple(name for line in missing for name in line.holds)
    return rest, Fault("first layers", names, -sum(line.number for line in missing))


def elide(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """All layers but the first are written as `(1): BertLayer(...)`."""
    layers = layers_in(lines)
    if len(layers) < 2:
        return None
    missing = [line for line in lines if line.layer in layers[1:]]
    first = {next(index for index, line in enumerate(lines) if line.layer == layer) for layer in layers[1:]}
    dots = chance.choice(["...", " ... ", "…"])
    rest = [
        line._replace(text=f"{line.text}{dots})") if index in first else line
        for index, line in enumerate(lines)
        if index in first or line.layer not in layers[1:]
    ]
    names = tuple(name for line in missing for name in line.holds)
    return rest, Fault("first layers", names, -sum(line.number for line in missing))


def change_digit(subject: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """One digit of a count is another."""
    width = subject.model.sizes.get("E", subject.model.sizes["H"])
    places = [
        place for place, line in enumerate(lines) if line.amount and line.holds and any(map(str.isdigit, line.amount))
    ]
    chance.shuffle(places)
    for place in places[:8]:
        line = lines[place]
        at = chance.choice([index for index, sign in enumerate(line.amount) if sign.isdigit()])
        new = chance.choice([other for other in "123456789" if other != line.amount[at]])
        count = line.amount[:at] + new + line.amount[at + 1 :]
        before, after = (int("".join(filter(str.isdigit, text))) for text in (line.amount, count))
        # A table of another length would be another model's.
        if line.layer is None and (after % width == 0 or (len(line.holds) == 1 and before < 100)):
            continue
        with_fault = [*lines[:place], line._replace(amount=count), *lines[place + 1 :]]
        return with_fault, Fault("digit", line.holds, after - before)
    return None


def change_dimension(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """One dimension of a tensor in a layer is another."""
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
    where = chance.choice([size for size in sizes if int(size[0]) > 1] or sizes)
    old = int(where[0])
    new = chance.choice([old + 1, old - 1, old + 10, old * 2, int(where[0][::-1])])
    if new in (old, 0) or len(str(new)) < 1:
        new = old + 2
    shape = f"{line.shape[: where.start()]}{new}{line.shape[where.end() :]}"
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


def plant(subject: Subject, draft: Draft, chance: random.Random) -> Planting:
    """The lines with a fault of some kind, or none: as often as not, and where no fault of a kind can be seen."""
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
