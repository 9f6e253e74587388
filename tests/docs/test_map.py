"""The map and its pieces as they are built: areas, sums and links, on every page that has some."""

import re
import tomllib
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tests.docs.areas import faults, pictures
from tests.docs.conftest import Pages

MAP = "map.html"

SUMS: dict[str, str] = tomllib.loads(Path(__file__).with_name("map_sums.toml").read_text(encoding="utf-8"))
"""The sum below each of some levels."""

LEVELS_OF_A_MODEL = 13


def levels(page: BeautifulSoup) -> dict[str, Tag]:
    """The levels of the map by their addresses."""
    return {str(each["id"]): each for each in page.select("section.bc-level")}


def sum_text(place: Tag) -> str:
    """A sum without the names of its terms, and with single spaces."""
    copied = BeautifulSoup(str(place), "html.parser")
    for name in copied.select("small"):
        name.decompose()
    return " ".join(copied.get_text().split())


def worked_out(text: str) -> bool:
    """Whether a sum as it is read is right."""
    left, right = text.replace(",", "").split(" = ")
    terms = [term.split(" × ") for term in left.split(" + ")]
    added = sum(int(term[0]) * int(term[1] if len(term) > 1 else 1) for term in terms)
    return added == int(right)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('<rect height="100%" width="21.7726%"', '<rect height="100%" x="5%" width="21.7726%"', "overlaps"),
        ('data-value="590592"', 'data-value="790592"', "its area is"),
        ('class="bc-mark"', 'class="bc-other"', "has no mark"),
    ],
)
def test_a_false_picture_is_noticed(pages: Pages, old: str, new: str, says: str) -> None:
    """A block widened so that it can be seen, moved, of another number, without its mark, and the same within one."""
    right = str(pictures(pages[MAP])[0])
    assert old in right
    wrong = BeautifulSoup(re.sub(re.escape(old), new, right, count=1), "html.parser").find("svg")
    assert wrong
    assert says in " ".join(faults(wrong))


def test_every_sum_closes(pages: Pages) -> None:
    """Each level's blocks add up to it, as read and as what the elements hold; those above do so too."""
    found = levels(pages[MAP])
    assert 2 * LEVELS_OF_A_MODEL == len(found)
    for address, level in found.items():
        shown = level.select_one(".bc-level-sum")
        assert shown
        text = sum_text(shown)
        assert text == SUMS.get(address, text)
        assert worked_out(text), text
        (total,) = (int(str(each["data-value"])) for each in shown.select("[data-value]"))
        assert f"{total:,} parameters" in level.select_one("h2").get_text()  # type: ignore[union-attr]
        assert all(worked_out(line.get_text()) for line in level.select(".bc-trail li > span"))
    assert set(SUMS) < set(found)


def test_a_level_is_what_the_block_above_says(pages: Pages) -> None:
    """The block that leads to a level has the level's number; the way up leads through every level above."""
    found = levels(pages[MAP])
    for address, level in found.items():
        for block in level.select("svg a"):
            target = str(block["href"])
            if target.startswith("#"):
                total = found[target[1:]].select_one(".bc-level-sum strong")
                assert total
                assert total["data-value"] == block["data-value"], target
        above = [str(each["href"])[1:] for each in level.select(".bc-trail a")]
        assert [each for each in found if address.startswith(f"{each}/")] == above
        if not above:
            continue
        marked = [each.get_text().split(" × ")[-1].replace(",", "") for each in level.select(".bc-trail mark")]
        for upper, number in zip([*above[1:], address], marked, strict=True):
            total = found[upper].select_one(".bc-level-sum strong")
            assert total
            assert number == total["data-value"]


def test_every_block_has_name_number_and_link(pages: Pages) -> None:
    """A name for those who do not see it, and the same name and number among the terms of the sum."""
    for name in (MAP, "index.html", "totals/base.html", "parts/embeddings.html", "parts/heads.html"):
        for picture in pages[name].select("svg[role=group].bc-map"):
            figure = picture.find_parent("figure")
            assert figure
            shown = figure.find_next_sibling("p", class_="bc-level-sum")
            assert isinstance(shown, Tag)
            named = [(str(link["href"]), link.title.get_text() if link.title else "") for link in picture.select("a")]
            read = [
                (str(term["href"]), " ".join(term.get_text().split()).replace(f"{label} ", f"{label}: ", 1))
                for term in shown.select("a")
                for label in [term.small.get_text()]  # type: ignore[union-attr]
            ]
            assert named == read


def test_old_addresses_of_query_key_and_value_lead_to_one_level(pages: Pages) -> None:
    """Key and value have the same picture as query."""
    for root in ("base", "large"):
        level = levels(pages[MAP])[f"{root}/layer/attention/query"]
        for other in ("key", "value"):
            assert level.find(id=f"{root}/layer/attention/{other}")
