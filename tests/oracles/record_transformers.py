"""Record what transformers builds, for comparison with the engine.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_transformers

It builds every class of every architecture that the engine counts, from published and odd
configurations: BERT with releases 5 and 4, and every other architecture with the last
release that has it. It records the name, shape, order and ties of every parameter, the
buffers and the total: for BERT in `transformers.json.gz` (`transformers4.json.gz` with
release 4), for others in `transformers-<model type>.json.gz`. Models are built on torch's
meta device, which allocates nothing. One model of every architecture is also built with
weights, and must give the same record.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from macros.counting import ARCHITECTURES, BERT, Architecture, Model, load_relatives, model_named
from macros.counting.architecture import OPEN

from .recording import ODD, SMALL, build_model, versions_of, with_keys_of, write

LABELS: dict[str, dict[str, Any]] = {
    "seven labels": {"num_labels": 7},
    "labels by id2label": {"id2label": {"0": "a", "1": "b", "2": "c"}},
    "labels given twice": {"num_labels": 5, "id2label": {"0": "a", "1": "b", "2": "c"}},
}
"""Ways in which a config can specify labels."""

BERTS = ("base-uncased", "large-uncased", "base-cased", "base-chinese", "base-multilingual-cased")
PUBLISHED_BERTS = tuple(model_named(f"bert-{name}") for name in (*BERTS, "base-multilingual-uncased"))
"""The BERT models that are built. Of other architectures, every published config is built."""

FURTHER_CHANGES: dict[str, dict[str, dict[str, Any]]] = {
    "distilbert": {"sinusoidal positions": {"sinusoidal_pos_embds": True}},
    "albert": {
        "two groups of one layer": {"num_hidden_groups": 2},
        "one group of three layers": {"inner_group_num": 3},
        "two groups of three layers": {"num_hidden_groups": 2, "inner_group_num": 3},
        "more groups than layers": {"num_hidden_groups": 5},
        "as wide as the model": {"embedding_size": 20},
        "wider than the model": {"embedding_size": 31},
    },
    "electra": {
        "as wide as the model": {"embedding_size": 20},
        "wider than the model": {"embedding_size": 31},
        "embeddings of one": {"embedding_size": 1},
    },
    "eurobert": {
        "fewer heads of keys and values": {"num_key_value_heads": 1},
        "biases in attention": {"attention_bias": True},
        "biases in the feed-forward networks and the decoder": {"mlp_bias": True},
        "heads of another width": {"head_dim": 6, "num_key_value_heads": 3},
        "every bias": {"attention_bias": True, "mlp_bias": True, "num_key_value_heads": 2},
    },
    "gte": {"no segments": {"type_vocab_size": 0}},
    "layoutlm": {"one coordinate": {"max_2d_position_embeddings": 1}},
    "modernbert": {
        "biases in attention": {"attention_bias": True},
        "biases in the feed-forward networks": {"mlp_bias": True},
        "shifts in LayerNorm": {"norm_bias": True},
        "biases in the heads": {"classifier_bias": True},
        "no bias in the decoder": {"decoder_bias": False},
        "every bias": dict.fromkeys(("attention_bias", "mlp_bias", "norm_bias", "classifier_bias"), True),
    },
    "dpr": {
        "projection": {"projection_dim": 7},
        "projection as wide as the model": {"projection_dim": 20},
        "projection to one": {"projection_dim": 1},
    },
    "ernie": {
        "task types": {"use_task_id": True},
        "seven task types": {"use_task_id": True, "task_type_vocab_size": 7},
        "task types that are not used": {"task_type_vocab_size": 7},
    },
    "deberta-v2": {
        "a convolution of three tokens": {"conv_kernel_size": 3},
        "a convolution of one token": {"conv_kernel_size": 1, "num_hidden_layers": 1},
    },
    "mobilebert": {
        "narrower within": {"intra_bottleneck_size": 15},
        "embeddings as wide as the layers": {"embedding_size": 20},
        "embeddings of one": {"embedding_size": 1},
    },
    "mpnet": {"one bucket": {"relative_attention_num_buckets": 1}},
    "rembert": {
        "embeddings as wide as the model": {"input_embedding_size": 20},
        "embeddings wider than the model": {"input_embedding_size": 31},
        "output embeddings as wide as the model": {"output_embedding_size": 20},
        "output embeddings of one": {"output_embedding_size": 1},
        "three widths": {"input_embedding_size": 7, "output_embedding_size": 33},
    },
}
"""Changes to a small config that only some architectures allow, by model type and by the name of the result."""


class Plan(NamedTuple):
    """A model to build. If `pooler` is None, transformers decides whether the model has a pooler."""

    name: str
    class_name: str
    config: dict[str, Any]
    pooler: bool | None = None


def config_of_model(model: Model) -> dict[str, Any]:
    """The config of a model: required settings, sizes other than the defaults, and switches for optional sizes."""
    config = dict(model.architecture.required_settings)
    for symbol in model.architecture.symbols:
        size = model.sizes[symbol.letter]
        if symbol.only_if and size:
            config[symbol.only_if] = True
        if size != symbol.default and (size or not symbol.only_if):
            config[symbol.key] = size
    return config


def configs(architecture: Architecture) -> dict[str, dict[str, Any]]:
    """Every config of an architecture by name: published and odd ones, some with other labels, and a decoder."""
    relatives = (model for model in load_relatives().values() if model.architecture is architecture)
    published_configs: dict[str, dict[str, Any]] = {}
    for model in PUBLISHED_BERTS if architecture is BERT else relatives:
        config = config_of_model(model)
        if config not in published_configs.values():
            published_configs[model.name] = config
    small_config = with_keys_of(architecture, SMALL)
    # XLM-RoBERTa is RoBERTa with other names.
    odd = {"odd sizes": SMALL} if architecture.model_type == "xlm-roberta" else ODD
    minimums = {symbol.key: symbol.minimum for symbol in architecture.symbols}
    candidates = {name: with_keys_of(architecture, config) for name, config in odd.items()}
    odd_configs = {
        name: config
        for name, config in candidates.items()
        if all(config[key] >= minimums[key] for key in minimums if key in config)
    }
    further_changes = FURTHER_CHANGES.get(architecture.model_type, {}) | LABELS
    odd_configs |= {name: {**small_config, **changes} for name, changes in further_changes.items()}
    if architecture.model_type == "nezha":
        # transformers fills the position vectors with pairs of sine and cosine, and fails for heads of odd width.
        odd_configs = {
            name: config
            for name, config in odd_configs.items()
            if not config["hidden_size"] // config["num_attention_heads"] % 2
        }
    if any(row.when == "cross_attention" for row in architecture.rows):
        odd_configs["decoder with cross-attention"] = {
            **small_config,
            "is_decoder": True,
            "add_cross_attention": True,
        }
    return published_configs | odd_configs


def plans_for(architecture: Architecture) -> Iterator[Plan]:
    """Every class of an architecture from every config that it accepts, tied and untied.

    If the pooler of the bare model is optional, the bare model is also built with the other choice.
    """
    for name, config in configs(architecture).items():
        for model_class in architecture.classes:
            if model_class.required_labels and name in LABELS:
                continue  # this class refuses any other number of labels
            for is_tied in (True, False):
                yield Plan(name, model_class.name, {**config, "tie_word_embeddings": is_tied})
        bare_model = architecture.classes[0]
        if bare_model.fixed_choices.pooler is None:
            yield Plan(name, bare_model.name, config, pooler=not architecture.resolved_choices(bare_model, OPEN).pooler)


def build(model_type: str, plan: Plan, device: str = "meta") -> dict[str, Any]:
    """The record of a model built on `device`: its parameters in order, with shapes and ties, buffers and total."""
    options = {} if plan.pooler is None else {"add_pooling_layer": plan.pooler}
    model = build_model(model_type, plan.config, plan.class_name, device, **options)
    owners: dict[int, str] = {}
    parameters = []
    for name, parameter in model.named_parameters(remove_duplicate=False):
        first_name = owners.setdefault(id(parameter), name)
        parameters.append([name, list(parameter.shape), None if first_name == name else first_name])
    return {
        "parameters": parameters,
        "buffers": [[name, list(buffer.shape)] for name, buffer in model.named_buffers()],
        "total": model.num_parameters(),
    }


def main() -> None:
    """Build everything and write the recordings."""
    versions = versions_of("transformers", "torch")
    release = int(versions["transformers"].partition(".")[0])
    for model_type, architecture in ARCHITECTURES.items():
        # BERT is recorded with both releases, and every other architecture with the last one that has it.
        if release != architecture.last_release and architecture is not BERT:
            continue
        plans = list(plans_for(architecture))
        # A small model, because some published ones need more memory than is available.
        small_plan = next(
            plan for plan in plans if (plan.name, plan.class_name) == ("odd sizes", architecture.classes[1].name)
        )
        with_weights = build(model_type, small_plan, device="cpu")
        assert with_weights == build(model_type, small_plan), f"{small_plan.class_name}: the meta device differs"
        type_entry = {} if architecture is BERT else {"model_type": model_type}
        models = [
            {
                "name": plan.name,
                "config": {**plan.config, **type_entry},
                "class": plan.class_name,
                "pooler": plan.pooler,
            }
            | build(model_type, plan)
            for plan in plans
        ]
        comparer = "transformers4" if release == 4 else "transformers"
        name = comparer if architecture is BERT else f"transformers-{model_type}"
        title = f"transformers {architecture.last_release}, {architecture}"
        write(f"{name}.json.gz", versions, title, compared_by=comparer, models=models)


if __name__ == "__main__":
    main()
