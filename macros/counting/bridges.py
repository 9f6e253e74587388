"""From one number to another in signed steps, each with its formula.

A bridge leads from what somebody counts to what somebody else counts: first
what was done otherwise is put right, then sizes change letter by letter, then
parts come and go, and last the end's own deviations are made. Every step is
one change, so the steps add up to the difference exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from .mistakes import Counted, load_mistakes, mistake_named, quotient
from .polynomials import Polynomial, Term
from .tensors import BLOCKS, ROWS, rows_of

ORDER = "VPSHFLC"
"""The letters in the order of reading; the number of heads follows the width, and changes no count."""

NONE = ("0",)
"""How often a tensor is counted that is not: the factors that multiply it."""


class Piece(NamedTuple):
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
        """Whether the polynomial is a sum, which needs a bracket after a factor."""
        groups = self.letters.groups()
        return len(groups) > 1 or (len(groups[0][1]) > 1 and not groups[0][0])


class Step(NamedTuple):
    """One change on the way: what it is, what it adds, and how that is worked out.

    `sizes` are the sizes before the step, with which its formula is worked out.
    `mistake` names the entry of the list that is undone or made, if it is one;
    `block` the part that comes or goes; `letter` the size that changes.
    """

    value: int
    pieces: tuple[Piece, ...]
    sizes: Mapping[str, int]
    mistake: str = ""
    undone: bool = False
    block: str = ""
    letter: str = ""

    @property
    def formula(self) -> str:
        """The step in letters, such as `+(H² + H)`."""
        return " ".join(piece.formula() for piece in self.pieces)


class _Item(NamedTuple):
    """A tensor, or one in every layer, as somebody counts it: the factors that multiply it, and its block."""

    factors: tuple[str, ...]
    letters: Polynomial
    block: str = ""

    def number(self, sizes: Mapping[str, int]) -> int:
        """What it counts with these sizes."""
        number, below = self.letters.value(sizes), 1
        for above, under in (quotient(each, sizes) for each in self.factors):
            number, below = number * above, below * under
        return number // below


def bridge(start: Counted, end: Counted) -> tuple[Step, ...]:
    """The steps from what `start` counts to what `end` counts.

    Steps that change nothing are left out; the others add up to
    `end.number - start.number`.

    Raises:
        UnknownMistake, BadChoice: as for `Counted`.

    >>> from .models import model_named
    >>> base = model_named("bert-base-uncased")
    >>> [step.formula for step in bridge(Counted(base, mistakes=("pooler-left-out",)), Counted(base))]
    ['+(H² + H)']
    """
    start, end = _spelt_out(start), _spelt_out(end)
    kept = {name for name in start.mistakes if name in end.mistakes and not _moves(name, start.sizes, end.sizes)}
    states = [start]
    for name in sorted(set(start.mistakes) - kept, key=_place):
        here = states[-1]
        states.append(here._replace(mistakes=tuple(each for each in here.mistakes if each != name)))
    states += _resizing(states[-1], end)
    states.append(states[-1]._replace(model_class=end.model_class))
    # Sizes first: a factor such as P/H must not change once it is there.
    for name in sorted(set(end.mistakes) - kept, key=lambda name: (not mistake_named(name).resized, _place(name))):
        states.append(states[-1]._replace(mistakes=(*states[-1].mistakes, name)))
    steps = [step for here, there in pairwise(states) for step in _steps(here, there)]
    return tuple(step for step in steps if step.value)


def _moves(name: str, start: Mapping[str, int], end: Mapping[str, int]) -> bool:
    """Whether what a mistake multiplies by, takes as a size or counts instead is another with these sizes."""
    mistake = mistake_named(name)
    letters = mistake.factor + mistake.resized.partition(" = ")[2] + mistake.instead
    return any(start[each] != end[each] for each in start if each in letters)


def _place(name: str) -> tuple[int, int]:
    """Where a mistake comes in the order of reading: at the first row it touches, or else at the end."""
    touched = [place for place, row in enumerate(ROWS) if mistake_named(name).touches(row)]
    return min(touched, default=len(ROWS)), list(load_mistakes()).index(name)


def _spelt_out(counted: Counted) -> Counted:
    """A short formula for the whole as the mistakes it amounts to, where it does."""
    names = [name for each in counted.made for name in (each.same_as or (each.name,))]
    names = [name for name in names if mistake_named(name).made_in(counted.model_class)]
    longer = counted._replace(mistakes=tuple(names))
    return longer if longer.number == counted.number else counted


def _resizing(here: Counted, end: Counted) -> Iterator[Counted]:
    """The states on the way to the sizes of the end, one letter after the other."""
    for letter in ORDER:
        if here.model.sizes[letter] != end.model.sizes[letter]:
            size = {letter: end.model.sizes[letter]} | ({"A": end.model.sizes["A"]} if letter == "H" else {})
            here = here._replace(model=here.model.resized(**size))
            yield here
    yield here._replace(model=end.model)


def _steps(here: Counted, there: Counted) -> Iterator[Step]:
    """The steps from one state to the next: one, or where the class changes one for each block."""
    before, after = _items(here), _items(there)
    if here.model_class == there.model_class:
        yield _step(before, after, here, there)
        return
    for block in BLOCKS:
        old, new = ({key: each for key, each in side.items() if each.block == block} for side in (before, after))
        yield _step(old, new, here, there)._replace(block=block)


def _step(before: Mapping[str, _Item], after: Mapping[str, _Item], here: Counted, there: Counted) -> Step:
    sizes, others = here.sizes, there.sizes
    value = sum(each.number(others) for each in after.values()) - sum(each.number(sizes) for each in before.values())
    letter = next((each for each in ORDER if sizes[each] != others[each]), "")
    pieces = _resized(after, letter, sizes, others) if letter else _multiplied(before, after)
    mistake = (set(here.mistakes) ^ set(there.mistakes) or {""}).pop()
    return Step(value, tuple(pieces), sizes, mistake, mistake in here.mistakes, "", letter)


def _items(counted: Counted) -> dict[str, _Item]:
    """What is counted, by path: the rows of the class, and what is added to them."""
    made, found = counted.made, {}
    for row in rows_of(counted.model_class, None, counted.model.cross_attention):
        touching = [each for each in made if each.touches(row)]
        tied = row.tied_to and counted.model.tied and not any(each.unties for each in touching)
        factors = NONE if tied else tuple(each.factor for each in touching if each.factor != "1")
        found[row.path] = _Item(NONE if "0" in factors else factors, row.size, row.block)
    if any(each.instead for each in made):
        found = {path: item._replace(factors=NONE) for path, item in found.items()}
    for each in made:
        for place, (sign, shape) in enumerate(each.shapes()):
            item = _Item(() if sign > 0 else ("−1",), Polynomial.of_shape(shape))
            found[f"{each.name} {place}"] = item
    return found


def _multiplied(before: Mapping[str, _Item], after: Mapping[str, _Item]) -> Iterator[Piece]:
    """Terms for what is counted more or less often, those of the same factors together."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Polynomial]] = {}
    for key in dict.fromkeys([*before, *after]):
        item = after.get(key) or before[key]
        factors = tuple(side[key].factors if key in side else NONE for side in (before, after))
        if factors[0] != factors[1]:
            alike.setdefault((factors[0], factors[1]), []).append(item.letters)
    for (old, new), letters in alike.items():
        yield Piece(_factor(old, new), Polynomial.total(letters))


