"""The value of a step between two numbers, with its sign and its working."""

from __future__ import annotations

from macros.counting.steps import Step

from . import numbers


def value_of_step(step: Step, /, *notes: str, **question: object) -> str:
    """The value of a step.

    Its working is the formula, the sums that the next line needs, the formula with numbers substituted, and the lines
    in `notes`.

    `question` has the attributes that record the question, as for `numbers.data`.
    """
    result = numbers.whole(step.value)
    # If the formula is a single letter, the formula with numbers is already the result.
    lines = [f"{step.formula} = {result}"] if step.working == result else [step.formula, *step.sums, step.equation]
    working = "\n".join([*lines, *notes])
    return numbers.data(step.value, numbers.with_sign(step.value), working, **question)
