"""The command: `python -m macros.teaching --set layer`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .command_line import run

BAD = 2
"""Exit status for anything that the caller can correct."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or `BAD` with one line on standard error."""
    try:
        complaint = run(arguments)
    except BrokenPipeError:
        # The reader closed the pipe (`| head`); Python would complain at its end that it cannot write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        complaint = f"CannotWrite: standard output cannot be written ({error.strerror}); send it to where there is room"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        complaint = "Interrupted: stopped before everything was written; run it again"
    if complaint:
        print(complaint, file=sys.stderr)
    return BAD if complaint else 0


if __name__ == "__main__":
    sys.exit(main())
