"""What `mkdocs serve` shows besides the built site."""

from __future__ import annotations

from typing import Any

import pytest

from macros.serving import Start, with_downloads


def asked_for(address: str, status: str = "404 Not Found") -> tuple[str, str, bytes]:
    """Status, type and text of what a server below `/bert/` answers whose pages come with this status."""

    def pages(_: object, start: Start) -> list[bytes]:
        start(status, [("Content-Type", "text/html")])
        return [b"a page"]

    responses: list[Any] = []
    body = with_downloads(pages, "/bert/")({"PATH_INFO": address}, lambda *more: responses.extend(more))
    return responses[0], dict(responses[1])["Content-Type"], b"".join(body)


def test_a_download_is_made_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the type that its name says; whatever else is asked for comes from the built site."""
    files = [("data/a.csv", lambda: "é\n"), ("data/b.zip", lambda: b"PK")]
    monkeypatch.setattr("macros.publish.makers", lambda: files)
    assert ("200 OK", "text/csv", "é\n".encode()) == asked_for("/bert/data/a.csv")
    assert ("200 OK", "application/zip", b"PK") == asked_for("/bert/data/b.zip")
    assert ("404 Not Found", "text/html", b"a page") == asked_for("/bert/data/d.csv")
    assert ("404 Not Found", "text/html", b"a page") == asked_for("/data/a.csv")
    assert ("200 OK", "text/html", b"a page") == asked_for("/bert/data/a.csv", "200 OK")
