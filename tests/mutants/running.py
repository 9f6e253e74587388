"""Runs tests on a copy of the repository, in a child process that imports the engine anew.

The child is forked from a process that has imported pytest, Hypothesis and
what the site is made with already, which takes longer than most runs.
"""

from __future__ import annotations

import compileall
import json
import multiprocessing
import os
import py_compile
import resource
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path

import pytest
from hypothesis import Phase, settings

DURATIONS = "durations.json"
COPIED = (
    "macros",
    "tests",
    "docs",
    ".github",
    "mkdocs.yml",
    "CITATION.cff",
    "LICENSE",
    "pyproject.toml",
    "README.md",
    DURATIONS,
)
LEFT_OUT = ("node_modules", "audit")
"""What no test that is run here needs."""

LIBRARIES = ("bs4", "jinja2", "latex2mathml.converter", "mkdocs.config", "playwright.sync_api", "tinycss2")
"""What takes long to import, and is the same whatever is broken."""

OPTIONS = (
    "-x",
    "-q",
    "--tb=no",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
)
FORK = multiprocessing.get_context("fork")
MEMORY = 4 << 30
"""Bytes: a mutant that takes more fails, and does not take the machine along."""

PATIENCE = 15
"""Seconds of computing that a quick test may take, however busy the machine is."""

WAITING = 10
"""Times as long it may take by the clock: what waits for something computes nothing."""

PASSED, FAILED, HUNG = "passed", "failed", "hung"


def copied(root: Path, folder: Path) -> Path:
    """A copy of what the tests need; its bytecode is compared with the source, not with the time of change.

    A mutant comes and goes within a second, which Python would not notice otherwise.
    """
    folder.mkdir()
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
        elif (root / name).exists():
            shutil.copy(root / name, folder / name)
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder / "macros", quiet=2, force=True, invalidation_mode=mode)
    return folder


def whole_copy(root: Path, folder: Path, suite: Sequence[str]) -> Path:
    """A copy of the code as it is, which passes all tests, with the time that each of them took.

    Raises:
        SystemExit: a test fails.
    """
    whole = copied(root, folder)
    if run(whole, [suite], patience=600, keep=True) != PASSED:
        sys.exit("the tests fail on the code as it is, so every mutant would seem killed; see `make test`")
    return whole


def run(folder: Path, suites: Sequence[Sequence[str]], patience: int = PATIENCE, keep: bool = False) -> str:
    """Run suites one after the other until a test fails.

    Args:
        folder: the copy.
        suites: paths of tests, as pytest takes them.
        patience: after how many seconds a test hangs; more where it took long when the code was whole.
        keep: whether the code is whole, so that the time of every test and bytecode of the tests are worth keeping.
    """
    child = FORK.Process(target=_run, args=(folder, suites, patience, keep))
    child.start()
    child.join()
    assert child.pid
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)  # what its tests started and left
    return {0: PASSED, -signal.SIGALRM: HUNG, -signal.SIGPROF: HUNG}.get(child.exitcode or 0, FAILED)


def run_broken(folder: Path, path: str, source: str, suites: Sequence[Sequence[str]], patience: int = PATIENCE) -> str:
    """The same with another source in place of a module."""
    original = (folder / path).read_text()
    (folder / path).write_text(source)
    try:
        return run(folder, suites, patience)
    finally:
        (folder / path).write_text(original)


def _run(folder: Path, suites: Sequence[Sequence[str]], patience: int, keep: bool) -> None:
    """What the child does, which ends with it."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which what a shell starts in the background ignores
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if not keep:
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in [each for each in sys.modules if each.split(".")[0] in ("macros", "tests")]:
        del sys.modules[name]
    sys.path[0] = str(folder)
    # Any failing example kills a mutant; looking for the simplest one takes time.
    settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutants")
    try:
        clock = Clock(folder / DURATIONS, patience)
        passed = all(clock.runs(suite) for suite in suites)
        if keep:
            clock.keep()
    except BaseException:
        passed = False
    os._exit(0 if passed else 1)


class Clock:
    """A plugin of pytest: tests that were quick when the code was whole come first, and none may hang."""

    def __init__(self, file: Path, patience: int) -> None:
        self.file, self.patience = file, patience
        self.known: dict[str, float] = json.loads(file.read_text()) if file.exists() else {}
        self.seconds: dict[str, float] = {}

    def runs(self, suite: Sequence[str]) -> bool:
        """Whether a suite passes."""
        self._wind_up(self.patience)
        return pytest.main([*OPTIONS, *suite], plugins=[self]) == 0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort; unknown tests come first."""
        items.sort(key=lambda item: self.known.get(item.nodeid, 0.0))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """More patience where it took long when the code was whole."""
        self._wind_up(self.patience + ceil(10 * self.known.get(nodeid, 0.0)))

    def _wind_up(self, seconds: int) -> None:
        """An alarm, by the time of the processor and by the clock, that ends the process, whatever it is doing."""
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.alarm(WAITING * seconds)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Measure."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def keep(self) -> None:
        """Write down how long each test took."""
        self.file.write_text(json.dumps(self.seconds))
