"""Macros for rules of thumb: short formulas, and the errors of their results.

An error is given in words, as a percentage of the exact number: "1.66% too low". An unknown model or change raises a
`CountingError`.
"""

from __future__ import annotations

from typing import Any

from macros.counting import BERT, CountingError, Polynomial, Question
from macros.counting.changes.methods import rules
from macros.counting.errors import quote

from ..components import formulas, numbers
from ..components.asking import BASE, LARGE, ask
from ..components.changes import changed_model


def rule(shapes: str) -> str:
    """The formula of a rule as MathML: `rule("12 L H H, V H")`.

    Raises:
        CountingError: a shape cannot be read.
    """
    return formulas.inline(_formula(shapes))


def _formula(shapes: str) -> Polynomial:
    """The sum of symbolic shapes that are separated by commas; errors are as for `rule`."""
    letters = {*(symbol.letter for symbol in BERT.symbols), *rules()["letters"]}
    factors = shapes.replace(",", " ").split()
    if unknown_factor := next((factor for factor in factors if not (factor.isdigit() or factor in letters)), ""):
        raise CountingError(
            f"a rule of thumb cannot contain {quote(unknown_factor)}; write whole numbers and letters of sizes"
        )
    return Polynomial.total(Polynomial.of_shape(shape) for shape in shapes.split(", "))


def rule_error(shapes: str, part: str = "", tag: str = "", model: str = BASE, change: str = "", **choices: Any) -> str:
    """The error of a rule as a percentage of the exact number, in words.

    Args:
        shapes: the formula of the rule, as symbolic shapes separated by commas.
        part: the path of the part that the rule counts, as for `number`.
        tag: narrows the part to the tensors with a tag.
        model: the name of a published model.
        change: a change to a classifier whose trained parameters the rule counts, instead of a part.
        choices: `model_class`, `pooler` and `tied`.

    Raises:
        CountingError: a shape cannot be read, or there is no such model, part, class or change.
    """
    return _rule_error(shapes, part, tag, model, change, **choices)[1]


def _rule_error(
    shapes: str, part: str = "", tag: str = "", model: str = BASE, change: str = "", **choices: Any
) -> tuple[str, str]:
    """The error of a rule in words, as text and as HTML; arguments as for `rule_error`."""
    if change:
        variant = changed_model(change, model)
        exact = variant.trainable
        sizes = variant.sizes
        working_of_exact = numbers.working_of(variant.trainable_formula, sizes, has_formula=False)
        attributes: dict[str, object] = {"model": model, "change": change}
    else:
        question: Question = ask(part, tag, model, **choices)
        exact = question.number
        sizes = question.model.sizes
        working_of_exact = numbers.in_brief(question) if question != question.whole else ""
        attributes = numbers.question_attributes(question)
    polynomial = _formula(shapes)
    estimate = polynomial.value(sizes)
    working = "\n".join(filter(None, [numbers.working_of(polynomial, sizes), working_of_exact]))
    return _error_of_estimate(estimate, exact, f"{working}\n", kind="rule-off", rule=shapes, **attributes)


def rule_errors(shapes: str, part: str = "", tag: str = "", **choices: Any) -> str:
    """The errors of a rule for BERT base and BERT large, as part of a sentence; equal errors are stated once.

    Arguments and errors are as for `rule_error`, except that there is no `model`.

    Example: `{{ rules.off_both("V H", "bert/embeddings") }}` is "1.66% too low for both BERT base and BERT large".
    """
    base_text, base_html = _rule_error(shapes, part, tag, BASE, **choices)
    large_text, large_html = _rule_error(shapes, part, tag, LARGE, **choices)
    if base_text == large_text:
        return f"{base_html} for both BERT base and BERT large"
    return f"{base_html} for BERT base and {large_html} for BERT large"


def rounding_error(model: str = BASE, figures: int = 2) -> str:
    """The error of a model's total after rounding to `figures` significant figures: "0.47% too high"."""
    question = ask(model=model)
    zeros = len(str(question.number)) - figures
    nearest = round(question.number, -zeros)
    attributes = numbers.question_attributes(question)
    working = f"rounded to {figures} figures: {numbers.whole(nearest)}\n"
    return _error_of_estimate(nearest, question.number, working, kind="rounding-off", figures=figures, **attributes)[1]


def error_without_scales(change: str, model: str = BASE) -> str:
    """The error of leaving out the scales from the bytes of a model with packed weights: "3.71% too low"."""
    variant = changed_model(change, model)
    return _error_of_estimate(
        variant.weights_bytes(), variant.bytes_of(), kind="scales-off", model=model, change=change
    )[1]


def _error_of_estimate(estimate: int, exact: int, working_of_both: str = "", /, **question: object) -> tuple[str, str]:
    """The error of an estimate in words, as text and as HTML.

    Args:
        estimate: the estimate.
        exact: the exact number.
        working_of_both: the lines that work out these two numbers, each with a line break; empty if they need none.
        question: the attributes of the HTML that identify the estimate.
    """
    percent = 100 * (estimate - exact) / exact
    text, signed_text = numbers.error(percent)
    exact_text = numbers.whole(exact)
    working = f"({numbers.whole(estimate)} − {exact_text}) ÷ {exact_text} ≈ {signed_text}\nshown as {text}"
    return text, numbers.data(f"{percent:.2f}", text, working_of_both + working, **question)


TOPIC: dict[str, object] = {
    "rule": rule,
    "off": rule_error,
    "off_both": rule_errors,
    "rounding_off": rounding_error,
    "scales_off": error_without_scales,
}
"""Macros about rules of thumb, such as `rules.off("12 L H H")`; `off` in a name means the error."""
