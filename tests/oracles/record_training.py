"""Record what optimisers keep of each model, and how large its files are.

Run by `make verify`, in an environment with torch, transformers, PEFT and bitsandbytes:

    python -m tests.oracles.record_training

Every class of every architecture is built from a small config, of which some
tensors are large enough for states in 8 bits, and trained for one step with
each optimiser; of some classes a change by PEFT is trained instead. What is
written down is the bytes of all states, the size of the file of safetensors,
and what dynamic quantisation leaves of the parameters.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .record_changed import Case, classes, config_of
from .recording import BASE, record

CHANGES = ("lora:9:query,value", "prompt:300", "p-tuning:300:80")
"""What is trained instead of models that label texts."""


def by_trainer(name: str) -> Callable[[Any], Any]:
    """An optimiser as transformers' Trainer makes it."""

    def made(model: Any) -> Any:
        import transformers

        with tempfile.TemporaryDirectory() as folder:
            chosen = transformers.TrainingArguments(folder, optim=name, use_cpu=True)
            return transformers.Trainer(model, chosen).create_optimizer()

    return made


def optimisers() -> dict[str, Callable[[Any], Any]]:
    """What makes each optimiser for a model."""
    import bitsandbytes
    import torch

    def by_bitsandbytes(model: Any) -> Any:
        # It keeps what Trainer asked for of other models, by place.
        bitsandbytes.optim.GlobalOptimManager.get_instance().initialize()
        return bitsandbytes.optim.AdamW8bit(model.parameters())

    return {
        "sgd": lambda model: torch.optim.SGD(model.parameters(), lr=0.1),
        "sgd-momentum": lambda model: torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
        "adamw": by_trainer("adamw_torch"),
        "adamw-8bit": by_bitsandbytes,
        "adamw-8bit-trainer": by_trainer("adamw_bnb_8bit"),
        "adafactor": by_trainer("adafactor"),
        "adamw-bfloat16": lambda model: torch.optim.AdamW(model.to(torch.bfloat16).parameters()),
    }


def states(model: Any, make: Callable[[Any], Any]) -> int:
    """The bytes of all that an optimiser keeps after a step; what tensors share counts once."""
    import torch

    optimiser = make(model)
    for each in model.parameters():
        each.grad = torch.full_like(each, 0.1) if each.requires_grad else None
    optimiser.step()
    tensors = [one for state in optimiser.state.values() for one in state.values() if torch.is_tensor(one)]
    return sum({each.data_ptr(): each.numel() * each.element_size() for each in tensors}.values())


def file_size(model: Any) -> int:
    """The bytes of the file that `save_pretrained` writes."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        return Path(folder, "model.safetensors").stat().st_size


def quantised(model: Any) -> list[int]:
    """What PyTorch's dynamic quantisation leaves of the parameters, and the bytes of them and of what is packed."""
    import torch

    made = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
    left = list(made.parameters())
    linear = torch.ao.nn.quantized.dynamic.Linear
    packed = [one for each in made.modules() if isinstance(each, linear) for one in each._weight_bias()]
    tensors = [each for each in (*left, *packed) if each is not None]
    return [sum(each.numel() for each in left), sum(each.numel() * each.element_size() for each in tensors)]


def cases() -> Iterator[Case]:
    """Every class with each optimiser, and its files; changes of a few; and the file of BERT base."""
    import transformers
    from peft import get_peft_model

    for model_type, config, class_name in classes():
        wide = {**config, "vocab_size": 900}
        common = {"model_type": model_type, "config": wide, "class": class_name}
        of_class, chosen = getattr(transformers, class_name), transformers.CONFIG_MAPPING[model_type](**wide)
        kept = {name: states(of_class(chosen), make) for name, make in optimisers().items()}
        yield {**common, "states": kept, "file": file_size(of_class(chosen)), "quantised": quantised(of_class(chosen))}
        if class_name in ("BertForSequenceClassification", "RobertaForSequenceClassification"):
            sizes = {"token_dim": chosen.hidden_size, "num_layers": chosen.num_hidden_layers}
            sizes["num_attention_heads"] = chosen.num_attention_heads
            for change in CHANGES:
                found = {}
                for name, make in optimisers().items():
                    method = config_of(change, model_type, "SEQ_CLS", sizes)
                    found[name] = states(get_peft_model(of_class(chosen), method), make)
                yield {**common, "change": change, "states": found}
    whole = transformers.BertForMaskedLM(transformers.BertConfig(**BASE))
    yield {"model_type": "bert", "config": BASE, "class": "BertForMaskedLM", "file": file_size(whole)}


def main() -> None:
    """Train and save everything and write it down; fail where it differs from what stood there."""
    packages = ("torch", "transformers", "peft", "bitsandbytes", "safetensors")
    record("recorded_training.json.gz", packages, cases(), "record_training.py")


if __name__ == "__main__":
    main()
