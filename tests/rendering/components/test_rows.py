"""A table written in Markdown is identical to one that Python builds from the same cells."""

from html import unescape

import pytest

from macros.counting import CountingError
from macros.rendering.components.rows import lines, rows
from macros.rendering.components.tables import NUMERIC, PROSE, TEXT, WORD, Column, table

DATA = '<data value="1" data-how="a | b&#10;c" tabindex="0">1</data>'

MARKDOWN = f"""
What it shows

| what | figure | word | sentence |
|---|--:|:-:|:--|
| first | {DATA} | yes | So it is. |

| second | 2 | no | &lt;i&gt; |
|---|
| total | 3 | | |
"""


def test_a_markdown_table_equals_one_built_in_python() -> None:
    """The bar in an attribute of `DATA` does not end the cell."""
    columns = [Column("what", TEXT), Column("figure", NUMERIC), Column("word", WORD), Column("sentence", PROSE)]
    cells = [["first", DATA, "yes", "So it is."], ["second", "2", "no", "&lt;i&gt;"]]
    assert table("a", "What it shows", columns, cells, ["total", "3", "", ""]) == rows("a", MARKDOWN)


@pytest.mark.parametrize(
    ("cell", "html"),
    [
        ("`encoder.layer_*/a`", "<code>encoder.<wbr>layer_*/<wbr>a</code>"),
        ("`a|b`", "<code>a|b</code>"),
        ("a \\| b", "a | b"),
        ("[heads](../parts/heads.md#pooler)", '<a href="../parts/heads.html#pooler">heads</a>'),
        ("[albert](../try/calculator.md?model=a)", '<a href="../try/calculator.html?model=a">albert</a>'),
        ("[paper](https://example.org/a.md)", '<a href="https://example.org/a.md">paper</a>'),
        ("**all** * one", "<strong>all</strong> * one"),
        ("H * H * L", "H * H * L"),
    ],
)
def test_code_links_and_bold_text_in_a_cell_become_html(cell: str, html: str) -> None:
    assert f"<td>{html}</td>" in rows("a", f"A\n| b | c |\n|---|---|\n| d | {cell} |").replace(' data-head="c"', "")


def test_a_row_has_the_id_at_the_end_of_its_first_cell() -> None:
    html = rows("a", "A\n| b |\n|---|\n| c { #one } |\n| d { #other } |")
    assert '<tr id="one"><th scope="row">c</th></tr>' in html
    assert '<tr id="other"><th scope="row">d</th></tr>' in html


def test_computed_rows_can_replace_written_ones() -> None:
    """Bars and HTML in a computed cell are kept."""
    cells = [[f"a | b {DATA}", "2"], ["<i>c</i>", ""]]
    html = rows("a", "A\n| b | c |\n|---|--:|\n" + lines(cells, ["one", "other"]))
    assert table("a", "A", [Column("b"), Column("c", NUMERIC)], cells, row_ids=["one", "other"]) == html
    assert '<tr id="other">' not in rows("a", "A\n| b | c |\n|---|--:|\n" + lines(cells))


def test_computed_cells_are_not_read_as_markdown() -> None:
    html = rows("a", "A\n| b |\n|---|\n" + lines([["768**2**2, `a` and [b](c)"]]))
    assert "768**2**2, `a` and [b](c)" == unescape(html.partition('<th scope="row">')[2].partition("</th>")[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("| a |\n|---|\n| b |", "has no caption; write a line above its first row"),
        ("A\n| a |\n| b |", "has no rule; write one such as"),
        ("A", "has no rule"),
        ("A\n| a | b |\n|---|\n| c | d |", "has 2 headings, but a rule for 1"),
        ("A\n| a | b |\n|---|---|\n| c |", "has 2 columns, but a row has 1"),
        ("A\n| a |\n|---|\n| b |\nc", '"c" is not a row'),
        ("A\n| a |\n|---|", "has no rows"),
    ],
)
def test_a_malformed_table_is_an_error(text: str, message: str) -> None:
    with pytest.raises(CountingError, match=message):
        rows("a", text)
