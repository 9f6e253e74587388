"""What is kept on disk between builds: never anything but what would be made now."""

from collections.abc import Callable
from pathlib import Path

import pytest

from macros import kept as module
from macros.kept import digest_of, kept


def once(content: str | bytes) -> Callable[[], str | bytes]:
    """A function that makes a content the first time and fails after that."""
    contents = [content]
    return contents.pop


def refuse() -> str:
    """Fail, where nothing should be made."""
    raise AssertionError("made again")


@pytest.mark.parametrize("content", ["two\nlines ²", "", b"\x00\n\xff", b""])
def test_a_content_is_made_once(tmp_path: Path, content: str | bytes) -> None:
    """The second time it comes from the disk, as the text or the bytes that it was."""
    assert content == kept("data/a.csv", "source", once(content), tmp_path)
    assert content == kept("data/a.csv", "source", refuse, tmp_path)


def test_another_source_makes_it_anew(tmp_path: Path) -> None:
    """Only the last content is kept, so the first source makes it anew as well."""
    for number, source in enumerate(["one", "another", "one"]):
        assert str(number) == kept("a", source, once(str(number)), tmp_path)
    assert ["a"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("name", module.TOLD)
def test_another_environment_makes_it_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What a build is told may stand in a file."""
    assert "before" == kept("a", "source", once("before"), tmp_path)
    monkeypatch.setenv(name, "1")
    monkeypatch.setattr(module, "_setting", module._setting.__wrapped__)
    assert "after" == kept("a", "source", once("after"), tmp_path)


@pytest.mark.parametrize("length", [0, 30, -1])
def test_a_file_that_was_cut_off_is_made_anew(tmp_path: Path, length: int) -> None:
    """Before its content, within its first line, or at its last byte."""
    kept("a", "source", once("content"), tmp_path)
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(whole[:length])
    assert "content" == kept("a", "source", once("content"), tmp_path)
    assert whole == (tmp_path / "a").read_bytes()


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    """A file of its name stops even a superuser."""
    folder = tmp_path / "kept"
    folder.touch()
    for _ in range(2):
        assert "content" == kept("a", "source", once("content"), folder)


def test_a_digest_notices_names_and_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file renamed, changed, added, or a byte that moves from one file to the next; folders count for nothing."""
    monkeypatch.setattr(module, "CODE", tmp_path)
    trees = [{"a": "1", "b": "2"}, {"a": "1", "c": "2"}, {"a": "1", "b": "3"}, {"a": "12", "b": ""}, {"a": "1"}]
    digests = set()
    for tree in trees:
        for path in tmp_path.iterdir():
            path.unlink()
        for name, content in tree.items():
            (tmp_path / name).write_text(content)
        digests.add(digest_of(tmp_path.iterdir()))
    (tmp_path / "folder").mkdir()
    assert digest_of(tmp_path.iterdir()) in digests
    assert len(trees) == len(digests)
