"""Symbolic sums: the lines of `macros.counting.sum_lines` with letters in place of a model's sizes.

The structure of a sum does not depend on the sizes. So the lines of one model, with letters in place
of its sizes, are valid for all models of its architecture. To compute the number to which a slip
leads, a line is altered. A test compares the lines with the engine's own.

A factor is a letter (`H`), a count (`4`), the result of an earlier line (`#2` for the third line),
or a letter after a slash (`/A`), which divides the factors before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from macros.counting import BadConfig, Choices, Question, model_named
from macros.counting.messages import and_list
from macros.counting.sum_lines import TENSOR, Addend, Factor, Line, sum_lines
from macros.rendering.components import words

LINE_MARK = "#"
"""Marks a factor that is the result of an earlier line; the index of that line follows."""

DIVISOR_MARK = "/"
"""Marks a letter that divides."""

BIAS = re.compile(r"the (?:output |prediction )?bias\b|the slices of the biases")
"""Matches the beginning of a label for a bias, or for the slices of several biases."""


class LabelledProduct(NamedTuple):
    """A product, and the words for what it counts.

    Attributes:
        factors: letters, counts, results of earlier lines, and divisors, as the docstring of this module explains.
        label: the words for one of the counted things, for use in a sentence: "one layer".
        times: the first factor if it is the number of these things; otherwise empty.
        label_of_all: the words for all of them, for use in a sentence: "the layers".
        hint: the words for them in a hint; empty if these are `label` or `label_of_all`.
    """

    factors: tuple[str, ...]
    label: str
    times: str = ""
    label_of_all: str = ""
    hint: str = ""


class LetterLine(NamedTuple):
    """A line of a symbolic sum, with labels for its own line and for use within a sentence."""

    label: str
    summands: tuple[LabelledProduct, ...]
    label_in_sentence: str = ""


class WorkedLine(NamedTuple):
    """A line with numbers: its text and its result."""

    text: str
    result: int


@lru_cache(maxsize=256)
def in_letters(model: str, model_class: str, part: str, tag: str) -> tuple[LetterLine, ...]:
    """The engine's sum for a question as a symbolic sum, which is valid for every model of the same architecture."""
    engine_lines = sum_lines(Question(model_named(model), model_class, part, tag, Choices()))
    lines = []
    for index, line in enumerate(engine_lines):
        summands = tuple(_summand(addend, engine_lines) for addend in line.addends)
        label = words.of_line(line) if index < len(engine_lines) - 1 else words.TOTAL
        lines.append(LetterLine(label.line, summands, label.in_sentence))
    return tuple(lines)


def lines_of(declared_lines: Sequence[Sequence[Any]]) -> tuple[LetterLine, ...]:
    """The lines of a sum that a data file declares, each as its label and a sum such as `2 #0 + H`.

    A line with several addends also lists their names, which feedback uses if an addend is missing.

    Raises:
        BadConfig: a line does not name every addend.
    """
    lines: list[LetterLine] = []
    for label, terms, *name_lists in declared_lines:
        summands = summands_of(terms, lines, label)
        if len(summands) > 1:
            names = name_lists[0] if name_lists else []
            if len(names) != len(summands):
                raise BadConfig(f"{label or terms}: {terms} has {len(summands)} addends; list a name for each")
            summands = tuple(summand._replace(label_of_all=name) for summand, name in zip(summands, names, strict=True))
        lines.append(LetterLine(label, summands, label))
    lines[-1] = lines[-1]._replace(label=words.TOTAL.line, label_in_sentence=words.TOTAL.in_sentence)
    return tuple(lines)


def summands_of(terms: str, lines: Sequence[LetterLine], label: str = "") -> tuple[LabelledProduct, ...]:
    """The summands of a declared sum such as `2 #0 + H`.

    Args:
        terms: the sum.
        lines: the lines before it, to which factors such as `#0` refer.
        label: the label of the line itself.
    """
    summands = []
    for term in terms.split(" + "):
        factors = tuple(term.split())
        is_line_result = factors[-1][0] == LINE_MARK
        counted_line = lines[int(factors[-1][1:])] if is_line_result else LetterLine(label, (), label)
        times = factors[0] if is_line_result and len(factors) > 1 else ""
        # A quotient such as H / A is a width, not a count.
        is_width = any(factor[0] == DIVISOR_MARK for summand in counted_line.summands for factor in summand.factors)
        hint_of_width = f"Multiply {counted_line.label} by {times}." if times and is_width else ""
        summands.append(LabelledProduct(factors, counted_line.label, times, counted_line.label, hint_of_width))
    return tuple(summands)


def _summand(addend: Addend, lines: Sequence[Line]) -> LabelledProduct:
    """An addend of the engine's sum as a labelled product; `lines` are all lines of that sum."""
    factors = tuple(map(_factor, addend.factors))
    earlier_lines = [factor.line for factor in addend.factors if factor.line is not None]
    if earlier_lines:
        counted_line = lines[earlier_lines[0]]
    else:
        counted_line = Line(TENSOR, addend.paths, (addend,), "", addend.is_alike)
    label = words.of_line(counted_line)
    is_first_a_count = factors[0] == "L" or (factors[0].isdigit() and addend.is_alike)
    times = factors[0] if len(factors) > 1 and is_first_a_count else ""
    return LabelledProduct(factors, label.in_sentence, times, label.in_all, label.hint)


