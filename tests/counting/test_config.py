"""Config files that are counted, and config files that are refused with a message that names the fault."""

import json
from pathlib import Path
from typing import Any

import pytest

from macros.counting import (
    ARCHITECTURES,
    BadConfig,
    count,
    load_models,
    load_relatives,
    model_of_config,
    read_config,
)
from macros.counting.config_keys import KEY_DATA
from macros.counting.errors import LONGEST_WORD
from tests.counting import sizes
from tests.counting.sizes import SIZES

DISTILBERT = {"model_type": "distilbert", **sizes.DISTILBERT}
MPNET = {key: value for key, value in SIZES.items() if key != "type_vocab_size"} | {"model_type": "mpnet"}
RELATIVES: dict[str, dict[str, Any]] = {
    "roberta": {**SIZES, "model_type": "roberta"},
    "xlm-roberta": {**SIZES, "model_type": "xlm-roberta"},
    "distilbert": DISTILBERT,
    "albert": {**SIZES, "model_type": "albert", "embedding_size": 7, "num_hidden_groups": 2},
    "electra": {**SIZES, "model_type": "electra", "embedding_size": 7},
}
"""Configs of relatives with the odd sizes of `SIZES`."""

DEBERTA_KEYS = {
    "model_type": "deberta-v2",
    "relative_attention": True,
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "position_biased_input": False,
    "type_vocab_size": 0,
    "position_buckets": 8,
}
"""The keys that make a config one of DeBERTa v2 or v3."""

MOBILEBERT = {
    **SIZES,
    "model_type": "mobilebert",
    "embedding_size": 7,
    "intra_bottleneck_size": 10,
    "classifier_activation": False,
}
"""A config of MobileBERT with the sizes of `SIZES`. Its layers are narrower than its hidden size."""

DEEP_LIST: Any = 0
for _ in range(100_000):
    DEEP_LIST = [DEEP_LIST]
"""A list that is nested far more deeply than Python's recursion limit."""


@pytest.mark.parametrize(
    ("extra", "labels"),
    [
        ({}, 2),
        ({"num_labels": 18}, 18),
        ({"id2label": {"0": "no", "1": "yes", "2": "maybe"}}, 3),
        ({"id2label": None}, 2),
        # transformers 5.23 uses num_labels if both are given.
        ({"num_labels": 5, "id2label": {"0": "no", "1": "yes", "2": "maybe"}}, 5),
    ],
)
def test_the_number_of_labels_is_read(extra: dict[str, Any], labels: int) -> None:
    model = model_of_config("a", {**SIZES, **extra})
    # Each label has 20 weights and a bias.
    assert labels * 21 == count(model, "sequence_classifier", model_class="BertForSequenceClassification")


