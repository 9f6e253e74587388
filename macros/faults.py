"""Describes an error by the line of our own code that it comes from.

A traceback of a build is long, and most of its lines belong to MkDocs, Jinja or Python. Whoever edits this
repository needs the last line of our own code.
"""

from __future__ import annotations

import traceback
from pathlib import Path

HERE = Path(__file__).parent

ENTRY_POINTS = {str(HERE / "serving.py"), str(HERE / "hooks.py"), str(HERE / "main.py")}
"""The files that call everything else. Every error passes through them, so their lines say nothing about its cause."""


def description(error: BaseException) -> str:
    """An error with the file and line at fault, without its traceback.

    If it was raised because of another error (`raise ... from`), the description is that of the other error.
    """
    while error.__cause__:
        error = error.__cause__
    text = "".join(traceback.format_exception_only(error)).rstrip()
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame for frame in frames if Path(frame.filename).is_relative_to(HERE) and frame.filename not in ENTRY_POINTS
    ]
    # A syntax error names its file already, and an error of our own says what is wrong with the data.
    if not ours or isinstance(error, SyntaxError) or type(error).__module__.startswith("macros."):
        return text
    file = Path(ours[-1].filename).relative_to(HERE.parent).as_posix()
    return f"{file}, line {ours[-1].lineno}: {ours[-1].line}\n{text}"
