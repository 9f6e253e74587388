"""Every way to a browser for the tests, shown on a machine that has nothing but what a test puts there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shlex import quote
from textwrap import dedent

import pytest

from macros.publish.paper import browser
from macros.publish.paper.browser import advice, executable
from tests.docs import get_browser
from tests.docs.get_browser import main

PYTHON = sys.executable  # one test machine has another by this name

STARTS = "print('<html><head></head><body></body></html>')"
BROKEN = "import sys; sys.exit('error while loading shared libraries: libnss3.so')"

DOWNLOADS = """
    import os, pathlib
    folder = pathlib.Path(os.environ["PLAYWRIGHT_BROWSERS_PATH"], "chromium_headless_shell-1")
    (folder / "chrome-headless-shell-linux64").mkdir(parents=True)
    browser = folder / "chrome-headless-shell-linux64" / "chrome-headless-shell"
    browser.write_text({script!r})
    browser.chmod(0o755)
    (folder / "INSTALLATION_COMPLETE").touch()
"""
"""A stand-in for `python -m playwright install`, which downloads `script`."""

INSTALLS = """
    import pathlib, sys
    pathlib.Path(__file__).with_name("asked.txt").open("a").write(" ".join(sys.argv[1:]) + "\\n")
    if sys.argv[1] == "install":
        browser = pathlib.Path(__file__).with_name("chromium")
        browser.write_text({script!r})
        browser.chmod(0o755)
"""
"""A stand-in for apt-get, which keeps what it was asked for and installs `script`."""


def script(code: str) -> str:
    """The text of a command in Python, which a shell starts: what follows #! may hold no spaces."""
    return f"#!/bin/sh\n'''exec' {quote(PYTHON)} \"$0\" \"$@\"\n'''\n{dedent(code)}\n"


def command(path: Path, code: str) -> None:
    """Write a command to a file that can be run."""
    path.write_text(script(code))
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the path, still empty, on a machine where Playwright downloads nothing and root runs all."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setattr(browser, "PLACES", ())
    for module in (browser, get_browser):
        monkeypatch.setattr(module, "OWN", tmp_path / "own")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    playwright(tmp_path, monkeypatch, BROKEN)
    return folder


