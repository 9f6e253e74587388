"""Stopping a program at any of the moments in which it changes files, and seeing what it has left of a site.

A moment is the opening of a file to write, or a folder or file that is made,
moved or removed. They are counted by Python's own audit events, so none is
forgotten, whichever function brings it about.
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
"""What Python reports of files besides their being opened; `os.replace` and `os.unlink` are among these."""


def kill() -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk() -> None:
    """Let a change of a file fail as on a full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def count_changes(within: Path, stop: Callable[[], None] = lambda: None, at: int = 0) -> list[str]:
    """A list that fills with the changes of files in a folder; `stop` is called before the one `at` a place.

    It cannot be taken back, so this is for processes that end.
    """
    seen: list[str] = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            changes = bool(flags & (os.O_WRONLY | os.O_RDWR))
        else:
            path, changes = (arguments or ("",))[0], event in CHANGES
        # What removes a whole folder names the files from where they are.
        if (
            changes
            and isinstance(path, str | Path)
            and (Path(path).is_relative_to(within) or not os.path.dirname(path))
        ):
            seen.append(f"{event} {path}")
            if len(seen) == at:
                stop()

    sys.addaudithook(note)
    return seen


def status_in_child(run: Callable[[], int]) -> int:
    """The exit status of something that is done in a process of its own; negative for a signal that ended it."""
    child = os.fork()
    if not child:
        status = 70  # an error that nobody expects
        try:
            status = run()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def state(site: Path, whole: dict[str, dict[str, bytes]]) -> str:
    """What a folder holds: one of some whole sites, by its name; or it is marked as unfinished; or neither."""
    if (site / UNFINISHED).exists():
        return "unfinished"
    found = contents(site)
    return next((name for name, files in whole.items() if files == found), f"neither: {sorted(found)}")
