"""Programs can read every page as Markdown, and find all pages in the list `llms.txt`."""

import pytest

from macros.publish.for_machines import LAST_SECTION, machine_files, pages_in_order
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


@pytest.mark.parametrize("link_prefix", ["", "./"])
def test_pages_are_in_the_order_of_the_navigation(link_prefix: str) -> None:
    """Pages that the navigation lacks follow those of their folder, or come last.

    The links of the navigation are plain addresses in MkDocs, and begin with a dot in Zensical.
    """
    first_page = Page("index.html", NAVIGATION.format(link_prefix))
    expected = [
        ("Answer", "map.html"),
        ("Parts & more", "parts/heads.html"),
        ("Parts & more", "parts/sheet.html"),
        (LAST_SECTION, "404.html"),
        (LAST_SECTION, "about/us.html"),
    ]
    pages = [
        Page(name, "") for name in ("404.html", "about/us.html", "parts/sheet.html", "parts/heads.html", "map.html")
    ]
    assert expected == pages_in_order(first_page, pages)


def page(name: str, title: str, description: str) -> str:
    """The HTML of a page with an address, a description and a link to a place on itself."""
    link = f'<link rel="canonical" href="https://example.org/bert/{name}">'
    head = f'{link}<meta name="description" content="{description}">'
    return f'<head>{head}</head><article><h1>{title}</h1><p><a href="#a">1</a></p></article>'


def files_for(pages: dict[str, str]) -> dict[str, str]:
    """The files for programs, by address."""
    return machine_files({name: Page(name, html) for name, html in pages.items()})


def test_the_list_of_a_site_without_an_address_has_relative_links() -> None:
    """If there is no error page, the first page describes the site."""
    html = '<meta name="description" content="It is."><article><h1>A</h1></article>'
    lines = files_for({"index.html": html})["llms.txt"].splitlines()
    assert "> It is." == lines[2]
    assert ["## About", "", "- [A](index.md): It is."] == lines[6:9]
    assert any(line.startswith("- [names.csv](data/names.csv): ") for line in lines)


def test_the_list_and_each_page_give_the_address() -> None:
    pages = {
        "index.html": page("index.html", "Start", "It starts."),
        "parts/heads.html": page("parts/heads.html", "Heads", "They &amp; more."),
        "404.html": page("404.html", "Not found", "The site."),
    }
    files = files_for(pages)
    assert ["index.md", "llms.txt", "parts/heads.md"] == sorted(files)
    assert (
        "# Heads\n\n[1](heads.html#a)\n\nSource: https://example.org/bert/parts/heads.html\n" == files["parts/heads.md"]
    )
    assert "- [Heads](https://example.org/bert/parts/heads.md): They & more." in files["llms.txt"].splitlines()
