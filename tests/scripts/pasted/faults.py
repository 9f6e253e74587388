"""Faults by which a pasted text differs from the original print-out, with their exact effects.

A fault is planted only if the text cannot pass for a complete print-out of a different
model. A vocabulary of another size, one layer fewer, or a class without a head would be
no fault at all to a reader who sees only the text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .lines import WHOLE_NUMBER, Draft, PastedLine, Subject


class Fault(NamedTuple):
    """A fault in a text, or the absence of one.

    Attributes:
        kind: "none", or the kind of the fault.
        tensors: the names in transformers of the tensors that it affects.
        number: the change in the sum of the rows, negative if rows are missing.
    """

    kind: str = "none"
    tensors: tuple[str, ...] = ()
    number: int = 0


Planting = tuple[list[PastedLine], Fault]
"""The lines of a text, and the fault in them."""


def is_complete(subject: Subject, lines: Sequence[PastedLine]) -> bool:
    """Return whether the lines hold exactly the tensors of a class of the architecture, so that none seems missing."""
    names_on_lines = {name for line in lines for name in line.tensor_names}
    return any(names_on_lines == names for names in complete_name_sets(subject))


def complete_name_sets(subject: Subject) -> list[set[str]]:
    """The names of the tensors of each class that has the subject's labels, with and without a pooler if both exist."""
    name_sets = []
    for model_class in subject.model.architecture.classes:
        for pooler in (True, False):
            fixed_choice = model_class.fixed_choices.pooler
            if fixed_choice is not None and fixed_choice is not pooler:
                continue
            if model_class.required_labels not in (None, subject.model.sizes["C"]):
                continue
            other_subject = subject._replace(model_class=model_class, choices=subject.choices._replace(pooler=pooler))
            name_sets.append({tensor.transformers for tensor in other_subject.tensors})
    return name_sets


