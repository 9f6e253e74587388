"""`make same` prints the differences between two sites."""

from pathlib import Path

import pytest

from tests.same import TreeError, check_out, differences, main


def write_files(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files into a folder, and return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_each_file_that_differs_is_named_and_a_changed_text_is_shown(tmp_path: Path) -> None:
    old_site = write_files(
        tmp_path / "a", {"same.html": b"a", "gone.html": b"a", "deep/t.html": b"<p>1,536\n<b>x", "i.png": b"\xff"}
    )
    new_site = write_files(
        tmp_path / "b", {"same.html": b"a", "new.html": b"a", "deep/t.html": b"<p>1,538\n<b>xy", "i.png": b"\xfe"}
    )
    assert [
        "deep/t.html: +1 bytes\n  - 536 <b>x\n  + 538 <b>xy",
        "gone.html: gone",
        "i.png: +0 bytes",
        "new.html: new",
    ] == list(differences(old_site, new_site))
    assert [] == list(differences(old_site, old_site))


def test_pages_that_differ_only_in_the_digest_of_modules_are_not_named(tmp_path: Path) -> None:
    """Only the changed module is named, although its address is on every page."""
    old_site, new_site = (
        write_files(
            tmp_path / digest,
            {f"modules/{digest}/a.js": text, "index.html": f'<script src="modules/{digest}/a.js">'.encode()},
        )
        for digest, text in (("0123456789ab", b"1"), ("abcdef012345", b"2"))
    )
    assert ["modules/a.js: +0 bytes\n  - 1\n  + 2"] == list(differences(old_site, new_site))


@pytest.mark.usefixtures("needs_git")
def test_a_commit_that_does_not_exist_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The message includes git's reason, and the exit status differs from that for a difference."""
    with pytest.raises(TreeError, match="no tree of 'nonsense'"):
        check_out("nonsense", tmp_path / "tree")
    assert 2 == main(["nonsense"])
    assert "no tree of 'nonsense'" in capsys.readouterr().err
