"""Numbers of operations on a page, as `<data>` elements that are explained like those of parameters."""

from __future__ import annotations

from macros.counting import CountingError, Question
from macros.counting.architecture import OPEN
from macros.counting.operations import COSTS, DENSE, Operations, max_tokens
from macros.counting.published.profilers import LENGTHS

from . import numbers
from .asking import ask

DEFAULT_LENGTH = LENGTHS[0]
"""The default number of tokens per text."""

UNITS = {"operations": COSTS[DENSE], "multiply-adds": 1}
"""The units of operations, each with the number of units in a multiply-add."""


def operations_of(model: str, model_class: str, tokens: int, batch: int = 1) -> Operations:
    """The operations of a published model on a batch of texts; an empty `model_class` means the bare model."""
    return Operations(ask(model=model, model_class=model_class), tokens, batch)


def number_of(operations: Operations, *kinds: str, block: str = "", cost: int = 0) -> str:
    """The number of operations of certain kinds or in a block.

    Args:
        operations: the model and the batch.
        kinds: the kinds of operations; all matrix products if none is named.
        block: the block that the operations belong to; empty for all blocks.
        cost: the number of operations per multiply-add or element; 0 for the default of each kind in `COSTS`.
    """
    polynomial = operations.polynomial(*kinds, block=block, cost=cost)
    working = numbers.working_of(polynomial, operations.sizes)
    value = polynomial.value(operations.sizes)
    selection = {"kinds": ", ".join(kinds), "block": block, "cost": cost or None}
    return numbers.in_full(value, working, kind="operations", **selection, **question_attributes(operations))


def in_brief(operations: Operations, *kinds: str, block: str = "") -> str:
    """The formula of a number of operations with numbers substituted, and its result; arguments as for `number_of`."""
    return numbers.working_of(operations.polynomial(*kinds, block=block), operations.sizes, has_formula=False)


def in_unit(unit: str, question: Question, *, tokens: str = "", batch: int = 1, passes: int = 1) -> str:
    """The operations of all matrix products, in a unit.

    Args:
        unit: a key of `UNITS`.
        question: a question about a model and its class; operations are not counted for parts.
        tokens: "P" for texts that fill all positions; any other value means `DEFAULT_LENGTH` tokens.
        batch: the number of texts.
        passes: 1 for the forward pass; 3 for a training step, whose backward pass takes twice as many operations.
    """
    operations = Operations(question, max_tokens(question) if tokens == "P" else DEFAULT_LENGTH, batch)
    return number_of(operations, cost=UNITS[unit] * passes)


def share(operations: Operations, *kinds: str, block: str = "") -> str:
    """The operations of certain kinds or of a block, as a percentage of all matrix products."""
    part = operations.number(*kinds, block=block)
    total = operations.forward
    text = numbers.percentage(part, total) if part else "0%"
    precise_text = f"{100 * part / total:.2g}%" if text.startswith("under") else text
    lines = [
        in_brief(operations, *kinds, block=block),
        in_brief(operations),
        f"{numbers.whole(part)} ÷ {numbers.whole(total)} ≈ {precise_text}",
    ]
    if precise_text != text:
        lines.append(f"shown as {text}")
    working = "\n".join(lines)
    attributes = {"kinds": ", ".join(kinds), "block": block, **question_attributes(operations)}
    return numbers.data(precise_text.removesuffix("%"), text, working, kind="operations-share", **attributes)


def question_attributes(operations: Operations) -> dict[str, object]:
    """The attributes that record a question about operations, by name without `data-`.

    Raises:
        CountingError: the question makes choices, which have no attributes here.
    """
    question = operations.question
    if question.choices != OPEN:
        raise CountingError("operations are only shown for models without choices; leave the choices out")
    batch_attribute = {"batch": operations.batch} if operations.batch > 1 else {}
    return {
        "model": question.model.name,
        "class": question.resolved_class.name,
        "tokens": operations.tokens,
        **batch_attribute,
    }
