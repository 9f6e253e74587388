"""Which browser is taken, and how it is started, on a machine that has nothing but what a test puts there.

How one is got where there is none is tested in `tests/docs/test_get_browser.py`.
"""

import os
from pathlib import Path

import pytest

from macros.publish.paper import browser
from macros.publish.paper.browser import advice, candidates, executable, flags, starts
from tests.test_makefile import script

STARTS = "echo '<html><head></head><body></body></html>'"


def command(path: Path, code: str = STARTS) -> str:
    """The path of a command."""
    return str(script(path, code))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the path, still empty."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(browser, "PLACES", (str(tmp_path / "Applications/Chrome"),))
    monkeypatch.setattr(browser, "OWN", tmp_path / "own")
    return tmp_path / "bin"


def test_the_first_that_starts_is_taken(machine: Path) -> None:
    """Without a window before others, those on the path before those elsewhere, the project's own last.

    Half a download is no browser: only what Playwright has marked as complete counts.
    """
    own = command(machine.parent / "own/a/linux/chrome-headless-shell")
    assert executable() is None
    (machine.parent / "own/a/INSTALLATION_COMPLETE").touch()
    assert own == executable()
    elsewhere = command(machine.parent / "Applications/Chrome")
    chrome = command(machine / "google-chrome")
    headless = command(machine / "chromium-headless-shell", "exit 1")
    assert [headless, chrome, elsewhere, own] == candidates()
    assert chrome == executable()


def test_a_browser_named_by_the_reader_is_taken(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any that is on the path; it is not replaced where it does not start."""
    command(machine / "chromium")
    monkeypatch.setenv("CHROME_PATH", "/no/such/browser")
    assert ["/no/such/browser"] == candidates()
    assert executable() is None
    assert advice().startswith("CHROME_PATH names /no/such/browser, which does not start; name ")


def test_without_playwright_no_browser_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed; one line says what is lacking, and which command brings it."""
    monkeypatch.setattr(browser, "PLAYWRIGHT", "")
    says = "the hand-outs need Playwright, which is not installed; make test installs it, with all else "
    assert advice("the hand-outs need").startswith(says)


@pytest.mark.parametrize("code", [f"{STARTS}; exit 1", "echo chromium 1.0", "exec /bin/sleep 60"])
def test_what_does_not_show_a_page_is_no_browser(machine: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """One that fails, before or after, one that does something else, and one that hangs."""
    monkeypatch.setattr(browser, "START_SECONDS", 0.2)
    assert not starts(command(machine / "chromium", code))


IN_A_PROFILE = f"""
profile="$HOME"
for each; do case "$each" in --user-data-dir=*) profile="${{each#*=}}";; esac; done
: > "$profile/written" && {STARTS}
"""
"""What Chromium with a window does: without a folder to keep what it knows in, it stops."""


def test_it_starts_where_the_home_directory_cannot_be_written(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for the user that a service runs as; nothing is left behind, and nobody's own profile is touched."""
    monkeypatch.setenv("HOME", str(machine.parent / "not there"))
    monkeypatch.setattr("tempfile.tempdir", str(machine.parent))
    assert starts(command(machine / "chromium", IN_A_PROFILE))
    assert [machine] == [*machine.parent.iterdir()]


@pytest.mark.parametrize(("user", "without"), [(0, True), (1, False), (1000, False), (None, False)])
def test_only_a_superuser_does_without_the_sandbox(
    user: int | None, without: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It guards everybody else against what a page may do; in Windows there is no superuser."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if user is None:
        monkeypatch.delattr(os, "geteuid")
    assert without == ("--no-sandbox" in flags())
