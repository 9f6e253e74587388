"""Scripts count the memory of a training step as the engine does."""

import re
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
from macros.rendering.files.training import EXPORTED_TYPES, LORA_MODULES, SHORT_DTYPE
from tests.samples import sample_of
from tests.scripts.calculating import Configuration
from tests.scripts.running import Scripts, with_faulty_data

SIZES = (
    {"V": 101, "P": 40, "S": 3, "H": 21, "E": 5, "F": 35, "L": 1, "A": 3, "G": 1, "I": 1, "C": 1},
    {"V": 101, "P": 40, "S": 2, "H": 21, "E": 21, "F": 35, "L": 3, "A": 3, "G": 1, "I": 1, "C": 2},
    {"V": 103, "P": 36, "S": 1, "H": 24, "E": 7, "F": 33, "L": 2, "A": 3, "G": 1, "I": 1, "C": 3},
    {"V": 57, "P": 66, "S": 2, "H": 12, "E": 12, "F": 7, "L": 1, "A": 3, "G": 1, "I": 1, "C": 5},
    {"V": 99, "P": 70, "S": 2, "H": 72, "E": 44, "F": 75, "L": 2, "A": 9, "G": 1, "I": 1, "C": 2},
)
"""Sizes that no published model has, such as odd widths, an odd vocabulary, and heads of 4, 7 or 8 features.

Only the last ones have tensors so large that 8-bit optimisers store their states in blocks.
"""

TRAINING_KINDS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"frozen": {"embeddings": True}}, ["embeddings"]),
    ({"frozen": {"layers": 1}}, ["frozen:1"]),
    ({"frozen": {"layers": 1, "embeddings": True}}, ["embeddings", "frozen:1"]),
    ({"frozen": {"layers": 2}}, ["frozen:2"]),
    ({"frozen": {"all_but_head": True}}, ["head"]),
    ({"has_biases": False}, ["biases-off"]),
    ({"tuning": {"method": "bitfit", "rank": 0, "modules": []}}, ["bitfit"]),
    *(({"tuning": {"rank": 3, "modules": modules.split(",")}}, [f"lora:3:{modules}"]) for modules in LORA_MODULES),
]
"""Kinds of training, as fields of a configuration for scripts and as changes for the engine."""

BATCHES = ((1, 1), (1, 16), (3, 13), (2, 32))
"""Numbers of texts and tokens. A mask is copied at some of these lengths but not at others."""


Case = tuple[Configuration, ChangedModel, dict[str, Any]]
"""A configuration for scripts, the same model for the engine, and the settings of a step, including the batch."""


def exported_classes() -> Iterator[tuple[Architecture, ModelClass, Choices]]:
    """Every class whose training steps are exported, with the choices of tied weights and a pooler that it allows."""
    for model_type in EXPORTED_TYPES:
        architecture = ARCHITECTURES[model_type]
        for model_class, tied, pooler in product(architecture.classes, (True, False), (True, False)):
            if model_class.fixed_choices.pooler is None:
                yield architecture, model_class, Choices(tied=tied, pooler=pooler)
            elif pooler:
                yield architecture, model_class, Choices(tied=tied)


def sampled_cases(part: int) -> Iterator[Case]:
    """One in `part` of all combinations of class, choices, training and settings; all of them in a long run.

    Sizes and batches change from case to case.
    """
    batches = cycle(product(SIZES, BATCHES))
    all_ways = product(DTYPES, ATTENTIONS, OPTIMISERS, (False, True), (False, True))
    counted_ways = [way for way in all_ways if way[0] != SHORT_DTYPE or way[2] in SHORT_STATES]
    all_cases = list(product(exported_classes(), TRAINING_KINDS, counted_ways))
    for (architecture, model_class, choices), (fields, changes), way in sample_of(all_cases, part):
        sizes, (texts, tokens) = next(batches)
        sizes_with_labels = {**sizes, "C": model_class.required_labels or sizes["C"]}
        model = Model(
            model_class.name,
            architecture,
            {symbol.letter: sizes_with_labels[symbol.letter] for symbol in architecture.symbols},
        )
        question = Question(model, model_class.name, choices=choices)
        with suppress(BadChange):
            changed_model = ChangedModel.build(question, changes)
            names = ("dtype", "attention", "optimiser", "padded", "checkpointing", "texts", "tokens")
            settings = dict(zip(names, (*way, texts, tokens), strict=True))
            yield Configuration(question, **fields), changed_model, settings


