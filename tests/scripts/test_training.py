"""Tests that scripts count the memory of a training step as the engine does."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    Architecture,
    BadChange,
    BadChoice,
    ChangedModel,
    Choices,
    Model,
    ModelClass,
    Question,
    model_named,
)
from macros.counting.training import TrainingStep
from macros.counting.training.step import SHORT_STATES
from macros.rendering.components.training_steps import ATTENTIONS, DTYPES, MODELS, OPTIMISERS, PARTS_IN_FORM
from macros.rendering.files.training import EXPORTED, LORA, SHORT_DTYPE, training
from tests.samples import sampled
from tests.scripts.calculating import Configuration
from tests.scripts.running import Scripts, with_faulty_table

SIZES = (
    {"V": 101, "P": 40, "S": 3, "H": 21, "E": 5, "F": 35, "L": 1, "A": 3, "G": 1, "I": 1, "C": 1},
    {"V": 101, "P": 40, "S": 2, "H": 21, "E": 21, "F": 35, "L": 3, "A": 3, "G": 1, "I": 1, "C": 2},
    {"V": 103, "P": 36, "S": 1, "H": 24, "E": 7, "F": 33, "L": 2, "A": 3, "G": 1, "I": 1, "C": 3},
    {"V": 57, "P": 66, "S": 2, "H": 12, "E": 12, "F": 7, "L": 1, "A": 3, "G": 1, "I": 1, "C": 5},
)
"""Sizes that no model has: heads of 7, 8 or 4 features, one layer or several, odd widths and an odd vocabulary."""

TRAINED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"frozen": {"embeddings": True}}, ["embeddings"]),
    ({"frozen": {"layers": 1}}, ["frozen:1"]),
    ({"frozen": {"layers": 1, "embeddings": True}}, ["embeddings", "frozen:1"]),
    ({"frozen": {"layers": 2}}, ["frozen:2"]),
    ({"frozen": {"all_but_head": True}}, ["head"]),
    ({"biases": False}, ["biases-off"]),
    ({"lora": {"method": "bitfit", "rank": 0, "modules": []}}, ["bitfit"]),
    *(({"lora": {"rank": 3, "modules": modules.split(",")}}, [f"lora:3:{modules}"]) for modules in LORA),
]
"""What is trained, as the fields of a configuration for scripts and as changes for the engine."""

BATCHES = ((1, 1), (1, 16), (3, 13), (2, 32))
"""Texts and tokens: a single one of each, lengths with which a mask is copied, and lengths with which it is not."""


Case = tuple[Configuration, ChangedModel, dict[str, Any]]
"""A configuration as scripts take it and as the engine takes it, and a way of running a step, with the batch."""


def all_questions() -> Iterator[tuple[Architecture, ModelClass, Choices]]:
    """Every class whose steps are exported, with and without tied weights, and with and without a pooler."""
    for model_type in EXPORTED:
        architecture = ARCHITECTURES[model_type]
        for model_class, tied, pooler in product(architecture.classes, (True, False), (True, False)):
            if model_class.fixed.pooler is None:
                yield architecture, model_class, Choices(tied=tied, pooler=pooler)
            elif pooler:
                yield architecture, model_class, Choices(tied=tied)


def drawn_cases(part: int) -> Iterator[Case]:
    """One in `part` of all classes and choices with every kind of training, in every way; all of them in a long run.

    Sizes and batches change from case to case.
    """
    batches = cycle(product(SIZES, BATCHES))
    ways = product(DTYPES, ATTENTIONS, OPTIMISERS, (False, True), (False, True))
    counted = [way for way in ways if way[0] != SHORT_DTYPE or way[2] in SHORT_STATES]
    all_cases = list(product(all_questions(), TRAINED, counted))
    for (architecture, model_class, choices), (fields, changes), way in sampled(all_cases, part):
        sizes, (texts, tokens) = next(batches)
        sizes_with_labels = {**sizes, "C": model_class.labels or sizes["C"]}
        model = Model(
            model_class.name,
            architecture,
            {symbol.letter: sizes_with_labels[symbol.letter] for symbol in architecture.symbols},
        )
        question = Question(model, model_class.name, choices=choices)
        with suppress(BadChange):
            changed = ChangedModel.build(question, changes)
            names = ("dtype", "attention", "optimiser", "padded", "checkpointing", "texts", "tokens")
            settings = dict(zip(names, (*way, texts, tokens), strict=True))
            yield Configuration(question, **fields), changed, settings


FREE = 10**6
"""The bytes of which the largest batch is asked."""


def by_the_engine(changed: ChangedModel, way: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a step, or why it is not counted."""
    try:
        fields = {name: value for name, value in way.items() if name != "texts"}
        step = TrainingStep(changed, way["texts"], **fields)
        return {
            "weights": step.weights_bytes,
            "states": step.states_bytes,
            "copies": step.copies_bytes,
            "activations": step.forward_bytes - step.copies_bytes,
            "gradients": step.gradients_bytes,
            "layer": step.layer_bytes,
            "temporary": step.temporary_bytes,
            "all": step.fixed_bytes + step.all_bytes,
            "peak": step.peak_bytes,
            "text": step.example_bytes,
            "largest": step.largest_batch(FREE),
        }
    except BadChoice as error:
        return {"refusal": str(error)}


