"""A hundred thousand odd inputs are each counted, or refused with a reason in one line.

The full set takes a minute and runs once a week, with LONG_FUZZ=1. Every other run takes the first tenth of each kind.
"""

import io
import json
import signal
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from macros.counting import CountingError, Model, count, model_of_config, read_config
from macros.counting.__main__ import main
from macros.counting.process import FAILURE, PARTIAL_FAILURE
from tests.counting.odd_inputs import odd_argument_lists, odd_file_contents, odd_mappings
from tests.counting.sizes import SIZES
from tests.samples import sample_size

# A short run takes the first inputs of a long run.

MAPPING_COUNT = 55_000
"""The number of odd mappings to read."""

FILE_COUNT = 25_000
"""The number of odd files to read."""

COMMAND_COUNT = 20_000
"""The number of odd commands to run."""

MAX_SECONDS = 10.0
"""Seconds after which an input counts as hung. It usually takes about a millisecond, but some machines are slow."""

MAX_MEMORY = 32 * 2**20
"""Maximum number of bytes allocated at once for one input."""

MEMORY_EVERY = 50
"""Memory is measured for one input out of this many, because tracemalloc is slow."""


class TimeLimitExceeded(BaseException):
    """An input took too long. This is not an `Exception`, so that no handler in the engine can swallow it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitExceeded` in the block after `seconds`."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        """Raise `TimeLimitExceeded` when the timer fires."""
        raise TimeLimitExceeded

    previous_handler = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)


@contextmanager
def peak_memory() -> Iterator[Callable[[], int]]:
    """Yield a function that returns the peak number of bytes allocated since the block began."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def fault(check: Callable[[Any], str], value: Any, seconds: float = MAX_SECONDS) -> str:
    """The fault that `check` finds with one input, or the error that it raises; empty if there is none."""
    try:
        with time_limit(seconds):
            return check(value)
    except TimeLimitExceeded:
        return f"took longer than {seconds} seconds"
    except BaseException as error:
        return f"raised {type(error).__name__}: {str(error)[:100]}"


def faults(check: Callable[[Any], str], inputs: Iterable[Any], seconds: float = MAX_SECONDS) -> list[str]:
    """The faults that `check` finds, each with the start of the input that causes it."""
    messages = []
    for number, value in enumerate(inputs):
        if number % MEMORY_EVERY:
            message = fault(check, value, seconds)
        else:
            with peak_memory() as peak:
                message = fault(check, value, seconds)
                bytes_at_peak = peak()
            if not message and bytes_at_peak > MAX_MEMORY:
                message = f"took {bytes_at_peak} bytes"
        if message:
            messages.append(f"input {number}: {message}, given {start_of(value)}")
    return messages


def start_of(value: Any) -> str:
    """The start of an input's `repr`, or its type if Python cannot write it."""
    try:
        return repr(value)[:300]
    except (RecursionError, ValueError):
        return f"a {type(value).__name__} too deep or too long to write"


def check_of_reader(read: Callable[[Any], Model]) -> Callable[[Any], str]:
    """Return a check that `read` returns a model that can be counted, or refuses its input in one line."""

    def check(value: Any) -> str:
        """The fault in how `read` handles one input; empty if there is none."""
        try:
            total = count(read(value))
        except CountingError as error:
            return "" if len(str(error).splitlines()) == 1 else f"says {str(error)!r}"
        return "" if total > 0 else f"counted {total}"

    return check


def reader_of_bytes(folder: Path, read: Callable[[Path], Model] = read_config) -> Callable[[bytes], Model]:
    """Return a reader of bytes that writes them to a file and calls `read` on it."""
    path = folder / "config.json"

    def read_bytes(content: bytes) -> Model:
        """The model that `read` returns for a file with this content."""
        # Truncating an existing file is slow on file systems that then flush it to disk.
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        return read(path)

    return read_bytes


def run(command: Callable[[list[str]], int | None], arguments: list[str]) -> tuple[int | str | None, str, str]:
    """Run a command line and return its status, standard output and standard error."""
    # As in a UTF-8 locale, a lone surrogate is an error on standard output but is escaped on standard error.
    out_bytes = io.BytesIO()
    err_bytes = io.BytesIO()
    out = io.TextIOWrapper(out_bytes, "utf-8")
    err = io.TextIOWrapper(err_bytes, "utf-8", errors="backslashreplace")
    status: int | str | None
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = command(arguments)
        except SystemExit as end:  # argparse exits after --help
            status = end.code
    out.flush()
    err.flush()
    return status, out_bytes.getvalue().decode(), err_bytes.getvalue().decode()


