"""Odd and hostile configs are counted as transformers builds them.

`tests/oracles/record_configs.py` recorded the totals.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import BadConfig, CountingError, Model, count, model_of_config
from macros.counting.architectures import ARCHITECTURES
from macros.counting.models import misfit_of_heads
from tests.counting.sizes import SIZES
from tests.counting.unrecorded import CLASSES_IN_RELEASE_5, unrecorded_message

RECORDING_FILE = Path(__file__).parent / "recorded_configs.json.gz"

ACTIVATIONS = ("gelu", "gelu_new", "relu", "swish", "mish", "linear")
"""Activations in the recorded configs that exist in transformers and have no parameters."""

STRICTER_REASONS = {
    r"(\w+) is (-\d+|0|true|false); it must be an integer from": "a size is a positive integer, never true or false",
    r"id2label is \{\};": "a head must have labels",
    r"position_embedding_type is": "transformers 4 builds another table for it",
    r"pruned_heads is": "transformers 4 builds smaller tensors for it",
    r"\w*(act|activation) is \"(prelu|xielu)\"": "it has parameters of its own, which are not counted here",
    rf"\w*(act|activation) is (?!\"({'|'.join(ACTIVATIONS)})\";)": "transformers checks it only in models that use it",
    r"summary_\w+ is": "transformers checks it only in the one class that uses it",
    r"(relative_attention|share_att_key|norm_rel_ebd|position_biased_input|legacy) is"
    r"|(pos_att_type|max_relative_positions|talking_head|use_bias|attention_type) is"
    r"|(trigram_input|use_bottleneck|use_bottleneck_attention|key_query_shared_bottleneck) is"
    r"|(num_feedforward_networks|normalization_type|classifier_activation) is": "no published model has that value",
    r"(type_vocab_size|conv_kernel_size|embedding_size|pooler_hidden_size) is": "no published DeBERTa has that value",
    r"head_dim is": "only heads that divide the hidden size evenly are counted here",
    r"(tie_word_embeddings|is_decoder) is": "transformers does not check it in NomicBERT, DPR and ESM",
    r"per_layer_config is": "layers of different sizes are not counted here",
    r"(hidden_size|intra_bottleneck_size) (\d+) is not a multiple": "transformers builds a model that cannot run",
    r"\w+ is .*; the other sizes then do not determine": "a file with another model's key may describe that model",
}
"""Reasons why the engine refuses configs that transformers accepts, by pattern for the engine's message."""


@cache
def recording() -> dict[str, Any]:
    """The recording, with its versions, script, cases, and keys of other models."""
    contents: dict[str, Any] = json.loads(gzip.decompress(RECORDING_FILE.read_bytes()))
    return contents


def verdict(
    config: Mapping[str, Any], model_class: str, expected: int | None, reader: Callable[[str, Any], Model]
) -> tuple[str, str]:
    """A word for the result of one class of a case, and an explanation, which may be empty.

    The explanation of "wrong" is the difference or the error message, that of "stricter" a key of `STRICTER_REASONS`.
    """
    try:
        model = reader("a", config)
        total = count(model, model_class=model_class)
    except CountingError as error:
        if expected is None:
            return "refused", ""
        message = str(error).removeprefix("a: ")
        pattern = next((known_pattern for known_pattern in STRICTER_REASONS if re.match(known_pattern, message)), "")
        return ("stricter", pattern) if pattern else ("wrong", message)
    if misfit_of_heads(model.architecture, model.sizes):
        difference = f"{total} here with a note, {expected} in transformers"
        return ("noted", "") if expected is None else ("wrong", difference)
    return ("counted", "") if total == expected else ("wrong", f"{total} here, {expected} in transformers")


def verdicts(reader: Callable[[str, Any], Model] = model_of_config, key: str = "") -> Iterator[tuple[str, str]]:
    """The verdicts on all cases or, if a key is given, on those whose config has it."""
    cases = (case for case in recording()["cases"] if not key or key in case["config"])
    for case in cases:
        for model_class, expected in case["totals"].items():
            word, explanation = verdict(case["config"], model_class, expected, reader)
            yield word, f"{model_class} of {case['config']}: {explanation}" if word == "wrong" else explanation


def test_odd_configs_are_counted_as_transformers_builds_them() -> None:
    """Every config is counted as in transformers, refused as in transformers, or refused for a listed reason.

    A config that transformers refuses may also be counted with a note.
    """
    results = list(verdicts())
    assert [] == [explanation for word, explanation in results if word == "wrong"][:5]
    words = Counter(word for word, _ in results)
    # Every reason in the list is needed, and there are many cases of each kind.
    assert set(STRICTER_REASONS) == {explanation for word, explanation in results if word == "stricter"}
    assert words["counted"] >= 2000
    assert words["refused"] >= 2000
    assert words["stricter"] >= 300
    assert words["noted"] >= 100


def test_every_class_is_recorded() -> None:
    assert "5.23.0" == recording()["versions"]["transformers"]
    classes = {name for case in recording()["cases"] for name in case["totals"]}
    assert classes == CLASSES_IN_RELEASE_5, unrecorded_message(CLASSES_IN_RELEASE_5 ^ classes, "record_configs")


def reader_without(ignored_key: str) -> Callable[[str, Any], Model]:
    """Return a reader that ignores a key."""
    return lambda name, config: model_of_config(
        name, {key: value for key, value in config.items() if key != ignored_key}
    )


@pytest.mark.parametrize(
    "key",
    [
        "id2label",
        "num_labels",
        "is_decoder",
        "add_cross_attention",
        "tie_word_embeddings",
        "hidden_act",
        "activation",
        "summary_activation",
        "summary_use_proj",
        "pad_token_id",
        "per_layer_config",
    ],
)
def test_an_ignored_setting_is_noticed(key: str) -> None:
    """All other configs are read as they are, so the verdicts on them are those of the test above."""
    assert any(word == "wrong" for word, _ in verdicts(reader_without(key), key))


