"""Pasted configurations and models' names are explained.

A configuration is counted in any layout, and a model by any of its names. Neither is given the total of another model.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURE_OF_CLASS, ARCHITECTURES, load_models, load_relatives
from macros.counting.config import model_of_config
from macros.counting.errors import BadConfig
from macros.counting.model_names import ORGANISATIONS, advice_on, reason_against_type, uncounted_models
from macros.counting.models import model_named, models_by_every_name
from tests.counting.test_models import MOST_DOWNLOADED_CHECKPOINTS
from tests.counting.test_published_configs import PUBLISHED_CONFIGS, UNCOUNTED_CONFIG
from tests.counting.test_published_configs import TOTALS as PUBLISHED_TOTALS
from tests.scripts.running import Scripts

PRINT_OUTS = tomllib.loads(Path(__file__).with_name("printouts").joinpath("index.toml").read_text(encoding="utf-8"))[
    "printout"
]

OWN_NAMES = tomllib.loads(Path(__file__).with_name("own_names.toml").read_text(encoding="utf-8"))["case"]

MAX_MILLISECONDS = 300
"""The longest time that the account of a text may take."""


def accounts(scripts: Scripts, texts: list[str]) -> list[dict[str, Any]]:
    """The accounts of texts, with sentences as plain text."""
    results: list[dict[str, Any]] = scripts.call("configAccounts", texts)
    return results


def account(scripts: Scripts, text: str) -> dict[str, Any]:
    """The account of one text."""
    (result,) = accounts(scripts, [text])
    return result


def layouts(config: dict[str, Any]) -> Iterator[str]:
    """A published configuration in the layouts in which readers paste it.

    Without a `model_type`, these are JSON and a Python dict.
    """
    yield json.dumps(config)
    yield json.dumps(config, indent=2)
    yield f"$ cat config.json\n{json.dumps(config, indent=2)}"
    yield f"The config of our model,\nas saved by Trainer:\n\n{config!r}"
    if "model_type" not in config:
        return
    model_name = next(name for name, published_config in PUBLISHED_CONFIGS.items() if published_config == config)
    bare_class, *_ = PUBLISHED_TOTALS[model_name]
    name = ARCHITECTURE_OF_CLASS[bare_class].config_class
    yield f"{name} {json.dumps(config, indent=2)}\n"
    yield f"Model config {name} {json.dumps(config, indent=2)}\n\nloading weights file pytorch_model.bin\n"
    yield f">>> print(model.config)\n{name} {json.dumps(config, indent=2)}"
    yield repr(config)
    yield f"config = {config!r}"
    arguments = [f"{key}={value!r}" for key, value in config.items() if key != "_name_or_path"]
    yield f"{name}({', '.join(arguments)})"
    yield "config = transformers." + name + "(\n    " + ",\n    ".join(arguments) + ",  # as published\n)"
    yield "\n".join(f"{key}: {json.dumps(value)}" for key, value in config.items())
    yield "\n".join(f"{key} = {value!r}" for key, value in config.items())
    yield "\n".join(f"| {key} | {json.dumps(value)} |" for key, value in config.items())
    yield "\n".join(f"> {line}" for line in json.dumps(config, indent=2).splitlines())


@pytest.mark.parametrize("expression", ["H·H", "H * H", "H × F", "H + F"])
def test_sizes_with_an_expression_are_not_a_config(expression: str, scripts: Scripts) -> None:
    assert "config" != account(scripts, f"hidden_size = 768\nnum_hidden_layers = 12\nweights = {expression}")["kind"]


@pytest.mark.parametrize("name", PUBLISHED_CONFIGS)
def test_a_published_config_is_counted_in_every_layout(name: str, scripts: Scripts) -> None:
    config, totals = PUBLISHED_CONFIGS[name], PUBLISHED_TOTALS[name]
    (model_class,) = config.get("architectures", [next(iter(totals))])
    for text in layouts(config):
        result = account(scripts, text)
        assert "config" == result["kind"], text
        assert (model_class, totals[model_class]) == (result["model"]["modelClass"], result["model"]["total"]), text
        assert f"{totals[model_class]:,} parameters" in result["headline"]
        assert totals == {line["source"]: line["right"] for line in result["lines"]}
        assert "certain" == result["confidence"], text


@pytest.mark.parametrize("marks", ["“”", "„“", "«»", "‘’"])
def test_a_config_may_have_the_quotation_marks_of_a_word_processor(marks: str, scripts: Scripts) -> None:
    text = '{"model_type": "bert", "hidden_size": 256}'
    straight_account = account(scripts, text)
    curly_account = account(scripts, re.sub('"([^"]*)"', rf"{marks[0]}\1{marks[1]}", text))
    assert 30_096_128 == straight_account["model"]["total"]  # V·H + 514·H + 2·H + 12·(4·H² + 2·H·F + 9·H + F) + H² + H
    assert straight_account["model"] == curly_account["model"]


def test_a_grouped_convolution_is_refused_without_a_total(scripts: Scripts) -> None:
    result = account(scripts, json.dumps(UNCOUNTED_CONFIG))
    assert "refusal" == result["kind"]
    assert None is result["model"]
    assert result["headline"].startswith("This config cannot be counted: conv_groups is 2; it makes the kernel")


FIRST_SENTENCES = {
    'BertConfig {\n  "architectures": ["BertForMaskedLM"],\n  "model_type": "bert"\n}': (
        "This is BERT base, uncased, as BertForMaskedLM: 109,514,298 parameters."
    ),
    "BertConfig(hidden_size=768, num_hidden_layers=12)": (
        "This is BERT base, uncased, as BertModel: 109,482,240 parameters."
    ),
    "BertConfig()": "This is BERT base, uncased, as BertModel: 109,482,240 parameters.",
    "config = BertConfig(\n  vocab_size=30_522,  # tokens\n  hidden_size=4 * 128,\n  num_attention_heads=8,\n"
    "  num_hidden_layers=4,\n  intermediate_size=2048)\nmodel = BertForMaskedLM(config)": (
        "This is BERT-Small, as BertForMaskedLM: 28,795,194 parameters."
    ),
    "{'model_type': 'bert', 'num_labels': 3, 'dtype': None, 'architectures': ['BertForSequenceClassification']}": (
        "This is BERT base, uncased, as BertForSequenceClassification with 3 labels: 109,484,547 parameters."
    ),
    "DistilBertConfig()": "This is DistilBERT base, uncased, as DistilBertModel: 66,362,880 parameters.",
    "AlbertConfig()": "This is ALBERT xxlarge, version 2, as AlbertModel: 222,595,584 parameters.",
    "ElectraConfig()": "This is ELECTRA small, discriminator, as ElectraModel: 13,483,008 parameters.",
    "ModernBertConfig()": "This is ModernBERT base, as ModernBertModel: 149,014,272 parameters.",
    '{"model_type": "bert"}': "This is BERT base, uncased, as BertModel: 109,482,240 parameters.",
    '{"model_type": "electra"}': "This is ELECTRA small, discriminator, as ElectraModel: 13,483,008 parameters.",
    # 64 x 12 rows in each matrix of attention, whatever head_dim says
    '{"model_type": "bert", "head_dim": 128}': "This is BERT base, uncased, as BertModel: 109,482,240 parameters.",
    '{"model": {"config": {"model_type": "bert", "hidden_size": 768}}}': (
        "This is BERT base, uncased, as BertModel: 109,482,240 parameters."
    ),
    '{"lr": 1e-4, "bert_config": {"model_type": "roberta", "type_vocab_size": 1, "max_position_embeddings": 514}}': (
        "This is RoBERTa base, as RobertaModel: 124,645,632 parameters."
    ),
    # V·H + S·H + 2·H + 12·(4·H² + 3·H·F + 4·H)
    '{"model_type": "nomic_bert", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_inner": 3072, "n_positions": 2048,'
    ' "qkv_proj_bias": false, "mlp_fc1_bias": false, "mlp_fc2_bias": false, "rotary_emb_fraction": 1.0,'
    ' "activation_function": "swiglu", "type_vocab_size": 2, "vocab_size": 30528}': (
        "This is nomic-embed-text v1, as NomicBertModel: 136,731,648 parameters."
    ),
    # 22·(4·H + H + 2·F + H + 2·H) biases, less one LayerNorm before the first layer, and those outside of the layers
    '{"model_type": "modernbert", "attention_bias": true, "mlp_bias": true, "norm_bias": true}': (
        "This has the sizes of ModernBERT base, but other tensors, as ModernBertModel: 149,184,000 parameters."
    ),
    # The tables have 50,265, 512 and 2 rows; the published models have 514 positions and one segment.
    "RobertaConfig()": "This is a RoBERTa with 12 layers and hidden size 768, as RobertaModel: 124,644,864 parameters.",
    "TFBertModel(BertConfig(num_hidden_layers=6))": (
        "This is BERT miniature with L = 6 and H = 768, as BertModel: 66,955,008 parameters."
    ),
    '{"model_type": "bert", "_name_or_path": "./mine"}': (
        "This is a model with the sizes of BERT base, uncased, as BertModel: 109,482,240 parameters."
    ),
    '{"model_type": "bert", "is_decoder": true, "add_cross_attention": true, "architectures": ["BertLMHeadModel"]}': (
        "This is BERT base, uncased, as BertLMHeadModel with cross-attention: 137,881,146 parameters."
    ),
    '{"model_type": "bert", "tie_word_embeddings": false, "architectures": ["BertForMaskedLM"]}': (
        "This is BERT base, uncased, as BertForMaskedLM with a decoder of its own: 132,985,716 parameters."
    ),
}
"""Configurations with the first sentence of each account.

