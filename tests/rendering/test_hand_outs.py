"""The hand-out "BERT on two pages"."""

import re

from macros.rendering import hand_outs


def test_it_has_the_totals() -> None:
    """It has the totals of both models, bare and with the pre-training heads, and those of one layer."""
    numbers = set(re.findall(r"\d[\d,]*", hand_outs.two_pages()))
    assert {"109,482,240", "335,141,888", "110,106,428", "336,226,108", "7,087,872", "12,596,224"} <= numbers
