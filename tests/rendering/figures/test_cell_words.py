"""On the map, an element of a bias has the words of a column of its matrix: both are of one output."""

from collections.abc import Iterable

from macros.rendering.figures.levels import LEVELS, Block

BLOCKS = [block for level in LEVELS for block in level.blocks if block.cells]


def differing(blocks: Iterable[Block]) -> list[str]:
    """The biases whose elements are called something other than the columns of the matrix with the same part."""
    blocks = list(blocks)
    columns = {block.part: block.cells[-1] for block in blocks if block.tag == "kernel"}
    biases = [block for block in blocks if block.tag == "bias" and block.part in columns]
    return [block.cells[0] for block in biases if block.cells[-1] != columns[block.part]]


def test_biases_are_of_outputs() -> None:
    """Every bias on the map has the words of its matrix."""
    assert sum(block.tag == "bias" for block in BLOCKS) > 3
    assert [] == differing(BLOCKS)


def test_other_words_are_found() -> None:
    """A bias with the words for the rows of its matrix is found, whichever it is."""
    rows = {block.part: block.cells[-2] for block in BLOCKS if block.tag == "kernel"}
    for place, block in enumerate(BLOCKS):
        if block.tag == "bias":
            planted = [*BLOCKS]
            planted[place] = block._replace(cells=(block.cells[0], rows[block.part]))
            assert [block.cells[0]] == differing(planted)
