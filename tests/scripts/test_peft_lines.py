"""The answers to lines that PEFT prints name the recorded model and change.

The lines are recorded by `tests/oracles/record_peft_lines.py`.
"""

import gzip
import itertools
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ChangedModel, Question, model_named
from macros.counting.changes.methods import Change

from .running import Scripts

RECORDING_FILE = Path(__file__).parents[1] / "counting" / "recorded_peft_lines.json.gz"

INTERVAL = 4  # the engine checks the ways for every fourth line, since checking all of them takes too long
CURRENT_HEAD_TREATMENTS = ("copied", "frozen")  # the ways in which PEFT treats a head today
SAME_TENSORS = {"rslora": "lora", "hira": "lora"}  # the same tensors under another name


@cache
def recorded_lines() -> list[dict[str, Any]]:
    """The recorded lines, each with the model, class and change that led to it."""
    cases: list[dict[str, Any]] = json.loads(gzip.decompress(RECORDING_FILE.read_bytes()))["cases"]
    return cases


@pytest.fixture(scope="module")
def ways(scripts: Scripts) -> list[list[dict[str, Any]]]:
    """For each line, the ways that an answer would give for its two numbers, likeliest first."""
    ways_of_lines: list[list[dict[str, Any]]] = scripts.call(
        "adaptedWays", [numbers(case["text"]) for case in recorded_lines()]
    )
    return ways_of_lines


def numbers(text: str) -> list[int]:
    """The numbers of trainable and of all parameters, from a line that PEFT prints."""
    return [int(number.replace(",", "")) for number in re.findall(r"([0-9,]+) \|\|", text)]


def change_of(text: str) -> tuple[str, frozenset[tuple[str, Any]]]:
    """The method and the options of a change, without the task and without the classifier, which PEFT copies anyway."""
    change = Change.parse(text)
    options = {
        key: tuple(sorted(value)) if isinstance(value, tuple) else value for key, value in change.options.items()
    }
    if options.get("save") == ("classifier",):
        del options["save"]
    options.pop("task", None)
    name = change.method.name
    return SAME_TENSORS.get(name, name), frozenset(options.items())


def test_answers_name_the_model_and_the_change(ways: list[list[dict[str, Any]]]) -> None:
    """Nearly all lines are answered, always with their model and class among the ways, and mostly with their change."""
    answered_cases = [
        (case, ways_of_line) for case, ways_of_line in zip(recorded_lines(), ways, strict=True) if ways_of_line
    ]
    unnamed_models = [
        (case["model"], case["class"], case["change"])
        for case, ways_of_line in answered_cases
        if (case["model"], case["class"]) not in {(way["model"], way["modelClass"]) for way in ways_of_line}
    ]
    assert [] == unnamed_models
    cases_with_change = [
        case
        for case, ways_of_line in answered_cases
        if change_of(case["change"])
        in [change_of(way["change"]) for way in ways_of_line if way["head"] in CURRENT_HEAD_TREATMENTS]
    ]
    assert len(recorded_lines()) == 160
    assert len(answered_cases) >= 157
    assert len(cases_with_change) >= 148


def test_the_engine_counts_both_numbers_for_each_way(ways: list[list[dict[str, Any]]]) -> None:
    faults = []
    for case, ways_of_line in [*zip(recorded_lines(), ways, strict=True)][::INTERVAL]:
        for way in ways_of_line:
            if way["head"] in CURRENT_HEAD_TREATMENTS:
                model = model_named(way["model"])
                model = model.resized(C=way["labels"]) if way["labels"] else model
                changed_model = ChangedModel.build(Question(model, way["modelClass"]), [way["change"]])
                if numbers(case["text"]) != [changed_model.trainable, changed_model.number]:
                    faults.append((case["change"], way))
    assert [] == faults


def test_no_certain_account_names_a_model_of_other_sizes(scripts: Scripts) -> None:
    accounts = scripts.call("labelAccounts", [case["text"] for case in recorded_lines()])
    certain_pairs = [
        (case, account)
        for case, account in zip(recorded_lines(), accounts, strict=True)
        if account["confidence"] == "certain"
    ]
    faults = [
        (case["model"], account["headline"])
        for case, account in certain_pairs
        if model_named(case["model"]).sizes != model_named(account["model"]["name"]).sizes
    ]
    assert [] == faults
    assert len(certain_pairs) > 50


LOHA_MODULES = {
    ("bert-base-uncased", "BertForSequenceClassification"): ("query+value", "query", "query+key+value"),
    ("roberta-base", "RobertaForSequenceClassification"): ("query+value", "query+key+value"),
    ("distilbert-base-uncased", "DistilBertForSequenceClassification"): ("q_lin+v_lin", "q_lin+k_lin+v_lin"),
    ("bert-large-uncased", "BertForQuestionAnswering"): ("query+value",),
    ("bert-base-uncased", "BertModel"): ("query+value", "dense"),
    ("roberta-base", "RobertaForMaskedLM"): ("dense",),
    ("deberta-v3-base", "DebertaV2ForSequenceClassification"): ("dense",),
    ("mpnet-base", "MPNetForMaskedLM"): ("dense",),
}
"""Sets of modules that LoHa may adapt, by model and class."""


