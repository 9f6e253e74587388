"""Record what transformers builds from configs with odd and hostile values, for comparison with the engine.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_configs

Random configs of the model types in transformers 5 are drawn with a fixed seed, each with
up to three keys changed or added. For every config and every class of its model type, the
recording has the total of the model, built on torch's meta device, or null if transformers
refuses to build it. For every other model whose config has all of BERT's sizes, the
recording has the keys of its config that BERT's config lacks.
"""

import dataclasses
import json
from random import Random
from typing import Any

from macros.counting import ARCHITECTURES
from tests.counting.sizes import DISTILBERT

from .recording import SMALL, record, with_keys_of

CASE_COUNT = 4000
SEED = 11
"""The number of random configs, and the seed of their generator."""

BASES: dict[str, dict[str, Any]] = {
    name: with_keys_of(architecture, SMALL)
    for name, architecture in ARCHITECTURES.items()
    if architecture.last_release == 5
} | {
    "bert": SMALL,
    "roberta": SMALL,
    "xlm-roberta": SMALL,
    "distilbert": DISTILBERT,
    "albert": {**SMALL, "embedding_size": 7, "num_hidden_groups": 2, "inner_group_num": 1},
    "electra": {**SMALL, "embedding_size": 7},
    "esm": {**with_keys_of(ARCHITECTURES["esm"], SMALL), "pad_token_id": 1},
    "mpnet": {**with_keys_of(ARCHITECTURES["mpnet"], SMALL), "relative_attention_num_buckets": 32},
}
"""A small config of every model type in transformers 5."""

# Numbers are small because they may be numbers of labels, and transformers creates a name for every label.
NUMBERS = (-20, -5, -1, 0, 1, 2, 3, 4, 5, 7, 10, 19, 20, 21, 36, 37, 40, 100, 101, 102)
# Values of types other than those that a setting expects.
OTHER_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0.0,
    1.0,
    20.0,
    2.5,
    "",
    "2",
    "20",
    "true",
    "null",
    [],
    [2],
    {},
    {"0": 1},
)
ACTIVATIONS = ("gelu", "gelu_new", "relu", "swish", "mish", "linear", "prelu", "xielu", "GELU", "geglu", "", "gelu ")
FLAGS = (True, True, False, False, None, 0, 1, "true", "")
# Values of `id2label`, valid and invalid.
LABELS: tuple[Any, ...] = (
    {"0": "a", "1": "b", "2": "c"},
    {"1": "a", "2": "b"},
    {"5": "a", "7": "b", "9": "c"},
    {"-1": "a"},
    {"0": None},
    {"0": "a", "00": "b"},
    {" 1 ": "a", "+2": "b"},
    {"1_0": "a"},
    {"a": "b"},
    {"1.0": "a"},
    {"": "a"},
    {"0": 0},
    {"0": "a", "x": "b"},
    {},
    [],
    ["a", "b"],
    None,
    "a",
    3,
)
SETTINGS: dict[str, tuple[Any, ...]] = {
    "num_labels": (*NUMBERS, *OTHER_VALUES),
    "id2label": LABELS,
    "is_decoder": FLAGS,
    "add_cross_attention": FLAGS,
    "tie_word_embeddings": FLAGS,
    "hidden_act": (*ACTIVATIONS, *OTHER_VALUES),
    "activation": (*ACTIVATIONS, *OTHER_VALUES),
    "position_embedding_type": ("absolute", "relative_key", "", None),
    "pruned_heads": (None, {}, [], {"0": [1]}),
    "pad_token_id": (*NUMBERS, *OTHER_VALUES),
    "per_layer_config": (None, {}, {"0": {"hidden_size": 10}}, {"1": {"intermediate_size": 10}}),
    "sinusoidal_pos_embds": (True, False),
    "summary_use_proj": FLAGS,
    "summary_proj_to_labels": FLAGS,
    "summary_type": ("first", "last", "mean", "attn", "other", None),
    "summary_activation": (*ACTIVATIONS, *OTHER_VALUES),
    "hidden_activation": (*ACTIVATIONS, *OTHER_VALUES),
    "classifier_activation": (*ACTIVATIONS, *OTHER_VALUES),
    "relative_attention": FLAGS,
    "share_att_key": FLAGS,
    "position_biased_input": FLAGS,
    "legacy": FLAGS,
    "pos_att_type": ("c2p|p2c", "c2p|p2c", ["p2c", "c2p"], "c2p", ["p2c"], [], None),
    "max_relative_positions": (-1, -1, 0, 8, None),
    "talking_head": FLAGS,
    "use_bias": FLAGS,
    "trigram_input": FLAGS,
    "key_query_shared_bottleneck": FLAGS,
    "use_bottleneck": FLAGS,
    "use_bottleneck_attention": FLAGS,
    "num_feedforward_networks": (4, 4, 1, 2, None),
    "normalization_type": ("no_norm", "layer_norm", None),
    "attention_type": ("block_sparse", "original_full", "other", None),
    "norm_rel_ebd": ("layer_norm", "none", "layer_norm|other", None),
    "head_dim": (4, 4, 20, None),
    "num_key_value_heads": (5, 1, 2, None),
    "conv_kernel_size": (0, 3, None, "3"),
    "embedding_size": (20, 20, 7, None),
    "pooler_hidden_size": (20, 20, 7, None),
    "attention_bias": FLAGS,
    "mlp_bias": FLAGS,
    "norm_bias": FLAGS,
    "classifier_bias": FLAGS,
    "decoder_bias": FLAGS,
}
"""The values of settings in random configs. Values that are listed twice are drawn more often."""


