"""What `mkdocs serve` shows besides the built site: downloads, made when somebody asks for them, and errors.

MkDocs answers no request while the last build has failed, and only the
terminal says why. Here every page says it until a build succeeds.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable
from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import Any

Application = Callable[..., Iterable[bytes]]  # what answers requests, as in PEP 3333

ERROR_PAGE = Path(__file__).with_name("error.html").read_text(encoding="utf-8")


class Builds(logging.Handler):
    """Runs the builds of a server, and keeps what the last one failed with: in strict mode that is its warnings."""

    def __init__(self, build: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self.build = build
        self.messages: list[str] = []
        self.failure = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Note a warning."""
        self.messages.append(record.getMessage())

    def __call__(self) -> None:
        """Build the site, or note why that cannot be done; MkDocs then goes on answering requests."""
        self.messages.clear()
        logger = logging.getLogger("mkdocs")
        logger.addHandler(self)
        try:
            self.build()
            self.failure = ""
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            self.failure = "\n".join([*self.messages, *traceback.format_exception_only(error)])
        finally:
            logger.removeHandler(self)


def with_downloads_and_errors(pages: Application, top: str, builds: Builds) -> Application:
    """An application that asks another one, and adds what that one lacks.

    Args:
        pages: serves the files of the built site, and waits for a build under way.
        top: the address of the site on its server, such as `"/"`.
        builds: knows whether the last build failed.
    """

    def answer(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        responses: list[Any] = []
        body = pages(environ, lambda *status_and_headers: responses.extend(status_and_headers))
        address = environ["PATH_INFO"].removeprefix(top)
        if builds.failure and (address.endswith((".html", "/")) or not address) and "livereload/" not in address:
            start("500 Internal Server Error", [("Content-Type", "text/html; charset=utf-8")])
            return [ERROR_PAGE.format(escape(builds.failure)).encode()]
        if not builds.failure:
            from macros.publish import makers

            if make := dict(makers()).get(address):
                content = make()
                start("200 OK", [("Content-Type", guess_type(address)[0] or "application/octet-stream")])
                return [content.encode() if isinstance(content, str) else content]
        start(*responses)
        return body

    return answer
