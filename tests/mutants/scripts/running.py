"""Runs tests on mutants in a process of their own, and starts another one where a test hangs."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.mutants.running import FAILED, HUNG, PASSED

from .finding import SCRIPTS, Mutant
from .working import work

__all__ = ["FAILED", "HUNG", "PASSED", "Result", "Runner"]

PATIENCE = 30
"""Seconds that a quick test may take; one that took longer on the site as it is gets more."""

SPAWN = multiprocessing.get_context("spawn")


class Result(NamedTuple):
    """What became of a mutant, and the test that killed it."""

    what: str
    by: str = ""


class Runner:
    """Runs tests on a site, as it is and broken.

    Args:
        root: a copy of the repository, whose tests are run.
        site: the folder of its site; in both, scripts are broken and mended again.
        patience: after how many seconds a test hangs.
    """

    def __init__(self, root: Path, site: Path, patience: int = PATIENCE) -> None:
        self.root, self.site, self.patience = root, site, patience
        self.whole: dict[Path, str] = {path: path.read_text() for path in self.scripts()}
        self.seconds: dict[str, float] = {}
        self.start()

    def scripts(self) -> list[Path]:
        """Every script that may be broken."""
        return [path for folder in (self.root / SCRIPTS, self.site) for path in folder.rglob("*.js")]

    def start(self) -> None:
        """Start the process, with all scripts as they were."""
        for path, text in self.whole.items():
            if path.read_text() != text:
                path.write_text(text)
        self.connection, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(theirs, self.root, self.site, self.seconds, self.patience))
        self.process.start()
        theirs.close()

    def run(self, mutant: Mutant | None, tests: Sequence[str]) -> Result:
        """Run tests on a mutant, or on the site as it is, until one fails.

        Raises:
            ValueError: the script is nowhere in the site.
        """
        try:
            self.connection.send((mutant, tests))
            by, measured = self.connection.recv()
        except (EOFError, OSError):
            self.stop()
            what = HUNG if self.process.exitcode == -signal.SIGALRM else FAILED
            self.start()
            return Result(what, "the browser")
        if isinstance(by, ValueError):
            raise by
        if mutant is None:
            self.seconds |= measured
        return Result(FAILED, by) if by else Result(PASSED)

    def stop(self) -> None:
        """End the process and what it started."""
        self.connection.close()
        self.process.join(5)
        assert self.process.pid
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()
