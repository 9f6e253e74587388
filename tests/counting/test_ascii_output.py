"""The command line escapes non-ASCII characters if its standard output accepts only ASCII."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def output_of(encoding: str, *arguments: str) -> bytes:
    """The standard output of the command line in `encoding`."""
    command = [sys.executable, "-m", "macros.counting", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout


@pytest.mark.parametrize("options", [(), ("--change", "vocabulary:30000")])
def test_characters_beyond_ascii_are_escaped(options: tuple[str, ...]) -> None:
    in_utf8 = output_of("utf-8", "bert-base-uncased", *options).decode()
    in_ascii = output_of("ascii", "bert-base-uncased", *options)
    assert not in_utf8.isascii()
    assert in_utf8.encode("ascii", "backslashreplace") == in_ascii
    assert in_utf8 == in_ascii.decode("unicode_escape")