Source: manual arithmetic; for the defaults, the configuration files of transformers 5.23.
"""


def test_the_first_sentence_gives_model_class_and_total(scripts: Scripts) -> None:
    results = accounts(scripts, [*FIRST_SENTENCES])
    assert [*FIRST_SENTENCES.values()] == [result["headline"] for result in results]


def test_arguments_within_a_value_are_not_keys(scripts: Scripts) -> None:
    sizes = "hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, vocab_size=30522"
    result = account(scripts, f"{sizes}, hidden_act=partial(gelu, hidden_size=64)")
    assert result["headline"].startswith(
        'This config cannot be counted: hidden_act is "partial(gelu, hidden_size=64)"; either it has parameters'
    )


def test_sizes_taken_from_defaults_are_named(scripts: Scripts) -> None:
    result = account(scripts, "BertConfig(hidden_size=768, num_hidden_layers=12)")
    assert (
        "It does not give every size, so these are transformers' defaults: vocab_size = 30,522, "
        "num_attention_heads = 12, intermediate_size = 3,072, max_position_embeddings = 512 and type_vocab_size = 2."
    ) in result["findings"]
    untyped_account = account(scripts, "vocab_size=30522, hidden_size=768")
    assert "possible" == untyped_account["confidence"]
    assert untyped_account["headline"].startswith("If this is a BERT that takes the rest from transformers' defaults")
    assert untyped_account["headline"].endswith("it has 109,482,240 parameters as BertModel.")


def test_sizes_under_other_names_are_possibly_those_of_a_bert(scripts: Scripts) -> None:
    texts = [
        "L=12\nH=768\nA=12",
        "hidden size: 768\nlayers: 12\nattention heads: 12\nvocabulary size: 30,522\nfeed-forward size: 3072",
    ]
    for result in accounts(scripts, texts):
        assert ("possible", 109_482_240) == (result["confidence"], result["model"]["total"])


def test_calls_of_keras_bert_build_the_recorded_models(scripts: Scripts) -> None:
    recorded = [print_out for print_out in PRINT_OUTS if print_out.get("class") == "keras_bert.get_model"]
    assert len(recorded) > 1
    for print_out in recorded:
        arguments = ", ".join(f"{name}={value}" for name, value in print_out["config"].items())
        result = account(scripts, f"from keras_bert import get_model\nmodel = get_model({arguments})\nmodel.summary()")
        assert "certain" == result["confidence"], result["headline"]
        assert (print_out["right_total"], "BertForPreTraining") == (
            result["model"]["total"],
            result["model"]["modelClass"],
        )


def test_a_model_of_keras_bert_that_is_not_trained_has_no_pooler(scripts: Scripts) -> None:
    # 101,677,056 = 102,267,648 (BERT base, Chinese) - 590,592 (its pooler).
    result = account(scripts, "model = keras_bert.get_model(token_num=21128, training=False)")
    assert ("certain", 101_677_056) == (result["confidence"], result["model"]["total"])


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ('{"hidden_size": -768}', "hidden_size is -768"),
        ('{"hidden_size": 0}', "hidden_size is 0"),
        ('{"hidden_size": "768", "num_hidden_layers": 12}', 'hidden_size is "768"'),
    ],
)
def test_only_the_wrong_sizes_of_a_config_with_few_sizes_are_errors(
    config: str, problem: str, scripts: Scripts
) -> None:
    result = account(scripts, config)
    assert ("refusal", []) == (result["kind"], result["findings"])
    assert f"This config cannot be counted: {problem}; it must be an integer" in result["headline"]


def test_hydra_may_build_one_class_within_another(scripts: Scripts) -> None:
    config = "hidden_size: 512\n    num_hidden_layers: 4\n    num_attention_heads: 8\n    intermediate_size: 2048"
    inner = f"  config:\n    _target_: transformers.BertConfig\n    {config}\n"
    bare, masked = accounts(scripts, [f"model:\n{inner}", f"model:\n  _target_: transformers.BertForMaskedLM\n{inner}"])
    # The masked-LM head adds 512 × 512 + 3 × 512 + 30,522 = 294,202, without the pooler of 512 × 512 + 512 = 262,656.
    assert ("likely", 28_763_648) == (bare["confidence"], bare["model"]["total"])
    assert ("BertForMaskedLM", 28_795_194) == (masked["model"]["modelClass"], masked["model"]["total"])


@pytest.mark.parametrize("case", OWN_NAMES, ids=lambda case: case["text"][:20])
def test_sizes_under_the_names_of_other_code_are_possibly_those_of_a_bert(
    case: dict[str, Any], scripts: Scripts
) -> None:
    vocabulary, positions, segments, hidden, inner, layers = case["sizes"]
    layer = 4 * (hidden * hidden + hidden) + 2 * hidden * inner + inner + hidden + 4 * hidden
    tables = (vocabulary + positions + segments) * hidden
    total = tables + 2 * hidden + layers * layer + hidden * hidden + hidden
    result = account(scripts, case["text"])
    assert (total, "BertModel") == (result["model"]["total"], result["model"]["modelClass"]), result["headline"]
    assert result["confidence"] in {"possible", "likely"}


def test_keys_of_distilbert_beside_one_another_are_its_own(scripts: Scripts) -> None:
    # 34,537,472 = (30,000 + 512) × 512 + 1,024 + 6 × 3,152,384: no segments, and no pooler.
    text = "n_layers=6, n_heads=8, dim=512, hidden_dim=2048, vocab_size=30000"
    assert {"name": "", "modelClass": "DistilBertModel", "total": 34_537_472} == account(scripts, text)["model"]


@pytest.mark.parametrize(
    "text", ["emb_size=128, hidden_size=768, layers=12, heads=12", "hidden=768, layers=12, heads=12, dim=512"]
)
def test_two_widths_under_other_names_are_not_confused(text: str, scripts: Scripts) -> None:
    assert None is account(scripts, text)["model"]


def test_the_sizes_of_llama_are_not_taken_for_those_of_a_bert(scripts: Scripts) -> None:
    # as in params.json of Llama 7B
    text = '{"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-06, "vocab_size": 32000}'
    result = account(scripts, text)
    assert None is result["model"]
    assert "multiple_of: Llama's own code works out the inner width from it." in result["findings"]


def test_a_word_for_a_size_within_another_name_gives_no_size(scripts: Scripts) -> None:
    # 14,329,600 has F = 4H = 1,024. A rate is no width, and a ratio may give any.
    rate, ratio = accounts(
        scripts, [f"hidden=256, layers=8, heads=8, {other}" for other in ("ff_dropout=2", "mlp_ratio=2")]
    )
    assert 14_329_600 == rate["model"]["total"]
    assert None is ratio["model"]


def test_letters_of_the_paper_leave_out_what_follows_from_the_hidden_size(scripts: Scripts) -> None:
    # F = 4H, and heads of 64: 335,141,888 is BERT large. The other has 12 layers of 7,087,872, 21,128 + 128 + 2 + 2
    # rows of 768, and the pooler.
    large, chinese = scripts.call("configAccounts", ["L=24, H=1024, A=16", "V=21128, H=768, L=12, P=128"])
    assert large["headline"].startswith(
        "If this is a BERT with F = 4H = 4,096, as in BERT's paper, that takes the rest"
    )
    assert large["model"]["total"] == 335_141_888
    assert "F = 4H = 3,072 and A = H/64 = 12" in chinese["headline"]
    assert chinese["model"]["total"] == 85_054_464 + (21_128 + 128 + 2 + 2) * 768 + 590_592
    # In a config, a letter may be anything else, such as a rate.
    [other] = scripts.call("configAccounts", ["H: 768\nL: 12\nV: 30522\np: 0.1"])
    assert other["model"]["total"] == 109_482_240


def test_options_yaml_and_other_languages_are_read(scripts: Scripts) -> None:
    sizes = {"hidden_size": 768, "num_hidden_layers": 12, "vocab_size": 30522}
    texts = [
        " ".join(f"--{key} {size}" for key, size in sizes.items()),
        "\n".join(f"隐藏层 {key}: {size}" for key, size in sizes.items()),
        "\n".join(f"{key}（大小）: {size}" for key, size in sizes.items()),
        "\n".join(f"{key}\t{size}" for key, size in sizes.items()),
    ]
    for result in accounts(scripts, texts):
        assert ("possible", 109_482_240) == (result["confidence"], result["model"]["total"])
    yaml_account = account(
        scripts, "model:\n  type: bert\n" + "\n".join(f"  {key}: {size}" for key, size in sizes.items())
    )
    assert 109_482_240 == yaml_account["model"]["total"]


def test_options_without_values_are_no_sizes(scripts: Scripts) -> None:
    sizes = "--hidden-size 1024 --num-layers 24 --num-attention-heads 16"
    for text in (
        f"python pretrain_bert.py --fp16 {sizes} --vocab-file bert-large-uncased-vocab.txt",
        f"python pretrain_bert.py {sizes} --micro-batch-size 4 --do-train --fp16",
    ):
        result = account(scripts, text)
        assert ("possible", 335_141_888) == (result["confidence"], result["model"]["total"])


@pytest.mark.parametrize(
    "labels",
    [
        "id2label:\n  0: O\n  1: B-PER  # persons\n  2: I-PER\n",
        "label2id:\n  O: 0\n  B-PER: 1\n  I-PER: 2  # persons\nid2label:\n  '0': O\n  '1': B-PER\n  '2': I-PER\n",
        "id2label: {0: O, 1: B-PER, 2: I-PER}\n",
        "num_labels: 3   # O / B-PER / I-PER\n",
    ],
)
@pytest.mark.parametrize("item", ["- BertForTokenClassification", '  - "BertForTokenClassification" # NER'])
def test_lists_and_labels_of_yaml_are_read(labels: str, item: str, scripts: Scripts) -> None:
    sizes = "hidden_size: 768\nnum_hidden_layers: 12\nintermediate_size: 3072\nvocab_size: 30522\n"
    result = account(scripts, f"model_type: bert\narchitectures:\n{item}\n{labels}{sizes}")
    # BertModel without its pooler, and 3 x 768 + 3
    assert result["model"]["total"] == 109_482_240 - 590_592 + 2_307
    assert "as BertForTokenClassification with 3 labels" in result["headline"]


# 41,373,184 is the total of BERT-Medium, and 82,118,400 that of DistilRoBERTa.
@pytest.mark.parametrize(
    ("text", "model_class", "total"),
    [
        (
            (
                "config = BertConfig()\nconfig.hidden_size = 512\nconfig.num_hidden_layers = 8\n"
                "config.num_attention_heads = 8\nconfig.intermediate_size = 2_048  # four times"
            ),
            "BertModel",
            "41,373,184",
        ),
        (
            (
                "config = RobertaConfig(vocab_size=50265, max_position_embeddings=514, type_vocab_size=1)\n"
                "config.num_hidden_layers = 6\nmodel = RobertaModel(config)"
            ),
            "RobertaModel",
            "82,118,400",
        ),
        # gin
        (
            (
                "# Parameters for BertConfig:\nBertConfig.hidden_size = 512\nBertConfig.num_hidden_layers = 8\n"
                "BertConfig.num_attention_heads = 8\nBertConfig.intermediate_size = 2048\ntrain.steps = 1_000_000"
            ),
            "BertModel",
            "41,373,184",
        ),
        (
            (
                "RobertaConfig.vocab_size = 50265\nRobertaConfig.max_position_embeddings = 514\n"
                "RobertaConfig.type_vocab_size = 1\nRobertaConfig.num_hidden_layers = 6"
            ),
            "RobertaModel",
            "82,118,400",
        ),
        (
            (
                "config.hidden_size = 512\nconfig.num_hidden_layers = 8\nconfig.num_attention_heads = 8\n"
                "config.intermediate_size = 2048"
            ),
            "BertModel",
            "41,373,184",
        ),
        (
            (
                "python run_mlm.py --model_type bert --tokenizer_name bert-base-uncased --config_overrides "
                '"hidden_size=512,num_hidden_layers=8,num_attention_heads=8,intermediate_size=2048"'
            ),
            "BertModel",
            "41,373,184",
        ),
        # 78 x 512 more than BERT-Medium, because 30,600 tokens are 78 more
        (
            (
                "config = BertConfig(hidden_size=512, num_hidden_layers=8, num_attention_heads=8, "
                "intermediate_size=2048)\nmodel = BertModel(config)\nmodel.resize_token_embeddings(30600)"
            ),
            "BertModel",
            "41,413,120",
        ),
        # 22 x 768 more than DistilRoBERTa
        (
            (
                'config = RobertaConfig.from_pretrained("roberta-base", num_hidden_layers=6)\n'
                "model = RobertaModel(config)\nmodel.resize_token_embeddings(50_287)"
            ),
            "RobertaModel",
            "82,135,296",
        ),
        (
            (
                "torchrun pretrain.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --ffn-hidden-size 2048 "
                "--micro-batch-size 4 --global-batch-size 32 --lr 0.0001 --train-iters 1000000 --lr-warmup-fraction .01"
            ),
            "BertModel",
            "41,373,184",
        ),
        (
            (
                "torchrun --nproc_per_node=8 train.py \\\n    --num-layers 8 \\\n    --hidden-size 512 \\\n"
                "    --num-attention-heads 8 \\\n    --intermediate-size 2048"
            ),
            "BertModel",
            "41,373,184",
        ),
    ],
)
def test_attributes_arguments_and_options_on_lines_of_their_own_are_sizes(
    text: str, model_class: str, total: str, scripts: Scripts
) -> None:
    headline = account(scripts, text)["headline"]
    assert model_class in headline
    assert total in headline


def test_sizes_that_only_one_model_has_are_likely_those_of_that_model(scripts: Scripts) -> None:
    sizes = {**SIZES, "vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1}
    del sizes["model_type"]
    result = account(scripts, json.dumps(sizes))
    assert "This is RoBERTa base, as RobertaModel: 124,645,632 parameters." == result["headline"]
    assert "likely" == result["confidence"]


def test_the_config_class_of_google_research_has_its_own_defaults(scripts: Scripts) -> None:
    result = account(scripts, "config = modeling.BertConfig(vocab_size=30522)")
    # Its default is 16 segments, 14 more rows of 768 than in BERT base.
    assert 109_482_240 + 14 * 768 == result["model"]["total"]


SIZES: dict[str, Any] = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "vocab_size": 21128,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "model_type": "bert",
}
"""The sizes of BERT base, Chinese."""

REFUSED_ENTRIES = [
    (
        {"max_relative_position": 64, "use_relative_position": True},
        "use_relative_position is true; it belongs to NEZHA",
    ),
    ({"max_relative_position": 64}, "max_relative_position is 64; it belongs to NEZHA"),
    ({"architectures": ["NezhaForPreTraining"]}, "NezhaForPreTraining"),
    ({"architectures": ["NeZhaModel"]}, "NeZhaModel"),
    ({"architectures": ["ErnieForMaskedLM"]}, "ErnieForMaskedLM"),
    ({"alibi_starting_size": 512, "architectures": ["BertForMaskedLM"]}, "alibi_starting_size"),
    ({"img_feature_dim": 2054, "img_feature_type": "faster_r-cnn"}, "img_feature_dim and img_feature_type"),
    ({"auto_map": {"AutoModel": "bert_layers.BertModel"}}, "auto_map"),
    ({"auto_map": {"AutoTokenizer": "a.B", "AutoModel": "c.D"}}, "auto_map"),
    ({"vision_config": {"hidden_size": 512}}, "vision_config"),
    ({"towers": [{"sizes": {"hidden_size": 512}}]}, "towers"),
    ({"compression_config": {"sparsity": 0.9}}, "compression_config"),
    ({"position_embedding_type": "alibi"}, "alibi"),
    ({"position_embedding_type": "rotary"}, "rotary"),
    ({"position_embedding_type": "relative_key"}, "relative_key"),
    ({"emb_pooler": "mean"}, "emb_pooler"),
    ({"embedding_size": 128}, "embedding_size"),
    ({"use_task_id": True}, "use_task_id"),
    ({"num_experts": 8}, "num_experts"),
    ({"num_layers": 6}, "num_layers"),
    ({"use_bias": False}, "use_bias"),
    ({"use_segment": False}, "use_segment"),
    ({"true_hidden_size": 128}, "true_hidden_size"),
    ({"attention_head_size": 32}, "attention_head_size"),
    ({"rope_theta": 10000}, "rope_theta"),
    ({"adapters": {"adapters": {"a": "b"}}}, "adapters"),
    ({"quantization_config": {"load_in_4bit": True}}, "quantization_config"),
    ({"my_projection_size": 64}, "my_projection_size"),
    ({"pruned_heads": {"0": [1]}}, "pruned_heads"),
    ({"hidden_act": "swiglu"}, "hidden_act"),
    ({"model_type": "flaubert"}, "flaubert"),
    ({"model_type": ["bert"]}, "model_type"),
    ({"vocab_size": "30522"}, "vocab_size"),
    ({"vocab_size": 2**53}, "vocab_size"),
    ({"hidden_size": 2**31, "vocab_size": 2**31, "num_attention_heads": 2}, "more than"),
]
"""Entries that keep a config with `SIZES` from being counted, each with words from the refusal."""


@pytest.mark.parametrize(("entries", "expected"), REFUSED_ENTRIES)
def test_an_entry_that_is_invalid_or_may_affect_tensors_is_refused_without_a_total(
    entries: dict[str, Any], expected: str, scripts: Scripts
) -> None:
    for text in (json.dumps(SIZES | entries), f"BertConfig {json.dumps(SIZES | entries, indent=2)}"):
        result = account(scripts, text)
        assert None is result["model"], result["headline"]
        assert expected in result["headline"]
        assert [] == result["lines"]
        # 102,267,648 would be the total of these sizes alone.
        assert not any("102,267,648" in sentence for sentence in [result["headline"], *result["findings"]])


KERAS_HUB_SIZES = {"vocabulary_size": 100, "num_layers": 2, "num_heads": 2, "hidden_dim": 24, "intermediate_dim": 40}
"""Sizes of a backbone in KerasHub, but for its positions."""


@pytest.mark.parametrize(
    ("backbone", "sizes", "expected"),
    [  # as keras-hub 0.32.0 counts these backbones
        ("BertBackbone", {"num_segments": 2}, 12_464),
        ("DistilBertBackbone", {}, 11_816),
        (
            "AlbertBackbone",
            {"embedding_dim": 16, "num_groups": 1, "num_inner_repetitions": 1, "num_segments": 2},
            7_424,
        ),
        ("RobertaBackbone", {}, None),
    ],
)
def test_a_backbone_that_keras_saved_is_counted(
    backbone: str, sizes: dict[str, int], expected: int | None, scripts: Scripts
) -> None:
    arguments = {"name": "x", "trainable": True, **KERAS_HUB_SIZES, "max_sequence_length": 17, **sizes}
    saved_config = {"module": "keras_hub", "class_name": backbone, "config": arguments, "registered_name": backbone}
    call = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    for result in scripts.call("configAccounts", [json.dumps(saved_config), f"keras_hub.models.{backbone}({call})"]):
        assert expected == (result["model"] and result["model"]["total"])


def test_the_total_that_the_hub_states_is_not_replaced_by_that_of_a_default_config(scripts: Scripts) -> None:
    model = {
        "id": "a/bert-base-NER",
        "downloads": 2_318_402,
        "config": {"architectures": ["BertForTokenClassification"], "model_type": "bert"},
        "safetensors": {"parameters": {"F32": 107_726_601}, "total": 107_726_601},
        "usedStorage": 2_167_183_340,
    }
    (result,) = scripts.call("accounts", [json.dumps(model, indent=2)])
    # BERT base, cased, without its pooler, and 9 x 768 + 9: 108,310,272 - 590,592 + 6,921.
    assert "107,726,601 is BERT base, cased, as BertForTokenClassification with 9 labels." == result["headline"]


def test_a_segment_table_may_have_no_rows(scripts: Scripts) -> None:
    """BertForMaskedLM then has 109,512,762 parameters in transformers 5.24.0."""
    sizes = {"vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    config = {"architectures": ["BertForMaskedLM"], "model_type": "bert", **sizes, "type_vocab_size": 0}
    (result,) = scripts.call("configAccounts", [json.dumps(config)])
    assert result["headline"].startswith(
        "With type_vocab_size 0, the segment table has no rows: 109,512,762 parameters as BertForMaskedLM, 768 fewer"
    )


def test_keys_that_size_nothing_change_nothing(scripts: Scripts) -> None:
    """Keys of other files, and empty or default values for keys of other models, have no effect."""
    entries = {
        "pooler_fc_size": 768,
        "pooler_num_fc_layers": 3,
        "directionality": "bidi",
        "use_relative_position": False,
        "max_relative_position": 0,
        "emb_size": 768,
        "attention_head_size": 64,
        "cell": {},
        "adapters": {"adapters": {}, "config_map": {}, "fusions": [None]},
        "my_flag": False,
        "_num_labels": 2,
        "transformers.js_config": {"dtype": "fp32"},
        "torch_dtype": "float32",
    }
    result = account(scripts, json.dumps(SIZES | entries))
    assert ("certain", 102_267_648) == (result["confidence"], result["model"]["total"])


@pytest.mark.parametrize(
    "file",
    [
        {"word_embedding_dimension": 384, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
        {"max_seq_length": 256, "do_lower_case": False},
        {"model_max_length": 512, "do_lower_case": True},
        {"do_lower_case": True, "model_max_length": 10**30, "tokenizer_class": "BertTokenizer", "cls_token": "[CLS]"},
    ],
)
def test_files_next_to_a_config_are_not_configs(file: dict[str, Any], scripts: Scripts) -> None:
    for text in (json.dumps(file), json.dumps(file, indent=2)):
        result = account(scripts, text)
        assert ("refusal", None) == (result["kind"], result["model"])
        assert "it has none of a model's sizes; give the config.json" in result["headline"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"cls_token": "[CLS]", "mask_token": "[MASK]", "unk_token": "[UNK]"}',
            "a tokenizer's list of special tokens",
        ),
        (
            '{"version": "1.0", "added_tokens": [{"id": 0, "content": "[PAD]"}], "model": {"vocab": {"[PAD]": 0}}}',
            "a tokenizer, with its vocabulary",
        ),
        ('{"__version__": {"sentence_transformers": "2.0.0"}}', "sentence-transformers' list of versions and prompts"),
        ('{"zero_optimization": {"stage": 2}, "fp16": {"enabled": true}}', "DeepSpeed's training config"),
        (
            '[{"idx": 0, "type": "sentence_transformers.models.Pooling"}]',
            "sentence-transformers' list of a model's modules",
        ),
    ],
)
def test_a_file_without_sizes_is_called_by_its_name(text: str, expected: str, scripts: Scripts) -> None:
    result = account(scripts, text)
    assert ("refusal", None) == (result["kind"], result["model"])
    assert result["headline"].startswith(f"This is {expected}")


@pytest.mark.parametrize(("bullet", "arrow"), [("- ", "->"), ("", "→"), ("* ", "=>")])
def test_values_before_and_after_an_arrow_are_those_of_two_configs(bullet: str, arrow: str, scripts: Scripts) -> None:
    """With H = 1,024 and F = 4,096, 12 layers have 12 × 12,596,224, and embeddings and pooler those of BERT large."""
    lines = [f"{bullet}hidden_size: 768 {arrow} 1024", f"{bullet}intermediate_size: 3072 {arrow} 4096"]
    result = account(scripts, "\n".join([*lines, "How many more parameters?"]))
    assert "it has 183,987,200 parameters as BertModel" in result["headline"]
    assert "That is 74,504,960 more than the 109,482,240 before the change." in result["findings"]


@pytest.mark.parametrize(
    "text",
    [
        "This is my config: {}",
        "Hi!\n\nI read four lines.\nAnd more.\nmy config is {} and I wonder how many parameters it has.",
        "curl https://huggingface.co/x/resolve/main/config.json -> {}\nHow big?",
        "DeBERTa: no. This one: {}\nDoes a vocabulary of 30 tokens matter?",
    ],
)
def test_an_object_in_a_sentence_is_a_config(text: str, scripts: Scripts) -> None:
    """ModernBERT base has 149,014,272 parameters."""
    config = '{"model_type": "modernbert", "hidden_size": 768, "global_attn_every_n_layers": 3, "local_attention": 128}'
    result = account(scripts, text.replace("{}", config))
    assert "config" == result["kind"]
    assert "This is ModernBERT base, as ModernBertModel: 149,014,272 parameters." in result["headline"]


def test_two_configs_in_a_sentence_are_compared(scripts: Scripts) -> None:
    """Six layers of BERT base have 6 × 7,087,872 parameters."""
    config = '{"model_type": "bert", "num_hidden_layers": %d}'
    result = account(scripts, f"We use {config % 12} (teacher) and {config % 6} (student). How large are they?")
    assert "Config 2 has 66,955,008 parameters, 42,527,232 fewer than the first." in result["findings"]


def test_a_dictionary_of_counts_in_a_sentence_is_no_config(scripts: Scripts) -> None:
    (result,) = scripts.call(
        "accounts", ["My dict: {'embeddings': 23837184, 'encoder': 85054464, 'pooler': 590592} ok?"]
    )
    assert "rows" == result["kind"]
    assert not result["findings"]


def test_a_dense_layer_is_counted_below_the_list_of_modules(scripts: Scripts) -> None:
    modules = '[{"idx": 2, "path": "2_Dense", "type": "sentence_transformers.models.Dense"}]'
    config = '{"in_features": 768, "out_features": 512, "bias": true}'
    result = account(scripts, f"{modules}\n2_Dense/config.json: {config}\nHow many does Dense add?")
    assert "from 768 to 512 features: 768 × 512 + 512 = 393,728 parameters" in result["headline"]


def test_a_dense_layer_is_counted_by_its_config(scripts: Scripts) -> None:
    assert "768 × 512 + 512 = 393,728" in account(scripts, '{"in_features": 768, "out_features": 512}')["headline"]
    text = '{"in_features": 768, "out_features": 512, "bias": false}'
    assert "768 × 512 = 393,216" in account(scripts, text)["headline"]


def test_an_index_of_weights_gives_bytes(scripts: Scripts) -> None:
    text = '{"metadata": {"total_size": 437928960}, "weight_map": {"embeddings.word_embeddings.weight": "a"}}'
    (result,) = scripts.call("accounts", [text])
    assert "437,928,960 are 109,482,240 parameters of 4 bytes each" in result["headline"]
    assert "109,482,240 is BERT base, uncased, as BertModel." in result["headline"]
    assert "BertModel" == result["model"]["modelClass"]


def test_two_configs_on_a_line_each_are_both_counted(scripts: Scripts) -> None:
    large_sizes = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
    lines = [
        {"model_type": "bert", "hidden_dropout_prob": 0.1, "layer_norm_eps": 1e-12, **sizes}
        for sizes in ({}, large_sizes)
    ]
    result = account(scripts, "\n".join(map(json.dumps, lines)))
    assert "109,482,240 parameters. Config 2:" in result["headline"]
    assert "335,141,888 parameters." in result["headline"]


@pytest.mark.parametrize(
    "choice", ['"tie_word_embeddings": false', '"is_decoder": true, "add_cross_attention": true', '"norm_bias": true']
)
def test_a_config_with_other_tensors_names_no_other_checkpoints(choice: str, scripts: Scripts) -> None:
    model_type = "modernbert" if "norm" in choice else "bert"
    result = account(scripts, f'{{"model_type": "{model_type}", {choice}}}')
    assert not any("Other checkpoints" in finding for finding in result["findings"])


def test_other_objects_are_not_taken_for_files_next_to_a_config(scripts: Scripts) -> None:
    texts = ['{"total": 109482240, "trainable": true}', '{"bert": 109482240, "tied": true}', '{"a": [1]}']
    for result in scripts.call("accounts", texts):
        assert result is None or "it has none of a model's sizes" not in result["headline"]


def test_unknown_keys_are_named_and_make_the_answer_only_likely(scripts: Scripts) -> None:
    result = account(scripts, json.dumps(SIZES | {"our_team": "x", "colour": 3}))
    assert "likely" == result["confidence"]
    assert (
        "We do not know our_team and colour; no class of transformers itself takes a size from them."
        in result["findings"]
    )


def test_an_unknown_class_is_counted_as_the_bare_model(scripts: Scripts) -> None:
    result = account(scripts, json.dumps(SIZES | {"architectures": ["HF_ColBERT"]}))
    assert ("likely", "BertModel") == (result["confidence"], result["model"]["modelClass"])
    assert any(
        sentence.startswith("It names HF_ColBERT, a class that we do not know.") for sentence in result["findings"]
    )


def test_the_calculator_opens_with_the_sizes_of_the_config(scripts: Scripts) -> None:
    """The link to the calculator has the nearest model, the sizes that differ from that model's, and the class."""
    large_sizes = {**SIZES, "hidden_size": 1024, "intermediate_size": 4096, "num_attention_heads": 16}
    result = account(scripts, json.dumps({**large_sizes, "architectures": ["BertForMaskedLM"]}))
    (page,) = (page for page in result["pages"] if page.startswith("try/calculator.html"))
    assert "try/calculator.html?model=bert-large-chinese&L=12&class=BertForMaskedLM" == page


