"""Counts of fine-tuned models, compared with PEFT and transformers as `tests/oracles/record_peft.py` recorded them.

`tests/scripts/test_changes.py` compares the calculator's scripts with the whole recording.
"""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from macros.counting import ARCHITECTURES, Question, model_of_config
from macros.counting.architectures.albert import ALBERT
from macros.counting.blocks import DATA, blocks_of
from tests.counting.unrecorded import unrecorded

RECORDED = Path(__file__).parent / "recorded_changes.json.gz"


@cache
def recorded() -> dict[str, Any]:
    """The recording: versions, script and cases."""
    contents: dict[str, Any] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return contents


def number(case: dict[str, Any], deviation: str) -> int:
    """The number of parameters of a case with one deviation."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    return Question(model, case["class"], deviations=(deviation,)).number


def test_everything_is_recorded() -> None:
    """Every class is recorded with a dozen LoRA settings, every module, frozen parts, and without biases."""
    cases, changes = recorded()["cases"], blocks_of(DATA / "changes.toml")
    assert {"0.21.2", "5.23.0"} < set(recorded()["versions"].values())
    classes = {each.name for architecture in ARCHITECTURES.values() for each in architecture.classes}
    seen = {each["class"] for each in cases}
    assert classes == seen, unrecorded(classes ^ seen, "record_peft")
    assert 12 <= min(Counter(each["class"] for each in cases if "rank" in each).values())
    assert {*changes["adapted"], changes["all_linear"]} == {name for each in cases for name in each.get("modules", ())}
    assert {"embeddings", "layers", "all_but_head"} == {name for each in cases for name in each.get("frozen", ())}
    assert len(classes) <= sum("biases" in each for each in cases)


def test_what_people_count_as_lora_is_what_peft_prints() -> None:
    """In every class whose layers share no weights, the deviations for LoRA give the numbers that PEFT prints."""
    cases = [
        each
        for each in recorded()["cases"]
        if (each.get("rank"), each.get("modules")) == (8, ["query", "value"])
        and not each["config"].get("add_cross_attention")
        and each["model_type"] != ALBERT.model_type
    ]
    printed = [[each["trainable"], each["total"]] for each in cases]
    assert printed == [[number(each, "lora-alone"), number(each, "lora-added")] for each in cases]
    assert len(cases) > 30


def test_what_people_leave_out_is_what_transformers_lacks() -> None:
    """The deviations for missing biases and a frozen encoder give the numbers of transformers in every class."""
    without = [each for each in recorded()["cases"] if not each.get("biases", True)]
    assert [each["total"] for each in without] == [number(each, "biases-left-out") for each in without]
    assert len(without) > 40
    tasks = ("SequenceClassification", "TokenClassification", "QuestionAnswering", "MultipleChoice")
    heads = [each for each in recorded()["cases"] if each.get("frozen") == {"all_but_head": True}]
    heads = [each for each in heads if each["class"].endswith(tasks)]
    assert [each["trainable"] for each in heads] == [number(each, "encoder-frozen") for each in heads]
    assert len(heads) > 20
