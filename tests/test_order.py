"""Tests of the order in which tests run: backwards within a file in CI, so that a test that needs another is found."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import pytest_collection_modifyitems, pytest_report_header
from tests.docs.building import ROOT


class CollectedTest(NamedTuple):
    """A test as pytest collects it, reduced to the attributes that its order depends on."""

    path: Path
    name: str


TESTS = [("test_a.py", "one"), ("test_a.py", "two"), ("test_pages.py", "first"), ("test_pages.py", "second")]


def order() -> list[str]:
    """The names of some tests in the order in which they run."""
    items: list[Any] = [CollectedTest(Path(file), name) for file, name in TESTS]
    pytest_collection_modifyitems(items)
    return [item.name for item in items]


def test_ci_runs_the_tests_of_a_file_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """CI runs the tests of a file backwards, except those of a file that would open its pages anew.

    In CI's second browser, and elsewhere, tests run as they are written.
    """
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
calls = []

def test_sets():
    calls.append(1)

def test_needs():
    assert calls
"""


def test_a_test_that_needs_another_fails_backwards(tmp_path: Path) -> None:
    """A test that depends on an earlier test passes in the written order and fails backwards, so CI finds it."""
    (tmp_path / "test_a.py").write_text(NEEDS_ANOTHER)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", os.devnull]
    for backwards, summary in (("", "2 passed"), ("true", "1 failed, 1 passed")):
        environment = {**os.environ, "CI": backwards, "CHROME_PATH": "", "PYTHONPATH": str(ROOT)}
        process = subprocess.run(
            [*command, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
        )
        assert summary in process.stdout, process.stdout + process.stderr
