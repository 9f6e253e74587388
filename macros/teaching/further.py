"""Further numbers that the page of exercises explains, in addition to the wrong answers in question banks.

They follow from general rules rather than from a list. `docs/assets/exercises/wrong.js` evaluates them
for the sizes of a model, and the first rule that gives a number explains it:

1. A head's matrices are assumed to be square, in the answer or in an earlier line.
2. The sizes of a matrix are added instead of multiplied, or a whole table is counted instead of one row.
3. The number is correct for a different class of the same model.
4. The number is part of a line: one of its products, or the sum of its first summands.
5. The question is about a change that has no effect, and the number is a multiple of the count.
6. The number of layers is that of BERT base or BERT large.
7. The number is correct for another part in the same set of exercises. The script already has these numbers.
8. A count is multiplied twice by the same size, or something or everything is counted once too often.
9. A sum that is multiplied has lost its brackets or its factor.
10. Two parts are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from macros.counting import Question, model_named
from macros.counting.deviations import MISTAKE
from macros.counting.messages import and_list
from macros.rendering.components import words
from macros.rendering.components.asking import SHORT_NAMES

from .letter_sums import DIVISOR_MARK, LINE_MARK, LabelledProduct, LetterLine, in_letters
from .sets import Ask, load_sets
from .ways import Terms, as_text, difference, terms_of_lines, terms_of_question, wrong_counts
from .wrong import candidate_deviations, common_slips, reach

FACTORS_OF_HEAD_WIDTH = ("H", f"{DIVISOR_MARK}A")
"""The factors whose product is the width of a head."""

HEAD_WIDTH_LINE = "#0"
"""The factor for the width of a head, which is the result of the first line of every sum that uses it."""

UNCHANGED_SET = "unchanged"
"""The name of the set of exercises about changes that have no effect on the count, and of their feedback."""


class FurtherNumber(NamedTuple):
    """A number that the page can explain, as a symbolic sum.

    Attributes:
        name: the name of the rule. For part of a line, it includes the number of the last earlier line that
            the part uses, counted from 1, as in `part:3`, or 0 if it uses none.
        feedback_name: the name of its feedback under `[texts]`.
        terms: the sum that gives the number.
        subject: the subject of the feedback, in words.
        detail: a factor or a piece of advice that the feedback also mentions.
    """

    name: str
    feedback_name: str
    terms: Terms
    subject: str = ""
    detail: str = ""


def further_numbers(ask: Ask) -> list[list[str]]:
    """The further numbers for a question, each as name, difference, feedback name, subject and detail."""
    correct_terms = terms_of_lines(ask.lines)
    numbers_by_difference: dict[str, list[str]] = {}
    for number in (
        *_square_matrices(ask),
        *_sums_of_sizes(ask),
        *_whole_table(ask),
        *_totals_of_other_classes(ask),
        *_parts_of_lines(ask.lines),
        *_multiples(ask),
        *_sums_with_other_layers(correct_terms),
        *_repetitions(ask),
        *_sums_without_brackets(correct_terms),
        *_double_omissions(ask),
    ):
        text = as_text(difference(number.terms, correct_terms))
        if text:
            numbers_by_difference.setdefault(
                text, [number.name, text, number.feedback_name, number.subject, number.detail]
            )
    return [*numbers_by_difference.values()]


def _square_matrices(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield the sum with square matrices for heads, its earlier lines but the first, and the sum with common slips."""
    if ask.lines[0].summands[0].factors != FACTORS_OF_HEAD_WIDTH:
        return
    lines = tuple(line._replace(summands=tuple(map(_with_square_matrix, line.summands))) for line in ask.lines)
    if lines == ask.lines:
        return
    yield FurtherNumber("square", "square", terms_of_lines(lines))
    for index in range(1, len(lines) - 1):
        yield FurtherNumber("square", "square", terms_of_lines(lines[: index + 1]))
    for slip in common_slips(lines):
        yield FurtherNumber("square", "square", terms_of_lines(slip.lines))


