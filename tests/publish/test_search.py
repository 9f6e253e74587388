"""A search for a number or a word on a published site leads to the page that is about it."""

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
    "parts/b.html": f"<h1>C</h1><p>Without.</p><b class='bc-term'>6,666</b> {data('5,678')} {data('1,234')}",
    "parts/toy-model.html": f"<h1>E</h1><p>{data('6,666')} {data('7,070')}</p>",
    "teach/c.html": f"<h1>D</h1><div>{data('8,888')}</div>",
}

WORDS = {
    "index.html": "how many",
    "parts/toy-model.html": "",
    "parts/a.html": "",
    "parts/b.html": "why  so\nmany",
    "teach/c.html": "",
}


def words_in_index(folder: Path, pages: dict[str, str], words: dict[str, str]) -> dict[str, list[str]]:
    """The words of the additional field, by address, in an index of pages with this HTML."""
    (folder / "search").mkdir()
    entries = [{"location": address, "title": ""} for address in words]
    index = {"config": {"fields": {}}, "docs": entries}
    (folder / "search" / "search_index.json").write_text(json.dumps(index))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "WORDS", words)
        ((_, text),) = index_files(
            folder, {address: Page(address, f"<article>{html}</article>") for address, html in pages.items()}
        ).items()
    return {entry["location"]: entry["words"].split() for entry in json.loads(text)["docs"] if "words" in entry}


def test_numbers_lead_to_the_page_that_is_about_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number leads to the first page whose first paragraph has it, or else to the first page that works it out.

    A page's words come before its numbers. Numbers in the navigation do not count, nor do numbers below the first
    paragraph of a page that works nothing out. Entries for headings have no words. The toy model only compares
    itself with numbers, so another page that works them out comes first.
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
    # 6,666 is the result of a sum on the third page.
    assert {
        "index.html": "how many 1,234",
        "parts/toy-model.html": "7,070",
        "parts/a.html": "5,678 9,999",
        "parts/b.html": "why so many 6,666",
    } == {entry["location"]: entry["words"] for entry in result["docs"] if "words" in entry}


def test_totals_are_also_found_rounded(tmp_path: Path) -> None:
    """A rounded number that the words of another page contain leads to that page alone."""
    numbers = ["109,482,240", "66,362,880", "4,385,920", "99,960", "2,147,483,648"]
    pages = {"parts/a.html": f"<p>{' '.join(map(data, numbers))}</p>", "run/b.html": f"<p>{data('335,141,888')}</p>"}
    # 109.48, 66.36 and 4.386 million
    assert {
        "parts/a.html": [*numbers, "109.5M", "66.4M", "66M", "4.39M", "4.4M"],
        "run/b.html": ["why", "109M", "335,141,888"],
    } == words_in_index(tmp_path, pages, {"parts/a.html": "", "run/b.html": "why 109M"})


def test_accents_may_be_left_out_and_names_are_one_word(tmp_path: Path) -> None:
    assert {"map.html": ["Ubung", "パラメータ", "self-attention", "_self_attention"]} == words_in_index(
        tmp_path, {}, {"map.html": "Übung パラメータ self-attention"}
    )


def test_names_lead_to_the_page_that_lists_or_counts_them(tmp_path: Path) -> None:
    """A name in a summary leads to its section, and a model to the page with most of its numbers."""
    tensors = ("bert.pooler.dense.bias", "bert/pooler/dense/bias", "NSP-Dense")
    names = "".join(f"<tr><td><code>{tensor}</code></td></tr>" for tensor in tensors)
    rows = "<tr><th><code>NSP-Dense</code></th><td><code>bert/pooler</code></td></tr>"
    number = "<data data-model='{}'>1</data>"
    pages = {
        "listings/index.html": f"<table id='names'>{names}</table><table id='keras-bert-rows'>{rows}</table>",
        "totals/a.html": number.format("albert-base-v2") * 2 + number.format("gpt-2") + number.format("bert-tiny") * 3,
        "totals/b.html": number.format("albert-base-v2") + number.format("gpt-2") * 2 + number.format("rembert"),
    }
    addresses = [
        "listings/transformers.html",
        "listings/index.html#keras-bert",
        "listings/index.html#what-is-this-tensor-called-elsewhere",
        "totals/a.html",
        "totals/b.html",
    ]
    words = dict.fromkeys(addresses, "") | {"map.html": "bert-tiny"}
    assert {
        "listings/transformers.html": ["_pooler·dense·bias"],
        "listings/index.html#keras-bert": ["_nsp_dense"],
        "listings/index.html#what-is-this-tensor-called-elsewhere": ["_pooler_dense_bias"],
        "totals/a.html": ["_albert_base_v2"],
        "totals/b.html": ["_gpt_0"],
        "map.html": ["bert-tiny", "_bert_tiny"],
    } == words_in_index(tmp_path, pages, words)


def test_search_words_name_pages_that_exist() -> None:
    """Words for a misspelt page would have no effect."""
    assert "map.html" in search.WORDS
    docs = Path(__file__).parents[2] / "docs"
    assert [] == [address for address in search.WORDS if not (docs / address).with_suffix(".md").is_file()]
