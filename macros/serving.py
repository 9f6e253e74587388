"""Makes `mkdocs serve` also serve downloads, pages for frames and error messages.

There are many downloads and pages for frames, and authors rarely look at them, so
each is generated on request. After a failed build, MkDocs would answer no requests,
and the reason would appear only in the terminal. Instead, every page shows the error
until a build succeeds.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable
from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import Any

Application = Callable[..., Iterable[bytes]]
"""A WSGI application (PEP 3333)."""

ERROR_PAGE = Path(__file__).with_name("error.html").read_text(encoding="utf-8")
"""The template of the page that shows an error; `{}` is replaced with the message."""

TRACEBACK = "Traceback (most recent call last):"
"""The first line of a traceback, which separates it from the message before it."""


class BuildRecorder(logging.Handler):
    """Runs the builds of a server and records why the last one failed, including the warnings of a strict build.

    Args:
        build: builds the site; it raises an error or exits if the build fails.

    Attributes:
        messages: the warnings and errors that MkDocs logged in the current or last build.
        failure: the reason why the last build failed; empty if it succeeded.
    """

    def __init__(self, build: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self.build = build
        self.messages: list[str] = []
        self.failure = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Record a warning or an error."""
        self.messages.append(record.getMessage())

    def __call__(self) -> None:
        """Build the site, or record why the build failed; either way, MkDocs continues to answer requests."""
        self.messages.clear()
        logger = logging.getLogger("mkdocs")
        logger.addHandler(self)
        try:
            self.build()
            self.failure = ""
        except (Exception, SystemExit) as error:
            from macros.faults import description

            traceback.print_exc()
            # MkDocs raises SystemExit after reporting the fault itself.
            trace = "" if isinstance(error, SystemExit) else f"\n\n{traceback.format_exc()}"
            self.failure = _messages_first([*self.messages, description(error) + trace])
        finally:
            logger.removeHandler(self)


def _messages_first(faults: Iterable[str]) -> str:
    """The messages of all faults, followed by their tracebacks, if any."""
    messages_and_traces = [fault.partition(f"\n\n{TRACEBACK}") for fault in faults]
    return "\n".join(
        [
            *(text for text, _, _ in messages_and_traces),
            *(f"\n{TRACEBACK}{trace}" for _, separator, trace in messages_and_traces if separator),
        ]
    )


def with_downloads_and_errors(pages: Application, mount_path: str, builds: BuildRecorder, site: Path) -> Application:
    """A WSGI application that adds downloads, pages for frames and error messages to the application `pages`.

    Args:
        pages: serves the files of the built site, waiting while a build runs.
        mount_path: the path of the site on its server, such as `"/"`.
        builds: the builds of the server, whose `failure` is shown.
        site: the folder of the built site.
    """

    def answer(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        """Answer a request as WSGI requires: call `start` with the status and the headers, and return the body."""
        status_and_headers: list[Any] = []
        body = pages(environ, lambda *arguments: status_and_headers.extend(arguments))
        address = environ["PATH_INFO"].removeprefix(mount_path)
        # Only pages show the error. Style sheets and the address that reports a new build are served as usual.
        is_page = (not address or address.endswith((".html", "/"))) and "livereload/" not in address
        if builds.failure and is_page:
            start("500 Internal Server Error", [("Content-Type", "text/html; charset=utf-8")])
            return [ERROR_PAGE.format(escape(builds.failure)).encode()]
        if not builds.failure:
            from macros.publish import makers, piece

            make = dict(makers()).get(address)
            content = make() if make else piece(site, address)
            if content is not None:
                start("200 OK", [("Content-Type", guess_type(address)[0] or "application/octet-stream")])
                return [content.encode() if isinstance(content, str) else content]
        start(*status_and_headers)
        return body

    return answer
