"""Spaces of known numbers: totals that people may plausibly get, and the ways that lead to them.

A way is a model, a class and a set of deviations. Each of these has a cost, and
`data/search.toml` limits how much a way may cost; the docstring of this package
explains how costs decide whether a way is "likely".

The search assumes that people make at most one mistake in a block, such as replacing it
by a short formula, apart from the combinations that `data/search.toml` lists. So a way has
at most one *form* per block: a deviation, or one of these combinations. Forms that
exclude each other are not combined. Nor is a form that changes nothing combined with
others, because the smaller set already leads to that number.

Models of one architecture with equal sizes share a space, because their numbers are the
same. Classes also share a space if all deviations treat their rows alike.

A total is linear in most sizes. If people are likely to change a size of a model, its
space therefore also has slopes: the amounts by which a total grows if a size grows by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from ..architecture import Architecture, Row
from ..architectures import ARCHITECTURES
from ..architectures.bert import BERT
from ..blocks import DATA, blocks_of
from ..deviations import MOST_COMMON, Deviation, leaving_out, load_deviations
from ..errors import BadChoice
from ..models import MINIATURE, RELATIVE, Model, load_groups, load_models, load_relatives
from ..question import LAYER_NUMBER, Question
from .parts import parts

Names = tuple[str, ...]
"""Names of models, classes, deviations or forms."""

RESIZABLE_LETTERS = ("L", "V", "P", "S", "F", "C")
"""The letters whose sizes people may change."""

MAX_COST_OF_MINIATURE = 2
"""The maximum cost of the miniatures that have names of their own. People change their number of layers."""

FORM_SEPARATOR = " + "
"""The separator between the deviations of a form."""

AnyItem = TypeVar("AnyItem")


class Way(NamedTuple):
    """A way to a number: any of these models, in any of these classes, counted with all of these deviations."""

    number: int
    models: Names
    classes: Names
    deviations: Names
    cost: int


class Space(NamedTuple):
    """All known totals of models with equal sizes, in classes that deviations treat alike.

    Attributes:
        models, classes: their names, the likeliest first; the numbers hold for each of them.
        cost: the cost of the correct total.
        deviating_cost: the cost of a total with deviations, before that of its forms is added.
        forms: the cost of each form that fits, the cheapest first. The name of a form consists of the names of its
            deviations, joined by `FORM_SEPARATOR`.
        numbers: the total for every affordable set of forms in which each form changes something; the empty set has the
            correct total. Totals below one are kept, because one more form may lead from them to a number above zero.
        slopes: by letter and set of forms, the amount by which a total grows if the size grows by one. The likeliest
            models have slopes for their correct total and for totals with common deviations. Other models have
            slopes for the number of labels only, if any, because people train heads on them and keep the other sizes.
    """

    models: Names
    classes: Names
    cost: int
    deviating_cost: int
    forms: Mapping[str, int]
    numbers: Mapping[Names, int]
    slopes: Mapping[str, Mapping[Names, int]] = {}

    @property
    def is_of_relatives(self) -> bool:
        """Whether all its models are relatives, in which deviations cost more."""
        return self.deviating_cost > self.cost

    @property
    def ways(self) -> Iterator[Way]:
        """Every way to a number above zero."""
        for forms, number in self.numbers.items():
            if number > 0:
                yield Way(number, self.models, self.classes, deviations_of(forms), self.cost_of(forms))

    def cost_of(self, forms: Names) -> int:
        """The cost of the total with these forms."""
        return self.deviating_cost + cost_together([self.forms[form] for form in forms]) if forms else self.cost


def cost_together(costs: Collection[int]) -> int:
    """The combined cost of several forms. From the third on, each costs one less: people who slip twice slip again.

    Args:
        costs: the cost of each form by itself.
    """
    return sum(costs) - max(len(costs) - 2, 0)


def deviations_of(forms: Names) -> Names:
    """The names of all deviations in these forms."""
    return tuple(name for form in forms for name in form.split(FORM_SEPARATOR))


class SearchRules(NamedTuple):
    """The costs of ways and the limits of the search, as in `data/search.toml`.

    Attributes:
        costs: the blocks under `[costs]`.
        limits: the limits of the search, such as the largest cost of a way.
        together: the cost of each form that consists of several deviations.
        usual_classes: the classes of BERT that answers name before others of the same cost.
        usual_in_relatives: by name of a deviation, how much less it costs in a relative.
    """

    costs: Mapping[str, Any]
    limits: Mapping[str, int]
    together: Mapping[str, int]
    usual_classes: Sequence[str] = ()
    usual_in_relatives: Mapping[str, int] = {}

    def cost_of_deviation(self, deviation: Deviation, is_relative: bool) -> int:
        """The cost of a deviation in a BERT or in a relative."""
        return cost_of(deviation) - (self.usual_in_relatives.get(deviation.name, 0) if is_relative else 0)

    def cost_of_model(self, model: Model) -> int:
        """The cost of a model: its own, if the file gives one, or else the cost of its group."""
        group_cost = self.costs[RELATIVE] if model.group == RELATIVE else load_groups()[model.group].cost
        return int(self.costs["models"].get(model.name, group_cost))

    def cost_of_other(self, name: str) -> int:
        """The cost of a model that is known only by its totals, by its name."""
        return int(self.costs["models"].get(name, self.costs["ways"]["other"]))

    def cost_of_class(self, name: str, architecture: Architecture) -> int:
        """The cost of a class. A class of another architecture costs as much as its counterpart in BERT."""
        costs: Mapping[str, int] = self.costs["classes"]
        return costs.get(_counterpart(name, architecture), costs["other"])

    def rank_of_class(self, name: str, architecture: Architecture) -> tuple[int, int]:
        """A key that sorts classes by cost, and classes of the same cost in the order in which answers name them.

        Classes that are not listed under `usual_classes` come last.
        """
        counterpart = _counterpart(name, architecture)
        ordered_classes = [*self.usual_classes, counterpart]
        return self.cost_of_class(name, architecture), ordered_classes.index(counterpart)


def is_named_miniature(model: Model, rules: SearchRules) -> bool:
    """Whether a model is a miniature that has a name of its own, such as BERT-Tiny."""
    return model.group == MINIATURE and rules.cost_of_model(model) <= MAX_COST_OF_MINIATURE


def cost_of(deviation: Deviation) -> int:
    """The cost of a deviation: one more than its `rarity`, because even common mistakes are rarer than none."""
    return deviation.rarity + 1


def _counterpart(name: str, architecture: Architecture) -> str:
    """The class of BERT that a class of any architecture corresponds to."""
    return _prefix(BERT) + name.removeprefix(_prefix(architecture))


def _prefix(architecture: Architecture) -> str:
    """The start of an architecture's class names, such as `Bert`."""
    return architecture.classes[0].name.removesuffix("Model")