def playwright(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let `python -m playwright` do what `code` does."""
    command(folder / "python", code)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))


def asked_for(machine: Path) -> list[str]:
    """What the stand-in for apt-get was asked for."""
    path = machine / "asked.txt"
    return path.read_text().splitlines() if path.exists() else []


APT = INSTALLS.format(script=script(STARTS))
OWN = DOWNLOADS.format(script=script(STARTS))
INSTALLED = ["update", "install --yes --no-install-recommends fonts-dejavu-core chromium-headless-shell"]
LACKS = """
    import sys
    if "chromium-headless-shell" in sys.argv:
        sys.exit(100)
"""
"""What apt-get does where there is no such package."""

MACHINES: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "an installed one is taken": ({"google-chrome": STARTS, "apt-get": APT}, OWN, "bin/google-chrome", []),
    "one is downloaded into the project's own folder, without apt-get": ({}, OWN, "own", []),
    "a download that starts is enough": ({"apt-get": APT}, OWN, "own", []),
    "where no download is to be had Debian's is installed": ({"apt-get": APT}, BROKEN, "bin/chromium", INSTALLED),
    "as in Ubuntu, where there is none without a window": (
        {"apt-get": APT + LACKS},
        BROKEN,
        "bin/chromium",
        [*INSTALLED, "install --yes --no-install-recommends fonts-dejavu-core chromium"],
    ),
    "a download that lacks libraries, which Debian's browser brings": (
        {"apt-get": APT},
        DOWNLOADS.format(script=script(BROKEN)),
        "bin/chromium",
        INSTALLED,
    ),
    "an installed one that is only a note that another package is needed": (
        {"chromium-browser": BROKEN},
        OWN,
        "own",
        [],
    ),
    "a download that hangs": ({"apt-get": APT}, "import time; time.sleep(60)", "bin/chromium", INSTALLED),
}
"""What a machine has by name, what Playwright does on it, where the browser is then, and what apt-get is asked for."""


@pytest.mark.parametrize("case", MACHINES)
def test_each_way_to_a_browser(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    """The first that works; where one is installed, nothing is said."""
    there, downloads, place, asked = MACHINES[case]
    monkeypatch.setattr(get_browser, "DOWNLOAD_SECONDS", 0.2 if "hangs" in case else 60)
    for name, code in there.items():
        command(machine / name, code)
    playwright(machine.parent, monkeypatch, downloads)
    assert 0 == main()
    assert str(executable()).startswith(str(machine.parent / place))
    assert asked == asked_for(machine)
    assert place != "bin/google-chrome" or ("", "") == capsys.readouterr()


def test_a_download_is_made_once(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next run takes the browser that is there."""
    playwright(machine.parent, monkeypatch, DOWNLOADS.format(script=script(STARTS)))
    assert 0 == main()
    playwright(machine.parent, monkeypatch, BROKEN)
    assert 0 == main()


def stopped(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line of what is said when nothing helps."""
    assert 1 == main()
    return capsys.readouterr().err.splitlines()[-1]


def test_nothing_works(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No browser, no download and no apt-get: one line says how to get a browser."""
    assert [] == list(machine.iterdir())
    says = (
        "the tests need a Chromium or Chrome that starts, and there is none; install one "
        "(Debian and Ubuntu: apt-get install chromium), or name it in CHROME_PATH"
    )
    assert says == stopped(capsys)


@pytest.mark.parametrize(("code", "user"), [(APT, 1000), (BROKEN, 0), (INSTALLS.format(script=script(BROKEN)), 0)])
def test_an_installation_that_does_not_help(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str, user: int
) -> None:
    """apt-get that fails, or brings a browser that does not start; it is left alone by those who are not root."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    command(machine / "apt-get", code)
    assert "apt-get install chromium" in stopped(capsys)
    assert not user or [] == asked_for(machine)


def test_another_browser_is_downloaded(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Playwright's own, once, beside the one that is installed and taken; its path is all that is printed."""
    command(machine / "chromium", STARTS)
    command(machine / "google-chrome", STARTS)
    playwright(machine.parent, monkeypatch, DOWNLOADS.format(script=script(STARTS)))
    for _ in range(2):
        assert 0 == main(["--other"])
        assert capsys.readouterr().out.startswith(str(machine.parent / "own"))
        playwright(machine.parent, monkeypatch, BROKEN)
    assert str(machine / "chromium") == executable()


def test_another_browser_is_one_that_is_installed(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where nothing can be downloaded: not the one taken under another name, and none that does not start."""
    for name in ("google-chrome", "msedge"):
        command(machine / name, STARTS)
    (machine / "chromium").symlink_to(machine / "google-chrome")
    command(machine / "chrome", BROKEN)
    assert 0 == main(["--other"])
    assert f"{machine / 'msedge'}\n" == capsys.readouterr().out
    monkeypatch.setenv("CHROME_PATH", str(machine / "msedge"))
    assert 0 == main(["--other"])
    assert f"{machine / 'chromium'}\n" == capsys.readouterr().out


def test_another_browser_is_debians(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The one with a window, beside that without; and where that cannot be had either, one line says so."""
    command(machine / "chromium-headless-shell", STARTS)
    assert 1 == main(["--other"])
    said = capsys.readouterr()
    assert ("", "there is no other browser than the one that the tests take") == (said.out, said.err.splitlines()[-1])
    command(machine / "apt-get", INSTALLS.format(script=script(STARTS)))
    assert 0 == main(["--other"])
    assert f"{machine / 'chromium'}\n" == capsys.readouterr().out
    assert ["update", "install --yes --no-install-recommends fonts-dejavu-core chromium"] == asked_for(machine)


def test_a_browser_named_by_the_reader_is_taken(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any that is on the path."""
    command(machine / "chromium", STARTS)
    command(machine.parent / "mine", STARTS)
    monkeypatch.setenv("CHROME_PATH", str(machine.parent / "mine"))
    assert str(machine.parent / "mine") == executable()


def test_a_wrong_name_is_not_replaced(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A browser that was named and is not there is reported, though another one could be had."""
    command(machine / "chromium", STARTS)
    monkeypatch.setenv("CHROME_PATH", "/no/such/browser")
    assert stopped(capsys).startswith("CHROME_PATH names /no/such/browser, which does not start;")
    assert advice().startswith("CHROME_PATH names /no/such/browser")
