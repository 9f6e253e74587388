"""Record the operations that torch counts while a model runs, so that the engine can be held against them.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_operations

Every class of every architecture, in odd sizes, runs on a batch of texts and
back under torch's `FlopCounterMode`, with the attention that transformers
writes out (eager) and with torch's own (sdpa), in training and, where the
latter is one fused kernel, in evaluation. Written down are the operations of
both directions, and those forward of every dense layer, layers of one name added up.
Base and large run on torch's meta device, which computes nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from macros.counting import ARCHITECTURES

from .record_configs import BASES
from .recording import BASE, LARGE, ODD, SMALL, record

BATCHES = ((1, 1), (1, 35), (3, 7), (2, 16))
"""Texts and tokens per text."""

ATTENTIONS = (("eager", True), ("sdpa", True), ("sdpa", False))
"""Implementations of attention, and whether the model is trained."""

DROPOUT = {"attention_probs_dropout_prob": 0.1, "attention_dropout": 0.1}
"""As usual in all but ALBERT and ModernBERT; without it torch fuses attention in training too."""

POSITIONS = {"pos_att_type": "p2c|c2p"}
"""Both products with positions, as in every DeBERTa-v3; no other config has the key."""

CHOICES = 3
"""The choices of a question, each a text."""


def models() -> Iterator[tuple[str, dict[str, Any], str, tuple[tuple[int, int], ...]]]:
    """Model type, config and class of every model, and the batches that it reads."""
    for model_type, config in BASES.items():
        for each in ARCHITECTURES[model_type].classes:
            yield model_type, config, each.name, BATCHES
    for config in ODD.values():
        yield "bert", config, "BertForPreTraining", ((2, 5),)
    yield "electra", {**SMALL, "embedding_size": SMALL["hidden_size"]}, "ElectraForMaskedLM", ((2, 5),)
    for layers, groups, inner in ((5, 2, 3), (6, 3, 1), (1, 1, 4)):
        shared = {"num_hidden_layers": layers, "num_hidden_groups": groups, "inner_group_num": inner}
        yield "albert", {**BASES["albert"], **shared}, "AlbertForPreTraining", ((2, 5),)
    yield "bert", {**SMALL, "is_decoder": True, "add_cross_attention": True}, "BertLMHeadModel", ((3, 7), (1, 2))
    for config in (BASE, LARGE):
        for name in ("BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForSequenceClassification"):
            yield "bert", config, name, ((1, 128), (1, 512), (8, 128))


def shape_of(class_name: str, batch: int, tokens: int) -> tuple[int, ...]:
    """The shape of what a class reads."""
    return (batch, CHOICES, tokens) if class_name.endswith("MultipleChoice") else (batch, tokens)


def counted(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """What torch counts while the model runs forward, and back from everything that it gives."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as forward:
        given = model(**inputs)
    with FlopCounterMode(display=False) as backward:
        sum(each.sum() for each in given.values() if hasattr(each, "sum")).backward()
    dense = {name for name, module in model.named_modules() if module.__class__.__name__ == "Linear"}
    modules: Counter[str] = Counter()
    for module, operators in forward.get_flop_counts().items():
        name = module.partition(".")[2]
        if name in dense:
            modules[re.sub(r"\b\d+\b", "*", name)] += sum(operators.values())
    return {"forward": forward.get_total_flops(), "backward": backward.get_total_flops(), "modules": dict(modules)}


def cases() -> Iterator[dict[str, Any]]:
    """Every model with every batch and attention."""
    import torch
    import transformers

    for model_type, config, class_name, batches in models():
        on_meta = config in (BASE, LARGE)
        model_class = getattr(transformers, class_name)
        for attention, trained in ATTENTIONS[: 2 if on_meta else 3]:
            if attention == "sdpa" and not model_class._supports_sdpa:
                continue
            chosen = transformers.CONFIG_MAPPING[model_type](
                **config, **DROPOUT, **POSITIONS, attn_implementation=attention
            )
            with torch.device("meta" if on_meta else "cpu"):
                model = model_class(chosen).train(trained)
                for batch, tokens in batches:
                    inputs = {"input_ids": torch.zeros(shape_of(class_name, batch, tokens), dtype=torch.long)}
                    if config.get("add_cross_attention"):
                        # As from an encoder that is trained too.
                        states = torch.zeros(batch, 2 * tokens + 1, config["hidden_size"], requires_grad=True)
                        inputs["encoder_hidden_states"] = states
                    shape = {"batch": inputs["input_ids"].numel() // tokens, "tokens": tokens}
                    if config.get("add_cross_attention"):
                        shape["others"] = 2 * tokens + 1
                    common = {"model_type": model_type, "config": config, "class": class_name, **shape}
                    yield {**common, "attention": attention, "trained": trained, **counted(model, inputs)}


def main() -> None:
    """Run everything and write it down; fail where it differs from what stood there."""
    record("recorded_operations.json.gz", ("torch", "transformers"), cases(), "record_operations.py")


if __name__ == "__main__":
    main()
