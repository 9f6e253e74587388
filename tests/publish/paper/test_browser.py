"""Tests of the choice and the start of a browser, on a machine that has only the programs that a test puts there.

`tests/docs/test_get_browser.py` tests how a browser is installed if there is none.
"""

import os
from pathlib import Path

import pytest

from macros.publish.paper import browser
from macros.publish.paper.browser import advice, can_start, candidates, executable, flags
from tests.test_makefile import write_script

STARTS = "echo '<html><head></head><body></body></html>'"


def command(path: Path, code: str = STARTS) -> str:
    """Write a command, and return its path."""
    return str(write_script(path, code))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, still empty."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(browser, "PROGRAMS", (str(tmp_path / "Applications/Chrome"),))
    monkeypatch.setattr(browser, "DOWNLOAD_FOLDER", tmp_path / "own")
    return tmp_path / "bin"


def test_the_first_browser_that_starts_is_used(machine: Path) -> None:
    """The first browser that starts is used: a headless one, another on PATH, one elsewhere, or the project's own.

    Of the project's own, only a download that Playwright has marked as complete counts.
    """
    downloaded_browser = command(machine.parent / "own/a/linux/chrome-headless-shell")
    assert executable() is None
    (machine.parent / "own/a/INSTALLATION_COMPLETE").touch()
    assert downloaded_browser == executable()
    chrome_elsewhere = command(machine.parent / "Applications/Chrome")
    chrome = command(machine / "google-chrome")
    headless = command(machine / "chromium-headless-shell", "exit 1")
    assert [headless, chrome, chrome_elsewhere, downloaded_browser] == candidates()
    assert chrome == executable()


def test_a_browser_named_in_chrome_path_takes_precedence(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CHROME_PATH comes before any browser on PATH, and no other is used if it does not start."""
    command(machine / "chromium")
    monkeypatch.setenv("CHROME_PATH", "/no/such/browser")
    assert ["/no/such/browser"] == candidates()
    assert executable() is None
    assert advice().startswith("CHROME_PATH names /no/such/browser, which does not start; name ")


def test_without_playwright_no_browser_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Playwright, one line says that it is missing and which command installs it."""
    monkeypatch.setattr(browser, "PLAYWRIGHT", "")
    beginning = "the hand-outs need Playwright, which is not installed; make test installs it, with all else "
    assert advice("the hand-outs need").startswith(beginning)


@pytest.mark.parametrize("code", [f"{STARTS}; exit 1", "echo chromium 1.0", "exec /bin/sleep 60"])
def test_a_command_that_shows_no_page_does_not_count(machine: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """A command that fails, even after showing the page, prints something else or hangs does not count as a browser."""
    monkeypatch.setattr(browser, "START_SECONDS", 0.2)
    assert not can_start(command(machine / "chromium", code))


IN_A_PROFILE = f"""
profile="$HOME"
for option; do case "$option" in --user-data-dir=*) profile="${{option#*=}}";; esac; done
: > "$profile/written" && {STARTS}
"""
"""A browser that behaves like Chromium with a window: it does not start if it cannot write its profile."""


def test_it_starts_where_the_home_directory_cannot_be_written(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser starts without a writable home directory, as for the user of a service.

    It gets a profile of its own, which is removed afterwards, so nobody's own profile is touched.
    """
    monkeypatch.setenv("HOME", str(machine.parent / "not there"))
    monkeypatch.setattr("tempfile.tempdir", str(machine.parent))
    assert can_start(command(machine / "chromium", IN_A_PROFILE))
    assert [machine] == [*machine.parent.iterdir()]


@pytest.mark.parametrize(("user", "without_sandbox"), [(0, True), (1, False), (1000, False), (None, False)])
def test_only_a_superuser_does_without_the_sandbox(
    user: int | None, without_sandbox: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox is off only for a superuser, under whom Chromium needs that; Windows has no superuser."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if user is None:
        monkeypatch.delattr(os, "geteuid")
    assert without_sandbox == ("--no-sandbox" in flags())
