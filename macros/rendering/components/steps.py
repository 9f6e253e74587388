"""Shows the value of a step between two numbers, with its sign and an explanation."""

from __future__ import annotations

from macros.counting.steps import Step

from . import numbers


def change_of(step: Step, /, *notes: str, **question: object) -> str:
    """The value of a step. Its explanation is the formula, the formula with numbers substituted, and further lines.

    Args:
        step: the step.
        notes: the further lines.
        question: the attributes that repeat the question, as for `numbers.data`.
    """
    result = numbers.whole(step.value)
    # If the formula is a single letter, substituting its number already gives the result.
    lines = [f"{step.formula} = {result}"] if step.working == result else [step.formula, step.equation]
    working = "\n".join([*lines, *notes])
    return numbers.data(step.value, numbers.signed(step.value), working, **question)
