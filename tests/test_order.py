"""In which order tests run: that none needs another before it is tried in CI, where each file runs backwards."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import pytest_collection_modifyitems, pytest_report_header
from tests.docs.building import ROOT


class Item(NamedTuple):
    """A test, as far as its order depends on it."""

    path: Path
    name: str


WRITTEN = [("test_a.py", "one"), ("test_a.py", "two"), ("test_pages.py", "first"), ("test_pages.py", "second")]


def order() -> list[str]:
    """The names of some tests in the order in which they run."""
    items: list[Any] = [Item(Path(file), name) for file, name in WRITTEN]
    pytest_collection_modifyitems(items)
    return [each.name for each in items]


def test_ci_runs_the_tests_of_a_file_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a file that opens its pages anew; in a second browser, and elsewhere, they run as they are written."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv("CHROME_PATH", raising=False)
    assert ["first", "second", "two", "one"] == order()
    assert "from the last to the first" in pytest_report_header()
    monkeypatch.setenv("CHROME_PATH", "/usr/bin/chromium")
    assert ["first", "second", "one", "two"] == order()
    monkeypatch.delenv("CHROME_PATH")
    monkeypatch.delenv("CI")
    assert ["first", "second", "one", "two"] == order()
    assert "as they are written" in pytest_report_header()


NEEDS_ANOTHER = """
kept = []

def test_sets():
    kept.append(1)

def test_needs():
    assert kept
"""


def test_a_test_that_needs_another_fails_backwards(tmp_path: Path) -> None:
    """Which is what the order is for: as it is written, the file passes."""
    (tmp_path / "test_a.py").write_text(NEEDS_ANOTHER)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", os.devnull]
    for backwards, passed in (("", "2 passed"), ("true", "1 failed, 1 passed")):
        environment = {**os.environ, "CI": backwards, "CHROME_PATH": "", "PYTHONPATH": str(ROOT)}
        done = subprocess.run([*command, str(tmp_path)], env=environment, capture_output=True, text=True, check=False)
        assert passed in done.stdout, done.stdout + done.stderr
