"""Macros for rules of thumb: a short formula, and how far what it gives is from the exact number."""

from __future__ import annotations

from typing import Any

from macros.counting import BERT, CountingError, Polynomial, Question
from macros.counting.changes.methods import rules
from macros.counting.errors import quote

from ..components import formulas, numbers
from ..components.asking import BASE, SHORT, ask
from ..components.changes import changed_model


def rule(shapes: str) -> str:
    """The formula of a rule as MathML: `rule("12 L H H, V H")`.

    Raises:
        CountingError: a shape cannot be read.
    """
    return formulas.inline(_formula(shapes))


def _formula(shapes: str) -> Polynomial:
    """The sum of some symbolic shapes, which are separated by commas."""
    letters = {*(symbol.letter for symbol in BERT.symbols), *rules()["letters"]}
    factors = shapes.replace(",", " ").split()
    if unknown := next((factor for factor in factors if not (factor.isdigit() or factor in letters)), ""):
        raise CountingError(
            f"a rule of thumb cannot contain {quote(unknown)}; write whole numbers and letters of sizes"
        )
    return Polynomial.total(Polynomial.of_shape(shape) for shape in shapes.split(", "))


def off(shapes: str, part: str = "", tag: str = "", model: str = BASE, change: str = "", **choices: Any) -> str:
    """The error of a rule, as a percentage of the exact number: `0.14% too low`.

    Args:
        shapes: the formula of the rule, as symbolic shapes separated by commas.
        part: what the rule counts, as for `number`.
        tag: narrows the part to the tensors with a tag.
        model: the name of a published model.
        change: a change of a classifier, whose trained parameters the rule then counts instead of a part.
        choices: `model_class`, `pooler` and `tied`.

    Raises:
        CountingError: a shape cannot be read, or there is no such model, part, class or change.
    """
    return _error(shapes, part, tag, model, change, **choices)[1]


def _error(
    shapes: str, part: str = "", tag: str = "", model: str = BASE, change: str = "", **choices: Any
) -> tuple[str, str]:
    """The error of a rule as the text that a reader sees, and as HTML; the arguments are those of `off`."""
    if change:
        changed = changed_model(change, model)
        exact, sizes = changed.trainable, changed.sizes
        attributes: dict[str, object] = {"model": model, "change": change}
    else:
        question: Question = ask(part, tag, model, **choices)
        exact, sizes = question.number, question.model.sizes
        attributes = numbers.question_of(question)
    estimate = _formula(shapes)
    value = estimate.value(sizes)
    percent = 100 * (value - exact) / exact
    text, direction = f"{abs(percent):.2f}%", "low" if percent < 0 else "high"
    right = numbers.whole(exact)
    larger, smaller = numbers.whole(max(value, exact)), numbers.whole(min(value, exact))
    working = (
        f"{estimate.formula()}\n{estimate.working(sizes)} = {numbers.whole(value)}\n"
        f"({larger} − {smaller}) ÷ {right} ≈ {text}"
    )
    number = numbers.data(f"{percent:.2f}", text, working, kind="rule-off", rule=shapes, **attributes)
    return f"{text} too {direction}", f"{number} too {direction}"


def off_both(shapes: str, part: str = "", tag: str = "", **choices: Any) -> str:
    """The errors of a rule for BERT base and BERT large, as words in a sentence; equal errors are printed once.

    The arguments and errors are those of `off`.

    Example: `{{ rules.off_both("V H", "bert/embeddings") }}` is "1.66% too low for both BERT base and BERT large".
    """
    (text, of_base), (other_text, of_large) = (_error(shapes, part, tag, one, **choices) for one in SHORT)
    if text == other_text:
        return f"{of_base} for both BERT base and BERT large"
    return f"{of_base} for BERT base and {of_large} for BERT large"


TOPIC: dict[str, object] = {"rule": rule, "off": off, "off_both": off_both}
"""The macros of what is to be kept from each page."""