@cache
def search_data() -> Mapping[str, Any]:
    """The blocks of `data/search.toml`, by name."""
    return blocks_of(DATA / "search.toml")


@cache
def load_search_rules() -> SearchRules:
    """The costs and limits of the search."""
    blocks = search_data()
    return SearchRules(**{name: blocks[name] for name in SearchRules._fields})


def spaces() -> Iterator[Space]:
    """The spaces of known numbers of all published models, in the order in which the data files list the models."""
    rules = load_search_rules()
    all_models = [*load_models().values(), *load_relatives().values()]
    for group in _group_by(all_models, lambda model: (model.architecture.model_type, *model.sizes.values())):
        group.sort(key=rules.cost_of_model)
        model = group[0]  # the likeliest; the others have the same numbers
        model_cost = rules.cost_of_model(model)
        # People who ask about a relative nearly always mean its correct total, so everything else costs more.
        has_relatives_only = all(candidate.group == RELATIVE for candidate in group)
        extra_cost = rules.costs["ways"]["relative-and-more"] if has_relatives_only else 0
        budget = rules.limits["max_cost"] - model_cost - extra_cost
        affordable_deviations = tuple(
            deviation
            for deviation in combinable_deviations()
            if rules.cost_of_deviation(deviation, has_relatives_only) <= budget
        )
        class_groups = group_classes(
            model.architecture, model.architecture.false_comparisons(model.sizes), affordable_deviations
        )
        for classes in sorted(class_groups, key=lambda class_group: _rank(class_group, model.architecture, rules)):
            cost = model_cost + min(rules.cost_of_class(name, model.architecture) for name in classes.names)
            space = _space(group, classes, cost, cost + extra_cost, rules)
            yield space._replace(slopes=_slopes(space, model_cost, model, classes.deviations, rules))


