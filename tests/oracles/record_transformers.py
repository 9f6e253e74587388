"""Record what transformers builds, so that the engine can be held against it.

Run by hand, in an environment of its own with torch and transformers:

    python -m tests.oracles.record_transformers

It builds every BERT class for published and odd configurations, and writes
name, shape, order and ties of every parameter, the buffers and the total to
`transformers.json.gz` among the recordings, or with release 4 to
`transformers4.json.gz`. Models are built on torch's meta
device, which allocates nothing; one is also built for real and must agree.
"""

from typing import Any

import torch
import transformers

from .recording import BASE, LARGE, ODD, SMALL, versions_of, write

CLASSES = (
    "BertModel",
    "BertForPreTraining",
    "BertForMaskedLM",
    "BertLMHeadModel",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForMultipleChoice",
    "BertForTokenClassification",
    "BertForQuestionAnswering",
)

CONFIGS: dict[str, dict[str, Any]] = {
    "bert-base-uncased": BASE,
    "bert-large-uncased": LARGE,
    "bert-base-cased": {**BASE, "vocab_size": 28996},
    "bert-base-chinese": {**BASE, "vocab_size": 21128},
    "bert-base-multilingual-cased": {**BASE, "vocab_size": 119547},
    "bert-base-multilingual-uncased": {**BASE, "vocab_size": 105879},
    **ODD,
    "seven labels": {**SMALL, "num_labels": 7},
    "labels by id2label": {**SMALL, "id2label": {"0": "a", "1": "b", "2": "c"}},
    "labels given twice": {**SMALL, "num_labels": 5, "id2label": {"0": "a", "1": "b", "2": "c"}},
    "decoder with cross-attention": {**SMALL, "is_decoder": True, "add_cross_attention": True},
}


def build(class_name: str, config: dict[str, Any], device: str = "meta", **options: bool) -> Any:
    """One model, built on `device` from a config."""
    with torch.device(device):
        return getattr(transformers, class_name)(transformers.BertConfig(**config), **options)


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


def main() -> None:
    """Build everything and write the recording."""
    models = []
    for name, config in CONFIGS.items():
        for class_name in CLASSES:
            for tied in (True, False):
                chosen = {**config, "tie_word_embeddings": tied}
                found = recorded(build(class_name, chosen))
                models.append({"name": name, "config": chosen, "class": class_name, "pooler": None, **found})
        found = recorded(build("BertModel", config, add_pooling_layer=False))
        models.append({"name": name, "config": config, "class": "BertModel", "pooler": False, **found})
    real = recorded(build("BertForPreTraining", BASE, device="cpu"))
    assert real == recorded(build("BertForPreTraining", BASE)), "the meta device differs from real construction"
    file_name = "transformers4.json.gz" if transformers.__version__.startswith("4.") else "transformers.json.gz"
    write(file_name, versions_of("transformers", "torch"), models=models)


if __name__ == "__main__":
    main()
