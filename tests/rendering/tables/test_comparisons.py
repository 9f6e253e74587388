"""Comparisons with recordings are cached on disk for as long as the code and data behind them stay the same."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import macros.build_cache
from macros.counting.frameworks.recordings import Comparison, comparison, recordings
from macros.rendering.tables import comparisons as module
from macros.rendering.tables.comparisons import comparisons

COMPARISON = Comparison("a", "A", "2026-11-22", "a.py", "tensors", {"a": "1"}, 1, 2, 3, ("recorded one, computed two",))


def redirect_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redirect the cache of comparisons to a folder."""
    monkeypatch.setattr(module, "cached_content", partial(macros.build_cache.cached_content, folder=folder))


@pytest.fixture
def recording_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the recordings compared so far.

    A fake engine with some code, some data and one recording replaces the real one.
    """
    names: list[str] = []

    def compare(name: str) -> Comparison:
        names.append(name)
        return COMPARISON

    for name in ("code.py", "frameworks/code.py", "search/code.py", "data/models.toml", "recordings/a.json.gz"):
        (tmp_path / "engine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "engine" / name).write_text(name)
    monkeypatch.setattr(module, "ENGINE", tmp_path / "engine")
    monkeypatch.setattr(module, "FOLDER", tmp_path / "engine" / "recordings")
    monkeypatch.setattr(macros.build_cache, "CODE_FOLDER", tmp_path)
    redirect_cache(tmp_path / "cache", monkeypatch)
    monkeypatch.setattr(module, "recordings", lambda: ["a"])
    monkeypatch.setattr(module, "comparison", compare)
    comparisons.cache_clear()
    yield names
    comparisons.cache_clear()


@pytest.mark.parametrize(
    ("file", "comparison_count"),
    [
        ("data/models.toml", 1),
        ("data/config_keys.toml", 2),
        ("code.py", 2),
        ("frameworks/code.py", 2),
        ("search/code.py", 1),
        ("recordings/a.json.gz", 2),
        ("more.py", 2),
    ],
)
def test_relevant_changes_invalidate_the_cache(recording_names: list[str], file: str, comparison_count: int) -> None:
    """Comparisons are repeated only if the code that makes them, or a file that it reads, has changed."""
    assert [COMPARISON] == comparisons()
    comparisons.cache_clear()
    (module.ENGINE / file).write_text("changed")
    assert [COMPARISON] == comparisons()
    assert comparison_count == len(recording_names)


def test_cached_comparisons_equal_fresh_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    redirect_cache(tmp_path / "cache", monkeypatch)
    expected = [comparison(name) for name in recordings()]
    for _ in range(2):
        comparisons.cache_clear()
        assert expected == comparisons()
