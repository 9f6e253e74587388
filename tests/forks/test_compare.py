"""The comparison of two sites notices what differs."""

from pathlib import Path

import pytest

from tests.forks.compare import different_files, different_pages

PAGE = (
    '<meta name="generator" content="a"><header>x</header>'
    '<article><p>It has <data value="12">twelve</data> layers.</p></article>'
)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (PAGE.replace("layers", "blocks"), ["b.html: 'layers.' is 'blocks.'"]),
        (PAGE.replace('"12"', '"13"'), ["b.html: ('12', 'twelve') is ('13', 'twelve')"]),
        (PAGE.replace("<p>", "<p>\n"), []),
        (PAGE.replace("<header>x", "<header>y"), []),
        ("", ["b.html: only in "]),
    ],
)
def test_a_changed_page_is_noticed(tmp_path: Path, page: str, expected: list[str]) -> None:
    """A word and a value that changed are named with their page; spaces and the header do not count.

    Of a file any byte counts, but for the name of what built it.
    """
    for name, texts in (("ours", [PAGE, PAGE]), ("theirs", [PAGE.replace('content="a"', 'content="b"'), page])):
        (tmp_path / name).mkdir()
        for address, text in zip(("a.html", "b.html"), texts, strict=True):
            if text:
                (tmp_path / name / address).write_text(text)
    found = different_pages(tmp_path / "ours", tmp_path / "theirs")
    assert [found.removesuffix(str(tmp_path / "ours")) for found in found] == expected
    assert ["b.html"] == [each.partition(":")[0] for each in different_files(tmp_path / "ours", tmp_path / "theirs")]
