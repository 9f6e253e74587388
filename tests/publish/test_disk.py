"""Reading and writing the files of a site."""

from __future__ import annotations

from pathlib import Path

import pytest

from macros.publish import PublishError
from macros.publish.disk import read, write


def test_reading_takes_every_file_of_a_kind(tmp_path: Path) -> None:
    """In folders too, in the order of their addresses, as UTF-8."""
    for name in ("b.html", "a/c.html", "a.js"):
        write(tmp_path / name, f"{name} é")
    assert {tmp_path / name: f"{name} é" for name in ("a/c.html", "b.html")} == read(tmp_path, "*.html")
    assert ["a/c.html", "b.html"] == [path.relative_to(tmp_path).as_posix() for path in read(tmp_path, "*.html")]


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    """The error says which file."""
    (tmp_path / "a.html").write_bytes(b"\xff")
    with pytest.raises(PublishError, match=r"a\.html is not written in UTF-8: "):
        read(tmp_path, "*.html")


def test_writing_makes_folders_and_leaves_alone_what_is_so_already(tmp_path: Path) -> None:
    """A file that holds the text keeps its time of change; line ends stay what they are."""
    path = tmp_path / "a" / "b" / "c.html"
    write(path, "é\r\n")
    assert b"\xc3\xa9\r\n" == path.read_bytes()
    before = path.stat().st_mtime_ns
    write(path, "é\r\n")
    assert before == path.stat().st_mtime_ns
    write(path, "e")
    assert b"e" == path.read_bytes()
