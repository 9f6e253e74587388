"""Bridges: from the number of one question to that of another in signed steps, each with its formula.

First the deviations of the start are undone, then sizes change letter by letter,
then parts are added or dropped, and last the deviations of the end are made. Each
step changes one thing, so the steps add up to the difference exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ..deviations import deviation_named, load_deviations
from ..polynomials import BUT_FIRST, Polynomial, Term, substituted
from ..question import NONE, Item, Question
from ..steps import Step, walk

Items = Mapping[str, Item]

UNDONE, MADE, SIZE, BLOCK, TYING = "undone", "made", "size", "block", "tying"
"""The kinds of steps: a deviation is undone or made, a size changes, a block is added or dropped, or the decoder's
weights are tied or untied."""


class Summand(NamedTuple):
    """One term in the formula of a step: a polynomial and the factor before it.

    Attributes:
        factor: as it is written, with its sign: `"−"`, `"+"` or a bracket such as `"+(A − 1)·"`.
        letters: the polynomial.
    """

    factor: str
    letters: Polynomial

    def formula(self) -> str:
        """The term in letters, with its sign."""
        text = self.letters.formula()
        return self.factor + (f"({text})" if self.summed else text)

    @property
    def summed(self) -> bool:
        """Whether the polynomial is a sum, which needs brackets after a factor."""
        groups = self.letters.groups()
        return len(groups) > 1 or (len(groups[0][1]) > 1 and not groups[0][0])


@dataclass(frozen=True, kw_only=True)
class BridgeStep(Step):
    """One step of a bridge. Its name is a deviation, a letter or a block; empty if the decoder's tying changes.

    Attributes:
        kind: one of `UNDONE`, `MADE`, `SIZE`, `BLOCK` and `TYING`.
        summands: the terms of its formula.
        sizes: the sizes before the step, with which its formula is worked out.
    """

    kind: str
    summands: tuple[Summand, ...]
    sizes: Mapping[str, int]


def bridge(start: Question, end: Question) -> tuple[BridgeStep, ...]:
    """The steps from the number of `start` to that of `end`, both questions about one architecture.

    Steps that change nothing are left out. The others add up to
    `end.number - start.number`.

    Raises:
        UnknownDeviation, BadChoice: as for `Question`.

    >>> from ..models import model_named
    >>> base = model_named("bert-base-uncased")
    >>> [step.formula for step in bridge(Question(base, deviations=("pooler-left-out",)), Question(base))]
    ['+(H² + H)']
    """
    start, end = _spelt_out(start), _spelt_out(end)
    shared = {name for name in start.deviations if name in end.deviations}
    # A deviation of both ends stays, unless its effect depends on a size that changes on the way.
    constant = {name for name in shared if not _moves(name, start.sizes, end.sizes)}
    states = [start]
    for name in sorted(set(start.deviations) - constant, key=lambda name: _place(name, start)):
        here = states[-1]
        states.append(here._replace(deviations=tuple(other for other in here.deviations if other != name)))
    states += _resizing(states[-1], end)
    states.append(states[-1]._replace(model_class=end.model_class, choices=end.choices))
    # Sizes first: a factor such as P/H must not change once it is there.
    for name in sorted(set(end.deviations) - constant, key=lambda name: (not _resizes(name), _place(name, end))):
        states.append(states[-1]._replace(deviations=(*states[-1].deviations, name)))
    steps = (step for here, there in pairwise(states) for step in _steps(here, there))
    return walk(start.number, steps, end.number)


def order_of(question: Question) -> str:
    """The letters in the order of reading. Without A if it is in no shape; it then changes along with H."""
    architecture = question.architecture
    heads = {"A"} - architecture.letters_in(architecture.rows)
    return "".join(symbol.letter for symbol in architecture.symbols if symbol.letter not in heads)


def _resizes(name: str) -> bool:
    return bool(deviation_named(name).resized)


def _moves(name: str, start: Mapping[str, int], end: Mapping[str, int]) -> bool:
    """Whether the effect of a deviation depends on a size that differs between two models.

    It depends on the letters that it multiplies by, takes as a size, or counts instead of the model.
    """
    deviation = deviation_named(name)
    letters = deviation.factor + deviation.resized.partition(" = ")[2] + deviation.instead
    return any(start[letter] != end[letter] for letter in start if letter in letters)


def _place(name: str, question: Question) -> tuple[int, int]:
    """The place of a deviation in the order of reading: that of the first row it touches, or else the end."""
    rows = question.architecture.rows
    places = [place for place, row in enumerate(rows) if deviation_named(name).touches(row)]
    return min(places, default=len(rows)), list(load_deviations()).index(name)


def _spelt_out(question: Question) -> Question:
    """The question with a short formula for the whole replaced by the deviations it amounts to, if there are any."""
    rows = question.at().rows
    names = [name for deviation in question.deviation_values for name in (deviation.same_as or (deviation.name,))]
    names = [name for name in names if deviation_named(name).fits(rows, question.architecture)]
    longer = question._replace(deviations=tuple(names))
    return longer if longer.number == question.number else question


def _resizing(here: Question, end: Question) -> Iterator[Question]:
    """The questions on the way to the sizes of the end, one letter after the other."""
    letters = order_of(here)
    for letter in letters:
        if here.model.sizes[letter] != end.model.sizes[letter]:
            size = {letter: end.model.sizes[letter]} | (
                {"A": end.model.sizes["A"]} if letter == "H" and "A" not in letters else {}
            )
            here = here._replace(model=here.model.resized(**size))
            yield here
    yield here._replace(model=end.model)


def _steps(here: Question, there: Question) -> Iterator[BridgeStep]:
    """The steps from one question to the next: one step, or one per block if the class changes."""
    before, after = ({item.path: item for item in side.items} for side in (here, there))
    if here.chosen == there.chosen:
        yield _step(before, after, here, there)
        return
    for block in here.architecture.blocks:
        old, new = ({path: item for path, item in side.items() if item.block == block} for side in (before, after))
        yield replace(_step(old, new, here, there), kind=BLOCK, name=block)


def _step(before: Items, after: Items, here: Question, there: Question) -> BridgeStep:
    sizes, others = here.sizes, there.sizes
    value = _total(after, others) - _total(before, sizes)
    letter = next((letter for letter in order_of(here) if sizes[letter] != others[letter]), "")
    # A new size may also add or remove rows, besides changing those that stay.
    summands = (*_resized(after, letter, sizes, others), *_multiplied(before, after))
    formula = " ".join(summand.formula() for summand in summands)
    kind, name = _what_changes(here, there, letter)
    return BridgeStep(
        name=name,
        value=value,
        formula=formula,
        working=substituted(formula, sizes),
        kind=kind,
        summands=summands,
        sizes=sizes,
    )


def _what_changes(here: Question, there: Question, letter: str) -> tuple[str, str]:
    """The kind and the name of a step. A deviation comes first, because it may change a size as well."""
    for deviation in set(here.deviations) ^ set(there.deviations):
        return UNDONE if deviation in here.deviations else MADE, deviation
    return (SIZE, letter) if letter else (TYING, "")


def _total(items: Items, sizes: Mapping[str, int]) -> int:
    return sum(item.number(sizes) for item in items.values())


def _multiplied(before: Items, after: Items) -> Iterator[Summand]:
    """The terms for what is counted more or less often than before; items with the same factors share a term."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Polynomial]] = {}
    for path in dict.fromkeys([*before, *after]):
        item = after.get(path) or before[path]
        factors = tuple(side[path].factors if path in side else NONE for side in (before, after))
        if factors[0] != factors[1]:
            groups.setdefault((factors[0], factors[1]), []).append(item.letters)
    for (old, new), letters in groups.items():
        yield Summand(_factor(old, new), Polynomial.total(letters))


