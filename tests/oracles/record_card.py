"""Record the memory that training steps need on a graphics card, for comparison with the engine.

Run this by hand on a machine with a card, in an environment with torch, transformers and PEFT:

    python -m tests.oracles.record_card

It writes `tests/counting/recorded_card.json` with the name of the card and the versions of
the libraries. Each of sixty steps runs twice, so that the optimiser has its states. The
recording has the bytes of the storages that the forward pass keeps, and the peak that
`torch.cuda.max_memory_allocated` reports. The difference between this peak and the engine's
is the memory that the engine does not count. After that, the script limits the memory for
each entry of `LIMITED_CASES`. It runs the largest batch that the site gives for that memory, and one
a quarter larger, which should not fit; `out_of_memory` marks a batch that does not. The file
is written after each step. With `--cpu`, which tries out the script, every step of `plan`
runs in a small model on a CPU, and nothing is written.
"""

import contextlib
import gc
import json
import math
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

from macros.counting import ChangedModel, Question
from macros.counting.config import model_of_config
from macros.counting.training import TrainingStep, usable_memory

from .record_activations import OTHER_KEYS, TYPES_WITHOUT_SEGMENTS, Case, inputs_of, model_for
from .recording import BASE, LARGE, TEST_RECORDINGS, versions_of

SMALL_SIZES = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
"""The sizes of the small model for `--cpu`."""

SETTINGS = (
    {"dtype": "float32", "attention": "eager", "padded": False},
    {"dtype": "float32", "attention": "sdpa", "padded": True},
    {"dtype": "bf16", "attention": "eager", "padded": False},
    {"dtype": "bf16", "attention": "sdpa", "padded": False},
    {"dtype": "bf16", "attention": "sdpa", "padded": True},
    {"dtype": "pure-bf16", "attention": "sdpa", "padded": False},
)
"""Settings of training steps."""

RELATIVES: dict[str, tuple[str, dict[str, int]]] = {
    "roberta": ("RobertaForSequenceClassification", {"max_position_embeddings": 514, "type_vocab_size": 1}),
    "distilbert": ("DistilBertForSequenceClassification", {}),
    "electra": ("ElectraForSequenceClassification", {"embedding_size": 128}),
    "albert": ("AlbertForSequenceClassification", {"embedding_size": 128}),
}
"""Relatives of BERT, each with its class and the sizes that differ from those of BERT base."""

COMMON: Case = {
    "model_type": "bert",
    "class": "BertForSequenceClassification",
    "config": BASE,
    "changes": [],
    "dropout": True,
    "checkpointing": False,
    "optimiser": "adamw",
}
"""The settings that most steps share."""


def case_of_relative(model_type: str) -> Case:
    """The settings of a step for a relative, which has the sizes of BERT base apart from those in `RELATIVES`."""
    class_name, sizes = RELATIVES[model_type]
    names = OTHER_KEYS.get(model_type, {})
    config = {names.get(key, key): size for key, size in {**BASE, **sizes}.items()}
    if model_type in TYPES_WITHOUT_SEGMENTS:
        del config["type_vocab_size"]
    return {**COMMON, "model_type": model_type, "class": class_name, "config": config}


def plan() -> Iterator[Case]:
    """All steps. They cover batches, settings, changes, checkpointing, relatives, masked LM and other optimisers."""
    for (texts, tokens), settings in product(((1, 128), (8, 128), (8, 512), (32, 512)), SETTINGS):
        yield {**COMMON, **settings, "texts": texts, "tokens": tokens}
    for (texts, tokens), settings in product(((4, 128), (8, 512)), SETTINGS):
        yield {**COMMON, **settings, "config": LARGE, "texts": texts, "tokens": tokens}
    for change, settings in product(
        (["head"], ["bitfit"], ["embeddings", "frozen:6"], ["lora:8:query,value"]), SETTINGS[3:5]
    ):
        yield {**COMMON, **settings, "changes": change, "texts": 16, "tokens": 512}
    for config, settings in product((BASE, LARGE), SETTINGS[1:5:3]):
        yield {**COMMON, **settings, "config": config, "texts": 16, "tokens": 512, "checkpointing": True}
    for model_type, settings in product(RELATIVES, SETTINGS[:4:3]):
        yield {**case_of_relative(model_type), **settings, "texts": 16, "tokens": 128}
    for settings in SETTINGS[:4:3]:
        yield {**COMMON, **settings, "class": "BertForMaskedLM", "texts": 16, "tokens": 128}
    for optimiser in ("sgd", "adamw-foreach"):
        yield {**COMMON, **SETTINGS[3], "texts": 1, "tokens": 128, "optimiser": optimiser}


LIMITED_CASES: tuple[tuple[int, Case], ...] = (
    (16, {**COMMON, **SETTINGS[4], "tokens": 512}),
    (16, {**COMMON, **SETTINGS[0], "tokens": 512}),
    (8, {**COMMON, **SETTINGS[3], "tokens": 128}),
    (16, {**COMMON, **SETTINGS[4], "tokens": 512, "changes": ["lora:8:query,value"]}),
    (16, {**COMMON, **SETTINGS[4], "tokens": 512, "checkpointing": True}),
    (16, {**COMMON, **SETTINGS[4], "tokens": 512, "config": LARGE}),
)
"""Steps whose largest batch is tried out, without their batches, each after the limit on its memory in GiB."""


