"""The command line as a process: status 0, or 2 and one line, whatever is closed, full, slow or interrupted."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from macros.counting.__main__ import main
from macros.counting.process import BAD
from tests.counting.sizes import SIZES

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "macros.counting"]
LONGEST = 20
"""Seconds; each takes a tenth of one, and one that waits for ever is to be noticed."""

TOTAL = "10,940"
"""Of the sizes that most tests here give; `test_config.py` works it out."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A small config."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(SIZES))
    return path


def ran(script: str, *arguments: str, command: Sequence[str] = COMMAND) -> subprocess.CompletedProcess[str]:
    """What bash does with a script in which "$@" is the command with its arguments."""
    whole = ["bash", "-c", script, "bash", *command, *arguments]
    return subprocess.run(whole, cwd=ROOT, capture_output=True, text=True, check=False, timeout=LONGEST)


def faults(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What is wrong with how a process ended: its status, a traceback, or more lines than one."""
    lines = done.stderr.splitlines()
    wrong = [f"status {done.returncode}"] * (done.returncode not in (0, BAD))
    wrong += [f"{len(lines)} lines"] * (len(lines) > 1 or (bool(lines) and done.returncode == 0))
    return wrong + ["traceback"] * ("Traceback" in done.stderr)


@pytest.mark.parametrize(
    ("script", "argument"),
    [('cat "$CONFIG" | "$@"', "-"), ('"$@" < "$CONFIG"', "/dev/stdin"), ('"$@" <(cat "$CONFIG")', "")],
    ids=["a pipe", "standard input", "process substitution"],
)
def test_what_is_open_already_is_read(
    config: Path, monkeypatch: pytest.MonkeyPatch, script: str, argument: str
) -> None:
    """Standard input under both of its names, and what a shell passes as a file."""
    monkeypatch.setenv("CONFIG", str(config))
    done = ran(script, *filter(None, [argument]))
    assert (0, "") == (done.returncode, done.stderr)
    assert TOTAL == done.stdout.split()[-1]


@pytest.mark.parametrize(
    ("script", "argument", "says"),
    [
        ('mkfifo "$FOLDER/pipe"; "$@" "$FOLDER/pipe"', "", "it is a pipe or a device; - reads standard input"),
        ('"$@"', "/dev/zero", "it is a pipe or a device; - reads standard input"),
        ('"$@" < /dev/zero', "-", "is larger than 4194304 bytes"),
        ('"$@" < /dev/null', "-", "cannot be read as JSON"),
        ('"$@" <&-', "-", "Bad file descriptor"),
    ],
    ids=["a pipe with a name", "a device", "no end", "nothing", "closed input"],
)
def test_what_is_no_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, argument: str, says: str
) -> None:
    """At once: a pipe that nobody writes to is not waited for, and a device without end is not read to it."""
    monkeypatch.setenv("FOLDER", str(tmp_path))
    done = ran(script, *filter(None, [argument]))
    assert (BAD, "", []) == (done.returncode, done.stdout, faults(done))
    assert says in done.stderr


@pytest.mark.parametrize(
    ("script", "arguments", "says"),
    [
        ('"$@" >&-', ["bert-base-uncased"], "CannotPrint: standard output cannot be written (it is closed)"),
        ('"$@" > /dev/full', ["bert-base-uncased"], "CannotPrint: standard output cannot be written (No space left"),
        ('"$@" 2>&-', ["no-such-model"], ""),
        ('"$@" >&- 2>&-', ["bert-base-uncased"], ""),
    ],
)
def test_what_cannot_be_printed(script: str, arguments: list[str], says: str) -> None:
    """The status says so, and a line where one can be written; never is an error printed among the output."""
    done = ran(script, *arguments)
    assert (BAD, "", []) == (done.returncode, done.stdout, faults(done))
    assert done.stderr.startswith(says)
    assert bool(says) == bool(done.stderr)


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"], ["--help"]], ids=" ".join)
def test_a_reader_who_has_seen_enough(form: list[str]) -> None:
    """Whoever closes the pipe, as `head` does, has what they wanted: that is no error, and nothing is said of it.

    Where nothing needs to be said, a closed standard error is not missed.
    """
    done = ran('"$@" 2>&- | :; exit "${PIPESTATUS[0]}"', "bert-large-uncased", *form)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@pytest.fixture
def deep(tmp_path: Path) -> str:
    """A config of far more layers than a pipe holds before it makes the writer wait."""
    path = tmp_path / "deep.json"
    path.write_text(json.dumps({**SIZES, "num_hidden_layers": 10_000}))
    return str(path)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let processes begin as a terminal starts them.

    What a shell puts in the background ignores interruptions, and hands that on.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_while_it_prints(deep: str) -> None:
    """It ends with one line while nobody reads on; a line was read first, so that Python is up and counting."""
    command = [*COMMAND, deep, "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=LONGEST)
    assert (BAD, 1) == (process.returncode, len(complaint.splitlines()))
    assert complaint.startswith("Interrupted: stopped before it was finished")


@pytest.mark.parametrize(
    ("number", "name", "says"),
    [
        (errno.ENOMEM, None, "TooLittleMemory: "),
        (errno.ENOSPC, None, "CannotPrint: standard output cannot be written (No space left on device)"),
        (errno.ENOENT, "models.toml", "CannotRead: models.toml cannot be read (No such file or directory); make it"),
        (errno.EMFILE, "models.toml", "CannotRead: models.toml cannot be read (Too many open files)"),
    ],
)
def test_what_the_system_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, name: str | None, says: str
) -> None:
    """Room in memory, a file of the engine's own, or a place to print."""
    monkeypatch.setattr("macros.counting.__main__.run", raising(OSError(number, os.strerror(number), name)))
    assert BAD == main(["bert-base-uncased"])
    assert capsys.readouterr().err.startswith(says)


def raising(error: Exception) -> Callable[[object], str]:
    """A function of one argument that raises this."""

    def raises(_: object) -> str:
        raise error

    return raises