def odd_configs(count: int, seed: int) -> list[dict[str, Any]]:
    """`count` random configs, each with its model type. The same seed gives the same configs."""
    random = Random(seed)  # noqa: S311 - repeatable, not secret
    sizes = sorted({key for base in BASES.values() for key in base})
    configs = []
    for _ in range(count):
        model_type = random.choice([*BASES])
        config = dict(BASES[model_type])
        settings = [key for key in SETTINGS if key in ARCHITECTURES[model_type].keys]
        for _ in range(random.randrange(1, 4)):
            key = random.choice([*config, *SETTINGS, *SETTINGS, *settings, *sizes])
            config[key] = random.choice(SETTINGS.get(key) or (*NUMBERS, *NUMBERS, *OTHER_VALUES))
        configs.append({**config, "model_type": model_type})
    return configs


def total(config: dict[str, Any], class_name: str) -> int | None:
    """The total of a model, or None if transformers refuses to build it."""
    import torch
    import transformers

    try:
        model_config = transformers.CONFIG_MAPPING[config["model_type"]].from_dict(json.loads(json.dumps(config)))
        with torch.device("meta"):
            return int(getattr(transformers, class_name)(model_config).num_parameters())
    except Exception:  # of any kind, because odd values fail in many places
        return None


def other_models() -> dict[str, list[str]]:
    """The additional keys in the config of every other model whose config has all of BERT's sizes."""
    import transformers

    fields = {
        name: {field.name for field in dataclasses.fields(config)}
        for name, config in transformers.CONFIG_MAPPING.items()
        if name not in BASES and dataclasses.is_dataclass(config)
    }
    bert_keys = {field.name for field in dataclasses.fields(transformers.BertConfig)}
    return {name: sorted(keys - bert_keys) for name, keys in fields.items() if keys >= set(SMALL)}


def totals(config: dict[str, Any]) -> dict[str, int | None]:
    """The total of every class of a config's architecture, or None for classes that transformers refuses to build."""
    classes = ARCHITECTURES[config["model_type"]].classes
    return {model_class.name: total(config, model_class.name) for model_class in classes}


def main() -> None:
    """Build everything and write the recording; fail if it differs from the previous one."""
    cases = ({"config": config, "totals": totals(config)} for config in odd_configs(CASE_COUNT, SEED))
    packages = ("transformers", "torch")
    record("recorded_configs.json.gz", packages, cases, "record_configs.py", others=other_models())


if __name__ == "__main__":
    main()
