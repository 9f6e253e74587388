"""From one number to another in signed steps, each with its formula.

A bridge leads from one question's number to another's: first the
deviations of the start are undone, then sizes change letter by letter, then
parts are added or dropped, and last the deviations of the end are made. Every
step is one change, so the steps add up to the difference exactly.
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
"""What changes in a step: a deviation is undone or made, a size is another, a part comes or goes, or the decoder's
weights are tied or untied."""


class Summand(NamedTuple):
    """One term of a step: what multiplies a polynomial, and the polynomial.

    `factor` is as written before the polynomial: `"−"`, `"+"` or a bracket
    such as `"+(A − 1)·"`.
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
    """One step of a bridge, named by its deviation, letter or block; empty for the decoder's weights.

    Attributes:
        kind: one of `UNDONE`, `MADE`, `SIZE`, `BLOCK` and `TYING`.
        summands: the terms of its formula.
        sizes: the sizes before the step, with which the formula is worked out.
    """

    kind: str
    summands: tuple[Summand, ...]
    sizes: Mapping[str, int]


def bridge(start: Question, end: Question) -> tuple[BridgeStep, ...]:
    """The steps from the number of `start` to the number of `end`, two questions about one architecture.

    Steps that change nothing are left out; the others add up to
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
    kept = {name for name in shared if not _moves(name, start.sizes, end.sizes)}
    states = [start]
    for name in sorted(set(start.deviations) - kept, key=lambda name: _place(name, start)):
        here = states[-1]
        states.append(here._replace(deviations=tuple(each for each in here.deviations if each != name)))
    states += _resizing(states[-1], end)
    states.append(states[-1]._replace(model_class=end.model_class, choices=end.choices))
    # Sizes first: a factor such as P/H must not change once it is there.
    for name in sorted(set(end.deviations) - kept, key=lambda name: (not _resizes(name), _place(name, end))):
        states.append(states[-1]._replace(deviations=(*states[-1].deviations, name)))
    steps = (step for here, there in pairwise(states) for step in _steps(here, there))
    return walk(start.number, steps, end.number)


def order_of(question: Question) -> str:
    """The letters in the order of reading; the number of heads follows the width where it sizes nothing."""
    architecture = question.architecture
    heads = {"A"} - architecture.letters_in(architecture.rows)
    return "".join(each.letter for each in architecture.symbols if each.letter not in heads)


def _resizes(name: str) -> bool:
    return bool(deviation_named(name).resized)


def _moves(name: str, start: Mapping[str, int], end: Mapping[str, int]) -> bool:
    """Whether what a deviation multiplies by, takes as a size or counts instead changes with these sizes."""
    deviation = deviation_named(name)
    letters = deviation.factor + deviation.resized.partition(" = ")[2] + deviation.instead
    return any(start[each] != end[each] for each in start if each in letters)


def _place(name: str, question: Question) -> tuple[int, int]:
    """Where a deviation comes in the order of reading: at the first row it touches, or else at the end."""
    rows = question.architecture.rows
    touched = [place for place, row in enumerate(rows) if deviation_named(name).touches(row)]
    return min(touched, default=len(rows)), list(load_deviations()).index(name)


def _spelt_out(question: Question) -> Question:
    """A short formula for the whole as the deviations it amounts to, where it does."""
    rows = question.at().rows
    names = [name for each in question.deviation_values for name in (each.same_as or (each.name,))]
    names = [name for name in names if deviation_named(name).fits(rows, question.architecture)]
    longer = question._replace(deviations=tuple(names))
    return longer if longer.number == question.number else question


def _resizing(here: Question, end: Question) -> Iterator[Question]:
    """The states on the way to the sizes of the end, one letter after the other."""
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
    """The steps from one state to the next: one, or where the class changes one for each block."""
    before, after = ({item.path: item for item in side.items} for side in (here, there))
    if here.chosen == there.chosen:
        yield _step(before, after, here, there)
        return
    for block in here.architecture.blocks:
        old, new = ({key: each for key, each in side.items() if each.block == block} for side in (before, after))
        yield replace(_step(old, new, here, there), kind=BLOCK, name=block)


def _step(before: Items, after: Items, here: Question, there: Question) -> BridgeStep:
    sizes, others = here.sizes, there.sizes
    value = _total(after, others) - _total(before, sizes)
    letter = next((each for each in order_of(here) if sizes[each] != others[each]), "")
    # Another size may bring rows or take them away, besides changing those that stay.
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
    """The kind and the name of a step; a deviation may bring another size along."""
    for deviation in set(here.deviations) ^ set(there.deviations):
        return UNDONE if deviation in here.deviations else MADE, deviation
    return (SIZE, letter) if letter else (TYING, "")


def _total(items: Items, sizes: Mapping[str, int]) -> int:
    return sum(item.number(sizes) for item in items.values())


def _multiplied(before: Items, after: Items) -> Iterator[Summand]:
    """Terms for what is counted more or less often, those of the same factors together."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Polynomial]] = {}
    for key in dict.fromkeys([*before, *after]):
        item = after.get(key) or before[key]
        factors = tuple(side[key].factors if key in side else NONE for side in (before, after))
        if factors[0] != factors[1]:
            alike.setdefault((factors[0], factors[1]), []).append(item.letters)
    for (old, new), letters in alike.items():
        yield Summand(_factor(old, new), Polynomial.total(letters))


def _resized(items: Items, letter: str, sizes: Mapping[str, int], others: Mapping[str, int]) -> Iterator[Summand]:
    """Terms for another size of one letter, if there is one: the difference times what stands beside the letter."""
    if not letter:
        return
    alike: dict[tuple[str, ...], list[Polynomial]] = {}
    for item in items.values():
        for power in ("", "²"):
            beside = _beside(item.letters, letter, len(power) + 1)
            change = f"({others[letter]:,}{power} − {sizes[letter]:,}{power})"
            if item.factors != NONE and beside.terms:
                alike.setdefault((change, *item.factors), []).append(beside)
    for factors, letters in alike.items():
        yield Summand("+" + "".join(f"{each}·" for each in factors), Polynomial.total(letters))


def _beside(letters: Polynomial, letter: str, power: int) -> Polynomial:
    """What stands beside a power of `letter` in the terms that have just this power of it."""
    return Polynomial(
        tuple(
            Term(each.coefficient, _without(each.letters, letter), _without(each.layers, letter))
            for each in letters.terms
            # Of all layers but the first there is one more with one layer more, too.
            if each.factors.count(letter) + each.factors.count(BUT_FIRST.format(letter)) == power
        )
    )


def _without(letters: tuple[str, ...], letter: str) -> tuple[str, ...]:
    return tuple(each for each in letters if each not in (letter, BUT_FIRST.format(letter)))


def _factor(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """What a polynomial is multiplied by where it was counted `old` times and is now `new` times."""
    if "−1" in (*old, *new):  # what is taken away is written with the other sign
        return "+" if new == NONE else "−"
    if new == NONE:
        return "−" + "".join(f"{each}·" for each in old)
    if old == NONE:
        return "+" + "".join(f"{each}·" for each in new)
    return f"+({'·'.join(new) or '1'} − {'·'.join(old) or '1'})·"
