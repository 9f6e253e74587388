"""The command line as a process: it ends with 0, or with 2 and one line, whatever is closed, full or interrupted."""

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
"""The command line, without arguments."""

MAX_SECONDS = 20
"""The seconds after which a process counts as hung; it normally takes a tenth of a second."""

TOTAL = "10,940"
"""The total of the sizes in most tests here; `test_config.py` works it out."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The path of a small config."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(SIZES))
    return path


def run(script: str, *arguments: str, command: Sequence[str] = COMMAND) -> subprocess.CompletedProcess[str]:
    """Run a script in bash; in the script, "$@" stands for the command with its arguments."""
    call = ["bash", "-c", script, "bash", *command, *arguments]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False, timeout=MAX_SECONDS)


def faults(process: subprocess.CompletedProcess[str]) -> list[str]:
    """The faults in how a process has ended: another status, a traceback, or more than one line."""
    lines = process.stderr.splitlines()
    messages = [f"status {process.returncode}"] * (process.returncode not in (0, BAD))
    messages += [f"{len(lines)} lines"] * (len(lines) > 1 or (bool(lines) and process.returncode == 0))
    return messages + ["traceback"] * ("Traceback" in process.stderr)


@pytest.mark.parametrize(
    ("script", "argument"),
    [('cat "$CONFIG" | "$@"', "-"), ('"$@" < "$CONFIG"', "/dev/stdin"), ('"$@" <(cat "$CONFIG")', "")],
    ids=["a pipe", "standard input", "process substitution"],
)
def test_open_streams_are_read(config: Path, monkeypatch: pytest.MonkeyPatch, script: str, argument: str) -> None:
    """A config is read from standard input, by both of its names, and from a process substitution."""
    monkeypatch.setenv("CONFIG", str(config))
    process = run(script, *filter(None, [argument]))
    assert (0, "") == (process.returncode, process.stderr)
    assert TOTAL == process.stdout.split()[-1]


@pytest.mark.parametrize(
    ("script", "argument", "says"),
    [
        ('mkfifo "$FOLDER/pipe"; "$@" "$FOLDER/pipe"', "", "it is a pipe or a device; - reads standard input"),
        ('"$@"', "/dev/zero", "it is a pipe or a device; - reads standard input"),
        ('"$@" < /dev/zero', "-", "is larger than 4194304 bytes"),
        ('"$@" < /dev/null', "-", "it is empty; give a config.json"),
        ('"$@" <&-', "-", "Bad file descriptor"),
    ],
    ids=["a named pipe", "a device", "endless input", "empty input", "closed input"],
)
def test_what_is_not_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, argument: str, says: str
) -> None:
    """A pipe to which nobody writes, a device, and endless, empty or closed input are refused at once."""
    monkeypatch.setenv("FOLDER", str(tmp_path))
    process = run(script, *filter(None, [argument]))
    assert (BAD, "", []) == (process.returncode, process.stdout, faults(process))
    assert says in process.stderr


@pytest.mark.parametrize(
    ("script", "arguments", "says"),
    [
        ('"$@" >&-', ["bert-base-uncased"], "CannotPrint: standard output cannot be written (it is closed)"),
        ('"$@" > /dev/full', ["bert-base-uncased"], "CannotPrint: standard output cannot be written (No space left"),
        ('"$@" 2>&-', ["no-such-model"], ""),
        ('"$@" >&- 2>&-', ["bert-base-uncased"], ""),
    ],
)
def test_output_that_cannot_be_written_is_reported(script: str, arguments: list[str], says: str) -> None:
    """If output cannot be written, the status says so, and so does a line if standard error is open."""
    process = run(script, *arguments)
    assert (BAD, "", []) == (process.returncode, process.stdout, faults(process))
    assert process.stderr.startswith(says)
    assert bool(says) == bool(process.stderr)


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"], ["--help"]], ids=" ".join)
def test_a_closed_pipe_is_no_error(form: list[str]) -> None:
    """A program such as `head` closes the pipe once it has read enough; standard error may be closed, too."""
    process = run('"$@" 2>&- | :; exit "${PIPESTATUS[0]}"', "bert-large-uncased", *form)
    assert (0, "", "") == (process.returncode, process.stdout, process.stderr)


@pytest.fixture
def deep(tmp_path: Path) -> str:
    """The path of a config whose listing is far longer than the buffer of a pipe."""
    path = tmp_path / "deep.json"
    path.write_text(json.dumps({**SIZES, "num_hidden_layers": 10_000}))
    return str(path)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let processes react to an interrupt, as in a terminal.

    A shell lets its background processes ignore interrupts, and they hand that on.
    """
    previous_handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous_handler)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_printing_ends_in_one_line(deep: str) -> None:
    """An interrupt ends a process in one line even while it waits for the reader of its output."""
    command = [*COMMAND, deep, "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # wait until the first line is printed
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=MAX_SECONDS)
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
def test_an_error_of_the_system_names_its_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, name: str | None, says: str
) -> None:
    """An error of the system names what it is about: memory, a file of the engine, or the output."""
    monkeypatch.setattr(
        "macros.counting.__main__.run", function_that_raises(OSError(number, os.strerror(number), name))
    )
    assert BAD == main(["bert-base-uncased"])
    assert capsys.readouterr().err.startswith(says)


def function_that_raises(error: Exception) -> Callable[..., str]:
    """A function that takes the arguments of `run` and raises an error."""

    def raises(_: object, name: str) -> str:
        """Raise the error; `name` is the name of the program, which `run` needs for its help."""
        assert name
        raise error

    return raises
