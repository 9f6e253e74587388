"""The command line as a process: `python -m macros.counting CONFIG.json`."""

from __future__ import annotations

from collections.abc import Sequence

from .command_line import run
from .process import end, status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or `BAD` with one line on standard error."""
    return status(run, arguments)


if __name__ == "__main__":
    end(main)
