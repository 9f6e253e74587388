"""Reading and writing the files of a site."""

from pathlib import Path

import pytest

from macros.publish import PublishError, read, write


def test_reading_takes_every_file_of_a_kind(tmp_path: Path) -> None:
    """In folders too, in the order of their addresses, as UTF-8; line ends stay what they are when it is written."""
    for name in ("b.html", "a/c.html", "a.js"):
        write(tmp_path / name, f"{name} é\r\n")
    assert b"b.html \xc3\xa9\r\n" == (tmp_path / "b.html").read_bytes()
    assert ["a/c.html", "b.html"] == [*read(tmp_path, "*.html")]
    assert "b.html é\n" == read(tmp_path, "*.html")["b.html"]


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    """The error says which file."""
    (tmp_path / "a.html").write_bytes(b"\xff")
    with pytest.raises(PublishError, match=r"a\.html is not written in UTF-8: "):
        read(tmp_path, "*.html")