NOT_CONFIGS = [
    "",
    "{}",
    "[]",
    "null",
    '{"cells": [{"source": "hidden_size"}], "model_type": "x"}',
    '{"metadata": {"total_size": 3}, "weight_map": {"bert.pooler.dense.bias": "a"}}',
    '{"__metadata__": {}, "bert.pooler.dense.bias": {"dtype": "F32", "shape": [768], "data_offsets": [0, 3072]}}',
    "hidden_size: 768",
    "V = 30522\nH = 768\nL = 12\ntotal = V*H + L*(4*H*H)",
    "hidden_size = 768\nnum_hidden_layers = 12\nparams = 12 * 768 * 768",
    "embeddings.word_embeddings.weight: [30522, 768]\nembeddings.LayerNorm.bias: [768]",
    "trainable params: 294912 || all params: 109482240",
    "BertConfig is what I use, with 110M parameters",
    '{"hidden_size": 768, "num_hidden_layers": 12}\n12*768*768 + 12*768*3072 = 35,389,440 and 30522*768 = 23,440,896',
    "110M",
    "109482240",
    "BERT base has 110M parameters",
    "bert/encoder/layer_0/attention/self/query/kernel",
    "and/or",
    "hello world",
    "config.json",
    "pooler",
]
"""Texts that are not read as a config or a name, although some contain braces or sizes."""


