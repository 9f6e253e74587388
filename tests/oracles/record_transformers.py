"""Record what transformers builds, so that the engine can be held against it.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_transformers

It builds every class of BERT and, with release 5, of its relatives, for
published and odd configurations. For each it writes down name, shape, order
and ties of every parameter, the buffers and the total: BERT's to
`transformers.json.gz` among the recordings (`transformers4.json.gz` with
release 4), a relative's to `transformers-<model type>.json.gz`. Models are
built on torch's meta device, which allocates nothing; one of each kind is also
built for real and must agree.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
import transformers

from .recording import BASE, LARGE, ODD, SMALL, versions_of, write

LABELS: dict[str, dict[str, Any]] = {
    "seven labels": {"num_labels": 7},
    "labels by id2label": {"id2label": {"0": "a", "1": "b", "2": "c"}},
    "labels given twice": {"num_labels": 5, "id2label": {"0": "a", "1": "b", "2": "c"}},
}
"""Labels in each way that a config can give them."""

DECODER = {"decoder with cross-attention": {**SMALL, "is_decoder": True, "add_cross_attention": True}}


class Family(NamedTuple):
    """What is built of one model type: by which classes, from which configs.

    `odd` is a small config that the labels are added to, and `pooler` whether
    the first class takes `add_pooling_layer`.
    """

    config: str
    classes: tuple[str, ...]
    configs: dict[str, dict[str, Any]]
    odd: dict[str, Any]
    pooler: bool = True


def classes(prefix: str, *heads: str) -> tuple[str, ...]:
    """Class names with their prefix; the bare model comes first."""
    return tuple(f"{prefix}{head}" for head in ("Model", *heads))


TASKS = ("ForSequenceClassification", "ForMultipleChoice", "ForTokenClassification", "ForQuestionAnswering")

ROBERTA_CONFIGS = {
    "roberta-base": {**BASE, "vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1},
    "roberta-large": {**LARGE, "vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1},
    "distilroberta-base": {
        **BASE,
        "num_hidden_layers": 6,
        "vocab_size": 50265,
        "max_position_embeddings": 514,
        "type_vocab_size": 1,
    },
    "unixcoder-base": {**BASE, "vocab_size": 51416, "max_position_embeddings": 1026, "type_vocab_size": 10},
    "bertweet-base": {**BASE, "vocab_size": 64001, "max_position_embeddings": 130, "type_vocab_size": 1},
    # The padding token has the number one, so there are two tokens at least.
    **{name: config for name, config in ODD.items() if name != "one token"},
    **DECODER,
}

XLM_ROBERTA_CONFIGS = {
    "xlm-roberta-base": {**BASE, "vocab_size": 250002, "max_position_embeddings": 514, "type_vocab_size": 1},
    "xlm-roberta-large": {**LARGE, "vocab_size": 250002, "max_position_embeddings": 514, "type_vocab_size": 1},
    "bge-m3": {**LARGE, "vocab_size": 250002, "max_position_embeddings": 8194, "type_vocab_size": 1},
    "odd sizes": SMALL,
    **DECODER,
}

DISTILBERT_KEYS = {
    "hidden_size": "dim",
    "num_hidden_layers": "n_layers",
    "num_attention_heads": "n_heads",
    "intermediate_size": "hidden_dim",
}
"""What DistilBERT's config calls the sizes."""


def distilbert(config: dict[str, Any]) -> dict[str, Any]:
    """A config with DistilBERT's keys; it has no segments."""
    return {DISTILBERT_KEYS.get(key, key): value for key, value in config.items() if key != "type_vocab_size"}


DISTILBERT_CONFIGS = {
    "distilbert-base-uncased": distilbert({**BASE, "num_hidden_layers": 6}),
    "distilbert-base-cased": distilbert({**BASE, "num_hidden_layers": 6, "vocab_size": 28996}),
    "distilbert-base-multilingual-cased": distilbert({**BASE, "num_hidden_layers": 6, "vocab_size": 119547}),
    "sinusoidal positions": {**distilbert(SMALL), "sinusoidal_pos_embds": True},
    **{name: distilbert(config) for name, config in ODD.items()},
}

ALBERT_BASE = {**BASE, "vocab_size": 30000, "embedding_size": 128}
ALBERT_LARGE = {**LARGE, "vocab_size": 30000, "embedding_size": 128}
ALBERT_SMALL = {**SMALL, "embedding_size": 8}
ALBERT_CONFIGS = {
    "albert-base-v2": ALBERT_BASE,
    "albert-large-v2": ALBERT_LARGE,
    "albert-xlarge-v2": {**ALBERT_LARGE, "hidden_size": 2048, "intermediate_size": 8192},
    "albert-xxlarge-v2": {
        **ALBERT_BASE,
        "hidden_size": 4096,
        "intermediate_size": 16384,
        "num_attention_heads": 64,
    },
    "two groups of one layer": {**ALBERT_SMALL, "num_hidden_groups": 2},
    "one group of three layers": {**ALBERT_SMALL, "inner_group_num": 3},
    "two groups of three layers": {**ALBERT_SMALL, "num_hidden_groups": 2, "inner_group_num": 3},
    "more groups than layers": {**ALBERT_SMALL, "num_hidden_groups": 5},
    "as wide as the model": {**ALBERT_SMALL, "embedding_size": 20},
    "wider than the model": {**ALBERT_SMALL, "embedding_size": 31},
    **{name: {**config, "embedding_size": 8} for name, config in ODD.items()},
}

