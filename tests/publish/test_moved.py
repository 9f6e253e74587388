"""What has moved leads on: pages to pages, ids to places; and what is wrong with the table is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from macros.publish import PublishError, moved, publish
from tests.docs.building import ROOT
from tests.publish.test_publish import BUILT, written

CANONICAL = '<link rel="canonical" href="https://example.org/bert/parts/new.html">'


def page(article: str, head: str = "") -> str:
    """A page in small."""
    return f'<head><meta charset="utf-8">{head}</head><article>{article}</article>'


ROWS = '<table><tr id="row" data-part="a"><th>a</th></tr></table>'
PAGES = {
    "parts/new.html": page(f'<h2 id="here">a</h2>{ROWS}', CANONICAL),
    "about/other.html": page('<h2 id="there">b</h2>'),
}


def done(table: dict[str, str], pages: dict[str, str] = PAGES) -> dict[str, str]:
    """What there is after something has moved, by address."""
    site = Path("/site")
    found = moved.with_moved(site, {site / name: html for name, html in pages.items()}, table)
    return {path.relative_to(site).as_posix(): html for path, html in found.items()}


def test_a_page_leads_on() -> None:
    """At once, without scripts; a link for readers, and the new address for machines."""
    left = BeautifulSoup(done({"old.html": "parts/new.html#here"})["old.html"], "html.parser")
    assert {"0; url=parts/new.html#here"} == {str(each["content"]) for each in left.select("meta[http-equiv=refresh]")}
    assert ["parts/new.html#here"] == [str(each["href"]) for each in left.select("body a")]
    assert ["https://example.org/bert/parts/new.html"] == [str(each["href"]) for each in left.select("link")]
    assert not left.select("script, [style], style")


@pytest.mark.parametrize(
    ("old", "way"),
    [("a/b/old.html", "../../parts/new.html"), ("parts/old.html", "new.html"), ("old.html", "parts/new.html")],
)
def test_the_way_is_that_from_the_old_folder(old: str, way: str) -> None:
    """From any depth, without an address of the site too."""
    assert f'<a href="{way}">' in done({old: "parts/new.html"})[old]
    bare = {"parts/new.html": page("")}
    assert f'<link rel="canonical" href="{way}">' in done({old: "parts/new.html"}, bare)[old]


@pytest.mark.parametrize("before", ["", "-"])
@pytest.mark.parametrize("target", ["here", "row"])
def test_an_id_stays_as_an_anchor_at_its_new_place(target: str, before: str) -> None:
    """Before what it names now, or in the first cell of a row, since a table holds nothing between rows."""
    whole = before + PAGES["parts/new.html"]
    html = done({"parts/new.html#old": f"parts/new.html#{target}"}, {"parts/new.html": whole})["parts/new.html"]
    place = '<a class="bc-moved" id="old"></a>'
    assert (f'{place}<h2 id="here">' if target == "here" else f"<th>{place}a</th>") in html
    assert whole == html.replace(place, "")


def test_an_id_that_went_to_another_page_says_where() -> None:
    """A link stands where the old id leads, whichever page comes first in the alphabet."""
    back = done({"parts/new.html#old": "about/other.html#there"})["parts/new.html"]
    assert '<a href="../about/other.html#there">to another page</a>.</p></article>' in back
    html = done({"about/other.html#old": "parts/new.html#here"})["about/other.html"]
    line = '<p class="bc-moved" id="old">This has moved <a href="../parts/new.html#here">to another page</a>.</p>'
    assert page(f'<h2 id="there">b</h2>{line}') == html


WRONG = {
    "a target that is not there": ({"old.html": "nowhere.html"}, "there is no page nowhere.html"),
    "a place that is not there": ({"old.html": "parts/new.html#x"}, "parts/new.html has no id x"),
    "a page that is still there": ({"about/other.html": "parts/new.html"}, "about/other.html has moved .* still there"),
    "an id that is still there": (
        {"parts/new.html#row": "parts/new.html#here"},
        "parts/new.html#row has moved .* still there",
    ),
    "an id of no page": ({"old.html#a": "parts/new.html#here"}, "there is no page old.html"),
    "a chain": ({"old.html": "older.html", "older.html": "parts/new.html"}, "there is no page older.html"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case: str) -> None:
    """A table that leads nowhere stops the build."""
    table, says = WRONG[case]
    with pytest.raises(PublishError, match=says):
        done(table)


def test_publishing_leaves_pages_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a policy, and twice the same as once; a page that has moved is not searched, listed or joined."""
    table = {"old/heads.html": "parts/heads.html", "index.html#old": "index.html#new"}
    monkeypatch.setattr(moved, "load", lambda: table)
    monkeypatch.setattr("macros.publish.files", dict)
    built = {**BUILT, "index.html": BUILT["index.html"].replace("<p ", '<p id="new" ')}
    site = written(tmp_path / "site", built)
    publish(site)
    first = {path: path.read_bytes() for path in site.rglob("*.html")}
    assert b"Content-Security-Policy" in first[site / "old/heads.html"]
    assert b'<a class="bc-moved" id="old"></a><p id="new"' in first[site / "index.html"]
    publish(site)
    assert first == {path: path.read_bytes() for path in site.rglob("*.html")}


def test_the_table_says_what_it_takes() -> None:
    """An address of a page or of an id on both sides, written from the top."""
    for old, new in moved.load().items():
        assert not old.startswith("/")
        assert old.partition("#")[0].endswith(".html")
        assert new.partition("#")[0].endswith(".html")
    assert (ROOT / "macros/publish/moved.toml").read_text().startswith("# Addresses that have moved")