def _factor(factor: Factor) -> str:
    """A factor of the engine's sum: a letter, a count, or a reference to an earlier line."""
    if factor.letter:
        return factor.letter
    return str(factor.number) if factor.line is None else f"{LINE_MARK}{factor.line}"


def hint(lines: Sequence[LetterLine]) -> str:
    """A sentence that says how to compute the last line of a sum; may be empty if that line is a single product."""
    summands = lines[-1].summands
    if summands[0].hint.endswith("."):
        return summands[0].hint
    products = [
        f"Multiply the count for {summand.hint or summand.label} by {summand.times}"
        for summand in summands
        if summand.times
    ]
    addends = [summand.hint or summand.label_of_all for summand in summands if not summand.times]
    if not products:
        return f"Add up {and_list(addends)}." if len(addends) > 1 else ""
    return f"{' and '.join(products)}, and add {and_list(addends)}." if addends else f"{' and '.join(products)}."


def with_sizes(lines: Sequence[LetterLine], sizes: Mapping[str, int]) -> list[WorkedLine]:
    """The lines evaluated for the sizes of a model."""
    worked_lines: list[WorkedLine] = []
    results = results_of(lines, sizes)
    for line, result in zip(lines, results, strict=True):
        text = " + ".join(_product(summand.factors, sizes, results) for summand in line.summands)
        is_bare_number = len(line.summands) == 1 and len(line.summands[0].factors) == 1
        worked_lines.append(WorkedLine(text if is_bare_number else f"{text} = {result:,}", result))
    return worked_lines


def results_of(lines: Sequence[LetterLine], sizes: Mapping[str, int]) -> list[int]:
    """The result of each line."""
    results: list[int] = []
    for line in lines:
        results.append(sum(_value(summand.factors, sizes, results) for summand in line.summands))
    return results


def _value(factors: Sequence[str], sizes: Mapping[str, int], results: Sequence[int]) -> int:
    """The value of a product; `results` are the results of the earlier lines."""
    value = 1
    for factor in factors:
        number = _number(factor, sizes, results)
        # The division is exact, because only the hidden size is divided, by a number of heads that divides it.
        value = value // number if factor[0] == DIVISOR_MARK else value * number
    return value


def _product(factors: Sequence[str], sizes: Mapping[str, int], results: Sequence[int]) -> str:
    """A product as text with numbers."""
    text = ""
    for factor in factors:
        sign = " ÷ " if factor[0] == DIVISOR_MARK else " × "
        text += f"{sign if text else ''}{_number(factor, sizes, results):,}"
    return text


def _number(factor: str, sizes: Mapping[str, int], results: Sequence[int]) -> int:
    """The value of a factor or of a divisor's letter; `results` are the results of the earlier lines."""
    if factor[0] == LINE_MARK:
        return results[int(factor[1:])]
    size = factor.removeprefix(DIVISOR_MARK)
    return sizes[size] if size in sizes else int(size)


# --- Slips: the same sum with one wrong step ---------------------------------------
# All lines keep their index, because later lines refer to earlier ones by index.


def with_letter(lines: Sequence[LetterLine], letter: str, replacement: str) -> tuple[LetterLine, ...]:
    """The same sum with `replacement` in place of `letter`."""

    def with_replacement(line: LetterLine) -> LetterLine:
        """A line with `letter` replaced in every factor of its summands."""
        summands = (
            summand._replace(factors=tuple(replacement if factor == letter else factor for factor in summand.factors))
            for summand in line.summands
        )
        return line._replace(summands=tuple(summands))

    return tuple(map(with_replacement, lines))


def without_summand(lines: Sequence[LetterLine], index: int, position: int) -> tuple[LetterLine, ...]:
    """The same sum without the summand at `position` of the line at `index`."""
    line = lines[index]
    other_summands = line.summands[:position] + line.summands[position + 1 :]
    return (*lines[:index], line._replace(summands=other_summands), *lines[index + 1 :])


def with_one_number_per_bias(lines: Sequence[LetterLine]) -> tuple[tuple[LetterLine, ...], list[str]]:
    """The same sum with 1 in place of the size of each bias, and the distinct replaced sizes, in line order."""
    sizes = dict[str, None]()

    def with_one_number(summand: LabelledProduct) -> LabelledProduct:
        """A bias with 1 in place of its size, which is recorded in `sizes`; any other summand unchanged."""
        if not BIAS.match(summand.label_of_all):
            return summand
        *other_factors, size = summand.factors
        sizes[size] = None
        return summand._replace(factors=(*other_factors, "1"))

    lines_with_1 = tuple(line._replace(summands=tuple(map(with_one_number, line.summands))) for line in lines)
    return lines_with_1, list(sizes)


def with_things_counted_once(lines: Sequence[LetterLine], index: int, position: int) -> tuple[LetterLine, ...]:
    """The same sum in which the summand at `position` of the line at `index` loses the factor that counts things."""
    line = lines[index]
    summand = line.summands[position]
    single_summand = summand._replace(factors=summand.factors[1:], times="")
    summands = (*line.summands[:position], single_summand, *line.summands[position + 1 :])
    return (*lines[:index], line._replace(summands=summands), *lines[index + 1 :])
