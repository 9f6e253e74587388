"""The command line as a process: `python -m macros.counting CONFIG.json`.

It ends with status 0, or with `BAD` and one line on standard error: never with
a traceback, whatever is closed or full, and however little memory there is.
Everything that Python has not loaded by itself is imported inside functions,
so that `main` answers for what goes wrong meanwhile.
"""

from __future__ import annotations

import errno
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BAD = 2
"""Exit status for anything that the caller can correct."""

TOO_LITTLE_MEMORY = "TooLittleMemory: there is not enough memory to count; allow this process more, such as 100 MB"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or `BAD` with one line on standard error."""
    try:
        complaint = _run(arguments)
    except BrokenPipeError:
        # The reader closed the pipe (`| head`); what they wanted is printed.
        return 0
    except (MemoryError, SystemError):
        # Python 3.11 reports a lack of memory now and then as an error return without exception set.
        complaint = TOO_LITTLE_MEMORY
    except ImportError as error:
        # A library for which there is no room is there, but cannot be mapped.
        if isinstance(error, ModuleNotFoundError):
            raise
        complaint = TOO_LITTLE_MEMORY
    except ValueError as error:
        # Python 3.11 compiles a module that does not fit into memory to one of which pieces are missing.
        if "is required for" not in str(error):
            raise
        complaint = TOO_LITTLE_MEMORY
    except OSError as error:
        place = "standard output cannot be written"
        full = f"CannotPrint: {place} ({error.strerror}); send it to where there is room"
        complaint = TOO_LITTLE_MEMORY if error.errno == errno.ENOMEM else full
    if complaint and sys.stderr is not None:
        try:  # noqa: SIM105  contextlib would have to be imported
            print(complaint, file=sys.stderr)  # which Python never holds back beyond a line
        except OSError:
            pass  # Full: the status says it alone.
    return BAD if complaint else 0


def _run(arguments: Sequence[str] | None) -> str:
    """Count and print; what is wrong with the arguments in one line, or nothing."""
    if sys.stdout is None:
        return "CannotPrint: standard output is closed; leave it open, or send it to a file"
    from .command_line import run

    complaint = run(arguments)
    sys.stdout.flush()
    return complaint


def end_when_interrupted() -> None:
    """Let an interruption end the process at once, unless whoever started it wants none."""
    # A KeyboardInterrupt would be raised anywhere, even where Python prints it and goes on.
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(*_: object) -> None:
    try:
        os.write(2, b"Interrupted: stopped before everything was counted and printed; run it again\n")
    finally:
        os._exit(BAD)


if __name__ == "__main__":
    # The process ends before there is garbage worth looking for, which would take a tenth of its time.
    gc.disable()
    try:
        end_when_interrupted()
        status = main()
    except KeyboardInterrupt:  # before the handler stood
        _interrupted()
    # Everything is flushed; Python's own end would try once more to flush what cannot be.
    os._exit(status)
