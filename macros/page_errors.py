"""Error messages for macro calls: the page, line, call, error and remedy, followed by the traceback.

mkdocs-macros does not report the call, and it counts lines from the end of the front matter. Jinja reports only a
line. If the line contains several calls, each is rendered separately, and the first one to raise the same error is
assumed to be the one that failed.
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
"""Matches a Jinja expression or statement."""

PAGE_IN_TRACEBACK = "<template>"
"""The file name of a page in Jinja's tracebacks. A file that the page includes has its own name there."""

UNDEFINED = re.compile(r"^'(\w+)' is undefined")
NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
"""Match the messages of Jinja about an unknown name and about an unknown member of a topic."""


def error_message(error: Exception, text: str, source: str, page_path: str, render: Callable[[str], object]) -> str:
    """The message for an error on a page, ending with the traceback.

    Args:
        error: the error that was raised while the text was rendered.
        text: the text that was rendered, which is the page without its front matter, or its title alone.
        source: the whole page.
        page_path: the path of the page.
        render: renders a string with the macros and variables of this page.
    """
    line = _line(error)
    call = _call(error, text, line, render)
    lines_before = source.count("\n", 0, max(source.find(text), 0))
    location = f"{page_path}, line {lines_before + line}" if line else page_path
    remedy = _remedy(error, call)
    fault = f"{type(error).__name__}: {error}{f'; {remedy}' if remedy else ''}"
    return "\n".join([f"{location}: {call}", fault, "", *traceback.format_exception(error)])


def _line(error: Exception) -> int:
    """The line of the rendered text at which the error was raised; 0 if it is unknown."""
    # If a template error has no file name, the page itself could not be parsed.
    if type(error).__name__.startswith("Template") and getattr(error, "name", "") is None:
        return int(getattr(error, "lineno", 0))
    lines = [
        frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == PAGE_IN_TRACEBACK
    ]
    return lines[-1] if lines else 0


def _call(error: Exception, text: str, line: int, render: Callable[[str], object]) -> str:
    """The source of the call that failed; the whole line if no call on it raises the same error."""
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
        except Exception as other_error:
            if (type(other_error), str(other_error)) == (type(error), str(error)):
                return call
    return "".join(text.splitlines()[line - 1 : line]).strip()


def _remedy(error: Exception, call: str) -> str:
    """Advice on an unknown name or wrong arguments in a call; may be empty.

    The engine's errors need none, because their messages already include the remedy.
    """
    if undefined := UNDEFINED.search(str(error)):
        return suggestion(undefined[1], [*MACROS, *VARIABLES, *TOPICS])
    if attribute := NO_ATTRIBUTE.search(str(error)):
        owner = re.search(rf"(\w+)(?:\.|\[.){attribute[1]}\b", call)
        members = {**VARIABLES, **TOPICS}.get(owner[1]) if owner else None
        return suggestion(attribute[1], members) if isinstance(members, Mapping) else ""
    if isinstance(error, TypeError):
        macros = _macros_by_call()
        return "; ".join(_usage(name, macros[name]) for name in re.findall(r"([\w.]+)\(", call) if name in macros)
    return ""


def _macros_by_call() -> dict[str, Callable[..., Any]]:
    """All macros by the name with which pages call them, such as `number` or `calculator.form`."""
    macros_of_topics = {
        f"{topic}.{name}": member
        for topic, members in TOPICS.items()
        for name, member in members.items()
        if callable(member)
    }
    return {**MACROS, **macros_of_topics}


def _usage(name: str, macro: Callable[..., Any]) -> str:
    """The signature of a macro as advice: `call size(letter, model='bert-base-uncased')`."""
    arguments = inspect.signature(macro).parameters.values()
    return f"call {name}({', '.join(str(argument.replace(annotation=argument.empty)) for argument in arguments)})"
