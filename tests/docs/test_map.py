"""The map and its pieces as built: areas, sums and links, on every page that has them."""

import re
import tomllib
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tests.docs.areas import faults, pictures
from tests.docs.conftest import Pages

MAP = "map.html"

SUMS: dict[str, str] = tomllib.loads(Path(__file__).with_name("map_sums.toml").read_text(encoding="utf-8"))
"""The sums below some levels."""

LEVELS_OF_A_MODEL = 13
MODELS = 3
"""BERT base, BERT large and the toy model."""


def levels(page: BeautifulSoup) -> dict[str, Tag]:
    """The levels of the map, by address."""
    return {str(section["id"]): section for section in page.select("section.bc-level")}


def sum_text(element: Tag) -> str:
    """A sum without the names of its terms, with single spaces."""
    copied = BeautifulSoup(str(element), "html.parser")
    for name in copied.select("small"):
        name.decompose()
    return " ".join(copied.get_text().split())


def worked_out(text: str) -> bool:
    """Return whether a printed sum is correct."""
    terms_text, result = text.replace(",", "").split(" = ")
    terms = [term.split(" × ") for term in terms_text.split(" + ")]
    term_sum = sum(int(term[0]) * int(term[1] if len(term) > 1 else 1) for term in terms)
    return term_sum == int(result)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('<rect height="100%" width="21.7726%"', '<rect height="100%" x="5%" width="21.7726%"', "overlaps"),
        ('data-value="590592"', 'data-value="790592"', "its area is"),
        ('class="bc-mark"', 'class="bc-other"', "has no mark"),
    ],
)
def test_a_false_picture_is_noticed(pages: Pages, old: str, new: str, says: str) -> None:
    """A moved block, a wrong number and a missing mark are noticed."""
    faithful = str(pictures(pages[MAP])[0])
    assert old in faithful
    wrong = BeautifulSoup(re.sub(re.escape(old), new, faithful, count=1), "html.parser").find("svg")
    assert wrong
    assert says in " ".join(faults(wrong))


def test_every_sum_closes(pages: Pages) -> None:
    """The blocks of each level add up to it, in print and by value, and so do the levels above."""
    levels_by_address = levels(pages[MAP])
    assert MODELS * LEVELS_OF_A_MODEL == len(levels_by_address)
    for address, level in levels_by_address.items():
        sum_line = level.select_one(".bc-level-sum")
        assert sum_line
        text = sum_text(sum_line)
        assert text == SUMS.get(address, text)
        assert worked_out(text), text
        (total,) = (int(str(tag["data-value"])) for tag in sum_line.select("[data-value]"))
        assert f"{total:,} parameters" in level.select_one("h2").get_text()  # type: ignore[union-attr]
        assert [] == [line for line in level.select(".bc-trail li > span") if not worked_out(line.get_text())]
    assert set(SUMS) < set(levels_by_address)


def test_a_level_has_the_number_of_its_block_above(pages: Pages) -> None:
    """The block that leads to a level has the number of that level, and the links upwards name every level above."""
    levels_by_address = levels(pages[MAP])
    for address, level in levels_by_address.items():
        for block in level.select("svg a"):
            target = str(block["href"])
            if target.startswith("#"):
                total = levels_by_address[target[1:]].select_one(".bc-level-sum strong")
                assert total
                assert total["data-value"] == block["data-value"], target
        levels_above = [str(link["href"])[1:] for link in level.select(".bc-trail a")]
        assert [outer for outer in levels_by_address if address.startswith(f"{outer}/")] == levels_above
        if not levels_above:
            continue
        numbers_on_the_way = [
            mark.get_text().split(" × ")[-1].replace(",", "") for mark in level.select(".bc-trail mark")
        ]
        for upper, number in zip([*levels_above[1:], address], numbers_on_the_way, strict=True):
            total = levels_by_address[upper].select_one(".bc-level-sum strong")
            assert total
            assert number == total["data-value"]


def test_every_block_has_name_number_and_link(pages: Pages) -> None:
    """Every block has a name for screen readers, and the sum repeats its name, number and link."""
    for name in (MAP, "index.html", "totals/base.html", "parts/embeddings.html", "parts/heads.html"):
        for picture in pages[name].select("svg[role=group].bc-map"):
            figure = picture.find_parent("figure")
            assert figure
            sum_line = figure.find_next_sibling("p", class_="bc-level-sum")
            assert isinstance(sum_line, Tag)
            in_picture = [
                (str(link["href"]), link.title.get_text() if link.title else "") for link in picture.select("a")
            ]
            in_sum = [
                (str(term["href"]), " ".join(term.get_text().split()).replace(f"{label} ", f"{label}: ", 1))
                for term in sum_line.select("a")
                for label in [term.small.get_text()]  # type: ignore[union-attr]
            ]
            assert in_picture == in_sum


def test_old_addresses_of_query_key_and_value_lead_to_one_level(pages: Pages) -> None:
    """Key and value lead to the level of query, which has the same picture."""
    for root in ("base", "large", "toy"):
        level = levels(pages[MAP])[f"{root}/layer/attention/query"]
        for other in ("key", "value"):
            assert level.find(id=f"{root}/layer/attention/{other}")
