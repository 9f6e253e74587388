"""The space of known numbers: every total that somebody is believed to get, and the ways that lead to it.

A way is a model, a class and a set of deviations. Each has a cost in
`data/search.toml`, and limits there say how much a way may cost; the head of
this package explains how a cost becomes "likely".

People slip once in a block, or write it in one of a few short forms: the
embeddings without their LayerNorm, a layer as 12 H². So a way has at most one
form per block. A form is a deviation, or several that `data/search.toml` says go
together. Forms that exclude each other make no way, and neither do forms of which
one changes nothing: the shorter set stands for that number.

Models of equal sizes share a space, and so do classes whose rows no deviation
tells apart, because whatever is counted of one holds for all.

A total is linear in most sizes. For models of which people take another size, a
space therefore also has slopes: what one more of a size adds to a total.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
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
"""The letters for which a model may be given another size."""

TOGETHER = " + "
"""Separates the deviations of a form."""

Item = TypeVar("Item")


class Way(NamedTuple):
    """A way to a number: any of these models, in any of these classes, with all of these deviations."""

    number: int
    models: Names
    classes: Names
    deviations: Names
    cost: int


class Space(NamedTuple):
    """All known totals of models of equal sizes, in classes that count alike.

    Attributes:
        models, classes: by name, the likeliest first; everything here holds for each of them.
        cost: the cost of the right total.
        deviating: the cost of any total with deviations, before those of its forms.
        forms: the cost of each form that fits, the cheapest first; a form is its deviations joined by `TOGETHER`.
        numbers: the total for every set of forms in which each form changes something; the empty set has the right
            one. Totals below one are kept, because a further form may lead from them to a number above zero.
        slopes: by letter, what one more of a size adds to these totals. The likeliest models have slopes for their
            right total and for totals with common deviations; other models only for the number of labels, because
            people train heads on them and leave the rest as it is.
    """

    models: Names
    classes: Names
    cost: int
    deviating: int
    forms: Mapping[str, int]
    numbers: Mapping[Names, int]
    slopes: Mapping[str, Mapping[Names, int]] = {}

    @property
    def ways(self) -> Iterator[Way]:
        """Every way to a number above zero."""
        for forms, number in self.numbers.items():
            if number > 0:
                yield Way(number, self.models, self.classes, deviations_of(forms), self.cost_of(forms))

    def cost_of(self, forms: Names) -> int:
        """The cost of the total with these forms."""
        return self.deviating + cost_together([self.forms[form] for form in forms]) if forms else self.cost


def cost_together(costs: Collection[int]) -> int:
    """The cost of several forms. From the third on each costs one less: people who slip twice slip again."""
    return sum(costs) - max(len(costs) - 2, 0)


def deviations_of(forms: Names) -> Names:
    """The deviations that forms consist of."""
    return tuple(name for form in forms for name in form.split(TOGETHER))


class Search(NamedTuple):
    """The costs of ways and the limits of the search, as `data/search.toml` has them for totals."""

    costs: Mapping[str, Any]
    limits: Mapping[str, int]
    together: Mapping[str, int]

    def of_model(self, model: Model) -> int:
        """The cost of a model: its own if it has one, or else that of its group."""
        of_group = self.costs[RELATIVE] if model.group == RELATIVE else load_groups()[model.group].cost
        return int(self.costs["models"].get(model.name, of_group))

    def of_other(self, name: str) -> int:
        """The cost of a model of which only totals are known, by its name."""
        return int(self.costs["models"].get(name, self.costs["ways"]["other"]))

    def of_class(self, name: str, architecture: Architecture) -> int:
        """The cost of a class; one of another architecture costs as much as its counterpart in BERT."""
        first = next(iter(ARCHITECTURES.values()))
        counterpart = _prefix(first) + name.removeprefix(_prefix(architecture))
        costs: Mapping[str, int] = self.costs["classes"]
        return costs.get(counterpart, costs["other"])


def cost_of(deviation: Deviation) -> int:
    """The cost of a deviation: one more than its `usual`, since even common mistakes are rarer than none."""
    return deviation.usual + 1


def _prefix(architecture: Architecture) -> str:
    """The start of an architecture's class names, such as `Bert`."""
    return architecture.classes[0].name.removesuffix("Model")