def check_of_command(command: Callable[[list[str]], int | None]) -> Callable[[list[str]], str]:
    """Return a check that a command line ends with status 0, or with status 2 and a single line on standard error.

    With `--csv`, standard error may also have notes. If only some models are refused, the status is 1, with a line
    for each of them.
    """

    def check(arguments: list[str]) -> str:
        """The fault in how the command handles one list of arguments; empty if there is none."""
        status, out, err = run(command, arguments)
        complaints = [line for line in err.splitlines() if "--csv" not in arguments or not line.startswith("note: ")]
        is_count = (status == 0 and out and not complaints) or (
            status == PARTIAL_FAILURE and 0 < len(complaints) <= len(arguments)
        )
        is_refusal = status == FAILURE and not out and len(err.splitlines()) == 1
        return "" if is_count or is_refusal else f"status {status}, {out[:80]!r} and {err[:200]!r}"

    return check


def example_paths(folder: Path) -> list[str]:
    """Write good and bad files and a folder; return their paths, and some paths that do not exist."""
    (folder / "folder.json").mkdir()
    contents = {
        "good.json": json.dumps(SIZES),
        "decoder.json": json.dumps({**SIZES, "is_decoder": True, "add_cross_attention": True}),
        "empty.json": json.dumps({**SIZES, "num_hidden_layers": 0}),
        "deep.json": json.dumps({**SIZES, "num_hidden_layers": 2**62}),
        "no_extension": json.dumps({**SIZES, "num_labels": 3}),
        "bad.json": json.dumps({**SIZES, "hidden_size": 21}),
        "not.json": "{",
        "new\nline.json": json.dumps(SIZES),
        "\udcff.json": json.dumps(SIZES),
        "é 🤗.json": json.dumps(SIZES),
    }
    for name, text in contents.items():
        with suppress(OSError):  # some file systems do not allow some of these names
            (folder / name).write_text(text)
    return [str(folder / name) for name in [*contents, "folder.json", "nosuch.json", "", "\0.json", "x" * 300]]


def read_mapping(config: Any) -> Model:
    """The model of a parsed config; errors name the file `config.json`."""
    return model_of_config("config.json", config)


def test_odd_mappings_are_counted_or_refused_in_one_line() -> None:
    assert [] == faults(check_of_reader(read_mapping), odd_mappings(sample_size(MAPPING_COUNT), seed=1))[:5]


def test_odd_files_are_counted_or_refused_in_one_line(tmp_path: Path) -> None:
    assert (
        [] == faults(check_of_reader(reader_of_bytes(tmp_path)), odd_file_contents(sample_size(FILE_COUNT), seed=2))[:5]
    )


def test_odd_commands_are_answered_or_refused_in_one_line(tmp_path: Path) -> None:
    inputs = odd_argument_lists(sample_size(COMMAND_COUNT), seed=3, paths=example_paths(tmp_path))
    assert [] == faults(check_of_command(main), inputs)[:5]


def test_at_least_a_tenth_of_each_kind_is_refused_and_a_tenth_is_not(tmp_path: Path) -> None:
    paths = example_paths(tmp_path)
    for refusals in (
        [is_refused(read_mapping, config) for config in odd_mappings(1000, seed=1)],
        [is_refused(reader_of_bytes(tmp_path), content) for content in odd_file_contents(1000, seed=2)],
        [run(main, arguments)[0] == FAILURE for arguments in odd_argument_lists(1000, 3, paths)],
    ):
        assert 100 <= sum(refusals) <= 900


def is_refused(read: Callable[[Any], Model], value: Any) -> bool:
    """Return whether `read` refuses an input."""
    try:
        read(value)
    except CountingError:
        return True
    return False


def take_memory(_config: object) -> Model:
    """Read a config after allocating more memory than a reader may."""
    return read_mapping({**SIZES, "other": bytearray(2 * MAX_MEMORY)})


@pytest.mark.parametrize(
    ("reader", "number", "seconds", "fault_text"),
    [
        # Only some inputs cause an unexpected error, but the first one reveals a slow or greedy reader.
        (
            lambda config: read_mapping({**config, "hidden_size": config["hidden_size"]}),
            300,
            MAX_SECONDS,
            "raised KeyError",
        ),
        (lambda _config: time.sleep(1), 1, 0.5, "took longer than"),
        (take_memory, 1, MAX_SECONDS, "bytes, given"),
    ],
)
def test_a_broken_reader_is_noticed(
    reader: Callable[[Any], Model], number: int, seconds: float, fault_text: str
) -> None:
    messages = faults(check_of_reader(reader), odd_mappings(number, seed=1), seconds)
    assert any(fault_text in message for message in messages)


@pytest.mark.parametrize(("out", "err", "status"), [("total", "warning", 0), ("", "BadConfig:\nno", 2)])
def test_a_broken_command_is_noticed(out: str, err: str, status: int) -> None:
    def command(_arguments: list[str]) -> int:
        """A command line that prints the same text for any arguments."""
        print(out, end="")
        print(err, end="", file=sys.stderr)
        return status

    assert check_of_command(command)([])
