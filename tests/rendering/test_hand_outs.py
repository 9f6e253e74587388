"""The hand-out "BERT on two pages" has the totals and says how often each tensor occurs."""

import re

from bs4 import BeautifulSoup

from macros.rendering import hand_outs


def test_two_pages_have_the_totals() -> None:
    """The totals are those of both models, bare and with the pre-training heads, and of one layer of each."""
    numbers = set(re.findall(r"\d[\d,]*", hand_outs.two_pages()))
    assert {"109,482,240", "335,141,888", "110,106,428", "336,226,108", "7,087,872", "12,596,224"} <= numbers


def test_tensors_of_a_layer_occur_l_times_and_all_others_once() -> None:
    table = BeautifulSoup(hand_outs.two_pages(), "html.parser").select_one("#tensors")
    assert table
    rows = [[cell.get_text(" ", strip=True) for cell in row.find_all(["th", "td"])] for row in table.select("tbody tr")]
    assert {("L", True), ("once", False)} == {(times, "layer. *" in tensor) for _, tensor, times, *_ in rows}
