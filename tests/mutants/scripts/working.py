"""A process that runs tests on a site whose scripts are broken, one mutant after the other.

It keeps site, server, browser and what the tests have worked out, so that a
mutant costs little more than the test that kills it. Where a test hangs, the
process ends, and another one takes its place.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect, sync_playwright  # noqa: A004  it is meant

from tests.docs.browser import executable, flags
from tests.docs.conftest import parsed, serving
from tests.mutants.running import OPTIONS

from .breaking import broken
from .finding import Mutant
from .suites import LEFT_OUT

WAITING = 6
"""Seconds that a test waits for something that does not come."""


class Kept:
    """A plugin of pytest: hands out what this process keeps, and stops at the first failure, or where a test hangs."""

    def __init__(self, fixtures: dict[str, Any], seconds: dict[str, float], patience: int) -> None:
        self.fixtures, self.seconds, self.patience = fixtures, seconds, patience
        self.kills: Counter[str] = Counter()
        self.measured: dict[str, float] = {}
        self.left_out: set[str] = set()
        self.failed: list[str] = []
        self.late = False

    def runs(self, paths: Sequence[str]) -> bool:
        """Whether tests pass; those that are left out are none of them."""
        self.failed, self.late = [], False
        signal.alarm(2 * self.patience)
        done = pytest.main([*OPTIONS, *paths], plugins=[self])
        signal.alarm(0)
        for context in self.fixtures["browser"].contexts:
            context.close()
        return done in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        """What is kept, in place of what a fixture would make."""
        kept = self.fixtures.get(fixturedef.argname) if fixturedef.scope == "session" else None
        if kept is not None:
            fixturedef.cached_result = (kept, fixturedef.cache_key(request), None)
        return kept

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """In each file, those first that have killed most, and the quick before the slow."""
        items[:] = [
            each
            for each in items
            if not any(name in each.name for name in LEFT_OUT) and each.nodeid not in self.left_out
        ]
        files = list(dict.fromkeys(each.path for each in items))
        items.sort(
            key=lambda each: (
                files.index(each.path),
                -self.kills[each.nodeid.partition("[")[0]],
                self.seconds.get(each.nodeid, 0.0),
            )
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Wind up: the alarm ends the process, whatever it is doing."""
        signal.alarm(self.patience + ceil(10 * self.seconds.get(nodeid, 0.0)))

    def pytest_exception_interact(self, call: Any) -> None:
        """Note whether something did not come in time, which may be for want of a faster machine."""
        failure = call.excinfo.value
        self.late = isinstance(failure, TimeoutError) or "Call log" in str(failure)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Measure, and note what fails."""
        self.measured[report.nodeid] = self.measured.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)


def passes(kept: Kept, tests: Sequence[str]) -> str:
    """The test that fails; where it waited in vain, it has to do so again. "" where none fails."""
    kept.left_out = set()
    while not kept.runs(tests):
        name = kept.failed[0] if kept.failed else "collecting"
        if not kept.failed or not kept.late or not kept.runs([name]):
            kept.kills[name.partition("[")[0]] += 1
            return name
        kept.left_out.add(name)
    return ""


def work(connection: Connection, root: Path, site: Path, seconds: dict[str, float], patience: int) -> None:
    """Answer requests, which are pairs of a mutant, or None for the site as it is, and tests; see `Runner`."""
    os.setsid()
    os.chdir(root)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    expect.set_options(timeout=1000 * WAITING)
    with ExitStack() as stack:
        address = stack.enter_context(serving(site))
        chromium = stack.enter_context(sync_playwright()).chromium
        browser = chromium.launch(executable_path=executable(), args=flags())
        fixtures = {"site": site, "address": address, "browser": impatient(browser), "pages": parsed(site)}
        kept = Kept(fixtures, seconds, patience)
        with suppress(EOFError):
            while True:
                mutant, tests = connection.recv()
                try:
                    found: str | ValueError = answered(kept, root, site, mutant, tests)
                except ValueError as error:  # it cannot be broken, which is no test's merit
                    found = error
                connection.send((found, kept.measured))


def answered(kept: Kept, root: Path, site: Path, mutant: Mutant | None, tests: Sequence[str]) -> str:
    """The test that fails on a mutant, or on the site as it is."""
    if mutant is None:
        kept.patience *= 10  # nothing is imported yet, and nothing measured
        try:
            return passes(kept, tests)
        finally:
            kept.patience //= 10
    with broken(site, root, mutant):
        return passes(kept, tests)


def impatient(browser: Any) -> Any:
    """A browser whose pages do not wait long for what a mutant has taken away."""
    opened = browser.new_context

    def new_context(**settings: Any) -> Any:
        context = opened(**settings)
        context.set_default_timeout(1000 * WAITING)
        return context

    browser.new_context = new_context
    return browser
