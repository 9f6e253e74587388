"""The limits of the rules by which a number is explained: the layers, the texts in a batch, and the cost of a part."""

from collections.abc import Iterator
from typing import Any

import pytest

from macros.counting import Model, Question, load_models, model_named
from macros.counting.operations import Operations
from macros.counting.search.known_numbers import load_search, search_rules
from tests.scripts.running import Scripts
from tests.scripts.test_kinds import explained

MAIN = [model_named("bert-base-uncased"), model_named("bert-large-uncased")]


def in_layers() -> Iterator[tuple[Model, int, int]]:
    """Numbers of layers from one to one more than a model has, each with the parameters of that many layers."""
    for model in MAIN:
        number = Question(model).at("bert/encoder/layer_0").number
        for layers in (1, 2, model.sizes["L"] - 1, model.sizes["L"], model.sizes["L"] + 1):
            yield model, layers, number * layers


def test_some_layers_are_neither_one_nor_all(scripts: Scripts) -> None:
    """Some layers of a model are two up to all but one; one layer and all layers are parts by themselves."""
    cases = [*in_layers()]
    for (model, layers, _), explanations in zip(
        cases, explained(scripts, [number for *_, number in cases]), strict=True
    ):
        layer_counts = {way["layers"] for way in explanations if way["kind"] == "part" and model.name in way["models"]}
        assert ({layers} if 1 < layers < model.sizes["L"] else set()) == layer_counts - {0}, (model.name, layers)


def test_every_batch_costs_the_same(scripts: Scripts) -> None:
    """Several texts are less likely than one, and it does not matter how many they are."""
    rules = search_rules()["operations"]
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
    numbers = [Question(model).at(path).number for model in load_models().values() for path in PATHS]
    return [way for ways in scripts.call("partsRounded", [[number, number] for number in numbers]) for way in ways]


PATHS = ("bert/pooler", "bert/encoder/layer_0/attention/self/query", "bert/pooler/dense/kernel", "bert/embeddings")
"""Parts of which some are as large as others, and some by themselves."""


def test_parts_of_one_number_cost_as_little_as_the_likeliest(scripts: Scripts) -> None:
    """A rounded number of several parts costs the least that one of them does, on both accounts."""
    ways = search_rules()["costs"]["ways"]
    explanations = rounded_parts(scripts)
    assert any(len({part["if_rounded"] for part in way["parts"]}) > 1 for way in explanations)
    for way in explanations:
        lowest_costs = [min(part[key] for part in way["parts"]) for key in ("cost", "if_rounded")]
        (name,) = way["models"]
        expected = ways["part"] + ways["rounded-part"] + sum(lowest_costs) + load_search().of_model(model_named(name))
        assert pytest.approx(expected) == way["cost"], way


MOST_WAYS = 5
"""The most other ways that are listed."""

CLOSE_NUMBERS = "Other numbers close to it"


def test_a_heading_is_true_of_all_below_it(scripts: Scripts) -> None:
    """Other ways are called close numbers where all of them are, and only there."""
    totals = [Question(model).number for model in [*load_models().values()][:8]]
    texts = [str(total + offset) for total in totals for offset in (0, 1, 1000)]
    answers = zip(texts, explained(scripts, texts), scripts.call("otherWays", texts), strict=True)
    headings = set()
    for text, explanations, (heading, number) in answers:
        others = [way["kind"] == "near" for way in explanations[1:]][:MOST_WAYS]
        # Ways that are as likely as the first are named beside it, and are not below the heading.
        if number and number == len(others):
            assert all(others) == (heading == CLOSE_NUMBERS), text
            headings.add((all(others), any(others)))
    assert {(True, True), (False, True)} <= headings
