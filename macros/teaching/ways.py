"""The ways to wrong answers in letters, as the page of exercises reads them: how far each is from the right answer.

What somebody gets who slips or deviates is the right answer and a difference,
a sum of products whatever the sizes. So the page only puts sizes in; a test
compares its wrong answers with those of wrong.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from macros.counting import BadChoice, Question, model_named
from macros.counting.deviations import Deviation
from macros.counting.question import Item

from .letter_sums import OF_LINE, LetterLine
from .sets import Ask, load_sets
from .wrong import fits_exercise, fitting, of_trained, slips_in_letters

OVER = "/"
"""Stands before a letter that divides."""

Terms = Counter[tuple[str, ...]]
"""A sum of products: how often each is in it, by its letters in order."""


def ways(ask: Ask) -> list[list[Any]]:
    """Each deviation that may give another number: its name, the difference, what it does, and how much besides.

    Those that do the same to what is asked have the same number in the third place; the fourth is how many tensors of
    the class they touch.
    """
    if ask.is_written:
        return [[each.name, "", place, 0] for place, each in enumerate(of_trained(ask))]
    asked = Question(model_named(ask.example), ask.model_class, ask.part, ask.tag)
    right = _sum(map(_of_item, asked.items))
    found, kinds = [], dict[object, int]()
    for each, counted in _counted(asked, right):
        difference = _sum([counted, _times(right, Terms({(): -1}))])
        if _written(difference) or (each.resized and any(each.resized[0] in letters for letters in counted)):
            touched = tuple(row.path for row in asked.rows if each.touches(row))
            kind = kinds.setdefault((touched, each.factor, each.adds, each.instead), len(kinds))
            reach = sum(map(each.touches, asked.at().rows))
            found.append([each.name, _written(difference), kind, reach])
    return found


def _counted(asked: Question, right: Terms) -> Iterator[tuple[Deviation, Terms]]:
    """Every deviation that can be made, and what is counted with it."""
    for each in filter(lambda each: fits_exercise(each, asked), load_sets().deviations):
        yield each, _times(right, _of_factor(each.factor))
    for each in fitting(asked):
        try:
            yield each, _sum(map(_of_item, asked._replace(deviations=(each.name,)).items))
        except BadChoice:
            continue


def slips(ask: Ask) -> list[list[Any]]:
    """Each slip: its name, the difference, and what its text fills in; where one stops early, the line instead."""
    right = _of_lines(ask.lines)
    found = []
    for each in slips_in_letters(ask):
        stopped = each.text in ("first", "stopped")
        difference = _sum([_of_lines(each.lines), _times(right, Terms({(): -1}))])
        found.append([each.name, len(each.lines) - 1 if stopped else _written(difference), *each.values.values()])
    return found


def _of_lines(lines: Sequence[LetterLine]) -> Terms:
    """The last line of a sum."""
    found: list[Terms] = []
    for line in lines:
        products = []
        for each in line.summands:
            product = Terms({(): 1})
            for factor in each.factors:
                product = _times(product, found[int(factor[1:])] if factor[0] == OF_LINE else _of_factor(factor))
            products.append(product)
        found.append(_sum(products))
    return found[-1]


def _of_item(item: Item) -> Terms:
    found = Terms()
    for term in item.letters.terms:
        found[tuple(sorted(term.factors))] += term.coefficient
    for factor in item.factors:
        found = _times(found, _of_factor(factor))
    return found


def _of_factor(factor: str) -> Terms:
    """A number, a letter, or a quotient of two."""
    above, _, below = factor.replace("−", "-").partition(OVER)
    number, letters = (1, [above]) if above.isalpha() else (int(above), [])
    return Terms({(*letters, *([OVER + below] if below else [])): number})


def _times(one: Terms, other: Terms) -> Terms:
    found = Terms()
    for letters, number in one.items():
        for more, often in other.items():
            found[_cancelled([*letters, *more])] += number * often
    return found


def _cancelled(factors: list[str]) -> tuple[str, ...]:
    """Factors in order, without a letter that multiplies and divides."""
    for below in [each for each in factors if each[0] == OVER]:
        if below[1:] in factors:
            factors.remove(below)
            factors.remove(below[1:])
    return tuple(sorted(factors, key=lambda each: (each[0] == OVER, each)))


def _sum(terms: Any) -> Terms:
    found = Terms()
    for each in terms:
        found.update(each)
    return found


def _written(terms: Terms) -> str:
    """As text: `-1 H H + -1 H`."""
    return " + ".join(" ".join([str(number), *letters]) for letters, number in terms.items() if number)
