"""Numbers of changed models on a page: trainable and total parameters, elements, bytes, shares and sums.

Changes are written in the syntax of the command line, such as `lora:8:query,value`, and separated by spaces. All
numbers are those of a classifier with two labels (`CHANGED_CLASS`), because its head is also trained and is therefore
part of the answer. In this module, `model` is the name of a published model, and `variant` the model after the changes.
An unknown model, or a change that cannot be read or made, raises a `CountingError`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from macros.counting import ChangedModel, CountingError, Polynomial
from macros.counting.changes.methods import Change, rules
from macros.counting.changes.mistakes import NUMBERS, Mistake
from macros.counting.changes.rows import ADDED, ChangedRow
from macros.counting.errors import quote, suggestion
from macros.counting.polynomials import substitute
from macros.counting.sum_lines import plain_line

from . import formulas, numbers, sum_html, words
from .asking import BASE, ask
from .steps import value_of_step

CHANGED_CLASS = "BertForSequenceClassification"
"""The class of the models whose changes pages show."""


def changed_model(changes: str, model: str = BASE) -> ChangedModel:
    """A classifier with the given changes, based on the published model of this name."""
    return ChangedModel.build(ask(model=model, model_class=CHANGED_CLASS), changes.split())


def example_of(method: str) -> str:
    """The change that pages show as an example of a method: the first in the comparison that begins with the method.

    The comparison has to contain the method.
    """
    matches = (change for change in rules()["compared"] if Change.parse(change.split()[0]).method.name == method)
    return str(next(matches))


def number_of(changes: str, name: str = "trained", model: str = BASE) -> str:
    """One number of a changed model.

    Args:
        changes: the changes, separated by spaces.
        name: a name in `NUMBERS`; "share" for the percentage of parameters that are trained; or the letter of a
            size that a change introduces.
        model: the name of a published model.

    Raises:
        CountingError: there is no such change, model or number.
    """
    if name == "share":
        return share(changes, model)
    variant = changed_model(changes, model)
    added_sizes = {letter for change in variant.changes for letter in change.sizes}
    if name in {*rules()["letters"], *added_sizes} and name in variant.sizes:
        return numbers.example(variant.sizes[name])
    if name not in NUMBERS:
        raise CountingError(f"no number {quote(name)} of a changed model; {suggestion(name, [*NUMBERS, 'share'])}")
    working = _working(variant, name)
    question = {"change": changes, "what": name, **_model_and_class(model)}
    return numbers.in_full(NUMBERS[name](variant), working, kind="changed", **question)


def _model_and_class(model: str) -> dict[str, str]:
    """The attributes that identify the model and the class of a question."""
    return {"model": model, "class": CHANGED_CLASS}


def _polynomial(variant: ChangedModel, name: str) -> Polynomial:
    """The formula of the trained parameters if `name` is "trained", and otherwise that of all parameters."""
    return variant.trainable_formula if name == "trained" else variant.total_formula


def _working(variant: ChangedModel, name: str) -> str:
    """The working of a number in `NUMBERS`."""
    if name in ("trained", "all"):
        return numbers.working_of(_polynomial(variant, name), variant.sizes)
    if name == "elements":
        return _elements_working(variant)
    weights_working = numbers.bytes_working(variant.weight_items(), workings_of_counts(variant))
    scales = numbers.bytes_working(variant.scale_items)
    if name == "bytes of scales":
        return scales
    # For each number, the bytes that it has in addition to those of the weights, and their working.
    addend, addend_working = {
        "bytes of weights": (0, ""),
        "bytes": (variant.scales_bytes, scales),
        "footprint": (variant.buffers_bytes, f"buffers: {numbers.whole(variant.buffers_bytes)} bytes"),
    }[name]
    if not addend:
        return weights_working
    total = plain_line(variant.weights_bytes(), addend)
    return f"{weights_working}\n{addend_working}\n{total} bytes"


def workings_of_counts(variant: ChangedModel) -> dict[int, str]:
    """The workings of the total and of the number of trained parameters, by number; empty if there are no changes."""
    polynomials = (variant.total_formula, variant.trainable_formula) if variant.changes else ()
    return {
        polynomial.value(variant.sizes): numbers.working_of(polynomial, variant.sizes, has_formula=False)
        for polynomial in polynomials
    }


def _elements_working(variant: ChangedModel) -> str:
    """The working of the number of elements that store the weights."""
    pieces = []
    for weights_per_element, (weights, elements) in variant.packing.items():
        # If the weights of a tensor do not fill its last element, dividing would not yield the number of elements.
        fills_all_elements = weights_per_element > 1 and weights == weights_per_element * elements
        quotient = f"{numbers.whole(weights)} ÷ {weights_per_element}"
        pieces.append(quotient if fills_all_elements else numbers.whole(elements))
    if len(pieces) == 1:
        return f"one element per weight\n{numbers.working_of(variant.total_formula, variant.sizes)}"
    return f"some elements hold several weights\n{' + '.join(pieces)} = {numbers.whole(variant.elements)}"


def share(changes: str, model: str = BASE) -> str:
    """The trainable parameters as a share of all parameters of the changed model."""
    variant = changed_model(changes, model)
    text = f"{100 * variant.share:#.3g}".rstrip(".") + "%"
    polynomials = (variant.trainable_formula, variant.total_formula)
    lines = [numbers.working_of(polynomial, variant.sizes, has_formula=False) for polynomial in polynomials]
    working = "\n".join([*lines, f"{numbers.whole(variant.trainable)} ÷ {numbers.whole(variant.number)} ≈ {text}"])
    question = {"kind": "changed-share", "change": changes, **_model_and_class(model)}
    return numbers.data(text.removesuffix("%"), text, working, **question)


def trainable_in_row(row: ChangedRow, changes: str) -> str:
    """The trainable parameters of one row of BERT base after some changes, summed over all layers."""
    polynomial = Polynomial(row.trainable_terms)
    sizes = changed_model(changes).sizes
    working = numbers.working_of(polynomial, sizes)
    return numbers.in_full(polynomial.value(sizes), working, kind="changed-row", change=changes, of=row.full_name)


def last_step(changes: str, model: str = BASE) -> str:
    """The effect of the last of several changes on the total, with its sign."""
    variant = changed_model(changes, model)
    step = variant.bridge[-1]
    formula = sign_first(step.formula)
    step = replace(step, formula=formula, working=substitute(formula, variant.sizes))
    return value_of_step(step, kind="changed-step", change=changes, **_model_and_class(model))


def sign_first(formula: str) -> str:
    """The formula with a minus sign moved to the front if all terms in its brackets are negative.

    >>> sign_first("h·(−4·H·D − 3·D)")
    '−h·(4·H·D + 3·D)'
    """
    match = re.fullmatch(r"(.+·)\(−([^()+]+)\)", formula)
    return f"−{match[1]}({match[2].replace(' − ', ' + ')})" if match else formula


def wrong_number(mistake: Mistake) -> str:
    """The number that a mistake leads to for BERT base."""
    number = mistake.wrong_number(ask(model_class=CHANGED_CLASS))
    working = f"{mistake.title}\n{_working_of_mistake(mistake)}"
    return numbers.in_full(number, working, kind="changed-wrong", mistake=mistake.name, **_model_and_class(BASE))


def error_of(mistake: Mistake) -> str:
    """The difference that a mistake makes for BERT base: the wrong number minus the correct one, with its sign."""
    question = ask(model_class=CHANGED_CLASS)
    number = mistake.wrong_number(question) - mistake.correct_number(question)
    attributes = {"kind": "changed-off", "mistake": mistake.name, **_model_and_class(BASE)}
    return numbers.data(number, numbers.with_sign(number), _working_of_mistake(mistake), **attributes)


def _working_of_mistake(mistake: Mistake) -> str:
    """The working of a wrong number for BERT base, and of its difference from the correct one."""
    question = ask(model_class=CHANGED_CLASS)
    variant = mistake.changed_model(question)
    correct, wrong = mistake.correct_number(question), mistake.wrong_number(question)
    difference = numbers.whole(wrong - correct)
    if formula := mistake.effect_formula(variant):
        lines = [
            numbers.working_of(_polynomial(variant, mistake.number_key), variant.sizes, has_formula=False),
            formula,
            f"{substitute(formula, variant.sizes)} = {difference}",
            str(plain_line(correct, wrong - correct)),
        ]
        return "\n".join(lines)
    is_of_parameters = mistake.instead in ("trained", "all")
    lines = [
        _working(variant, mistake.instead).partition("\n")[2]
        if is_of_parameters
        else _working(variant, mistake.instead)
    ]
    if mistake.factor != "1":
        lines.append(f"{numbers.whole(NUMBERS[mistake.instead](variant))} × {mistake.factor} = {numbers.whole(wrong)}")
    return "\n".join([*lines, f"the difference: {plain_line(wrong, -correct)}"])


def shape(row: ChangedRow) -> str:
    """The shape of a row as its library stores it, followed by "L times" if every layer has such a row."""
    times = f", {formulas.symbol('L')} times" if row.layers else ""
    return f"{formulas.shape(' '.join(row.listed_shape).replace('*', ' '))}{times}"


def sum_in_lines(changes: str, model: str = BASE) -> str:
    """The sum of the trainable parameters as a list of lines, each with a label that says what it counts."""
    variant = changed_model(changes, model)
    lines = variant.sum_lines(only_trained=True)
    labels = map(escape, words.labels_of_changed(lines))
    return numbers.labelled_lines(zip(labels, map(sum_html.line, lines), strict=True), _attributes(variant, changes))


def last_line_of_sum(changes: str) -> str:
    """The last line of the sum that `sum_in_lines` shows for BERT base, for use within a sentence."""
    variant = changed_model(changes)
    *_, last = variant.sum_lines(only_trained=True)
    return f'<span class="bc-steps"{_attributes(variant, changes)}>{sum_html.line(last)}</span>'


def sum_in_one_line(changes: str, model: str = BASE) -> str:
    """The sum that `sum_in_lines` shows as its formula with numbers substituted, for use within a sentence."""
    variant = changed_model(changes, model)
    formula, _, result = numbers.working_of(variant.trainable_formula, variant.sizes, has_formula=False).rpartition(
        " = "
    )
    line_html = f'<span class="bc-line-of-sum">{formula} = <b>{result}</b></span>'
    return f'<span class="bc-steps"{_attributes(variant, changes)}>{line_html}</span>'


def _attributes(variant: ChangedModel, changes: str) -> str:
    """The attributes of a sum: its question, and its result for `assets/pages/cite.js`."""
    name = variant.unchanged_question.model.name
    result = f"{numbers.whole(variant.trainable)} parameters"
    return f' data-model="{name}" data-change="{escape(changes)}" data-result="{result}"'


def added_rows(variant: ChangedModel) -> list[ChangedRow]:
    """The rows that the changes add, excluding copies of existing rows."""
    return [row for row in variant.rows if row.addition == ADDED]
