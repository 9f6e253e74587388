"""Makes sure that the tests have a browser: `python -m tests.docs.get_browser`.

An installed Chromium or Chrome is used as it is. If there is none, Playwright downloads one into
the project's cache; if that fails or the download does not start, apt-get installs Debian's package. If no
browser starts in the end, the command prints what to do and exits with 1.

With `--other`, it prints the path of a second browser instead: Playwright's download if possible, otherwise
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

MINUTE = 60
DOWNLOAD_SECONDS = 5 * MINUTE
INSTALL_SECONDS = 15 * MINUTE
"""The seconds after which a download or an installation is given up, several times as long as either takes."""

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's packages of the browser. The first opens no windows, and not every release has it."""

FONT = "fonts-dejavu-core"
"""Debian's package of a font: without any font, a browser draws no letters."""


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
    """Have Playwright download its browser into the project's cache; return whether it did."""
    print("Downloading a browser into .cache/", file=sys.stderr)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    # Milliseconds: where downloads are blocked, each of Playwright's servers is given up quickly.
    settings = {"PLAYWRIGHT_BROWSERS_PATH": str(DOWNLOAD_FOLDER), "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    return succeeds(command, DOWNLOAD_SECONDS, **settings)


def install(packages: Sequence[str] = PACKAGES) -> bool:
    """Have apt-get install the first of Debian's packages that is available; return whether one was installed.

    Only a superuser may do so.
    """
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print("There is no download that starts, so apt-get installs Chromium", file=sys.stderr)
    run = partial(succeeds, seconds=INSTALL_SECONDS, DEBIAN_FRONTEND="noninteractive")
    install_command = ["apt-get", "install", "--yes", "--no-install-recommends", FONT]
    return run(["apt-get", "update"]) and any(run([*install_command, package]) for package in packages)


def get_browser(sources: tuple[Callable[[], bool], ...] = (download, install)) -> str | None:
    """The path of a browser that starts, trying the sources in turn if none is installed; None if none does."""
    path = executable()
    if path or os.environ.get("CHROME_PATH"):  # a browser that is named there is not replaced by another
        return path
    for get in sources:
        if get() and (path := executable()):
            return path
    return None


def other_browser() -> str | None:
    """The path of a browser other than the one that the tests use; None if no other starts."""
    in_use = Path(executable() or "").resolve()

    def another() -> str | None:
        """The first browser here that can start and is not in use yet."""
        candidates = (
            path for path in (*downloaded_browsers(), *installed_browsers()) if Path(path).resolve() != in_use
        )
        return next(filter(can_start, candidates), None)

    if not downloaded_browsers():
        download()
    # The first of Debian's packages is probably the browser in use, so only the second is installed.
    return another() or (another() if install(PACKAGES[1:]) else None)


def main(arguments: Sequence[str] = ()) -> int:
    """Get a browser, or print how to get one; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.docs.get_browser", description="Get a browser for the tests if none is installed."
    )
    parser.add_argument(
        "--other", action="store_true", help="get a browser other than the one that the tests use, and print its path"
    )
    if parser.parse_args(arguments).other:
        path = other_browser()
        print(path or "there is no browser other than the one that the tests use", file=None if path else sys.stderr)
        return 0 if path else 1
    if get_browser():
        return 0
    print(advice(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
