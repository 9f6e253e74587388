"""Where each tensor lies in a safetensors file: as in files that transformers wrote."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Question, model_named
from macros.counting.frameworks.files import safetensors, spans

FILES: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "example" / "recorded_toy.json.gz").read_bytes())
)["files"]

BASE = model_named("bert-base-uncased")

MODELS = {"base": BASE, "toy": BASE.resized(V=8, P=6, S=2, H=4, F=16, L=1, A=2)}


@pytest.mark.parametrize("name", MODELS)
def test_every_tensor_lies_where_transformers_puts_it(name: str) -> None:
    """The header is as long as in the file, and the data of every tensor has the same offsets."""
    question, file = Question(MODELS[name]), FILES[name]
    assert file["header"] == safetensors(question).header
    assert file["tensors"] == {span.tensor.transformers: [span.start, span.end] for span in spans(question)}
    # A file lists the layers in the order of their names, so layer 10 comes before layer 2.
    starts = {name: start for name, (start, _) in file["tensors"].items()}
    if name == "base":
        assert starts["encoder.layer.10.output.dense.bias"] < starts["encoder.layer.2.output.dense.bias"]