def test_other_texts_have_no_account(scripts: Scripts) -> None:
    assert [""] * len(NOT_CONFIGS) == [result["kind"] for result in accounts(scripts, NOT_CONFIGS)]


NAMES = {
    "bert-base-uncased": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    "google-bert/bert-base-uncased": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    "sentence-transformers/all-MiniLM-L6-v2": ("MiniLM-L6-H384-uncased", "BertModel", 22_713_216, "certain"),
    "FacebookAI/roberta-base": ("roberta-base", "RobertaModel", 124_645_632, "certain"),
    "bert-base-multilingual-cased": ("bert-base-multilingual-cased", "BertModel", 177_853_440, "certain"),
    "https://huggingface.co/google-bert/bert-base-cased": ("bert-base-cased", "BertModel", 108_310_272, "certain"),
    "https://huggingface.co/bert-base-chinese/tree/main": ("bert-base-chinese", "BertModel", 102_267_648, "certain"),
    "hf.co/FacebookAI/xlm-roberta-large/blob/main/config.json": (
        "xlm-roberta-large",
        "XLMRobertaModel",
        559_890_432,
        "certain",
    ),
    "google-bert/bert-base-uncased/tree/main": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    "hf://google-bert/bert-base-uncased": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    'model = SentenceTransformer("all-MiniLM-L6-v2")': ("MiniLM-L6-H384-uncased", "BertModel", 22_713_216, "certain"),
    # 22,713,216 and a classifier with one label: 384 + 1
    'CrossEncoder("cross-encoder/ms-marco-MiniLM-L6-v2", max_length=512)': (
        "MiniLM-L6-H384-uncased",
        "BertForSequenceClassification",
        22_713_601,
        "certain",
    ),
    "`google-bert/bert-base-uncased`": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    "model_name = 'bert-large-cased'": ("bert-large-cased", "BertModel", 333_579_264, "certain"),
    "cross-encoder/ms-marco-MiniLM-L-6-v2": ("MiniLM-L6-H384-uncased", "BertModel", 22_713_216, "certain"),
    # 24 layers of 12,596,224, 21,642 rows of 1,024, 2 · 1,024, and the pooler.
    "hfl/chinese-roberta-wwm-ext-large": ("bert-large-chinese", "BertModel", 325_522_432, "certain"),
    "uncased_L-12_H-768_A-12": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    "L-24_H-1024_A-16": ("bert-large-uncased", "BertModel", 335_141_888, "likely"),
    "L-2_H-128_A-2": ("bert_uncased_L-2_H-128_A-2", "BertModel", 4_385_920, "likely"),
    "wwm_cased_L-24_H-1024_A-16.zip": ("bert-large-cased-whole-word-masking", "BertModel", 333_579_264, "certain"),
    "BERT large": ("bert-large-uncased", "BertModel", 335_141_888, "likely"),
    "BERT": ("bert-base-uncased", "BertModel", 109_482_240, "likely"),
    "BERT-Large, Cased": ("bert-large-cased", "BertModel", 333_579_264, "likely"),
    "bert_base_uncased": ("bert-base-uncased", "BertModel", 109_482_240, "likely"),
    "EuroBERT 610M": ("eurobert-610m", "EuroBertModel", 607_874_688, "likely"),
    "Megatron BERT 345m": ("megatron-bert-345m", "MegatronBertModel", 333_640_704, "likely"),
    "ERNIE 3.0 base": ("ernie-3.0-base-zh", "ErnieModel", 117_944_832, "likely"),
    "mBERT": ("bert-base-multilingual-cased", "BertModel", 177_853_440, "likely"),
    "BERT 中文": ("bert-base-chinese", "BertModel", 102_267_648, "likely"),
    "XLM-R": ("xlm-roberta-base", "XLMRobertaModel", 278_043_648, "likely"),
    "DistilBERT": ("distilbert-base-uncased", "DistilBertModel", 66_362_880, "likely"),
    "microsoft/deberta-base": ("deberta-base", "DebertaModel", 138_601_728, "certain"),
    "DeBERTa": ("deberta-base", "DebertaModel", 138_601_728, "likely"),
    "DeBERTa v3 base": ("deberta-v3-base", "DebertaV2Model", 183_831_552, "likely"),
    "prajjwal1/bert-tiny": ("bert_uncased_L-2_H-128_A-2", "BertModel", 4_385_920, "certain"),
    "someone/bert-tiny": ("bert_uncased_L-2_H-128_A-2", "BertModel", 4_385_920, "likely"),
    "someone/bert-base-uncased": ("bert-base-uncased", "BertModel", 109_482_240, "likely"),
    "how many parameters does bert-base-uncased have?": ("bert-base-uncased", "BertModel", 109_482_240, "certain"),
    "BertForMaskedLM": ("bert-base-uncased", "BertForMaskedLM", 109_514_298, "likely"),
    "bert-base-uncased BertForMaskedLM": ("bert-base-uncased", "BertForMaskedLM", 109_514_298, "certain"),
    "BERT large for question answering": ("bert-large-uncased", "BertForQuestionAnswering", 334_094_338, "likely"),
    'AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=3)': (
        "bert-base-uncased",
        "BertForSequenceClassification",
        109_484_547,
        "certain",
    ),
    # 109,482,240 + 7 x 769
    "bert-base-uncased num_labels=7": ("bert-base-uncased", "BertForSequenceClassification", 109_487_623, "certain"),
    "BERT base with 3 labels": ("bert-base-uncased", "BertForSequenceClassification", 109_484_547, "likely"),
    "someone/bert-base-uncased-imdb": ("bert-base-uncased", "BertModel", 109_482_240, "possible"),
    "deepset/roberta-base-squad2": ("roberta-base", "RobertaModel", 124_645_632, "certain"),
    "navteca/roberta-base-squad2-distilled": ("roberta-base", "RobertaModel", 124_645_632, "possible"),
    "dslim/bert-base-NER": ("bert-base-cased", "BertModel", 108_310_272, "certain"),
}
"""Names of models as readers write them, each with the model, class, total and confidence of the account.

Source: manual arithmetic on the sizes of each model's config.json.
"""


