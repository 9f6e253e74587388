"""A browser for the tests: whichever Chromium or Chrome the machine has."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)

HOW_TO_GET_ONE = (
    "the browser tests need Chromium or Chrome and found none; install one "
    "(Debian and Ubuntu: apt-get install chromium), or name it in CHROME_PATH"
)

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these the browser calls its maker, and the tests watch who is called.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def flags() -> list[str]:
    """How to start it; a superuser, as in a container, has to do without the sandbox."""
    superuser = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, "--no-sandbox"] if superuser else FLAGS


def executable() -> str | None:
    """The path of an installed browser, or None."""
    named = os.environ.get("CHROME_PATH")
    if named:
        return named
    return next(filter(None, map(shutil.which, NAMES)), None) or next(filter(lambda p: Path(p).exists(), PLACES), None)