def test_a_line_of_loha_names_loha_too(scripts: Scripts) -> None:
    """LoHa adds as many parameters as LoRA of another rank, so the answer must name LoHa too."""
    texts = []
    for (name, model_class), module_sets in LOHA_MODULES.items():
        for modules, rank in itertools.product(module_sets, (1, 3, 8, 32)):
            model = ChangedModel.build(Question(model_named(name), model_class), [f"loha:r={rank}:modules={modules}"])
            texts.append(f"trainable params: {model.trainable:,} || all params: {model.number:,}")
    accounts = scripts.call("labelAccounts", texts)
    assert [] == [text for text, account in zip(texts, accounts, strict=True) if "LoHa" not in json.dumps(account)]
    assert len(texts) > 30


DENSE_LINES = {
    "1,193,474 || all params: 110,677,252": "LoRA of rank 8 on query, value and all modules called dense",
    "1,795,586 || all params: 111,279,364": "LoHa of rank 8 on all modules called dense",
    "897,024 || all params: 125,544,194": "LoRA of rank 8 on all modules called dense",
}
"""The output of PEFT 0.21.2 for BERT base and RoBERTa base with heads for sequence classification, with the method.

The last line was printed for a config without a task type.
"""


def test_the_name_dense_includes_the_pooler_and_a_head_that_is_not_copied(scripts: Scripts) -> None:
    """Modules called dense are in the encoder, in the pooler and, unless PEFT copies it, in the head."""
    accounts = scripts.call("labelAccounts", [f"trainable params: {numbers}" for numbers in DENSE_LINES])
    for (numbers, method), account in zip(DENSE_LINES.items(), accounts, strict=True):
        assert method in json.dumps(account), numbers


FLOAT32_LINES = {
    "12,594 || all params: 4,398,776": ("BERT-Tiny", "query and value"),
    "444,194 || all params: 109,927,996": ("BERT base", "query and value"),
    "813,458 || all params: 67,768,480": ("DistilBERT", "query and value"),
    "2,011,502 || all params: 186,435,257": ("DeBERTa-v3 base", "all linear layers"),
    "449,577 || all params: 109,348,170": ("BERT base", "query and value"),
}
"""The output of PEFT 0.21.2 for AdaLoRA of rank 12, with the model and the modules.

It was recorded with real models on a CPU: BERT-Tiny, BERT base, DistilBERT and DeBERTa-v3 base with heads for sequence
classification, and BERT base for token classification with nine labels.
"""

BFLOAT16_LINES = {
    "444,218 || all params: 109,927,996": ("BERT base", 24),
    "2,583,722 || all params: 127,230,892": ("RoBERTa base", 72),
    "3,247,742 || all params: 151,908,736": ("Longformer base", 108),
    "2,232,759 || all params: 141,426,617": ("DeBERTa base", 73),
}
"""The output for AdaLoRA in bfloat16, with the number of parameters for ranks that PEFT trains by mistake.

In Longformer base and DeBERTa base, AdaLoRA adapts all linear layers.
"""


def test_added_parameters_need_not_be_trained(scripts: Scripts) -> None:
    """AdaLoRA's ranks count as parameters that are not trained, unless PEFT trains them by mistake, as in bfloat16."""
    texts = [f"trainable params: {numbers}" for numbers in (*FLOAT32_LINES, *BFLOAT16_LINES)]
    accounts = scripts.call("labelAccounts", texts)
    float32_accounts, bfloat16_accounts = accounts[: len(FLOAT32_LINES)], accounts[len(FLOAT32_LINES) :]
    for (model, modules), account in zip(FLOAT32_LINES.values(), float32_accounts, strict=True):
        assert model in account["headline"]
        assert f"AdaLoRA of rank 12 on {modules}" in account["headline"]
        assert "by mistake" not in json.dumps(account)
    for (model, number), account in zip(BFLOAT16_LINES.values(), bfloat16_accounts, strict=True):
        assert model in account["headline"]
        assert "AdaLoRA of rank 12 on " in account["headline"]
        assert account["confidence"] in ("certain", "likely")
        assert f"PEFT trains {number} of these parameters by mistake" in account["findings"][0]


LINES_WITH_ODD_SIZE = [
    # 24 x (23 x 1,536 + 768): DoRA of rank 23 is implausible, and so is LoRA of rank 47 on the query alone.
    "trainable params: 866,304 || all params: 110,348,544 || trainable%: 0.7851",
    # Naming the method does not make an odd size of it likely.
    "LoRA trainable params: 867,842 || all params: 110,351,620 || trainable%: 0.7864",
    # Nor do the names of the model and its class: 383 x 768 + 768 x 769 + 4 x 769.
    """DistilBertForSequenceClassification.from_pretrained('distilbert-base-uncased', num_labels=4)
LoraConfig(task_type='SEQ_CLS', r=16)
trainable params: 887,812 || all params: 67,844,360 || trainable%: 1.3086""",
]
"""Lines that only an odd size of a method explains."""


def test_an_explanation_by_an_odd_size_is_only_possible(scripts: Scripts) -> None:
    for account in scripts.call("labelAccounts", LINES_WITH_ODD_SIZE):
        assert "This may be a coincidence" in account["headline"]
        assert "possible" == account["confidence"]


def test_prompt_tuning_is_certain_only_if_it_is_named(scripts: Scripts) -> None:
    """Any number of tokens may be trained: 10 x 768, and a classifier of 2 x 768 + 2, which counts twice."""
    line = "trainable params: 9,218 || all params: 109,492,996 || trainable%: 0.0084"
    accounts = scripts.call("accounts", [line, f"# prompt tuning\n{line}"])
    assert all("prompt tuning of 10 tokens" in account["headline"] for account in accounts)
    assert [account["confidence"] for account in accounts] == ["likely", "certain"]
