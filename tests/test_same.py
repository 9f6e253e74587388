"""Tests that `make same` finds every difference between two sites and shows it."""

from pathlib import Path

import pytest

from tests.same import NoSuchTree, checked_out, differences, main


def write(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files into a folder, and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_each_file_that_differs_is_named(tmp_path: Path) -> None:
    """A file that is gone, new or changed is named, with what differs if it is text."""
    old_site = write(
        tmp_path / "a", {"same.html": b"a", "gone.html": b"a", "deep/t.html": b"<p>1,536\n<b>x", "i.png": b"\xff"}
    )
    new_site = write(
        tmp_path / "b", {"same.html": b"a", "new.html": b"a", "deep/t.html": b"<p>1,538\n<b>xy", "i.png": b"\xfe"}
    )
    assert [
        "deep/t.html: +1 bytes\n  - 536 <b>x\n  + 538 <b>xy",
        "gone.html: gone",
        "i.png: +0 bytes",
        "new.html: new",
    ] == list(differences(old_site, new_site))
    assert [] == list(differences(old_site, old_site))


def test_a_module_that_differs_is_named_once(tmp_path: Path) -> None:
    """A changed module is named once. Pages that differ only in the digest of its address are not."""
    one, other = (
        write(
            tmp_path / digest,
            {f"modules/{digest}/a.js": text, "index.html": f'<script src="modules/{digest}/a.js">'.encode()},
        )
        for digest, text in (("0123456789ab", b"1"), ("abcdef012345", b"2"))
    )
    assert ["modules/a.js: +0 bytes\n  - 1\n  + 2"] == list(differences(one, other))


@pytest.mark.usefixtures("needs_git")
def test_a_commit_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A commit that does not exist is named with git's reason, and the exit status is not that of a difference."""
    with pytest.raises(NoSuchTree, match="no tree of 'nonsense'"):
        checked_out("nonsense", tmp_path / "tree")
    assert 2 == main(["nonsense"])
    assert "no tree of 'nonsense'" in capsys.readouterr().err
