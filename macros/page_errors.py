"""Why a macro on a page failed: page, line, call, fault and what would do, in front of the traceback.

mkdocs-macros counts lines from behind the front matter and names no call.
Jinja names a line, on which several calls may stand; each is tried by itself,
and the first that fails in the same way is the one.
"""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from macros.counting.errors import suggestion
from macros.site import MACROS, TOPICS, VARIABLES

CALL = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)

PAGE = "<template>"
"""What Jinja calls the text of a page in a traceback; what a page includes has a name of its own."""

UNDEFINED = re.compile(r"^'(\w+)' is undefined")
NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")


def explained(error: Exception, text: str, source: str, page: str, render: Callable[[str], object]) -> str:
    """What is wrong with a page, with the traceback at the end.

    Args:
        error: what was raised while the text was rendered.
        text: what was rendered, the page without its front matter or its title alone.
        source: the whole page.
        page: its name.
        render: renders any text as one of this page.
    """
    line = _line(error)
    call = _call(error, text, line, render)
    before = source.count("\n", 0, max(source.find(text), 0))
    place = f"{page}, line {before + line}" if line else page
    remedy = _remedy(error, call)
    fault = f"{type(error).__name__}: {error}{f'; {remedy}' if remedy else ''}"
    return "\n".join([f"{place}: {call}", fault, "", *traceback.format_exception(error)])


def _line(error: Exception) -> int:
    """The line of the text that was rendered; 0 if it is not known."""
    if type(error).__name__.startswith("Template") and getattr(error, "name", "") is None:  # the page cannot be read
        return int(getattr(error, "lineno", 0))
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == PAGE]
    return (lines or [0])[-1] or 0


def _call(error: Exception, text: str, line: int, render: Callable[[str], object]) -> str:
    """The call that failed, as it is written on the page; the whole line if no call of it fails alike by itself."""
    calls = [
        call[0]
        for call in CALL.finditer(text)
        if text.count("\n", 0, call.start()) < line <= text.count("\n", 0, call.end()) + 1
    ]
    if len(calls) == 1:
        return calls[0]
    for call in calls:
        try:
            render(call)
        except Exception as other:
            if (type(other), str(other)) == (type(error), str(error)):
                return call
    return "".join(text.splitlines()[line - 1 : line]).strip()


def _remedy(error: Exception, call: str) -> str:
    """What would do, where the message does not say it: the messages of the engine do."""
    if name := UNDEFINED.search(str(error)):
        return suggestion(name[1], [*MACROS, *VARIABLES, *TOPICS])
    if name := NO_ATTRIBUTE.search(str(error)):
        owner = re.search(rf"(\w+)(?:\.|\[.){name[1]}\b", call)
        known = {**VARIABLES, **TOPICS}.get(owner[1]) if owner else None
        return suggestion(name[1], known) if isinstance(known, Mapping) else ""
    if isinstance(error, TypeError):
        known = _by_call()
        return "; ".join(_usage(name, known[name]) for name in re.findall(r"([\w.]+)\(", call) if name in known)
    return ""


def _by_call() -> dict[str, Callable[..., Any]]:
    """Every macro by what a page calls it, such as `calculator.form`."""
    of_topics = {
        f"{topic}.{name}": member
        for topic, members in TOPICS.items()
        for name, member in members.items()
        if callable(member)
    }
    return {**MACROS, **of_topics}


def _usage(name: str, macro: Callable[..., Any]) -> str:
    """How a macro is called: `size(letter, model='bert-base-uncased')`, with its arguments and their defaults."""
    arguments = inspect.signature(macro).parameters.values()
    return f"call {name}({', '.join(str(each.replace(annotation=each.empty)) for each in arguments)})"
