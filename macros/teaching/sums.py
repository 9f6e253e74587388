"""Sums in letters: the lines of `macros.counting.sums` before the sizes of a model are put in.

How a sum is arranged depends on what is counted, and never on the sizes. So a
sum is worked out once with sizes so large that every result is larger than
any count of equal things; then each number without a letter is either such a
count or the result of an earlier line. With the letters put back, the lines
can be worked out anywhere, and changed, to see what a slip in one of them
leads to; a test compares them with the engine's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from macros.counting import BERT, Choices, Model, Question
from macros.counting.sums import TENSOR, Addend, Line, worked
from macros.rendering.elements import words

LARGE = {"V": 1_000_003, "P": 50_021, "S": 40_009, "H": 20_011, "F": 30_011, "L": 10_007, "A": 1, "C": 60_013}
"""Sizes so large that no result can be taken for a count; heads are in no sum."""

SMALL = 1_000
"""More than the equal things in any sum, and less than any result with large sizes."""

OF_LINE = "#"
"""Stands before the place of the line whose result a factor is."""


class Summand(NamedTuple):
    """A product of factors, each a letter, a count, or `#` and the place of an earlier line; and what it counts.

    `times` is the first factor where it says how many equal things are
    counted, and empty where there is one.
    """

    factors: tuple[str, ...]
    what: str
    times: str = ""


class Letters(NamedTuple):
    """A line of a sum in letters."""

    what: str
    summands: tuple[Summand, ...]


class Worked(NamedTuple):
    """A line with numbers: as text, and its result."""

    text: str
    result: int


@lru_cache(maxsize=256)
def in_letters(model_class: str, part: str, tag: str) -> tuple[Letters, ...]:
    """The lines of a sum in letters."""
    lines = worked(Question(Model("large", BERT, LARGE), model_class, part, tag, Choices()))
    results = [line.result for line in lines]
    found = []
    for place, line in enumerate(lines):
        summands = tuple(_summand(each, lines, results[:place]) for each in line.addends)
        found.append(Letters(words.of_line(line) if place < len(lines) - 1 else "together", summands))
    return tuple(found)


def _summand(addend: Addend, lines: Sequence[Line], known: Sequence[int]) -> Summand:
    """An addend with letters, where the results of the lines before its own are known."""
    result = next((each.number for each in addend.factors if not each.letter and each.number >= SMALL), 0)
    same = [place for place, each in enumerate(known) if each == result]
    # Different things of the same size have lines of their own: the one that is meant counts the same tensors.
    meant = [place for place in same if lines[place].paths == addend.paths] or same
    factors = tuple(
        each.letter or (f"{OF_LINE}{meant[-1]}" if each.number == result else str(each.number))
        for each in addend.factors
    )
    what = words.of_line(lines[meant[-1]]) if result else _tensor(addend)
    several = factors[0] == "L" or (factors[0].isdigit() and addend.each)
    return Summand(factors, what, factors[0] if len(factors) > 1 and several else "")


def _tensor(addend: Addend) -> str:
    """What an addend counts that is no line of its own: a tensor, or equal ones such as scale and shift."""
    leaves = list(dict.fromkeys(path.rpartition("/")[2] for path in addend.paths))
    first = tuple(path for path in addend.paths if path.endswith(f"/{leaves[0]}"))
    what = words.of_line(Line(TENSOR, first, (addend,), "", addend.each))
    return " and ".join([what, *(words.LEAVES.get(each, each) for each in leaves[1:])])


def with_sizes(lines: Sequence[Letters], sizes: Mapping[str, int]) -> list[Worked]:
    """The lines worked out."""
    found: list[Worked] = []
    results = comes_to(lines, sizes)
    for line, result in zip(lines, results, strict=True):
        text = " + ".join(" × ".join(f"{_number(f, sizes, results):,}" for f in each.factors) for each in line.summands)
        alone = len(line.summands) == 1 and len(line.summands[0].factors) == 1
        found.append(Worked(text if alone else f"{text} = {result:,}", result))
    return found


def comes_to(lines: Sequence[Letters], sizes: Mapping[str, int]) -> list[int]:
    """The results of the lines."""
    found: list[int] = []
    for line in lines:
        found.append(sum(prod(_number(factor, sizes, found) for factor in each.factors) for each in line.summands))
    return found


def _number(factor: str, sizes: Mapping[str, int], found: Sequence[int]) -> int:
    if factor[0] == OF_LINE:
        return found[int(factor[1:])]
    return sizes[factor] if factor in sizes else int(factor)


def taken(lines: Sequence[Letters], letter: str, other: str) -> tuple[Letters, ...]:
    """The same sum with another letter in the place of one."""

    def changed(line: Letters) -> Letters:
        summands = (
            each._replace(factors=tuple(other if factor == letter else factor for factor in each.factors))
            for each in line.summands
        )
        return line._replace(summands=tuple(summands))

    return tuple(map(changed, lines))


def without(lines: Sequence[Letters], place: int, summand: int) -> tuple[Letters, ...]:
    """The same sum where one line lacks one of its summands."""
    line = lines[place]
    kept = line.summands[:summand] + line.summands[summand + 1 :]
    return (*lines[:place], line._replace(summands=kept), *lines[place + 1 :])


def once(lines: Sequence[Letters], place: int, summand: int) -> tuple[Letters, ...]:
    """The same sum where equal things are counted once."""
    line = lines[place]
    changed = line.summands[summand]._replace(factors=line.summands[summand].factors[1:], times="")
    summands = (*line.summands[:summand], changed, *line.summands[summand + 1 :])
    return (*lines[:place], line._replace(summands=summands), *lines[place + 1 :])