def pairs() -> Iterator[Case]:
    """For each of `LIMITED_CASES`, a step with the largest batch that the site gives, and one with a quarter more."""
    for gib, case in LIMITED_CASES:
        largest = step_of({**case, "texts": 1}).largest_batch(usable_memory(gib))
        for texts in (largest, math.ceil(largest * 5 / 4)):
            yield {**case, "gib": gib, "texts": texts}


def step_of(case: Case) -> TrainingStep:
    """The engine's training step for a case."""
    model = model_of_config("recorded", {**case["config"], "model_type": case["model_type"]})
    settings = {key: case[key] for key in ("tokens", "dtype", "attention", "dropout", "padded", "checkpointing")}
    changed_model = ChangedModel.build(Question(model, case["class"]), case["changes"])
    return TrainingStep(changed_model, case["texts"], optimiser=case["optimiser"], **settings)


def optimiser_named(name: str, parameters: list[Any]) -> Any:
    """The optimiser for the trained parameters of a case. AdamW is fused unless its name ends with "foreach"."""
    import torch

    if name == "sgd":
        return torch.optim.SGD(parameters)
    foreach = name == "adamw-foreach"
    return torch.optim.AdamW(parameters, foreach=foreach, fused=not foreach)


def measure(case: Case, device: str) -> dict[str, int]:
    """Run two steps, and return the bytes that the forward pass keeps and the peak of the second step.

    The former is 0 for a step of a pair, and the latter is 0 on a CPU.
    """
    import torch

    model = model_for(case, device)
    trained_parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = optimiser_named(case["optimiser"], trained_parameters)
    model_addresses = {tensor.untyped_storage().data_ptr() for tensor in (*model.parameters(), *model.buffers())}
    storages: dict[int, int] = {}
    # This list keeps tensors alive, so that no address is used twice. In the second step, it would raise the peak.
    tensors = []

    def keep(tensor: Any) -> Any:
        """Record the storage of a tensor that is kept for the backward pass, and return the tensor."""
        tensors.append(tensor)
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in model_addresses:
            storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    inputs = inputs_of(case, device)
    if "attention_mask" in inputs:
        # transformers drops a mask that pads nothing.
        inputs["attention_mask"][0, case["tokens"] // 2 :] = 0
    recording_hooks = torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor)
    # The first step of a pair runs without hooks, because keeping its tensors alive would take more memory.
    hooks_of_first = contextlib.nullcontext() if "gib" in case else recording_hooks
    for hooks in (hooks_of_first, contextlib.nullcontext()):
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


def measure_on_card(case: Case) -> dict[str, Any]:
    """The result of `measure` on a card, or `{"out_of_memory": True}`.

    A case with `gib` may use only that much memory. Anything that an earlier error has left in memory is freed first.
    """
    import torch

    memory_of_card = torch.cuda.get_device_properties(0).total_memory
    memory = min(case["gib"] * 2**30, memory_of_card) if "gib" in case else memory_of_card
    torch.cuda.set_per_process_memory_fraction(memory / memory_of_card)
    gc.collect()
    torch.cuda.empty_cache()
    try:
        return measure(case, "cuda")
    except torch.cuda.OutOfMemoryError:
        return {"out_of_memory": True}


def main() -> None:
    """Run the plan and the pairs, and write the recording; with `--cpu`, only try out the plan."""
    import torch

    if "--cpu" in sys.argv:
        for case in plan():
            names = OTHER_KEYS.get(case["model_type"], {})
            sizes = {names.get(key, key): size for key, size in SMALL_SIZES.items()}
            small_case = {**case, "config": {**case["config"], **sizes}, "texts": 2, "tokens": 32}
            small_case["changes"] = [change.replace("frozen:6", "frozen:1") for change in case["changes"]]
            print(case["class"], case["dtype"], case["attention"], case["changes"], measure(small_case, "cpu"))
        return
    if not torch.cuda.is_available():
        sys.exit("there is no card; run this on a machine with one, or try the script with --cpu")
    # The engine counts the memory of PyTorch's own kernels, not that of cuDNN's, which PyTorch may prefer on the newest
    # cards.
    torch.backends.cuda.enable_cudnn_sdp(False)
    path = TEST_RECORDINGS / "recorded_card.json"
    properties = torch.cuda.get_device_properties(0)
    contents: dict[str, Any] = {"card": properties.name, "memory": properties.total_memory}
    contents["versions"] = versions_of("torch", "transformers", "peft")
    for name, cases in (("cases", plan()), ("pairs", pairs())):
        contents[name] = []
        for case in cases:
            contents[name].append({**case, **measure_on_card(case)})
            print(len(contents[name]), name, case["model_type"], case["texts"], case["tokens"], flush=True)
            # Written after each step, so that nothing is lost if the run is interrupted.
            path.write_text(json.dumps(contents), encoding="utf-8")
    print(f"{path.name}: {len(contents['cases'])} steps and {len(contents['pairs']) // 2} pairs on {contents['card']}")


if __name__ == "__main__":
    main()
