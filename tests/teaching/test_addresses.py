"""Every address in the tables of addresses is published, and every number is that of the part in its row."""

import re

from bs4 import BeautifulSoup

from macros.rendering.components.pages import embed
from tests.docs.building import ROOT
from tests.rendering.tables.test_contents import written_table
from tests.rendering.test_every_page import expanded_pages

TOTALS = {
    "the whole model, without heads": ("109,482,240", "335,141,888"),
    "self-attention in one encoder layer": ("2,362,368", "4,198,400"),
    "the pooler": ("590,592", "1,049,600"),
    "all encoder layers": ("85,054,464", "302,309,376"),
}
"""Parameters of BERT base and BERT large. Source: 4·(H² + H), H² + H, and the totals that transformers prints."""


def rows(name: str) -> dict[str, BeautifulSoup]:
    """The rows of a table, by the first line of their heading."""
    rows_by_heading = {}
    for row in written_table(name).select("tbody tr"):
        heading = row.select("th")[0]
        rows_by_heading[str(next(heading.stripped_strings))] = BeautifulSoup(str(row), "html.parser")
    return rows_by_heading


def published_addresses() -> set[str]:
    """All addresses that the records list as published, none of which may change."""
    lists = ("published_ids.txt", "published_files.txt")
    addresses = {address for name in lists for address in (ROOT / "tests" / "docs" / name).read_text().split()}
    # The address of an embedded element is derived from its page and anchor; see test_embeds.py.
    return addresses | {embed(*address.split("#")) for address in addresses if address.count("#") == 1}


def test_every_address_is_published() -> None:
    addresses = published_addresses()
    for name in ("kinds-of-addresses", "wanted-addresses"):
        links = [link for row in rows(name).values() for link in row.select("a")]
        assert links
        for link in links:
            address = str(link["href"]).removeprefix("site-root:")
            assert address == link.get_text()
            assert address.partition("?")[0] in addresses


def test_numbers_are_those_of_the_parts_named() -> None:
    table = rows("wanted-addresses")
    for heading, numbers in TOTALS.items():
        assert numbers == tuple(number.get_text() for number in table[heading].select("data"))


def text_at(address: str) -> str:
    """The text to which an address on the site leads: a page, a section or an element."""
    path, _, anchor = address.partition("#")
    page = expanded_pages()[path.replace(".html", ".md")]
    heading = re.search(rf"^(#+) .*{{ #{anchor}\b.*", page.text, re.MULTILINE)
    if heading:
        # The section ends at the next heading of its own level or of a higher one.
        next_heading = rf"^#{{1,{len(heading[1])}}} "
        section, *_ = re.split(next_heading, page.text[heading.end() :], maxsplit=1, flags=re.MULTILINE)
        return BeautifulSoup(section, "html.parser").get_text()
    element = page.parsed.find(id=anchor) if anchor else page.parsed
    assert element, address
    return element.get_text()


def addresses_without_numbers(table: dict[str, BeautifulSoup]) -> list[str]:
    """The addresses in a table that lead to none of the numbers in the same row."""
    return [
        f"{heading}: {link.get_text()}"
        for heading, row in table.items()
        for link in row.select("a")
        if not any(number.get_text() in text_at(link.get_text()) for number in row.select("data"))
    ]


def test_every_address_leads_to_a_number_in_its_row() -> None:
    table = rows("wanted-addresses")
    assert [] == addresses_without_numbers(table)
    html = str(table["the masked-LM head"])
    other_section = html.replace("masked-lm", "next-sentence")
    assert addresses_without_numbers({"the masked-LM head": BeautifulSoup(other_section, "html.parser")})


def test_kinds_of_addresses_have_the_expected_examples() -> None:
    examples = {heading: row.select("a")[0].get_text() for heading, row in rows("kinds-of-addresses").items()}
    assert "disagreements/i-got.html?n=108,891,648" == examples["a number explained"]
    assert "try/exercises.html?set=layer&seed=7" == examples["an exercise"]
    assert examples["a configuration in the calculator"].startswith(
        "try/calculator.html?model=bert-base-uncased&H=1024"
    )
    assert "map.html#base/layer/attention" == examples["a level of the map"]
    assert "figures/parts/attention/attention-light.svg" == examples["a figure as a file"]
