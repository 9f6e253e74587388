"""Tables say what their columns hold, once."""

import re

import pytest

from macros.counting import CountingError
from macros.rendering.elements.tables import PROSE, WORD, Column, numeric, table

COLUMNS = [Column("name"), *numeric("base", "large"), Column("pooler", WORD), Column("why", PROSE)]
ROW = ["a", "1", "2", "yes", "so"]


def test_columns_are_named_by_the_table() -> None:
    """Names are what is not said, and no cell repeats it."""
    html = table("t", "T", COLUMNS, [ROW], ROW)
    assert '<table class="bc bc-3 bc-num-2 bc-num-3 bc-word-4 bc-prose-5">' in html
    assert ["row", "row"] == re.findall('<th scope="(row)">a</th>\n<td>1</td>\n<td>2</td>', html)


@pytest.mark.parametrize(("rows", "foot"), [([ROW, ROW[1:]], []), ([ROW], [*ROW, "more"])])
def test_a_row_of_another_length_is_refused(rows: list[list[str]], foot: list[str]) -> None:
    """Its cells would stand below the wrong headings."""
    with pytest.raises(CountingError, match=r'table "t" has 5 columns, got a row of [46]; give it as many cells'):
        table("t", "T", COLUMNS, rows, foot)
