"""The space of known numbers: totals are counted again, samples are found, and no way has a needless deviation."""

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
def known() -> list[Space]:
    """Every space."""
    return list(spaces())


@pytest.fixture(scope="module")
def ways(known: list[Space]) -> dict[tuple[str, str, frozenset[str]], Way]:
    """Every way, by each of its models and classes and by its deviations."""
    return {
        (model, model_class, frozenset(way.deviations)): way
        for space in known
        for way in space.ways
        for model in way.models
        for model_class in way.classes
    }


def test_numbers_hold_for_every_model_and_class(ways: Mapping[tuple[str, str, frozenset[str]], Way]) -> None:
    """A way holds for all of its models and classes, not only for the first; a sample is counted again."""
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
    """A way has the expected number and cost; deviations that exclude each other or are needless make no way."""
    way = ways.get((sample["model"], sample["class"], frozenset(sample["made"])))
    number = eval(str(sample.get("number")))  # noqa: S307  the file is ours
    assert (number, sample.get("cost")) == ((way.number, way.cost) if way else (None, None))


def test_usual_classes_come_first(known: list[Space]) -> None:
    """Of two classes with one number, the one that people meet more often comes first, in BERT and in a relative."""
    for model, total, classes in (
        ("bert-base-uncased", 109_483_778, ["BertForSequenceClassification", "BertForNextSentencePrediction"]),
        ("bert-large-uncased", 335_143_938, ["BertForSequenceClassification", "BertForNextSentencePrediction"]),
        ("bert-base-uncased", 108_893_186, ["BertForTokenClassification", "BertForQuestionAnswering"]),
        ("roberta-base", 124_056_578, ["RobertaForTokenClassification", "RobertaForQuestionAnswering"]),
    ):
        spaces_of_model = [space for space in known if model in space.models]
        assert classes == [name for space in spaces_of_model if space.numbers[()] == total for name in space.classes]


def needless_sets(numbers: Mapping[Names, int]) -> list[Names]:
    """The sets of names that have the same number as one of their subsets."""
    return [
        forms
        for forms, number in numbers.items()
        if any(numbers.get(subset) == number for size in range(len(forms)) for subset in combinations(forms, size))
    ]


def test_no_way_is_needless_or_too_expensive(known: list[Space]) -> None:
    """Every deviation of a way makes a difference, and no way costs more than the limit."""
    assert [] == [forms for space in known for forms in needless_sets(space.numbers)]
    limits = load_search_rules().limits
    for space in known:
        assert [] == [way for way in space.ways if way.cost > limits["max_cost"]]


@pytest.mark.parametrize("sample", SAMPLES["slopes"])
def test_spaces_have_slopes_for_the_sizes_that_people_change(known: list[Space], sample: dict[str, Any]) -> None:
    """A space has the slope of every size that people change, and none for other sizes."""
    (space,) = (space for space in known if sample["model"] in space.models and sample["class"] in space.classes)
    assert (forms := tuple(sample["made"])) in space.numbers
    slope = eval(str(sample.get("slope")))  # noqa: S307  the file is ours
    assert slope == space.slopes.get(sample["letter"], {}).get(forms)


EFFECTS = {"a": 10, "b": 10, "c": -10, "d": 0, "e": 7}
"""What invented deviations add to a number."""


def effect(names: Names) -> int | None:
    """A hundred and the sum of effects. The effect of `a` and `b` counts once; `a` and `e` exclude each other."""
    if {"a", "e"} <= set(names):
        return None
    return 100 + sum(EFFECTS[name] for name in names) - (10 if {"a", "b"} <= set(names) else 0)


def test_a_budget_allows_the_sets_that_it_pays_for() -> None:
    """A budget allows the sets whose costs it covers, if their names fit together and each makes a difference."""
    costs = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    singles = {(): 100, ("a",): 110, ("b",): 110, ("c",): 90, ("e",): 107}
    pairs = {("b", "e"): 117, ("c", "e"): 97}
    assert singles == sets_within(costs, 3, effect)
    assert singles | pairs == sets_within(costs, 5, effect)
    assert {} == sets_within(costs, 5, lambda _: None)
    # b and c together make no difference, so no larger set may contain both, whatever its number is.
    totals = {(): 9, ("a",): 1, ("b",): 2, ("c",): 3, ("a", "b"): 4, ("a", "c"): 5, ("b", "c"): 9, ("a", "b", "c"): 6}
    assert set(totals) - {("b", "c"), ("a", "b", "c")} == set(sets_within(costs, 9, totals.get))
