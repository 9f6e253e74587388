"""Record which parameters of a model PEFT and transformers train, for comparison with the engine.

Run by `make verify`, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_peft

Every class of every architecture in transformers 5 is built from a small config on torch's
meta device, and so are some classes of BERT base. LoRA is applied to each with several
ranks and sets of modules, and once after parts have been frozen. Without LoRA, parts of
each are frozen, and the parameters other than the biases of dense layers are counted. The
vocabularies of the small models are also resized. The recording has the results of PEFT's
`get_nb_trainable_parameters` and transformers' `num_parameters` and, for some settings, the
name, shape and `requires_grad` of every parameter.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from macros.counting import ARCHITECTURES
from macros.counting.blocks import DATA, blocks_of

from .record_configs import BASES
from .recording import BASE, build_model, record

ALL_LINEAR = blocks_of(DATA / "changes.toml")["all_linear"]

MODULES = ("query", "key", "value", "attention-output", "intermediate", "output")
"""Our names for the modules of a layer that LoRA adapts."""

ATTENTION_ENDINGS = (r"self\.query", r"self\.key", r"self\.value", r"(cross)?attention\.output\.dense")
BERT_ENDINGS = (*ATTENTION_ENDINGS, r"intermediate\.dense", r"\d+\.output\.dense")
ROTARY_ENDINGS = (r"self_attn\.q_proj", r"self_attn\.k_proj", r"self_attn\.v_proj", r"self_attn\.o_proj")
GATED_ENDINGS = (r"mlp\.(gate|up)_proj", r"mlp\.down_proj")
"""Patterns for the endings of these modules' names, in BERT and in some models with rotary positions."""

ENDINGS_BY_TYPE = {
    "distilbert": ("q_lin", "k_lin", "v_lin", "out_lin", "lin1", "lin2"),
    "mpnet": (r"attn\.q", r"attn\.k", r"attn\.v", r"attn\.o", *BERT_ENDINGS[-2:]),
    "deberta-v2": (
        r"self\.query_proj",
        r"self\.key_proj",
        r"self\.value_proj",
        *BERT_ENDINGS[3:],
    ),
    "deberta": (r"self\.in_proj", *BERT_ENDINGS[3:]),
    # The head for question answering has a module `intermediate`, too.
    "big_bird": (*ATTENTION_ENDINGS, r"\d+\.intermediate\.dense", BERT_ENDINGS[-1]),
    "modernbert": (r"attn\.Wqkv", r"attn\.Wo", r"mlp\.Wi", r"mlp\.Wo"),
    "nomic_bert": (*ROTARY_ENDINGS, *GATED_ENDINGS),
    "gte": (*ROTARY_ENDINGS, *GATED_ENDINGS),
    "eurobert": (*ROTARY_ENDINGS, *GATED_ENDINGS),
    "jina_embeddings_v3": (*ROTARY_ENDINGS, r"mlp\.fc1", r"mlp\.fc2"),
    "albert": ("query", "key", "value", r"attention\.dense", "ffn", "ffn_output"),
}
"""The endings of the modules' names in architectures with names other than BERT's."""

FUSED_TYPES = ("modernbert", "deberta")
"""The model types in which query, key and value are one module."""

RANKS_AND_MODULES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (8, ("query", "value")),
    (1, ("query",)),
    (3, ("key",)),
    (4, ("query", "key", "value")),
    (2, ("attention-output",)),
    (5, ("intermediate",)),
    (7, ("output",)),
    (16, ("query", "key", "value", "attention-output")),
    (6, MODULES),
    (64, ("query", "intermediate")),
    (2, (ALL_LINEAR,)),
    (32, (ALL_LINEAR,)),
)
"""Ranks, each with the modules that LoRA adapts. For the first and the last but one, parameters are recorded."""

