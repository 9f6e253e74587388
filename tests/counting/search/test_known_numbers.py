"""The known numbers are right, the usual classes come first, and no way to a number is needless or too expensive."""

import tomllib
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from macros.counting import Question, model_named
from macros.counting.search.known_numbers import Names, Space, Way, load_search_rules, sets_within, spaces


@pytest.fixture(scope="module")
def all_spaces() -> list[Space]:
    """All spaces of known numbers."""
    return list(spaces())


@pytest.fixture(scope="module")
def ways(all_spaces: list[Space]) -> dict[tuple[str, str, frozenset[str]], Way]:
    """All ways to known numbers, by model, class and deviations."""
    return {
        (model, model_class, frozenset(way.deviations)): way
        for space in all_spaces
        for way in space.ways
        for model in way.models
        for model_class in way.classes
    }


def test_numbers_hold_for_every_model_and_class(ways: Mapping[tuple[str, str, frozenset[str]], Way]) -> None:
    keys = [key for key in ways if key[:2] != (ways[key].models[0], ways[key].classes[0])]
    for key in Random(20181011).sample(keys, 3_000):  # noqa: S311  the same sample each time
        model, model_class, _ = key
        way = ways[key]
        assert way.number == Question(model_named(model), model_class, deviations=way.deviations).number, way


SAMPLES = tomllib.loads(Path(__file__).with_name("known_numbers.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sample", SAMPLES["ways"])
def test_sampled_ways_have_their_numbers_and_costs(
    ways: Mapping[tuple[str, str, frozenset[str]], Way], sample: dict[str, Any]
) -> None:
    way = ways.get((sample["model"], sample["class"], frozenset(sample["deviations"])))
    number = eval(str(sample.get("number")))  # noqa: S307  the file is ours
    assert (number, sample.get("cost")) == ((way.number, way.cost) if way else (None, None))


def test_usual_classes_come_first(all_spaces: list[Space]) -> None:
    for model, total, classes in (
        ("bert-base-uncased", 109_483_778, ["BertForSequenceClassification", "BertForNextSentencePrediction"]),
        ("bert-large-uncased", 335_143_938, ["BertForSequenceClassification", "BertForNextSentencePrediction"]),
        ("bert-base-uncased", 108_893_186, ["BertForTokenClassification", "BertForQuestionAnswering"]),
        ("roberta-base", 124_056_578, ["RobertaForTokenClassification", "RobertaForQuestionAnswering"]),
    ):
        spaces_of_model = [space for space in all_spaces if model in space.models]
        assert classes == [name for space in spaces_of_model if space.numbers[()] == total for name in space.classes]


def needless_sets(numbers: Mapping[Names, int]) -> list[Names]:
    """The sets of names that have the same number as one of their proper subsets."""
    return [
        names
        for names, number in numbers.items()
        if any(numbers.get(subset) == number for size in range(len(names)) for subset in combinations(names, size))
    ]


def test_no_way_is_needless_or_too_expensive(all_spaces: list[Space]) -> None:
    assert [] == [names for space in all_spaces for names in needless_sets(space.numbers)]
    limits = load_search_rules().limits
    for space in all_spaces:
        assert [] == [way for way in space.ways if way.cost > limits["max_cost"]]


@pytest.mark.parametrize("sample", SAMPLES["slopes"])
def test_spaces_have_slopes_for_the_sizes_that_users_change(all_spaces: list[Space], sample: dict[str, Any]) -> None:
    (space,) = (space for space in all_spaces if sample["model"] in space.models and sample["class"] in space.classes)
    deviations = tuple(sample["deviations"])
    assert deviations in space.numbers
    slope = eval(str(sample.get("slope")))  # noqa: S307  the file is ours
    assert slope == space.slopes.get(sample["letter"], {}).get(deviations)


EFFECTS = {"a": 10, "b": 10, "c": -10, "d": 0, "e": 7}
"""The effects of invented deviations on a number."""


def total_with(names: Names) -> int | None:
    """100 plus the effects of `names`; None if both `a` and `e` are among them. `a` and `b` together add only 10."""
    if {"a", "e"} <= set(names):
        return None
    return 100 + sum(EFFECTS[name] for name in names) - (10 if {"a", "b"} <= set(names) else 0)


def test_a_budget_allows_the_sets_that_it_covers() -> None:
    """A budget allows every set whose cost it covers, if the names fit together and each makes a difference."""
    costs = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    singles = {(): 100, ("a",): 110, ("b",): 110, ("c",): 90, ("e",): 107}
    pairs = {("b", "e"): 117, ("c", "e"): 97}
    assert singles == sets_within(costs, 3, total_with)
    assert singles | pairs == sets_within(costs, 5, total_with)
    assert {} == sets_within(costs, 5, lambda _: None)
    # b and c cancel out, so no larger set may contain both, whatever its number.
    totals = {(): 9, ("a",): 1, ("b",): 2, ("c",): 3, ("a", "b"): 4, ("a", "c"): 5, ("b", "c"): 9, ("a", "b", "c"): 6}
    assert set(totals) - {("b", "c"), ("a", "b", "c")} == set(sets_within(costs, 9, totals.get))