def test_a_model_is_counted_by_its_name(scripts: Scripts) -> None:
    results = accounts(scripts, [*NAMES])
    assert {"name"} == {result["kind"] for result in results}
    answers = [(*result["model"].values(), result["confidence"]) for result in results]
    assert [*NAMES.values()] == answers
    for result in results:
        assert f"{result['model']['total']:,} parameters" in result["headline"]
        classes = ARCHITECTURE_OF_CLASS[result["model"]["modelClass"]].classes
        assert [model_class.name for model_class in classes] == [line["source"] for line in result["lines"]]
        assert any(page.startswith("try/calculator.html") for page in result["pages"])


def test_every_model_is_found_by_its_name_and_its_title(scripts: Scripts) -> None:
    """In a sentence, people leave out the commas of a title, and its capitals."""
    models = {**load_models(), **load_relatives()}
    names_by_title: dict[str, set[str]] = {}
    for name, model in models.items():
        names_by_title.setdefault(model.title, set()).add(name)
    cases = [
        (f"How many parameters does {text} have?", names_by_title[model.title])
        for name, model in models.items()
        for title in [model.title.replace(",", "")]
        for text in ([name] if model.title == "BERT miniature" else [name, title, title.lower()])
    ]
    results = scripts.call("accountsAsTexts", [text for text, _ in cases])
    found = [(text, (result or {}).get("model"), names) for (text, names), result in zip(cases, results, strict=True)]
    assert [] == [case for case in found if not case[1] or case[1]["name"] not in case[2]]


def test_the_most_downloaded_checkpoints_are_known_by_their_ids(scripts: Scripts) -> None:
    ids = [*MOST_DOWNLOADED_CHECKPOINTS["totals"], *MOST_DOWNLOADED_CHECKPOINTS["sizes"]]
    results = accounts(scripts, ids)
    assert {"certain"} == {result["confidence"] for result in results}
    assert {name: model_named(name).name for name in ids} == {
        name: result["model"]["name"] for name, result in zip(ids, results, strict=True)
    }


def test_a_checkpoint_with_the_sizes_of_another_model_keeps_its_name(scripts: Scripts) -> None:
    result = account(scripts, "sentence-transformers/all-MiniLM-L6-v2")
    assert (
        "all-MiniLM-L6-v2, which has the sizes of MiniLM, 6 layers, has 22,713,216 parameters as BertModel."
        == result["headline"]
    )
    config = SIZES | {"vocab_size": 30_522, "_name_or_path": "BAAI/bge-base-en"}
    assert account(scripts, json.dumps(config))["headline"].startswith("This is bge-base-en, as BertModel: 109,482,240")


UNKNOWN_NAMES = {
    "bert-base-uncasd": "bert-base-uncased",
    "google-bert/bert-bsae-uncased": "bert-base-uncased",
    "roberta-bas": "roberta-base",
    "robreta-base": "roberta-base",
    "distilbret-base-uncased": "distilbert-base-uncased",
    "albret-base-v2": "albert-base-v2",
    "google/electra-bse-discriminator": "electra-base-discriminator",
    "albert-base-v4": None,
    "deberta-small": None,
    "microsoft/deberta-small": None,
    "sentence-transformers/all-MiniLM-L8-v2": None,
    "jhu-clsp/mmBERT-large": None,
    "BAAI/bge-base-en-v2.5": None,
    "dslim/bert-base-POS": None,
    "nlpaueb/legl-bert-base-uncased": "legal-bert-base-uncased",
    "HooshvareLab/bert-fa-base-uncased": None,
    "ai-forever/ruRoberta-large": None,
    "deepvk/RuModernBERT-base": None,
    "allenai/scibert_scivocab_cased": None,
    "microsoft/layoutlm-base-cased": None,
    "dbmdz/bert-base-french-uncased": None,
    "SZTAKI-HLT/hubert-base-cc": None,
    "readerbench/RoBERT-base": None,
    "Falconsai/intent_classification": None,
    "laiyer/deberta-v3-base-prompt-injection": "protectai/deberta-v3-base-prompt-injection",
}
"""Unknown names, each with the name that is suggested instead; None if nothing is suggested."""


def test_only_a_name_of_the_same_family_is_suggested(scripts: Scripts) -> None:
    for (name, suggestion), result in zip(UNKNOWN_NAMES.items(), accounts(scripts, [*UNKNOWN_NAMES]), strict=True):
        question = f" Did you mean {suggestion}?" if suggestion else ""
        assert f"We do not know a model called {name}.{question}" == result["headline"]
        assert None is result["model"]
        advice = f'did you mean "{suggestion}"?' if suggestion else "give a config.json"
        assert advice_on(name, models_by_every_name()).startswith(advice)
    assert [*UNKNOWN_NAMES.values()] == scripts.call("suggestedNames", [*UNKNOWN_NAMES])


