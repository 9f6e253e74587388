"""What a step adds, on a page: its value with its sign, which explains itself."""

from __future__ import annotations

from macros.counting.steps import Step

from . import numbers


def change_of(step: Step, /, *notes: str, **question: object) -> str:
    """What a step adds, explained by its formula, the same in numbers, and the notes; arguments as for `data`."""
    how = "\n".join([step.formula, step.equation, *notes])
    return numbers.data(step.value, numbers.signed(step.value), how, **question)