def by_scripts(scripts: Scripts, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """The answers of scripts about steps: the same numbers, or why they are not counted."""
    questions = [
        {"configuration": configuration.for_scripts(), "way": way, "texts": way["texts"], "bytes": FREE}
        for configuration, _, way in cases
    ]
    answers: list[dict[str, Any]] = scripts.call("trainingSteps", questions)
    return answers


def test_scripts_count_training_steps_as_the_engine_does(scripts: Scripts) -> None:
    """Scripts count a step of odd sizes to the byte as the engine does, or give the same reason not to."""
    # 151 divides neither the number of ways nor that of kinds of training, so all of them are among the cases.
    cases = list(drawn_cases(part=151))
    counted: Counter[bool] = Counter()
    for (configuration, changed, way), theirs in zip(cases, by_scripts(scripts, cases), strict=True):
        ours = by_the_engine(changed, way)
        assert ours == theirs, (configuration.question, changed.changes, way)
        counted["refusal" in ours] += 1
    assert counted[False] > 4 * counted[True] > 0


def test_scripts_count_steps_of_published_models_as_the_engine_does(scripts: Scripts) -> None:
    """The models of the form on the page of training memory have the engine's numbers, whatever is trained of them.

    They have none for the optimisers that it refuses if weights are in 16 bits.
    """
    cases, questions = [], []
    # There is an odd number of ways, so each of them is with padding for one model and without for the next.
    ways = product(product(MODELS, PARTS_IN_FORM), product(DTYPES, OPTIMISERS))
    for ((name, option), (dtype, optimiser)), padded in zip(ways, cycle((False, True)), strict=False):
        model = model_named(name)
        (classifier,) = [
            model_class.name
            for model_class in model.architecture.classes
            if model_class.name.endswith("SequenceClassification")
        ]
        changed = ChangedModel.build(Question(model, classifier), PARTS_IN_FORM[option].changes_of(model.sizes["L"]))
        way = {"dtype": dtype, "attention": "", "optimiser": optimiser, "padded": padded, "checkpointing": False}
        way |= {"texts": 3, "tokens": 48}
        cases.append((changed, way))
        questions.append({"published": [name, option], "way": way, "texts": way["texts"], "bytes": FREE})
    assert scripts.call("trainingSteps", questions) == [by_the_engine(*case) for case in cases]


@pytest.mark.parametrize(
    ("changes", "fields", "refusal"),
    [
        (
            ["houlsby:8"],
            {"lora": {"method": "houlsby", "rank": 8, "modules": []}},
            "the activations of 'houlsby' are not",
        ),
        (["pruned:1"], {"pruned": 1}, "the activations of 'pruned' are not counted"),
        (["lora:3:key"], {"lora": {"rank": 3, "modules": ["key"]}}, ""),
        (["norms"], {"lora": {"method": "norms", "rank": 0, "modules": []}}, ""),
    ],
)
def test_other_changes_are_refused_or_left_to_the_command_line(
    scripts: Scripts, changes: list[str], fields: dict[str, Any], refusal: str
) -> None:
    """Scripts refuse what the engine refuses, and have no numbers for what it alone counts."""
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    changed = ChangedModel.build(question, changes)
    way = {"dtype": "bf16", "attention": "", "optimiser": "adamw", "padded": True, "checkpointing": False}
    way |= {"texts": 2, "tokens": 32}
    (theirs,) = by_scripts(scripts, [(Configuration(question, **fields), changed, way)])
    ours = by_the_engine(changed, way)
    assert theirs == (ours if refusal else {"refusal": ""})
    assert ours.get("refusal", "").startswith(refusal)


def test_another_polynomial_would_be_noticed(modules: Path) -> None:
    """If one polynomial of the exported ones were another, some of the cases would show it."""
    text = next(text for text in training()["polynomials"] if "ABLTT" in text)
    cases = list(drawn_cases(part=487))
    with with_faulty_table(modules, f'"{text}"', f'"{text.replace("9ABLTT", "8ABLTT")}"', "training.js") as scripts:
        answers = by_scripts(scripts, cases)
    assert any(by_the_engine(changed, way) != theirs for (_, changed, way), theirs in zip(cases, answers, strict=True))
