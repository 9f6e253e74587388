"""The entry points of the command line: `python -m macros.counting CONFIG.json` here, `bert-counted` if installed.

The installed package is this folder under the name `bert_counted`, as `pyproject.toml` specifies. All imports within
the engine are relative, so `python -m bert_counted` works too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .command_line import run
from .process import end, run_for_status


def main(arguments: Sequence[str] | None = None, name: str = f"python -m {__package__}") -> int:
    """Run the command line and return its exit status: 0, `FAILURE` or `PARTIAL_FAILURE`, as in `process.py`.

    Args:
        arguments: the arguments of the command line; None means those of the process.
        name: the name of the program in its help.
    """
    return run_for_status(partial(run, name=name), arguments)


def command() -> None:
    """Run the installed command and end the process."""
    end(partial(main, name="bert-counted"))


if __name__ == "__main__":
    end(main)