def test_settings_that_change_the_tensors_are_counted() -> None:
    """Source: transformers 5.23 with the same configs."""
    untied_model = model_of_config("a", {**SIZES, "tie_word_embeddings": False})
    tied_model = model_of_config("a", SIZES)
    name = "BertForMaskedLM"
    assert 101 * 20 + 101 == count(untied_model, model_class=name) - count(tied_model, model_class=name)
    decoder = model_of_config("a", {**SIZES, "is_decoder": True, "add_cross_attention": True})
    assert 2 * (4 * (20 * 20 + 20) + 2 * 20) == count(decoder) - count(tied_model)


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"add_cross_attention": True}, "set is_decoder to true"),
        ({"add_cross_attention": 1}, "add_cross_attention is 1; it must be true or false"),
        ({"add_cross_attention": True, "is_decoder": "yes"}, 'is_decoder is "yes"'),
        ({"position_embedding_type": "alibi"}, "all others, such as ALiBi, need code of the model's own"),
        ({"position_embedding_type": "rotary"}, "all others, such as ALiBi, need code of the model's own"),
        ({"text_config": {"hidden_size": 7}}, 'text_config is {"hidden_size": 7}; it holds the sizes of another model'),
        ({"towers": [{"name": "a"}, {"sizes": {"vocab_size": 7}}]}, "it holds the sizes of another model"),
        ({"compression_config": {"sparsity": 0.9}}, "compression_config is"),
        ({"adapters": {"adapters": {"a": "pfeiffer"}, "config_map": {}}}, "adapters are added tensors"),
        ({"use_segment": False}, "use_segment is false; we do not know it"),
        # transformers 5.23 builds 24,147 parameters with this width, and 13,187 with intra_bottleneck_size.
        ({**MOBILEBERT, "true_hidden_size": 20}, "true_hidden_size is 20; MobileBERT's layers are as wide as it says"),
        ({"auto_map": ["modeling_bert.JinaBertModel"]}, "auto_map names classes of the model's own code"),
        (
            {"auto_map": ["modeling_bert.JinaBertModel"]},
            'page "I got N" counts any model from the header of its',
        ),
        ({"auto_map": {"AutoTokenizer": "a.B", "AutoModel": "c.D"}}, "auto_map names classes of the model's own code"),
        ({"auto_map": {"AutoModel": "modeling_bert.JinaBertModel"}}, "auto_map names classes of the model's own code"),
        ({"position_embedding_type": "relative_key"}, 'position_embedding_type is "relative_key"'),
        (
            {"use_relative_position": True},
            'if the model is a NEZHA, write "model_type": "nezha"',
        ),
        ({"max_relative_position": 64}, "max_relative_position is 64; it belongs to NEZHA"),
        ({"model_type": None}, "model_type is null"),
        ({"model_type": "x-net"}, 'model_type is "x-net"; other models have other tensors, and only these are'),
        ({"model_type": "funnel"}, 'model_type is "funnel", which is not counted here, because its layers shorten'),
        ({"model_type": "blip-2"}, 'model_type is "blip-2", which is not counted here, because it reads pictures'),
        ({"model_type": "x-net"}, "counted here: bert, roberta, xlm-roberta, distilbert, albert, electra"),
        ({**DEBERTA_KEYS, "pos_att_type": "p2p"}, 'pos_att_type is "p2p"; only operations of both'),
        ({**DEBERTA_KEYS, "pos_att_type": ["c2p"]}, 'pos_att_type is ["c2p"]'),
        ({"model_type": "albert"}, "embedding_size is missing; add it as an integer"),
        ({"pruned_heads": {"0": [1]}}, "pruned_heads is"),
        ({"hidden_act": "prelu"}, "it has parameters of its own"),
        ({"tie_word_embeddings": "false"}, "tie_word_embeddings is"),
        ({"num_labels": 0}, "num_labels is 0"),
        ({"id2label": {}}, "id2label is {}"),
        ({"id2label": {"no": "no"}}, 'id2label is {"no": "no"}; it must be an object with one entry per label'),
        ({"hidden_size": "20"}, 'hidden_size is "20"; it must be an integer'),
        ({"hidden_size": True}, "hidden_size is true"),
        ({"hidden_size": 0}, "hidden_size is 0"),
        ({"hidden_size": 2**53}, "hidden_size is 9007199254740992"),
        (
            {"model_type": "bert", "hidden_size": 21, "embedding_size": 7},
            "hidden_size 21 is not a multiple of num_attention_heads 5; transformers then builds narrower matrices",
        ),
        ({"num_hidden_layers": -1}, "from 0 to"),
        ({"model_type": "a\u2028b"}, r'model_type is "a\u2028b"'),
        ({"hidden_size": "\ud800"}, r'hidden_size is "\ud800"'),
        ({"hidden_size": DEEP_LIST}, "hidden_size is a value of type list"),
        ({"hidden_size": 10**5000}, "hidden_size is a value of type int"),
    ],
)
def test_a_setting_that_is_not_counted_is_refused_by_name(extra: dict[str, Any], message: str) -> None:
    """The total of such a config would be wrong."""
    with pytest.raises(BadConfig) as error:
        model_of_config("my.json", {**SIZES, **extra})
    assert message in str(error.value)
    assert str(error.value).startswith("my.json: ")
    assert 1 == len(str(error.value).splitlines())


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"tokenizer_class": "BertTokenizer", "model_max_length": 512},
        {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True},
        {
            "metadata": {"total_size": 437928960},
            "weight_map": {"embeddings.word_embeddings.weight": "model.safetensors"},
        },
    ],
)
def test_a_different_file_from_a_models_folder_is_recognised(config: dict[str, Any]) -> None:
    with pytest.raises(BadConfig, match=r"^a\.json: it has none of a model's sizes; give the config\.json that comes"):
        model_of_config("a.json", config)