@cache
def search_rules() -> Mapping[str, Any]:
    """The content of `data/search.toml`, by block."""
    return blocks_of(DATA / "search.toml")


@cache
def load_search() -> Search:
    """The costs and limits of the search."""
    blocks = search_rules()
    return Search(blocks["costs"], blocks["limits"], blocks["together"])


def spaces(models: Iterable[Model] = (), search: Search | None = None) -> Iterator[Space]:
    """The spaces of known numbers, in the order of the files that their models are in.

    Args:
        models: the models to count; all if none are given.
        search: costs and limits to use instead of those of the file.
    """
    rules = search or load_search()
    all_models = list(models) or [*load_models().values(), *load_relatives().values()]
    for models_alike in _grouped(all_models, lambda model: (model.architecture.model_type, *model.sizes.values())):
        alike = sorted(models_alike, key=rules.of_model)
        likeliest = rules.of_model(alike[0])
        # For a relative, few people count anything but the right total.
        more = rules.costs["ways"]["relative-and-more"] if all(model.group == RELATIVE for model in alike) else 0
        budget = rules.limits["possible"] - likeliest - more
        for classes in classes_alike(alike[0].architecture, alike[0].architecture.equal_in(alike[0].sizes), budget):
            cost = likeliest + min(rules.of_class(name, alike[0].architecture) for name in classes.names)
            space = _space(alike, classes, cost, cost + more, rules)
            yield space._replace(slopes=_slopes(space, likeliest, alike[0], classes.deviations, rules))


def _slopes(
    space: Space, cost: int, model: Model, fitting: Iterable[Deviation], rules: Search
) -> dict[str, dict[Names, int]]:
    """The slopes of a space: what one more of each size adds to its totals, if that is whole and not zero.

    Args:
        space: the space, which has no slopes yet.
        cost: the cost of its models.
        model: one of its models.
        fitting: the deviations of its classes.
        rules: the costs and limits of the search.
    """
    is_likely = cost <= 1 and model.group != RELATIVE
    open_classes = [name for name in space.classes if model.architecture.class_named(name).labels is None]
    has_trained_heads = open_classes and cost <= rules.costs[RELATIVE]
    letters = [each for each in RESIZED if each in model.sizes] if is_likely else ["C"] if has_trained_heads else []
    common = {each.name for each in fitting if each.usual == 1 and not each.resized} if is_likely else set()
    size = rules.costs["ways"]["size"]
    totals = {
        forms: number
        for forms, number in space.numbers.items()
        if common.issuperset(forms)
        and number > 0
        and space.cost_of(forms) + size + (rules.costs["ways"]["size-and-more"] if forms else 0)
        <= rules.limits["possible"]
    }
    slopes: dict[str, dict[Names, int]] = {}
    for letter in letters if totals else ():
        larger = model.resized(**{letter: model.sizes[letter] + 1})
        for forms, number in totals.items():
            with suppress(BadChoice):  # a share is not whole, or the class has a fixed number of labels
                if slope := Question(larger, (*open_classes, *space.classes)[0], deviations=forms).number - number:
                    slopes.setdefault(letter, {})[forms] = slope
    return slopes


def _space(models: list[Model], classes: ClassesAlike, cost: int, deviating: int, rules: Search) -> Space:
    """The space of models of equal sizes in classes that count alike, without slopes."""
    budget = rules.limits["possible"] - deviating
    fitting = {deviation.name: deviation for deviation in classes.deviations}
    costs = {name: cost_of(deviation) for name, deviation in fitting.items()}
    costs |= {form: cost for form, cost in rules.together.items() if fitting.keys() >= set(form.split(TOGETHER))}
    forms = {form: cost for form, cost in sorted(costs.items(), key=lambda pair: pair[1]) if cost <= budget}
    blocks_of_form = {
        form: frozenset().union(*(altered_by(fitting[name]) for name in form.split(TOGETHER))) for form in forms
    }

    def number(names: Names) -> int | None:
        blocks = [block for form in names for block in blocks_of_form[form]]
        if len(blocks) > len(set(blocks)):
            return None
        try:
            return Question(models[0], classes.names[0], deviations=deviations_of(names)).number
        except BadChoice:  # they exclude each other, or a share is not whole
            return None

    return Space(
        tuple(model.name for model in models),
        classes.names,
        cost,
        deviating,
        forms,
        sets_within(forms, budget, number),
    )


