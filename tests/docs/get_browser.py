"""Make sure that there is a browser for the tests: `python -m tests.docs.get_browser`.

An installed Chromium or Chrome is taken as it is. Where there is none,
Playwright downloads one into the project's own folder; where that cannot be
had or does not start, apt-get installs Debian's. Each step counts only if the
browser starts afterwards. Exits with 1 and says what to do if nothing helps.

With `--other` it prints the path of another browser than that one: Playwright's
own where it can be had, otherwise one that is installed, or Debian's.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from macros.publish.paper.browser import OWN, advice, downloaded, executable, installed, starts

MINUTES = 60
DOWNLOAD_SECONDS = 5 * MINUTES
INSTALL_SECONDS = 15 * MINUTES

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's browser: alone if it can be had so, or with the window that the tests do not need."""

FONT = "fonts-dejavu-core"
"""Without a font the browser would draw no letters."""


def succeeds(command: list[str], seconds: float, **environment: str) -> bool:
    """Whether a command ends well and in time; what it prints is kept back."""
    try:
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def download() -> bool:
    """Let Playwright put the browser it was made for into the project's own folder."""
    print("Downloading a browser into .cache/", file=sys.stderr)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    where = {"PLAYWRIGHT_BROWSERS_PATH": str(OWN), "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    return succeeds(command, DOWNLOAD_SECONDS, **where)


def install(packages: Sequence[str] = PACKAGES) -> bool:
    """Let apt-get install the first of Debian's browsers that it has, if it is there and may."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print("No download that starts: installing Chromium with apt-get", file=sys.stderr)
    run = partial(succeeds, seconds=INSTALL_SECONDS, DEBIAN_FRONTEND="noninteractive")
    get = ["apt-get", "install", "--yes", "--no-install-recommends", FONT]
    return run(["apt-get", "update"]) and any(run([*get, package]) for package in packages)


def get_browser(ways: tuple[Callable[[], bool], ...] = (download, install)) -> str | None:
    """The path of a browser that starts, got in the first way that works; None if none does."""
    found = executable()
    if found or os.environ.get("CHROME_PATH"):  # a browser that was asked for by name is not replaced by another
        return found
    for way in ways:
        if way() and (found := executable()):
            return found
    return None


def other_browser() -> str | None:
    """The path of another browser than the one that the tests take; None if none can be had that starts."""
    taken = Path(executable() or "").resolve()

    def found() -> str | None:
        others = (path for path in (*downloaded(), *installed()) if Path(path).resolve() != taken)
        return next(filter(starts, others), None)

    if not downloaded():
        download()
    # Of Debian's, the one without a window is the one that the tests take.
    return found() or (found() if install(PACKAGES[1:]) else None)


def main(arguments: Sequence[str] = ()) -> int:
    """Get a browser, or say how to."""
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
