"""The modules of docs/assets, run by Node.js without a browser: Python says what the engine has for the same.

A copy of the modules stands in a folder with the data that publishing makes
for them, and with `run.mjs`, which calls the functions of `functions.mjs`. The
copy lies in a package of ES modules, which the site is not.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from macros.publish import makers
from macros.publish.scripts import LEVELS

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent.relative_to(ROOT)
ASSETS = Path("docs", "assets")


class ScriptError(Exception):
    """A function threw an error, or Node.js stopped."""


class Scripts:
    """A process of Node.js that has the modules of a folder, and keeps what they have worked out."""

    def __init__(self, folder: Path) -> None:
        command = [node(), HERE.joinpath("run.mjs").as_posix()]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, function: str, *given: Any) -> Any:
        """What a function of `functions.mjs` returns; all goes there and back as JSON.

        Raises:
            ScriptError: it threw an error, or Node.js stopped.
        """
        assert self.process.stdin
        assert self.process.stdout
        with suppress(BrokenPipeError):  # where Node.js has stopped, there is nothing to read either
            self.process.stdin.write(json.dumps([function, given]).encode() + b"\n")
            self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise ScriptError(f"Node.js stopped, with exit status {self.process.wait()}; its last words are above")
        answer = json.loads(line)
        if "thrown" in answer:
            raise ScriptError(f"{function}: {answer['thrown']}")
        return answer["returned"]


def node() -> str:
    """Where Node.js is; a test that needs it is skipped where it is missing, and in CI fails."""
    found = shutil.which("node")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("the scripts of the site are run by Node.js: install it")
    return found


def copy_modules(folder: Path) -> None:
    """Fill a folder with all that `Scripts` needs."""
    sources = (*(ROOT / ASSETS).rglob("*.js"), *(ROOT / HERE).glob("*.mjs"))
    files: dict[Path, str | bytes] = {path.relative_to(ROOT): path.read_bytes() for path in sources}
    # Of the data for scripts, only the map needs the levels of all models, and the map needs a browser.
    made = {address: make for address, make in makers() if address.endswith(".js") and address != LEVELS}
    files |= {Path("docs", address): make() for address, make in made.items()}
    files[Path("package.json")] = '{ "type": "module" }'
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def running(folder: Path) -> Iterator[Scripts]:
    """A process that has the modules of a folder."""
    scripts = Scripts(folder)
    with scripts.process:
        try:
            yield scripts
        finally:
            assert scripts.process.stdin
            with suppress(BrokenPipeError):
                scripts.process.stdin.close()  # which ends it


@contextmanager
def with_another_table(folder: Path, right: str, wrong: str) -> Iterator[Scripts]:
    """A process whose modules count with a table in which something is wrong."""
    with TemporaryDirectory() as target:
        copy = Path(shutil.copytree(folder, target, dirs_exist_ok=True))
        table = copy / "docs" / "data" / "table.js"
        code = table.read_text(encoding="utf-8")
        assert right in code
        table.write_text(code.replace(right, wrong), encoding="utf-8")
        with running(copy) as scripts:
            yield scripts
