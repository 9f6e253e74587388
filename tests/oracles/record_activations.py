"""Record what a forward pass of transformers keeps for the backward pass, so that the engine can be held against it.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_activations

Every class of BERT is built from small odd sizes, the one that labels texts
also with a single label, and the bare BERT base besides. Each is run once in
training on a CPU, on texts without padding, with its loss where it has one.
Of each storage that `saved_tensors_hooks` is shown, parameters and buffers
aside, the module that was running and the bytes are written down.
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
"""Examples, and tokens of each text: with a single one of either a slice may share the storage of a whole."""

CHOICES = 2
"""Texts of one example of a multiple choice."""


def inputs_of(class_name: str, number_of_labels: int, texts: int, tokens: int) -> dict[str, Any]:
    """What the class is given: any ids, and labels where it has a loss; of a single label a number each."""
    import torch

    shape = (texts, CHOICES, tokens) if class_name.endswith("MultipleChoice") else (texts, tokens)
    ids = torch.ones(shape, dtype=torch.long)
    whole, each = torch.zeros(texts, dtype=torch.long), torch.zeros(shape, dtype=torch.long)
    labels = {
        "BertModel": {},
        "BertForPreTraining": {"labels": each, "next_sentence_label": whole},
        "BertForQuestionAnswering": {"start_positions": whole, "end_positions": whole.clone()},
        "BertForMaskedLM": {"labels": each},
        "BertLMHeadModel": {"labels": each},
        "BertForTokenClassification": {"labels": each},
    }
    if class_name == "BertForSequenceClassification" and number_of_labels == 1:
        whole = whole.float()
    return {"input_ids": ids, **labels.get(class_name, {"labels": whole})}


def kept(class_name: str, config: dict[str, Any], texts: int, tokens: int, **how: Any) -> list[tuple[str, int]]:
    """The module that was running and the bytes, of each storage that is kept."""
    import torch
    import transformers

    rate = 0.1 if how["dropout"] else 0.0
    chosen = transformers.BertConfig(**config, hidden_dropout_prob=rate, attention_probs_dropout_prob=rate)
    chosen._attn_implementation = how["attention"]
    model = getattr(transformers, class_name)(chosen)
    model.train()
    if how["checkpointing"]:
        model.gradient_checkpointing_enable()
    running = [""]
    for name, module in model.named_modules():
        module.register_forward_pre_hook(lambda *_, name=name: running.append(name))
        module.register_forward_hook(lambda *_: (running.pop(), None)[1])
    there = {each.untyped_storage().data_ptr() for each in (*model.parameters(), *model.buffers())}
    found: dict[int, tuple[str, int]] = {}
    tensors = []  # which keeps their addresses from being used again

    def keep(tensor: Any) -> Any:
        tensors.append(tensor)
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in there:
            found.setdefault(storage.data_ptr(), (running[-1], storage.nbytes()))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model(**inputs_of(class_name, chosen.num_labels, texts, tokens))
    return list(found.values())


def cases() -> Iterator[dict[str, Any]]:
    """Every class and way of running it, and what is kept."""
    ways = list(product(("eager", "sdpa"), (True, False), (False, True)))
    chosen = [(each.name, ODD) for each in BERT.classes]
    chosen.append(("BertForSequenceClassification", {**ODD, "num_labels": 1}))
    runs = [(name, config, batch) for name, config in chosen for batch in BATCHES]
    runs.append(("BertModel", BASE, (2, 16)))
    for (name, config, (texts, tokens)), (attention, dropout, checkpointing) in product(runs, ways):
        how = {"attention": attention, "dropout": dropout, "checkpointing": checkpointing}
        found = kept(name, config, texts, tokens, **how)
        yield {"class": name, "config": config, "texts": texts, "tokens": tokens, **how, "kept": found}


def main() -> None:
    """Run everything and write it down; fail where it differs from what stood there."""
    record("recorded_activations.json.gz", ("transformers", "torch"), cases(), "record_activations.py")


if __name__ == "__main__":
    main()
