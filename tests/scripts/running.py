"""Run the modules of docs/assets in Node.js, so that tests can compare their results with the engine's.

The modules are copied into a folder, together with the data that publishing makes for them
and with `run.mjs`, which calls the functions of `functions.mjs` by name. The folder has a
`package.json`, without which Node.js would not load the files as ES modules.
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
from macros.publish.scripts import UNLISTED_MODULES

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent.relative_to(ROOT)
"""This folder, relative to the root of the repository."""

ASSETS = Path("docs", "assets")
"""The folder of the scripts, relative to the root of the repository."""

FLAGS = ("--max-semi-space-size=64",)
"""Room for short-lived objects, in MiB. With the default of 16, garbage collection takes a sixth of a long run."""


class ScriptError(Exception):
    """A function threw an error, or Node.js stopped."""


class Scripts:
    """A Node.js process with the modules of a folder, which keep their caches between calls."""

    def __init__(self, folder: Path) -> None:
        command = [node(), *FLAGS, HERE.joinpath("run.mjs").as_posix()]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function of `functions.mjs` and return its result. Arguments and result are sent as JSON.

        Raises:
            ScriptError: the function threw an error, or Node.js stopped.
        """
        assert self.process.stdin
        assert self.process.stdout
        with suppress(BrokenPipeError):  # if Node.js has stopped, the line that is read next is empty
            self.process.stdin.write(json.dumps([function, arguments]).encode() + b"\n")
            self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise ScriptError(f"Node.js stopped, with exit status {self.process.wait()}; its errors are above")
        answer = json.loads(line)
        if "thrown" in answer:
            raise ScriptError(f"{function}: {answer['thrown']}")
        return answer["returned"]


def node() -> str:
    """The path of Node.js. If it is not installed, the calling test is skipped, or fails in CI."""
    path = shutil.which("node")
    if path is None:
        skip_or_fail = pytest.fail if os.environ.get("CI") else pytest.skip
        skip_or_fail("the site's scripts run in Node.js; install it to run this test")
    return path


def copy_modules(folder: Path) -> None:
    """Fill `folder` with everything that `Scripts` needs."""
    sources = (*(ROOT / ASSETS).rglob("*.js"), *(ROOT / HERE).glob("*.mjs"))
    files: dict[Path, str | bytes] = {path.relative_to(ROOT): path.read_bytes() for path in sources}
    # Data that pages fetch on demand is left out: only a browser needs it.
    data = {address: make for address, make in makers() if address.endswith(".js") and address not in UNLISTED_MODULES}
    files |= {Path("docs", address): make() for address, make in data.items()}
    files[Path("package.json")] = '{ "type": "module" }'
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def running(folder: Path) -> Iterator[Scripts]:
    """A process with the modules of `folder`, ended on exit."""
    scripts = Scripts(folder)
    with scripts.process:
        try:
            yield scripts
        finally:
            assert scripts.process.stdin
            with suppress(BrokenPipeError):
                scripts.process.stdin.close()  # ends the process


@contextmanager
def with_faulty_data(folder: Path, original: str, replacement: str, name: str = "table.js") -> Iterator[Scripts]:
    """A process with faulty data: in the file `name`, `replacement` replaces the code `original`."""
    with TemporaryDirectory() as target:
        faulty_folder = Path(shutil.copytree(folder, target, dirs_exist_ok=True))
        data_file = faulty_folder / "docs" / "data" / name
        code = data_file.read_text(encoding="utf-8")
        assert original in code
        data_file.write_text(code.replace(original, replacement), encoding="utf-8")
        with running(faulty_folder) as scripts:
            yield scripts