def _sums_of_sizes(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield the sizes of a single matrix, added instead of multiplied."""
    (first, *others) = ask.lines[0].summands
    is_matrix = len(ask.lines) == 1 and not others and len(first.factors) > 1
    if is_matrix and not any(factor[0] == DIVISOR_MARK for factor in first.factors):
        sizes = tuple(first._replace(factors=(factor,)) for factor in first.factors)
        yield FurtherNumber("added", "added", terms_of_lines(_with_last_line(ask.lines, sizes)))


def _whole_table(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield the whole embedding table if the question is about a piece of it."""
    if ask.has_declared_sum and ask.part.startswith("bert/embeddings/"):
        table = terms_of_question(Question(model_named(ask.example), ask.model_class, ask.part))
        yield FurtherNumber("whole-table", "whole-table", table, ask.words)


def _sums_with_other_layers(correct_terms: Terms) -> Iterator[FurtherNumber]:
    """Yield the sum with the number of layers of BERT base, and with that of BERT large."""
    for model, short_name in SHORT_NAMES.items():
        number_of_layers = model_named(model).sizes["L"]
        terms = Terms()
        for product, coefficient in correct_terms.items():
            other_factors = tuple(factor for factor in product if factor != "L")
            terms[other_factors] += coefficient * number_of_layers ** product.count("L")
        yield FurtherNumber(
            "other-layers", "other-layers", terms, f"{number_of_layers} layers, as BERT {short_name} has", "L"
        )


def _with_square_matrix(summand: LabelledProduct) -> LabelledProduct:
    """The product with the width of a head in place of the hidden size; other products are unchanged."""
    if sorted(summand.factors) != sorted(("H", HEAD_WIDTH_LINE)):
        return summand
    return summand._replace(factors=(HEAD_WIDTH_LINE, HEAD_WIDTH_LINE))


def _totals_of_other_classes(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield the totals of other classes, each with advice, if the question is about a whole model."""
    if ask.part or ask.tag or ask.has_declared_sum or ask.models:
        return
    blocks_of_answer = _blocks(ask.model_class)
    for total in load_sets().totals:
        other_class = total.model_class
        blocks = _blocks(other_class)
        advice = []
        if missing_blocks := [block for block in blocks_of_answer if block not in blocks]:
            advice.append(f"add {_in_words(missing_blocks)}")
        if surplus_blocks := [block for block in blocks if block not in blocks_of_answer]:
            advice.append(f"leave out {_in_words(surplus_blocks)}")
        if other_class != ask.model_class and advice:
            terms = terms_of_lines(in_letters(ask.example, other_class, "", ""))
            yield FurtherNumber("class", "other-class", terms, other_class, ", and ".join(advice))


def _blocks(model_class: str) -> list[str]:
    """The names of the blocks of a class of the first example."""
    return words.block_names(Question(model_named(load_sets().totals[0].example), model_class))


def _in_words(blocks: list[str]) -> str:
    """Blocks as a list within a sentence."""
    return and_list([words.BLOCK_LABELS[block].in_all for block in blocks])


def _parts_of_lines(lines: tuple[LetterLine, ...]) -> Iterator[FurtherNumber]:
    """Yield the parts of each line that has several summands: its products, and the sums of its first summands."""
    for index, line in enumerate(lines):
        if len(line.summands) < 2:
            continue
        products = [(summand,) for summand in line.summands if len(summand.factors) > 1]
        beginnings = [line.summands[:end] for end in range(2, len(line.summands))]
        for part in (*products, *beginnings):
            line_numbers = [
                int(factor[1:]) + 1 for summand in part for factor in summand.factors if factor[0] == LINE_MARK
            ]
            subject = and_list([summand.label_of_all for summand in part])
            terms = terms_of_lines((*lines[:index], line._replace(summands=part)))
            yield FurtherNumber(f"part:{max(line_numbers, default=0)}", "partial", terms, subject)


def _repetitions(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield the sum with a factor or a summand too many, and the sum with everything counted twice."""
    last_line = ask.lines[-1]
    for index, line in enumerate(ask.lines):
        for position, summand in enumerate(line.summands):
            subject = summand.label_of_all if ask.has_declared_sum else summand.label
            if summand.times.isalpha():
                squared_summand = summand._replace(factors=(summand.times, *summand.factors))
                summands = (*line.summands[:position], squared_summand, *line.summands[position + 1 :])
                lines = (*ask.lines[:index], line._replace(summands=summands), *ask.lines[index + 1 :])
                yield FurtherNumber("again", "multiplied-twice", terms_of_lines(lines), subject, summand.times)
            if summand.times or len(line.summands) > 1:
                single_summand = summand._replace(factors=summand.factors[1:]) if summand.times else summand
                yield FurtherNumber(
                    "again", "too-often", terms_of_lines(_with_summand(ask.lines, single_summand)), subject
                )
    yield FurtherNumber("again", "all-twice", terms_of_lines(_with_last_line(ask.lines, last_line.summands * 2)))


def _multiples(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield the answer multiplied by 2, and by A, if the question is about a change that has no effect."""
    if ask in load_sets().sets[UNCHANGED_SET].asks:
        (total,) = ask.lines[-1].summands
        subject = ask.words[0].lower() + ask.words[1:]
        for factor in ("2", "A"):
            multiple = total._replace(factors=(factor, *total.factors))
            yield FurtherNumber(
                UNCHANGED_SET, UNCHANGED_SET, terms_of_lines(_with_last_line(ask.lines, (multiple,))), subject
            )


def _sums_without_brackets(correct_terms: Terms) -> Iterator[FurtherNumber]:
    """Yield the sum in which a factor of every term multiplies only the first term, only the last one, or none."""
    letters = {letter for product in correct_terms for letter in product}
    for letter in sorted(letters):
        if len(correct_terms) > 1 and all(product.count(letter) == 1 for product in correct_terms):
            first, *_, last = correct_terms
            for multiplied_product in (first, last, None):
                yield FurtherNumber(
                    "brackets", "brackets", _with_factor_only_in(correct_terms, letter, multiplied_product), letter
                )


def _with_factor_only_in(correct_terms: Terms, letter: str, multiplied_product: tuple[str, ...] | None) -> Terms:
    """The sum in which a letter multiplies only `multiplied_product`, or no product."""
    terms = Terms()
    for product, coefficient in correct_terms.items():
        other_factors = tuple(factor for factor in product if factor != letter)
        terms[product if product == multiplied_product else other_factors] += coefficient
    return terms


def _double_omissions(ask: Ask) -> Iterator[FurtherNumber]:
    """Yield a part without two of the things that mistakes leave out. A whole model has too many such pairs.

    Mistakes that affect the fewest tensors come first, because they describe a number most precisely.
    """
    if not (ask.part or ask.tag) or ask.has_declared_sum or ask.models or ask.cost or ask.changes:
        return
    question = Question(model_named(ask.example), ask.model_class, ask.part, ask.tag)
    # A deviation with the factor 0 leaves out its tensors.
    counts_by_deviation = {
        deviation: count
        for deviation, count in wrong_counts(question, terms_of_question(question))
        if deviation.factor == "0"
    }
    omissions = [
        deviation
        for deviation in candidate_deviations(question)
        if deviation.kind == MISTAKE and deviation in counts_by_deviation
    ]
    omissions.sort(key=lambda deviation: reach(deviation, question))
    for first, second in combinations(omissions, 2):
        terms = terms_of_question(question._replace(deviations=(first.name, second.name)))
        if any(terms.values()) and terms not in (counts_by_deviation[first], counts_by_deviation[second]):
            yield FurtherNumber("both", "both", terms, f"{first.done} and {second.done}")


def _with_summand(lines: tuple[LetterLine, ...], summand: LabelledProduct) -> tuple[LetterLine, ...]:
    """The sum with an additional summand in its last line."""
    return _with_last_line(lines, (*lines[-1].summands, summand))


def _with_last_line(lines: tuple[LetterLine, ...], summands: tuple[LabelledProduct, ...]) -> tuple[LetterLine, ...]:
    """The sum with `summands` in its last line."""
    return (*lines[:-1], lines[-1]._replace(summands=summands))
