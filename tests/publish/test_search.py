"""Tests that a search for a number or a word on a published site leads to the page that is about it."""

import json
from pathlib import Path

import pytest

from macros.publish import search
from macros.publish.page import Page
from macros.publish.search import index_files


def data(text: str) -> str:
    """The HTML of a `<data>` element, which is a number on a page."""
    return f'<data value="1" data-how="a" tabindex="0">{text}</data>'


PAGES = {
    "index.html": f"<nav>{data('7,777')}</nav><h1>A</h1><p class='x'>It is {data('1,234')} or {data('1.2M')}.</p>"
    f"<p>And {data('9,999')}.</p>",
    "parts/a.html": f"<h1>B</h1><p>{data('5,678')} {data('123')} {data('5,678')}</p><table>{data('9,999')}</table>",
    "parts/b.html": f"<h1>C</h1><p>Without.</p>{data('54,321')} {data('5,678')} {data('1,234')}",
    "teach/c.html": f"<h1>D</h1><div>{data('8,888')}</div>",
}

WORDS = {"index.html": "how many", "parts/a.html": "", "parts/b.html": "why  so\nmany", "teach/c.html": ""}


def test_numbers_lead_to_the_page_that_is_about_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number leads to the first page whose first paragraph has it, or else to the first page that works it out.

    A page's words come before its numbers. Numbers in the navigation do not count, nor do numbers below the first
    paragraph of a page that works nothing out. Entries for headings have no words.
    """
    assert {} == index_files(tmp_path, {})
    monkeypatch.setattr(search, "WORDS", WORDS)
    (tmp_path / "search").mkdir()
    entries = [{"location": address, "title": "é"} for address in (*PAGES, "parts/a.html#total")]
    index = {"config": {"fields": {"title": {"boost": 1000}}}, "docs": entries}
    (tmp_path / "search" / "search_index.json").write_text(json.dumps(index))
    pages = {address: Page(address, f"<article>{html}</article>") for address, html in PAGES.items()}
    ((address, text),) = index_files(tmp_path, pages).items()
    assert "search/search_index.json" == address
    assert '"title":"é"' in text  # characters are not escaped, and there are no spaces
    assert '", ' not in text
    result = json.loads(text)
    # Source: Material multiplies a page's score by the boost of the field, which is 1,000 for a title.
    assert {"title": {"boost": 1000}, "words": {"boost": 1_000_000}} == result["config"]["fields"]
    # 123 is too short to be searched for; 9,999 is worked out on the second page, while the first only mentions it.
    assert {"index.html": "how many 1,234", "parts/a.html": "5,678 9,999", "parts/b.html": "why so many 54,321"} == {
        entry["location"]: entry["words"] for entry in result["docs"] if "words" in entry
    }


def test_search_words_name_pages_that_exist() -> None:
    """Words for a misspelt page would have no effect."""
    assert "map.html" in search.WORDS
    docs = Path(__file__).parents[2] / "docs"
    assert [] == [address for address in search.WORDS if not (docs / address).with_suffix(".md").is_file()]
