"""What is written for programs: which pages, in which order, and the list of them, of a site in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from macros.publish import PublishError
from macros.publish.for_machines import MORE, START, Listed, for_machines, in_order, with_alternate

NAVIGATION = """
<nav class="md-nav md-nav--primary">
<a href="{0}map.html" class="md-nav__link">The map</a>
<label class="md-nav__title" for="__nav_2"><span class="md-nav__icon"></span> Parts &amp; more </label>
<a href="{0}parts/heads.html" class="md-nav__link">Heads</a>
<a href="{0}parts/heads.html" class="md-nav__link">Heads again</a></nav>
<a href="{0}index.html" class="md-nav__link">Home</a>
</nav>
</div>
"""


@pytest.mark.parametrize("before", ["", "./"])
def test_pages_stand_in_the_order_of_the_navigation(before: str) -> None:
    """MkDocs writes an address as it is, and Zensical with a dot; what the navigation lacks comes last."""
    found = in_order(NAVIGATION.format(before), ["404.html", "index.html", "parts/heads.html", "map.html"])
    expected = [
        Listed(START, "map.html"),
        Listed(START, "index.html"),
        Listed("Parts & more", "parts/heads.html"),
        Listed(MORE, "404.html"),
    ]
    assert expected == found


def test_without_navigation_pages_stand_as_they_come() -> None:
    """As where a site is written in another way."""
    assert [Listed(MORE, "b.html"), Listed(MORE, "a.html")] == in_order("", ["b.html", "a.html"])


def page(name: str, title: str, says: str, around: str = "") -> str:
    """A page with an address, a description and a link within itself."""
    head = f'<link rel="canonical" href="https://example.org/bert/{name}"><meta name="description" content="{says}">'
    return f'<head>{head}</head>{around}<article><h1>{title}</h1><p><a href="#a">1</a></p></article>'


PAGES = {
    "index.html": page("index.html", "Start", "It starts.", NAVIGATION.format("")),
    "map.html": page("map.html", "Map", "It shows &amp; tells."),
    "old.html": '<head><meta http-equiv="refresh" content="0"></head>' + page("old.html", "Old", "Gone."),
    "parts/heads.html": page("parts/heads.html", "Heads", "What they have."),
    "frame.html": "<p>nothing to read</p>",
    "404.html": page("404.html", "Not found", "The site."),
}


def written(pages: dict[str, str]) -> dict[str, str]:
    """What is written for programs, by address."""
    site = Path("/site")
    found = for_machines(site, {site / name: html for name, html in pages.items()})
    return {path.relative_to(site).as_posix(): text for path, text in found.items()}


def test_pages_are_written_that_have_something_to_read() -> None:
    """With their own address in links and at the end; not the error page, and none that only leads on."""
    found = written(PAGES)
    assert ["index.md", "llms.txt", "map.md", "parts/heads.md"] == sorted(found)
    source = "Source: https://example.org/bert/parts/heads.html"
    assert f"# Heads\n\n[1](heads.html#a)\n\n{source}\n" == found["parts/heads.md"]
    bare = written({"parts/heads.html": "<article><h1>Heads</h1></article>"})
    assert {"parts/heads.md": "# Heads\n\nSource: heads.html\n"} == bare


def test_the_list() -> None:
    """What the site is, its pages in order with what each says, and files; the totals are those of both models."""
    lines = written(PAGES)["llms.txt"].split("\n")
    assert ["# BERT, counted", "", "> The site.", ""] == lines[:4]
    assert "BERT base has 109,482,240 and BERT large has 335,141,888 parameters. Every number is" in lines[4]
    assert [
        "",
        "## Start here",
        "",
        "- [Map](https://example.org/bert/map.md): It shows & tells.",
        "- [Start](https://example.org/bert/index.md): It starts.",
        "",
        "## Parts & more",
        "",
        "- [Heads](https://example.org/bert/parts/heads.md): What they have.",
        "",
        "## Data",
        "",
    ] == lines[5:17]
    assert lines[17].startswith("- [totals.json](https://example.org/bert/data/totals.json): the total of every model")
    assert [3, ""] == [len(lines[17:-1]), lines[-1]]


def test_the_list_without_addresses_leads_from_where_it_is() -> None:
    """As in a folder; what the site is says the first page, where there is none for errors."""
    first = '<meta name="description" content="It is."><article><h1>A</h1></article>'
    lines = written({"index.html": first})["llms.txt"].splitlines()
    assert "> It is." == lines[2]
    assert ["## More", "", "- [A](index.md): It is."] == lines[6:9]
    assert any(line.startswith("- [names.csv](data/names.csv): ") for line in lines)


def test_a_page_that_cannot_be_written_is_named() -> None:
    """With what is wrong with it."""
    with pytest.raises(PublishError, match=r"^a\.html cannot be written as Markdown: <p> is not closed"):
        written({"a.html": "<article><p></article>"})


HEAD = "<title>A</title><title>B</title>"
LINK = '<link rel="alternate" type="text/markdown" href="heads.md">'


def test_a_page_names_its_markdown_once() -> None:
    """Right after its title; the error page, and one that only leads on, have none."""
    done = with_alternate("parts/heads.html", HEAD)
    assert f"<title>A</title>{LINK}<title>B</title>" == done
    assert done == with_alternate("parts/heads.html", done)
    leads_on = f'<meta http-equiv="refresh" content="0">{HEAD}'
    assert (HEAD, leads_on) == (with_alternate("404.html", HEAD), with_alternate("parts/heads.html", leads_on))
