"""A model's config is read in the notations in which people write it, in every class of every architecture.

The expected totals are the engine's. `test_configs_read.py` tests how single texts are read.
"""

import json
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Question
from tests.samples import sample_of
from tests.scripts.calculating import Configuration
from tests.scripts.running import Scripts
from tests.scripts.test_module_lists import all_questions

NOTATIONS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("config_notations.toml").read_text(encoding="utf-8")
)


def written(question: Question, config: dict[str, Any], notation: dict[str, str]) -> str:
    """The text of a config in a notation, which gives the class in its own way."""
    entries = {key: value for key, value in config.items() if key not in {"model_type", "architectures"}}
    lines = [
        notation.get("entry", "").format(
            key=key, value=repr(value), plain=value, words=key.replace("_", " "), capitals=key.upper()
        )
        for key, value in entries.items()
    ]
    return (
        notation["text"]
        .format(
            config=question.architecture.config_class,
            model=question.resolved_class.name,
            type=question.architecture.model_type,
            name=question.model.name,
            arguments=", ".join(f"{key}={value!r}" for key, value in entries.items()),
            dictionary=repr(entries),
            json=json.dumps(entries),
            names="\n".join(f"    {key}={key.upper()}," for key in entries),
            entries=notation.get("separator", "\n").join(lines),
        )
        .strip()
    )


def with_one_more_layer(question: Question) -> Question:
    """A question about a model that is not published, so that none of its sizes can be left unread."""
    sizes = question.model.sizes
    model = question.model._replace(sizes={**sizes, "L": sizes["L"] + 1})
    return Question(model, question.resolved_class.name)


def test_a_config_is_read_in_every_notation(scripts: Scripts) -> None:
    cases = sample_of([*product(map(with_one_more_layer, all_questions()), NOTATIONS)], part=89)
    configs = scripts.call("writtenConfigs", [Configuration(question).for_scripts() for question, _ in cases])
    texts = [
        written(question, config, NOTATIONS[name]) for (question, name), config in zip(cases, configs, strict=True)
    ]
    accounts = scripts.call("accountsAsTexts", texts)
    assert len(texts) > 100
    assert [] == [
        (name, text, account and account["headline"])
        for (question, name), text, account in zip(cases, texts, accounts, strict=True)
        if not account
        or f" {question.number:,} parameters" not in account["headline"]
        or account["confidence"] not in {"certain", "likely"}
        or not (account["model"] and question.resolved_class.name == account["model"]["modelClass"])
    ]


# 109,482,240 is BERT base, 66,955,008 has 6 of its layers, 7,087,872 each, and 41,373,184 is BERT-Medium.
@pytest.mark.parametrize(
    ("code", "total"),
    [
        ("config = BertConfig()\nmodel = BertModel(config)\nconfig.num_hidden_layers = 6", "109,482,240"),
        ("model = BertModel(BertConfig())\nmodel.config.num_hidden_layers = 6", "109,482,240"),
        ("config = BertConfig()\nother_config.num_hidden_layers = 6\nmodel = BertModel(config)", "109,482,240"),
        (
            "config = BertConfig(num_hidden_layers=4)\nconfig.num_hidden_layers = 6\nmodel = BertModel(config)",
            "66,955,008",
        ),
        (
            (
                '{"model_type": "bert"}\n\nconfig = BertConfig.from_json_file(path)\nconfig.num_hidden_layers = 6\n'
                "model = BertModel(config)"
            ),
            "66,955,008",
        ),
        ("config = BertConfig(); config.num_hidden_layers = 6; model = BertModel(config)", "66,955,008"),
        (
            (
                "SIZES = {'small': dict(num_hidden_layers=6), 'base': {}}\n"
                "config = BertConfig(**SIZES['small'])\nmodel = BertModel(config)"
            ),
            "66,955,008",
        ),
        ("base = {'num_hidden_layers': 4}\nBertModel(BertConfig(**{**base, 'num_hidden_layers': 6}))", "66,955,008"),
        (
            (
                "hidden = 512\nconfig = BertConfig(hidden_size=hidden, num_attention_heads=hidden // 64, "
                "intermediate_size=4 * hidden, num_hidden_layers=8)\nmodel = BertModel(config)"
            ),
            "41,373,184",
        ),
    ],
)
def test_only_changes_before_the_model_is_built_count(code: str, total: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [code])
    assert f" {total} parameters" in account["headline"]
    assert "certain" == account["confidence"]


