"""Numbers of operations on a page: `<data>` elements like those of parameters, which repeat what was asked."""

from __future__ import annotations

from macros.counting import CountingError, Question
from macros.counting.operations import COSTS, DENSE, Operations, longest
from macros.counting.published.profilers import LENGTHS

from . import numbers
from .asking import ask

TOKENS = LENGTHS[0]
"""The length of the text where none is named."""

UNITS = {"operations": COSTS[DENSE], "multiply-adds": 1}
"""What is counted, and how many of it a multiply-add is."""


def operations_of(model: str, model_class: str, tokens: int, batch: int = 1) -> Operations:
    """The operations of a published model in a class, the bare model if that is empty."""
    return Operations(ask(model=model, model_class=model_class), tokens, batch)


def computed(operations: Operations, *kinds: str, block: str = "", cost: int = 0) -> str:
    """A number of operations: of some kinds and of one block, or of all matrix products."""
    letters = operations.polynomial(*kinds, block=block, cost=cost)
    how = numbers.worked_out(letters, operations.sizes)
    value = letters.value(operations.sizes)
    asked = {"kinds": ", ".join(kinds), "block": block, "cost": cost or None}
    return numbers.in_full(value, how, kind="operations", **asked, **question_of(operations))


def in_unit(unit: str, asked: Question, *, tokens: str = "", batch: int = 1, passes: int = 1) -> str:
    """Operations in a unit, `UNITS`; `tokens="P"` is a text that fills all positions, `passes` is 3 for training."""
    operations = Operations(asked, longest(asked) if tokens == "P" else TOKENS, batch)
    return computed(operations, cost=UNITS[unit] * passes)


def share(operations: Operations, *kinds: str, block: str = "") -> str:
    """The share of some kinds, or of a block, in the matrix products."""
    part, all_of_it = operations.number(*kinds, block=block), operations.forward
    text = numbers.percentage(part, all_of_it) if part else "0%"
    near = f"{100 * part / all_of_it:.2g}%" if text.startswith("under") else text
    how = f"{numbers.whole(part)} ÷ {numbers.whole(all_of_it)} ≈ {near}"
    how = how if near == text else f"{how}\nshown as {text}"
    asked = {"kinds": ", ".join(kinds), "block": block}
    return numbers.data(near.removesuffix("%"), text, how, kind="operations-share", **asked, **question_of(operations))


def question_of(operations: Operations) -> dict[str, object]:
    """What was asked, as the attributes that repeat it."""
    asked = operations.asked
    if asked.choices.pooler is not None or asked.choices.tied is not None:
        raise CountingError("operations are shown of models without choices; leave them out")
    batch = {"batch": operations.batch} if operations.batch > 1 else {}
    return {"model": asked.model.name, "class": asked.chosen.name, "tokens": operations.tokens, **batch}