FREEZINGS: tuple[dict[str, Any], ...] = (
    {"embeddings": True},
    {"layers": 1},
    {"layers": 2},
    {"embeddings": True, "layers": 1},
    {"all_but_head": True},
)
"""The parts that are frozen in models without LoRA."""

ALL_FROZEN = {"embeddings": True, "layers": 1, "all_but_head": True}
"""The parts that are frozen before LoRA is applied. PEFT freezes all of them in any case."""

VOCABULARIES = (90, 112)
"""The sizes to which a vocabulary of 101 tokens is resized."""

TASKS = {
    "ForSequenceClassification": "SEQ_CLS",
    "ForTokenClassification": "TOKEN_CLS",
    "ForQuestionAnswering": "QUESTION_ANS",
}
"""PEFT's names for the tasks of classes, by the ending of the class name. PEFT copies the heads of these classes."""

HEADS = r"(.*\.)?(pre_classifier|classifier|qa_outputs)(\..*)?"
"""A pattern for the names of modules in heads, which are excluded if PEFT refuses to adapt a head that it must copy."""


def models() -> Iterator[tuple[str, dict[str, Any], str]]:
    """The model type, config and class of every model."""
    for model_type, config in BASES.items():
        for model_class in ARCHITECTURES[model_type].classes:
            yield model_type, config, model_class.name
    decoder = {**BASES["bert"], "is_decoder": True, "add_cross_attention": True}
    yield "bert", decoder, "BertLMHeadModel"
    yield "bert", {**BASES["bert"], "tie_word_embeddings": False}, "BertForMaskedLM"
    for name in ("BertModel", "BertForSequenceClassification"):
        yield "bert", BASE, name


def modules_of_type(model_type: str, modules: tuple[str, ...]) -> tuple[str, ...]:
    """The modules of an architecture that correspond to `modules`; in some, query, key and value are one."""
    fused_names = {"query": "query-key-value", "key": "query-key-value", "value": "query-key-value"}
    names = (fused_names.get(name, name) if model_type in FUSED_TYPES else name for name in modules)
    return tuple(dict.fromkeys(names))


def with_lora(
    model_type: str, config: dict[str, Any], class_name: str, rank: int, modules: tuple[str, ...], **frozen_parts: Any
) -> Any:
    """The model with LoRA, and whether heads had to be excluded."""
    from peft import LoraConfig, get_peft_model

    task = next((task for ending, task in TASKS.items() if class_name.endswith(ending)), None)
    names = dict(zip(modules_of_type(model_type, MODULES), ENDINGS_BY_TYPE.get(model_type, BERT_ENDINGS), strict=True))
    # PEFT takes a string as a pattern, and adapts all modules whose full names match.
    target = ALL_LINEAR if modules == (ALL_LINEAR,) else rf".*\.({'|'.join(names[module] for module in modules)})"
    common = {"r": rank, "target_modules": target, "task_type": task}
    model = build_model(model_type, config, class_name)
    freeze(model, **frozen_parts)
    try:
        return get_peft_model(model, LoraConfig(**common)), False
    except TypeError:  # PEFT must copy the head, and cannot copy one with adapters
        if target != ALL_LINEAR:
            raise
    config_with_exclusions = LoraConfig(**common, exclude_modules=HEADS)
    return get_peft_model(build_model(model_type, config, class_name), config_with_exclusions), True


def body_of(model: Any) -> Any:
    """A model without its head, which transformers' `base_model` includes in DPR's reader."""
    body = model.base_model
    return body.encoder if type(model).__name__ == "DPRReader" else body


def inner_bert(model: Any) -> Any:
    """The BERT in the body of DPR's classes, or the body itself in all others."""
    body = body_of(model)
    return getattr(body, "bert_model", body)


def layers_of(model: Any) -> list[Any]:
    """The layers of a model that have their own weights."""
    body = inner_bert(model)
    if hasattr(body, "layers"):
        return list(body.layers)
    if hasattr(body, "transformer"):
        return list(body.transformer.layer)
    if hasattr(body.encoder, "albert_layer_groups"):
        return [layer for group in body.encoder.albert_layer_groups for layer in group.albert_layers]
    return list(body.encoder.layer)


