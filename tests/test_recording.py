"""The functions that recording scripts share: the same results give the same file, and changes are reported."""

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

RECORDED_FILES = sorted(recording.TEST_RECORDINGS.glob("recorded_*.json.gz"))
"""The recordings that are stored next to the tests."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder into which recordings are written. Recording must not switch off logging, which other tests need."""
    monkeypatch.setattr(recording, "TEST_RECORDINGS", tmp_path)
    monkeypatch.setattr(logging, "disable", lambda: None)
    return tmp_path


def text_of(path: Path) -> str:
    """The text of a recording."""
    return gzip.decompress(path.read_bytes()).decode()


@pytest.mark.parametrize("file", RECORDED_FILES, ids=[file.name.partition(".")[0] for file in RECORDED_FILES])
def test_recording_the_same_gives_the_same_file(file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is identical, except for the versions of libraries."""
    contents: dict[str, Any] = json.loads(text_of(file))
    versions, cases, script = contents.pop("versions"), contents.pop("cases"), contents.pop("script", "")
    monkeypatch.setattr(recording, "versions_of", lambda *_: versions)
    recording.record(file.name, versions, iter(cases), script, **contents)
    assert text_of(file) == text_of(folder / file.name)
    monkeypatch.setattr(recording, "versions_of", lambda *_: {**versions, "torch": "99"})
    recording.record(file.name, versions, iter(cases), script, **contents)
    assert text_of(file).replace(f'"torch":"{versions["torch"]}"', '"torch":"99"') == text_of(folder / file.name)


@pytest.mark.parametrize(
    ("cases", "further_results"), [([1, 2, 4], ["a"]), ([1, 2], ["a"]), ([1, 2, 3], ["b"]), ([1, 2, 3], [])]
)
def test_a_changed_recording_is_written_and_reported(
    folder: Path, cases: list[int], further_results: list[str]
) -> None:
    """A case or a further result may have changed or be missing."""
    recording.record("numbers.json.gz", ["pytest"], [1, 2, 3], further_results=iter(["a"]))
    recording.record("numbers.json.gz", ["pytest"], [1, 2, 3], further_results=iter(["a"]))
    with pytest.raises(SystemExit, match=r"numbers\.json\.gz differed from the new recording"):
        recording.record("numbers.json.gz", ["pytest"], cases, further_results=iter(further_results))
    contents = json.loads(text_of(folder / "numbers.json.gz"))
    assert (["versions", "cases", "further_results"], cases, further_results) == (
        [*contents],
        contents["cases"],
        contents["further_results"],
    )
    assert (["pytest", "python"], pytest.__version__) == ([*contents["versions"]], contents["versions"]["pytest"])


def test_a_model_is_built_with_its_options_on_the_named_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default, the device is torch's meta device."""
    devices: list[str] = []

    def device(name: str) -> AbstractContextManager[None]:
        devices.append(name)
        return nullcontext()

    torch = SimpleNamespace(device=device)
    transformers = SimpleNamespace(CONFIG_MAPPING={"bert": dict}, BertModel=lambda config, **options: (config, options))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    assert ({"vocab_size": 7}, {}) == recording.build_model("bert", {"vocab_size": 7}, "BertModel")
    on_cpu = recording.build_model("bert", {"vocab_size": 7}, "BertModel", "cpu", add_pooling_layer=False)
    assert ({"vocab_size": 7}, {"add_pooling_layer": False}) == on_cpu
    assert ["meta", "cpu"] == devices
