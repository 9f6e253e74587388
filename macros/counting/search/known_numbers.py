"""The space of known numbers: every total that somebody is believed to get, and the ways that lead to it.

A way is a model, a class and a set of deviations. What speaks against each is
a cost in `data/search.toml`, and limits there say how much a way may cost.

People slip once in a block, or write it in one of a few short forms: the
embeddings without their LayerNorm, a layer as 12 H². So a way has one form for
a block: a deviation, or deviations that `data/search.toml` says go together.
A form that makes no difference beside the others is needless, so a way has
none; nor do its deviations exclude each other.

Models of equal sizes stand together, and so do classes whose rows no deviation
tells apart: what one of them counts, all do.

A total is linear in most sizes, so beside those of models that people take
another size of stands what one more of it adds.
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
"""The letters that a model may have another size of."""

TOGETHER = " + "
"""Stands between the deviations of a form."""

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
        models, classes: by name, the likeliest first; whatever is said here holds for each of them.
        cost: what speaks against the right total.
        deviating: what speaks against a total with any deviations, besides these.
        forms: what each that fits and is tried costs, the cheapest first; a form is its deviations with
            `TOGETHER` between them.
        numbers: the total with every set of forms that needs all of them, in their order; the empty set has the
            right one. A total below one is there too, since more forms may lead on to one that somebody believes.
        slopes: what one more of a size adds to totals, by its letter. Of models that people most likely mean, to the
            right one and those with what many do; of other models people train heads, and leave the rest as it is.
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
        for made, number in self.numbers.items():
            if number > 0:
                yield Way(number, self.models, self.classes, deviations_of(made), self.cost_of(made))

    def cost_of(self, made: Names) -> int:
        """What speaks against the total with these forms."""
        return self.deviating + cost_together([self.forms[form] for form in made]) if made else self.cost


def cost_together(costs: Collection[int]) -> int:
    """What speaks against several forms: who has erred in two blocks errs more easily in a third."""
    return sum(costs) - max(len(costs) - 2, 0)


def deviations_of(forms: Names) -> Names:
    """All deviations of some forms."""
    return tuple(name for form in forms for name in form.split(TOGETHER))


class Search(NamedTuple):
    """What ways cost, and how far to look for them: what `data/search.toml` says of totals."""

    costs: Mapping[str, Any]
    limits: Mapping[str, int]
    together: Mapping[str, int]

    def of_model(self, model: Model) -> int:
        """What speaks against a model."""
        of_group = self.costs[RELATIVE] if model.group == RELATIVE else load_groups()[model.group].cost
        return int(self.costs["models"].get(model.name, of_group))

    def of_other(self, name: str) -> int:
        """What speaks against a model of which only the total is known, by its name."""
        return int(self.costs["models"].get(name, self.costs["ways"]["other"]))

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
def search_rules() -> Mapping[str, Any]:
    """What the file of the search says, by block."""
    return blocks_of(DATA / "search.toml")


@cache
def load_search() -> Search:
    """The costs and limits of the search."""
    found = search_rules()
    return Search(found["costs"], found["limits"], found["together"])


def spaces(models: Iterable[Model] = (), search: Search | None = None) -> Iterator[Space]:
    """The space of known numbers, the models in the order of their files.

    Args:
        models: those that are counted, all if none are given.
        search: costs and limits other than those of the file.
    """
    rules = search or load_search()
    everyone = list(models) or [*load_models().values(), *load_relatives().values()]
    for models_alike in _grouped(everyone, lambda each: (each.architecture.model_type, *each.sizes.values())):
        alike = sorted(models_alike, key=rules.of_model)
        likeliest = rules.of_model(alike[0])
        # Of a relative few people count anything but the right total.
        strange = rules.costs["ways"]["relative-and-more"] if all(each.group == RELATIVE for each in alike) else 0
        left = rules.limits["possible"] - likeliest - strange
        for classes in classes_alike(alike[0].architecture, alike[0].architecture.equal_in(alike[0].sizes), left):
            cost = likeliest + min(rules.of_class(name, alike[0].architecture) for name in classes.names)
            space = _space(alike, classes, cost, cost + strange, rules)
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
    likely = cost <= 1 and model.group != RELATIVE
    open_classes = [name for name in space.classes if model.architecture.class_named(name).labels is None]
    trained = open_classes and cost <= rules.costs[RELATIVE]
    letters = [each for each in RESIZED if each in model.sizes] if likely else ["C"] if trained else []
    usual = {each.name for each in fitting if each.usual == 1 and not each.resized} if likely else set()
    size = rules.costs["ways"]["size"]
    chosen = {
        made: number
        for made, number in space.numbers.items()
        if usual.issuperset(made)
        and number > 0
        and space.cost_of(made) + size + (rules.costs["ways"]["size-and-more"] if made else 0)
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


def _space(models: list[Model], classes: ClassesAlike, cost: int, deviating: int, rules: Search) -> Space:
    budget = rules.limits["possible"] - deviating
    fitting = {each.name: each for each in classes.deviations}
    costs = {name: cost_of(each) for name, each in fitting.items()}
    costs |= {form: cost for form, cost in rules.together.items() if fitting.keys() >= set(form.split(TOGETHER))}
    tried = {form: cost for form, cost in sorted(costs.items(), key=lambda each: each[1]) if cost <= budget}
    altered = {form: frozenset().union(*(altered_by(fitting[name]) for name in form.split(TOGETHER))) for form in tried}

    def number(made: Names) -> int | None:
        blocks = [block for form in made for block in altered[form]]
        if len(blocks) > len(set(blocks)):
            return None
        try:
            return Question(models[0], classes.names[0], deviations=deviations_of(made)).number
        except BadChoice:  # they exclude each other, or a share is not whole
            return None

    return Space(
        tuple(each.name for each in models), classes.names, cost, deviating, tried, sets_within(tried, budget, number)
    )


@cache
def altered_by(deviation: Deviation) -> frozenset[str]:
    """The blocks of which a deviation counts some otherwise; one that it leaves out altogether is not among them."""
    rows = [row for each in ARCHITECTURES.values() for row in each.rows]
    touched = {row.block for row in rows if deviation.touches(row)}
    kept = {row.block for row in rows if not deviation.touches(row)}
    return frozenset(touched & kept if deviation.factor == "0" else touched)


def sets_within(costs: Mapping[str, int], budget: int, number: Callable[[Names], int | None]) -> dict[Names, int]:
    """What every set gives that costs no more than a budget and has nothing needless; the shorter sets come first.

    Args:
        costs: of each name, the cheapest first.
        budget: what a set may cost.
        number: what a set gives; None if its names exclude each other.
    """
    names = list(costs)
    following = {name: names[place:] for place, name in enumerate(names, 1)}
    right = number(())
    found: dict[Names, int] = {} if right is None else {(): right}
    longest = list(found)
    while longest:
        shorter, longest = longest, []
        for made in shorter:
            for name in following[made[-1]] if made else names:
                each = (*made, name)
                if cost_together([costs[one] for one in each]) > budget:
                    break
                # None stands for a part that excludes itself or has something needless, as the whole then has.
                parts_of_it = [found.get(part) for length in range(len(each)) for part in combinations(each, length)]
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
