"""How a command line ends as a process: with status 0, or with `BAD` and one line on standard error.

Never with a traceback, whatever is closed or full, and however little memory is left.
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
"""Exit status for anything that the caller can correct."""

TOO_LITTLE_MEMORY = "TooLittleMemory: there is not enough memory; allow this process more, such as 100 MB"


def standard_output() -> TextIO:
    """Standard output, to be written.

    Raises:
        OSError: it is closed.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdout


def status(run: Callable[[Sequence[str] | None], str], arguments: Sequence[str] | None) -> int:
    """The exit status of a command line: 0, or `BAD` with one line on standard error.

    `run` takes the arguments, prints, and returns what is wrong in one line, or nothing.
    """
    try:
        complaint = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe (`| head`); what they wanted is printed.
        return 0
    except MemoryError:
        complaint = TOO_LITTLE_MEMORY
    except OSError as error:
        complaint = _refused(error)
    if complaint and sys.stderr is not None:
        with contextlib.suppress(OSError):  # Full: the status says it alone.
            print(fit(complaint), file=sys.stderr)  # which Python never holds back beyond a line
    return BAD if complaint else 0


def _refused(error: OSError) -> str:
    """What the system refused: memory, a file that it names, or else standard output."""
    if error.errno == errno.ENOMEM:
        return TOO_LITTLE_MEMORY
    if error.filename is not None:
        wrong, remedy = (
            f"CannotRead: {label(str(error.filename))} cannot be read",
            "make it readable, or get this program anew",
        )
    else:
        wrong, remedy = "CannotPrint: standard output cannot be written", "send it to a file for which there is room"
    return f"{wrong} ({error.strerror}); {remedy}"


def end(main: Callable[[], int]) -> None:
    """Run `main` and end the process with its status, at once if it is interrupted."""
    _end_when_interrupted()
    code = main()
    # Everything is flushed; Python's own end would try once more to flush what cannot be.
    os._exit(code)


def _end_when_interrupted() -> None:
    """Let an interruption end the process at once, unless whoever started it wants none."""
    # A KeyboardInterrupt would be raised anywhere, even where Python prints it and goes on.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(*_: object) -> None:
    try:
        os.write(2, b"Interrupted: stopped before it was finished; run it again\n")
    finally:
        os._exit(BAD)
