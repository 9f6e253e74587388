"""CI runs the tests of a file backwards, so that a test that depends on another one fails."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import pytest_collection_modifyitems, pytest_report_header
from tests.docs.building import ROOT


class CollectedTest(NamedTuple):
    """A test as collected by pytest, with only the attributes on which its order depends."""

    path: Path
    name: str


TESTS = [
    ("teaching/test_pages.py", "one"),
    ("teaching/test_pages.py", "two"),
    ("docs/test_pages.py", "first"),
    ("docs/test_pages.py", "second"),
]
"""Tests in their written order, each with its file and its name."""


def names_in_order() -> list[str]:
    """The names of `TESTS` in the order in which they run."""
    items: list[Any] = [CollectedTest(Path(file), name) for file, name in TESTS]
    pytest_collection_modifyitems(items)
    return [item.name for item in items]


def test_ci_runs_the_tests_of_a_file_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exception is `docs/test_pages.py`, which would have to open every page again.

    In CI's second browser, and outside CI, tests run in their written order.
    """
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv("CHROME_PATH", raising=False)
    assert ["first", "second", "two", "one"] == names_in_order()
    assert "from the last to the first" in pytest_report_header()
    monkeypatch.setenv("CHROME_PATH", "/usr/bin/chromium")
    assert ["first", "second", "one", "two"] == names_in_order()
    monkeypatch.delenv("CHROME_PATH")
    monkeypatch.delenv("CI")
    assert ["first", "second", "one", "two"] == names_in_order()
    assert "as they are written" in pytest_report_header()


DEPENDENT_TESTS = """
calls = []

def test_sets():
    calls.append(1)

def test_needs():
    assert calls
"""
"""A file of two tests; the second depends on the first."""


def test_a_test_that_depends_on_another_fails_if_run_backwards(tmp_path: Path) -> None:
    """In their written order, both tests pass."""
    (tmp_path / "test_a.py").write_text(DEPENDENT_TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", os.devnull]
    for ci, summary in (("", "2 passed"), ("true", "1 failed, 1 passed")):
        environment = {**os.environ, "CI": ci, "CHROME_PATH": "", "PYTHONPATH": str(ROOT)}
        process = subprocess.run(
            [*command, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
        )
        assert summary in process.stdout, process.stdout + process.stderr
