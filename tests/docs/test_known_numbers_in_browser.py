"""The script that reads known numbers says what the engine exports."""

from playwright.sync_api import Page

from macros.counting.disagreements.known_numbers import Way, spaces
from tests.docs.scripts import called

READ = """windows => windows.map(([low, high]) => bertCounted.known.within(low, high)
  .map(({ number, models, classes, mistakes, cost }) => [number, models, classes, mistakes, cost]))"""

WINDOWS = [
    (-1, 10**12),
    (109_482_240, 109_482_240),
    (109_482_239.5, 109_482_240.5),
    (109_482_241, 109_482_255),
    (110_000_000, 110_106_428),
    (0, 0),
    (10**11, 10**12),
]
"""The whole; one number; bounds that are not whole; bounds where numbers stand, and where there are none."""


def test_windows_hold_all_of_their_ways(page: Page) -> None:
    """Every way with its models, classes, deviations and cost, in the order of models and then of numbers."""
    every = [sorted(space.ways, key=lambda way: way.number) for space in spaces()]
    for (low, high), found in zip(WINDOWS, called(page, READ, WINDOWS), strict=True):
        read = [Way._make(tuple(each) if isinstance(each, list) else each for each in way) for way in found]
        assert read == [way for ways in every for way in ways if low <= way.number <= high], (low, high)
