"""Explanations of numbers hold for some layers, batches of texts, parts with equal numbers, and a heading."""

from collections.abc import Iterator
from typing import Any

import pytest

from macros.counting import Model, Question, load_models, model_named
from macros.counting.operations import Operations
from macros.counting.search.known_numbers import load_search_rules, search_data
from tests.scripts.running import Scripts
from tests.scripts.test_kinds import explanations_of

BASE_AND_LARGE = [model_named("bert-base-uncased"), model_named("bert-large-uncased")]

PATHS = ("bert/pooler", "bert/encoder/layer_0/attention/self/query", "bert/pooler/dense/kernel", "bert/embeddings")
"""Paths of the parts whose numbers are rounded."""


def layer_counts_with_numbers() -> Iterator[tuple[Model, int, int]]:
    """Yield BERT base and BERT large with numbers of layers, up to one too many, and the parameters in them."""
    for model in BASE_AND_LARGE:
        number = Question(model).about("bert/encoder/layer_0").number
        for layers in (1, 2, model.sizes["L"] - 1, model.sizes["L"], model.sizes["L"] + 1):
            yield model, layers, number * layers


def test_some_layers_are_neither_one_nor_all(scripts: Scripts) -> None:
    cases = [*layer_counts_with_numbers()]
    explanations_by_case = explanations_of(scripts, [number for *_, number in cases])
    for (model, layers, _), explanations in zip(cases, explanations_by_case, strict=True):
        layer_counts = {way["layers"] for way in explanations if way["kind"] == "part" and model.name in way["models"]}
        assert ({layers} if 1 < layers < model.sizes["L"] else set()) == layer_counts - {0}, (model.name, layers)


def test_all_batches_of_several_texts_cost_the_same(scripts: Scripts) -> None:
    rules = search_data()["operations"]
    one_text = Operations(Question(BASE_AND_LARGE[0]), 128, 1).forward
    batches = [1, *rules["batches"]]
    costs = {}
    explanations_by_batch = explanations_of(scripts, [f"{texts * one_text} FLOPs" for texts in batches])
    for texts, explanations in zip(batches, explanations_by_batch, strict=True):
        costs[texts] = [
            way["cost"]
            for way in explanations
            if (way["kind"], way["texts"], way["tokens"]) == ("operations", texts, 128)
        ]
    assert costs[1]
    for texts in rules["batches"]:
        assert [cost + rules["batch"] for cost in costs[1]] == costs[texts], texts


def rounded_parts(scripts: Scripts) -> list[dict[str, Any]]:
    """The explanations of the numbers of parts, read as rounded; parts with the same number share an explanation."""
    numbers = [Question(model).about(path).number for model in load_models().values() for path in PATHS]
    return [way for ways in scripts.call("partsRounded", [[number, number] for number in numbers]) for way in ways]


def test_parts_with_the_same_number_cost_as_little_as_the_cheapest(scripts: Scripts) -> None:
    """If parts share a rounded number, the answer's cost includes their lowest `cost` and lowest `if_rounded`."""
    ways = search_data()["costs"]["ways"]
    explanations = rounded_parts(scripts)
    assert any(len({part["if_rounded"] for part in way["parts"]}) > 1 for way in explanations)
    for way in explanations:
        lowest_costs = [min(part[key] for part in way["parts"]) for key in ("cost", "if_rounded")]
        (name,) = way["models"]
        expected = (
            ways["part"]
            + ways["rounded-part"]
            + sum(lowest_costs)
            + load_search_rules().cost_of_model(model_named(name))
        )
        assert pytest.approx(expected) == way["cost"], way


MAX_LISTED_EXPLANATIONS = 5
"""The maximum number of explanations that are listed after the first."""

CLOSE_NUMBERS = "Other numbers close to it"
"""The heading above explanations that are all of numbers close to the one in the text."""


def test_the_heading_about_close_numbers_appears_if_all_are_close_and_only_then(scripts: Scripts) -> None:
    totals = [Question(model).number for model in [*load_models().values()][:8]]
    texts = [str(total + offset) for total in totals for offset in (0, 1, 1000)]
    answers = zip(texts, explanations_of(scripts, texts), scripts.call("otherWays", texts), strict=True)
    headings = set()
    for text, explanations, (heading, listed_count) in answers:
        are_near = [way["kind"] == "near" for way in explanations[1:]][:MAX_LISTED_EXPLANATIONS]
        # Explanations as likely as the first are named with it, so the list below the heading may be shorter.
        if listed_count and listed_count == len(are_near):
            assert all(are_near) == (heading == CLOSE_NUMBERS), text
            headings.add((all(are_near), any(are_near)))
    assert {(True, True), (False, True)} <= headings