def _slopes(
    space: Space, cost: int, model: Model, fitting_deviations: Iterable[Deviation], rules: SearchRules
) -> dict[str, dict[Names, int]]:
    """The slopes of a space: the amounts by which its totals grow, if these are whole and not zero.

    Args:
        space: the space, which has no slopes yet.
        cost: the cost of its models.
        model: one of its models.
        fitting_deviations: the deviations that fit its classes.
        rules: the costs and limits of the search.
    """
    # People change any size of a likely model, and the number of layers of a miniature, but only the number of labels
    # of any other.
    is_likely = cost <= 1 and model.group != RELATIVE
    open_classes = [name for name in space.classes if model.architecture.class_named(name).required_labels is None]
    letters = []
    if is_named_miniature(model, rules):
        letters.append("L")
    if open_classes and cost <= rules.costs[RELATIVE]:
        letters.append("C")
    common_names: set[str] = set()
    if is_likely:
        letters = [letter for letter in RESIZABLE_LETTERS if letter in model.sizes]
        common_names = {
            deviation.name
            for deviation in fitting_deviations
            if deviation.rarity == MOST_COMMON and not deviation.resized
        }
    way_costs = rules.costs["ways"]

    def cost_with_size(forms: Names) -> float:
        """The cost of a total with these forms and another size."""
        return float(space.cost_of(forms) + way_costs["size"] + (way_costs["size-and-more"] if forms else 0))

    totals = {
        forms: number
        for forms, number in space.numbers.items()
        if common_names.issuperset(forms) and number > 0 and cost_with_size(forms) <= rules.limits["max_cost"]
    }
    # Only a class with an open number of labels can be counted with one more of them.
    slope_class = open_classes[0] if open_classes else space.classes[0]
    slopes: dict[str, dict[Names, int]] = {}
    if not totals:
        return slopes
    for letter in letters:
        larger_model = model.resized(**{letter: model.sizes[letter] + 1})
        for forms, number in totals.items():
            with suppress(BadChoice):  # a number is not whole, or the class has a fixed number of labels
                if slope := Question(larger_model, slope_class, deviations=forms).number - number:
                    slopes.setdefault(letter, {})[forms] = slope
    return slopes


def _space(models: list[Model], classes: ClassGroup, cost: int, deviating_cost: int, rules: SearchRules) -> Space:
    """The space of models with equal sizes, in classes that deviations treat alike, without slopes."""
    budget = rules.limits["max_cost"] - deviating_cost
    deviations_by_name = {deviation.name: deviation for deviation in classes.deviations}
    is_relative = deviating_cost > cost
    form_costs = {
        name: rules.cost_of_deviation(deviation, is_relative) for name, deviation in deviations_by_name.items()
    }
    form_costs |= {
        form: form_cost
        for form, form_cost in rules.together.items()
        if deviations_by_name.keys() >= set(form.split(FORM_SEPARATOR))
    }
    affordable_forms = {
        form: form_cost
        for form, form_cost in sorted(form_costs.items(), key=lambda pair: pair[1])
        if form_cost <= budget
    }
    architecture = models[0].architecture
    blocks_of_form = {
        form: frozenset().union(
            *(miscounted_blocks(deviations_by_name[name], architecture) for name in form.split(FORM_SEPARATOR))
        )
        for form in affordable_forms
    }

    def total_with(forms: Names) -> int | None:
        """The total with these forms; None if two of them concern one block, or if it cannot be counted."""
        blocks = [block for form in forms for block in blocks_of_form[form]]
        if len(blocks) > len(set(blocks)):
            return None
        try:
            return Question(models[0], classes.names[0], deviations=deviations_of(forms)).number
        except BadChoice:  # they exclude each other, or a number is not whole
            return None

    return Space(
        tuple(model.name for model in models),
        classes.names,
        cost,
        deviating_cost,
        affordable_forms,
        sets_within(affordable_forms, budget, total_with),
    )


@cache
def miscounted_blocks(deviation: Deviation, architecture: Architecture) -> frozenset[str]:
    """The blocks of an architecture that a deviation miscounts. A block that it leaves out as a whole is not included.

    If a whole block is left out, a form that concerns only this block changes nothing, so it is dropped in any case.
    """
    touched_blocks: set[str] = set()
    blocks_with_other_rows: set[str] = set()
    for row in architecture.rows:
        if deviation.touches(row):
            touched_blocks.add(row.block)
        else:
            blocks_with_other_rows.add(row.block)
    return frozenset(touched_blocks & blocks_with_other_rows if deviation.factor == "0" else touched_blocks)


@cache
def _rows_of_any_architecture() -> tuple[Row, ...]:
    """The distinct rows of all architectures."""
    return tuple(dict.fromkeys(row for architecture in ARCHITECTURES.values() for row in architecture.rows))


