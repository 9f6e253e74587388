"""The command line as a process: `python -m macros.teaching --set layer`."""

from __future__ import annotations

from macros.counting.process import end, status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or `BAD` with one line on standard error."""
    return status(_run, arguments)


def _run(arguments: Sequence[str] | None) -> str:
    from .command_line import run

    return run(arguments)


if __name__ == "__main__":
    end(main)
