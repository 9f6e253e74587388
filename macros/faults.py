"""Where an error comes from: the file and the line of ours that were at work when it was raised."""

from __future__ import annotations

import traceback
from pathlib import Path

HERE = Path(__file__).parent

STARTING = {str(HERE / "serving.py"), str(HERE / "hooks.py"), str(HERE / "main.py")}
"""What calls all the rest, and passes on every error."""


def described(error: BaseException) -> str:
    """An error with the file and the line at fault, without the traceback.

    What was raised because of another error is described by that one.
    """
    while error.__cause__:
        error = error.__cause__
    text = "".join(traceback.format_exception_only(error)).rstrip()
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(HERE) and frame.filename not in STARTING]
    # A syntax error, and an error of our own, names the file that is wrong.
    if not ours or isinstance(error, SyntaxError) or type(error).__module__.startswith("macros."):
        return text
    place = Path(ours[-1].filename).relative_to(HERE.parent).as_posix()
    return f"{place}, line {ours[-1].lineno}: {ours[-1].line}\n{text}"
