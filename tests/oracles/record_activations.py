"""Record what a forward pass of transformers keeps for the backward pass, to compare the engine with.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_activations

Every class of BERT is built from small odd sizes, sequence classification also with a
single label, and the bare BERT base is built too. Each runs once in training on a CPU,
on texts without padding, and with its loss if it has one. For every storage that
`saved_tensors_hooks` sees, except parameters and buffers, its bytes are recorded with
the module that was running.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from macros.counting import BERT

from .recording import BASE, record

ODD: dict[str, Any] = {
    "vocab_size": 101,
    "max_position_embeddings": 40,
    "type_vocab_size": 3,
    "hidden_size": 24,
    "intermediate_size": 37,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_labels": 2,
}
BATCHES = ((1, 1), (1, 7), (4, 1), (3, 7), (2, 40))
"""Examples in a batch, and tokens per text. With one of either, a slice may share the storage of the whole tensor."""

CHOICES = 2
"""The number of texts in one example of a multiple choice."""


def inputs_of(class_name: str, number_of_labels: int, texts: int, tokens: int) -> dict[str, Any]:
    """The inputs of a class: any token ids, and labels if it has a loss, which are floats for a single label."""
    import torch

    shape = (texts, CHOICES, tokens) if class_name.endswith("MultipleChoice") else (texts, tokens)
    ids = torch.ones(shape, dtype=torch.long)
    per_text, per_token = torch.zeros(texts, dtype=torch.long), torch.zeros(shape, dtype=torch.long)
    labels = {
        "BertModel": {},
        "BertForPreTraining": {"labels": per_token, "next_sentence_label": per_text},
        "BertForQuestionAnswering": {"start_positions": per_text, "end_positions": per_text.clone()},
        "BertForMaskedLM": {"labels": per_token},
        "BertLMHeadModel": {"labels": per_token},
        "BertForTokenClassification": {"labels": per_token},
    }
    if class_name == "BertForSequenceClassification" and number_of_labels == 1:
        per_text = per_text.float()
    return {"input_ids": ids, **labels.get(class_name, {"labels": per_text})}


def storages(
    class_name: str, config: dict[str, Any], texts: int, tokens: int, **settings: Any
) -> list[tuple[str, int]]:
    """The running module and the bytes of every storage that is kept for the backward pass.

    `settings` are `attention`, `dropout` and `checkpointing`.
    """
    import torch
    import transformers

    rate = 0.1 if settings["dropout"] else 0.0
    model_config = transformers.BertConfig(**config, hidden_dropout_prob=rate, attention_probs_dropout_prob=rate)
    model_config._attn_implementation = settings["attention"]
    model = getattr(transformers, class_name)(model_config)
    model.train()
    if settings["checkpointing"]:
        model.gradient_checkpointing_enable()
    running = [""]
    for name, module in model.named_modules():
        module.register_forward_pre_hook(lambda *_, name=name: running.append(name))
        module.register_forward_hook(lambda *_: (running.pop(), None)[1])
    of_model = {tensor.untyped_storage().data_ptr() for tensor in (*model.parameters(), *model.buffers())}
    by_address: dict[int, tuple[str, int]] = {}
    tensors = []  # holds on to them, so that no address is used twice

    def keep(tensor: Any) -> Any:
        tensors.append(tensor)
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in of_model:
            by_address.setdefault(storage.data_ptr(), (running[-1], storage.nbytes()))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model(**inputs_of(class_name, model_config.num_labels, texts, tokens))
    return list(by_address.values())


def cases() -> Iterator[dict[str, Any]]:
    """Every class and every way of running it, with the storages that are kept."""
    ways = list(product(("eager", "sdpa"), (True, False), (False, True)))
    models = [(model_class.name, ODD) for model_class in BERT.classes]
    models.append(("BertForSequenceClassification", {**ODD, "num_labels": 1}))
    runs = [(name, config, batch) for name, config in models for batch in BATCHES]
    runs.append(("BertModel", BASE, (2, 16)))
    for (name, config, (texts, tokens)), (attention, dropout, checkpointing) in product(runs, ways):
        settings = {"attention": attention, "dropout": dropout, "checkpointing": checkpointing}
        kept = storages(name, config, texts, tokens, **settings)
        yield {"class": name, "config": config, "texts": texts, "tokens": tokens, **settings, "kept": kept}


def main() -> None:
    """Run everything and write the recording; fail if it differs from the one before."""
    record("recorded_activations.json.gz", ("transformers", "torch"), cases(), "record_activations.py")


if __name__ == "__main__":
    main()
