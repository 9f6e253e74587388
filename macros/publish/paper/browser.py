"""Finds a browser that prints the hand-outs and in which the tests look at pages, and says how to start it.

An installed Chromium or Chrome is preferred to a downloaded one. A browser may be
there and not start, for lack of a library, so each is tried before it is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[3]

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
"""Commands of browsers. The one that has no window comes first, because the tests then take a quarter less time."""

PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)


def _version(package: str) -> str:
    """The version of a package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


PLAYWRIGHT = _version("playwright")
"""The version of Playwright, which drives the browser. It is installed for the tests; the site builds without it."""

OWN = ROOT / ".cache" / "browser" / (PLAYWRIGHT or "none")
"""Where `tests/docs/get_browser.py` puts a downloaded browser. Another version of Playwright gets another browser."""

OWN_NAMES = ("chrome-headless-shell", "headless_shell", "chrome-headless-shell.exe")

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these the browser calls its maker, and the tests watch who is called.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

START_SECONDS = 60
"""How long a browser may take to show an empty page. It needs about one second."""


def flags() -> list[str]:
    """The options to start a browser with. A superuser, as in a container, has to do without the sandbox."""
    return [*FLAGS, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else FLAGS


def installed() -> list[str]:
    """The paths of all browsers installed on the machine."""
    return [*filter(None, map(shutil.which, NAMES)), *(path for path in PLACES if Path(path).exists())]


def downloaded() -> list[str]:
    """The path of the browser in the project's own folder, if its download is complete."""
    complete = OWN.glob("*/INSTALLATION_COMPLETE")  # Playwright writes this file last
    return [str(path) for marker in complete for name in OWN_NAMES for path in marker.parent.glob(f"*/{name}")]


def candidates() -> list[str]:
    """Every browser that may be used, the best first; only the one that CHROME_PATH names, if it names one."""
    named = os.environ.get("CHROME_PATH")
    return [named] if named else [*installed(), *downloaded()]


def starts(path: str) -> bool:
    """Whether a browser can show an empty page."""
    # A profile of its own, as Playwright gives it one: the home directory need not be writable.
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [path, "--headless", f"--user-data-dir={profile}", *flags(), "--dump-dom", "about:blank"]
        try:
            # The command was found on the machine, or named by the person who runs this.
            done = subprocess.run(command, capture_output=True, timeout=START_SECONDS, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0 and b"<html>" in done.stdout


def executable() -> str | None:
    """The path of the first browser that starts, or None."""
    return next(filter(starts, candidates()), None)


def advice(who: str = "the tests need") -> str:
    """One line that says what to do if no browser starts, or if there is nothing to drive it.

    Args:
        who: the subject of the sentence and its verb, such as "the tests need".
    """
    if not PLAYWRIGHT:
        return f"{who} Playwright, which is not installed; make test installs it, with all else that the tests need"
    if named := os.environ.get("CHROME_PATH"):
        return f"CHROME_PATH names {named}, which does not start; name a Chromium or Chrome that does, or unset it"
    return (
        f"{who} a Chromium or Chrome that starts, and there is none; install one "
        "(Debian and Ubuntu: apt-get install chromium), or name it in CHROME_PATH"
    )