UNCOUNTED_NAMES = {
    "jinaai/jina-embeddings-v2-base-en": "ALiBi instead of a position table",
    "jina-embeddings-v2-small-en": "ALiBi instead of a position table",
    "jinaai/jina-embeddings-v3": "adapters for its tasks",
    "https://huggingface.co/zhihan1996/DNABERT-2-117M": "its code is MosaicBERT's own",
    "nomic-ai/nomic-embed-text-v2-moe": "its experts",
    "jinaai/jina-embedding-b-en-v1": "built like T5",
    "openai-community/gpt2": "built like a decoder",
    "tiiuae/falcon-7b": "built like a decoder",
    "facebook/bart-large-mnli": "a decoder as well as an encoder",
    "flaubert/flaubert_base_cased": "built like XLM",
    "funnel-transformer/small": "shorten the text in steps",
    "https://huggingface.co/funnel-transformer/intermediate": "shorten the text in steps",
    "facebook/esm1b_t33_650M_UR50S": "a table of positions",
    "facebook/xmod-base": "an adapter for every language",
    "squeezebert/squeezebert-uncased": "grouped convolutions",
    "YituTech/conv-bert-base": "half of its attention is a convolution",
    "numind/NuNER_Zero": "layers of its own behind an encoder",
    "openai/whisper-tiny": "it reads sound",
    "sentence-transformers/average_word_embeddings_glove.6B.300d": "a table of word vectors",
}
"""Models that are not counted, each with words from the reason. Source: the model card of each."""


@pytest.mark.parametrize(
    "text", ["BertConfig(30522, 512, 8, 8, 2048)", "DistilBertModel(DistilBertConfig(30522, n_layers=3))"]
)
def test_arguments_without_names_are_refused(text: str, scripts: Scripts) -> None:
    """The second argument is the hidden size in BertConfig, and the number of positions in DistilBertConfig."""
    refusal = account(scripts, text)
    assert refusal["kind"] == "refusal"
    assert "has arguments without names" in refusal["headline"]


def test_a_model_that_is_not_counted_is_refused_with_its_own_reason(scripts: Scripts) -> None:
    for (name, reason), result in zip(UNCOUNTED_NAMES.items(), accounts(scripts, [*UNCOUNTED_NAMES]), strict=True):
        assert result["headline"].startswith(f"We do not count {name.removeprefix('https://huggingface.co/')}: ")
        assert reason in result["headline"]
        assert reason in advice_on(name, models_by_every_name())
        assert None is result["model"]
        assert "Drop the model's safetensors file here instead" in str(result["findings"])


def test_advice_on_an_unknown_name_asks_for_its_config(scripts: Scripts) -> None:
    """A model with an unknown name may be one that we count, so the advice is to paste its config."""
    (result,) = accounts(scripts, ["my-company/mystery-bert-9"])
    assert "We do not know a model called my-company/mystery-bert-9" in result["headline"]
    assert "Paste its config.json" in str(result["findings"])


def test_a_config_that_is_not_counted_is_refused_with_the_reason_for_its_type(scripts: Scripts) -> None:
    blocks = uncounted_models().values()
    reasons = {model_type: block["why"] for block in blocks for model_type in block.get("types", ())}
    texts = [json.dumps(SIZES | {"model_type": model_type}) for model_type in reasons]
    for (model_type, reason), text, result in zip(reasons.items(), texts, accounts(scripts, texts), strict=True):
        refusal = f'model_type is "{model_type}", which is not counted here, because {reason}'
        assert f"This config cannot be counted: {refusal}." == result["headline"]
        with pytest.raises(BadConfig, match=f"{re.escape(refusal)}$"):
            model_of_config("config.json", json.loads(text))
    assert {""} == {reason_against_type(name) for name in ARCHITECTURES}
    (class_account,) = accounts(scripts, ["GPT2Config(n_embd=768, n_layer=12)"])
    assert (
        "it is a GPT2Config, which is not counted here, because it is built like a decoder" in class_account["headline"]
    )


def test_a_model_that_is_not_counted_may_have_a_recorded_total(scripts: Scripts) -> None:
    # Source: recorded from transformers 5.23, in others.toml.
    assert any("124,439,808 parameters as GPT2Model" in finding for finding in account(scripts, "gpt2")["findings"])


IDS_WITHOUT_PUBLISHER = {
    "bert-base-NER": ("bert-base-cased", "likely"),
    "bert-base": ("bert-base-uncased", "likely"),
    "toxic-bert": ("bert-base-uncased", "likely"),
}
"""Ids on the Hub without their publisher, each with the model and the confidence of the account."""


def test_an_id_without_its_publisher_makes_the_account_only_likely(scripts: Scripts) -> None:
    results = accounts(scripts, [*IDS_WITHOUT_PUBLISHER])
    assert [*IDS_WITHOUT_PUBLISHER.values()] == [(result["model"]["name"], result["confidence"]) for result in results]


def test_both_languages_know_the_same_publishers(scripts: Scripts) -> None:
    assert [*ORGANISATIONS] == scripts.call("organisations")


HOSTILE_TEXTS = [
    ("", "[", 1_000_000, ""),
    ("", '{"a":', 200_000, ""),
    ("", "{", 1_000_000, ""),
    ("", '{"hidden_size":', 70_000, ""),
    ('{"model_type":"bert","x":', "[", 1_000_000, ""),
    ("", "hidden_size=", 90_000, ""),
    ('{"model_type":"bert",', "/*", 500_000, ""),
    ('{"model_type":"bert"}', '{"model_type":"bert"}', 40_000, ""),
    ('{"model_type":"bert"}', "params 1,111", 80_000, ""),
    ("", '"', 1_000_000, ""),
    ("BertConfig {", "\n\\", 500_000, ""),
    ("", "(", 1_000_000, ""),
    ("", "Config{", 150_000, ""),
    ("", "aConfig (", 110_000, ""),
    ("", "x ", 500_000, ""),
    ("", "#", 1_000_000, ""),
    ("", "hidden_size: 768 ", 60_000, ""),
    ("", "hidden_size: 768\n", 60_000, ""),
    ('{"model_type":"bert"', ',"hidden_size":768', 55_000, "}"),
    ("vocab_size: ", "9", 1_000_000, "\nhidden_size: 768"),
    ("BertConfig(vocab_size=", "9*", 400_000, "9)"),
    ("", "a-", 500_000, ""),
    ("config = BertConfig()\n", "config.hidden_size = {", 100_000, ""),
    ("config = BertConfig()\n", "config.hidden_size = {\n", 40_000, ""),
    ("config = BertConfig()\n", "cfg.", 200_000, ""),
    ("config = BertConfig()\n", "\t;", 400_000, ""),
    ("BertConfig()\n", "x = {\n", 3_000, ""),
    ("BertConfig()\n", "AForAFor", 100_000, "(config"),
    ("BertConfig(", "**{", 100_000, ""),
    ("BertConfig(", "dict(", 100_000, ""),
    ("BertModel with ", "a b ", 480, ""),
    ("", "a:\n", 6_000, ""),
    ("", "[a]\nhidden_size = 1\nnum_hidden_layers = 1\n", 450, ""),
    ("BertModel with ", "hidden size 768, ", 110, ""),
    ("hidden_size |", " ", 19_000, "| 768\nnum_hidden_layers | 12\nnum_attention_heads | 12"),
    ("name,", "hidden_size,num_hidden_layers,num_attention_heads,", 300, "\n1,2"),
    ("", "newly initialized: ['a'", 40_000, ""),
    ("size mismatch for ", "a.", 500_000, ""),
    ("", "| MISSING |", 90_000, ""),
    ("Missing key(s): ", '"a", ', 200_000, ""),
    ("x LOAD REPORT from: y\n", "a.{0...9}.{0...9}.{0...9}.b | MISSING | \n", 20_000, ""),
]
"""Long texts on which a careless pattern could take minutes: a start, a piece, its number of repetitions, and an
end.
"""


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=str)
def test_hostile_texts_are_answered_quickly(text: tuple[str, str, int, str], scripts: Scripts) -> None:
    (timed_accounts,) = scripts.call("longAccounts", [text])
    assert max(timed_account["time"] for timed_account in timed_accounts) < MAX_MILLISECONDS


def test_odd_keys_do_no_harm(scripts: Scripts) -> None:
    text = '{"model_type": "bert", "__proto__": {"polluted": 1}, "constructor": 3, "vocab_size": 30522}'
    assert 109_482_240 == account(scripts, text)["model"]["total"]
    assert None is scripts.call("inheritedProperty", "polluted")
    account_of_repeated_key = account(scripts, '{"model_type": "bert", "vocab_size": 5, "vocab_size": 21128}')
    assert 102_267_648 == account_of_repeated_key["model"]["total"]
    assert any("occurs twice" in sentence for sentence in account_of_repeated_key["findings"])
    for number in ("1e400", "1e999999999", "9" * 400, "-5", "0.5"):
        result = account(scripts, f'{{"model_type": "bert", "vocab_size": {number}}}')
        assert "refusal" == result["kind"], number
        assert len(result["headline"]) < 300


def test_the_account_of_a_truncated_config_is_not_certain(scripts: Scripts) -> None:
    complete_text = json.dumps({"architectures": ["BertForMaskedLM"], **SIZES}, indent=2)
    result = account(scripts, complete_text[: complete_text.index('"type_vocab_size"')])
    assert "certain" != result["confidence"]
    assert any("keys may be missing" in sentence for sentence in result["findings"])


def test_a_total_next_to_a_config_is_explained(scripts: Scripts) -> None:
    text = "config = BertConfig(num_hidden_layers=6)\nmodel = BertModel(config)\nmodel.num_parameters()  # 66,955,008"
    assert "The 66,955,008 beside the config is the total of BertModel." in account(scripts, text)["findings"]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        # German BERT as BertForMaskedLM has 109,112,880.
        (
            'BertConfig {"architectures": ["BertForMaskedLM"], "vocab_size": 30000}\nnum_parameters() -> 109,112,112',
            "The 109,112,112 beside the config is not the total of BertForMaskedLM, but 768 fewer.",
        ),
        (
            '{"model_type": "bert", "vocab_size": 30522}\nTotal params: 109482242',
            "The 109,482,242 beside the config is not the total of BertModel, but 2 more.",
        ),
    ],
)
def test_a_wrong_total_next_to_a_config_is_compared_with_the_right_one(
    text: str, finding: str, scripts: Scripts
) -> None:
    assert finding in account(scripts, text)["findings"]


