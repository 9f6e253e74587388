"""Offsets of tensors in safetensors files, compared with files that transformers wrote."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Question, model_named
from macros.counting.frameworks.files import safetensors_size, spans

FILES: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "example" / "recorded_toy.json.gz").read_bytes())
)["files"]
"""Length of the header and offsets of all tensors in the files that `tests/oracles/record_toy.py` wrote."""

BASE = model_named("bert-base-uncased")

MODELS = {"base": BASE, "toy": BASE.resized(V=8, P=6, S=2, H=4, F=16, L=1, A=2)}
"""The models in these files, by file name."""


@pytest.mark.parametrize("name", MODELS)
def test_every_tensor_has_the_offsets_of_transformers(name: str) -> None:
    question = Question(MODELS[name])
    assert FILES[name]["header"] == safetensors_size(question).bytes_before_data
    assert FILES[name]["tensors"] == {span.tensor.transformers: [span.start, span.end] for span in spans(question)}


def test_layers_are_sorted_by_name() -> None:
    """Layer 10 comes before layer 2."""
    starts = {span.tensor.transformers: span.start for span in spans(Question(BASE))}
    assert starts["encoder.layer.10.output.dense.bias"] < starts["encoder.layer.2.output.dense.bias"]


def test_a_file_joins_tensors_that_are_separate_in_the_model() -> None:
    """The files of some models hold query, key and value as one matrix, and name their modules differently.

    Source: transformers 5.23, `save_pretrained` called on a model with these sizes.
    """
    model = model_named("nomic-embed-text-v1").resized(V=101, P=64, H=20, F=50, L=1, A=5)
    shapes = {span.tensor.transformers: span.tensor.shape for span in spans(Question(model))}
    assert (60, 20) == shapes["encoder.layers.0.attn.Wqkv.weight"]
    assert (50, 20) == shapes["encoder.layers.0.mlp.fc12.weight"]
    assert {"emb_ln.weight", "encoder.layers.0.norm1.bias", "encoder.layers.0.attn.out_proj.weight"} < shapes.keys()


def test_a_file_also_holds_rotary_frequencies() -> None:
    """ESM-2's files also hold the rotary frequencies, under a name with an asterisk, and use old names for LayerNorm.

    Source: transformers 5.23, `save_pretrained` called on a model with these sizes.
    """
    model = model_named("facebook/esm2_t6_8M_UR50D").resized(V=900, H=20, F=50, L=2, A=5)
    offsets = {span.tensor.transformers: [span.start, span.end] for span in spans(Question(model))}
    assert [72204, 72212] == offsets["encoder.layer.*.attention.self.rotary_embeddings.inv_freq"]
    assert [72212, 72292] == offsets["encoder.layer.0.LayerNorm.beta"]
    assert 108_548 == safetensors_size(Question(model)).size
