"""Makes sure that the tests have a browser: `python -m tests.docs.get_browser`.

An installed Chromium or Chrome is used as it is. If there is none, Playwright downloads one into
the project's own folder; if that fails or does not start, apt-get installs Debian's. A step counts
only if the browser starts afterwards. If none does, it prints what to do and exits with 1.

With `--other` it prints the path of a second browser: Playwright's own if it can be had, otherwise
an installed one, or Debian's.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from macros.publish.paper.browser import (
    DOWNLOAD_FOLDER,
    advice,
    can_start,
    downloaded_browsers,
    executable,
    installed_browsers,
)

MINUTES = 60
DOWNLOAD_SECONDS = 5 * MINUTES
INSTALL_SECONDS = 15 * MINUTES

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's packages of the browser. The first has no window, which the tests do not need, but may not be available."""

FONT = "fonts-dejavu-core"
"""The package of a font, because a browser without any font draws no letters."""


def succeeds(command: list[str], seconds: float, **environment: str) -> bool:
    """Return whether a command ends with status 0 and in time. Its output is discarded."""
    try:
        process = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return process.returncode == 0


def download() -> bool:
    """Have Playwright download its browser into the project's own folder."""
    print("Downloading a browser into .cache/", file=sys.stderr)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    settings = {"PLAYWRIGHT_BROWSERS_PATH": str(DOWNLOAD_FOLDER), "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    return succeeds(command, DOWNLOAD_SECONDS, **settings)


def install(packages: Sequence[str] = PACKAGES) -> bool:
    """Have apt-get install the first available browser of Debian's, if we may use apt-get."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print("No download that starts: installing Chromium with apt-get", file=sys.stderr)
    run = partial(succeeds, seconds=INSTALL_SECONDS, DEBIAN_FRONTEND="noninteractive")
    get = ["apt-get", "install", "--yes", "--no-install-recommends", FONT]
    return run(["apt-get", "update"]) and any(run([*get, package]) for package in packages)


def get_browser(ways: tuple[Callable[[], bool], ...] = (download, install)) -> str | None:
    """The path of a browser that starts, trying one way after another to get it; None if none does."""
    path = executable()
    if path or os.environ.get("CHROME_PATH"):  # a browser that is named there is not replaced by another
        return path
    for way in ways:
        if way() and (path := executable()):
            return path
    return None


def other_browser() -> str | None:
    """The path of a browser other than the one that the tests use; None if no other starts."""
    in_use = Path(executable() or "").resolve()

    def another() -> str | None:
        others = (path for path in (*downloaded_browsers(), *installed_browsers()) if Path(path).resolve() != in_use)
        return next(filter(can_start, others), None)

    if not downloaded_browsers():
        download()
    # The first of Debian's packages, without a window, is the browser that the tests use.
    return another() or (another() if install(PACKAGES[1:]) else None)


def main(arguments: Sequence[str] = ()) -> int:
    """Get a browser, or print how to."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.docs.get_browser", description="Get a browser for the tests, if there is none."
    )
    parser.add_argument("--other", action="store_true", help="get another one than they take, and print its path")
    if parser.parse_args(arguments).other:
        path = other_browser()
        print(path or "there is no other browser than the one that the tests take", file=None if path else sys.stderr)
        return 0 if path else 1
    if get_browser():
        return 0
    print(advice(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
