"""Tests of what is kept on disk between builds: it is used only if it would be made the same now."""

from collections.abc import Callable
from pathlib import Path

import pytest

from macros import kept as module
from macros.kept import Memory, digest_of, kept


def once(content: str | bytes) -> Callable[[], str | bytes]:
    """A function that returns some content the first time and fails after that."""
    contents = [content]
    return contents.pop


def refuse() -> str:
    """Fail, because nothing should be made."""
    raise AssertionError("made again")


@pytest.mark.parametrize("content", ["two\nlines ²", "", b"\x00\n\xff", b""])
def test_a_content_is_made_once(tmp_path: Path, content: str | bytes) -> None:
    """Content is made once; the second time it comes from the disk, as text or bytes like the first time."""
    assert content == kept("data/a.csv", "source", once(content), tmp_path)
    assert content == kept("data/a.csv", "source", refuse, tmp_path)


def test_another_source_makes_it_anew(tmp_path: Path) -> None:
    """Content with another source is made anew, and only the last one is kept."""
    for number, source in enumerate(["one", "another", "one"]):
        assert str(number) == kept("a", source, once(str(number)), tmp_path)
    assert ["a"] == [path.name for path in tmp_path.iterdir()]


def test_another_address_of_the_site_makes_it_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Content is made anew if the site gets another address, because question banks name it."""
    assert "before" == kept("a", "source", once("before"), tmp_path)
    monkeypatch.setenv("SITE_URL", "https://example.org/")
    module._setting.cache_clear()
    assert "after" == kept("a", "source", once("after"), tmp_path)
    module._setting.cache_clear()


@pytest.mark.parametrize("length", [0, 30, -1])
def test_a_file_that_was_cut_off_is_made_anew(tmp_path: Path, length: int) -> None:
    """A file that was cut off, within its first line or its content, is made anew."""
    kept("a", "source", once("content"), tmp_path)
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(whole[:length])
    assert "content" == kept("a", "source", once("content"), tmp_path)
    assert whole == (tmp_path / "a").read_bytes()


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    """If the folder cannot be written, content is made every time and nothing fails."""
    folder = tmp_path / "kept"
    folder.touch()  # a file of this name stops even a superuser
    for _ in range(2):
        assert "content" == kept("a", "source", once("content"), folder)


def test_a_digest_notices_names_and_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest differs if a file is renamed, changed or added, or a byte moves between files; folders do not matter."""
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


def test_a_text_is_made_once_by_its_arguments(tmp_path: Path) -> None:
    """A text is made once for the same arguments, also in the next build; the number 1 is not the text "1"."""
    first = Memory("macros.json", tmp_path)
    first.recall()
    for made_from in (["number", "a"], ["number", 1], ["number", True], ["number", "1"], ["number", None]):
        assert repr(made_from) == first.text(made_from, lambda made_from=made_from: repr(made_from))  # type: ignore[misc]
    first.save()
    second = Memory("macros.json", tmp_path)
    second.recall()
    assert "['number', 1]" == second.text(["number", 1], refuse)
    second.save()
    third = Memory("macros.json", tmp_path)
    third.recall()
    # Only what the second build used is kept.
    assert ["['number', 1]"] == list(third.texts.values())


def test_other_code_remembers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of code nothing is remembered, because it might make other texts."""
    first = Memory("macros.json", tmp_path)
    first.text(["number"], lambda: "before")
    first.save()
    monkeypatch.setattr(module, "code", lambda: "other")
    second = Memory("macros.json", tmp_path)
    second.recall()
    assert "after" == second.text(["number"], lambda: "after")


def test_what_repr_does_not_tell_apart_is_made_each_time() -> None:
    """Arguments that `repr` may not distinguish are not remembered, so their text is made each time."""
    memory = Memory("macros.json")
    assert ["1", "2"] == [memory.text(["number", ["list"]], lambda text=text: text) for text in "12"]  # type: ignore[misc]
    assert {} == memory.texts
