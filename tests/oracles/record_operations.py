"""Record the operations that torch counts while a model runs, for comparison with the engine.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_operations

Every class of every architecture in transformers 5, with odd sizes, runs forward and
backward on batches of texts under torch's `FlopCounterMode`. In training, it runs with the
attention that transformers implements itself (eager) and, if the class supports it, with
that of torch (sdpa). In evaluation, it runs only with sdpa, which is then one fused kernel.
The recording has the operations of both directions. For the forward pass, it also has those
of every dense layer and convolution, added up over the layers of the model. BERT base and
BERT large run only in training, on torch's meta device, which computes nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from macros.counting import ARCHITECTURES
from macros.counting.operations import refusal

from .record_configs import BASES
from .recording import BASE, LARGE, ODD, SMALL, record

BATCHES = ((1, 1), (1, 35), (3, 7), (2, 16))
"""The number of texts, and of tokens per text."""

SPARSE_SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "longformer": ({"attention_window": 4}, {"attention_window": [6, 6]}),
    "big_bird": (
        {"block_size": 2, "num_random_blocks": 1},
        {"block_size": 2, "num_random_blocks": 2},
        {"block_size": 2, "num_random_blocks": 1, "attention_type": "original_full"},
    ),
}
"""Settings of sparse attention, by model type, with windows and blocks that are shorter than some texts."""

SEPARATOR = 2
"""The id of Longformer's separator. Two of them separate a question from the text, and a third is at the end."""

BATCHES_OF_LONGER_TEXTS = ((1, 1), (2, 4), (1, 10), (3, 15), (2, 19), (1, 31))
"""The number of texts, and of tokens per text, for sparse attention. Some texts fill windows or blocks exactly."""

ATTENTIONS = (("eager", True), ("sdpa", True), ("sdpa", False))
"""Implementations of attention, each with whether the model is in training."""

DROPOUT_RATES = {"attention_probs_dropout_prob": 0.1, "attention_dropout": 0.1}
"""The default dropout rates of all models except ALBERT and ModernBERT.

Without dropout, torch would fuse attention in training too.
"""

POSITION_SETTINGS = {"pos_att_type": "p2c|c2p"}
"""Both products with positions, as in every published DeBERTa. Configs of other models lack this key."""

CHOICES = 3
"""The number of choices in a multiple-choice question; each choice is a text."""


def models() -> Iterator[tuple[str, dict[str, Any], str, tuple[tuple[int, int], ...]]]:
    """The model type, the config, the class and the batches of every model."""
    for model_type, config in BASES.items():
        architecture = ARCHITECTURES[model_type]
        names = [model_class.name for model_class in architecture.classes]
        for name in names:
            if model_type not in SPARSE_SETTINGS:
                yield model_type, config, name, BATCHES
            for settings in SPARSE_SETTINGS.get(model_type, ()):
                yield model_type, {**config, **settings}, name, BATCHES_OF_LONGER_TEXTS
    for config in ODD.values():
        yield "bert", config, "BertForPreTraining", ((2, 5),)
    yield "electra", {**SMALL, "embedding_size": SMALL["hidden_size"]}, "ElectraForMaskedLM", ((2, 5),)
    for layers, groups, layers_in_group in ((5, 2, 3), (6, 3, 1), (1, 1, 4)):
        sharing_keys = {"num_hidden_layers": layers, "num_hidden_groups": groups, "inner_group_num": layers_in_group}
        yield "albert", {**BASES["albert"], **sharing_keys}, "AlbertForPreTraining", ((2, 5),)
    yield "deberta-v2", {**BASES["deberta-v2"], "conv_kernel_size": 3}, "DebertaV2ForMaskedLM", BATCHES
    yield "bert", {**SMALL, "is_decoder": True, "add_cross_attention": True}, "BertLMHeadModel", ((3, 7), (1, 2))
    for config in (BASE, LARGE):
        for name in ("BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForSequenceClassification"):
            yield "bert", config, name, ((1, 128), (1, 512), (8, 128))


