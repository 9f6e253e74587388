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


def place(name: str) -> str:
    """The layer that a module is in, or "around" for a module outside the layers."""
    parts = name.split(".")
    return f"layer {parts[parts.index('layer') + 1]}" if "layer" in parts else "around"


def places_of(step: TrainingStep) -> Counter[tuple[str, int]]:
    """The number of storages by place and bytes."""
    sizes = {**step.sizes, "L": 1}
    shared = Counter({item.within: item.polynomial.value(sizes) for item in step.activations if item.within})
    places: Counter[tuple[str, int]] = Counter()
    for item in step.activations:
        if item.within:
            continue
        # A block such as "3 B T H" stands for three storages of equal size.
        parts = int(item.shape[0]) if item.shape[0] in "23" else 1
        size = item.polynomial.value(sizes) // parts + shared[item.name]
        for where in [f"layer {layer}" for layer in range(step.sizes["L"])] if item.is_per_layer else ["around"]:
            places[where, size] += parts
    return places


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['class']}-{case['texts']}x{case['tokens']}")
def test_every_storage_is_one_that_transformers_keeps(case: dict[str, Any]) -> None:
    """The storages of a step have the places and bytes that transformers keeps, in every class and setting."""
    step = step_of(case)
    recorded = Counter((place(name), size) for name, size in case["kept"])
    assert places_of(step) == recorded
    assert step.number == sum(size * times for (_, size), times in recorded.items())


def test_all_classes_and_ways_are_recorded() -> None:
    """Every class is recorded on five batches, a single label too, and BERT base on one, each in eight settings."""
    expected: dict[tuple[str, int | None], int] = {(each.name, 2): 40 for each in BERT.classes}
    expected |= {("BertForSequenceClassification", 1): 40, ("BertModel", None): 8}
    assert expected == Counter((each["class"], each["config"].get("num_labels")) for each in CASES)
    # The batches at whose edges tensors are shared: one text, one token, and both.
    assert {(1, 1), (1, 7), (4, 1)} <= {(each["texts"], each["tokens"]) for each in CASES}


def test_a_layer_in_letters() -> None:
    """A layer keeps 72·T·H + 16·T + 12·A·T² bytes if F is four times H, as measured once by hand."""
    step = TrainingStep(BASE, texts=1, tokens=128)
    assert step.layer.formula() == "12·B·A·T² + 40·B·T·H + 8·B·T·F + 16·B·T"
    assert step.layer.value(step.sizes) == 72 * 128 * 768 + 16 * 128 + 12 * 12 * 128**2


def test_a_layer_at_a_time() -> None:
    """At its peak, checkpointing has one layer's activations in full; without it, the peak is what is kept."""
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
def test_what_cannot_be_is_refused(step: TrainingStep, says: str) -> None:
    """A step that is not recorded or cannot be is refused, with what would be accepted."""
    with pytest.raises(BadChoice, match=says):
        _ = step.number