def _resized(items: Items, letter: str, sizes: Mapping[str, int], others: Mapping[str, int]) -> Iterator[Summand]:
    """The terms for a new size of `letter`: the difference of the sizes, or of their squares, times its cofactor."""
    if not letter:
        return
    groups: dict[tuple[str, ...], list[Polynomial]] = {}
    for item in items.values():
        for power in ("", "²"):
            cofactor = _cofactor(item.letters, letter, len(power) + 1)
            change = f"({others[letter]:,}{power} − {sizes[letter]:,}{power})"
            if item.factors != NONE and cofactor.terms:
                groups.setdefault((change, *item.factors), []).append(cofactor)
    for factors, letters in groups.items():
        yield Summand("+" + "".join(f"{factor}·" for factor in factors), Polynomial.total(letters))


def _cofactor(letters: Polynomial, letter: str, power: int) -> Polynomial:
    """The other factors of the terms in which `letter` has exactly this power."""
    return Polynomial(
        tuple(
            Term(term.coefficient, _without(term.letters, letter), _without(term.layers, letter))
            for term in letters.terms
            # (L − 1) counts like L here, since it grows by one with every layer, too.
            if term.factors.count(letter) + term.factors.count(BUT_FIRST.format(letter)) == power
        )
    )


def _without(letters: tuple[str, ...], letter: str) -> tuple[str, ...]:
    return tuple(other for other in letters if other not in (letter, BUT_FIRST.format(letter)))


def _factor(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """The factor, with its sign, of a polynomial that was counted `old` times and is now counted `new` times."""
    if "−1" in (*old, *new):  # something that is subtracted has the opposite sign
        return "+" if new == NONE else "−"
    if new == NONE:
        return "−" + "".join(f"{factor}·" for factor in old)
    if old == NONE:
        return "+" + "".join(f"{factor}·" for factor in new)
    return f"+({'·'.join(new) or '1'} − {'·'.join(old) or '1'})·"