@pytest.mark.parametrize("note", ["params: 110,000,000", "epoch 109482242", "trained params of the head: 1538"])
def test_other_numbers_next_to_a_config_are_not_totals(note: str, scripts: Scripts) -> None:
    result = account(scripts, f'{{"model_type": "bert", "vocab_size": 30522}}\n{note}')
    assert not any("beside the config" in sentence for sentence in result["findings"])


SIZES_OF_SMALL_MODEL = '"num_attention_heads": 4, "intermediate_size": 1024, "vocab_size": 8000'
COMMENTED_CONFIGS = [
    f'{{"hidden_size": 256, // small\n"num_hidden_layers": 4, /* was 12 */\n{SIZES_OF_SMALL_MODEL},\n# "x": 16,\n}}',
    f'{{"hidden_size": 256 /* small */, "num_hidden_layers": 4 // of 12\n, /* "x": 1, */ {SIZES_OF_SMALL_MODEL} //\n}}',
]
"""A config with H = 256, L = 4, F = 1,024 and V = 8,000, written twice with comments of several kinds."""


@pytest.mark.parametrize("text", COMMENTED_CONFIGS)
def test_comments_in_a_config_are_not_read(text: str, scripts: Scripts) -> None:
    # (8,000 + 512 + 2 + 2) x 256 + 4 x (4 x 256 x 256 + 2 x 256 x 1,024 + 9 x 256 + 1,024) + 256 x 256 + 256
    assert 5_404_928 == account(scripts, text)["model"]["total"]


def test_a_number_at_the_end_of_a_cut_config_is_not_read(scripts: Scripts) -> None:
    """Of 30,522, only 305 is left; in the other text, a comma shows that the number is complete."""
    start = '{"architectures": ["BertModel"], "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, '
    cut_text, complete_text = (f'{start}"intermediate_size": 3072, "vocab_size": {end}' for end in ("305", "30524,"))
    assert 109_482_240 == account(scripts, cut_text)["model"]["total"]
    assert "vocab_size = 30,522" in account(scripts, cut_text)["headline"]
    assert 109_483_776 == account(scripts, complete_text)["model"]["total"]


@pytest.mark.parametrize("end", ['"num_hidden_lay', '"num_hidden_layers"', '"num_hidden_layers":', '"num_hidd...'])
def test_a_config_may_be_cut_off_within_a_key(end: str, scripts: Scripts) -> None:
    text = f'{{"model_type": "bert", "hidden_size": 512, "intermediate_size": 2048, "num_attention_heads": 8, {end}'
    result = account(scripts, text)
    assert "possible" == result["confidence"]
    assert result["headline"].startswith("This config is cut off. If the rest is as in transformers' defaults (vocab_")
    # 30,522 + 512 + 2 + 2 rows of 512, 12 x (4 x 512 x 512 + 2 x 512 x 2,048 + 9 x 512 + 2,048), and 512 x 513
    assert 53_982_720 == result["model"]["total"]


def test_what_is_cut_off_is_taken_from_a_published_model_with_the_other_sizes(scripts: Scripts) -> None:
    text = """{
  "architectures": [
    "RobertaForMaskedLM"
  ],
  "hidden_size": 1024,
  "num_attention_heads": 16,
  "num_hidden_layers": 24,
  "intermediate_si"""
    expected = (
        "This config is cut off. If the rest is as in RoBERTa large, the model has 355,412,057 parameters as "
        "RobertaForMaskedLM."
    )
    assert expected == account(scripts, text)["headline"]


DIFF = """
diff --git a/config.json b/config.json
--- a/config.json
+++ b/config.json
@@ -4,12 +4,12 @@
   "model_type": "bert",
-  "hidden_size": 768,
-  "num_hidden_layers": 12,
-  "num_attention_heads": 12,
-  "intermediate_size": 3072,
+  "hidden_size": 1024,
+  "num_hidden_layers": 24,
+  "num_attention_heads": 16,
+  "intermediate_size": 4096,
   "vocab_size": 30522,
   "max_position_embeddings": 512,
   "type_vocab_size": 2"""


@pytest.mark.parametrize("text", [DIFF, DIFF[DIFF.index('   "model_type"') :]])
def test_a_diff_is_counted_before_and_after_the_change(text: str, scripts: Scripts) -> None:
    result = account(scripts, text)
    assert "After the change: This is BERT large, uncased, as BertModel: 335,141,888 parameters." == result["headline"]
    assert "That is 225,659,648 more than the 109,482,240 before the change." in result["findings"]


