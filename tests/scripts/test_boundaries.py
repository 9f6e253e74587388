"""The limits of the rules by which a number is explained: the layers, the texts in a batch, and the cost of a part."""

from collections.abc import Iterator
from typing import Any

import pytest

from macros.counting import Model, Question, load_models, model_named
from macros.counting.operations import Operations
from macros.counting.search.known_numbers import load_search_rules, search_data
from tests.scripts.running import Scripts
from tests.scripts.test_kinds import explained

MAIN = [model_named("bert-base-uncased"), model_named("bert-large-uncased")]
"""The models that most questions are about."""

PATHS = ("bert/pooler", "bert/encoder/layer_0/attention/self/query", "bert/pooler/dense/kernel", "bert/embeddings")
"""Parts, some of which are as large as others."""


def layer_counts_with_numbers() -> Iterator[tuple[Model, int, int]]:
    """Models, each with a number of layers up to one more than it has and the parameters of that many layers."""
    for model in MAIN:
        number = Question(model).about("bert/encoder/layer_0").number
        for layers in (1, 2, model.sizes["L"] - 1, model.sizes["L"], model.sizes["L"] + 1):
            yield model, layers, number * layers


def test_some_layers_are_neither_one_nor_all(scripts: Scripts) -> None:
    """The words "some layers" stand for two layers up to all but one; one layer and all layers are other parts."""
    cases = [*layer_counts_with_numbers()]
    for (model, layers, _), explanations in zip(
        cases, explained(scripts, [number for *_, number in cases]), strict=True
    ):
        layer_counts = {way["layers"] for way in explanations if way["kind"] == "part" and model.name in way["models"]}
        assert ({layers} if 1 < layers < model.sizes["L"] else set()) == layer_counts - {0}, (model.name, layers)


def test_every_batch_costs_the_same(scripts: Scripts) -> None:
    """Several texts are less likely than one, and it does not matter how many they are."""
    rules = search_data()["operations"]
    one_text = Operations(Question(MAIN[0]), 128, 1).forward
    batches = [1, *rules["batches"]]
    costs = {
        texts: [
            way["cost"]
            for way in explanations
            if (way["kind"], way["texts"], way["tokens"]) == ("operations", texts, 128)
        ]
        for texts, explanations in zip(
            batches, explained(scripts, [f"{texts * one_text} FLOPs" for texts in batches]), strict=True
        )
    }
    assert {texts: [cost + rules["batch"] * (texts > 1) for cost in costs[1]] for texts in batches} == costs


def rounded_parts(scripts: Scripts) -> list[dict[str, Any]]:
    """The explanations of parts that people round; parts with the same number are explained together."""
    numbers = [Question(model).about(path).number for model in load_models().values() for path in PATHS]
    return [way for ways in scripts.call("partsRounded", [[number, number] for number in numbers]) for way in ways]


def test_parts_of_one_number_cost_as_little_as_the_likeliest(scripts: Scripts) -> None:
    """A rounded number of several parts costs the least that one of them does, on both accounts."""
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


MAX_LISTED = 5
"""The most explanations that are listed after the first."""

CLOSE_NUMBERS = "Other numbers close to it"
"""The heading above explanations of which each is of a number close to the one that was asked."""


def test_a_heading_is_true_of_all_below_it(scripts: Scripts) -> None:
    """The explanations after the first are called close numbers where all of them are, and only there."""
    totals = [Question(model).number for model in [*load_models().values()][:8]]
    texts = [str(total + offset) for total in totals for offset in (0, 1, 1000)]
    answers = zip(texts, explained(scripts, texts), scripts.call("otherWays", texts), strict=True)
    headings = set()
    for text, explanations, (heading, number) in answers:
        are_near = [way["kind"] == "near" for way in explanations[1:]][:MAX_LISTED]
        # Explanations as likely as the first are named beside it, so the list below the heading may be shorter.
        if number and number == len(are_near):
            assert all(are_near) == (heading == CLOSE_NUMBERS), text
            headings.add((all(are_near), any(are_near)))
    assert {(True, True), (False, True)} <= headings
