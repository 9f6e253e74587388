"""What `mkdocs serve` shows besides the built site: downloads, made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from mimetypes import guess_type
from typing import Any

Start = Callable[[str, list[tuple[str, str]]], object]
Application = Callable[[dict[str, Any], Start], Iterable[bytes]]
"""What answers requests, as in PEP 3333."""


def with_downloads(pages: Application, top: str) -> Application:
    """An application that asks another one, which serves the built site at an address, and adds what that one lacks."""

    def answer(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        responses: list[Any] = []
        body = pages(environ, lambda *status_and_headers: responses.extend(status_and_headers))
        address = environ["PATH_INFO"].removeprefix(top)
        if responses[0].startswith("404"):
            from macros.publish import makers

            if make := dict(makers()).get(address):
                content = make()
                start("200 OK", [("Content-Type", guess_type(address)[0] or "application/octet-stream")])
                return [content.encode() if isinstance(content, str) else content]
        start(*responses)
        return body

    return answer
