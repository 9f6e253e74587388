"""What is written for programs: which pages, in which order, and the list of them, of a site in small."""

import pytest

from macros.publish.for_machines import MORE, START, for_machines, in_order, name_markdown
from macros.publish.page import Page

NAVIGATION = """
<nav class="md-nav md-nav--primary"><ul>
<li><a href="{0}map.html" class="md-nav__link">The map</a></li>
<li><nav class="md-nav"><label class="md-nav__title"><span class="md-nav__icon"></span> Parts &amp; more </label>
<a href="{0}parts/heads.html" class="md-nav__link">Heads</a>
<a href="{0}parts/heads.html" class="md-nav__link">Heads again</a></nav></li>
<li><a href="{0}index.html" class="md-nav__link">Home</a><a href="#a" class="md-nav__link">A</a></li>
</ul></nav>
"""


@pytest.mark.parametrize("before", ["", "./"])
def test_pages_stand_in_the_order_of_the_navigation(before: str) -> None:
    """MkDocs writes an address as it is, and Zensical with a dot; what the navigation lacks comes last."""
    first = Page("index.html", NAVIGATION.format(before))
    expected = [
        (START, "map.html"),
        (START, "index.html"),
        ("Parts & more", "parts/heads.html"),
        (MORE, "404.html"),
    ]
    asked = [Page(name, "") for name in ("404.html", "index.html", "parts/heads.html", "map.html")]
    assert expected == in_order(first, asked)


def page(name: str, title: str, says: str, around: str = "") -> str:
    """A page with an address, a description and a link within itself."""
    head = f'<link rel="canonical" href="https://example.org/bert/{name}"><meta name="description" content="{says}">'
    return f'<head>{head}</head>{around}<article><h1>{title}</h1><p><a href="#a">1</a></p></article>'


PAGES = {
    "index.html": page("index.html", "Start", "It starts.", NAVIGATION.format("")),
    "map.html": page("map.html", "Map", "It shows &amp; tells."),
    "parts/heads.html": page("parts/heads.html", "Heads", "What they have."),
    "frame.html": "<p>nothing to read</p>",
    "404.html": page("404.html", "Not found", "The site."),
}


def written(pages: dict[str, str]) -> dict[str, str]:
    """What is written for programs, by address."""
    return for_machines({name: Page(name, html) for name, html in pages.items()})


def test_pages_are_written_that_have_something_to_read() -> None:
    """With their own address in links and at the end; not the error page, and none without a text."""
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
    assert ["## About", "", "- [A](index.md): It is."] == lines[6:9]
    assert any(line.startswith("- [names.csv](data/names.csv): ") for line in lines)


def test_a_page_names_its_markdown() -> None:
    """But for the error page, and one that has no text."""
    named = {name: Page(name, html) for name, html in PAGES.items()}
    for each in named.values():
        name_markdown(each)
    links = {
        name: [each.attributes["href"] for each in page.tree.css("[type='text/markdown']")]
        for name, page in named.items()
    }
    assert {
        **{name: [] for name in PAGES},
        "index.html": ["index.md"],
        "map.html": ["map.md"],
        "parts/heads.html": ["heads.md"],
    } == links
