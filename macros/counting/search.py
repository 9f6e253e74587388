"""Every total that some mistakes lead to, for all models and classes, found again by number.

A set of mistakes changes a total by the sum of what each does alone, plus a
correction for every two, and every three, that touch the same row. So the
corrections are worked out once, and trying a set is an addition.

The page where readers type a number does the same in JavaScript, from the
same table and list; a test compares the two.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .mistakes import Mistake, load_mistakes
from .models import Model, load_models
from .tensors import MODEL_CLASSES, rows_of

MOST = 3
"""How many mistakes are made together at most."""

PLACES = 12
"""Bits that hold the place of a space."""


class Found(NamedTuple):
    """A number that one gets: from which models and classes alike, with which mistakes."""

    number: int
    models: tuple[str, ...]
    classes: tuple[str, ...]
    mistakes: tuple[str, ...]


class Space(NamedTuple):
    """The totals of one model in one class.

    Attributes:
        models, classes: the names of all that have the same tensors.
        total: the right number.
        mistakes: what can be made here and changes the total.
        alone: what each of them changes.
        together: for two of them, by place, what they change besides; None
            where one makes no difference beside the other, they cancel out,
            or they exclude each other.
        all_three: the same for three that touch one row.
    """

    models: tuple[str, ...]
    classes: tuple[str, ...]
    total: int
    mistakes: tuple[Mistake, ...]
    alone: tuple[int, ...]
    together: Mapping[tuple[int, int], int | None]
    all_three: Mapping[tuple[int, int, int], int | None]

    def sets(self, most: int = MOST) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every total with the places of the mistakes that lead to it, the right one first."""
        yield self.total, ()
        for place, change in enumerate(self.alone if most else ()):
            yield self.total + change, (place,)
        for first, second in self._pairs() if most > 1 else ():
            two = self.alone[first] + self.alone[second] + (self.together[first, second] or 0)
            yield self.total + two, (first, second)
            if most > 2:
                yield from self._triples(first, second, self.total + two)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return (pair for pair, correction in self.together.items() if correction is not None)

    def _triples(self, first: int, second: int, total: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
        for third in range(second + 1, len(self.alone)):
            one, other = self.together[first, third], self.together[second, third]
            more = self.all_three.get((first, second, third), 0)
            if one is not None and other is not None and more is not None:
                yield total + self.alone[third] + one + other + more, (first, second, third)

    def found(self, number: int, places: tuple[int, ...]) -> Found:
        """A number with names for places."""
        return Found(number, self.models, self.classes, tuple(self.mistakes[place].name for place in places))


def search(low: int, high: int, most: int = MOST) -> Iterator[Found]:
    """Everything that leads to a number from `low` to `high`, with at most so many mistakes."""
    listed = spaces() if most < MOST else _that_reach(low, high)
    for space in listed:
        for number, places in space.sets(most):
            if low <= number <= high:
                yield space.found(number, places)


def _that_reach(low: int, high: int) -> list[Space]:
    """The spaces in which some total lies between two numbers."""
    packed = _all_totals()
    first, last = bisect_left(packed, low << PLACES), bisect_left(packed, (high + 1) << PLACES)
    places = {each & ((1 << PLACES) - 1) for each in packed[first:last]}
    return [spaces()[place] for place in sorted(places)]


@lru_cache(maxsize=1)
def _all_totals() -> array[int]:
    """Every total in order, packed into one integer with the place of its space; nobody has none, or less."""
    totals = ((number, place) for place, space in enumerate(spaces()) for number, _ in space.sets())
    return array("q", sorted({number << PLACES | place for number, place in totals if number > 0}))


@lru_cache(maxsize=1)
def spaces() -> tuple[Space, ...]:
    """The totals of all published models, those of the same sizes together."""
    alike: dict[tuple[int, ...], list[Model]] = {}
    for model in load_models().values():
        alike.setdefault(tuple(model.sizes.values()), []).append(model)
    return tuple(_space(models, classes) for models in alike.values() for classes in _classes())


@lru_cache(maxsize=1)
def _classes() -> tuple[tuple[str, ...], ...]:
    """The model classes, those with rows of the same shapes and the same mistakes together."""
    alike: dict[object, list[str]] = {}
    for name in MODEL_CLASSES:
        made = [each.name for each in load_mistakes().values() if each.made_in(name)]
        shapes = sorted(row.shape for row in rows_of(name))
        alike.setdefault((tuple(shapes), tuple(made)), []).append(name)
    return tuple(tuple(names) for names in alike.values())


def _space(models: list[Model], classes: tuple[str, ...]) -> Space:
    totals = _Totals(models[0], classes[0])
    made = tuple(each for each in totals.marks if totals.change(each))
    marks = [totals.marks[each] for each in made]
    alone = tuple(totals.change(each) or 0 for each in made)
    together: dict[tuple[int, int], int | None] = {}
    for one, two in combinations(range(len(made)), 2):
        both = alone[one] + alone[two]
        change = totals.change(made[one], made[two]) if marks[one] & marks[two] else both
        needless = change is None or change in (0, alone[one], alone[two])
        together[one, two] = None if needless or change is None else change - both
    all_three: dict[tuple[int, int, int], int | None] = {}
    for one, two, three in combinations(range(len(made)), 3):
        pairs = (together[one, two], together[one, three], together[two, three])
        if marks[one] & marks[two] & marks[three] and None not in pairs:
            change = totals.change(made[one], made[two], made[three])
            known = alone[one] + alone[two] + alone[three] + sum(pair or 0 for pair in pairs)
            all_three[one, two, three] = None if change is None else change - known
    return Space(tuple(model.name for model in models), classes, totals.right, made, alone, together, all_three)


class _Totals:
    """The total of one model in one class, quick to count again with mistakes.

    `marks` holds, for each mistake that can be made, the set of the rows it
    changes, as bits; two without a bit in common do not meet. A letter that
    is given another size stands for the rows of that letter, and so does a
    letter in a factor or in what is added.
    """

    def __init__(self, model: Model, model_class: str) -> None:
        self.model = model
        self.rows = rows_of(model_class)
        made = [each for each in load_mistakes().values() if each.made_in(model_class) and not each.instead]
        self.touched = {each: [place for place, row in enumerate(self.rows) if each.touches(row)] for each in made}
        self.marks = {each: self._marks(each) for each in made}
        self._known: dict[tuple[Mistake, ...], tuple[Mapping[str, int], list[int], list[int]]] = {}
        self.right = self._count() or 0

    def change(self, *made: Mistake) -> int | None:
        """What these change together; None where they exclude each other or a share is not whole."""
        total = self._count(*made)
        return None if total is None else total - self.right

    def _marks(self, mistake: Mistake) -> int:
        places = set(self.touched[mistake])
        letter = mistake.resized[:1]
        if letter:
            places |= {place for place, row in enumerate(self.rows) if letter in row.shape.split()}
            for other, touched in self.touched.items():
                places |= set(touched) if letter in other.factor else set()
        letters = {letter} if letter else {each for _, shape in mistake.shapes() for each in shape.split()}
        added = [len(self.rows) + place for place, each in enumerate(self.model.sizes) if each in letters]
        return sum(1 << place for place in [*places, *added])

    def _count(self, *made: Mistake) -> int | None:
        resized = tuple(each for each in made if each.resized)
        if len({each.resized[0] for each in resized}) < len(resized):
            return None
        sizes, free, tied = self._sized(resized)
        values, shares = list(tied), []
        for each in made:
            if each.unties:
                for place in self.touched[each]:
                    values[place] = free[place]
        for each in made:
            above, under = each.quotient(sizes) if each.factor != "1" else (1, 1)
            for place in self.touched[each] if above != 1 else ():
                values[place] *= above
            shares += [(place, under) for place in self.touched[each]] if under != 1 else []
        for place, under in shares:
            if values[place] % under:
                return None
            values[place] //= under
        return sum(values) + sum(each.added(sizes) for each in made if each.adds)

    def _sized(self, resized: tuple[Mistake, ...]) -> tuple[Mapping[str, int], list[int], list[int]]:
        """The sizes, and the size of every row as if nothing were tied and as it is."""
        if resized not in self._known:
            model = self.model
            for each in resized:
                model = each.sizes(model)
            free = [row.size.value(model.sizes) for row in self.rows]
            tied = [0 if row.tied_to and model.tied else size for row, size in zip(self.rows, free, strict=True)]
            self._known[resized] = model.sizes, free, tied
        return self._known[resized]
