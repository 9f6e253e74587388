"""The entry point of the command line, `python -m macros.counting CONFIG.json`; see `command_line.py`."""

from __future__ import annotations

from collections.abc import Sequence

from .command_line import run
from .process import end, status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, or `BAD` after one line on standard error."""
    return status(run, arguments)


if __name__ == "__main__":
    end(main)
