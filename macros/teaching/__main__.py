"""The entry point of the command line, for example `python -m macros.teaching --set layer`."""

from __future__ import annotations

from collections.abc import Sequence

from macros.counting.process import end, run_for_status

from .command_line import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return its exit status: 0, or `FAILURE` after one line on standard error."""
    return run_for_status(run, arguments)


if __name__ == "__main__":
    end(main)
