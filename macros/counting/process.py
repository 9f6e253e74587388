"""Runs a command line as a process, which ends with status 0, or with `FAILURE` and one line on standard error.

If some of several models cannot be counted, it ends with `PARTIAL_FAILURE` and one line for each of these. It prints no
traceback if a stream is closed or full, or if memory runs out.
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

FAILURE = 2
"""The exit status of a failure, as in argparse."""

PARTIAL_FAILURE = 1
"""The exit status if some of several models cannot be counted."""

TOO_LITTLE_MEMORY = "TooLittleMemory: there is not enough memory; allow this process more, such as 100 MB"
"""The line on standard error if memory runs out."""


class SomeRefused(Exception):
    """Some of several models cannot be counted.

    Attributes:
        complaints: one line about each of these models.
    """

    def __init__(self, complaints: Sequence[str]) -> None:
        """Store the lines."""
        super().__init__("; ".join(complaints))
        self.complaints = complaints


def standard_output() -> TextIO:
    """The stream of standard output.

    Raises:
        OSError: standard output is closed.
    """
    # Python sets it to None if it is already closed when the process starts.
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdout


def run_for_status(run: Callable[[Sequence[str] | None], str], arguments: Sequence[str] | None) -> int:
    """Run a command line, print any complaints on standard error, and return the exit status.

    Args:
        run: prints the answer to the arguments, and returns one line about
            what is wrong with them, or an empty string.
        arguments: the arguments of `run`; None means those of the process.

    Returns:
        0, `FAILURE` or `PARTIAL_FAILURE`.
    """
    status = FAILURE
    complaints = []
    try:
        complaints = [run(arguments)]
        if sys.stdout is not None:
            sys.stdout.flush()
    except SomeRefused as error:
        status = PARTIAL_FAILURE
        complaints = [*error.complaints]
    except BrokenPipeError:
        # The program that reads the output, such as `head`, has closed the pipe because it has read enough.
        return 0
    except MemoryError:
        complaints = [TOO_LITTLE_MEMORY]
    except OSError as error:
        complaints = [_refusal(error)]
    if sys.stderr is not None:
        for complaint in filter(None, complaints):
            # If standard error cannot be written either, only the status remains. Python flushes after every line.
            with contextlib.suppress(OSError):
                print(fit(complaint), file=sys.stderr)
    return status if any(complaints) else 0


def _refusal(error: OSError) -> str:
    """The line about an error of the system: memory has run out, a file cannot be read, or output cannot be printed."""
    if error.errno == errno.ENOMEM:
        return TOO_LITTLE_MEMORY
    if error.filename is not None:
        problem = f"CannotRead: {label(str(error.filename))} cannot be read"
        remedy = "make it readable, or install this program again"
    else:
        problem = "CannotPrint: standard output cannot be written"
        remedy = "send it to a file with enough room"
    return f"{problem} ({error.strerror}); {remedy}"


def end(main: Callable[[], int]) -> None:
    """Run `main` and end the process with its status, or at once if it is interrupted."""
    _end_when_interrupted()
    status = main()
    # Everything has been flushed by now. Python's own exit would flush again, and fail if a stream cannot be written.
    os._exit(status)


def _end_when_interrupted() -> None:
    """Let an interrupt end the process at once, unless the parent process has set interrupts to be ignored."""
    # A KeyboardInterrupt is not enough: Python may raise it at a point where it only prints the error and continues.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end_at_once)


def _end_at_once(*_: object) -> None:
    """Handle the signal of an interrupt: report it in one line, and end the process with status `FAILURE`."""
    try:
        # Descriptor 2 is standard error. Python's own stream must not be used in a signal handler.
        os.write(2, b"Interrupted: stopped before it was finished; run it again\n")
    finally:
        os._exit(FAILURE)
