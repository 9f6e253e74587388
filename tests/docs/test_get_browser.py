"""The sources of a browser are tried in turn. In these tests, all programs are stand-ins in a separate folder."""

import os
import sys
from pathlib import Path
from shlex import quote
from textwrap import dedent

import pytest

from macros.publish.paper import browser
from macros.publish.paper.browser import executable
from tests.docs import get_browser
from tests.docs.get_browser import main

PYTHON = sys.executable  # read before the fixture replaces it with a stand-in

WORKING_BROWSER = "print('<html><head></head><body></body></html>')"
"""A stand-in for a browser that starts. It prints an empty page, as a working browser does when it is tried."""

BROKEN_PROGRAM = "import sys; sys.exit('error while loading shared libraries: libnss3.so')"
"""A stand-in for a browser that does not start, or for Playwright if its download fails."""

DOWNLOADER_TEMPLATE = """
    import os, pathlib
    folder = pathlib.Path(os.environ["PLAYWRIGHT_BROWSERS_PATH"], "chromium_headless_shell-1")
    (folder / "chrome-headless-shell-linux64").mkdir(parents=True)
    browser = folder / "chrome-headless-shell-linux64" / "chrome-headless-shell"
    browser.write_text({script!r})
    browser.chmod(0o755)
    (folder / "INSTALLATION_COMPLETE").touch()
"""
"""A stand-in for `python -m playwright install`. It writes `script` where a downloaded browser would be."""

INSTALLER_TEMPLATE = """
    import pathlib, sys
    pathlib.Path(__file__).with_name("apt-calls.txt").open("a").write(" ".join(sys.argv[1:]) + "\\n")
    if sys.argv[1] == "install":
        browser = pathlib.Path(__file__).with_name("chromium")
        browser.write_text({script!r})
        browser.chmod(0o755)
"""
"""A stand-in for apt-get. It records its arguments and, for `install`, writes `script` where the browser would be."""


def shell_script(code: str) -> str:
    """A shell script that runs Python code. A #! line could not name Python, because its path may contain spaces."""
    return f"#!/bin/sh\n'''exec' {quote(PYTHON)} \"$0\" \"$@\"\n'''\n{dedent(code)}\n"


def write_command(path: Path, code: str) -> None:
    """Write Python code as an executable file."""
    path.write_text(shell_script(code))
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, still empty. Playwright's download fails, and the user is root."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(browser, "PROGRAMS", ())
    for module in (browser, get_browser):
        monkeypatch.setattr(module, "DOWNLOAD_FOLDER", tmp_path / "downloaded")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    replace_playwright(tmp_path, monkeypatch, BROKEN_PROGRAM)
    return folder


def replace_playwright(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Make `python -m playwright` run `code` instead."""
    write_command(folder / "python", code)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))


def apt_calls_on(machine: Path) -> list[str]:
    """The arguments of each call to the stand-in for apt-get."""
    path = machine / "apt-calls.txt"
    return path.read_text().splitlines() if path.exists() else []


INSTALLER = INSTALLER_TEMPLATE.format(script=shell_script(WORKING_BROWSER))
DOWNLOADER = DOWNLOADER_TEMPLATE.format(script=shell_script(WORKING_BROWSER))
CALLS_TO_INSTALL = ["update", "install --yes --no-install-recommends fonts-dejavu-core chromium-headless-shell"]
MACHINES: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "an installed browser is used": (
        {"google-chrome": WORKING_BROWSER, "apt-get": INSTALLER},
        DOWNLOADER,
        "bin/google-chrome",
        [],
    ),
    "if none is installed, a browser is downloaded into the project's cache": (
        {"apt-get": INSTALLER},
        DOWNLOADER,
        "downloaded",
        [],
    ),
    "if none can be downloaded, Debian's is installed": (
        {"apt-get": INSTALLER},
        BROKEN_PROGRAM,
        "bin/chromium",
        CALLS_TO_INSTALL,
    ),
    "if a download hangs, Debian's is installed": (
        {"apt-get": INSTALLER},
        "import time; time.sleep(60)",
        "bin/chromium",
        CALLS_TO_INSTALL,
    ),
}
"""For each case, the commands on the machine, Playwright's code, the path of the browser, and the calls to apt-get."""


@pytest.mark.parametrize("case", MACHINES)
def test_the_first_source_that_works_is_used(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    commands, playwright, expected_path, apt_calls = MACHINES[case]
    monkeypatch.setattr(get_browser, "DOWNLOAD_SECONDS", 0.2 if "hangs" in case else 60)
    for name, code in commands.items():
        write_command(machine / name, code)
    replace_playwright(machine.parent, monkeypatch, playwright)
    assert 0 == main()
    assert str(executable()).startswith(str(machine.parent / expected_path))
    assert apt_calls == apt_calls_on(machine)
    if expected_path == "bin/google-chrome":
        assert ("", "") == capsys.readouterr()


def test_without_any_source_the_last_line_is_advice(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [] == list(machine.iterdir())
    assert 1 == main()
    advice = (
        "the tests need a Chromium or Chrome that starts, and there is none; install one "
        "(Debian and Ubuntu: apt-get install chromium), or name it in CHROME_PATH"
    )
    assert advice == capsys.readouterr().err.splitlines()[-1]


def test_the_other_browser_is_an_installed_one_if_there_is_no_download(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other browser must start, and must not be the browser in use under another name."""
    for name in ("google-chrome", "msedge"):
        write_command(machine / name, WORKING_BROWSER)
    (machine / "chromium").symlink_to(machine / "google-chrome")
    write_command(machine / "chrome", BROKEN_PROGRAM)
    assert 0 == main(["--other"])
    assert f"{machine / 'msedge'}\n" == capsys.readouterr().out
    monkeypatch.setenv("CHROME_PATH", str(machine / "msedge"))
    assert 0 == main(["--other"])
    assert f"{machine / 'chromium'}\n" == capsys.readouterr().out
