"""The areas of the map divide rectangles in ways that are easy to check on paper."""

import pytest

from macros.rendering.figures.tiling import COLUMNS, ROWS, BlockKind, Tile, tiles

QUARTER = Tile(0, 0, 25, 100)

TILES_IN_COLUMN = [Tile(25, 0, 75, 100 / 3), Tile(25, 100 / 3, 75, 100 / 3), Tile(25, 200 / 3, 75, 100 / 3)]
TILES_IN_ROW = [Tile(25, 0, 25, 100), Tile(50, 0, 25, 100), Tile(75, 0, 25, 100)]


@pytest.mark.parametrize(
    ("max_per_row", "expected"),
    [(1, TILES_IN_COLUMN), (2, TILES_IN_COLUMN), (3, TILES_IN_ROW), (4, TILES_IN_ROW)],
    ids=["one", "two", "three", "four"],
)
def test_equal_cells_fill_whole_rows(max_per_row: int, expected: list[Tile]) -> None:
    """Three cells share a row only if a row can hold all three, because two does not divide three."""
    assert rounded_tiles([[QUARTER], expected]) == rounded_tiles(
        tiles(COLUMNS, [BlockKind(1, 1, 9), BlockKind(1, 3, max_per_row)])
    )


def test_cells_are_spread_over_several_rows() -> None:
    """With at most four cells in a row, six cells make two rows of three."""
    six_tiles = [Tile(x, y, 25, 50) for y in (0, 50) for x in (25, 50, 75)]
    assert [[QUARTER], six_tiles] == tiles(COLUMNS, [BlockKind(4, 1, 1), BlockKind(2, 6, 4)])


def rounded_tiles(groups: list[list[Tile]]) -> list[list[tuple[float, ...]]]:
    """Tiles with rounded coordinates, because the last digits of floating-point results differ."""
    return [[tuple(round(edge, 9) for edge in tile) for tile in group] for group in groups]


def test_rows_share_the_height_of_a_rectangle() -> None:
    """In a 50 × 40 rectangle at (10, 20), two cells of 10 take 16 of the height, and six cells of 5 take 24."""
    upper, lower = rounded_tiles(tiles(ROWS, [BlockKind(10, 2, 2), BlockKind(5, 6, 3)], Tile(10, 20, 50, 40)))
    assert [(10, 20, 25, 16), (35, 20, 25, 16)] == upper
    third = round(50 / 3, 9)
    lefts = (10, round(10 + 50 / 3, 9), round(10 + 100 / 3, 9))
    assert [(x, y, third, 12) for y in (36, 48) for x in lefts] == lower


def test_columns_share_the_width_of_a_rectangle() -> None:
    """In the same rectangle, cells of 1 and 3 are 12.5 and 37.5 wide and as high as the rectangle."""
    assert [[(10, 20, 12.5, 40)], [(22.5, 20, 37.5, 40)]] == rounded_tiles(
        tiles(COLUMNS, [BlockKind(1, 1, 1), BlockKind(3, 1, 1)], Tile(10, 20, 50, 40))
    )
