"""Exports the ways to wrong answers for the page of exercises. Each is a formula for the difference from the answer.

For any model, a wrong count is the correct count plus a difference, and the difference is a sum of
products of sizes. So the engine computes each difference once, as a formula, and the page only
substitutes sizes. Otherwise the page would need the engine's rows for every class. A test compares
the page's wrong answers with those of `wrong.py`.

A difference is written as `-1 H H + 3 H H /A`, a sum of products. Each product has a coefficient and
letters, and a letter after a slash divides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from macros.counting import BadChoice, Question, model_named
from macros.counting.deviations import Deviation
from macros.counting.question import Item

from .letter_sums import DIVISOR_MARK, LINE_MARK, LetterLine
from .sets import Ask, load_sets
from .wrong import (
    EVERY_BIAS,
    ONE_BIAS,
    Slip,
    candidate_deviations,
    deviations_of_trainable_number,
    is_possible,
    reach,
    single_number_slips,
    slips_in_letters,
)

Terms = Counter[tuple[str, ...]]
"""A sum of products, as the coefficient of each product, by its sorted letters and divisors."""

MINUS_ONE = Terms({(): -1})
"""The number −1 as a sum of products."""


def deviations(ask: Ask) -> list[list[Any]]:
    """The deviations that may change the number, each as name, difference, kind and reach.

    Deviations of the same kind have the same effect on the question. `wrong.py` defines the reach and explains why
    both matter. For a declared sum, the difference is empty and the reach is 0.
    """
    if ask.has_declared_sum:
        return [[deviation.name, "", kind, 0] for kind, deviation in enumerate(deviations_of_trainable_number(ask))]
    question = Question(model_named(ask.example), ask.model_class, ask.part, ask.tag)
    correct_terms = terms_of_question(question)
    exported_deviations = []
    kinds = dict[object, int]()
    for deviation, wrong_terms in wrong_counts(question, correct_terms):
        difference_terms = difference(wrong_terms, correct_terms)
        # Replacing a size changes the number even if the formula stays the same.
        has_replaced_size = bool(deviation.resized) and any(deviation.resized[0] in letters for letters in wrong_terms)
        if as_text(difference_terms) or has_replaced_size:
            paths = tuple(row.path for row in question.rows if deviation.touches(row))
            effect = (paths, deviation.factor, deviation.adds, deviation.instead)
            kind = kinds.setdefault(effect, len(kinds))
            exported_deviations.append([deviation.name, as_text(difference_terms), kind, reach(deviation, question)])
    return exported_deviations


def wrong_counts(question: Question, correct_terms: Terms) -> Iterator[tuple[Deviation, Terms]]:
    """Yield the deviations that are possible in a question, each with its wrong count."""
    for deviation in load_sets().deviations:
        if is_possible(deviation, question):
            if deviation.name == ONE_BIAS:
                yield deviation, terms_of_question(question._replace(deviations=(EVERY_BIAS,)))
            else:
                yield deviation, _product(correct_terms, _terms_of_factor(deviation.factor))
    for deviation in candidate_deviations(question):
        try:
            yield deviation, terms_of_question(question._replace(deviations=(deviation.name,)))
        except BadChoice:  # the deviation does not fit this class, or leaves a fraction with these sizes
            continue


def slips(ask: Ask) -> list[list[Any]]:
    """The slips in a sum, each as name, difference and the values of its text."""
    return _differences(ask, slips_in_letters(ask))


def singles(ask: Ask) -> list[list[Any]]:
    """The slip of mistaking each bias, or another vector, for one number, in the form of `slips`."""
    return _differences(ask, single_number_slips(ask))


def _differences(ask: Ask, slips_in_sum: Iterable[Slip]) -> list[list[Any]]:
    """Slips in the sum of a question, each as name, difference and the values of its text.

    For a slip that stops early, the index of its last line replaces the difference, because the page
    computes that line anyway.
    """
    correct_terms = terms_of_lines(ask.lines)
    exported_slips = []
    for slip in slips_in_sum:
        is_early_stop = slip.feedback_name in ("first", "stopped")
        difference_text = as_text(difference(terms_of_lines(slip.lines), correct_terms))
        exported_slips.append(
            [slip.name, len(slip.lines) - 1 if is_early_stop else difference_text, *slip.values.values()]
        )
    return exported_slips


# --- Sums of products ---------------------------------------------------------------


def terms_of_lines(lines: Sequence[LetterLine]) -> Terms:
    """The last line of a sum, with references to earlier lines expanded."""
    results: list[Terms] = []
    for line in lines:
        products = []
        for summand in line.summands:
            product = Terms({(): 1})
            for factor in summand.factors:
                is_line = factor[0] == LINE_MARK
                product = _product(product, results[int(factor[1:])] if is_line else _terms_of_factor(factor))
            products.append(product)
        results.append(_sum(products))
    return results[-1]


def terms_of_question(question: Question) -> Terms:
    """The number of parameters that a question counts, as a sum of products."""
    return _sum(map(_terms_of_item, question.items))


def _terms_of_item(item: Item) -> Terms:
    """The number of parameters of an item, times its factors, as a sum of products."""
    terms = Terms()
    for term in item.polynomial.terms:
        terms[tuple(sorted(term.all_letters))] += term.coefficient
    for factor in item.factors:
        terms = _product(terms, _terms_of_factor(factor))
    return terms


def _terms_of_factor(factor: str) -> Terms:
    """A number, a letter, a quotient of these, or a divisor, as a sum of products."""
    numerator, _, denominator = factor.replace("−", "-").partition(DIVISOR_MARK)
    number = 1
    letters = []
    if numerator.isalpha():
        letters.append(numerator)
    elif numerator:
        number = int(numerator)
    if denominator:
        letters.append(DIVISOR_MARK + denominator)
    return Terms({tuple(letters): number})


def _product(multiplicand: Terms, multiplier: Terms) -> Terms:
    """The product of two sums, multiplied out."""
    product = Terms()
    for letters, coefficient in multiplicand.items():
        for other_letters, other_coefficient in multiplier.items():
            product[_cancel([*letters, *other_letters])] += coefficient * other_coefficient
    return product


def _cancel(factors: list[str]) -> tuple[str, ...]:
    """The sorted factors, without letters that both multiply and divide."""
    for divisor in [factor for factor in factors if factor[0] == DIVISOR_MARK]:
        if divisor[1:] in factors:
            factors.remove(divisor)
            factors.remove(divisor[1:])
    return tuple(sorted(factors, key=lambda factor: (factor[0] == DIVISOR_MARK, factor)))


def _sum(addends: Iterable[Terms]) -> Terms:
    """The sum of several sums."""
    total = Terms()
    for addend in addends:
        total.update(addend)  # adds, because it is a Counter
    return total


def difference(minuend: Terms, subtrahend: Terms) -> Terms:
    """The difference of two sums."""
    # The operator `-` would drop negative coefficients from a Counter.
    return _sum([minuend, _product(subtrahend, MINUS_ONE)])


def as_text(terms: Terms) -> str:
    """The sum as text, such as `-1 H H + 3 L`; empty if it is zero."""
    return " + ".join(" ".join([str(number), *letters]) for letters, number in terms.items() if number)
