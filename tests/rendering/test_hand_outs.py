"""BERT on two pages: both sheets have one layout, and the one to fill in holds no answer."""

import re

from bs4 import BeautifulSoup

from macros.rendering import hand_outs
from macros.rendering.hand_outs import FIELD

NUMBER = re.compile(r"\d[\d,]*")

GIVEN = {"30522", "512", "2", "768", "1024", "3072", "4096", "12", "24", "16"}
"""The sizes of base and large in their configs, which a class starts from."""


def numbers_in(html: str) -> set[str]:
    """All numbers of at least four digits, wherever they stand, without their commas; places in per cent are none."""
    found = (each.replace(",", "") for each in NUMBER.findall(re.sub(r'"[\d.]+%"', "", html)))
    return {each for each in found if len(each) > 3} - GIVEN


def layout(html: str) -> list[tuple[str, ...]]:
    """Ids, headings and the names of rows, in order, and every rectangle."""
    page = BeautifulSoup(html, "html.parser")
    named = [(each.name, str(each.get("id", ""))) for each in page.select("[id]")]
    heads = [(each.get_text(),) for each in page.select("thead th, tbody :is(th, td):first-child")]
    areas = [tuple(str(each.get(key)) for key in ("x", "y", "width", "height")) for each in page.select("rect")]
    assert len(heads) > 50
    assert len(areas) > 50
    return [*named, *heads, *areas]


def test_the_worked_out_sheet_has_the_totals() -> None:
    """109,482,240 and 335,141,888 are what transformers builds; so are those of one layer, and with both heads."""
    html = hand_outs.two_pages("")
    assert {"109482240", "335141888", "110106428", "336226108", "7087872", "12596224"} <= numbers_in(html)
    assert FIELD not in html


def test_the_sheet_to_fill_in_has_no_answer() -> None:
    """Neither on it nor in what nobody sees, such as the description of a picture."""
    html = hand_outs.to_fill_in("")
    assert set() == numbers_in(html)
    # 23 tensors with shape and number, 19 lines of the sum, 9 classes, 5 changes, all twice; a formula; 4 on each map.
    assert 23 * 4 + 19 * 2 + 9 * 2 + 5 * 2 + 1 + 2 * 4 == html.count(FIELD)


def test_both_sheets_have_one_layout() -> None:
    """The same tables, rows and areas."""
    assert layout(hand_outs.two_pages("")) == layout(hand_outs.to_fill_in(""))
