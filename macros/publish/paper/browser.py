"""Finds a browser for printing the hand-outs and for the tests, and the options to start it with.

An installed browser is preferred to a downloaded one. Because an installed
browser may fail to start, for example if a library is missing, each browser is tried
before it is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[3]

COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
"""The commands of browsers. The headless one comes first, because it makes the tests faster."""

PROGRAMS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
"""The paths of browsers on systems where they are not installed as commands."""


def _version(package: str) -> str:
    """The version of a package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


PLAYWRIGHT_VERSION = _version("playwright")
"""The version of Playwright, which controls the browser, or empty. The tests install it; the site builds without it."""

DOWNLOAD_FOLDER = ROOT / ".cache" / "browser" / (PLAYWRIGHT_VERSION or "none")
"""The folder of the browser that `tests/docs/get_browser.py` downloads. Each version of Playwright needs its own."""

DOWNLOADED_NAMES = ("chrome-headless-shell", "headless_shell", "chrome-headless-shell.exe")
"""The file names of the downloaded browser on different systems and in older downloads."""

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these options the browser contacts its vendor, and the tests check that no other host is contacted.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

START_SECONDS = 60
"""Seconds that a browser may take to show an empty page. It usually takes one, but a busy machine is slower."""


def flags() -> list[str]:
    """The options to start a browser with. A superuser, as in a container, cannot use the sandbox."""
    return [*FLAGS, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else FLAGS


def installed_browsers() -> list[str]:
    """The paths of all browsers installed on the machine, in the order of preference."""
    return [*filter(None, map(shutil.which, COMMANDS)), *(path for path in PROGRAMS if Path(path).exists())]


def downloaded_browsers() -> list[str]:
    """The path of the browser in the project's own folder, in a list that is empty until the download is complete."""
    markers = DOWNLOAD_FOLDER.glob("*/INSTALLATION_COMPLETE")  # Playwright writes this file last
    return [str(path) for marker in markers for name in DOWNLOADED_NAMES for path in marker.parent.glob(f"*/{name}")]


def candidates() -> list[str]:
    """The paths of all browsers that may be used, in order of preference; only that in CHROME_PATH if it is set."""
    chrome_path = os.environ.get("CHROME_PATH")
    return [chrome_path] if chrome_path else [*installed_browsers(), *downloaded_browsers()]


def can_start(path: str) -> bool:
    """Whether a browser can show an empty page."""
    # Like Playwright, use a temporary profile, because the home directory may not be writable.
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [path, "--headless", f"--user-data-dir={profile}", *flags(), "--dump-dom", "about:blank"]
        try:
            # The command was found on the machine, or the user named it.
            process = subprocess.run(command, capture_output=True, timeout=START_SECONDS, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            return False
    return process.returncode == 0 and b"<html>" in process.stdout


def executable() -> str | None:
    """The path of the first browser that starts, or None if no browser starts."""
    return next(filter(can_start, candidates()), None)


def advice(beginning: str = "the tests need") -> str:
    """A line that says what to do if no browser starts or Playwright is not installed.

    Args:
        beginning: the subject and the verb of the sentence, such as "the tests need".
    """
    if not PLAYWRIGHT_VERSION:
        return (
            f"{beginning} Playwright, which is not installed; "
            "make test installs it, along with everything else that the tests need"
        )
    if chrome_path := os.environ.get("CHROME_PATH"):
        return (
            f"CHROME_PATH names {chrome_path}, which does not start; name a Chromium or Chrome that does, or unset it"
        )
    return (
        f"{beginning} a Chromium or Chrome that starts, and there is none; install one "
        "(Debian and Ubuntu: apt-get install chromium), or name it in CHROME_PATH"
    )
