"""`mkdocs serve` generates downloads and pages for frames on request, and shows the errors of a failed build."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from macros.serving import BuildRecorder, with_downloads_and_errors


def response_to(
    address: str, builds: BuildRecorder, status: str = "404 Not Found", site: Path = Path("no site")
) -> tuple[str, str, bytes]:
    """The status, content type and body of the response to a request for an address.

    The site is served at `/bert/`. `status` is the status of MkDocs' own response.
    """

    def mkdocs(_: object, start: Callable[..., object]) -> list[bytes]:
        start(status, [("Content-Type", "text/html")])
        return [b"a page"]

    responses: list[Any] = []
    application = with_downloads_and_errors(mkdocs, "/bert/", builds, site)
    body = application({"PATH_INFO": address}, lambda *more: responses.extend(more))
    return responses[0], dict(responses[1])["Content-Type"], b"".join(body)


def test_a_download_is_generated_when_it_is_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    """The content type of a download follows from its file name. Requests for other addresses are left to MkDocs."""
    files = [("data/a.csv", lambda: "é\n"), ("data/b.zip", lambda: b"PK")]
    monkeypatch.setattr("macros.publish.makers", lambda: files)
    builds = BuildRecorder(lambda: None)
    assert ("200 OK", "text/csv", "é\n".encode()) == response_to("/bert/data/a.csv", builds)
    assert ("200 OK", "application/zip", b"PK") == response_to("/bert/data/b.zip", builds)
    assert ("404 Not Found", "text/html", b"a page") == response_to("/bert/data/d.csv", builds)
    assert ("404 Not Found", "text/html", b"a page") == response_to("/data/a.csv", builds)
    # The build writes an empty file, which MkDocs finds.
    assert ("200 OK", "text/csv", "é\n".encode()) == response_to("/bert/data/a.csv", builds, "200 OK")


def test_a_page_for_a_frame_is_generated_when_it_is_requested(tmp_path: Path) -> None:
    """The page contains the element named in the address. If there is no such element, MkDocs answers the request."""
    piece = '<table id="t"><caption>A<a class="bc-permalink" href="#t">#</a></caption></table>'
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.html").write_text(f"<h1>Why?</h1><article>{piece}</article>")
    builds = BuildRecorder(lambda: None)
    status, content_type, body = response_to("/bert/embed/parts/a/t.html", builds, site=tmp_path)
    assert ("200 OK", "text/html") == (status, content_type)
    assert b'<table id="t"><caption>A</caption>' in body
    assert b"'unsafe-inline'" in body
    for address in ("embed/parts/a/u.html", "embed/parts/b/t.html", "embed/parts/../parts/a/t.html", "embed"):
        assert b"a page" == response_to(f"/bert/{address}", builds, site=tmp_path)[2]


def test_a_failed_build_is_shown_until_one_succeeds() -> None:
    """Every page shows the error, preceded by the warnings. Other files are served unchanged."""
    outcomes: list[Exception | None] = [None, ValueError("<b>"), None]

    def build() -> None:
        logging.getLogger("mkdocs.some.part").warning("a link leads nowhere")
        outcome = outcomes.pop(0)
        if outcome:
            raise outcome

    builds = BuildRecorder(build)
    for has_failed in (False, True, False):
        builds()
        for address in ("/bert/parts/a.html", "/bert/"):
            status, _, body = response_to(address, builds, "200 OK")
            assert ("500 Internal Server Error" if has_failed else "200 OK") == status
            assert has_failed == (b"a link leads nowhere\nValueError: &lt;b&gt;" in body)
        assert b"a page" == response_to("/bert/assets/styles/1.css", builds, "200 OK")[2]