def freeze(model: Any, embeddings: bool = False, layers: int = 0, all_but_head: bool = False) -> None:
    """Freeze parts of a model, as is common before training."""
    body = inner_bert(model)
    modules = layers_of(model)[:layers]
    if embeddings:
        # EuroBERT has no module for its embeddings, only the word table.
        modules.append(getattr(body, "embeddings", None) or body.get_input_embeddings())
    if all_but_head:
        modules.append(body_of(model))
    for module in modules:
        module.requires_grad_(requires_grad=False)


def cases() -> Iterator[dict[str, Any]]:
    """Every model with every change, and the numbers that result."""
    for model_type, config, class_name in models():
        common = {"model_type": model_type, "config": config, "class": class_name}
        ranks_and_modules = [(rank, modules_of_type(model_type, modules)) for rank, modules in RANKS_AND_MODULES]
        for rank, modules in ranks_and_modules:
            model, has_excluded_heads = with_lora(model_type, config, class_name, rank, modules)
            trainable, total = model.get_nb_trainable_parameters()
            case = {
                "rank": rank,
                "modules": modules,
                "excluding": has_excluded_heads,
                "trainable": trainable,
                "total": total,
            }
            if (rank, modules) in (ranks_and_modules[0], ranks_and_modules[-2]) and config is not BASE:
                case["parameters"] = [
                    [name, list(tensor.shape), tensor.requires_grad] for name, tensor in model.named_parameters()
                ]
            yield {**common, **case}
        rank, modules = ranks_and_modules[0]
        model, _ = with_lora(model_type, config, class_name, rank, modules, **ALL_FROZEN)
        trainable, total = model.get_nb_trainable_parameters()
        case = {"rank": rank, "modules": modules, "frozen": ALL_FROZEN, "trainable": trainable, "total": total}
        yield {**common, **case}
        for frozen_parts in FREEZINGS:
            model = build_model(model_type, config, class_name)
            freeze(model, **frozen_parts)
            trainable = model.num_parameters(only_trainable=True)
            total = model.num_parameters()
            yield {**common, "frozen": frozen_parts, "trainable": trainable, "total": total}
        model = build_model(model_type, config, class_name)
        # Everything except the biases of dense layers, which names distinguish from those of LayerNorms.
        remaining_count = sum(
            tensor.numel()
            for name, tensor in model.named_parameters()
            if not name.endswith("bias") or re.search(r"norm|\bln$", name.lower().rpartition(".")[0].rpartition(".")[2])
        )
        if remaining_count < model.num_parameters():
            yield {**common, "biases": False, "trainable": remaining_count, "total": remaining_count}


def resized_models() -> Iterator[dict[str, Any]]:
    """Every class, tied and untied, with a resized vocabulary."""
    for model_type, config in BASES.items():
        for model_class, tied, size in product(ARCHITECTURES[model_type].classes, (True, False), VOCABULARIES):
            variant = {**config, "tie_word_embeddings": tied}
            # New rows are the mean of the weights, which the meta device lacks. MobileBERT cannot avoid the mean.
            takes_mean = model_type == "mobilebert"
            model = build_model(model_type, variant, model_class.name, "cpu" if takes_mean else "meta")
            model.resize_token_embeddings(size, **({} if takes_mean else {"mean_resizing": False}))
            yield {
                "model_type": model_type,
                "config": variant,
                "class": model_class.name,
                "vocabulary": size,
                "total": model.num_parameters(),
            }


def main() -> None:
    """Build everything and write the recording; fail if it differs from the previous one."""
    packages = ("peft", "transformers", "torch")
    record("recorded_changes.json.gz", packages, cases(), "record_peft.py", resized=resized_models())


if __name__ == "__main__":
    main()
