"""On the map, and in its levels on other pages, areas, sums and links are right."""

import re
import tomllib
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tests.docs.areas import faults, pictures
from tests.docs.conftest import Pages

MAP = "map.html"

SUMS: dict[str, str] = tomllib.loads(Path(__file__).with_name("map_sums.toml").read_text(encoding="utf-8"))
"""The sums below a selection of levels, by the address of the level."""

MODELS = ("base", "large", "toy")
"""The models on the map, BERT base, BERT large and the toy model, by their names in the addresses of levels."""

LEVELS_PER_MODEL = 13
"""The number of levels from the whole model to a single head, without those of tensors, which only scripts draw."""


def levels(page: BeautifulSoup) -> dict[str, Tag]:
    """The levels on the map, by address."""
    return {str(section["id"]): section for section in page.select("section.bc-level")}


def sum_text(element: Tag) -> str:
    """The text of a sum, without the names of its terms and with single spaces."""
    sum_line = BeautifulSoup(str(element), "html.parser")
    for name in sum_line.select("small"):
        name.decompose()
    return " ".join(sum_line.get_text().split())


def has_right_result(text: str) -> bool:
    """Return whether the terms of a sum add up to its result."""
    terms_text, result = text.replace(",", "").split(" = ")
    terms = [term.split(" × ") for term in terms_text.split(" + ")]
    term_sum = sum(int(term[0]) * int(term[1] if len(term) > 1 else 1) for term in terms)
    return term_sum == int(result)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('<rect height="100%" width="21.7726%"', '<rect height="100%" x="5%" width="21.7726%"', "overlaps"),
        ('data-value="590592"', 'data-value="790592"', "its area is"),
        ('class="bc-mark"', 'class="bc-other"', "has no mark"),
    ],
)
def test_a_wrong_picture_is_noticed(pages: Pages, old: str, new: str, fault: str) -> None:
    correct_html = str(pictures(pages[MAP])[0])
    assert old in correct_html
    wrong_picture = BeautifulSoup(re.sub(re.escape(old), new, correct_html, count=1), "html.parser").find("svg")
    assert wrong_picture
    assert fault in " ".join(faults(wrong_picture))


def test_every_sum_of_the_map_is_right(pages: Pages) -> None:
    levels_by_address = levels(pages[MAP])
    assert len(MODELS) * LEVELS_PER_MODEL == len(levels_by_address)
    for address, level in levels_by_address.items():
        sum_line = level.select_one(".bc-level-sum")
        assert sum_line
        text = sum_text(sum_line)
        assert text == SUMS.get(address, text)
        assert has_right_result(text), text
        (total,) = (int(str(tag["data-value"])) for tag in sum_line.select("[data-value]"))
        assert f"{total:,} parameters" in level.select_one("h2").get_text()  # type: ignore[union-attr]
        assert [] == [line for line in level.select(".bc-trail li > span") if not has_right_result(line.get_text())]
    assert set(SUMS) < set(levels_by_address)


def test_a_level_has_the_number_of_the_block_that_leads_to_it(pages: Pages) -> None:
    """The links upwards lead to every level above, and the numbers marked there are those of the levels below."""
    levels_by_address = levels(pages[MAP])
    for address, level in levels_by_address.items():
        for block in level.select("svg a"):
            target = str(block["href"])
            if target.startswith("#"):
                total = levels_by_address[target[1:]].select_one(".bc-level-sum strong")
                assert total
                assert total["data-value"] == block["data-value"], target
        levels_above = [str(link["href"])[1:] for link in level.select(".bc-trail a")]
        assert [
            outer_level for outer_level in levels_by_address if address.startswith(f"{outer_level}/")
        ] == levels_above
        if not levels_above:
            continue
        marked_numbers = [mark.get_text().split(" × ")[-1].replace(",", "") for mark in level.select(".bc-trail mark")]
        for marked_level, number in zip([*levels_above[1:], address], marked_numbers, strict=True):
            total = levels_by_address[marked_level].select_one(".bc-level-sum strong")
            assert total
            assert number == total["data-value"]


def title_of_term(term: Tag) -> str:
    """The name and the number of a term of a sum, in the form of a block's title."""
    assert term.small
    name = term.small.get_text()
    return " ".join(term.get_text().split()).replace(f"{name} ", f"{name}: ", 1)


def test_every_block_has_a_name_a_number_and_a_link(pages: Pages) -> None:
    """The title for screen readers is the name and the number. The sum below the picture repeats them and the link."""
    for name in (MAP, "index.html", "totals/base.html", "parts/embeddings.html", "parts/heads.html"):
        pictures_with_links = pages[name].select("svg[role=group].bc-map")
        assert pictures_with_links, name
        for picture in pictures_with_links:
            figure = picture.find_parent("figure")
            assert figure
            sum_line = figure.find_next_sibling("p", class_="bc-level-sum")
            assert isinstance(sum_line, Tag)
            blocks = [(str(link["href"]), link.title.get_text() if link.title else "") for link in picture.select("a")]
            assert blocks == [(str(term["href"]), title_of_term(term)) for term in sum_line.select("a")]


def test_old_addresses_of_query_key_and_value_lead_to_one_level(pages: Pages) -> None:
    """The pictures of the three projections are the same."""
    for root in MODELS:
        level = levels(pages[MAP])[f"{root}/layer/attention/query"]
        for projection in ("key", "value"):
            assert level.find(id=f"{root}/layer/attention/{projection}")
