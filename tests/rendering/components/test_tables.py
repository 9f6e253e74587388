"""Tables have a name, headings and classes for the phone layout, and invalid tables are errors."""

import pytest
from bs4 import BeautifulSoup

from macros.counting import CountingError
from macros.rendering.components.tables import NUMERIC, PROSE, WORD, Column, code, numeric_columns, table

COLUMNS = [Column("name"), *numeric_columns("a < b", "c"), Column("pooler", WORD), Column("why", PROSE)]
ROWS = [["x", "1", "2", "yes", "so"], ["<b>y</b>", "3", "4", "no", "then"]]


def test_a_table_has_all_its_elements() -> None:
    page = BeautifulSoup(table("n", "A & b", COLUMNS, ROWS, ["sum", "4", "6", "", ""]), "html.parser")
    outer = page.div
    assert outer
    assert ("n", ["bc-table"]) == (outer["id"], outer["class"])
    region = page.select_one("div.bc-scroll")
    assert region
    assert ("region", "n-caption", "0") == (region["role"], region["aria-labelledby"], region["tabindex"])
    caption = page.caption
    assert caption
    assert "A & b\xa0#" == caption.get_text()
    # The caption, without its permalink, labels both the table and the region.
    assert page.table
    assert "n-caption" == page.table["aria-labelledby"]
    assert ["A & b"] == [element.get_text() for element in caption.select("#n-caption")]
    assert ["#n"] == [link["href"] for link in caption("a")]
    # Each column that is not plain text adds a class.
    assert ["bc", "bc-3", "bc-num-2", "bc-num-3", "bc-word-4", "bc-prose-5"] == page.table["class"]
    head, first, second, foot = page("tr")
    assert [("name", "col"), ("a < b", "col"), ("c", "col"), ("pooler", "col"), ("why", "col")] == [
        (heading.get_text(), heading["scope"]) for heading in head("th")
    ]
    # On a phone, each cell repeats its column heading, unless it is the row heading or empty.
    assert [None, "a < b", "c", "pooler", "why"] == [
        element.get("data-head") for element in first.find_all(["th", "td"])
    ]
    assert [None, "a < b", "c", None, None] == [element.get("data-head") for element in foot.find_all(["th", "td"])]
    assert ["x", "1", "2", "yes", "so"] == [element.get_text() for element in first.find_all(["th", "td"])]
    assert [["row"], ["row"], ["row"]] == [[cell["scope"] for cell in row("th")] for row in (first, second, foot)]
    assert second.b
    assert foot.parent
    assert "tfoot" == foot.parent.name
    # A line break between cells keeps the search index from joining their words.
    assert "2\nyes" in first.get_text()
    assert "4\nno" in second.get_text()
    # A row has attributes only if the table is given ids or parts.
    assert not first.attrs


@pytest.mark.parametrize(
    ("columns", "classes"),
    [
        ([Column("a")], "bc-1"),
        ([Column("a"), Column("b", NUMERIC)], "bc-1 bc-num-2"),
        ([Column("a"), Column("b", NUMERIC), Column("c", WORD)], "bc-2 bc-num-2 bc-word-3"),
        ([Column("a"), *numeric_columns("b", "c", "d")], "bc-3 bc-num-2 bc-num-3 bc-num-4"),
        ([Column("a"), *numeric_columns("b", "c", "d", "e")], "bc-2 bc-num-2 bc-num-3 bc-num-4 bc-num-5"),
        ([Column("a", PROSE), Column("b", PROSE)], "bc-1 bc-prose-1 bc-prose-2"),
    ],
)
def test_classes_set_the_number_of_cells_per_line_on_a_phone(columns: list[Column], classes: str) -> None:
    """Up to three short figures or words share a line, or two if one is long; four are split into two lines of two."""
    assert f' class="bc {classes}">' in table("n", "c", columns, [["x"] * len(columns)])
    html_with_long_numbers = table("n", "c", columns, [["<data>22,348,431,360</data>"] * len(columns)])
    assert f' class="bc {classes.replace("bc-3", "bc-2")}">' in html_with_long_numbers


WRONG_LENGTH = r'table "n" has 5 columns, but a row has [46]; give each row a cell per column'


@pytest.mark.parametrize(
    ("rows", "foot", "message"),
    [
        # Cells would be in the wrong columns.
        ([ROWS[0], ROWS[1][1:]], [], WRONG_LENGTH),
        (ROWS, [*ROWS[0], "more"], WRONG_LENGTH),
        # A misspelt name selects no rows.
        ([], [], 'table "n" has no rows; check what it should list'),
    ],
)
def test_a_row_of_the_wrong_length_or_a_table_without_rows_is_an_error(
    rows: list[list[str]], foot: list[str], message: str
) -> None:
    with pytest.raises(CountingError, match=message):
        table("n", "c", COLUMNS, rows, foot)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("bert/pooler.bias", "<code>bert/<wbr>pooler.<wbr>bias</code>"),
        ("layer.*.hidden_size", "<code>layer.<wbr>*.<wbr>hidden_size</code>"),
        ("a", "<code>a</code>"),
        ("", "none"),
        (None, "none"),
    ],
)
def test_a_name_may_break_after_a_slash_or_a_dot(text: str | None, html: str) -> None:
    assert html == code(text)
