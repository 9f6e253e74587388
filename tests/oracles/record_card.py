"""Record what training steps need on a graphics card, to compare the engine with.

Run by hand on a machine with one, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_card

It takes some minutes, and writes `tests/counting/recorded_card.json` with the name of the
card and the versions of the libraries. Each of some sixty steps runs twice, so that the
optimiser has its states the second time. The recording has the bytes of the storages that
the forward pass keeps, and the peak that `torch.cuda.max_memory_allocated` reports. The
amount by which that peak exceeds the engine's is what the engine leaves out. `--cpu` runs
small versions of the steps on a CPU and writes nothing, to try the script.
"""

import contextlib
import json
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

from .record_activations import Case, inputs_of, model_for
from .recording import BASE, BESIDE_TESTS, LARGE, versions_of

SMALL = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
WAYS = (
    {"dtype": "float32", "attention": "eager", "padded": False},
    {"dtype": "float32", "attention": "sdpa", "padded": True},
    {"dtype": "bf16", "attention": "eager", "padded": False},
    {"dtype": "bf16", "attention": "sdpa", "padded": False},
    {"dtype": "bf16", "attention": "sdpa", "padded": True},
    {"dtype": "pure-bf16", "attention": "sdpa", "padded": False},
)
"""The ways of running a step; the plan refers to them by index."""

RELATIVES = {
    "roberta": "RobertaForSequenceClassification",
    "distilbert": "DistilBertForSequenceClassification",
    "electra": "ElectraForSequenceClassification",
    "albert": "AlbertForSequenceClassification",
}


def plan() -> Iterator[Case]:
    """Every step: BERT base and BERT large in several batches and ways, changes, and relatives.

    Slices of `WAYS` keep the plan short: `[3:5]` is bf16 with and without a fused kernel, `[1:5:3]` is sdpa with
    padding in float32 and in bf16, and `[:4:3]` is no padding in float32 and in bf16.
    """
    common: Case = {"model_type": "bert", "class": "BertForSequenceClassification", "changes": [], "dropout": True}
    common |= {"checkpointing": False, "optimiser": "adamw", "config": BASE}
    for (texts, tokens), way in product(((1, 128), (8, 128), (8, 512), (32, 512)), WAYS):
        yield {**common, **way, "texts": texts, "tokens": tokens}
    for (texts, tokens), way in product(((4, 128), (8, 512)), WAYS):
        yield {**common, **way, "config": LARGE, "texts": texts, "tokens": tokens}
    for change, way in product((["head"], ["bitfit"], ["embeddings", "frozen:6"], ["lora:8:query,value"]), WAYS[3:5]):
        yield {**common, **way, "changes": change, "texts": 16, "tokens": 512}
    for config, way in product((BASE, LARGE), WAYS[1:5:3]):
        yield {**common, **way, "config": config, "texts": 16, "tokens": 512, "checkpointing": True}
    for (model_type, class_name), way in product(RELATIVES.items(), WAYS[:4:3]):
        yield {**common, **way, "model_type": model_type, "class": class_name, "texts": 16, "tokens": 128}
    for optimiser in ("sgd", "adamw-foreach"):
        yield {**common, **WAYS[3], "texts": 1, "tokens": 128, "optimiser": optimiser}


def measure(case: Case, device: str) -> dict[str, int]:
    """Run two steps, and return the bytes that the forward pass keeps and the peak of the second step; 0 on a CPU."""
    import torch

    model = model_for(case, device)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser: torch.optim.Optimizer
    if case["optimiser"] == "sgd":
        optimiser = torch.optim.SGD(trained)
    else:
        foreach = case["optimiser"] == "adamw-foreach"
        optimiser = torch.optim.AdamW(trained, foreach=foreach, fused=not foreach)
    own = {tensor.untyped_storage().data_ptr() for tensor in (*model.parameters(), *model.buffers())}
    storages: dict[int, int] = {}
    # Keeps the tensors alive, so that no address is used twice. Only the first step does so: it raises the peak.
    tensors = []

    def keep(tensor: Any) -> Any:
        tensors.append(tensor)
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    inputs = inputs_of(case, device)
    if "attention_mask" in inputs:
        # transformers leaves a mask out if nothing is padded.
        inputs["attention_mask"][0, case["tokens"] // 2 :] = 0
    for hooks in (torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor), contextlib.nullcontext()):
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        with hooks, torch.autocast(device, torch.bfloat16, enabled=case["dtype"] == "bf16"):
            loss = model(**inputs).loss
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        tensors.clear()
    peak = torch.cuda.max_memory_allocated() if device == "cuda" else 0
    return {"kept": sum(storages.values()), "peak": peak}


def main() -> None:
    """Run the plan and write the recording."""
    import torch

    if "--cpu" in sys.argv:
        for case in plan():
            small = {**case, "config": SMALL if case["model_type"] == "bert" else {}, "texts": 2, "tokens": 32}
            if case["model_type"] == "bert":
                small["changes"] = [change.replace("frozen:6", "frozen:1") for change in case["changes"]]
            print(case["class"], case["dtype"], case["attention"], case["changes"], measure(small, "cpu"))
        return
    if not torch.cuda.is_available():
        sys.exit("there is no card; run this on a machine with one, or try the script with --cpu")
    cases = [{**case, **measure(case, "cuda")} for case in plan()]
    contents = {"card": torch.cuda.get_device_name(), "versions": versions_of("torch", "transformers", "peft")}
    path = BESIDE_TESTS / "recorded_card.json"
    path.write_text(json.dumps({**contents, "cases": cases}), encoding="utf-8")
    print(f"{path.name}: {len(cases)} steps on {contents['card']}")


if __name__ == "__main__":
    main()
