"""The models of published config files, read with all their keys, are counted as transformers builds them.

`published_configs.json` has the files with their sources, and `tests/oracles/record_published.py` records what
transformers builds.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from macros.counting import ARCHITECTURES, BERT, BadConfig, ChangedModel, Model, Question, model_named, model_of_config
from macros.counting.__main__ import main
from macros.counting.operations import Operations
from macros.counting.training import TrainingStep
from tests.counting.unrecorded import ARCHITECTURES_IN_RELEASE_5, unrecorded_message

FOLDER = Path(__file__).parent

CONFIG_WITH_CONVOLUTION = "deberta-v2-xlarge"
"""The name of a config with a convolution parallel to the first layer."""

UNCOUNTED_KEY = "conv_groups"
"""A key that makes the kernel of the convolution smaller. No config in `published_configs.json` has it."""

HEAD_SIZES = {"attention_head_size": 64, "num_attention_heads": 24, "hidden_size": 1536}
"""The sizes of the heads in the config with a convolution. Their total width is the hidden size."""

PUBLISHED_CONFIGS: dict[str, dict[str, Any]] = {
    name: entry["config"] for name, entry in json.loads((FOLDER / "published_configs.json").read_text()).items()
}
"""The published configs by name."""

UNCOUNTED_CONFIG = {**PUBLISHED_CONFIGS[CONFIG_WITH_CONVOLUTION], UNCOUNTED_KEY: 2}
"""A config with a tensor whose size the engine does not count."""

TOTALS: dict[str, dict[str, int]] = {
    case["name"]: case["totals"]
    for case in json.loads(gzip.decompress((FOLDER / "recorded_published.json.gz").read_bytes()))["cases"]
}
"""The total of each config in each class, as transformers builds it."""


def listed_model(name: str) -> Model:
    """The model in our data files that a config describes, or from which its model was fine-tuned."""
    return model_named(name.partition(",")[0].partition("-finetuned")[0])


def with_reordered_texts(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a config for every text that lists several items, such as `c2p|p2c`: reversed, and as a list."""
    for key, value in config.items():
        if isinstance(value, str) and "|" in value:
            items = value.split("|")[::-1]
            yield {**config, key: "|".join(items)}
            yield {**config, key: items}


def test_the_order_of_items_in_a_text_has_no_effect() -> None:
    """In transformers, such a text is split, and each item is looked for on its own."""
    configs = {name: [*with_reordered_texts(config)] for name, config in PUBLISHED_CONFIGS.items()}
    assert {"deberta", "deberta-v2"} == {config["model_type"] for variants in configs.values() for config in variants}
    for name, variants in configs.items():
        for variant in variants:
            assert Question(model_of_config(name, PUBLISHED_CONFIGS[name])).number == (
                Question(model_of_config(name, variant)).number
            )


def test_every_architecture_has_a_published_config() -> None:
    unmatched_types = ARCHITECTURES_IN_RELEASE_5.keys() ^ {
        config.get("model_type", "bert") for config in PUBLISHED_CONFIGS.values()
    }
    assert set() == unmatched_types, (
        f"published_configs.json must have a config, as it was published, of each architecture in release 5, and of no "
        f"other; missing or superfluous: {unmatched_types}"
    )
    assert PUBLISHED_CONFIGS.keys() == TOTALS.keys(), unrecorded_message(
        PUBLISHED_CONFIGS.keys() ^ TOTALS.keys(), "record_published"
    )
    for name, config in PUBLISHED_CONFIGS.items():
        classes = ARCHITECTURES[config.get("model_type", "bert")].classes
        assert [model_class.name for model_class in classes] == list(TOTALS[name])
        assert all(TOTALS[name].values())


@pytest.mark.parametrize("name", PUBLISHED_CONFIGS)
def test_totals_are_those_of_transformers(name: str) -> None:
    model = model_of_config(name, PUBLISHED_CONFIGS[name])
    assert TOTALS[name] == {class_name: Question(model, class_name).number for class_name in TOTALS[name]}
    assert listed_model(name).sizes == model.sizes


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        # Source: Maltehb/-l-ctra-danish-electra-small-cased, config.json as quoted in a public log.
        ("electra-small-generator, saved again", "generator_size", "0.25"),
        ("ernie-3.0-base-zh", "sent_type_vocab_size", 4),
        ("eurobert-210m", "clf_pooling", "late"),
        ("modernbert-base", "position_embedding_type", "sans_pos"),
    ],
)
def test_a_key_that_affects_no_size_is_ignored(name: str, key: str, value: object) -> None:
    """Some publishers add such keys to their configs."""
    assert model_of_config("a", PUBLISHED_CONFIGS[name]) == model_of_config(
        "a", {**PUBLISHED_CONFIGS[name], key: value}
    )


@pytest.mark.parametrize("name", PUBLISHED_CONFIGS)
def test_the_command_line_counts_every_config(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = PUBLISHED_CONFIGS[name]
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config, indent=2))
    bare_class, *_ = TOTALS[name]
    (model_class,) = config.get("architectures", [bare_class])
    assert 0 == main([str(path), "--json"])
    assert TOTALS[name][model_class] == json.loads(capsys.readouterr().out)["total"]
    assert 0 == main([str(path), "--class", bare_class, "--change", "int4", "--json"])
    assert TOTALS[name][bare_class] == json.loads(capsys.readouterr().out)["total"]


@pytest.mark.parametrize("name", PUBLISHED_CONFIGS)
def test_a_published_config_agrees_with_our_data_files(name: str) -> None:
    model = model_of_config(name, PUBLISHED_CONFIGS[name])
    question, listed_question = Question(model), Question(listed_model(name))
    assert ChangedModel.build(listed_question, []).footprint == ChangedModel.build(question, []).footprint
    assert Operations(listed_question, 128).step == Operations(question, 128).step
    if model.architecture is BERT:
        listed_step, step = (
            TrainingStep(ChangedModel.build(compared_question, []), 1, 128)
            for compared_question in (listed_question, question)
        )
        assert listed_step.peak_bytes == step.peak_bytes


def test_a_key_that_is_not_counted_is_named() -> None:
    with pytest.raises(BadConfig, match=r"^a: conv_groups is 2; it makes the kernel of the convolution smaller"):
        model_of_config("a", UNCOUNTED_CONFIG)
    assert 3 == model_of_config("a", PUBLISHED_CONFIGS[CONFIG_WITH_CONVOLUTION]).sizes["Z"]


WRONG_WIDTHS = [32, 128, 64.0, "64", True, None, [64], 0, -64, 2**63]
"""Wrong widths of a head. Source: transformers 5.23, which builds different matrices, or no model, with them."""


def test_heads_must_fill_the_hidden_size() -> None:
    """If the heads fill the hidden size, `attention_head_size` has no effect."""
    config = PUBLISHED_CONFIGS[CONFIG_WITH_CONVOLUTION]
    assert HEAD_SIZES == {key: config[key] for key in HEAD_SIZES}
    shorter_config = {key: value for key, value in config.items() if key != "attention_head_size"}
    assert model_of_config("a", shorter_config).sizes == model_of_config("a", config).sizes
    for width in WRONG_WIDTHS:
        with pytest.raises(BadConfig, match=r"^a: attention_head_size is .*; only heads that share the hidden size"):
            model_of_config("a", {**config, "attention_head_size": width})
    for heads in (12, "24", None):
        with pytest.raises(BadConfig):
            model_of_config("a", {**config, "num_attention_heads": heads})
