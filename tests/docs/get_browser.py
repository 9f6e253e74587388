"""Makes sure that the tests have a browser: `python -m tests.docs.get_browser`.

An installed Chromium or Chrome is used as it is. If there is none, Playwright downloads a browser into the project's
cache. If that fails, or the downloaded browser does not start, apt-get installs Debian's package. If no browser starts
even then, the command prints advice and exits with status 1.

With `--other`, the command prints the path of a second browser instead: Playwright's download if possible, otherwise
an installed browser or Debian's.
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
"""The time limits, in seconds, of a download and an installation: several times as long as each should take."""

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's browser packages. The first cannot open windows, and not every release of Debian has it."""

FONT = "fonts-dejavu-core"
"""Debian's package of a font. Without any font, a browser draws no letters."""


def succeeds(command: list[str], seconds: float, **environment: str) -> bool:
    """Run a command, discard its output, and return whether it ended in time and with status 0."""
    try:
        process = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return process.returncode == 0


def download() -> bool:
    """Have Playwright download its browser into the project's cache; return whether it succeeded."""
    print("Downloading a browser into .cache/", file=sys.stderr)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    # Where downloads are blocked, the timeout in milliseconds makes Playwright give up quickly on each of its servers.
    settings = {"PLAYWRIGHT_BROWSERS_PATH": str(DOWNLOAD_FOLDER), "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    return succeeds(command, DOWNLOAD_SECONDS, **settings)


def install(packages: Sequence[str] = PACKAGES) -> bool:
    """Have apt-get install the first of the packages that is available; return whether one was installed.

    This requires superuser rights.
    """
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print("No downloaded browser starts, so apt-get installs Chromium", file=sys.stderr)
    run = partial(succeeds, seconds=INSTALL_SECONDS, DEBIAN_FRONTEND="noninteractive")
    install_command = ["apt-get", "install", "--yes", "--no-install-recommends", FONT]
    return run(["apt-get", "update"]) and any(run([*install_command, package]) for package in packages)


def get_browser(sources: tuple[Callable[[], bool], ...] = (download, install)) -> str | None:
    """The path of a browser that starts. If none is installed, the sources are tried in turn; None if all fail."""
    path = executable()
    if path or os.environ.get("CHROME_PATH"):  # a browser that the user has chosen is not replaced
        return path
    for get_from_source in sources:
        if get_from_source():
            path = executable()
            if path:
                return path
    return None


def other_browser() -> str | None:
    """The path of a browser other than the one that the tests use; None if no other browser starts."""
    in_use = Path(executable() or "").resolve()

    def first_other() -> str | None:
        """The first browser on this machine that starts and is not the one in use."""
        candidates = (
            path for path in (*downloaded_browsers(), *installed_browsers()) if Path(path).resolve() != in_use
        )
        return next(filter(can_start, candidates), None)

    if not downloaded_browsers():
        download()
    # The first of Debian's packages is probably the browser in use, so only the second is installed.
    return first_other() or (first_other() if install(PACKAGES[1:]) else None)


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
        if path:
            print(path)
            return 0
        print("there is no browser other than the one that the tests use", file=sys.stderr)
        return 1
    if get_browser():
        return 0
    print(advice(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