@pytest.mark.parametrize("token", [101, -102, 10**9, True, False, 1.0, "0"])
def test_a_padding_token_needs_a_row(token: object) -> None:
    """A padding id outside the vocabulary is refused, as in torch, and so is an id that is not an integer."""
    with pytest.raises(BadConfig, match=r"pad_token_id is .*; it must be null or an integer below 101"):
        model_of_config("a", {**SIZES, "pad_token_id": token})


def test_products_with_positions_may_be_a_string_a_list_or_missing() -> None:
    """The list is what transformers saves. Without the key, both products are meant."""
    for setting in ({}, {"pos_att_type": "p2c|c2p"}, {"pos_att_type": ["c2p", "p2c"]}):
        assert "deberta-v2" == model_of_config("a", {**SIZES, **DEBERTA_KEYS, **setting}).architecture.model_type


def test_the_largest_size_is_allowed() -> None:
    """Another test covers the refusal of 2^53. The largest safe integer in JavaScript is 2^53 - 1."""
    assert 9_007_199_254_740_991 == model_of_config("a", {**SIZES, "vocab_size": 2**53 - 1}).sizes["V"]


def test_the_smallest_sizes_are_allowed() -> None:
    """A model may have no layers, and every other size may be 1, as in transformers."""
    model = model_of_config("a", {**dict.fromkeys(SIZES, 1), "num_hidden_layers": 0, "num_labels": 1})
    assert {"V": 1, "P": 1, "S": 1, "H": 1, "F": 1, "L": 0, "A": 1, "C": 1} == model.sizes
    assert 7 == count(model)  # V + P + S + 2 in the embeddings, 2 in the pooler


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty; give a config.json"),
        (b"\xff", "is not UTF-8 text; save it as UTF-8 and try again"),
        ('{"vocab_size": 9}'.encode("utf-16"), "is not UTF-8"),
        ('{"vocab_size": 9}'.encode("utf-16-be"), "is not UTF-8"),
        ('{"vocab_size": 9}'.encode("utf-32"), "is not UTF-8"),
        (b"[1, 2]", "a config is one JSON object"),
        (b"[" * 100_000, "it cannot be read as JSON"),
        (b'{"model_type": "bert", "vocab_size": ' + b"9" * 5000 + b"}", "(5000 digits)"),
        (b'{"vocab_size": NaN}', "vocab_size is NaN"),
        (b" " * (4 * 2**20 + 1), "is larger than"),
    ],
)
def test_a_file_that_is_not_a_config_is_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(BadConfig) as error:
        read_config(path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["\ufeff" + json.dumps(SIZES), json.dumps(SIZES).ljust(4_194_304)])
def test_a_byte_order_mark_and_four_mebibytes_are_allowed(tmp_path: Path, text: str) -> None:
    """Editors on Windows write a byte order mark."""
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    assert 101 == read_config(path).sizes["V"]


def test_a_missing_file_and_a_folder_have_different_messages(tmp_path: Path) -> None:
    """Users correct these mistakes differently."""
    with pytest.raises(BadConfig, match="No such file"):
        read_config(tmp_path / "config.json")
    with pytest.raises(BadConfig, match="it is a folder"):
        read_config(tmp_path)


def test_without_a_model_type_the_first_class_decides_the_architecture() -> None:
    bert = model_of_config("a", {**SIZES, "architectures": ["BertForMaskedLM", "RobertaModel"]})
    assert "BERT" == bert.architecture.name
    roberta = model_of_config("a", {**SIZES, "architectures": ["TFRobertaForMaskedLM"]})
    assert ("RoBERTa", "RobertaForMaskedLM") == (roberta.architecture.name, roberta.named_class)
    model_of_unknown_class = model_of_config("a", {**SIZES, "model_type": "bert", "architectures": ["TFBertMainLayer"]})
    assert "TFBertMainLayer" == model_of_unknown_class.named_class


