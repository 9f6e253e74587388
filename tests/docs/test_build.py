"""The build is strict, complete and repeatable."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from macros.publish import paper
from tests.docs.building import build, copy, small_copy

PAGE = "notation.md"


def append(root: Path, line: str) -> None:
    """Write a line below everything else on the page of a copy."""
    page = root / "docs" / PAGE
    page.write_text(f"{page.read_text()}\n\n{line}\n")


def test_a_good_page_builds(tmp_path: Path) -> None:
    """Whatever stops the builds below is what they put in, and not what the small site lacks."""
    root = small_copy(tmp_path / "repository", PAGE)
    append(root, '{{ claims_table("torchinfo") }}\n\n{{ claims_table("keras-bert-notebook") }}')
    done = build(tmp_path / "site", root)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    assert (tmp_path / "site" / PAGE).with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{{ number(model='bert-bsae-uncased') }}", ['did you mean "bert-base-uncased"']),
        ("{{ some_variable }}", ["some_variable"]),
        ("It has 768 features.", ["typed '768'; write {{ size(\"H\") }}"]),
        ("It has $H$ columns.", ["'$H$' would stand on the page as it is; a formula is {{ formula("]),
        ("[a page](nowhere.md) [a heading](notation.md#missing)", ["2 warnings", "'nowhere.md'", "#missing'"]),
    ],
)
def test_a_bad_page_fails_the_build(tmp_path: Path, line: str, says: list[str]) -> None:
    """A bad macro call, name, link or anchor fails the build, which names page and fault."""
    root = small_copy(tmp_path / "repository", PAGE)
    append(root, line)
    done = build(tmp_path / "site", root)
    assert done.returncode != 0
    assert "notation.md" in done.stderr + done.stdout
    assert [] == [each for each in says if each not in done.stderr + done.stdout], done.stderr
    if says[0].startswith(("typed", "'$H$'")):
        lines = (root / "docs" / PAGE).read_text().splitlines()
        assert f"notation.md, line {lines.index(line) + 1}: {says[0]}" in done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("models.toml", "hidden_size = 768", "hidden_size = 769", "769 is not a multiple of num_attention_heads 12"),
        ("claims.toml", 'reached = ["decoder-untied"], note', 'reached = ["prediction-bias-twice"], note', "torchinfo"),
    ],
)
def test_bad_data_fails_the_build(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    """A model that cannot be counted, or a wrong claim, is named, and no page is left behind."""
    root = small_copy(tmp_path / "repository", PAGE)
    data = root / "macros" / "counting" / "data" / file
    append(root, '{{ claims_table("torchinfo") }}')
    assert old in data.read_text()
    data.write_text(data.read_text().replace(old, new, 1))
    done = build(tmp_path / "site", root)
    assert done.returncode != 0
    assert says in done.stderr + done.stdout
    assert not list((tmp_path / "site").rglob("*.html"))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_builds_are_the_same_to_the_byte(site: Path, tmp_path: Path, browser: Browser) -> None:
    """Another folder, another hash seed, another time: the same files, and the same sheet printed from them.

    The folder cannot be written, and nothing in it has changed afterwards.
    """
    root = copy(tmp_path / "repository")
    (root / ".cache").touch()  # so not even a superuser can write into a folder of this name
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    before = contents(root)
    again = build(tmp_path / "site", root, PYTHONHASHSEED="7", PYTHONDONTWRITEBYTECODE="1")
    assert again.returncode == 0, again.stderr
    assert before == contents(root)
    first, second = contents(site), contents(tmp_path / "site")
    assert sorted(first) == sorted(second)
    assert [] == [name for name in first if first[name] != second[name]]
    printed, again_printed = (next(paper.sheets(each, browser)) for each in (site, tmp_path / "site"))
    assert printed == again_printed