FREE_BYTES = 10**6
"""The free memory, in bytes, for which largest batches are compared, in addition to the memory that the step needs."""


def engine_numbers(changed_model: ChangedModel, way: dict[str, Any]) -> dict[str, Any]:
    """The engine's numbers for a training step, or the reason why it refuses to count it."""
    try:
        fields = {name: value for name, value in way.items() if name != "texts"}
        step = TrainingStep(changed_model, way["texts"], **fields)
        return {
            "weights": step.weights_bytes,
            "states": step.states_bytes,
            "copies": step.matrix_copies_bytes,
            "activations": step.forward_bytes - step.matrix_copies_bytes,
            "gradients": step.gradients_bytes,
            "layer": step.layer_bytes,
            "temporary": step.temporary_bytes,
            "all": step.fixed_bytes + step.forward_and_temporary_bytes,
            "peak": step.peak_bytes,
            "text": step.example_bytes,
            "largest": [step.largest_batch(free) for free in (FREE_BYTES, step.peak_bytes)],
        }
    except BadChoice as error:
        return {"refusal": str(error)}


def script_numbers(scripts: Scripts, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """The scripts' numbers for training steps, or their reasons for refusing to count them."""
    questions = [
        {"configuration": configuration.for_scripts(), "way": way, "texts": way["texts"], "bytes": FREE_BYTES}
        for configuration, _, way in cases
    ]
    answers: list[dict[str, Any]] = scripts.call("trainingSteps", questions)
    return answers


def test_scripts_count_training_steps_as_the_engine_does(scripts: Scripts) -> None:
    # 151 divides neither the number of settings nor that of kinds of training, so the sample has all of them.
    cases = list(sampled_cases(part=151))
    refusals: Counter[bool] = Counter()
    for (configuration, changed_model, way), script_answer in zip(cases, script_numbers(scripts, cases), strict=True):
        expected = engine_numbers(changed_model, way)
        assert expected == script_answer, (configuration.question, changed_model.changes, way)
        refusals["refusal" in expected] += 1
    assert refusals[False] > 4 * refusals[True] > 0


def test_scripts_count_steps_of_published_models_as_the_engine_does(scripts: Scripts) -> None:
    cases, questions = [], []
    # The number of settings is odd, so that each is padded for one model and not for the next.
    ways = product(product(MODELS, PARTS_IN_FORM), product(DTYPES, OPTIMISERS))
    for ((name, option), (dtype, optimiser)), is_padded in zip(ways, cycle((False, True)), strict=False):
        model = model_named(name)
        (class_name,) = [
            model_class.name
            for model_class in model.architecture.classes
            if model_class.name.endswith("SequenceClassification")
        ]
        changed_model = ChangedModel.build(
            Question(model, class_name), PARTS_IN_FORM[option].changes_of(model.sizes["L"])
        )
        way = {"dtype": dtype, "attention": "", "optimiser": optimiser, "padded": is_padded, "checkpointing": False}
        way |= {"texts": 3, "tokens": 48}
        cases.append((changed_model, way))
        questions.append({"published": [name, option], "way": way, "texts": way["texts"], "bytes": FREE_BYTES})
    assert scripts.call("trainingSteps", questions) == [engine_numbers(*case) for case in cases]


@pytest.mark.parametrize(
    ("changes", "fields", "refusal"),
    [
        (
            ["houlsby:8"],
            {"tuning": {"method": "houlsby", "rank": 8, "modules": []}},
            "the activations of 'houlsby' are not",
        ),
        (["pruned:1"], {"pruned_heads": 1}, "the activations of 'pruned' are not counted"),
        (["lora:3:key"], {"tuning": {"rank": 3, "modules": ["key"]}}, ""),
        (["norms"], {"tuning": {"method": "norms", "rank": 0, "modules": []}}, ""),
    ],
)
def test_other_changes_are_refused_or_left_to_the_command_line(
    scripts: Scripts, changes: list[str], fields: dict[str, Any], refusal: str
) -> None:
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    changed_model = ChangedModel.build(question, changes)
    way = {"dtype": "bf16", "attention": "", "optimiser": "adamw", "padded": True, "checkpointing": False}
    way |= {"texts": 2, "tokens": 32}
    (script_answer,) = script_numbers(scripts, [(Configuration(question, **fields), changed_model, way)])
    expected = engine_numbers(changed_model, way)
    assert script_answer == (expected if refusal else {"refusal": ""})
    assert expected.get("refusal", "").startswith(refusal)


REFUSED_STEPS: list[tuple[str, dict[str, int], Choices, dict[str, Any], str]] = [
    ("BertModel", {}, Choices(), {"tokens": 513}, "tokens"),
    ("BertModel", {}, Choices(), {"tokens": 33, "padded": True}, "tokens"),
    ("BertModel", {"L": 0}, Choices(), {}, "model"),
    ("BertModel", {}, Choices(cross_attention=True), {}, "model"),
    ("AlbertModel", {"G": 2}, Choices(), {}, "model"),
    ("ElectraForPreTraining", {}, Choices(), {"padded": True}, "padded"),
    ("AlbertModel", {}, Choices(), {"checkpointing": True}, "checkpointing"),
]
"""Steps that are not counted, by class, sizes, choices and settings, each with the field to change."""

MODEL_OF_CLASS = {
    "BertModel": "bert-base-uncased",
    "AlbertModel": "albert-base-v2",
    "ElectraForPreTraining": "electra-small-discriminator",
}


@pytest.mark.parametrize(("model_class", "sizes", "choices", "settings", "field"), REFUSED_STEPS)
def test_a_refusal_has_the_words_of_the_engine_and_the_field_to_change(
    scripts: Scripts, model_class: str, sizes: dict[str, int], choices: Choices, settings: dict[str, Any], field: str
) -> None:
    model = model_named(MODEL_OF_CLASS[model_class]).resized(**sizes)._replace(name=model_class)
    question = Question(model, model_class, choices=choices)
    way = {"dtype": "float32", "attention": "", "optimiser": "adamw", "padded": False, "checkpointing": False}
    way |= {"tokens": 32, **settings}
    (refusal,) = scripts.call("refusedSteps", [{"configuration": Configuration(question).for_scripts(), "way": way}])
    expected = engine_numbers(ChangedModel.build(question, []), {**way, "texts": 2})
    assert {"field": field, "message": expected["refusal"]} == refusal


def test_a_wrong_polynomial_is_noticed(modules: Path) -> None:
    # The polynomials are read from the copied module, because computing them anew takes seconds.
    polynomials = re.findall(r'"([^"]*)"', (modules / "docs" / "data" / "training.js").read_text(encoding="utf-8"))
    right_polynomial = next(text for text in polynomials if "ABLTT" in text)
    wrong_polynomial = right_polynomial.replace("9ABLTT", "8ABLTT")
    cases = list(sampled_cases(part=487))
    with with_faulty_data(modules, f'"{right_polynomial}"', f'"{wrong_polynomial}"', "training.js") as scripts:
        answers = script_numbers(scripts, cases)
    pairs = zip(cases, answers, strict=True)
    assert any(engine_numbers(changed_model, way) != script_answer for (_, changed_model, way), script_answer in pairs)
