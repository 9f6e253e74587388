"""Tests of PEFT's `adapter_config.json` in the field for anything, with files that PEFT saved."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.scripts.running import Scripts

CASES: list[dict[str, Any]] = json.loads(
    gzip.decompress((Path(__file__).parents[1] / "counting" / "recorded_adapter_configs.json.gz").read_bytes())
)["cases"]

FEWEST = 10
"""The fewest of these files that the field counts; it leaves the others to the command line."""


def account(scripts: Scripts, text: str) -> dict[str, Any]:
    """The account of one text."""
    (account,) = scripts.call("configAccounts", [text])
    return dict(account)


def test_a_saved_adapter_has_the_numbers_that_peft_prints(scripts: Scripts) -> None:
    """The field counts an adapter as PEFT does, or says that the command line counts more."""
    count = 0
    for case in CASES:
        result = account(scripts, json.dumps(case["config"], indent=2))
        if result["kind"] == "refusal":
            assert "This field does not count" in result["headline"], result["headline"]
            assert "The command line counts more methods and options" in str(result["findings"])
            continue
        count += 1
        assert (case["class"], case["total"]) == (result["model"]["modelClass"], result["model"]["total"]), case
        assert f"{case['trainable']:,} of {case['total']:,} parameters are trained" in result["headline"], case
    assert count >= FEWEST


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"peft_type": "XLORA"}, "its peft_type is XLORA"),
        ({"base_model_name_or_path": "/content/mine"}, "the model that it changes, /content/mine, is not known here"),
        ({"base_model_name_or_path": None}, "is not known here"),
        ({"layers_to_transform": [0]}, "because of its layers_to_transform"),
        ({"target_modules": ["query", "pooler.dense"]}, "because of its target_modules"),
        ({"r": "eight"}, "because of its r."),
        ({"bias": "all"}, "because of its bias"),
        ({"rank_pattern": {"query": 16}}, "because of its rank_pattern"),
        ({"modules_to_save": ["pooler"]}, "because of its modules_to_save"),
        ({"task_type": "CAUSAL"}, "because of its task_type"),
    ],
)
def test_what_is_not_counted_is_refused(keys: dict[str, Any], says: str, scripts: Scripts) -> None:
    """An adapter that is not counted gets a sentence that says why, and no number."""
    lora = next(case["config"] for case in CASES if case["change"] == "lora:8:query,value")
    result = account(scripts, json.dumps({**lora, **keys}))
    assert "refusal" == result["kind"]
    assert None is result["model"]
    assert says in result["headline"]


def test_every_linear_layer_has_one_name(scripts: Scripts) -> None:
    """If all linear layers are adapted, single ones are not named again."""
    lora = next(case["config"] for case in CASES if case["change"] == "lora:8:query,value")
    result = account(scripts, json.dumps({**lora, "target_modules": ["query", "key", "value", "dense"]}))
    assert result["headline"].startswith("LoRA of rank 8 on all linear layers (all-linear) in BERT base")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        # 2 x 16 x 768 x 24 matrices, and 2 x 768 + 2 in the copy of the head
        (
            'LoraConfig(r=16, target_modules=["query", "value"], lora_alpha=32, task_type=TaskType.SEQ_CLS)',
            "as BertForSequenceClassification: 591,362 of 110,075,140 parameters are trained",
        ),
        # PEFT's own defaults: rank 8 on query and value
        ("LoraConfig()", "as BertModel: 294,912 of 109,777,152 parameters are trained"),
        # 20 x 768, and the copy of the head
        (
            'PromptTuningConfig(task_type="SEQ_CLS", num_virtual_tokens=20)',
            "as BertForSequenceClassification: 16,898 of 109,500,676 parameters are trained",
        ),
    ],
)
def test_a_call_is_read_like_a_file(text: str, says: str, scripts: Scripts) -> None:
    """A call names no model, so it is counted for BERT base, and the account says so."""
    result = account(scripts, text)
    assert says in result["headline"]
    assert any("does not name the model" in finding for finding in result["findings"])
    assert "likely" == result["confidence"]
