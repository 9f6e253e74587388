"""Counts of fine-tuned models, compared with PEFT and transformers as `tests/oracles/record_peft.py` recorded them.

`tests/scripts/test_changes.py` compares the calculator's scripts with the whole recording.
"""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from macros.counting import Question, model_of_config
from macros.counting.architectures.albert import ALBERT
from macros.counting.blocks import DATA, blocks_of
from tests.counting.unrecorded import CLASSES_IN_RELEASE_5, unrecorded_message

RECORDING_FILE = Path(__file__).parent / "recorded_changes.json.gz"


@cache
def load_recording() -> dict[str, Any]:
    """The recording, with its versions, script and cases."""
    contents: dict[str, Any] = json.loads(gzip.decompress(RECORDING_FILE.read_bytes()))
    return contents


def number_with(case: dict[str, Any], deviation: str) -> int:
    """The number of parameters of a case, counted with one deviation."""
    model = model_of_config("a", {**case["config"], "model_type": case["model_type"]})
    return Question(model, case["class"], deviations=(deviation,)).number


def test_everything_is_recorded() -> None:
    cases, changes = load_recording()["cases"], blocks_of(DATA / "changes.toml")
    assert {"0.21.2", "5.23.0"} < set(load_recording()["versions"].values())
    classes = {case["class"] for case in cases}
    assert classes == CLASSES_IN_RELEASE_5, unrecorded_message(CLASSES_IN_RELEASE_5 ^ classes, "record_peft")
    assert 12 <= min(Counter(case["class"] for case in cases if "rank" in case).values())
    assert {*changes["adapted"], changes["all_linear"]} == {name for case in cases for name in case.get("modules", ())}
    assert {"embeddings", "layers", "all_but_head"} == {name for case in cases for name in case.get("frozen", ())}
    assert len(classes) <= sum("biases" in case for case in cases)


def test_deviations_for_lora_give_the_numbers_that_peft_prints() -> None:
    """They assume one self-attention per layer, so ALBERT and decoders with cross-attention are left out."""
    cases = [
        case
        for case in load_recording()["cases"]
        if (case.get("rank"), case.get("modules")) == (8, ["query", "value"])
        and not case["config"].get("add_cross_attention")
        and case["model_type"] != ALBERT.model_type
    ]
    printed_numbers = [[case["trainable"], case["total"]] for case in cases]
    assert printed_numbers == [[number_with(case, "lora-alone"), number_with(case, "lora-added")] for case in cases]
    assert len(cases) > 30


def test_deviations_for_missing_biases_or_a_frozen_encoder_give_the_numbers_of_transformers() -> None:
    cases_without_biases = [case for case in load_recording()["cases"] if not case.get("biases", True)]
    assert [case["total"] for case in cases_without_biases] == [
        number_with(case, "biases-left-out") for case in cases_without_biases
    ]
    assert len(cases_without_biases) > 40
    # The deviation for a frozen encoder is for classes that add a task head to a pretrained body.
    tasks = ("SequenceClassification", "TokenClassification", "QuestionAnswering", "MultipleChoice")
    cases_with_frozen_body = [
        case for case in load_recording()["cases"] if case.get("frozen") == {"all_but_head": True}
    ]
    cases_with_frozen_body = [case for case in cases_with_frozen_body if case["class"].endswith(tasks)]
    assert [case["trainable"] for case in cases_with_frozen_body] == [
        number_with(case, "encoder-frozen") for case in cases_with_frozen_body
    ]
    assert len(cases_with_frozen_body) > 20
