"""Moved pages and ids lead to the new addresses, and a faulty table of moves is an error."""

import pytest

from macros.publish import PublishError, moved
from macros.publish.page import Page

PAGES = {
    "parts/new.html": '<link rel="canonical" href="https://example.org/bert/parts/new.html">'
    '<article><h2 id="here">a</h2>'
    '<table><tr id="row"><th>a</th></tr></table><pre><samp id="listing">b</samp></pre></article>',
    "about/other.html": '<article><h2 id="there">b</h2></article>',
}


def apply_moves(table: dict[str, str]) -> tuple[dict[str, Page], dict[str, str]]:
    """The pages after applying a table of moves, and the files at the old addresses."""
    pages = {name: Page(name, html) for name, html in PAGES.items()}
    return pages, moved.forward(pages, table)


@pytest.mark.parametrize(
    ("old", "link"),
    [("a/b/old.html", "../../parts/new.html"), ("parts/old.html", "new.html"), ("old.html", "parts/new.html")],
)
def test_an_old_page_leads_to_the_new_one(old: str, link: str) -> None:
    """The redirect works at once, with and without scripts. Its link is relative to the folder of the old page."""
    _, files = apply_moves({old: "parts/new.html#here"})
    page = Page(old, files[old])
    assert "https://example.org/bert/parts/new.html" == page.canonical
    assert [f"{link}#here"] == [element.attributes["href"] for element in page.tree.css("body a")]
    assert f'<meta http-equiv="refresh" content="0; url={link}#here">' in files[old]
    assert f'location.replace("{link}" + location.search' in files[old]


def test_a_line_of_the_table_decides_where_an_id_of_a_moved_page_leads() -> None:
    """It wins over an id with the same name on the new page."""
    _, files = apply_moves({"old.html": "parts/new.html", "old.html#here": "parts/new.html#row"})
    assert 'const places = {"here":"row"}' in files["old.html"]


def test_markdown_and_tools_of_a_moved_page_lead_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Embedded pieces need no file, because the error page redirects them."""
    _, files = apply_moves({"old.html": "parts/new.html"})
    assert {"old.html", "old.md"} == set(files)
    assert "This page has moved to [parts/new.md](parts/new.md).\n" == files["old.md"]
    monkeypatch.setattr(moved, "TOOLS", ("parts/new.html",))
    _, files = apply_moves({"old.html": "parts/new.html"})
    assert 'href="parts/new.html"' in files["embed/old.html"]
    _, files = apply_moves({"about/other.html#old": "parts/new.html#row"})
    assert {} == files


@pytest.mark.parametrize(
    ("id_", "html"),
    [
        ("here", '{}<h2 id="here">a</h2>'),
        ("row", '<tr id="row"><th>{}a'),  # no anchor is allowed between the rows of a table
        ("listing", '<pre>{}<samp id="listing">b'),
    ],
)
def test_an_id_stays_as_an_anchor_at_its_new_place(id_: str, html: str) -> None:
    pages, _ = apply_moves({"parts/new.html#old": f"parts/new.html#{id_}"})
    assert html.format('<a class="bc-moved" id="old"></a>') in pages["parts/new.html"].html


def test_an_id_that_moved_to_another_page_leaves_a_line() -> None:
    pages, _ = apply_moves({"about/other.html#old": "parts/new.html#here"})
    line = '<p class="bc-moved" id="old">This has moved <a href="../parts/new.html#here">to another page</a>.</p>'
    assert f"{line}</article>" in pages["about/other.html"].html


WRONG_TABLES = {
    "a target that is not there": ({"old.html": "nowhere.html"}, "there is no page nowhere.html"),
    "an id that is not there": ({"old.html": "parts/new.html#x"}, "parts/new.html has no id x"),
    "a page that is still there": ({"about/other.html": "parts/new.html"}, "about/other.html has moved .* still there"),
    "an id that is still there": (
        {"parts/new.html#row": "parts/new.html#here"},
        "parts/new.html#row has moved .* still there",
    ),
    "an id of no page": ({"old.html#a": "parts/new.html#here"}, "there is no page old.html"),
    "a chain": ({"old.html": "older.html", "older.html": "parts/new.html"}, "there is no page older.html"),
}
"""Tables of moves, each with a pattern for the message about its fault, by fault."""


@pytest.mark.parametrize("case", WRONG_TABLES)
def test_an_error_in_the_table_is_explained(case: str) -> None:
    table, message = WRONG_TABLES[case]
    with pytest.raises(PublishError, match=message):
        apply_moves(table)


def test_an_entry_of_the_table_has_addresses_on_both_sides() -> None:
    table = moved.load_moves()
    assert table
    for old_address, new_address in table.items():
        assert not old_address.startswith("/")
        assert old_address.partition("#")[0].endswith(".html")
        assert new_address.partition("#")[0].endswith(".html")