INDISTINCT_MODELS = {
    "align_text_model",
    "bridgetower_text_model",
    "chinese_clip_text_model",
    "roberta-prelayernorm",
}
"""Models without a distinctive config key. They have the tensors of a BERT or RoBERTa model of the same sizes."""


@pytest.mark.parametrize("model_type", sorted(set(recording()["others"]) - INDISTINCT_MODELS - ARCHITECTURES.keys()))
def test_a_config_of_another_model_is_never_a_bert(model_type: str) -> None:
    extra = dict.fromkeys(recording()["others"][model_type], 1)
    with pytest.raises(CountingError, match=r"which .* have and BERT does not"):
        model_of_config("a", {**SIZES, **extra})


CONFIGS_WITHOUT_TYPE: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("configs_without_type.json").read_text()
)
"""Configs without a model_type: ALBERT base in google-research/albert, and the first config of DistilBERT."""


@pytest.mark.parametrize(
    ("config", "model_type", "total"),
    [
        (SIZES, "bert", 10_940),
        # 11,683,584 and 66,362,880 are the totals of transformers 5.23 for the two published models.
        (CONFIGS_WITHOUT_TYPE["albert"], "albert", 11_683_584),
        (CONFIGS_WITHOUT_TYPE["distilbert"], "distilbert", 66_362_880),
        ({**SIZES, "architectures": ["RobertaForMaskedLM"]}, "roberta", 10_940),
        ({**SIZES, "embedding_size": 20, "architectures": ["ElectraModel"]}, "electra", 10_520),
        ({**SIZES, "embedding_size": 20, "summary_use_proj": True}, "electra", 10_520),
        ({**SIZES, "architectures": []}, "bert", 10_940),
        ({**SIZES, "architectures": None}, "bert", 10_940),
    ],
)
def test_a_config_without_model_type_has_the_right_architecture(
    config: dict[str, Any], model_type: str, total: int
) -> None:
    model = model_of_config("a", config)
    assert (model_type, total) == (model.architecture.model_type, count(model))


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (
            {"embedding_size": 128},
            "a: it has embedding_size, which ALBERT, ELECTRA, DeBERTa-v2/v3, DeBERTa and MobileBERT have and BERT does",
        ),
        ({"embedding_size": 128, "dim": 3}, "has dim, embedding_size, which several models have"),
        ({"architectures": ["FunnelModel"]}, 'architectures is ["FunnelModel"], which is not counted here; if'),
        ({"architectures": "BertModel2"}, 'architectures is "BertModel2", which is not counted'),
        ({"architectures": [["BertModel"]]}, "which is not counted here"),
        ({"architectures": [3]}, "which is not counted here"),
        ({"attention_window": 512}, "has attention_window, which other models have and BERT does not; if it is a"),
    ],
)
def test_an_ambiguous_config_is_refused(extra: dict[str, Any], message: str) -> None:
    with pytest.raises(CountingError) as error:
        model_of_config("a", {**SIZES, **extra})
    assert message in str(error.value)
    assert str(error.value).endswith('if it is a BERT, add "model_type": "bert"; otherwise, add its own model_type')


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("embedding_size", 7, "embedding_size is 7; it is the width of embeddings that differs"),
        ("use_relative_position", True, "use_relative_position is true; it belongs to NEZHA"),
        ("alibi_starting_size", 512, "alibi_starting_size is 512; MosaicBERT and DNABERT-2 have ALiBi"),
        ("img_feature_dim", 2054, "img_feature_dim is 2054; Oscar has a projection of image regions"),
        ("d_model", 768, "d_model is 768; transformers reads hidden_size instead"),
        ("relative_attention_num_buckets", 32, "it is a size of another architecture"),
        ("languages", ["en"], "it belongs to the config of another model"),
        ("my_extra_layers", 2, "we do not know it, and by its name it may size tensors"),
        ("some_bias", False, "we do not know it, and by its name it may size tensors"),
    ],
)
def test_a_key_of_another_model_stops_the_count(key: str, value: object, message: str) -> None:
    """Even with a model_type, a key that affects sizes in a different model is refused with the reason.

    transformers would ignore the key. In published files, however, it shows that the weights belong to that other
    model: NEZHA, DNABERT-2 and Oscar have the model_type of BERT.
    """
    config = {"model_type": "bert", **SIZES, key: value}
    with pytest.raises(BadConfig, match=re.escape(message)):
        model_of_config("a", config)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("embedding_size", SIZES["hidden_size"]),
        ("head_dim", SIZES["hidden_size"] // SIZES["num_attention_heads"]),
        ("use_relative_position", False),
        ("my_extra_layers", None),
        ("quantization_config", {}),
        ("gradient_checkpointing", True),
        ("num_layers", SIZES["num_hidden_layers"]),
    ],
)
def test_a_key_that_changes_no_size_is_ignored(key: str, value: object) -> None:
    model = model_of_config("a", {"model_type": "bert", **SIZES, key: value})
    assert 10_940 == count(model)
    assert () == model.unknown_keys


def test_an_unknown_key_is_named() -> None:
    """The model keeps these keys, so that they can be shown next to the total."""
    config = {"model_type": "bert", **SIZES, "my_note": "a", "seed_of_run": 3, "some_dropout_of_layers": 0.1}
    model = model_of_config("a", config)
    assert ("my_note", "seed_of_run", "some_dropout_of_layers") == model.unknown_keys
    assert 10_940 == count(model)
