"""Costs of the sizes that a reader may have used instead of the model's own; the first rule that fits decides."""

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
def test_other_sizes_cost_what_the_first_rule_says(letter: str, size: int, costs: dict[int, int | None]) -> None:
    """A size that a deviation sets, such as 500 positions, costs more than the limit."""
    rules = other_sizes()[letter]
    for value, cost in costs.items():
        in_range = (
            rule for rule in (*rules.by_base.get(size, ()), *rules.for_all) if rule.smallest <= value <= rule.largest
        )
        assert cost == next((rule.cost for rule in in_range if not value % rule.step), None), value
