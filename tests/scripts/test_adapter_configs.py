"""PEFT's `adapter_config.json` and calls in code are explained, and the files that PEFT has saved add up."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.scripts.running import Scripts

CASES: list[dict[str, Any]] = json.loads(
    gzip.decompress((Path(__file__).parents[1] / "counting" / "recorded_adapter_configs.json.gz").read_bytes())
)["cases"]
"""The recorded files of adapters, each with the numbers that PEFT prints."""

MIN_COUNTED_FILES = 10
"""The minimum number of these files that the page's field must count, rather than leave to the command line."""

LORA_CONFIG: dict[str, Any] = next(case["config"] for case in CASES if case["change"] == "lora:8:query,value")
"""A file that the field counts: LoRA of rank 8 on query and value of BERT base."""


def account(scripts: Scripts, text: str) -> dict[str, Any]:
    """The account of a text, with sentences as plain text."""
    (result,) = scripts.call("configAccounts", [text])
    return dict(result)


def test_a_saved_adapter_has_the_numbers_that_peft_prints(scripts: Scripts) -> None:
    counted_files = 0
    for case in CASES:
        result = account(scripts, json.dumps(case["config"], indent=2))
        if result["kind"] == "refusal":
            assert "This field does not count" in result["headline"], result["headline"]
            assert "The command line counts more methods and options" in str(result["findings"])
            continue
        counted_files += 1
        assert (case["class"], case["total"]) == (result["model"]["modelClass"], result["model"]["total"]), case
        assert f"{case['trainable']:,} of {case['total']:,} parameters are trained" in result["headline"], case
        # These names are in the line that PEFT prints.
        assert "“trainable params” and “all params”" in str(result["findings"]), case
        has_frozen_head = case["config"]["task_type"] is None and case["class"].endswith("Classification")
        assert has_frozen_head == ("PEFT freezes the head" in str(result["findings"])), case
    assert counted_files >= MIN_COUNTED_FILES


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"peft_type": "XLORA"}, "its peft_type is XLORA"),
        ({"base_model_name_or_path": "/content/mine"}, "the model that it changes, /content/mine, is not known here"),
        ({"layers_to_transform": [0]}, "because of its layers_to_transform, which adapts only some of the layers"),
        ({"target_modules": ["query", "pooler.dense"]}, "because of its target_modules"),
        ({"r": "eight"}, "because of its r."),
        ({"bias": "all"}, "because of its bias"),
        ({"rank_pattern": {"query": 16}}, "because of its rank_pattern"),
        ({"modules_to_save": ["pooler"]}, "because of its modules_to_save"),
        ({"task_type": "CAUSAL"}, "because of its task_type"),
        ({"r": 0}, "PEFT refuses this adapter: its r is 0"),
        ({"target_modules": ["q_proj", "v_proj"]}, "has no module called q_proj or v_proj"),
    ],
)
def test_an_uncounted_adapter_is_refused_with_the_reason(keys: dict[str, Any], expected: str, scripts: Scripts) -> None:
    result = account(scripts, json.dumps({**LORA_CONFIG, **keys}))
    assert "refusal" == result["kind"]
    assert None is result["model"]
    assert expected in result["headline"]


def test_a_copy_of_every_module_of_a_head_is_that_of_the_head(scripts: Scripts) -> None:
    """2 x 8 x 768 for each of 12 matrices, and 768² + 768 and 2 x 768 + 2 in the copies of the head's modules."""
    keys = {"base_model_name_or_path": "distilbert-base-uncased", "target_modules": ["q_lin", "v_lin"]}
    result = account(
        scripts,
        json.dumps(
            {**LORA_CONFIG, **keys, "task_type": "SEQ_CLS", "modules_to_save": ["pre_classifier", "classifier"]}
        ),
    )
    assert "739,586 of 67,694,596 parameters are trained" in result["headline"]


def test_a_file_that_names_no_model_is_counted_for_bert_base(scripts: Scripts) -> None:
    """As PEFT 0.21.2 prints for such a BERT with DoRA: 24 x (2 x 8 x 768 + 768), and 2 x 768 + 2 in the copied head."""
    keys = {"base_model_name_or_path": None, "use_dora": True, "task_type": "SEQ_CLS"}
    result = account(scripts, json.dumps({**LORA_CONFIG, **keys}))
    assert "314,882 of 109,798,660 parameters are trained" in result["headline"]
    assert any("does not name the model" in words for words in result["findings"])


ADAPTER_HUB_OPTIONS = {"ln_after": False, "mh_adapter": False, "output_adapter": True, "reduction_factor": 16}
ADAPTER_HUB_FILE = {"model_name": "bert-base-uncased", "model_type": "bert", "hidden_size": 768}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # 12 x (2 x 768 x 48 + 48 + 768), and twice as many
        ({}, "Pfeiffer adapters of width 48 in BERT base, uncased, have 894,528 parameters"),
        ({"mh_adapter": True}, "Houlsby adapters of width 48 in BERT base, uncased, have 1,789,056 parameters"),
        ({"ln_after": True}, "which this field does not count because of its ln_after"),
        ({"architecture": "lora"}, "which this field does not count because of its architecture"),
    ],
)
def test_a_file_of_adapter_hub_gives_the_size_of_the_adapter(
    options: dict[str, Any], expected: str, scripts: Scripts
) -> None:
    result = account(scripts, json.dumps({**ADAPTER_HUB_FILE, "config": {**ADAPTER_HUB_OPTIONS, **options}}))
    assert expected in result["headline"]