def _resized(
    items: Mapping[str, _Item], letter: str, sizes: Mapping[str, int], others: Mapping[str, int]
) -> Iterator[Piece]:
    """Terms for another size of one letter: the difference times what stands beside the letter."""
    alike: dict[tuple[str, ...], list[Polynomial]] = {}
    for item in items.values():
        for power in ("", "²"):
            beside = _beside(item.letters, letter, len(power) + 1)
            change = f"({others[letter]:,}{power} − {sizes[letter]:,}{power})"
            if item.factors != NONE and (beside.terms or beside.per_layer):
                alike.setdefault((change, *item.factors), []).append(beside)
    for factors, letters in alike.items():
        yield Piece("+" + "".join(f"{each}·" for each in factors), Polynomial.total(letters))


def _beside(letters: Polynomial, letter: str, power: int) -> Polynomial:
    """What stands beside a power of `letter` in the terms that have just this power of it."""
    if letter == "L":
        return Polynomial(letters.per_layer if power == 1 else ())
    once, repeated = (
        tuple(
            Term(each.coefficient, tuple(other for other in each.letters if other != letter))
            for each in terms
            if each.letters.count(letter) == power
        )
        for terms in letters
    )
    return Polynomial(once, repeated)


def _factor(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """What a polynomial is multiplied by where it was counted `old` times and is now `new` times."""
    if "−1" in (*old, *new):  # what is taken away is written with the other sign
        return "+" if new == NONE else "−"
    if new == NONE:
        return "−" + "".join(f"{each}·" for each in old)
    if old == NONE:
        return "+" + "".join(f"{each}·" for each in new)
    return f"+({'·'.join(new) or '1'} − {'·'.join(old) or '1'})·"
