"""Reading PEFT's `adapter_config.json` as a change gives the numbers that PEFT prints.

`tests/oracles/record_adapter_configs.py` records the files that PEFT saved and the numbers that it printed.
"""

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BadConfig, CountingError, Question, model_named
from macros.counting.__main__ import main
from macros.counting.changes.adapter_config import adapter_of
from macros.counting.changes.changed_model import ChangedModel
from macros.counting.changes.methods import Change, rules

CASES: list[dict[str, Any]] = json.loads(
    gzip.decompress((Path(__file__).parent / "recorded_adapter_configs.json.gz").read_bytes())
)["cases"]

LORA = {
    "peft_type": "LORA",
    "base_model_name_or_path": "bert-base-uncased",
    "r": 8,
    "target_modules": ["query", "value"],
    "task_type": "SEQ_CLS",
}


@pytest.mark.parametrize("case", CASES, ids=[f"{case['class']}-{case['change']}" for case in CASES])
def test_a_saved_adapter_has_the_numbers_that_peft_prints(case: dict[str, Any]) -> None:
    adapter = adapter_of("adapter_config.json", case["config"])
    model = model_named(adapter.base_model)
    assert case["class"] == adapter.class_in(model.architecture)
    changed_model = ChangedModel.build(Question(model, case["class"]), [adapter.change])
    assert [case["trainable"], case["total"]] == [changed_model.trainable, changed_model.number]
    assert () == adapter.unknown_keys


def test_every_type_of_adapter_is_recorded() -> None:
    assert {case["config"]["peft_type"] for case in CASES} == {*rules()["adapter_config"]}


def test_usual_values_are_those_that_peft_writes() -> None:
    recorded_pairs = [(key, value) for case in CASES for key, value in case["config"].items()]
    usual_pairs = [(key, value) for key, values in rules()["adapter_usual"].items() for value in values]
    assert [] == [pair for pair in usual_pairs if pair not in recorded_pairs]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"peft_type": "XLORA"}, "X-LoRA mixes LoRA adapters"),
        ({"peft_type": "POLY"}, 'peft_type is "POLY"; the methods that are counted are LORA, '),
        ({"peft_type": None}, "peft_type is null"),
        ({"base_model_name_or_path": None}, "base_model_name_or_path is null; write the name of the model"),
        ({"base_model_name_or_path": "/content/mine"}, 'its model "/content/mine" is not known here; give the config'),
        ({"target_modules": ".*query"}, "only a list of names of modules"),
        ({"target_modules": ["nosuch"]}, "nosuch"),
        ({"layers_to_transform": [0, 1]}, "layers_to_transform is [0, 1]; it changes which tensors are added"),
        ({"rank_pattern": {"query": 4}}, "rank_pattern is"),
        ({"r": "eight"}, 'r is "eight"'),
        ({"r": None}, "lacks r, the rank"),
        ({"task_type": "SEQ_2_SEQ_LM"}, 'no class for the task "SEQ_2_SEQ_LM"'),
        ({"trainable_token_indices": {"embed": [1]}}, "only a list is counted"),
        ({"bias": "some"}, "bias is"),
    ],
)
def test_a_config_that_is_not_counted_is_refused(
    keys: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "adapter_config.json"
    path.write_text(json.dumps({**LORA, **keys}))
    assert 2 == main([str(path)])
    out, err = capsys.readouterr()
    assert "" == out
    assert 1 == len(err.splitlines())
    assert message in err


@pytest.mark.parametrize("key", rules()["adapter_usual"])
@pytest.mark.parametrize("peft_type", rules()["adapter_config"])
def test_a_key_that_may_add_tensors_is_refused_unless_the_method_has_an_option_for_it(peft_type: str, key: str) -> None:
    config = next(case["config"] for case in CASES if case["config"]["peft_type"] == peft_type)
    method = Change.parse(adapter_of("a", config).change).method
    if key in method.options:
        adapter_of("a", {**config, key: "all"})
        return
    for value in (True, 3, "unusual", [3], {"query": 3}):
        if value not in rules()["adapter_usual"][key]:
            with pytest.raises(BadConfig, match=f"a: {key} is "):
                adapter_of("a", {**config, key: value})


def test_the_command_line_reads_an_adapter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "adapter_config.json"
    path.write_text(json.dumps({**LORA, "some_new_key": 3}))
    assert 0 == main([str(path), "--json"])
    answer = json.loads(capsys.readouterr().out)
    # Source: PEFT 0.21.2.
    assert [109_780_228, 296_450] == [answer["total"], answer["trainable"]]
    assert "BertForSequenceClassification" == answer["model_class"]
    assert "is read as bert-base-uncased with --change lora:r=8:modules=query+value" in str(answer["note"])
    assert "some_new_key" in str(answer["note"])
    assert 0 == main([str(path), "--change", "int8", "--labels", "5"])
    assert "int8" in capsys.readouterr().out


# The numbers that PEFT 0.21.2 prints for BERT base: for token classification, with the head among the adapted modules,
# and for sequence classification, with a task type for which PEFT copies no head.
COPIES_OF_HEADS = [
    (
        {"task_type": "TOKEN_CLS", "target_modules": ["query", "classifier"], "modules_to_save": ["classifier"]},
        "BertForTokenClassification",
        [148_994, 109_042_180],
    ),
    ({"task_type": "FEATURE_EXTRACTION"}, "BertForSequenceClassification", [294_912, 109_778_690]),
]


@pytest.mark.parametrize(("keys", "class_name", "numbers"), COPIES_OF_HEADS)
def test_the_head_is_copied_as_the_file_says(keys: dict[str, Any], class_name: str, numbers: list[int]) -> None:
    """A head that is both adapted and saved has no adapters, and feature extraction copies no head."""
    change = adapter_of("adapter_config.json", {**LORA, **keys}).change
    changed_model = ChangedModel.build(Question(model_named("bert-base-uncased"), class_name), [change])
    assert numbers == [changed_model.trainable, changed_model.number]


@pytest.mark.parametrize("value", [[], {}, 3, -1, True, None, "", "a:b", [[]], [1], {"a": []}])
@pytest.mark.parametrize("key", [*LORA, "modules_to_save", "bias", "auto_mapping", "use_dora"])
def test_any_value_is_read_or_refused(key: str, value: object) -> None:
    with suppress(CountingError):
        adapter = adapter_of("a", {**LORA, key: value})
        ChangedModel.build(Question(model_named("bert-base-uncased")), [adapter.change])
        assert adapter.class_in(model_named("bert-base-uncased").architecture).startswith("Bert")
