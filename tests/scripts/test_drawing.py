"""Scripts cut and label areas as the build does."""

import random

import pytest

from macros.rendering.figures import area_map
from macros.rendering.figures.tiling import COLUMNS, ROWS, WHOLE, Share, Tile, tiles
from tests.scripts.running import Scripts

CHANCE = random.Random(20181011)  # noqa: S311 - drawing samples is no cryptography


def any_tile() -> Tile:
    """A rectangle somewhere in the picture, often one that is narrow or low, or begins at an edge."""
    width, height = (CHANCE.choice((0.5, 3, 9, 40, 100)) * CHANCE.random() for _ in range(2))
    x, y = (CHANCE.choice((0, 1)) * CHANCE.random() * (100 - size) for size in (width, height))
    return Tile(x, y, width, height)


def any_shares() -> list[Share]:
    """Blocks of some kinds, a few or many of each."""
    kinds = range(CHANCE.randrange(1, 6))
    return [
        Share(CHANCE.randrange(1, 10 ** CHANCE.randrange(1, 9)), CHANCE.randrange(1, 30), CHANCE.randrange(1, 30))
        for _ in kinds
    ]


CUTS = [(CHANCE.choice((COLUMNS, ROWS)), any_shares(), WHOLE if place % 2 else any_tile()) for place in range(300)]

BLOCKS = [("x" * CHANCE.randrange(1, 20), any_shares()[0], any_tile()) for _ in range(2_000)]
"""A name, what is counted, and where it is."""


def test_areas_are_cut_alike(scripts: Scripts) -> None:
    """Side by side and one under the other, in rows of as many as divide their number."""
    given = [[split, [each._asdict() for each in shares], within._asdict()] for split, shares, within in CUTS]
    for cut, found in zip(CUTS, scripts.call("tiles", given), strict=True):
        expected = tiles(*cut)
        assert [len(each) for each in expected] == [len(each) for each in found]
        placed = [[tile[edge] for edge in Tile._fields] for group in found for tile in group]
        assert [pytest.approx(list(tile)) for group in expected for tile in group] == placed, cut


def test_blocks_are_drawn_alike(scripts: Scripts) -> None:
    """Rectangle, name and number where there is room for them, mark of what is too thin to see; to the letter."""
    expected = []
    for name, share, tile in BLOCKS:
        amount = area_map._amount(share)
        label = area_map.label_of(name, amount, tile)
        alone, mark = area_map.name_alone(name, tile), area_map.mark_of(tile)
        expected.append([area_map._is_thin(tile), amount, area_map.rectangle(tile), label, alone, mark])
    given = [[name, share._asdict(), tile._asdict()] for name, share, tile in BLOCKS]
    assert expected == scripts.call("drawn", given)
    for place in range(6):
        assert 50 < sum(bool(each[place]) for each in expected)
        assert 50 < len({each[place] for each in expected}) or place == 0
    assert {True, False} == {each[0] for each in expected}


def test_the_key_says_the_same(scripts: Scripts) -> None:
    """What a triangle marks, below either picture."""
    assert area_map.THIN_WORDS == scripts.call("keyToThin")
