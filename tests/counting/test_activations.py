"""Activations, compared with what transformers keeps."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BERT, Choices, Question, model_named
from macros.counting.activations import TrainingStep, every_activation
from macros.counting.config import model_of_config
from macros.counting.errors import BadChoice

RECORDED = json.loads(gzip.decompress(Path(__file__).with_name("recorded_activations.json.gz").read_bytes()))
CASES = RECORDED["cases"]
BASE = Question(model_named("bert-base-uncased"))


def step_of(case: dict[str, Any]) -> TrainingStep:
    """The training step of a recorded case."""
    model = model_of_config("recorded", case["config"])
    attention = {"eager": "eager", "sdpa": "fused"}[case["attention"]]
    options = {key: case[key] for key in ("texts", "tokens", "dropout", "checkpointing")}
    return TrainingStep(Question(model, case["class"]), attention=attention, **options)


def layer_of(name: str) -> str:
    """The layer of a module, or "around" if the module is outside the layers."""
    parts = name.split(".")
    return f"layer {parts[parts.index('layer') + 1]}" if "layer" in parts else "around"


def storages_of(step: TrainingStep) -> Counter[tuple[str, int]]:
    """The number of storages, by their layer and their bytes."""
    sizes = {**step.sizes, "L": 1}
    shared = Counter({item.within: item.polynomial.value(sizes) for item in step.activations if item.within})
    number_of: Counter[tuple[str, int]] = Counter()
    for item in step.activations:
        if item.within:
            continue
        # A block such as "3 B T H" stands for three storages of equal size.
        parts = int(item.shape[0]) if item.shape[0] in "23" else 1
        size = item.polynomial.value(sizes) // parts + shared[item.name]
        for layer in [f"layer {index}" for index in range(step.sizes["L"])] if item.is_per_layer else ["around"]:
            number_of[layer, size] += parts
    return number_of


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['class']}-{case['texts']}x{case['tokens']}")
def test_every_storage_is_one_that_transformers_keeps(case: dict[str, Any]) -> None:
    """In every class and setting, the storages of a step have the layers and bytes of those that transformers keeps."""
    step = step_of(case)
    recorded = Counter((layer_of(name), size) for name, size in case["kept"])
    assert storages_of(step) == recorded
    assert step.number == sum(size * times for (_, size), times in recorded.items())


def test_all_classes_and_ways_are_recorded() -> None:
    """Every class and a single label are recorded with five batches, BERT base with one, each in eight settings."""
    expected: dict[tuple[str, int | None], int] = {(each.name, 2): 40 for each in BERT.classes}
    expected |= {("BertForSequenceClassification", 1): 40, ("BertModel", None): 8}
    assert expected == Counter((each["class"], each["config"].get("num_labels")) for each in CASES)
    # One text, one token, and both: the batches in which some tensors share storage.
    assert {(1, 1), (1, 7), (4, 1)} <= {(each["texts"], each["tokens"]) for each in CASES}


def test_the_formula_of_a_layer() -> None:
    """A layer keeps 72·T·H + 16·T + 12·A·T² bytes if F is four times H. Source: a measurement by hand."""
    step = TrainingStep(BASE, texts=1, tokens=128)
    assert step.layer.formula() == "12·B·A·T² + 40·B·T·H + 8·B·T·F + 16·B·T"
    assert step.layer.value(step.sizes) == 72 * 128 * 768 + 16 * 128 + 12 * 12 * 128**2


def test_checkpointing_computes_one_layer_at_a_time() -> None:
    """With checkpointing, the peak includes all activations of one layer; without, it is the bytes that are kept."""
    step = TrainingStep(BASE, texts=1, tokens=128)
    checkpointed = step._replace(checkpointing=True)
    assert checkpointed.peak - checkpointed.number == step.layer.value(step.sizes) - 4 * 128 * 768
    assert step.peak == step.number
    assert checkpointed.number < checkpointed.peak < step.number


def test_every_block_of_the_file_is_kept_somewhere() -> None:
    """Every block of the data file is kept by some class in some setting."""
    questions = [Question(BASE.model.resized(C=labels), each.name) for each in BERT.classes for labels in (1, 2)]
    steps = [TrainingStep(question, 1, 8, way, way == "eager") for question in questions for way in ("eager", "fused")]
    assert {item for step in steps for item in step.activations} == set(every_activation())


RELATIVE, WITH_CROSS_ATTENTION = (
    Question(model_named("roberta-base")),
    BASE._replace(choices=Choices(cross_attention=True)),
)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (TrainingStep(RELATIVE, 1, 8), "roberta-base: activations are recorded for BERT without cross-attention"),
        (
            TrainingStep(WITH_CROSS_ATTENTION, 1, 8),
            "bert-base-uncased: activations are recorded for BERT without cross-attention",
        ),
        (TrainingStep(BASE, 1, 8, "flash"), "attention is 'flash'; choose eager or fused"),
        (TrainingStep(BASE, 0, 8), "texts is 0; it must be an integer from 1"),
        (TrainingStep(BASE, 1, 513), "bert-base-uncased: 513 tokens; it has 512 positions at most"),
    ],
)
def test_an_impossible_step_is_refused(step: TrainingStep, says: str) -> None:
    """A step that is impossible, or not recorded, is refused, and the message says what would be accepted."""
    with pytest.raises(BadChoice, match=says):
        _ = step.number
