"""How the command line ends as a process: with status 0, or with `BAD` and one line on standard error.

It never ends with a traceback, whichever stream is closed or full, and however little memory is left.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from .errors import fit, label

BAD = 2
"""Exit status of every failure."""

TOO_LITTLE_MEMORY = "TooLittleMemory: there is not enough memory; allow this process more, such as 100 MB"


def standard_output() -> TextIO:
    """Standard output.

    Raises:
        OSError: it is closed.
    """
    # Python sets it to None if the process starts without it.
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdout


def status(run: Callable[[Sequence[str] | None], str], arguments: Sequence[str] | None) -> int:
    """Run a command line and return its exit status: 0, or `BAD` after one line on standard error.

    Args:
        run: prints what the arguments ask for, and returns one line about
            what is wrong, or an empty text.
        arguments: what `run` is given; None stands for those of the process.
    """
    try:
        complaint = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`) and has what they wanted.
        return 0
    except MemoryError:
        complaint = TOO_LITTLE_MEMORY
    except OSError as error:
        complaint = _refused(error)
    if complaint and sys.stderr is not None:
        # If standard error is full too, only the status is left. No flush: Python writes it line by line.
        with contextlib.suppress(OSError):
            print(fit(complaint), file=sys.stderr)
    return BAD if complaint else 0


def _refused(error: OSError) -> str:
    """The line about what the system refused: memory, a file that the error names, or else standard output."""
    if error.errno == errno.ENOMEM:
        return TOO_LITTLE_MEMORY
    if error.filename is not None:
        wrong, remedy = (
            f"CannotRead: {label(str(error.filename))} cannot be read",
            "make it readable, or install this program again",
        )
    else:
        wrong, remedy = "CannotPrint: standard output cannot be written", "send it to a file with enough room"
    return f"{wrong} ({error.strerror}); {remedy}"


def end(main: Callable[[], int]) -> None:
    """Run `main` and end the process with its status, or at once if it is interrupted."""
    _end_when_interrupted()
    code = main()
    # Everything is flushed. Python's own exit would flush once more, and fail if a stream cannot be written.
    os._exit(code)


def _end_when_interrupted() -> None:
    """Let an interrupt end the process at once, unless the parent process has it ignored."""
    # A KeyboardInterrupt can be raised anywhere, even where Python only prints it and goes on.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(*_: object) -> None:
    try:
        os.write(2, b"Interrupted: stopped before it was finished; run it again\n")
    finally:
        os._exit(BAD)
