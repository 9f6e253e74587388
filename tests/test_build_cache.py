"""The build cache returns only content that would be the same if it were generated again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from macros import build_cache
from macros.build_cache import CachedTexts, cached_content, code_digest, digest_of, template_cache


def content_generated_once(content: str | bytes) -> Callable[[], str | bytes]:
    """A function that returns `content` on its first call and fails on the second."""
    contents = [content]
    return contents.pop


def refuse() -> str:
    """Fail, because the content must come from the cache."""
    raise AssertionError("the content was generated again")


@pytest.mark.parametrize("content", ["two\nlines ²", "", b"\x00\n\xff", b""])
def test_content_is_generated_only_once(tmp_path: Path, content: str | bytes) -> None:
    assert content == cached_content("data/a.csv", "source", content_generated_once(content), tmp_path)
    assert content == cached_content("data/a.csv", "source", refuse, tmp_path)


def test_content_is_generated_again_for_a_different_source(tmp_path: Path) -> None:
    """Only the latest content is cached, so the content for the first source is generated again too."""
    for number, source in enumerate(["one", "another", "one"]):
        assert str(number) == cached_content("a", source, content_generated_once(str(number)), tmp_path)
    assert ["a"] == [path.name for path in tmp_path.iterdir()]


def test_content_is_generated_again_for_a_different_address_of_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content may contain the address, as question banks do."""
    for address, expected in (("", "before"), ("https://example.org/", "after")):
        monkeypatch.setenv("SITE_URL", address)
        code_digest.cache_clear()
        assert expected == cached_content("a", code_digest(), content_generated_once(expected), tmp_path)
    code_digest.cache_clear()


@pytest.mark.parametrize("length", [0, 30, -1])
def test_a_truncated_file_is_not_used(tmp_path: Path, length: int) -> None:
    """The file may be empty, end within its first line, or lack only its last byte."""
    cached_content("a", "source", content_generated_once("content"), tmp_path)
    complete = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(complete[:length])
    assert "content" == cached_content("a", "source", content_generated_once("content"), tmp_path)
    assert complete == (tmp_path / "a").read_bytes()


def test_without_a_folder_content_is_generated_each_time(tmp_path: Path) -> None:
    """The folder cannot be created, not even by a superuser, because a file has its name."""
    folder = tmp_path / "cache"
    folder.touch()
    for _ in range(2):
        assert "content" == cached_content("a", "source", content_generated_once("content"), folder)


def test_compiled_templates_are_cached_only_if_their_folder_can_be_created(tmp_path: Path) -> None:
    """Without the folder, each build compiles its templates again."""
    assert template_cache(tmp_path / "cache") is not None
    assert 1 == len(list((tmp_path / "cache").iterdir()))
    (tmp_path / "file").touch()
    assert template_cache(tmp_path / "file") is None


def test_a_failed_write_leaves_no_file_behind(tmp_path: Path) -> None:
    """The new file cannot replace a folder of the same name, so the new file is removed."""
    (tmp_path / "a").mkdir()
    assert "content" == cached_content("a", "source", content_generated_once("content"), tmp_path)
    assert ["a"] == [path.name for path in tmp_path.iterdir()]


def test_a_digest_depends_on_names_and_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte that moves from one file to another changes the digest; a subfolder does not."""
    monkeypatch.setattr(build_cache, "CODE_FOLDER", tmp_path)
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


def test_a_text_is_generated_only_once_for_its_arguments(tmp_path: Path) -> None:
    """The number 1 and the text "1" are different arguments. Saving keeps only the texts that the build used."""
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
    # The second build did not use the other texts.
    assert ["['number', 1]"] == list(third.texts.values())


def test_texts_of_other_code_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change to the code may change any text."""
    first = CachedTexts("macros.json", tmp_path)
    first.text(["number"], lambda: "before")
    first.save()
    monkeypatch.setattr(build_cache, "code_digest", lambda: "other")
    second = CachedTexts("macros.json", tmp_path)
    second.load()
    assert "after" == second.text(["number"], lambda: "after")


def test_arguments_with_an_ambiguous_repr_are_not_cached() -> None:
    """Except for a few types, two different objects may have the same `repr`."""
    texts = CachedTexts("macros.json")
    assert ["1", "2"] == [texts.text(["number", ["list"]], lambda text=text: text) for text in "12"]  # type: ignore[misc]
    assert {} == texts.texts
