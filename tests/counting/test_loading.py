"""What is loaded when: the command line answers for what goes wrong in loading, and reads no more than it needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from macros.counting.__main__ import main
from tests.counting.test_config import SIZES

ROOT = Path(__file__).parents[2]

LOADED = """
import os, sys
before = set(sys.modules)
{}
print(*sorted(set(sys.modules) - before - set(sys.builtin_module_names)))
"""
"""Runs a line in a fresh Python, with what it loads to start and no more, and prints what that line loaded.

What is built in is part of Python itself, and some versions begin with more of it.
"""

STARTED = ["__future__", "macros", "macros.counting", "macros.counting.__main__", "macros.counting.process"]


def loaded(line: str) -> list[str]:
    """The modules that a line loads."""
    command = [sys.executable, "-S", "-c", LOADED.format(line)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import macros.counting", ["macros", "macros.counting"]),
        ("import macros.counting.__main__", STARTED),
    ],
)
def test_loading_loads_nothing_else(line: str, expected: list[str]) -> None:
    """So there is nothing yet that could fail: neither the engine nor a module of Python's that takes memory."""
    assert expected == loaded(line)


ONLY_FOR = {
    "a published model": ["tomllib"],
    "--json": ["macros.counting.frameworks.listing"],
    "--csv": ["macros.counting.frameworks.listing", "csv"],
    "a wrong name": ["difflib"],
    "a deviation": ["macros.counting.disagreements.bridges", "macros.counting.frameworks.recordings"],
}
"""What a plain count of a config.json does without, by what it is there for."""


def test_a_plain_count_loads_little(tmp_path: Path) -> None:
    """A command is slow to start where it loads what it does not need."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(SIZES))
    found = loaded(f"from macros.counting.__main__ import main; main([{str(path)!r}])")
    assert "macros.counting.command_line" in found
    needless = {why: set(names) & set(found) for why, names in ONLY_FOR.items()}
    assert {} == {why: names for why, names in needless.items() if names}
    with_names = loaded('from macros.counting.__main__ import main; main(["bert-bsae", "--csv"])')
    assert {"tomllib", "difflib"} <= set(with_names)


def test_an_engine_that_is_incomplete_is_not_a_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that is not there is a fault of the installation, and says so; one that cannot be mapped has no room."""
    monkeypatch.setitem(sys.modules, "macros.counting.command_line", None)
    with pytest.raises(ModuleNotFoundError):
        main(["bert-base-uncased"])
