"""The command-line process ends with at most one line of error, even if streams are closed or it is interrupted."""

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
from macros.counting.process import FAILURE
from tests.counting.sizes import SIZES

ROOT = Path(__file__).parents[2]

COMMAND = [sys.executable, "-m", "macros.counting"]
"""The command line, without arguments."""

MAX_SECONDS = 20
"""Seconds after which a process counts as hung; it normally takes a tenth of a second."""

TOTAL = "10,940"
"""The total for the sizes of `SIZES`."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The path of a small config file."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(SIZES))
    return path


def run(script: str, *arguments: str, command: Sequence[str] = COMMAND) -> subprocess.CompletedProcess[str]:
    """Run `script` in bash, where "$@" is the command with its arguments."""
    call = ["bash", "-c", script, "bash", *command, *arguments]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False, timeout=MAX_SECONDS)


def faults(process: subprocess.CompletedProcess[str]) -> list[str]:
    """The faults in how a process ended: an unexpected status, a traceback, or too many lines on standard error."""
    lines = process.stderr.splitlines()
    conditions = {
        f"status {process.returncode}": process.returncode not in (0, FAILURE),
        f"{len(lines)} lines": len(lines) > (0 if process.returncode == 0 else 1),
        "traceback": "Traceback" in process.stderr,
    }
    return [fault for fault, is_true in conditions.items() if is_true]


@pytest.mark.parametrize(
    ("script", "argument"),
    [('cat "$CONFIG" | "$@"', "-"), ('"$@" < "$CONFIG"', "/dev/stdin"), ('"$@" <(cat "$CONFIG")', "")],
    ids=["a pipe", "standard input", "process substitution"],
)
def test_open_streams_are_read(config: Path, monkeypatch: pytest.MonkeyPatch, script: str, argument: str) -> None:
    monkeypatch.setenv("CONFIG", str(config))
    process = run(script, *filter(None, [argument]))
    assert (0, "") == (process.returncode, process.stderr)
    assert TOTAL == process.stdout.split()[-1]


@pytest.mark.parametrize(
    ("script", "argument", "message"),
    [
        ('mkfifo "$FOLDER/pipe"; "$@" "$FOLDER/pipe"', "", "it is a pipe or a device; give - for standard input"),
        ('"$@"', "/dev/zero", "it is a pipe or a device; give - for standard input"),
        ('"$@" < /dev/zero', "-", "is larger than 4194304 bytes"),
        ('"$@" < /dev/null', "-", "it is empty; give a config.json"),
        ('"$@" <&-', "-", "Bad file descriptor"),
    ],
    ids=["a named pipe", "a device", "endless input", "empty input", "closed input"],
)
def test_input_that_is_not_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, argument: str, message: str
) -> None:
    monkeypatch.setenv("FOLDER", str(tmp_path))
    process = run(script, *filter(None, [argument]))
    assert (FAILURE, "", []) == (process.returncode, process.stdout, faults(process))
    assert message in process.stderr


@pytest.mark.parametrize(
    ("script", "arguments", "message"),
    [
        ('"$@" >&-', ["bert-base-uncased"], "CannotPrint: standard output cannot be written (it is closed)"),
        ('"$@" > /dev/full', ["bert-base-uncased"], "CannotPrint: standard output cannot be written (No space left"),
        ('"$@" 2>&-', ["no-such-model"], ""),
        ('"$@" >&- 2>&-', ["bert-base-uncased"], ""),
    ],
)
def test_output_that_cannot_be_written_is_reported(script: str, arguments: list[str], message: str) -> None:
    process = run(script, *arguments)
    assert (FAILURE, "", []) == (process.returncode, process.stdout, faults(process))
    assert process.stderr.startswith(message)
    assert bool(message) == bool(process.stderr)


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"], ["--help"]], ids=" ".join)
def test_a_closed_pipe_is_no_error(form: list[str]) -> None:
    """A program such as `head` may close the pipe once it has read enough."""
    process = run('"$@" 2>&- | :; exit "${PIPESTATUS[0]}"', "bert-large-uncased", *form)
    assert (0, "", "") == (process.returncode, process.stdout, process.stderr)


@pytest.fixture
def deep_config(tmp_path: Path) -> str:
    """The path of a config file whose listing is far longer than a pipe's buffer."""
    path = tmp_path / "deep.json"
    path.write_text(json.dumps({**SIZES, "num_hidden_layers": 10_000}))
    return str(path)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let child processes react to an interrupt, as in a terminal.

    Background processes of a shell ignore interrupts, and so do the processes that they start.
    """
    previous_handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous_handler)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_printing_ends_in_one_line(deep_config: str) -> None:
    command = [*COMMAND, deep_config, "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # wait until the first line is printed
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=MAX_SECONDS)
    assert (FAILURE, 1) == (process.returncode, len(complaint.splitlines()))
    assert complaint.startswith("Interrupted: stopped before it was finished")


@pytest.mark.parametrize(
    ("number", "name", "message"),
    [
        (errno.ENOMEM, None, "TooLittleMemory: "),
        (errno.ENOSPC, None, "CannotPrint: standard output cannot be written (No space left on device)"),
        (errno.ENOENT, "models.toml", "CannotRead: models.toml cannot be read (No such file or directory); make it"),
        (errno.EMFILE, "models.toml", "CannotRead: models.toml cannot be read (Too many open files)"),
    ],
)
def test_an_error_of_the_system_names_its_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, name: str | None, message: str
) -> None:
    monkeypatch.setattr(
        "macros.counting.__main__.run", function_that_raises(OSError(number, os.strerror(number), name))
    )
    assert FAILURE == main(["bert-base-uncased"])
    assert capsys.readouterr().err.startswith(message)


def function_that_raises(error: Exception) -> Callable[..., str]:
    """Return a function that takes the arguments of `run` and raises `error`."""

    def raises(_: object, name: str) -> str:
        """Raise `error`. `name` is the name of the program, which `run` shows in its help."""
        assert name
        raise error

    return raises
