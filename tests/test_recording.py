"""Tests of the code that recorders share: the same results give the same file, and changes are reported."""

import gzip
import json
import logging
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.oracles import recording

FILES = sorted(recording.BESIDE_TESTS.glob("recorded_*.json.gz"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that recordings are written to; logging stays on, because other tests need it."""
    monkeypatch.setattr(recording, "BESIDE_TESTS", tmp_path)
    monkeypatch.setattr(logging, "disable", lambda: None)
    return tmp_path


def read(path: Path) -> str:
    """The text of a recording."""
    return gzip.decompress(path.read_bytes()).decode()


@pytest.mark.parametrize("file", FILES, ids=[file.name.partition(".")[0] for file in FILES])
def test_recording_the_same_gives_the_same_file(file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording the same results gives the same file to the byte, apart from the versions of libraries."""
    contents: dict[str, Any] = json.loads(read(file))
    versions, cases, script = contents.pop("versions"), contents.pop("cases"), contents.pop("script", "")
    monkeypatch.setattr(recording, "versions_of", lambda *_: versions)
    recording.record(file.name, versions, iter(cases), script, **contents)
    assert read(file) == read(folder / file.name)
    monkeypatch.setattr(recording, "versions_of", lambda *_: {**versions, "torch": "99"})
    recording.record(file.name, versions, iter(cases), script, **contents)
    assert read(file).replace(f'"torch":"{versions["torch"]}"', '"torch":"99"') == read(folder / file.name)


@pytest.mark.parametrize(
    ("cases", "others"), [([1, 2, 4], ["a"]), ([1, 2], ["a"]), ([1, 2, 3], ["b"]), ([1, 2, 3], [])]
)
def test_a_recording_that_changes_is_written_and_reported(folder: Path, cases: list[int], others: list[str]) -> None:
    """A recording is written anew and reported if a case, or anything recorded besides, differs or is gone."""
    recording.record("numbers.json.gz", ["pytest"], [1, 2, 3], others=iter(["a"]))
    recording.record("numbers.json.gz", ["pytest"], [1, 2, 3], others=iter(["a"]))
    with pytest.raises(SystemExit, match=r"numbers\.json\.gz was wrong, and has been rewritten"):
        recording.record("numbers.json.gz", ["pytest"], cases, others=iter(others))
    contents = json.loads(read(folder / "numbers.json.gz"))
    assert (["versions", "cases", "others"], cases, others) == ([*contents], contents["cases"], contents["others"])
    assert (["pytest", "python"], pytest.__version__) == ([*contents["versions"]], contents["versions"]["pytest"])


def test_a_model_is_built_where_and_as_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model is built from its config with the options given, on torch's meta device unless another is named."""
    devices: list[str] = []

    def device(name: str) -> AbstractContextManager[None]:
        devices.append(name)
        return nullcontext()

    torch = SimpleNamespace(device=device)
    transformers = SimpleNamespace(CONFIG_MAPPING={"bert": dict}, BertModel=lambda config, **options: (config, options))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    assert ({"vocab_size": 7}, {}) == recording.build_model("bert", {"vocab_size": 7}, "BertModel")
    real = recording.build_model("bert", {"vocab_size": 7}, "BertModel", "cpu", add_pooling_layer=False)
    assert ({"vocab_size": 7}, {"add_pooling_layer": False}) == real
    assert ["meta", "cpu"] == devices