@pytest.mark.parametrize(
    ("code", "unread_code"),
    [
        ("config = BertConfig()\nconfig.update(overrides)\nmodel = BertModel(config)", "config.update(overrides)"),
        ("config = BertConfig()\nconfig.hidden_size //= 2\nmodel = BertModel(config)", "config.hidden_size //= 2"),
        ("cfg = BertConfig()\nfor k, v in sizes:\n    setattr(cfg, k, v)", "setattr(cfg, k, v)"),
        ("config = BertConfig()\nconfig.a, config.b = sizes", "config.a, config.b = sizes"),
        ("model = BertModel(BertConfig(vocab_size=len(tokenizer)))", "vocab_size=len(tokenizer)"),
        (
            (
                'config = BertConfig.from_pretrained("bert-base-uncased", num_hidden_layers=6, '
                "vocab_size=len(tokenizer))\nmodel = BertModel(config)"
            ),
            "vocab_size=len(tokenizer)",
        ),
    ],
)
def test_code_that_would_have_to_be_run_is_named(code: str, unread_code: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [code])
    assert "likely" == account["confidence"]
    assert f"We cannot tell what {unread_code} sets, so the usual sizes are counted." in account["findings"]


def test_the_calculator_takes_no_default_for_a_value_that_only_running_the_code_would_tell(scripts: Scripts) -> None:
    (file,) = scripts.call("configFiles", ["config = BertConfig(vocab_size=len(tokenizer))\nconfig.update(overrides)"])
    entries = json.loads(file)
    assert ("len(tokenizer)", 768) == (entries["vocab_size"], entries["hidden_size"])
    assert entries["config.update(overrides)"]