def drop(subject: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines without a random row whose absence can be noticed; None if five tries find no such row."""
    indices = [index for index, line in enumerate(lines) if line.number]
    chance.shuffle(indices)
    for index in indices[:5]:
        remaining_lines = lines[:index] + lines[index + 1 :]
        if not is_complete(subject, remaining_lines):
            return remaining_lines, Fault("dropped", lines[index].tensor_names, -lines[index].number)
    return None


def double(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with a random row repeated; None if no row has parameters."""
    indices = [index for index, line in enumerate(lines) if line.number]
    if not indices:
        return None
    index = chance.choice(indices)
    line = lines[index]
    return lines[: index + 1] + lines[index:], Fault("doubled", line.tensor_names, line.number)


def layers_in(lines: Sequence[PastedLine]) -> list[int]:
    """The indices of the layers that have tensors on the lines, in order."""
    return sorted({line.layer for line in lines if line.layer is not None and line.tensor_names})


def leave_out_layer(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines without a layer from the middle; None if there are fewer than three layers.

    The first and the last layer stay: without the last one, the text would be that of a smaller model.
    """
    layers = layers_in(lines)
    if len(layers) < 3:
        return None
    layer = chance.choice(layers[1:-1])
    missing_lines = [line for line in lines if line.layer == layer]
    names = tuple(name for line in missing_lines for name in line.tensor_names)
    remaining_lines = [line for line in lines if line.layer != layer]
    return remaining_lines, Fault("layer missing", names, -sum(line.number for line in missing_lines))


DOTS = ("...", "......", "[...]", "…", "# ...", "(...)", "...\n...", "<snip>", "... (same for the other layers) ...")


def show_first_layers(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with dots in place of all layers after the first few; None if there are fewer than two layers."""
    layers = layers_in(lines)
    if len(layers) < 2:
        return None
    shown_layers = chance.randrange(1, min(4, len(layers)))  # one to three, and at least one is hidden
    hidden_layers = set(layers[shown_layers:])
    missing_lines = [line for line in lines if line.layer in hidden_layers]
    index = next(index for index, line in enumerate(lines) if line.layer in hidden_layers)
    indent = missing_lines[0].text[: len(missing_lines[0].text) - len(missing_lines[0].text.lstrip(" "))]
    dots = PastedLine(f"{indent}{chance.choice(DOTS)}")
    remaining_lines = [*lines[:index], dots, *(line for line in lines[index:] if line.layer not in hidden_layers)]
    names = tuple(name for line in missing_lines for name in line.tensor_names)
    return remaining_lines, Fault("first layers", names, -sum(line.number for line in missing_lines))


def elide(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with all layers but the first written as `(1): BertLayer(...)`; None if there are fewer than two."""
    layers = layers_in(lines)
    if len(layers) < 2:
        return None
    missing_lines = [line for line in lines if line.layer in layers[1:]]
    first_line_indices = {
        next(index for index, line in enumerate(lines) if line.layer == layer) for layer in layers[1:]
    }
    dots = chance.choice(["...", " ... ", "…"])
    remaining_lines = [
        line._replace(text=f"{line.text}{dots})") if index in first_line_indices else line
        for index, line in enumerate(lines)
        if index in first_line_indices or line.layer not in layers[1:]
    ]
    names = tuple(name for line in missing_lines for name in line.tensor_names)
    return remaining_lines, Fault("first layers", names, -sum(line.number for line in missing_lines))


def change_digit(subject: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with one digit of a count changed; None if eight tries find no recognisable fault."""
    row_length = subject.model.sizes.get("E", subject.model.sizes["H"])
    indices = [
        index
        for index, line in enumerate(lines)
        if line.amount and line.tensor_names and any(map(str.isdigit, line.amount))
    ]
    chance.shuffle(indices)
    for index in indices[:8]:
        line = lines[index]
        digit_index = chance.choice([index for index, character in enumerate(line.amount) if character.isdigit()])
        new_digit = chance.choice([other for other in "123456789" if other != line.amount[digit_index]])
        amount = line.amount[:digit_index] + new_digit + line.amount[digit_index + 1 :]
        before, after = (int("".join(filter(str.isdigit, text))) for text in (line.amount, amount))
        # A table with a different number of rows would pass for that of another model.
        if line.layer is None and (after % row_length == 0 or (len(line.tensor_names) == 1 and before < 100)):
            continue
        faulty_lines = [*lines[:index], line._replace(amount=amount), *lines[index + 1 :]]
        return faulty_lines, Fault("digit", line.tensor_names, after - before)
    return None


def change_dimension(_: Subject, lines: list[PastedLine], chance: random.Random) -> Planting | None:
    """The lines with one dimension of a tensor in a layer changed; None if fewer than eight lines list such tensors."""
    indices = [
        index
        for index, line in enumerate(lines)
        if line.shape and line.tensor_names and (line.layer is not None or line.times > 1)
    ]
    if len(indices) < 8:
        return None
    index = chance.choice(indices)
    line = lines[index]
    matches = list(WHOLE_NUMBER.finditer(line.shape))
    match = chance.choice([match for match in matches if int(match[0]) > 1] or matches)
    old_size = int(match[0])
    new_size = chance.choice([old_size + 1, old_size - 1, old_size + 10, old_size * 2, int(match[0][::-1])])
    if new_size in (old_size, 0):
        new_size = old_size + 2
    shape = f"{line.shape[: match.start()]}{new_size}{line.shape[match.end() :]}"
    change = line.number_with_shape(shape) - line.number_with_shape(line.shape)
    faulty_lines = [*lines[:index], line._replace(shape=shape), *lines[index + 1 :]]
    return faulty_lines, Fault("dimension", line.tensor_names, change)


PLANTERS: dict[str, Callable[[Subject, list[PastedLine], random.Random], Planting | None]] = {
    "dropped": drop,
    "doubled": double,
    "layer missing": leave_out_layer,
    "first layers": show_first_layers,
    "elided": elide,
    "digit": change_digit,
    "dimension": change_dimension,
}
"""The functions that plant a fault, by the name that layouts give the fault."""


def plant(subject: Subject, draft: Draft, chance: random.Random) -> Planting:
    """The lines, half of the time with a random fault that the layout allows and that can be planted in them."""
    if draft.faults and chance.random() < 0.5:
        for kind in chance.sample(draft.faults, len(draft.faults)):
            result = PLANTERS[kind](subject, draft.lines, chance)
            if result:
                return result
    return draft.lines, Fault()


def cut_lines(text: str, width: int) -> str:
    """The text with each line cut off after `width` characters."""
    return "\n".join(line[:width] for line in text.split("\n"))


def wrap_lines(text: str, width: int = 80) -> str:
    """The text with each line broken after every `width` characters, as in a narrow terminal."""
    return "\n".join(
        line[start : start + width] for line in text.split("\n") for start in range(0, max(len(line), 1), width)
    )
