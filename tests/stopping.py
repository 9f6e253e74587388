"""Stops a program at any of its changes of files, and describes the site that it has left behind.

A change is the opening of a file to write, or the making, moving or removing of a file
or folder. Python's audit events report them, so none is missed, whichever function
makes it.
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

CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
"""The audit events that change files, besides `open`; `os.replace` and `os.unlink` raise one of these too."""


def kill() -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk() -> None:
    """Fail as a change of a file does on a full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def count_changes(within: Path, stop: Callable[[], None] = lambda: None, at: int = 0) -> list[str]:
    """A list to which every change of a file in a folder is added from now on; `stop` is called before change `at`.

    The hook cannot be removed, so this is for processes that end.
    """
    changes: list[str] = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            is_change = bool(flags & (os.O_WRONLY | os.O_RDWR))
        else:
            path, is_change = (arguments or ("",))[0], event in CHANGES
        # `shutil.rmtree` names files relative to their folder.
        if (
            is_change
            and isinstance(path, str | Path)
            and (Path(path).is_relative_to(within) or not os.path.dirname(path))
        ):
            changes.append(f"{event} {path}")
            if len(changes) == at:
                stop()

    sys.addaudithook(note)
    return changes


def status_in_child(run: Callable[[], int]) -> int:
    """The exit status of a function that is run in a process of its own; negative if a signal ended it."""
    child = os.fork()
    if not child:
        status = 70  # The status for an error that no test expects.
        try:
            status = run()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def state(site: Path, whole: dict[str, dict[str, bytes]]) -> str:
    """The name of the whole site in a folder, or "unfinished" if it is marked so, or "neither" with the files in it."""
    if (site / UNFINISHED).exists():
        return "unfinished"
    site_contents = contents(site)
    return next((name for name, files in whole.items() if files == site_contents), f"neither: {sorted(site_contents)}")