def test_a_vocabulary_that_a_call_takes_from_a_tokenizer_is_the_usual_one(scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", ['BertModel.from_pretrained("bert-base-cased", vocab_size=len(tok))'])
    assert ("likely", 108_310_272) == (account["confidence"], account["model"]["total"])
    sentence = "The size of the vocabulary is worked out by your code, so the usual one is taken here."
    assert sentence in account["findings"]


@pytest.mark.parametrize(
    "code",
    [
        "config = BertConfig(hidden_size=args.hidden_size)",
        "for size in [128, 256]:\n    config = BertConfig(hidden_size=size)",
        "size = 128\nsize = 256\nconfig = BertConfig(hidden_size=size)",
        "config = BertConfig()\nconfig.hidden_size = args.hidden_size\nmodel = BertModel(config)",
    ],
)
def test_a_size_that_is_not_in_the_text_is_refused(code: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [code])
    assert account["headline"].startswith("This config cannot be counted: hidden_size is")
    assert None is account["model"]


def test_an_auto_class_is_the_class_of_the_configs_architecture(scripts: Scripts) -> None:
    # 590,592 is the pooler of BERT base, and 1,538 a classifier with two labels.
    classifier, encoder, unknown = scripts.call(
        "accountsAsTexts",
        [
            "model = AutoModelForTokenClassification.from_config(BertConfig())",
            "config = BertConfig()\nmodel = AutoModel.from_config(config)",
            "model = AutoModelForPreTraining.from_config(RobertaConfig())",
        ],
    )
    total = 109_482_240 - 590_592 + 1_538
    assert {"name": "bert-base-uncased", "modelClass": "BertForTokenClassification", "total": total} == classifier[
        "model"
    ]
    assert ("certain", 109_482_240) == (encoder["confidence"], encoder["model"]["total"])
    assert "likely" == unknown["confidence"]
    assert unknown["findings"][0].startswith("It names AutoModelForPreTraining, a class that we do not know.")


def test_code_may_leave_out_the_pooler(scripts: Scripts) -> None:
    text = "config = BertConfig()\nmodel = BertModel(config, add_pooling_layer=False)"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert {"name": "bert-base-uncased", "modelClass": "BertModel", "total": 109_482_240 - 590_592} == account["model"]
    assert "but other tensors" in account["headline"]


def test_code_that_builds_another_class_than_the_config_names_decides(scripts: Scripts) -> None:
    text = '{"model_type": "bert", "architectures": ["BertForMaskedLM"]}\n\nmodel = BertForPreTraining(config)'
    (account,) = scripts.call("accountsAsTexts", [text])
    assert "BertForPreTraining" == account["model"]["modelClass"]


def test_several_classes_in_a_text_are_named_and_none_is_chosen(scripts: Scripts) -> None:
    text = "from transformers import BertForMaskedLM, BertForPreTraining\nconfig = BertConfig(num_hidden_layers=6)"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert ("likely", "BertModel") == (account["confidence"], account["model"]["modelClass"])
    sentence = "Your text names several classes, BertForMaskedLM and BertForPreTraining; this is the bare model."
    assert sentence == account["findings"][0]


# 66,987,066 has 6 layers of 7,087,872 less than BERT base as BertForMaskedLM, 109,514,298.
@pytest.mark.parametrize(
    "code",
    [
        (
            "student_config = BertConfig(num_hidden_layers=6)\nteacher_config = BertConfig()\n"
            "student = BertForMaskedLM(student_config)\nteacher = BertModel(teacher_config)"
        ),
        "BertForMaskedLM(BertConfig(num_hidden_layers=6))\nBertModel(BertConfig())",
        (
            'BertConfig {"architectures": ["BertForMaskedLM"], "num_hidden_layers": 6}\n'
            'BertConfig {"architectures": ["BertModel"], "num_hidden_layers": 12}'
        ),
    ],
)
def test_each_config_in_code_is_counted_in_the_class_that_is_built_from_it(code: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [code])
    assert "certain" == account["confidence"]
    assert account["headline"] == (
        "Your text has 2 configs. Config 1: This is BERT miniature with L = 6 and H = 768, as BertForMaskedLM: "
        "66,987,066 parameters. Config 2: This is BERT base, uncased, as BertModel: 109,482,240 parameters."
    )


def test_equal_configs_are_counted_once(scripts: Scripts) -> None:
    text = 'Model config BertConfig {"hidden_size": 768}\nloading weights\nModel config BertConfig {"hidden_size": 768}'
    (account,) = scripts.call("accountsAsTexts", [text])
    assert ("certain", 109_482_240) == (account["confidence"], account["model"]["total"])


def test_a_class_of_another_model_than_the_config_is_refused(scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", ["model = RobertaForMaskedLM(BertConfig())"])
    assert None is account["model"]
    assert "it names RobertaForMaskedLM, a class of a model other than BERT" in account["headline"]


@pytest.mark.parametrize(
    "text",
    [
        "model_name: roberta-base\nhidden_size: 768\nnum_hidden_layers: 6\nnum_attention_heads: 12",
        '{"base_model": "roberta-base", "hidden_size": 768, "num_hidden_layers": 6}',
        "python train.py --model_name_or_path roberta-base --num_hidden_layers 6 --hidden_size 768",
    ],
)
def test_sizes_that_are_left_out_are_those_of_the_model_that_a_config_names(text: str, scripts: Scripts) -> None:
    # 82,118,400 is DistilRoBERTa, which has 6 layers of RoBERTa base.
    (account,) = scripts.call("accountsAsTexts", [text])
    assert ("likely", 82_118_400) == (account["confidence"], account["model"]["total"])
    assert account["findings"][0].startswith("The sizes that it leaves out are those of RoBERTa base, which it names:")


def test_the_other_arguments_of_a_call_leave_the_rest_to_a_file(scripts: Scripts) -> None:
    text = "model = build_transformer_model(config_path, checkpoint_path, hidden_size=768, num_hidden_layers=6)"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert ("possible", 66_955_008) == (account["confidence"], account["model"]["total"])


TABLES_OF_TWO_MODELS = [
    (
        "| | A | B |\n|---|---|---|\n| hidden_size | 768 | 512 |\n| num_hidden_layers | 12 | 8 |\n"
        "| num_attention_heads | 12 | 8 |\n| intermediate_size | 3072 | 2048 |"
    ),
    "name,hidden_size,num_hidden_layers,num_attention_heads,intermediate_size\nA,768,12,12,3072\nB,512,8,8,2048",
    "\tA\tB\nhidden_size\t768\t512\nnum_hidden_layers\t12\t8\nnum_attention_heads\t12\t8\nintermediate_size\t3072\t2048",
]
"""The sizes of BERT base and of BERT-Medium, with 109,482,240 and 41,373,184 parameters."""


SECTIONS_OF_TWO_MODELS = [
    (
        "teacher:\n  hidden_size: 768\n  num_hidden_layers: 12\n  architectures:\n  - BertModel\n"
        "student:\n  hidden_size: 512\n  num_hidden_layers: 8\n  num_attention_heads: 8\n  intermediate_size: 2048"
    ),
    (
        "[teacher]\nhidden_size = 768\nnum_hidden_layers = 12\n\n[student]\nhidden_size = 512\n"
        "num_hidden_layers = 8\nnum_attention_heads = 8\nintermediate_size = 2048"
    ),
    (
        '{"models": {"teacher": {"model_type": "bert"}, "student": {"hidden_size": 512, "num_hidden_layers": 8, '
        '"num_attention_heads": 8, "intermediate_size": 2048}}}'
    ),
]
"""The same two models, in YAML, TOML and JSON."""


@pytest.mark.parametrize("table", [*TABLES_OF_TWO_MODELS, *SECTIONS_OF_TWO_MODELS])
def test_each_model_in_a_table_or_in_a_section_is_counted(table: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [table])
    assert account["headline"].startswith("Your text has 2 configs.")
    assert "Config 2 has 41,373,184 parameters, 68,109,056 fewer than the first." in account["findings"]


def test_a_sentence_that_leaves_out_sizes_says_which_defaults_are_taken(scripts: Scripts) -> None:
    # 13 layers of 7,087,872, and 24,426,624 + 31,290 + 768 × 768 + 3 × 768 besides
    text = "A BertForMaskedLM with 13 layers, hidden size 768, 12 heads and a vocabulary of 30522"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert ("likely", 109_514_298 + 7_087_872) == (account["confidence"], account["model"]["total"])
    assert any("intermediate_size = 3,072, max_position_embeddings = 512" in finding for finding in account["findings"])


def test_a_total_in_a_sentence_is_compared_with_that_of_its_sizes(scripts: Scripts) -> None:
    # the model of a widely read tutorial: 52,000 tokens, 514 positions, one segment and 6 layers
    text = (
        "RobertaForMaskedLM: vocab_size 52_000, max_position_embeddings 514, num_attention_heads 12, "
        "num_hidden_layers 6, type_vocab_size 1. Total 83,504,416 parameters"
    )
    (account,) = scripts.call("accountsAsTexts", [text])
    assert ("likely", 83_504_416) == (account["confidence"], account["model"]["total"])
    sentence = "The 83,504,416 beside the config is the total of RobertaForMaskedLM and RobertaForCausalLM."
    assert sentence in account["findings"]


def test_labels_and_layers_in_a_question_are_those_of_its_class(scripts: Scripts) -> None:
    text = "What is the number of parameters of a BertForSequenceClassification with 7 labels and 13 layers?"
    (account,) = scripts.call("accountsAsTexts", [text])
    assert 109_482_240 + 7_087_872 + 7 * 769 == account["model"]["total"]


SENTENCES_ON_OTHER_THINGS = {
    "BertForTokenClassification with 9 labels and 12 layers: 107,726,601": "107,726,601 is BERT base, cased",
    "How many parameters are in the embeddings of BertModel with vocab_size 30522, hidden_size 768, num_hidden_layers "
    "12?": "the embeddings have 23,837,184 parameters",
    "Difference between BertForMaskedLM and BertForPreTraining with 12 layers, hidden size 768, 12 heads": (
        "These are the sizes of BERT base, uncased"
    ),
}
"""Sentences with sizes and classes that do not ask for the total of one class, each with words of its answer."""


@pytest.mark.parametrize("sentence", SENTENCES_ON_OTHER_THINGS)
def test_a_sentence_with_sizes_may_be_about_other_things(sentence: str, scripts: Scripts) -> None:
    (account,) = scripts.call("accountsAsTexts", [sentence])
    assert "labels" == account["kind"]
    assert SENTENCES_ON_OTHER_THINGS[sentence] in account["headline"]
