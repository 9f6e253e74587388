"""Describes an error by its message and the line of our own code that caused it.

The traceback of a build is long, and most of its frames belong to MkDocs, Jinja or Python. An author of pages needs
only the last frame in our own code.
"""

from __future__ import annotations

import traceback
from pathlib import Path

CODE_FOLDER = Path(__file__).parent

ENTRY_POINTS = {str(CODE_FOLDER / "serving.py"), str(CODE_FOLDER / "hooks.py"), str(CODE_FOLDER / "main.py")}
"""The files through which MkDocs calls the rest of our code; their frames do not show the cause of an error."""


def description(error: BaseException) -> str:
    """The message of an error, preceded by the line of our code at fault if the message needs it.

    If the error was raised from another one (`raise ... from`), the other one is described.
    """
    while error.__cause__:
        error = error.__cause__
    text = "".join(traceback.format_exception_only(error)).rstrip()
    frames = traceback.extract_tb(error.__traceback__)
    our_frames = [
        frame
        for frame in frames
        if Path(frame.filename).is_relative_to(CODE_FOLDER) and frame.filename not in ENTRY_POINTS
    ]
    # A syntax error already names its file, and our own errors describe what is wrong with the data.
    if not our_frames or isinstance(error, SyntaxError) or type(error).__module__.startswith("macros."):
        return text
    file = Path(our_frames[-1].filename).relative_to(CODE_FOLDER.parent).as_posix()
    return f"{file}, line {our_frames[-1].lineno}: {our_frames[-1].line}\n{text}"
