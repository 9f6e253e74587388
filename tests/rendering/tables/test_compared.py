"""Comparisons that are kept on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from macros.counting.frameworks.recordings import Comparison, comparison, recordings
from macros.rendering.tables import compared as module
from macros.rendering.tables.compared import compared

ONE = Comparison("a", "A", "2026-11-22", "a.py", "tensors", {"a": "1"}, 1, 2, 3, ("one there, two here",))


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Which comparisons are made, of an engine with one file and one recording."""
    found: list[str] = []

    def compare(name: str) -> Comparison:
        found.append(name)
        return ONE

    (tmp_path / "engine" / "recordings").mkdir(parents=True)
    for name in ("code.py", "models.toml", "recordings/a.json.gz"):
        (tmp_path / "engine" / name).write_text(name)
    monkeypatch.setattr(module, "ENGINE", tmp_path / "engine")
    monkeypatch.setattr(module, "FOLDER", tmp_path / "engine" / "recordings")
    monkeypatch.setattr(module, "CACHE", tmp_path / "kept")
    monkeypatch.setattr(module, "recordings", lambda: ["a"])
    monkeypatch.setattr(module, "comparison", compare)
    compared.cache_clear()
    yield found
    compared.cache_clear()


@pytest.mark.parametrize(
    ("changed", "expected"), [("models.toml", 1), ("code.py", 2), ("recordings/a.json.gz", 2), ("more.py", 2)]
)
def test_comparisons_are_made_anew_after_a_change(made: list[str], changed: str, expected: int) -> None:
    """Of the engine's code or a recording; other data leave them as they are, differences and all."""
    assert [ONE] == compared()
    compared.cache_clear()
    (module.ENGINE / changed).write_text("changed")
    assert [ONE] == compared()
    assert expected == len(made)
    assert 1 == len(list(module.CACHE.iterdir()))


def test_what_is_kept_is_what_was_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made now or read again, the comparisons are the engine's own."""
    monkeypatch.setattr(module, "CACHE", tmp_path / "kept")
    expected = [comparison(name) for name in recordings()]
    for _ in range(2):
        compared.cache_clear()
        assert expected == compared()
