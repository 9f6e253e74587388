"""A hundred thousand odd inputs: whatever is given, the answer is a count or one line that says why not.

All of them take a minute, so they run once a week, with LONG_FUZZ=1. Every other
run takes the first tenth of each kind.
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
from macros.counting.process import BAD
from tests.counting.odd_inputs import argument_lists, files, mappings
from tests.counting.sizes import SIZES
from tests.samples import taken

MAPPINGS, FILES, COMMANDS = 55_000, 25_000, 20_000
"""How many inputs of each kind there are; the first are the same however many are taken."""


LONGEST = 10.0
"""Seconds for one input. Each takes about a thousandth of one; a slow machine is not a hang."""

MOST_MEMORY = 32 * 2**20
"""Bytes allocated at once for one input; the longest input made up here has about 50,000."""

MEASURED = 50
"""One input in so many is run under tracemalloc, which is slow."""


class Hung(BaseException):
    """An input took too long; no `except Exception` and no `except OSError` can swallow it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises `Hung` within the block once so many seconds have passed."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def measured() -> Iterator[Callable[[], int]]:
    """Gives a function that returns the most bytes allocated at once since the block began."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def fault(check: Callable[[Any], str], given: Any, seconds: float = LONGEST) -> str:
    """What is wrong with how `check` took one input, in words; "" if nothing is."""
    try:
        with limited(seconds):
            return check(given)
    except Hung:
        return f"took longer than {seconds} seconds"
    except BaseException as error:
        return f"raised {type(error).__name__}: {str(error)[:100]}"


def faults(check: Callable[[Any], str], inputs: Iterable[Any], seconds: float = LONGEST) -> list[str]:
    """Everything wrong with how `check` took the inputs, each with the start of the input."""
    found = []
    for number, given in enumerate(inputs):
        if number % MEASURED:
            wrong = fault(check, given, seconds)
        else:
            with measured() as most:
                wrong = fault(check, given, seconds) or f"took {most()} bytes" * (most() > MOST_MEMORY)
        if wrong:
            found.append(f"input {number}: {wrong}, given {shortened(given)}")
    return found


def shortened(given: Any) -> str:
    """The start of an input as Python writes it, unless that is too deep to write."""
    try:
        return repr(given)[:300]
    except (RecursionError, ValueError):
        return f"a {type(given).__name__} too deep or too long to write"


def refused_well(read: Callable[[Any], Model]) -> Callable[[Any], str]:
    """A check of a reader: it gives a model that can be counted, or refuses in one line."""

    def check(given: Any) -> str:
        try:
            total = count(read(given))
        except CountingError as error:
            return "" if len(str(error).splitlines()) == 1 else f"says {str(error)!r}"
        return "" if total > 0 else f"counted {total}"

    return check


def reading(folder: Path, read: Callable[[Path], Model] = read_config) -> Callable[[bytes], Model]:
    """A reader of bytes: they are written to a file, and the file is read."""
    path = folder / "config.json"

    def read_bytes(content: bytes) -> Model:
        # A new file each time: some file systems write one that is cut to nothing to the disk at once.
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        return read(path)

    return read_bytes


def said(command: Callable[[list[str]], int | None], arguments: list[str]) -> tuple[int | str | None, str, str]:
    """What a command line returns and prints: its status, standard output, standard error."""
    # As Python sets them up in a UTF-8 locale: half a surrogate pair is an error in the first, not in the second.
    out = io.TextIOWrapper(printed := io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(complained := io.BytesIO(), "utf-8", errors="backslashreplace")
    status: int | str | None
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = command(arguments)
        except SystemExit as end:  # how argparse ends after --help
            status = end.code
    out.flush()
    err.flush()
    return status, printed.getvalue().decode(), complained.getvalue().decode()


def spoken_well(command: Callable[[list[str]], int | None]) -> Callable[[list[str]], str]:
    """A check of a command line: status 0, or 2 with one line on standard error and no more."""

    def check(arguments: list[str]) -> str:
        status, out, err = said(command, arguments)
        counted = status == 0 and out and not err
        refused = status == BAD and not out and len(err.splitlines()) == 1
        return "" if counted or refused else f"status {status}, {out[:80]!r} and {err[:200]!r}"

    return check


def example_paths(folder: Path) -> list[str]:
    """Files good and bad, a folder, and names of nothing."""
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
        with suppress(OSError):  # not every file system takes every name
            (folder / name).write_text(text)
    return [str(folder / name) for name in [*contents, "folder.json", "nosuch.json", "", "\0.json", "x" * 300]]


def read_mapping(config: Any) -> Model:
    """The reader of parsed configs, with a name for its errors."""
    return model_of_config("config.json", config)


def test_odd_mappings() -> None:
    """55,000 of the hundred thousand: mappings for `model_of_config`, with wrong keys and wrong types.

    The next two tests have the rest: 25,000 files and 20,000 argument lists.
    """
    assert [] == faults(refused_well(read_mapping), mappings(taken(MAPPINGS), seed=1))[:5]


def test_odd_files(tmp_path: Path) -> None:
    """25,000 of the hundred thousand: files for `read_config`, from good ones to noise."""
    assert [] == faults(refused_well(reading(tmp_path)), files(taken(FILES), seed=2))[:5]


def test_odd_commands(tmp_path: Path) -> None:
    """20,000 of the hundred thousand: argument lists for `main`."""
    assert [] == faults(spoken_well(main), argument_lists(taken(COMMANDS), seed=3, paths=example_paths(tmp_path)))[:5]


def test_the_inputs_are_good_and_bad(tmp_path: Path) -> None:
    """Of each kind of input, at least a tenth is counted and a tenth refused."""
    paths = example_paths(tmp_path)
    for refused in (
        [is_refused(read_mapping, each) for each in mappings(1000, seed=1)],
        [is_refused(reading(tmp_path), each) for each in files(1000, seed=2)],
        [said(main, each)[0] == BAD for each in argument_lists(1000, 3, paths)],
    ):
        assert 100 <= sum(refused) <= 900


def is_refused(read: Callable[[Any], Model], given: Any) -> bool:
    """Whether a reader refuses an input."""
    try:
        read(given)
    except CountingError:
        return True
    return False


def takes_memory(_config: object) -> Model:
    """Allocates far more than a config is long."""
    return read_mapping({**SIZES, "other": bytearray(2 * MOST_MEMORY)})


@pytest.mark.parametrize(
    ("reader", "says"),
    [
        (lambda config: read_mapping({**config, "hidden_size": config["hidden_size"]}), "raised KeyError"),
        (lambda _config: time.sleep(1), "took longer than"),
        (takes_memory, "bytes, given"),
    ],
)
def test_a_broken_reader_is_found(reader: Callable[[Any], Model], says: str) -> None:
    """What is not a count or one line of refusal is noticed, and so is what takes long or much."""
    number, seconds = (1, 0.5) if says.endswith(("than", "given")) else (300, LONGEST)
    assert any(says in each for each in faults(refused_well(reader), mappings(number, seed=1), seconds))


@pytest.mark.parametrize(("out", "err", "status"), [("total", "warning", 0), ("", "BadConfig:\nno", 2)])
def test_a_broken_command_is_found(out: str, err: str, status: int) -> None:
    """A warning beside a total, and a complaint of two lines."""

    def command(_arguments: list[str]) -> int:
        print(out, end="")
        print(err, end="", file=sys.stderr)
        return status

    assert spoken_well(command)([])
