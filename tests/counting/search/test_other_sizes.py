"""Which other sizes somebody may choose: the first rule that fits decides."""

import pytest

from macros.counting.search.other_sizes import other_sizes


@pytest.mark.parametrize(
    ("letter", "size", "costs"),
    [
        ("L", 12, {11: 2, 6: 2, 24: 2, 7: 3, 25: None}),
        ("V", 30_522, {30_523: 2, 30_529: 4, 30_587: None, 50_265: 2, 40_000: 2, 31_000: 3, 30_592: 3, 4_000: None}),
        ("P", 512, {1_024: 2, 384: 2, 600: 3, 500: 6, 514: 3, 768: 3, 700: 3, 701: None}),
        ("F", 768, {1_536: 2, 2_048: 2, 1_280: 3, 1_000: None}),
        ("C", 2, {3: 1, 21: 2, 100: 2, 200: 3, 101: None}),
    ],
)
def test_samples(letter: str, size: int, costs: dict[int, int | None]) -> None:
    """Of base; costs by hand, from data/search.toml. What a deviation gives, as 500 positions, is too much."""
    rules = other_sizes()[letter]
    for value, cost in costs.items():
        fitting = (each for each in (*rules.own.get(size, ()), *rules.others) if each.least <= value <= each.most)
        assert cost == next((each.cost for each in fitting if not value % each.step), None), value
