"""Record the sizes of optimiser states and of model files.

Run by `make verify`, in an environment with torch, transformers, PEFT and bitsandbytes:

    python -m tests.oracles.record_training

Every class of every architecture in transformers 5 is built from a small config, in which
some tensors are large enough for states in 8 bits, and every optimiser makes one step on it,
with made-up gradients. Some classes are also recorded after PEFT has changed them. The recording has the
bytes of all states, the size of the safetensors file, and the sizes after dynamic
quantisation.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .record_changed import Case, classes, config_of
from .recording import BASE, record

CHANGES = ("lora:9:query,value", "prompt:300", "p-tuning:300:80")
"""Changes that are made to BERT and RoBERTa for sequence classification before training."""


def maker_by_trainer(name: str) -> Callable[[Any], Any]:
    """A function that creates an optimiser for a model, as transformers' Trainer does."""

    def make(model: Any) -> Any:
        """The optimiser that Trainer creates for a model."""
        import transformers

        with tempfile.TemporaryDirectory() as folder:
            arguments = transformers.TrainingArguments(folder, optim=name, use_cpu=True)
            return transformers.Trainer(model, arguments).create_optimizer()

    return make


def optimisers() -> dict[str, Callable[[Any], Any]]:
    """Functions that create an optimiser for a model, by the name of the optimiser."""
    import bitsandbytes
    import torch

    def make_by_bitsandbytes(model: Any) -> Any:
        """The optimiser of bitsandbytes for a model, with default settings."""
        # The manager stores settings by the index of a parameter. Those that Trainer has set for earlier models would
        # apply here, so they are cleared.
        bitsandbytes.optim.GlobalOptimManager.get_instance().initialize()
        return bitsandbytes.optim.AdamW8bit(model.parameters())

    return {
        "sgd": lambda model: torch.optim.SGD(model.parameters(), lr=0.1),
        "sgd-momentum": lambda model: torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
        "adamw": maker_by_trainer("adamw_torch"),
        "adamw-8bit": make_by_bitsandbytes,
        "adamw-8bit-trainer": maker_by_trainer("adamw_bnb_8bit"),
        "adafactor": maker_by_trainer("adafactor"),
        "adamw-bfloat16": lambda model: torch.optim.AdamW(model.to(torch.bfloat16).parameters()),
    }


def bytes_of_states(model: Any, make: Callable[[Any], Any]) -> int:
    """The bytes of an optimiser's state after one step, with memory that tensors share counted once."""
    import torch

    optimiser = make(model)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 0.1) if parameter.requires_grad else None
    optimiser.step()
    tensors = [value for state in optimiser.state.values() for value in state.values() if torch.is_tensor(value)]
    return sum({tensor.data_ptr(): tensor.numel() * tensor.element_size() for tensor in tensors}.values())


def file_size(model: Any) -> int:
    """The bytes of the file that `save_pretrained` writes."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        return Path(folder, "model.safetensors").stat().st_size


def quantised_sizes(model: Any) -> list[int]:
    """The number of parameters that dynamic quantisation leaves unpacked, and the bytes of all parameters after it."""
    import torch

    changed_model = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
    remaining_parameters = list(changed_model.parameters())
    linear = torch.ao.nn.quantized.dynamic.Linear
    layers = [module for module in changed_model.modules() if isinstance(module, linear)]
    packed_tensors = [tensor for layer in layers for tensor in layer._weight_bias()]
    tensors = [tensor for tensor in (*remaining_parameters, *packed_tensors) if tensor is not None]
    elements = sum(tensor.numel() for tensor in remaining_parameters)
    return [elements, sum(tensor.numel() * tensor.element_size() for tensor in tensors)]


def cases() -> Iterator[Case]:
    """Every class with its optimisers' states and its sizes, two classes with changes, and BERT base's file.

    The sizes are those of the saved file and of the model after dynamic quantisation.
    """
    import transformers
    from peft import get_peft_model

    for model_type, config, class_name in classes():
        # This makes some tensors, such as the word table, large enough for states in 8 bits.
        larger_config = {**config, "vocab_size": 900}
        common = {"model_type": model_type, "config": larger_config, "class": class_name}
        transformers_class = getattr(transformers, class_name)
        model_config = transformers.CONFIG_MAPPING[model_type](**larger_config)
        yield {
            **common,
            "states": {
                name: bytes_of_states(transformers_class(model_config), make) for name, make in optimisers().items()
            },
            "file": file_size(transformers_class(model_config)),
            "quantised": quantised_sizes(transformers_class(model_config)),
        }
        if class_name in ("BertForSequenceClassification", "RobertaForSequenceClassification"):
            sizes = {"token_dim": model_config.hidden_size, "num_layers": model_config.num_hidden_layers}
            sizes["num_attention_heads"] = model_config.num_attention_heads
            for change in CHANGES:
                sizes_of_states = {}
                for name, make in optimisers().items():
                    method = config_of(change, model_type, "SEQ_CLS", sizes)
                    sizes_of_states[name] = bytes_of_states(
                        get_peft_model(transformers_class(model_config), method), make
                    )
                yield {**common, "change": change, "states": sizes_of_states}
    full_model = transformers.BertForMaskedLM(transformers.BertConfig(**BASE))
    yield {"model_type": "bert", "config": BASE, "class": "BertForMaskedLM", "file": file_size(full_model)}


def main() -> None:
    """Step and save everything and write the recording; fail if it differs from the previous one."""
    packages = ("torch", "transformers", "peft", "bitsandbytes", "safetensors")
    record("recorded_training.json.gz", packages, cases(), "record_training.py")


if __name__ == "__main__":
    main()
