"""The space of known numbers: every total that somebody is believed to get, and the ways that lead to it.

A way is a model, a class and a set of deviations. What speaks against each is
a cost in `data/search.toml`, and limits there say how much a way may cost, and
how many deviations it may have. A deviation that makes no difference beside
the others is needless, so a way has none; nor do its deviations exclude each
other.

Models of equal sizes stand together, and so do classes whose rows no deviation
tells apart: what one of them counts, all do.

A total is linear in most sizes, so beside those of models that people take
another size of stands what one more of it adds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from ..architecture import Architecture, Row
from ..architectures import ARCHITECTURES
from ..blocks import DATA, blocks_of
from ..deviations import Deviation, load_deviations, without
from ..errors import BadChoice
from ..models import RELATIVE, Model, load_groups, load_models, load_relatives
from ..question import LAYER_NUMBER, Question
from .parts import parts

Names = tuple[str, ...]

RESIZED = ("L", "V", "P", "S", "F", "C")
"""The letters that a model may have another size of."""

Item = TypeVar("Item")


class Way(NamedTuple):
    """How somebody gets a number: any of these models in any of these classes, with all of these deviations."""

    number: int
    models: Names
    classes: Names
    deviations: Names
    cost: int


class Space(NamedTuple):
    """All known totals of models of equal sizes in classes that count alike.

    Attributes:
        models, classes: by name; whatever is said here holds for each of them.
        cost: what speaks against the right total.
        deviating: what speaks against a total with any deviations, besides these.
        deviations: what each that fits and is tried costs, the cheapest first.
        numbers: the total with every set of deviations that needs all of them, in their order; the empty set has the
            right one. A total below one is there too, since more deviations may lead on to one that somebody believes.
        slopes: what one more of a size adds to totals, by its letter. Of models that people most likely mean, to the
            right one and those with what many do; of other models people train heads, and leave the rest as it is.
    """

    models: Names
    classes: Names
    cost: int
    deviating: int
    deviations: Mapping[str, int]
    numbers: Mapping[Names, int]
    slopes: Mapping[str, Mapping[Names, int]] = {}

    @property
    def ways(self) -> Iterator[Way]:
        """Every way to a number above zero."""
        for made, number in self.numbers.items():
            if number > 0:
                cost = self.deviating + sum(self.deviations[name] for name in made) if made else self.cost
                yield Way(number, self.models, self.classes, made, cost)


class Search(NamedTuple):
    """What ways cost, and how far to look for them: what `data/search.toml` says of totals."""

    costs: Mapping[str, Any]
    limits: Mapping[str, int]

    def of_model(self, model: Model) -> int:
        """What speaks against a model."""
        return int(self.costs[RELATIVE]) if model.group == RELATIVE else load_groups()[model.group].cost

    def of_class(self, name: str, architecture: Architecture) -> int:
        """What speaks against a class: as much as against the class of the first architecture that it is like."""
        first = next(iter(ARCHITECTURES.values()))
        like = _prefix(first) + name.removeprefix(_prefix(architecture))
        costs: Mapping[str, int] = self.costs["classes"]
        return costs.get(like, costs["other"])


def cost_of(deviation: Deviation) -> int:
    """What speaks against a deviation."""
    return deviation.usual + 1


def _prefix(architecture: Architecture) -> str:
    """How the names of its classes begin."""
    return architecture.classes[0].name.removesuffix("Model")


@cache
def load_search() -> Search:
    """The costs and limits of the search."""
    found = blocks_of(DATA / "search.toml")
    return Search(found["costs"], found["limits"])


def spaces(models: Iterable[Model] = (), search: Search | None = None) -> Iterator[Space]:
    """The space of known numbers, the models in the order of their files.

    Args:
        models: those that are counted, all if none are given.
        search: costs and limits other than those of the file.
    """
    rules = search or load_search()
    everyone = list(models) or [*load_models().values(), *load_relatives().values()]
    for alike in _grouped(everyone, lambda each: (each.architecture.model_type, *each.sizes.values())):
        likeliest = min(map(rules.of_model, alike))
        # Of a relative few people count anything but the right total.
        strange = rules.costs["ways"]["relative-and-more"] if all(each.group == RELATIVE for each in alike) else 0
        left = rules.limits["possible"] - likeliest - strange
        for classes in classes_alike(alike[0].architecture, alike[0].architecture.equal_in(alike[0].sizes), left):
            cost = likeliest + min(rules.of_class(name, alike[0].architecture) for name in classes.names)
            space = _space(alike, classes, cost, cost + strange, rules.limits)
            yield space._replace(slopes=_slopes(space, likeliest, alike[0], classes.deviations, rules))


def _slopes(
    space: Space, cost: int, model: Model, fitting: Iterable[Deviation], rules: Search
) -> dict[str, dict[Names, int]]:
    """What one more of a size adds, where that is anything whole.

    Args:
        space: whose totals they are.
        cost: what speaks against its models.
        model: one of them.
        fitting: the deviations of its classes.
        rules: what other sizes cost.
    """
    likely = cost <= 1
    open_classes = [name for name in space.classes if model.architecture.class_named(name).labels is None]
    trained = open_classes and cost <= rules.costs[RELATIVE]
    letters = [each for each in RESIZED if each in model.sizes] if likely else ["C"] if trained else []
    usual = {each.name for each in fitting if each.usual == 1 and not each.resized} if likely else set()
    size = rules.costs["ways"]["size"]
    chosen = {
        way.deviations: way.number
        for way in space.ways
        if usual.issuperset(way.deviations)
        and way.cost + size + (rules.costs["ways"]["size-and-more"] if way.deviations else 0)
        <= rules.limits["possible"]
    }
    found: dict[str, dict[Names, int]] = {}
    for letter in letters if chosen else ():
        larger = model.resized(**{letter: model.sizes[letter] + 1})
        for made, number in chosen.items():
            with suppress(BadChoice):  # a share is not whole, or no class may have more labels
                if slope := Question(larger, (*open_classes, *space.classes)[0], deviations=made).number - number:
                    found.setdefault(letter, {})[made] = slope
    return found


def _space(models: list[Model], classes: ClassesAlike, cost: int, deviating: int, limits: Mapping[str, int]) -> Space:
    budget = limits["possible"] - deviating
    fitting = sorted(classes.deviations, key=cost_of)
    tried = {each.name: cost_of(each) for each in fitting if cost_of(each) <= budget}

    def number(made: Names) -> int | None:
        try:
            return Question(models[0], classes.names[0], deviations=made).number
        except BadChoice:  # they exclude each other, or a share is not whole
            return None

    numbers = sets_within(tried, budget, limits["most_mistakes"], number)
    return Space(tuple(each.name for each in models), classes.names, cost, deviating, tried, numbers)


def sets_within(
    costs: Mapping[str, int], budget: int, most: int, number: Callable[[Names], int | None]
) -> dict[Names, int]:
    """What every set gives that costs no more than a budget and has nothing needless; the shorter sets come first.

    Args:
        costs: of each name, the cheapest first.
        budget: what a set may cost.
        most: how many names a set may have.
        number: what a set gives; None if its names exclude each other.
    """
    names = list(costs)
    following = {name: names[place:] for place, name in enumerate(names, 1)}
    right = number(())
    found: dict[Names, int] = {} if right is None else {(): right}
    longest = list(found)
    for size in range(most):
        shorter, longest = longest, []
        for made in shorter:
            left = budget - sum(costs[name] for name in made)
            for name in following[made[-1]] if made else names:
                if costs[name] > left:
                    break
                each = (*made, name)
                # None stands for a part that excludes itself or has something needless, as the whole then has.
                parts_of_it = [found.get(part) for length in range(size + 1) for part in combinations(each, length)]
                total = None if None in parts_of_it else number(each)
                if total is not None and total not in parts_of_it:
                    found[each] = total
                    longest.append(each)
    return found


class ClassesAlike(NamedTuple):
    """Classes of an architecture that no deviation tells apart, by name, and the deviations that fit them."""

    names: tuple[str, ...]
    deviations: tuple[Deviation, ...]


@cache
def classes_alike(architecture: Architecture, equal: tuple[str, ...], most: int) -> tuple[ClassesAlike, ...]:
    """All classes of an architecture.

    Args:
        architecture: whose classes they are.
        equal: the comparisons of its rows that do not hold.
        most: what a deviation may cost.
    """
    tried = [each for each in deviations() if cost_of(each) <= most]
    rows = {each.name: architecture.rows_of(each.name, equal=equal) for each in architecture.classes}
    fitting = {name: tuple(each for each in tried if each.fits(listed, architecture)) for name, listed in rows.items()}
    touching = cache(lambda row: tuple(each.name for each in tried if each.touches(row)))

    def likeness(name: str) -> Hashable:
        alike = sorted((row.shape, row.repeated, bool(row.tied_to), touching(row)) for row in rows[name])
        return tuple(alike), fitting[name]

    return tuple(ClassesAlike(tuple(names), fitting[names[0]]) for names in _grouped(rows, likeness))


@cache
def deviations() -> tuple[Deviation, ...]:
    """Whatever may be made together: all that count something else in the model, and any part left out."""
    rows = dict.fromkeys(row for each in ARCHITECTURES.values() for row in each.rows)

    def touched(each: Deviation) -> tuple[Row, ...]:
        return tuple(filter(each.touches, rows))

    listed = [each for each in load_deviations().values() if not each.instead]
    known = {touched(each) for each in listed if each.factor == "0"}
    left_out = (
        without(part.path, part.tag) for _, part in parts() if not part.share and not LAYER_NUMBER.search(part.path)
    )
    return (*listed, *(each for each in left_out if touched(each) not in known))


def _grouped(items: Iterable[Item], key: Callable[[Item], Hashable]) -> list[list[Item]]:
    """Items of one key together, in the order of the first of each."""
    found: dict[Hashable, list[Item]] = {}
    for each in items:
        found.setdefault(key(each), []).append(each)
    return list(found.values())
