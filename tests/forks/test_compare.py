"""The comparison of two sites notices what differs."""

from pathlib import Path

from tests.forks.compare import different_files, different_pages

PAGE = (
    '<meta name="generator" content="a"><header>x</header>'
    '<article><p>It has <data value="12">twelve</data> layers.</p></article>'
)


def test_a_changed_page_is_noticed(tmp_path: Path) -> None:
    """A value that changed is named with its page; the name of what built a page does not count."""
    for name, page in (("ours", PAGE), ("theirs", PAGE.replace('content="a"', 'content="b"'))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_text(page)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    assert [] == different_pages(ours, theirs) == different_files(ours, theirs)
    (theirs / "a.html").write_text(PAGE.replace('"12"', '"13"'))
    assert ["a.html: ('12', 'twelve') is ('13', 'twelve')"] == different_pages(ours, theirs)
    assert ["a.html"] == [each.partition(":")[0] for each in different_files(ours, theirs)]
