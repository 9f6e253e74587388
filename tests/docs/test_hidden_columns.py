"""If all parameters of a model are trained, the calculator hides the column of trained parameters, and no other.

The style sheet hides the column by its number, whereas the script decides the order of columns.
"""

import re
from collections.abc import Iterator

from tests.docs.building import ROOT

SCRIPT = (ROOT / "docs/assets/calculator/tables.js").read_text(encoding="utf-8")
STYLES = (ROOT / "docs/assets/styles/45-calculator.css").read_text(encoding="utf-8")

COLUMNS = re.compile(r"^const ([A-Z_]+) = \{(.*?)\}$", re.MULTILINE | re.DOTALL)
"""The definition of a table's columns in the script."""

TABLE_CALL = re.compile(r'showTable\("([\w-]+)", caption, ([A-Z_]+),')
"""The call in the script that shows a table with these columns."""

HIDDEN_COLUMN = re.compile(r"#([\w-]+)\.bc-all-trained :is\(th, td\):nth-child\((\d+)\)")
"""The selector for a column that the styles hide."""


def headings() -> dict[str, list[str]]:
    """The headings of the columns of each table, by its id."""
    columns = {name: re.findall(r'(?:"([^"]+)"|(\w+)):', body) for name, body in COLUMNS.findall(SCRIPT)}
    return {table: [text or key for text, key in columns[name]] for table, name in TABLE_CALL.findall(SCRIPT)}


def hidden_headings(styles: str) -> Iterator[str]:
    """The headings of the columns that a style sheet hides if all parameters are trained."""
    for table, column in HIDDEN_COLUMN.findall(styles):
        yield headings()[table][int(column) - 1]


def test_only_the_column_of_trained_parameters_is_hidden() -> None:
    marked_tables = re.findall(r'showTable\("([\w-]+)".*\n +table\.classList\.toggle\("bc-all-trained"', SCRIPT)
    assert marked_tables
    assert sorted(marked_tables) == sorted(table for table, _ in HIDDEN_COLUMN.findall(STYLES))
    assert [] == [heading for heading in hidden_headings(STYLES) if not heading.startswith("train")]


def test_hiding_another_column_is_noticed() -> None:
    """The headings of the neighbouring columns are not about training."""
    for _, column in HIDDEN_COLUMN.findall(STYLES):
        for neighbour in (int(column) - 1, int(column) + 1):
            planted_styles = STYLES.replace(f"nth-child({column})", f"nth-child({neighbour})")
            assert any(not heading.startswith("train") for heading in hidden_headings(planted_styles))
