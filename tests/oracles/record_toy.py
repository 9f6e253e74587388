"""Record what transformers computes with the toy model's weights, and the positions of tensors in files.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.record_toy

`BertForPreTraining` is built with the sizes and the weights of the toy model, and reads each sentence in float64, with
the default epsilon and activation. The recording has the inputs and outputs of modules, the attention weights and the
logits. It also has the positions of the tensors in the safetensors files of BERT base and of the toy model, and the
data of the latter.
"""

import json
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from macros.example import toy
from macros.example.weights import untied_tensors

from .recording import BASE, record

SENTENCES = ("the cat sat", "the [MASK] sat")
"""The sentences that the pages show, in words of the toy model's vocabulary."""


def load_toy() -> Any:
    """The toy model in transformers, in float64 and without dropout."""
    import torch
    import transformers

    weights = toy()
    sizes = {symbol.key: weights.model.sizes[symbol.letter] for symbol in weights.model.architecture.symbols}
    config = transformers.BertConfig(**sizes, attn_implementation="eager")
    model = transformers.BertForPreTraining(config).double().eval()
    state = model.state_dict()
    for tensor in untied_tensors(weights.model):
        rows = weights.matrices.get(tensor.path) or weights.vectors[tensor.path]
        values = torch.tensor([[float(cell) for cell in row] if isinstance(row, tuple) else float(row) for row in rows])
        # Kernels are given as (in, out), but torch stores them as (out, in).
        state[tensor.transformers].copy_(values.T if tensor.path.endswith("/kernel") else values)
    return model


def cases() -> Iterator[dict[str, Any]]:
    """Every sentence, with the inputs and outputs of modules, the attention weights and the logits."""
    import torch

    model = load_toy()
    weights = toy()
    for sentence in SENTENCES:
        tensors: dict[str, dict[str, Any]] = {}

        def keep(name: str, inputs: Any, outputs: Any, tensors: dict[str, dict[str, Any]] = tensors) -> None:
            """Keep the input and the output of a module."""
            values = {"input": inputs[0] if inputs else None, "output": outputs}
            tensors[name] = {kind: tensor[0].tolist() for kind, tensor in values.items() if torch.is_tensor(tensor)}

        hooks = [
            module.register_forward_hook(lambda _, inputs, outputs, name=name: keep(name, inputs, outputs))
            for name, module in model.named_modules()
            if name.endswith(("transform", "intermediate")) or not (list(module.children()) or "dropout" in name)
        ]
        ids = [weights.vocabulary.index(token) for token in weights.tokens(sentence)]
        with torch.no_grad():
            results = model(input_ids=torch.tensor([ids]), output_attentions=True)
        for hook in hooks:
            hook.remove()
        yield {
            "sentence": sentence,
            "modules": tensors,
            "attentions": results.attentions[0][0].tolist(),
            "logits": results.prediction_logits[0].tolist(),
            "next_sentence": results.seq_relationship_logits[0].tolist(),
        }


def layout_of_file(model: Any, has_data: bool = False) -> dict[str, Any]:
    """The number of bytes before the data in the file that `save_pretrained` writes, and the offsets of every tensor.

    If `has_data`, the result also has all bytes after the header, as hexadecimal digits.
    """
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        with Path(folder, "model.safetensors").open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            entries = json.loads(file.read(length))
            data = {"data": file.read().hex()} if has_data else {}
    del entries["__metadata__"]
    return {"header": 8 + length, "tensors": {name: entry["data_offsets"] for name, entry in entries.items()}} | data


def files() -> dict[str, Any]:
    """The files of the toy model and, without its data, of BERT base. Both are a `BertModel` in float32."""
    import transformers

    base = transformers.BertModel(transformers.BertConfig(**BASE))
    return {"toy": layout_of_file(load_toy().bert.float(), has_data=True), "base": layout_of_file(base)}


def main() -> None:
    """Run everything and write the recording; fail if it differs from the previous one."""
    record("../example/recorded_toy.json.gz", ("transformers", "torch", "safetensors"), cases(), files=files())


if __name__ == "__main__":
    main()