# Two layers (in ALBERT, two groups), and narrow embeddings with their projection. Source: the shapes in
# transformers 5.23, multiplied by hand.
LAYERS = 2 * (4 * (20 * 20 + 20) + (20 * 50 + 50) + (50 * 20 + 20) + 4 * 20)
NARROW_EMBEDDINGS = (101 + 37 + 3 + 2) * 7 + 7 * 20 + 20
TOTALS = {
    "roberta": (101 + 37 + 3 + 2) * 20 + LAYERS + 420,
    "xlm-roberta": (101 + 37 + 3 + 2) * 20 + LAYERS + 420,
    "distilbert": (101 + 37 + 2) * 20 + LAYERS,
    "albert": NARROW_EMBEDDINGS + LAYERS + 420,
    "electra": NARROW_EMBEDDINGS + LAYERS,
}


@pytest.mark.parametrize("model_type", RELATIVES)
def test_a_relative_is_counted_with_the_keys_of_its_architecture(model_type: str) -> None:
    model = model_of_config("a", RELATIVES[model_type])
    assert (model_type, TOTALS[model_type]) == (model.architecture.model_type, count(model))


def test_keys_of_bert_override_those_of_distilbert() -> None:
    """In transformers 5.23, BERT's keys take precedence in a config of DistilBERT because of `attribute_map`."""
    bert_sizes = {"hidden_size": 40, "num_attention_heads": 5, "num_hidden_layers": 9}
    model = model_of_config("a", {**DISTILBERT, **bert_sizes, "hidden_dim": 51})
    assert {"V": 101, "P": 37, "H": 40, "F": 51, "L": 9, "A": 5, "C": 2} == model.sizes
    with pytest.raises(BadConfig, match="hidden_size is null"):
        model_of_config("a", {**DISTILBERT, "hidden_size": None})
    assert {"A", "F", "H", "L"} == {
        symbol.letter for symbol in ARCHITECTURES["distilbert"].symbols if symbol.key not in (*SIZES, "num_labels")
    }


@pytest.mark.parametrize(
    ("name", "missing_key"),
    [
        (name, key)
        for name, config in {"bert": SIZES, **RELATIVES}.items()
        for key in config
        if key not in ("model_type", "num_hidden_groups")
    ],
)
def test_a_missing_size_is_named(name: str, missing_key: str) -> None:
    config = {key: value for key, value in {"bert": SIZES, **RELATIVES}[name].items() if key != missing_key}
    with pytest.raises(BadConfig, match=f"my.json: {missing_key} is missing; add it"):
        model_of_config("my.json", config)


def test_one_group_of_one_layer_is_the_default_of_albert() -> None:
    config = {key: value for key, value in RELATIVES["albert"].items() if key != "num_hidden_groups"}
    sizes = model_of_config("a", config).sizes
    assert (1, 1) == (sizes["G"], sizes["I"])


# Source: transformers 5.23, which builds different tensors with these configs or cannot build the model.
BAD_CONFIGS = [
    ("roberta", {"position_embedding_type": "relative_key"}, "relative positions add a table"),
    ("roberta", {"vocab_size": 1}, "vocab_size is 1; it must be an integer from 2"),
    ("xlm-roberta", {"max_position_embeddings": 1}, "max_position_embeddings is 1; it must be an integer from 2"),
    ("distilbert", {"activation": "prelu"}, 'activation is "prelu"; either it has parameters of its own'),
    ("albert", {"position_embedding_type": "relative_key"}, "relative positions"),
    ("albert", {"embedding_size": 0}, "embedding_size is 0"),
    ("albert", {"inner_group_num": "1"}, 'inner_group_num is "1"'),
    ("electra", {"summary_use_proj": False}, "summary_use_proj is false; it changes the head for multiple choice"),
    ("electra", {"summary_use_proj": 1}, "summary_use_proj is 1; it changes the head for multiple choice"),
    ("electra", {"summary_proj_to_labels": True}, "summary_proj_to_labels is true; it changes the head"),
    ("electra", {"position_embedding_type": "relative_key_query"}, "relative positions"),
]


@pytest.mark.parametrize(("model_type", "extra", "message"), BAD_CONFIGS)
def test_a_setting_of_a_relative_that_is_not_counted_is_refused(
    model_type: str, extra: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadConfig, match=f"^my.json: .*{message}"):
        model_of_config("my.json", {**RELATIVES[model_type], **extra})