def test_all_linear_layers_are_named_together(scripts: Scripts) -> None:
    result = account(scripts, json.dumps({**LORA_CONFIG, "target_modules": ["query", "key", "value", "dense"]}))
    assert result["headline"].startswith("LoRA of rank 8 on all linear layers (all-linear) in BERT base")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 2 x 16 x 768 for each of 24 matrices, and 2 x 768 + 2 in the copy of the head
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
def test_a_call_that_names_no_model_is_counted_for_bert_base(text: str, expected: str, scripts: Scripts) -> None:
    result = account(scripts, text)
    assert expected in result["headline"]
    assert any("does not name the model" in finding for finding in result["findings"])
    assert "likely" == result["confidence"]


CALLS = [
    ("AutoModel.from_pretrained('roberta-base')", "LoraConfig(r=8)", 294_912, 124_940_544),
    ("AutoConfig.from_pretrained('roberta-base')", "LoraConfig(r=8)", 294_912, 124_940_544),
    ('model_name = "roberta-base"', "get_peft_model(model, LoraConfig())", 294_912, 124_940_544),
    (
        "AutoModelForSequenceClassification.from_pretrained('roberta-base', num_labels=7)",
        "LoraConfig(task_type='SEQ_CLS')",
        890_887,
        125_541_902,
    ),
    # Without a task, the head is frozen.
    (
        "AutoModelForSequenceClassification.from_pretrained('roberta-base', num_labels=7)",
        "LoraConfig()",
        294_912,
        124_945_927,
    ),
    (
        "RobertaForSequenceClassification.from_pretrained('roberta-base')",
        "LoraConfig(task_type=TaskType.SEQ_CLS, target_modules='all-linear')",
        1_919_234,
        126_566_404,
    ),
    (
        "pipeline('fill-mask', model='bert-base-uncased')",
        "LoraConfig(target_modules='all-linear')",
        1_339_392,
        110_821_632,
    ),
    ("BertForMaskedLM.from_pretrained('bert-base-uncased')", "LoraConfig()", 294_912, 109_809_210),
    ("AutoModel.from_pretrained('microsoft/deberta-v3-base')", "LoraConfig()", 294_912, 184_126_464),
    ("AutoModel.from_pretrained('bert-base-uncased')", "IA3Config()", 64_512, 109_546_752),
    (
        "AutoModelForSequenceClassification.from_pretrained('bert-base-uncased')",
        "IA3Config(target_modules=['key', 'value'], task_type='SEQ_CLS')",
        19_970,
        109_503_748,
    ),
]
"""Code that loads a model, the config of an adapter, and the result of PEFT 0.21.2's `get_nb_trainable_parameters`."""


@pytest.mark.parametrize(("code", "config", "trained", "total"), CALLS, ids=lambda value: str(value)[:60])
def test_the_code_around_a_call_gives_its_model_class_and_labels(
    code: str, config: str, trained: int, total: int, scripts: Scripts
) -> None:
    result = account(scripts, f"{code}\nconfig = {config}\nmodel.print_trainable_parameters()")
    assert f"{trained:,} of {total:,} parameters are trained" in result["headline"]
    assert "certain" == result["confidence"]
    assert not any("does not name the model" in finding for finding in result["findings"])


@pytest.mark.parametrize(
    ("code", "config", "expected"),
    [
        # PEFT 0.21.2 answers "Please specify `target_modules`" for the first two.
        (
            "AutoModel.from_pretrained('distilbert-base-uncased')",
            "LoraConfig()",
            "PEFT has no default modules for Dist",
        ),
        ("AutoModel.from_pretrained('albert-base-v2')", "LoraConfig()", "PEFT has no default modules for ALBERT"),
        ("AutoModel.from_pretrained('me/klingon')", "LoraConfig()", "me/klingon, is not known here"),
        # PEFT refuses to copy a head that it has adapted. Without a task, the head is adapted and not copied.
        (
            "AutoModelForTokenClassification.from_pretrained('bert-base-uncased')",
            "LoraConfig(task_type='TOKEN_CLS', target_modules='all-linear')",
            "because of its target_modules",
        ),
        (
            "AutoModelForSequenceClassification.from_pretrained('bert-base-uncased')",
            "LoraConfig(target_modules='all-linear')",
            "because of its target_modules",
        ),
        # `get_peft_model` raises a KeyError.
        (
            "AutoModel.from_pretrained('bert-base-uncased')",
            "PromptTuningConfig(num_virtual_tokens=8)",
            "of its task_type",
        ),
    ],
)
def test_an_uncounted_call_is_refused_with_the_reason(code: str, config: str, expected: str, scripts: Scripts) -> None:
    result = account(scripts, f"model = {code}\nconfig = {config}")
    assert "refusal" == result["kind"]
    assert expected in result["headline"]
