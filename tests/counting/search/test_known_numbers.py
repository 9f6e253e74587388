"""The space of known numbers: each is counted again, samples are found, and nothing needless is there."""

import tomllib
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from macros.counting import Question, model_named
from macros.counting.search.known_numbers import Names, Space, Way, load_search, sets_within, spaces


@pytest.fixture(scope="module")
def known() -> list[Space]:
    """Every space."""
    return list(spaces())


@pytest.fixture(scope="module")
def ways(known: list[Space]) -> dict[tuple[str, str, frozenset[str]], Way]:
    """Every way by each of its models and classes, and by its deviations."""
    return {
        (model, model_class, frozenset(way.deviations)): way
        for space in known
        for way in space.ways
        for model in way.models
        for model_class in way.classes
    }


def test_numbers_hold_for_every_model_and_class(ways: Mapping[tuple[str, str, frozenset[str]], Way]) -> None:
    """What is said of several is true of each, by a sample of them."""
    several = [each for each in ways if each[:2] != (ways[each].models[0], ways[each].classes[0])]
    for each in Random(20181011).sample(several, 3_000):  # noqa: S311
        model, model_class, _ = each
        way = ways[each]
        assert way.number == Question(model_named(model), model_class, deviations=way.deviations).number, way


BY_HAND = tomllib.loads(Path(__file__).with_name("known_numbers.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sample", BY_HAND["ways"])
def test_samples(ways: Mapping[tuple[str, str, frozenset[str]], Way], sample: dict[str, Any]) -> None:
    """What somebody may get is found with what speaks against it; what excludes itself, or is needless, is not."""
    way = ways.get((sample["model"], sample["class"], frozenset(sample["made"])))
    number = eval(str(sample.get("number")))  # noqa: S307  the file is ours
    assert (number, sample.get("cost")) == ((way.number, way.cost) if way else (None, None))


def needless(numbers: Mapping[Names, int]) -> list[Names]:
    """The sets of which a part gives the same."""
    return [
        made
        for made, number in numbers.items()
        if any(numbers.get(part) == number for size in range(len(made)) for part in combinations(made, size))
    ]


def test_nothing_is_needless_or_too_dear(known: list[Space]) -> None:
    """Each deviation of a way makes a difference beside the others, and no way costs more than is looked for."""
    assert [] == [made for space in known for made in needless(space.numbers)]
    limits = load_search().limits
    for space in known:
        assert all(way.cost <= limits["possible"] for way in space.ways)


@pytest.mark.parametrize("sample", BY_HAND["slopes"])
def test_slopes(known: list[Space], sample: dict[str, Any]) -> None:
    """What one more of a size adds is told where somebody takes another size."""
    (space,) = (each for each in known if sample["model"] in each.models and sample["class"] in each.classes)
    assert (made := tuple(sample["made"])) in space.numbers
    slope = eval(str(sample.get("slope")))  # noqa: S307  the file is ours
    assert slope == space.slopes.get(sample["letter"], {}).get(made)


EFFECTS = {"a": 10, "b": 10, "c": -10, "d": 0, "e": 7}


def effect(made: Names) -> int | None:
    """A hundred with the sum of effects; `a` and `b` do the same, `a` and `e` exclude each other."""
    if {"a", "e"} <= set(made):
        return None
    return 100 + sum(EFFECTS[name] for name in made) - (10 if {"a", "b"} <= set(made) else 0)


def test_sets_within() -> None:
    """All that a budget allows, but for what excludes itself, does nothing, is taken back or does the same again."""
    costs = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    right = {(): 100, ("a",): 110, ("b",): 110, ("c",): 90, ("e",): 107}
    pairs = {("b", "e"): 117, ("c", "e"): 97}
    assert right == sets_within(costs, 3, effect)
    assert right | pairs == sets_within(costs, 5, effect)
    assert {} == sets_within(costs, 5, lambda _: None)
    # Of three, two of which do nothing together, no set is made, whatever they give.
    totals = {(): 9, ("a",): 1, ("b",): 2, ("c",): 3, ("a", "b"): 4, ("a", "c"): 5, ("b", "c"): 9, ("a", "b", "c"): 6}
    assert set(totals) - {("b", "c"), ("a", "b", "c")} == set(sets_within(costs, 9, totals.get))