@pytest.mark.parametrize(
    ("config", "extra"),
    [
        # A real config of a Chinese model, with keys that only look like sizes.
        (SIZES, {"pooler_num_fc_layers": 3, "pooler_size_per_head": 128, "directionality": "bidi"}),
        # The vocabulary has 101 rows, so -101 is its first row, counted from the end. Source: torch.nn.Embedding.
        *((SIZES, {"pad_token_id": token}) for token in (None, 0, 1, 100, -1, -101)),
        # MPNet's padding id is 1 whatever its config says. Source: transformers 5.23, models/mpnet/modeling_mpnet.py.
        *((MPNET, {"pad_token_id": token}) for token in (None, 100, 10**9)),
        # A custom tokenizer has no tensors.
        (SIZES, {"auto_map": {"AutoTokenizer": ["tokenization.OwnTokenizer", None]}}),
        (SIZES, {"auto_map": {}}),
        # The adapters library writes this key for a model without adapters.
        (SIZES, {"adapters": {"adapters": {}, "config_map": {}, "fusion_config_map": {}, "fusions": {}}}),
        (MOBILEBERT, {"true_hidden_size": 10}),
        # The path of a file that has the vocabulary.
        (SIZES, {"vocab_file": "vocab.txt"}),
        # DistilBERT reads `activation` instead of this key.
        (DISTILBERT, {"hidden_act": "prelu"}),
    ],
)
def test_keys_that_do_not_affect_sizes_are_ignored(config: dict[str, Any], extra: dict[str, Any]) -> None:
    assert count(model_of_config("a", config)) == count(model_of_config("a", {**config, **extra}))


@pytest.mark.parametrize("length", range(LONGEST_WORD - 2, LONGEST_WORD + 3))
def test_a_path_is_named_in_full_or_by_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """The colon after the path counts towards its length."""
    monkeypatch.chdir(tmp_path)
    folder = Path("a" * (length - len("/config.json")))
    folder.mkdir()
    path = folder / "config.json"
    path.write_bytes(b"\xff")
    with pytest.raises(BadConfig) as error:
        read_config(path)
    name = path.name if length >= LONGEST_WORD else str(path)
    assert str(error.value) == f"{name}: it is not UTF-8 text; save it as UTF-8 and try again"


# One config as printed by transformers, as a call, as code, in a terminal session, and as a dictionary.
CONFIG_TEXTS = [
    (
        'BertConfig {"hidden_size": 20, "vocab_size": 101, "max_position_embeddings": 37, "type_vocab_size": 3, '
        '"intermediate_size": 50, "num_hidden_layers": 2, "num_attention_heads": 5, "transformers_version": "5.23.0"}\n'
    ),
    (
        "BertConfig(\n    hidden_size=20, vocab_size=101, max_position_embeddings=37, type_vocab_size=3,\n"
        "    intermediate_size=50, num_hidden_layers=2, num_attention_heads=5,  # small\n)"
    ),
    (
        "config = transformers.BertConfig(vocab_size=101, max_position_embeddings=37, type_vocab_size=3, "
        "hidden_size=20, intermediate_size=50, num_hidden_layers=2, num_attention_heads=5)"
    ),
    (
        "from transformers import BertConfig, BertModel\n\nconfig = BertConfig(vocab_size=101, hidden_size=4 * 5,\n"
        "    max_position_embeddings=37, type_vocab_size=3, intermediate_size=50, num_hidden_layers=2,\n"
        "    num_attention_heads=5, hidden_act='gelu', dtype=torch.float16)  # (small\nmodel = BertModel(config)\n"
    ),
    (
        ">>> config = BertConfig(vocab_size=101, hidden_size=20, max_position_embeddings=37,\n"
        "...     type_vocab_size=3, intermediate_size=50, num_hidden_layers=2, num_attention_heads=5)\n>>> config\n"
    ),
    (
        '>>> model.config\nBertConfig {"hidden_size": 20, "vocab_size": 101, "max_position_embeddings": 37,\n'
        '"type_vocab_size": 3, "intermediate_size": 50, "num_hidden_layers": 2, "num_attention_heads": 5}\n\n>>> '
    ),
    (
        "{'model_type': 'bert', 'use_cache': True, 'classifier_dropout': None, 'vocab_size': 101, 'hidden_size': 20,\n"
        " 'max_position_embeddings': 37, 'type_vocab_size': 3, 'intermediate_size': 50, 'num_hidden_layers': 2,\n"
        " 'num_attention_heads': 5}\n"
    ),
]