def sets_within(costs: Mapping[str, int], budget: int, number_of: Callable[[Names], int | None]) -> dict[Names, int]:
    """The number of every set of names within a budget in which each name makes a difference, smaller sets first.

    Each name in a set makes a difference if no smaller subset has the same number, and if this also holds for every
    subset.

    Args:
        costs: the cost of each name, the cheapest first.
        budget: the maximum cost of a set.
        number_of: returns the number of a set, or None if its names exclude each other.
    """
    names = list(costs)
    names_after = {name: names[index:] for index, name in enumerate(names, 1)}
    number_of_empty_set = number_of(())
    numbers: dict[Names, int] = {} if number_of_empty_set is None else {(): number_of_empty_set}
    newest_sets = list(numbers)
    while newest_sets:
        smaller_sets, newest_sets = newest_sets, []
        for smaller_set in smaller_sets:
            next_names = names_after[smaller_set[-1]] if smaller_set else names
            for name in next_names:
                larger_set = (*smaller_set, name)
                # Names are in the order of their costs, so all names after this one are too expensive as well.
                if cost_together([costs[member] for member in larger_set]) > budget:
                    break
                # None marks a subset that was refused; the larger set is then refused, too.
                numbers_of_subsets = [
                    numbers.get(subset)
                    for length in range(len(larger_set))
                    for subset in combinations(larger_set, length)
                ]
                total = None if None in numbers_of_subsets else number_of(larger_set)
                if total is not None and total not in numbers_of_subsets:
                    numbers[larger_set] = total
                    newest_sets.append(larger_set)
    return numbers


class ClassGroup(NamedTuple):
    """Classes that all deviations treat alike: their names, and the deviations that fit them."""

    names: tuple[str, ...]
    deviations: tuple[Deviation, ...]


def _rank(classes: ClassGroup, architecture: Architecture, rules: SearchRules) -> tuple[int, int]:
    """A key that sorts groups of classes in the order of answers: the lowest rank of a class in the group."""
    return min(rules.rank_of_class(name, architecture) for name in classes.names)


@cache
def group_classes(
    architecture: Architecture, false_comparisons: tuple[str, ...], affordable_deviations: tuple[Deviation, ...]
) -> tuple[ClassGroup, ...]:
    """All classes of an architecture, in groups that all deviations treat alike.

    Args:
        architecture: the architecture whose classes are grouped.
        false_comparisons: its comparisons of sizes that are false; see `Architecture.false_comparisons`.
        affordable_deviations: the deviations that are tried.
    """
    rows = {
        model_class.name: architecture.rows_of(model_class.name, false_comparisons=false_comparisons)
        for model_class in architecture.classes
    }
    fitting_deviations = {
        name: tuple(deviation for deviation in affordable_deviations if deviation.fits(class_rows, architecture))
        for name, class_rows in rows.items()
    }

    @cache
    def touching_deviations(row: Row) -> Names:
        """The names of the affordable deviations that count a row differently."""
        return tuple(deviation.name for deviation in affordable_deviations if deviation.touches(row))

    def likeness(name: str) -> Hashable:
        """A key that is equal for classes that all deviations treat alike."""
        properties = sorted(
            (row.shape, row.is_per_layer, bool(row.tied_to), touching_deviations(row)) for row in rows[name]
        )
        return tuple(properties), fitting_deviations[name]

    return tuple(ClassGroup(tuple(names), fitting_deviations[names[0]]) for names in _group_by(rows, likeness))


@cache
def combinable_deviations() -> tuple[Deviation, ...]:
    """The deviations that may be combined: those in the file, and further ones that each leave out one of `parts`.

    A formula for the whole model cannot be combined with other deviations, so it is not included. There is no further
    deviation for a share of an attention head or a part of a single layer, nor for a part whose rows a deviation in the
    file leaves out.
    """

    def touched_rows(deviation: Deviation) -> tuple[Row, ...]:
        """The rows of any architecture that a deviation counts differently."""
        return tuple(filter(deviation.touches, _rows_of_any_architecture()))

    deviations_in_file = [deviation for deviation in load_deviations().values() if not deviation.instead]
    known_parts = {touched_rows(deviation) for deviation in deviations_in_file if deviation.factor == "0"}
    omissions = (
        leaving_out(part.path, part.tag) for _, part in parts() if not part.share and not LAYER_NUMBER.search(part.path)
    )
    return (*deviations_in_file, *(deviation for deviation in omissions if touched_rows(deviation) not in known_parts))


def _group_by(items: Iterable[AnyItem], key: Callable[[AnyItem], Hashable]) -> list[list[AnyItem]]:
    """The items in groups that have the same key, in the order of the first item of each group."""
    groups: dict[Hashable, list[AnyItem]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())
