"""Tests that scripts cut and label areas as the build does."""

import random

import pytest

from macros.rendering.figures import area_map
from macros.rendering.figures.tiling import COLUMNS, ROWS, WHOLE, Share, Tile, tiles
from tests.scripts.running import Scripts

CHANCE = random.Random(20181011)  # noqa: S311 - drawing samples is no cryptography


def any_tile() -> Tile:
    """A random rectangle in the picture, often narrow or low, or at an edge."""
    width, height = (CHANCE.choice((0.5, 3, 9, 40, 100)) * CHANCE.random() for _ in range(2))
    x, y = (CHANCE.choice((0, 1)) * CHANCE.random() * (100 - size) for size in (width, height))
    return Tile(x, y, width, height)


def share_in_script(share: Share) -> dict[str, int]:
    """A share with the names of its fields in the scripts."""
    return {"each": share.number, "times": share.times, "most": share.most}


def any_shares() -> list[Share]:
    """Random blocks of a few kinds, one or many of each."""
    kinds = range(CHANCE.randrange(1, 6))
    return [
        Share(CHANCE.randrange(1, 10 ** CHANCE.randrange(1, 9)), CHANCE.randrange(1, 30), CHANCE.randrange(1, 30))
        for _ in kinds
    ]


CUTS = [(CHANCE.choice((COLUMNS, ROWS)), any_shares(), WHOLE if place % 2 else any_tile()) for place in range(300)]

BLOCKS = [("x" * CHANCE.randrange(1, 20), any_shares()[0], any_tile()) for _ in range(2_000)]
"""Blocks to draw: a name, a share, and a rectangle."""


def test_areas_are_cut_alike(scripts: Scripts) -> None:
    """Scripts cut an area into the same tiles as the build, in columns and in rows."""
    cuts = [[split, [*map(share_in_script, shares)], within._asdict()] for split, shares, within in CUTS]
    for cut, groups in zip(CUTS, scripts.call("tiles", cuts), strict=True):
        expected = tiles(*cut)
        assert [len(group) for group in expected] == [len(group) for group in groups]
        edges = [[tile[edge] for edge in Tile._fields] for group in groups for tile in group]
        assert [pytest.approx(list(tile)) for group in expected for tile in group] == edges, cut


def test_blocks_are_drawn_alike(scripts: Scripts) -> None:
    """Scripts draw the same rectangle, label and mark for a block as the build, to the letter."""
    expected = []
    for name, share, tile in BLOCKS:
        amount = area_map._amount(share)
        label = area_map.label_of(name, amount, tile)
        alone, mark = area_map.name_alone(name, tile), area_map.mark_of(tile)
        expected.append([area_map._is_thin(tile), amount, area_map.rectangle(tile), label, alone, mark])
    blocks = [[name, share_in_script(share), tile._asdict()] for name, share, tile in BLOCKS]
    assert expected == scripts.call("drawn", blocks)
    for place in range(6):
        assert 50 < sum(bool(block[place]) for block in expected)
        assert 50 < len({block[place] for block in expected}) or place == 0
    assert {True, False} == {block[0] for block in expected}


def test_the_key_says_the_same(scripts: Scripts) -> None:
    """Scripts and the build explain the triangle in the same words."""
    assert area_map.THIN_WORDS == scripts.call("keyToThin")