@cache
def altered_by(deviation: Deviation) -> frozenset[str]:
    """The blocks that a deviation miscounts in part. A block it leaves out whole is not included.

    To leave out a block whole excludes no other form: one that concerns only this block then changes nothing, and is
    dropped because of that.
    """
    rows = [row for architecture in ARCHITECTURES.values() for row in architecture.rows]
    touched = {row.block for row in rows if deviation.touches(row)}
    untouched = {row.block for row in rows if not deviation.touches(row)}
    return frozenset(touched & untouched if deviation.factor == "0" else touched)


def sets_within(costs: Mapping[str, int], budget: int, number: Callable[[Names], int | None]) -> dict[Names, int]:
    """The number of every set of names within a budget in which each name makes a difference, shorter sets first.

    A set makes a difference if its number is that of none of its subsets, and if all of them make one, too.

    Args:
        costs: the cost of each name, the cheapest first.
        budget: the largest cost of a set.
        number: the number of a set; None if its names exclude each other.
    """
    names = list(costs)
    following = {name: names[place:] for place, name in enumerate(names, 1)}
    right = number(())
    numbers: dict[Names, int] = {} if right is None else {(): right}
    longest = list(numbers)
    while longest:
        shorter, longest = longest, []
        for shorter_set in shorter:
            for name in following[shorter_set[-1]] if shorter_set else names:
                longer = (*shorter_set, name)
                # Names come by cost, so all that follow cost too much as well.
                if cost_together([costs[member] for member in longer]) > budget:
                    break
                # None stands for a subset that was refused; then the whole set is refused, too.
                of_subsets = [
                    numbers.get(subset) for length in range(len(longer)) for subset in combinations(longer, length)
                ]
                total = None if None in of_subsets else number(longer)
                if total is not None and total not in of_subsets:
                    numbers[longer] = total
                    longest.append(longer)
    return numbers


class ClassesAlike(NamedTuple):
    """Classes that no deviation tells apart, by name, and the deviations that fit them."""

    names: tuple[str, ...]
    deviations: tuple[Deviation, ...]


@cache
def classes_alike(architecture: Architecture, equal: tuple[str, ...], most: int) -> tuple[ClassesAlike, ...]:
    """All classes of an architecture, grouped by whether any deviation tells them apart.

    Args:
        architecture: the architecture.
        equal: its comparisons of sizes that do not hold; see `Architecture.equal_in`.
        most: the largest cost of a deviation.
    """
    affordable = [deviation for deviation in deviations() if cost_of(deviation) <= most]
    rows = {each.name: architecture.rows_of(each.name, equal=equal) for each in architecture.classes}
    fitting = {
        name: tuple(deviation for deviation in affordable if deviation.fits(of_class, architecture))
        for name, of_class in rows.items()
    }
    touching = cache(lambda row: tuple(deviation.name for deviation in affordable if deviation.touches(row)))

    def likeness(name: str) -> Hashable:
        alike = sorted((row.shape, row.repeated, bool(row.tied_to), touching(row)) for row in rows[name])
        return tuple(alike), fitting[name]

    return tuple(ClassesAlike(tuple(names), fitting[names[0]]) for names in _grouped(rows, likeness))


@cache
def deviations() -> tuple[Deviation, ...]:
    """The deviations that may be combined: those of the file, and any part left out.

    A formula that stands for the whole model cannot be combined, so it is not among them. A part whose rows a
    deviation of the file leaves out anyway has no deviation of its own.
    """
    rows = dict.fromkeys(row for architecture in ARCHITECTURES.values() for row in architecture.rows)

    def touched(deviation: Deviation) -> tuple[Row, ...]:
        return tuple(filter(deviation.touches, rows))

    of_file = [deviation for deviation in load_deviations().values() if not deviation.instead]
    known = {touched(deviation) for deviation in of_file if deviation.factor == "0"}
    left_out = (
        without(part.path, part.tag) for _, part in parts() if not part.share and not LAYER_NUMBER.search(part.path)
    )
    return (*of_file, *(deviation for deviation in left_out if touched(deviation) not in known))


def _grouped(items: Iterable[Item], key: Callable[[Item], Hashable]) -> list[list[Item]]:
    """Lists of the items that have one key, in the order of their first items."""
    groups: dict[Hashable, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())