@pytest.mark.parametrize("text", CONFIG_TEXTS)
def test_printed_configs_and_arguments_are_read_like_files(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.txt").write_text(text)
    assert 10_940 == count(read_config(tmp_path / "config.txt"))


@pytest.mark.parametrize(
    ("text", "named_class"),
    [
        ("BertForMaskedLM(BertConfig())", "BertForMaskedLM"),
        ("AutoModelForMaskedLM.from_config(BertConfig())", "BertForMaskedLM"),
        ("from transformers import BertConfig, BertForMaskedLM\nBertForMaskedLM(BertConfig())", "BertForMaskedLM"),
        ("BertForMaskedLM(BertConfig()), BertForPreTraining(config)", ""),
        ("RobertaForMaskedLM(BertConfig())", ""),
        ("BertForMaskedLM(BertConfig(architectures=['BertModel']))", "BertModel"),
        ("BertForMaskedLM(BertConfig())" + " " * 50_000, ""),
    ],
)
def test_the_class_around_the_arguments_is_read(tmp_path: Path, text: str, named_class: str) -> None:
    (tmp_path / "config.py").write_text(text)
    assert named_class == read_config(tmp_path / "config.py").named_class


@pytest.mark.parametrize(
    ("text", "total"),
    [
        # The totals of BERT base and of transformers' defaults for RoBERTa: 50,265 tokens and 2 segments.
        ("BertConfig()", 109_482_240),
        ("RobertaConfig()", (50_265 + 512 + 2) * 768 + 2 * 768 + 12 * 7_087_872 + 768 * 768 + 768),
        ("DistilBertConfig(num_hidden_layers=12)", (30_522 + 512) * 768 + 2 * 768 + 12 * 7_087_872),
    ],
)
def test_sizes_without_an_argument_have_the_defaults_of_transformers(tmp_path: Path, text: str, total: int) -> None:
    """A size may be given under BERT's key, as the number of layers of DistilBERT is here."""
    (tmp_path / "config.py").write_text(text)
    assert total == count(read_config(tmp_path / "config.py"))


# Source: transformers' configuration classes. Their default sizes are those of a published model, except for the sizes
# whose letters are in the second string, whose defaults are copied from BERT's class.
MODELS_OF_DEFAULTS = {
    "bert": ("bert-base-uncased", ""),
    "roberta": ("roberta-base", "PS"),
    "xlm-roberta": ("xlm-roberta-base", "VPS"),
    "distilbert": ("distilbert-base-uncased", ""),
    "albert": ("albert-xxlarge-v2", ""),
    "electra": ("electra-small-discriminator", ""),
    "mpnet": ("mpnet-base", "P"),
    "modernbert": ("modernbert-base", ""),
    "deberta-v2": ("deberta-v2-xlarge", ""),
    "camembert": ("camembert-base", "VPS"),
    "data2vec-text": ("data2vec-text-base", "VPS"),
    "xlm-roberta-xl": ("xlm-roberta-xl", ""),
    "ernie": ("ernie-3.0-base-zh", "VPS"),
    "megatron-bert": ("megatron-bert-345m", ""),
    "rembert": ("rembert", ""),
    "nezha": ("nezha-cn-base", ""),
    "dpr": ("dpr-question_encoder-single-nq-base", ""),
    "deberta": ("deberta-base", ""),
    "longformer": ("longformer-base-4096", "VPS"),
    "mobilebert": ("mobilebert-uncased", ""),
    "big_bird": ("bigbird-roberta-base", ""),
    "gte": ("gte-multilingual-base", ""),
    "jina_embeddings_v3": ("jina-embeddings-v3-hf", ""),
    "eurobert": ("eurobert-210m", ""),
    "layoutlm": ("layoutlm-base-uncased", ""),
    "esm": ("esm2_t33_650M_UR50D", "HLAF"),
    "nomic_bert": ("nomic-embed-text-v1", ""),
}


def defaults_of_other_models(defaults: dict[str, dict[str, int]]) -> list[tuple[str, str]]:
    """The default sizes, by model type and key, that are not those of the expected model."""
    models = {**load_models(), **load_relatives()}
    wrong_sizes = []
    for model_type, (name, letters_of_bert) in MODELS_OF_DEFAULTS.items():
        for symbol in models[name].architecture.symbols:
            expected_model = models["bert-base-uncased" if symbol.letter in letters_of_bert else name]
            if defaults[model_type].get(symbol.key) not in (None, expected_model.sizes[symbol.letter]):
                wrong_sizes.append((model_type, symbol.key))
    return wrong_sizes


def test_the_default_sizes_of_every_architecture_are_those_of_transformers() -> None:
    assert MODELS_OF_DEFAULTS.keys() == KEY_DATA["defaults"].keys()
    assert [] == defaults_of_other_models(KEY_DATA["defaults"])


def test_a_default_size_of_another_model_is_noticed() -> None:
    defaults = KEY_DATA["defaults"]
    wrong_defaults = {**defaults, "distilbert": {**defaults["distilbert"], "n_layers": 12}}
    assert [("distilbert", "n_layers")] == defaults_of_other_models(wrong_defaults)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TimmWrapperConfig()", 'it is a "TimmWrapperConfig"; other models have other tensors'),
        ("GPT2Config()", 'it is a "GPT2Config", which is not counted here, because it is built like a decoder'),
        ("", "it is empty; give a config.json"),
        ("BertConfig(open('/etc/passwd').read())", "it has arguments without a keyword; write each argument as"),
        ("BertConfig(hidden_size=__import__('os'))", "hidden_size is \"__import__.'os'.\"; it must be an integer"),
        ("BertConfig(vocab_size=len(tokenizer))", 'vocab_size is "len.tokenizer."; it must be an integer'),
        ("BertConfig(vocab_size=2 * tokens)", 'vocab_size is "2 . tokens"; it must be an integer'),
        ("BertConfig(vocab_size=9**9**9)", 'vocab_size is "9 .. 9 .. 9"; it must be an integer'),
        (f"BertConfig(vocab_size={'9 * ' * 5000}9)", "[^\n]*"),
        ("BertConfig(hidden_size=", "its arguments are not Python; write each argument as a keyword with a value"),
        ("BertConfig(hidden size=20)", "its arguments are not Python; write each argument as a keyword with a value"),
        ("BertConfig(**{})", "it has arguments without a keyword; write each argument as a keyword with a value"),
        (
            "config = BertConfig()\nconfig.hidden_size = 20",
            'its code changes the config by "config.hidden_size = 20"; write',
        ),
        ("cfg = BertConfig()\nsetattr(cfg, 'hidden_size', 20)", "its code changes the config by .setattr.cfg"),
        ("config = BertConfig()\nconfig.update({'hidden_size': 20})", "its code changes the config by .config.update"),
        ("config = BertConfig()\nconfig['hidden_size'] = 20", "its code changes the config by .config..hidden_size"),
        ("EncoderDecoderConfig(encoder=BertConfig())", 'it is a "EncoderDecoderConfig", which is not counted here'),
        ("join(BertConfig(), RobertaConfig())", 'it holds 2 configs, such as "RobertaConfig"; give one of them'),
        ("bert-base-uncased", "it cannot be read as JSON"),
        ("BertConfig(hidden_size='x')", 'hidden_size is "x"; it must be an integer'),
        ("{'hidden_size': open('/etc/passwd').read()}", "it cannot be read as JSON .it is not a Python dictionary"),
        ("{'hidden_size': 20, []: 1}", "it cannot be read as JSON .it is not a Python dictionary"),
        ("{'hidden_size': 20", "it cannot be read as JSON .it is not a Python dictionary"),
    ],
)
def test_other_texts_of_configs_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """A class that is not counted is named, and code that is not a literal is refused without being run."""
    (tmp_path / "config.txt").write_text(text)
    with pytest.raises(BadConfig, match=f"^[^\n]*config.txt: {message}"):
        read_config(tmp_path / "config.txt")
