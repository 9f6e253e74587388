"""Tables of addresses: each leads somewhere, names what it shows, and shows the number of what it names."""

from bs4 import BeautifulSoup

from macros.rendering.components.pages import embed
from tests.docs.building import ROOT
from tests.rendering.tables.test_contents import written_table

TOTALS = {
    "the whole model, without heads": ("109,482,240", "335,141,888"),
    "self-attention in one encoder layer": ("2,362,368", "4,198,400"),
    "the pooler": ("590,592", "1,049,600"),
    "all encoder layers": ("85,054,464", "302,309,376"),
}
"""4·(H² + H), H² + H, and the totals that transformers prints for base and large."""


def rows(name: str) -> dict[str, BeautifulSoup]:
    """The rows of a table by the first line of their heading."""
    found = {}
    for row in written_table(name).select("tbody tr"):
        heading = row.select("th")[0]
        found[str(next(heading.stripped_strings))] = BeautifulSoup(str(row), "html.parser")
    return found


def recorded() -> set[str]:
    """Every address that is published."""
    lists = ("published_ids.txt", "published_files.txt")
    found = {each for name in lists for each in (ROOT / "tests" / "docs" / name).read_text().split()}
    # A thing that can be embedded lasts as long as its place on its page: see test_embeds.py.
    return found | {embed(*each.split("#")) for each in found if each.count("#") == 1}


def test_every_address_leads_somewhere() -> None:
    """Pages, places and files are among what is recorded, and so lasts; the text of a link is its address."""
    published = recorded()
    for name in ("kinds-of-addresses", "wanted-addresses"):
        links = [link for row in rows(name).values() for link in row.select("a")]
        assert links
        for link in links:
            address = str(link["href"]).removeprefix("site-root:")
            assert address == link.get_text()
            assert address.partition("?")[0] in published


def test_a_number_is_that_of_what_is_named() -> None:
    """For base and large."""
    found = rows("wanted-addresses")
    for what, numbers in TOTALS.items():
        assert numbers == tuple(each.get_text() for each in found[what].select("data"))


def test_every_kind_is_there() -> None:
    """What an address may ask is shown with an example."""
    found = {what: row.select("a")[0].get_text() for what, row in rows("kinds-of-addresses").items()}
    assert "disagreements/i-got.html?n=108,891,648" == found["a number explained"]
    assert "try/exercises.html?set=layer&seed=7" == found["an exercise"]
    assert found["a configuration in the calculator"].startswith("try/calculator.html?model=bert-base-uncased&H=1024")
    assert "map.html#base/layer/attention" == found["a level of the map"]
    assert "figures/parts/attention/attention-light.svg" == found["a figure as a file"]
