"""Stops a program before any of the changes that it makes to files, and says which site it has left behind.

A change is opening a file to write, or making, moving or removing a file or folder. Python's
audit events report changes, so none is missed, whichever function makes it.
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
"""The audit events of changes, besides `open`. `os.replace` and `os.unlink` raise one of these, too."""


def kill() -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk() -> None:
    """Fail as a change does if the disk is full."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def count_changes(within: Path, stop: Callable[[], None] = lambda: None, at: int = 0) -> list[str]:
    """A list to which every change in the folder `within` is added from now on. `stop` is called before change `at`.

    Because an audit hook cannot be removed, only a process that is about to end may call this.
    """
    changes: list[str] = []

    def record(event: str, arguments: tuple[Any, ...]) -> None:
        """Record an event that changes a file, and stop if it is the one at which to stop."""
        if event == "open":
            path, _, flags = arguments
            is_change = bool(flags & (os.O_WRONLY | os.O_RDWR))
        else:
            path, is_change = (arguments or ("",))[0], event in CHANGE_EVENTS
        # `shutil.rmtree` names files relative to their folder.
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
    """The exit status of a function that is run in a child process; minus the signal if that ended it."""
    child = os.fork()
    if not child:
        status = 70  # for an error that no test expects
        try:
            status = run()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def state(site: Path, sites: dict[str, dict[str, bytes]]) -> str:
    """The name of the site that is in a folder: "unfinished" if it is marked so, or "neither" with the files in it.

    Args:
        site: the folder.
        sites: the files of each complete site, by its name.
    """
    if (site / UNFINISHED).exists():
        return "unfinished"
    site_contents = contents(site)
    return next((name for name, files in sites.items() if files == site_contents), f"neither: {sorted(site_contents)}")
