"""The cache on disk returns only contents that would be the same if they were made now."""

from collections.abc import Callable
from pathlib import Path

import pytest

from macros import build_cache as module
from macros.build_cache import CachedTexts, cached, code_digest, digest_of, template_cache


def once(content: str | bytes) -> Callable[[], str | bytes]:
    """A function that returns a content on the first call and fails on any other."""
    contents = [content]
    return contents.pop


def refuse() -> str:
    """Fail, because the content should come from the cache."""
    raise AssertionError("made again")


@pytest.mark.parametrize("content", ["two\nlines ²", "", b"\x00\n\xff", b""])
def test_a_content_is_made_once(tmp_path: Path, content: str | bytes) -> None:
    """The second time a content comes from the disk, and is text or bytes like the first time."""
    assert content == cached("data/a.csv", "source", once(content), tmp_path)
    assert content == cached("data/a.csv", "source", refuse, tmp_path)


def test_another_source_makes_it_anew(tmp_path: Path) -> None:
    """Only the last content is cached, so going back to the first source makes it anew as well."""
    for number, source in enumerate(["one", "another", "one"]):
        assert str(number) == cached("a", source, once(str(number)), tmp_path)
    assert ["a"] == [path.name for path in tmp_path.iterdir()]


def test_another_address_of_the_site_makes_it_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Question banks contain the address of the site, so a content made for another address is not used."""
    for address, expected in (("", "before"), ("https://example.org/", "after")):
        monkeypatch.setenv("SITE_URL", address)
        code_digest.cache_clear()
        assert expected == cached("a", code_digest(), once(expected), tmp_path)
    code_digest.cache_clear()


@pytest.mark.parametrize("length", [0, 30, -1])
def test_a_truncated_file_is_made_anew(tmp_path: Path, length: int) -> None:
    """A file that ends before its content, within its first line or one byte early is not used."""
    cached("a", "source", once("content"), tmp_path)
    complete = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(complete[:length])
    assert "content" == cached("a", "source", once("content"), tmp_path)
    assert complete == (tmp_path / "a").read_bytes()


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    """If the folder cannot be made, the content is made each time. A file with its name stops even a superuser."""
    folder = tmp_path / "kept"
    folder.touch()
    for _ in range(2):
        assert "content" == cached("a", "source", once("content"), folder)


def test_compiled_templates_need_a_folder_that_can_be_written(tmp_path: Path) -> None:
    """Templates are kept in a folder of the cache; where it cannot be made, they are compiled in each build."""
    assert template_cache(tmp_path / "kept") is not None
    assert 1 == len(list((tmp_path / "kept").iterdir()))
    (tmp_path / "file").touch()
    assert template_cache(tmp_path / "file") is None


def test_a_failed_write_leaves_no_file_behind(tmp_path: Path) -> None:
    """A folder stands where the file should be, so the new file cannot replace it, and is removed."""
    (tmp_path / "a").mkdir()
    assert "content" == cached("a", "source", once("content"), tmp_path)
    assert ["a"] == [path.name for path in tmp_path.iterdir()]


def test_a_digest_notices_names_and_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is renamed, changed or added changes the digest, and so does a byte that moves to the next file."""
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
    """The next build reads the texts that the last one used. The number 1 is another argument than the text "1"."""
    first = CachedTexts("macros.json", tmp_path)
    first.load()
    for values in (["number", "a"], ["number", 1], ["number", True], ["number", "1"], ["number", None]):
        assert repr(values) == first.text(values, lambda values=values: repr(values))  # type: ignore[misc]
    first.save()
    second = CachedTexts("macros.json", tmp_path)
    second.load()
    assert "['number', 1]" == second.text(["number", 1], refuse)
    second.save()
    third = CachedTexts("macros.json", tmp_path)
    third.load()
    # The third build reads only the texts that the second used.
    assert ["['number', 1]"] == list(third.texts.values())


def test_other_code_remembers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of other code are not used."""
    first = CachedTexts("macros.json", tmp_path)
    first.text(["number"], lambda: "before")
    first.save()
    monkeypatch.setattr(module, "code_digest", lambda: "other")
    second = CachedTexts("macros.json", tmp_path)
    second.load()
    assert "after" == second.text(["number"], lambda: "after")


def test_arguments_with_an_ambiguous_repr_are_not_cached() -> None:
    """Two objects may have the same `repr`, so arguments of other types are not cached."""
    texts = CachedTexts("macros.json")
    assert ["1", "2"] == [texts.text(["number", ["list"]], lambda text=text: text) for text in "12"]  # type: ignore[misc]
    assert {} == texts.texts
