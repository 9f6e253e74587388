"""A browser that starts is found if the machine has one, and nothing else counts as a browser.

The machine is simulated: it has only the programs that a test adds. `tests/docs/test_get_browser.py` tests the
installation of a browser on a machine without one.
"""

import os
from pathlib import Path

import pytest

from macros.publish.paper import browser
from macros.publish.paper.browser import advice, can_start, candidates, executable, flags
from tests.test_makefile import write_script

PRINT_PAGE = "echo '<html><head></head><body></body></html>'"


def write_command(path: Path, code: str = PRINT_PAGE) -> str:
    """Write a script to `path`, and return the path as a string."""
    return str(write_script(path, code))


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, which does not exist yet."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(browser, "PROGRAMS", (str(tmp_path / "Applications/Chrome"),))
    monkeypatch.setattr(browser, "DOWNLOAD_FOLDER", tmp_path / "own")
    return tmp_path / "bin"


def test_the_first_browser_that_starts_is_used(bin_folder: Path) -> None:
    """Headless browsers come first, then others on PATH, then browsers in other places, and last a downloaded one.

    A downloaded browser counts only if Playwright has marked it as complete.
    """
    downloaded_browser = write_command(bin_folder.parent / "own/a/linux/chrome-headless-shell")
    assert executable() is None
    (bin_folder.parent / "own/a/INSTALLATION_COMPLETE").touch()
    assert downloaded_browser == executable()
    chrome_elsewhere = write_command(bin_folder.parent / "Applications/Chrome")
    chrome = write_command(bin_folder / "google-chrome")
    headless_browser = write_command(bin_folder / "chromium-headless-shell", "exit 1")
    assert [headless_browser, chrome, chrome_elsewhere, downloaded_browser] == candidates()
    assert chrome == executable()


def test_a_browser_named_in_chrome_path_takes_precedence(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_command(bin_folder / "chromium")
    monkeypatch.setenv("CHROME_PATH", "/no/such/browser")
    assert ["/no/such/browser"] == candidates()
    assert executable() is None
    assert advice().startswith("CHROME_PATH names /no/such/browser, which does not start; name ")


def test_missing_playwright_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "PLAYWRIGHT_VERSION", "")
    beginning = "the hand-outs need Playwright, which is not installed; make test installs it, along with "
    assert advice("the hand-outs need").startswith(beginning)


@pytest.mark.parametrize("code", [f"{PRINT_PAGE}; exit 1", "echo chromium 1.0", "exec /bin/sleep 60"])
def test_a_command_that_shows_no_page_does_not_count(
    bin_folder: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """A command is not a browser if it hangs, prints something else, or fails, even after printing the page."""
    monkeypatch.setattr(browser, "START_SECONDS", 0.2)
    assert not can_start(write_command(bin_folder / "chromium", code))


PROFILE_WRITER = f"""
profile="$HOME"
for option; do case "$option" in --user-data-dir=*) profile="${{option#*=}}";; esac; done
: > "$profile/written" && {PRINT_PAGE}
"""
"""A browser that, like Chromium with a window, does not start if it cannot write its profile."""


def test_a_browser_starts_without_a_writable_home_directory(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user of a service may have no such directory.

    The browser has a temporary profile, which is removed afterwards.
    """
    monkeypatch.setenv("HOME", str(bin_folder.parent / "not there"))
    monkeypatch.setattr("tempfile.tempdir", str(bin_folder.parent))
    assert can_start(write_command(bin_folder / "chromium", PROFILE_WRITER))
    assert [bin_folder] == [*bin_folder.parent.iterdir()]


@pytest.mark.parametrize(("user", "is_unsandboxed"), [(0, True), (1, False), (1000, False), (None, False)])
def test_only_a_superuser_does_without_the_sandbox(
    user: int | None, is_unsandboxed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A superuser, as in a container, cannot use the sandbox. Windows has no superuser."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if user is None:
        monkeypatch.delattr(os, "geteuid")
    assert is_unsandboxed == ("--no-sandbox" in flags())