def shape_of(class_name: str, batch: int, tokens: int) -> tuple[int, ...]:
    """The shape of the token ids that a class reads."""
    return (batch, CHOICES, tokens) if class_name.endswith("MultipleChoice") else (batch, tokens)


def ids_and_global_tokens(model_type: str, class_name: str, batch: int, tokens: int) -> tuple[Any, int | None]:
    """The token ids for a class, and the number of tokens with global attention if the ids decide it; else None.

    In Longformer's class for question answering, tokens before the first of three separators attend to the whole text;
    in its class for multiple choice, those after the second do.
    """
    import torch

    ids = torch.zeros(shape_of(class_name, batch, tokens), dtype=torch.long)
    if not refusal(ARCHITECTURES[model_type], class_name):
        return ids, None
    question_tokens = tokens // 3
    ids[..., [question_tokens, question_tokens + 1, tokens - 1]] = SEPARATOR
    return ids, question_tokens if class_name.endswith("QuestionAnswering") else tokens - question_tokens - 2


def counts(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """The operations that torch counts in a model's forward pass and in the backward pass from all of its outputs."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as forward:
        outputs = model(**inputs)
    with FlopCounterMode(display=False) as backward:
        sum(output.sum() for output in outputs.values() if hasattr(output, "sum")).backward()
    dense_and_convolution_names = {
        name for name, module in model.named_modules() if module.__class__.__name__ in ("Linear", "Conv1d")
    }
    modules: Counter[str] = Counter()
    for module, operators in forward.get_flop_counts().items():
        name = module.partition(".")[2]
        if name in dense_and_convolution_names:
            modules[re.sub(r"\b\d+\b", "*", name)] += sum(operators.values())
    return {"forward": forward.get_total_flops(), "backward": backward.get_total_flops(), "modules": dict(modules)}


def cases() -> Iterator[dict[str, Any]]:
    """Every model with its batches and implementations of attention, and the operations that torch counts."""
    import torch
    import transformers

    for model_type, config, class_name, batches in models():
        is_on_meta = config in (BASE, LARGE)
        model_class = getattr(transformers, class_name)
        for attention, in_training in ATTENTIONS[: 2 if is_on_meta else 3]:
            if attention == "sdpa" and not model_class._supports_sdpa:
                continue
            options = {**DROPOUT_RATES, **POSITION_SETTINGS, **config}
            model_config = transformers.CONFIG_MAPPING[model_type](**options, attn_implementation=attention)
            with torch.device("meta" if is_on_meta else "cpu"):
                for batch, tokens in batches:
                    if refusal(ARCHITECTURES[model_type], class_name) and tokens < 4:
                        continue  # too short for three separators and a text
                    # A new model each time, because BigBird keeps full attention once it has read a short text.
                    model = model_class(model_config).train(in_training)
                    ids, global_tokens = ids_and_global_tokens(model_type, class_name, batch, tokens)
                    inputs = {"input_ids": ids}
                    if config.get("add_cross_attention"):
                        # The states need gradients, as if their encoder were trained too.
                        states = torch.zeros(batch, 2 * tokens + 1, config["hidden_size"], requires_grad=True)
                        inputs["encoder_hidden_states"] = states
                    shape = {"batch": ids.numel() // tokens, "tokens": tokens}
                    if global_tokens is not None:
                        shape["whole_text"] = global_tokens
                    if config.get("add_cross_attention"):
                        shape["others"] = 2 * tokens + 1
                    if model_type in SPARSE_SETTINGS:
                        # BigBird replaces modules when it first reads a short text, and torch would not count them.
                        model(**inputs)
                    common = {"model_type": model_type, "config": config, "class": class_name, **shape}
                    yield {**common, "attention": attention, "trained": in_training, **counts(model, inputs)}


def main() -> None:
    """Run everything and write the recording; fail if it differs from the previous one."""
    record("recorded_operations.json.gz", ("torch", "transformers"), cases(), "record_operations.py")


if __name__ == "__main__":
    main()
