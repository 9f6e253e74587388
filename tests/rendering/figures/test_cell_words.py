"""On the map, biases are labelled like the columns of their matrix, and blocks link to the section about them.

An element of a bias and a column of a matrix both belong to an output.
"""

from collections.abc import Iterable

from macros.rendering.components import pages
from macros.rendering.figures.levels import (
    HEADS_AND_POOLER,
    LEVELS,
    PRETRAINING,
    Block,
    CellWording,
    tensors,
    values_of_toy,
)

BLOCKS = [(block, block.cell_wording) for level in LEVELS for block in level.blocks if block.cell_wording]


def misnamed_biases(blocks: Iterable[tuple[Block, CellWording]]) -> list[str]:
    """The titles of biases whose elements are not labelled like the columns of the matrix in the same part."""
    blocks = list(blocks)
    columns = {block.part: wording.axes[-1] for block, wording in blocks if block.tag == "kernel"}
    biases = [(block, wording) for block, wording in blocks if block.tag == "bias" and block.part in columns]
    return [wording.title for block, wording in biases if wording.axes[-1] != columns[block.part]]


def test_the_labels_of_every_bias_agree_with_its_matrix() -> None:
    assert sum(block.tag == "bias" for block, _ in BLOCKS) > 3
    assert [] == misnamed_biases(BLOCKS)


def test_wrong_labels_are_found() -> None:
    for index, (block, wording) in enumerate(BLOCKS):
        if block.tag == "bias":
            planted_blocks = [*BLOCKS]
            planted_blocks[index] = (block, wording._replace(axes=("row #",)))
            assert [wording.title] == misnamed_biases(planted_blocks)


def test_every_tensor_of_the_bare_model_is_on_the_map_once() -> None:
    paths = [entry["path"] for tensor in tensors() for entry in tensor["copies"]]
    # Source: BertModel in transformers has 5 tensors in its embeddings, 16 in each layer and 2 in its pooler.
    assert 5 + 16 + 2 == len(paths) == len(set(paths))
    assert sorted(paths) == sorted(values_of_toy())


def test_values_have_the_shapes_of_the_toy_model() -> None:
    """Matrices are exported as (in, out), so the first dense layer of the feed-forward network has 4 rows of 16."""
    values = values_of_toy()
    assert [16] * 4 == [len(row) for row in values["bert/encoder/layer_0/intermediate/dense/kernel"]]
    assert [5, 0, 7, 2] == values["bert/embeddings/word_embeddings"][6]
    assert [-1, 0, 1, 0] == values["bert/encoder/layer_0/attention/self/query/bias"]


def links_to_another_block(blocks: Iterable[Block]) -> list[str]:
    """The labels of blocks that link elsewhere than to the section that explains blocks of their colour."""
    return [block.label for block in blocks if block.page != pages.BLOCKS[block.style]]


def test_blocks_that_a_section_explains_link_to_it() -> None:
    levels = (*LEVELS, PRETRAINING, HEADS_AND_POOLER)
    blocks = [block for level in levels for block in level.blocks if block.page and "#" in pages.BLOCKS[block.style]]
    assert len(blocks) > 5
    assert [] == links_to_another_block(blocks)
    for block in blocks:
        other_page = next(page for page in pages.BLOCKS.values() if page != block.page)
        assert [block.label] == links_to_another_block([block._replace(page=other_page)])
