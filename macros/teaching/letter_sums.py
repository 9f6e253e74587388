"""Sums in letters: the lines of `macros.counting.sum_lines` before the sizes of a model are put in.

How a sum is arranged depends on what is counted, and never on the sizes. So the
lines for any model, with the letters put back, can be worked out for all, and
changed, to see what a slip in one of them leads to; a test compares them with
the engine's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from macros.counting import BadConfig, Choices, Question, model_named
from macros.counting.sum_lines import TENSOR, Addend, Factor, Line, sum_lines
from macros.rendering.components import words

OF_LINE = "#"
"""Stands before the place of the line whose result a factor is."""


class Summand(NamedTuple):
    """A product of factors, each a letter, a count, or `#` and the place of an earlier line; and what it counts.

    `what` names one of the equal things that are counted, and `every` all of
    them, both as in a sentence; `hint` is what a hint calls it. `times` is the
    first factor where it says how many there are, and empty where there is one.
    """

    factors: tuple[str, ...]
    what: str
    times: str = ""
    every: str = ""
    hint: str = ""


class LetterLine(NamedTuple):
    """A line of a sum in letters; `what` stands beside it, and `sentence` says the same within a sentence."""

    what: str
    summands: tuple[Summand, ...]
    sentence: str = ""


class WorkedLine(NamedTuple):
    """A line with numbers: as text, and its result."""

    text: str
    result: int


@lru_cache(maxsize=256)
def in_letters(model: str, model_class: str, part: str, tag: str) -> tuple[LetterLine, ...]:
    """The lines of a sum in letters, for the architecture of a model."""
    lines = sum_lines(Question(model_named(model), model_class, part, tag, Choices()))
    found = []
    for place, line in enumerate(lines):
        summands = tuple(_summand(each, lines) for each in line.addends)
        label = words.of_line(line) if place < len(lines) - 1 else words.TOTAL
        found.append(LetterLine(label.line, summands, label.in_sentence))
    return tuple(found)


def lines_of(written: Sequence[Sequence[Any]]) -> tuple[LetterLine, ...]:
    """The lines of a sum that is written down, each as what it counts and as a sum such as `2 #0 + H`.

    Where a line has several addends, a list names what is lost with each of them, as a sentence would have it.

    Raises:
        BadConfig: a line does not name all that it adds up.
    """
    found: list[LetterLine] = []
    for what, terms, *named in written:
        summands = summands_of(terms, found, what)
        if len(summands) > 1:
            names = named[0] if named else []
            if len(names) != len(summands):
                raise BadConfig(f"{what or terms}: {terms} has {len(summands)} addends; name what is lost with each")
            summands = tuple(each._replace(every=name) for each, name in zip(summands, names, strict=True))
        found.append(LetterLine(what, summands, what))
    found[-1] = found[-1]._replace(what=words.TOTAL.line, sentence=words.TOTAL.in_sentence)
    return tuple(found)


def summands_of(terms: str, lines: Sequence[LetterLine], what: str = "") -> tuple[Summand, ...]:
    """The addends of a line such as `2 #0 + H`; `lines` are those before it, and `what` is what it counts."""
    found = []
    for factors in (tuple(each.split()) for each in terms.split(" + ")):
        is_line = factors[-1][0] == OF_LINE
        counts = lines[int(factors[-1][1:])].what if is_line else what
        found.append(Summand(factors, counts, factors[0] if is_line and len(factors) > 1 else "", counts))
    return tuple(found)


def _summand(addend: Addend, lines: Sequence[Line]) -> Summand:
    """An addend with letters, and with the places of the lines whose results it takes up."""
    factors = tuple(map(_factor, addend.factors))
    places = [each.line for each in addend.factors if each.line is not None]
    label = words.of_line(lines[places[0]] if places else Line(TENSOR, addend.paths, (addend,), "", addend.alike))
    several = factors[0] == "L" or (factors[0].isdigit() and addend.alike)
    times = factors[0] if len(factors) > 1 and several else ""
    return Summand(factors, label.in_sentence, times, label.in_all, label.hint)


def _factor(factor: Factor) -> str:
    return factor.letter or (str(factor.number) if factor.line is None else f"{OF_LINE}{factor.line}")


def hint(lines: Sequence[LetterLine]) -> str:
    """What to do for the last line of a sum, in a sentence; empty where it is one product of sizes."""
    summands = lines[-1].summands
    if summands[0].hint.endswith("."):
        return summands[0].hint
    several = [f"Multiply {each.hint or each.what} by {each.times}" for each in summands if each.times]
    once = [each.hint or each.every for each in summands if not each.times]
    if not several:
        return f"Add up {listed(once)}." if len(once) > 1 else ""
    return f"{' and '.join(several)}, and add {listed(once)}." if once else f"{' and '.join(several)}."


def listed(items: Sequence[str]) -> str:
    """Nouns in a row: `a, b and c`."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def with_sizes(lines: Sequence[LetterLine], sizes: Mapping[str, int]) -> list[WorkedLine]:
    """The lines worked out."""
    found: list[WorkedLine] = []
    results = results_of(lines, sizes)
    for line, result in zip(lines, results, strict=True):
        text = " + ".join(" × ".join(f"{_number(f, sizes, results):,}" for f in each.factors) for each in line.summands)
        alone = len(line.summands) == 1 and len(line.summands[0].factors) == 1
        found.append(WorkedLine(text if alone else f"{text} = {result:,}", result))
    return found


def results_of(lines: Sequence[LetterLine], sizes: Mapping[str, int]) -> list[int]:
    """The results of the lines."""
    found: list[int] = []
    for line in lines:
        found.append(sum(prod(_number(factor, sizes, found) for factor in each.factors) for each in line.summands))
    return found


def _number(factor: str, sizes: Mapping[str, int], found: Sequence[int]) -> int:
    if factor[0] == OF_LINE:
        return found[int(factor[1:])]
    return sizes[factor] if factor in sizes else int(factor)


def with_letter(lines: Sequence[LetterLine], letter: str, other: str) -> tuple[LetterLine, ...]:
    """The same sum with another letter in the place of one."""

    def changed(line: LetterLine) -> LetterLine:
        summands = (
            each._replace(factors=tuple(other if factor == letter else factor for factor in each.factors))
            for each in line.summands
        )
        return line._replace(summands=tuple(summands))

    return tuple(map(changed, lines))


def without(lines: Sequence[LetterLine], place: int, summand: int) -> tuple[LetterLine, ...]:
    """The same sum where one line lacks one of its summands."""
    line = lines[place]
    kept = line.summands[:summand] + line.summands[summand + 1 :]
    return (*lines[:place], line._replace(summands=kept), *lines[place + 1 :])


def counted_once(lines: Sequence[LetterLine], place: int, summand: int) -> tuple[LetterLine, ...]:
    """The same sum where equal things are counted once."""
    line = lines[place]
    changed = line.summands[summand]._replace(factors=line.summands[summand].factors[1:], times="")
    summands = (*line.summands[:summand], changed, *line.summands[summand + 1 :])
    return (*lines[:place], line._replace(summands=summands), *lines[place + 1 :])
