"""The comparison of two sites notices what differs."""

from pathlib import Path

import pytest

from tests.forks.compare import different_files, different_pages

PAGE = (
    '<meta name="generator" content="a"><header>x</header>'
    '<article><p>It has <data value="12">twelve</data> layers.</p></article>'
)


def two_sites(folder: Path, theirs: dict[str, str]) -> tuple[Path, Path]:
    """A site of two pages, and another one."""
    for name, files in (("ours", {"a.html": PAGE, "b.html": PAGE}), ("theirs", theirs)):
        (folder / name).mkdir()
        for address, text in files.items():
            (folder / name / address).write_text(text)
    return folder / "ours", folder / "theirs"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (PAGE.replace("layers", "blocks"), ["b.html: 'layers.' is 'blocks.'"]),
        (PAGE.replace('"12"', '"13"'), ["b.html: ('12', 'twelve') is ('13', 'twelve')"]),
        (PAGE.replace("<data", '<data value="1">one</data><data'), ["b.html: ('12', 'twelve') is ('1', 'one')"]),
        (PAGE.replace("layers.", ""), ["b.html: 'layers.' is None"]),
        (PAGE.replace("<p>", "<p>\n"), []),
        (PAGE.replace("<header>x", "<header>y"), []),
    ],
)
def test_a_changed_page_is_noticed(tmp_path: Path, page: str, expected: list[str]) -> None:
    """A word and a value that changed are named with their page; spaces and the header do not count."""
    assert expected == different_pages(*two_sites(tmp_path, {"a.html": PAGE, "b.html": page}))


def test_a_missing_page_is_noticed(tmp_path: Path) -> None:
    """On either side."""
    ours, theirs = two_sites(tmp_path, {"a.html": PAGE, "c.html": PAGE})
    assert [f"b.html: only in {ours}", f"c.html: only in {theirs}"] == different_pages(ours, theirs)
    assert [f"b.html: only in {ours}", f"c.html: only in {theirs}"] == different_files(ours, theirs)


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    """Anything but the name of the generator counts."""
    other = {"a.html": PAGE.replace('content="a"', 'content="b"'), "b.html": PAGE.replace("<p>", "<p >")}
    found = different_files(*two_sites(tmp_path, other))
    assert ["b.html"] == [line.partition(":")[0] for line in found]


def test_a_page_without_an_article_is_an_error(tmp_path: Path) -> None:
    """Two pages of which nothing was read are not equal."""
    with pytest.raises(AssertionError, match="a page without an article"):
        different_pages(*two_sites(tmp_path, {"a.html": "<p></p>", "b.html": PAGE}))
