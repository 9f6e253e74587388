"""The Markdown of each page has the content of the page, and llms.txt lists all pages.

These tests parse the Markdown with Python-Markdown.
"""

import re
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup, Tag
from markdown import markdown

from macros.publish.for_machines import markdown_address
from tests.docs.conftest import Pages, by_id

NUMBER = re.compile(r"\d[\d,.]*\d|\d")

TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
"""The lines of a table in Markdown."""

TAG = re.compile(r"</?[a-zA-Z!]")
"""The beginning of an HTML tag."""


def pages_with_markdown(pages: Pages) -> list[str]:
    """The names of the pages that are also published as Markdown."""
    return [name for name in pages if name != "404.html"]


@pytest.fixture(scope="module")
def texts(site: Path, pages: Pages) -> dict[str, str]:
    """The Markdown of every page, by the page's address."""
    return {name: (site / markdown_address(name)).read_text(encoding="utf-8") for name in pages_with_markdown(pages)}


def parse(text: str) -> BeautifulSoup:
    """The parsed HTML that Python-Markdown generates from Markdown without formulas."""
    return BeautifulSoup(
        markdown(re.sub(r"\$[^$\n]+\$", "", text), extensions=["tables", "fenced_code"]), "html.parser"
    )


def numbers_by_cell(page: Tag) -> list[list[list[str]]]:
    """The numbers in each cell of each table, without formulas."""
    return [
        [NUMBER.findall(text_of_cell(cell)) for cell in table.find_all(["th", "td"])]
        for table in page.find_all("table")
    ]


def text_of_cell(cell: Tag) -> str:
    """The text of a cell without formulas. A line break becomes a space, because it separates numbers."""
    pieces = []
    for node in cell.descendants:
        if not isinstance(node, Tag):
            pieces.append("" if node.find_parent("math") else str(node))
        elif node.name == "br":
            pieces.append(" ")
    return "".join(pieces)


def differing_tables(page: BeautifulSoup, text: str) -> list[tuple[list[list[str]], list[list[str]]]]:
    """The pairs of tables, from a page and its Markdown, whose numbers differ in some cell."""
    assert page.article
    page_tables = numbers_by_cell(page.article)
    markdown_tables = numbers_by_cell(parse("\n\n".join(TABLE.findall(text))))
    assert len(page_tables) == len(markdown_tables)
    return [pair for pair in zip(page_tables, markdown_tables, strict=True) if pair[0] != pair[1]]


def remaining_html(text: str) -> list[str]:
    """The HTML tags in Markdown, outside code. In a cell of a table, only `<br>` can begin a new line."""
    outside_code = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL).replace(r"\<", "")
    lines = [line.replace("<br>", " ") if line.lstrip().startswith("|") else line for line in outside_code.splitlines()]
    return TAG.findall("\n".join(lines))


def test_every_cell_of_the_markdown_has_the_numbers_of_the_page(pages: Pages, texts: dict[str, str]) -> None:
    assert {} == {name: pairs for name, text in texts.items() if (pairs := differing_tables(pages[name], text))}
    assert sum(len(pages[name].select("article td")) for name in texts) > 4000


def test_every_number_on_a_page_is_in_its_markdown(pages: Pages, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        article = pages[name].article
        assert article
        numbers = {tag.get_text() for tag in article.select("data, .bc-line-of-sum b")}
        assert set() == {number for number in numbers if number not in text}, name


def test_a_changed_digit_and_swapped_cells_are_noticed(pages: Pages, texts: dict[str, str]) -> None:
    page, text = pages["parts/attention.html"], texts["parts/attention.html"]
    assert [] == differing_tables(page, text)
    assert differing_tables(page, text.replace("| 589,824 |", "| 589,825 |", 1))
    assert differing_tables(page, text.replace("| 589,824 | 1,048,576 |", "| 1,048,576 | 589,824 |", 1))


def test_the_markdown_has_no_html_outside_code(texts: dict[str, str]) -> None:
    assert {} == {name: tags for name, text in texts.items() if (tags := remaining_html(text))}
    without_code = {name: re.sub("```.*?```", "", text, flags=re.DOTALL) for name, text in texts.items()}
    assert [] == [name for name, text in without_code.items() if re.search(r"&(?:\w+|#\d+);", text)]
    assert ["<b", "<b"] == remaining_html("a <b>\n```\n<i>\n```\n`<u>` \\<p\n| a<br>b |\n<br>")


def test_formulas_are_latex_in_the_markdown(texts: dict[str, str]) -> None:
    text = texts["parts/attention.html"]
    assert r"$4 \cdot H^{2} + 4 \cdot H$" in text
    assert r"\frac{Q K^{\top}}{\sqrt{d_k}}" in text


def test_links_lead_to_something_that_exists(site: Path, pages: Pages, texts: dict[str, str]) -> None:
    ids = {name: by_id(page) for name, page in pages.items()}
    for name, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub("```.*?```", "", text, flags=re.DOTALL)):
            target, anchor = urldefrag(urljoin(f"/{name}", link))
            path = target.partition("?")[0]
            if path.startswith("http"):
                continue
            assert (site / path[1:]).is_file(), f"{name}: {link}"
            assert not anchor or anchor in ids[path[1:]], f"{name}: {link}"
        assert f"Source: {Path(name).name}" == text.splitlines()[-1]


def test_llms_txt_lists_every_page(site: Path, pages: Pages) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert "# BERT, counted" == lines[0]
    assert lines[2].startswith("> How many parameters BERT has")
    assert "109,482,240" in lines[4]
    assert "335,141,888" in lines[4]
    entries = re.findall(r"^- \[(.+)\]\((\S+)\): (.+)$", text, re.MULTILINE)
    entries_by_address = {address: (title, description) for title, address, description in entries}
    assert len(entries) == len(entries_by_address)
    assert [markdown_address(name) for name in pages_with_markdown(pages)] == sorted(
        (name for name in entries_by_address if name.endswith(".md")), key=lambda name: name.replace(".md", ".html")
    )
    assert [] == [address for address in entries_by_address if not (site / address).is_file()]
    title, description = entries_by_address["parts/attention.md"]
    assert "How many parameters does self-attention have?" == title
    assert description.startswith("How many parameters self-attention has in one layer")
    sections = [line for line in lines if line.startswith("## ")]
    assert ["## Answer", "## Inside BERT", "## Other numbers"] == sections[:3]
    assert "## About" in sections