ELECTRA_SMALL = {
    **BASE,
    "hidden_size": 256,
    "intermediate_size": 1024,
    "num_attention_heads": 4,
    "embedding_size": 128,
}
ELECTRA_CONFIGS = {
    "electra-small-discriminator": ELECTRA_SMALL,
    "electra-base-discriminator": {**BASE, "embedding_size": 768},
    "electra-large-discriminator": {**LARGE, "embedding_size": 1024},
    "electra-base-generator": {**ELECTRA_SMALL, "embedding_size": 768},
    "electra-large-generator": {**ELECTRA_SMALL, "embedding_size": 1024, "num_hidden_layers": 24},
    "as wide as the model": {**SMALL, "embedding_size": 20},
    "wider than the model": {**SMALL, "embedding_size": 31},
    "embeddings of one": {**SMALL, "embedding_size": 1},
    "decoder with cross-attention": {**DECODER["decoder with cross-attention"], "embedding_size": 8},
    **{name: {**config, "embedding_size": 8} for name, config in ODD.items()},
}

BERT = Family(
    "BertConfig",
    classes("Bert", "ForPreTraining", "ForMaskedLM", "LMHeadModel", "ForNextSentencePrediction", *TASKS),
    {
        "bert-base-uncased": BASE,
        "bert-large-uncased": LARGE,
        "bert-base-cased": {**BASE, "vocab_size": 28996},
        "bert-base-chinese": {**BASE, "vocab_size": 21128},
        "bert-base-multilingual-cased": {**BASE, "vocab_size": 119547},
        "bert-base-multilingual-uncased": {**BASE, "vocab_size": 105879},
        **ODD,
        **{name: {**SMALL, **labels} for name, labels in LABELS.items()},
        **DECODER,
    },
    {},
)

RELATIVES = {
    "roberta": Family(
        "RobertaConfig", classes("Roberta", "ForMaskedLM", "ForCausalLM", *TASKS), ROBERTA_CONFIGS, SMALL
    ),
    "xlm-roberta": Family(
        "XLMRobertaConfig", classes("XLMRoberta", "ForMaskedLM", "ForCausalLM", *TASKS), XLM_ROBERTA_CONFIGS, SMALL
    ),
    "distilbert": Family(
        "DistilBertConfig",
        classes("DistilBert", "ForMaskedLM", *TASKS),
        DISTILBERT_CONFIGS,
        distilbert(SMALL),
        pooler=False,
    ),
    "albert": Family(
        "AlbertConfig", classes("Albert", "ForPreTraining", "ForMaskedLM", *TASKS), ALBERT_CONFIGS, ALBERT_SMALL
    ),
    "electra": Family(
        "ElectraConfig",
        classes("Electra", "ForPreTraining", "ForMaskedLM", "ForCausalLM", *TASKS),
        ELECTRA_CONFIGS,
        {**SMALL, "embedding_size": 8},
        pooler=False,
    ),
}
"""Every relative by the model type of its config."""


def build(family: Family, class_name: str, config: dict[str, Any], device: str = "meta", **options: bool) -> Any:
    """One model, built on `device` from a config."""
    with torch.device(device):
        chosen = getattr(transformers, family.config)(**config)
        return getattr(transformers, class_name)(chosen, **options)


def recorded(model: Any) -> dict[str, Any]:
    """Names, shapes, order, ties, buffers and total of one model."""
    owner: dict[int, str] = {}
    parameters = []
    for name, parameter in model.named_parameters(remove_duplicate=False):
        first = owner.setdefault(id(parameter), name)
        parameters.append([name, list(parameter.shape), None if first == name else first])
    return {
        "parameters": parameters,
        "buffers": [[name, list(buffer.shape)] for name, buffer in model.named_buffers()],
        "total": model.num_parameters(),
    }


def models(family: Family, named: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Every class of a family from every config, tied and untied, and the bare model without its pooler.

    `named` is what a config of the family says of itself besides.
    """
    bare = family.classes[0]
    configs = family.configs | ({name: {**family.odd, **each} for name, each in LABELS.items()} if family.odd else {})
    for name, config in configs.items():
        for class_name in family.classes:
            if class_name == "DistilBertForQuestionAnswering" and name in LABELS:
                continue  # it refuses any number of labels but two
            for tied in (True, False):
                chosen = {**config, "tie_word_embeddings": tied}
                found = recorded(build(family, class_name, chosen))
                yield {"name": name, "config": {**chosen, **named}, "class": class_name, "pooler": None, **found}
        if family.pooler:
            found = recorded(build(family, bare, config, add_pooling_layer=False))
            yield {"name": name, "config": {**config, **named}, "class": bare, "pooler": False, **found}


def check_real_construction(family: Family) -> None:
    """Stop where the meta device and real construction differ."""
    class_name, config = family.classes[1], next(iter(family.configs.values()))
    real = recorded(build(family, class_name, config, device="cpu"))
    assert real == recorded(build(family, class_name, config)), f"{class_name}: the meta device differs"


def main() -> None:
    """Build everything and write the recordings."""
    versions = versions_of("transformers", "torch")
    old = transformers.__version__.startswith("4.")
    check_real_construction(BERT)
    write(f"transformers{'4' if old else ''}.json.gz", versions, models=list(models(BERT, {})))
    for model_type, family in ({} if old else RELATIVES).items():
        check_real_construction(family)
        found = list(models(family, {"model_type": model_type}))
        write(f"transformers-{model_type}.json.gz", versions, models=found)


if __name__ == "__main__":
    main()
