"""If all of a model is trained, the column of trained parameters is hidden, and no other column."""

import re
from collections.abc import Iterator

from tests.docs.building import ROOT

SCRIPT = (ROOT / "docs/assets/calculator/tables.js").read_text(encoding="utf-8")
STYLES = (ROOT / "docs/assets/styles/45-calculator.css").read_text(encoding="utf-8")

COLUMNS = re.compile(r"^const ([A-Z_]+) = \{(.*?)\}$", re.MULTILINE | re.DOTALL)
TABLE_CALL = re.compile(r'showTable\("([\w-]+)", caption, ([A-Z_]+),')
HIDDEN = re.compile(r"#([\w-]+)\.bc-all-trained :is\(th, td\):nth-child\((\d+)\)")


def headings() -> dict[str, list[str]]:
    """The headings of each table whose columns are listed by name."""
    columns = {name: re.findall(r'(?:"([^"]+)"|(\w+)):', body) for name, body in COLUMNS.findall(SCRIPT)}
    return {table: [quoted or word for quoted, word in columns[name]] for table, name in TABLE_CALL.findall(SCRIPT)}


def hidden(styles: str) -> Iterator[str]:
    """The headings of the columns that are hidden where all is trained."""
    for table, column in HIDDEN.findall(styles):
        yield headings()[table][int(column) - 1]


def test_only_the_column_of_trained_parameters_is_hidden() -> None:
    """In each table with this mark, the hidden column is the one about training."""
    marked_tables = re.findall(r'showTable\("([\w-]+)".*\n +table\.classList\.toggle\("bc-all-trained"', SCRIPT)
    assert marked_tables
    assert sorted(marked_tables) == sorted(table for table, _ in HIDDEN.findall(STYLES))
    assert [] == [heading for heading in hidden(STYLES) if not heading.startswith("train")]


def test_another_column_is_found() -> None:
    """The column before or after has another heading."""
    for _, column in HIDDEN.findall(STYLES):
        for other in (int(column) - 1, int(column) + 1):
            planted_styles = STYLES.replace(f"nth-child({column})", f"nth-child({other})")
            assert any(not heading.startswith("train") for heading in hidden(planted_styles))
