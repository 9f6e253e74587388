"""What a table says of its columns reaches every cell."""

import re

from bs4 import BeautifulSoup, Tag

from macros.publish.style_sheet import our_style_sheets
from tests.docs.building import ROOT
from tests.docs.conftest import Pages

STYLES = "".join(our_style_sheets(ROOT / "docs").values())


def faults(page: BeautifulSoup) -> list[str]:
    """Columns that the style sheet does not know, and tables that have no such column or rows of several lengths."""
    found = []
    for table in page.select("table.bc"):
        lengths = {len(row.find_all(["th", "td"], recursive=False)) for row in table.find_all("tr")}
        for name in table.get_attribute_list("class"):
            kind = re.fullmatch(r"bc-(?:num|word|prose)-(\d+)", str(name))
            if kind and (f".{name} :nth-child({kind[1]})" not in STYLES or int(kind[1]) > max(lengths)):
                found.append(f"{name} in {table.find_parent(id=True)}")
        found += [f"rows of {sorted(lengths)} cells"] if len(lengths) > 1 else []
        heads = [head.get_text() for head in table.select("thead th")]
        for row in table.select("tbody tr, tfoot tr"):
            cells = list(zip(heads, row.find_all(["th", "td"], recursive=False), strict=False))[1:]
            found += [f"no heading at {cell}" for head, cell in cells if cell.contents and named(cell) != head]
    return found


def named(cell: Tag) -> str:
    """The heading that a cell repeats for phones, whose classes may be broken."""
    return str(cell.get("data-head", "")).replace("\u200b", "")


def test_columns_are_known(pages: Pages) -> None:
    """All that the tables of the site name."""
    assert {} == {name: found for name, page in pages.items() if (found := faults(page))}
    assert 90 < sum(len(page.select("table[class*=bc-num-]")) for page in pages.values())


def test_unknown_columns_are_noticed() -> None:
    """One that is too far to the right for the style sheet."""
    cells = "<td></td>" * 13
    assert faults(BeautifulSoup(f'<div id="a"><table class="bc bc-num-13"><tr>{cells}</table></div>', "html.parser"))


def test_cells_without_their_heading_are_noticed() -> None:
    """On a phone nobody would know what they count."""
    table = (
        '<table class="bc"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><th>x</th><td{}>1</td></tr></tbody>'
    )
    assert [] == faults(BeautifulSoup(table.format(' data-head="b"'), "html.parser"))
    assert 1 == len(faults(BeautifulSoup(table.format(""), "html.parser")))