MINI_SIZES = {"vocab_size": 30522, "hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4}
"""Some sizes of BERT-Mini, which has 11,170,560 parameters."""


@pytest.mark.parametrize(
    "text",
    [
        # as candle prints its Config, in Rust
        (
            "Config { vocab_size: 30522, hidden_size: 256, num_hidden_layers: 4, num_attention_heads: 4, "
            "intermediate_size: 1024, hidden_act: Gelu, max_position_embeddings: 512, type_vocab_size: 2, "
            "position_embedding_type: Absolute, "
            'classifier_dropout: None, model_type: Some("bert") }'
        ),
        (
            "| Parameter | Value |\n|---|---|\n| `model_type` | bert |\n| `hidden_size` | 256 |\n"
            "| `num_hidden_layers` | 4 |\n| `num_attention_heads` | 4 |\n| `intermediate_size` | 1,024 |\n"
            "| `vocab_size` | 30,522 |"
        ),
        (
            "vocab_size 30522 hidden_size 256 num_hidden_layers 4 num_attention_heads 4 intermediate_size 1024 "
            "max_position_embeddings 512 type_vocab_size 2"
        ),
        json.dumps(json.dumps({"model_type": "bert", **MINI_SIZES, "intermediate_size": 1024})),
        (
            "We train a BERT with hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024, "
            "vocab_size=30522, max_position_embeddings=512 and type_vocab_size=2. How many parameters does it have?"
        ),
        (
            'config = BertConfig.from_pretrained("bert-base-uncased", hidden_size=256, num_hidden_layers=4)\n'
            "config.update({'intermediate_size': 1024})\nconfig.num_attention_heads = 4\nmodel = BertModel(config)"
        ),
    ],
)
def test_sizes_are_read_in_further_notations(text: str, scripts: Scripts) -> None:
    assert "This is BERT-Mini, as BertModel: 11,170,560 parameters." == account(scripts, text)["headline"]


def test_a_print_out_below_code_that_changes_sizes_is_read(scripts: Scripts) -> None:
    code = 'model = BertModel(BertConfig.from_pretrained("bert-base-uncased", num_hidden_layers=6))'
    text = f"{code}\nmodel.pooler\nBertPooler(\n  (dense): Linear(in_features=768, out_features=768, bias=True)\n)"
    (result,) = scripts.call("accounts", [text])
    assert "config" != result["kind"]


def test_the_configs_of_a_list_are_compared(scripts: Scripts) -> None:
    tiny = {
        "model_type": "bert",
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "intermediate_size": 512,
        "vocab_size": 30522,
    }
    text = json.dumps(
        [tiny | {"num_attention_heads": 2}, MINI_SIZES | {"model_type": "bert", "intermediate_size": 1024}]
    )
    result = account(scripts, text)
    assert "Your text has 2 configs. Config 1: This is BERT-Tiny, as BertModel: 4,385,920" in result["headline"]
    assert "Config 2 has 11,170,560 parameters, 6,784,640 more than the first." in result["findings"]


TAKES_DEFAULT = "transformers ignores keys that it does not know, so it takes the default,"
UNKNOWN_KEYS = {
    '{"model_type": "bert", "hiden_size": 512, "vocab_size": 30522}': (
        f"hiden_size: it looks like a misspelling of hidden_size; {TAKES_DEFAULT} 768."
    ),
    "BertConfig(hidden_size=768, num_hidden_layer=6)": (
        f"num_hidden_layer: it looks like a misspelling of num_hidden_layers; {TAKES_DEFAULT} 12."
    ),
    '{"model_type": "bert", "intermidiate_size": 2048, "vocab_size": 30522}': (
        f"intermidiate_size: it looks like a misspelling of intermediate_size; {TAKES_DEFAULT} 3,072."
    ),
    # The size is given under its right key.
    '{"model_type": "bert", "hiden_size": 512, "hidden_size": 768}': (
        "hiden_size: we do not know it, and by its name it may size tensors."
    ),
    '{"model_type": "bert", "hidden_dims": 512, "vocab_size": 30522}': (
        "hidden_dims: we do not know it, and by its name it may size tensors."
    ),
}
"""Configs with a key that is not known, each with the sentence about that key."""


@pytest.mark.parametrize("text", UNKNOWN_KEYS)
def test_an_unknown_key_is_compared_with_the_keys_of_sizes(text: str, scripts: Scripts) -> None:
    result = account(scripts, text)
    assert None is result["model"]
    assert UNKNOWN_KEYS[text] in result["findings"]


def test_several_configs_are_counted_and_compared(scripts: Scripts) -> None:
    large_sizes = {
        **SIZES,
        "vocab_size": 30522,
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "intermediate_size": 4096,
    }
    texts = [json.dumps(SIZES | {"vocab_size": 30522}), json.dumps(large_sizes | {"num_attention_heads": 16})]
    result = account(scripts, f"base:\n{texts[0]}\nlarge:\n{texts[1]}\nWhich one is bigger?")
    assert (
        "Your text has 2 configs. Config 1: This is BERT base, uncased, as BertModel: 109,482,240 parameters. "
        "Config 2: This is BERT large, uncased, as BertModel: 335,141,888 parameters."
    ) == result["headline"]
    assert "Config 2 has 335,141,888 parameters, 225,659,648 more than the first." in result["findings"]
    same_result = account(scripts, f"{texts[0]}\n{texts[0]}")
    assert "Config 2 has 109,482,240 parameters, as many as the first." in same_result["findings"]


SIZES_IN_A_MESSAGE = {
    # Sentences before, between and after the keys, one of them with a class.
    "Hello everybody,\n\nI train a small model with these settings, and I wonder how big it is:\n\n"
    "hidden_size: 384\nnum_hidden_layers: 6\nnum_attention_heads: 6\nintermediate_size: 1536\nvocab_size: 30522\n\n"
    "Is it below 30M trainable parameters? I use BertForMaskedLM.\nThanks a lot\nTim": ("BertForMaskedLM", 22_744_506),
    "my own BERT in PyTorch:\nn_layers = 4\nd_model = 256\nvocab_size = 30522\nHow many parameters?": (
        "BertModel",
        11_170_560,
    ),
    "  --hidden-size 1024 \\\n  --num-layers 24 \\\n  --num-attention-heads 16\n\nHow many parameters will that be?": (
        "BertModel",
        335_141_888,
    ),
}
"""Lists of sizes in messages, each with the class that is counted and its total in transformers."""


@pytest.mark.parametrize("text", SIZES_IN_A_MESSAGE)
def test_the_sentences_around_sizes_are_no_keys(text: str, scripts: Scripts) -> None:
    result = account(scripts, text)
    model_class, total = SIZES_IN_A_MESSAGE[text]
    assert (model_class, total) == (result["model"]["modelClass"], result["model"]["total"])
    assert not any("We do not know" in sentence for sentence in result["findings"])


@pytest.mark.parametrize(
    ("question", "model_class"),
    [
        ("how many params with the MLM head?", "BertForMaskedLM"),
        ("And how large is it for question answering?", "BertForQuestionAnswering"),
        ("I use it for NER. How many parameters does it have?", "BertForTokenClassification"),
        ("Is the MLM head larger than the one for NER?", "BertModel"),
        ("It was made for masked language modeling.", "BertModel"),
    ],
)
def test_a_question_below_a_config_names_the_class_by_its_purpose(
    question: str, model_class: str, scripts: Scripts
) -> None:
    result = account(scripts, f"{json.dumps(SIZES | {'vocab_size': 30522})}\n{question}")
    assert model_class == result["model"]["modelClass"]


IF_ELSE = """config = BertConfig()
if args.tiny:
    config.hidden_size = 128
    config.num_hidden_layers = 2
    config.num_attention_heads = 2
    config.intermediate_size = 512
else:
    config.hidden_size = 1024
    config.num_hidden_layers = 24
    config.num_attention_heads = 16
    config.intermediate_size = 4096
model = BertForMaskedLM(config)
"""
IF_ALONE = """config = BertConfig.from_pretrained("bert-base-uncased")
if args.num_layers == 6:
    config.num_hidden_layers = 6
model = BertModel(config)
"""


@pytest.mark.parametrize(
    ("text", "totals"),
    [(IF_ELSE, ["4,416,698", "335,174,458"]), (IF_ALONE, ["66,955,008", "109,482,240"])],
)
def test_code_that_sets_sizes_under_a_condition_is_counted_in_each_branch(
    text: str, totals: list[str], scripts: Scripts
) -> None:
    result = account(scripts, text)
    assert totals == re.findall(r"[0-9]{1,3}(?:,[0-9]{3}){2}", result["headline"])
    assert " Otherwise: " in result["headline"]
    assert ("likely", None) == (result["confidence"], result["model"])


def test_a_condition_on_something_else_than_sizes_does_not_matter(scripts: Scripts) -> None:
    text = "cfg = BertConfig()\nif torch.cuda.is_available():\n    cfg.hidden_dropout_prob = 0\nmodel = BertModel(cfg)"
    assert ("certain", 109_482_240) == (account(scripts, text)["confidence"], account(scripts, text)["model"]["total"])


def test_only_the_section_of_the_model_is_read_and_its_references_are_resolved(scripts: Scripts) -> None:
    text = """name: my_bert
trainer:
  devices: 8
  max_steps: 1000000
model:
  encoder_seq_length: 256
  max_position_embeddings: ${.encoder_seq_length}
  num_layers: 12
  hidden_size: 512
  ffn_hidden_size: 2048
  num_attention_heads: 8
  tokenizer:
    type: 'BertWordPieceLowerCase'
  optim:
    sched:
      warmup_steps: 500
"""
    result = account(scripts, text)
    # 30,522 x 512 + 256 x 512 + 2 x 512 + 2 x 512; 12 layers of 3,152,384; and 512 x 513 for the pooler.
    assert ("possible", 53_851_648) == (result["confidence"], result["model"]["total"])


def test_a_section_on_training_may_have_the_sizes(scripts: Scripts) -> None:
    text = """training:
  hidden_size: 512
  num_hidden_layers: 8
  num_attention_heads: 8
  intermediate_size: 2048
  vocab_size: 30522
optimizer:
  type: adamw
"""
    result = account(scripts, text)
    assert ("BertModel", 41_373_184) == (result["model"]["modelClass"], result["model"]["total"])  # BERT-Medium


LABELS_IN_A_SENTENCE = {
    '{"model_type": "bert", "vocab_size": 30522}\nI fine-tune BertForTokenClassification with 9 labels.': 108_898_569,
    '{"architectures": ["BertForSequenceClassification"], "model_type": "bert"}\nThere are three classes.': 109_484_547,
    # The config says otherwise, or the class has no labels.
    "BertConfig(num_labels=4) for BertForSequenceClassification, not 2 labels": 109_485_316,
    '{"architectures": ["BertForMaskedLM"], "model_type": "bert"}\nThere are three classes.': 109_514_298,
    "Hi Jonas,\n\nthe cross encoder is ms-marco-MiniLM-L-6-v2. Its config says\n\nhidden_size = 384\n"
    "num_hidden_layers = 6\nnum_attention_heads = 12\nintermediate_size = 1536\nvocab_size = 30522\n\n"
    "and it has one label (BertForSequenceClassification). How many parameters is that?\n\nBest\nAnna": 22_713_601,
}
"""Configs in messages with a number of labels, each with its total. A label has H + 1 parameters."""


@pytest.mark.parametrize("text", LABELS_IN_A_SENTENCE)
def test_a_sentence_beside_a_config_may_give_the_number_of_labels(text: str, scripts: Scripts) -> None:
    assert LABELS_IN_A_SENTENCE[text] == account(scripts, text)["model"]["total"]


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("ModelConfig(vocab_size=30522, d_model=512, n_layers=8, n_heads=8, d_ff=2048)", 41_373_184),
        (
            "ModelConfig(d_model=768, num_layers=12, num_segments=2, num_classes=3)  # BertForSequenceClassification",
            109_484_547,
        ),
    ],
)
def test_a_config_of_the_readers_own_may_name_sizes_differently(text: str, total: int, scripts: Scripts) -> None:
    assert total == account(scripts, text)["model"]["total"]


def test_a_config_that_a_branch_replaces_is_only_likely(scripts: Scripts) -> None:
    text = (
        "config = BertConfig(num_hidden_layers=6)\nif not train_from_scratch:\n"
        "    config = BertConfig.from_pretrained('bert-base-uncased')\nmodel = BertModel(config)"
    )
    result = account(scripts, text)
    assert "likely" == result["confidence"]
    assert any("replaces the config under a condition" in sentence for sentence in result["findings"])


COPIES = {
    "cfg = BertConfig(hidden_size=256, num_attention_heads=4, intermediate_size=1024)\n"
    "small = dataclasses.replace(cfg, num_hidden_layers=4)\nmodel = BertModel(small)": 11_170_560,
    'teacher = BertConfig.from_pretrained("bert-base-uncased")\nstudent = copy.deepcopy(teacher)\n'
    "student.num_hidden_layers = 6\nmodel = BertModel(student)": 66_955_008,
    # The first model is that of the original.
    "teacher = BertConfig()\nstudent = copy.copy(teacher)\nstudent.num_hidden_layers = 6\n"
    "big, small = BertModel(teacher), BertModel(student)": 109_482_240,
}
"""Code that copies a config under another name, each with the total of the first model that it builds."""


@pytest.mark.parametrize("text", COPIES)
def test_a_copy_of_a_config_is_counted_with_its_changes(text: str, scripts: Scripts) -> None:
    assert COPIES[text] == account(scripts, text)["model"]["total"]


def test_every_title_has_its_article(scripts: Scripts) -> None:
    """The article follows the sound: "an MPNet", whose first letters are spelled out, but "a EuroBERT"."""
    titles = [architecture.name for architecture in ARCHITECTURES.values()]
    titles_with_an = {
        title for title, article in zip(titles, scripts.call("articles", titles), strict=True) if article == "an"
    }
    assert {"ALBERT", "ELECTRA", "ERNIE", "ESM-2", "MPNet", "XLM-RoBERTa", "XLM-RoBERTa XL"} == titles_with_an


def findings_on(scripts: Scripts, text: str) -> str:
    """All findings on a configuration, one per line."""
    return "\n".join(account(scripts, text)["findings"])


def test_the_only_size_that_differs_from_a_published_model_is_named(scripts: Scripts) -> None:
    """(4,096 - 512) x 768 = 2,752,512."""
    sentence = (
        "Only max_position_embeddings differs from BERT base, uncased: with 512, BertModel has 109,482,240 parameters, "
        "so 4,096 gives 2,752,512 more."
    )
    assert sentence in findings_on(scripts, "BertConfig(max_position_embeddings=4096)")
    assert "differs" not in findings_on(scripts, "BertConfig(max_position_embeddings=4096, vocab_size=31001)")
    assert "differs" not in findings_on(scripts, "BertConfig()")


def test_an_untied_decoder_is_compared_with_a_tied_one(scripts: Scripts) -> None:
    """30,522 x 768 + 30,522 = 23,471,418, because the decoder then has a bias of its own, too."""
    sentence = "With a tied decoder, it would have 109,514,298 parameters, so untying adds 23,471,418."
    assert sentence in findings_on(scripts, "BertForMaskedLM(BertConfig(tie_word_embeddings=False))")
    assert "untying" not in findings_on(scripts, "BertForMaskedLM(BertConfig())")
    assert "untying" not in findings_on(scripts, "BertModel(BertConfig(tie_word_embeddings=False))")
