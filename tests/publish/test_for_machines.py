"""What is written for programs: which pages, in which order, and the list of them, of a site in small."""

import pytest

from macros.publish.for_machines import MORE, for_machines, in_order
from macros.publish.page import Page

NAVIGATION = """
<nav class="md-nav md-nav--primary"><ul>
<li><nav class="md-nav"><label class="md-nav__title">Answer</label>
<a href="{0}map.html" class="md-nav__link">The map</a></nav></li>
<li><nav class="md-nav"><label class="md-nav__title"><span class="md-nav__icon"></span> Parts &amp; more </label>
<a href="{0}parts/heads.html" class="md-nav__link">Heads</a>
<a href="{0}parts/heads.html" class="md-nav__link">Heads again</a></nav></li>
</ul></nav>
"""


@pytest.mark.parametrize("before", ["", "./"])
def test_pages_stand_in_the_order_of_the_navigation(before: str) -> None:
    """MkDocs writes an address as it is, and Zensical with a dot; what the navigation lacks comes last."""
    first = Page("index.html", NAVIGATION.format(before))
    expected = [("Answer", "map.html"), ("Parts & more", "parts/heads.html"), (MORE, "404.html")]
    asked = [Page(name, "") for name in ("404.html", "parts/heads.html", "map.html")]
    assert expected == in_order(first, asked)


def page(name: str, title: str, says: str, around: str = "") -> str:
    """A page with an address, a description and a link within itself."""
    head = f'<link rel="canonical" href="https://example.org/bert/{name}"><meta name="description" content="{says}">'
    return f'<head>{head}</head>{around}<article><h1>{title}</h1><p><a href="#a">1</a></p></article>'


def written(pages: dict[str, str]) -> dict[str, str]:
    """What is written for programs, by address."""
    return for_machines({name: Page(name, html) for name, html in pages.items()})


def test_the_list_without_addresses_leads_from_where_it_is() -> None:
    """As in a folder; what the site is says the first page, where there is none for errors."""
    first = '<meta name="description" content="It is."><article><h1>A</h1></article>'
    lines = written({"index.html": first})["llms.txt"].splitlines()
    assert "> It is." == lines[2]
    assert ["## About", "", "- [A](index.md): It is."] == lines[6:9]
    assert any(line.startswith("- [names.csv](data/names.csv): ") for line in lines)


def test_pages_are_named_by_their_own_address() -> None:
    """In the list, and at the end of each; the error page is none of them."""
    pages = {
        "index.html": page("index.html", "Start", "It starts."),
        "parts/heads.html": page("parts/heads.html", "Heads", "They &amp; more."),
        "404.html": page("404.html", "Not found", "The site."),
    }
    found = written(pages)
    assert ["index.md", "llms.txt", "parts/heads.md"] == sorted(found)
    assert (
        "# Heads\n\n[1](heads.html#a)\n\nSource: https://example.org/bert/parts/heads.html\n" == found["parts/heads.md"]
    )
    assert "- [Heads](https://example.org/bert/parts/heads.md): They & more." in found["llms.txt"].splitlines()
