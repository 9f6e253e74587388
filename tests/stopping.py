"""Stops a program before a chosen change to files, and identifies the site that it leaves behind.

A change is opening a file for writing, or creating, moving or removing a file or folder.
Python's audit events report every change, whichever function makes it.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from macros.publish.replacing import UNFINISHED
from tests.docs.building import contents

CHANGE_EVENTS = ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
"""The audit events for changes, in addition to `open`. `os.replace` and `os.unlink` raise one of these too."""


def kill() -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk() -> None:
    """Raise the error that a change raises when the disk is full."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def record_changes(within: Path, stop: Callable[[], None] = lambda: None, at: int = 0) -> list[str]:
    """Start recording changes in the folder `within`, and return the list to which they will be added.

    Before change number `at`, `stop` is called.

    Because an audit hook cannot be removed, only a process that is about to end may call this.
    """
    changes: list[str] = []

    def record(event: str, arguments: tuple[Any, ...]) -> None:
        """Record the event if it is a change, and call `stop` before change number `at`."""
        if event == "open":
            path, _, flags = arguments
            is_change = bool(flags & (os.O_WRONLY | os.O_RDWR))
        else:
            path = arguments[0] if arguments else ""
            is_change = event in CHANGE_EVENTS
        # `shutil.rmtree` reports file names relative to their folder.
        if (
            is_change
            and isinstance(path, str | Path)
            and (Path(path).is_relative_to(within) or not os.path.dirname(path))
        ):
            changes.append(f"{event} {path}")
            if len(changes) == at:
                stop()

    sys.addaudithook(record)
    return changes


def status_in_child(run: Callable[[], int]) -> int:
    """Run a function in a child process, and return its exit status, or the negated signal if a signal ended it."""
    child = os.fork()
    if not child:
        status = 70  # remains in case of an error that no test expects
        try:
            status = run()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def state(site: Path, sites: dict[str, dict[str, bytes]]) -> str:
    """The state of a site's folder, in words.

    It is "unfinished" if the folder contains the file `UNFINISHED`. Otherwise, it is the name of the equal site in
    `sites` or, if none is equal, "neither" with the names of the files.

    Args:
        site: the folder.
        sites: the files of each complete site, by its name.
    """
    if (site / UNFINISHED).exists():
        return "unfinished"
    site_contents = contents(site)
    return next((name for name, files in sites.items() if files == site_contents), f"neither: {sorted(site_contents)}")
