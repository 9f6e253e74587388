"""Scripts cut and label areas as the build does, and locate parameters in files."""

import gzip
import json
import random
import struct
from pathlib import Path
from typing import Any

import pytest

from macros.counting import Question, load_models
from macros.counting.frameworks.files import safetensors_size, spans
from macros.example import toy
from macros.rendering.components.asking import BASE, LARGE
from macros.rendering.figures import area_map
from macros.rendering.figures.levels import tensors, values_of_toy
from macros.rendering.figures.tiling import COLUMNS, ROWS, WHOLE_PICTURE, BlockKind, Tile, tiles
from tests.scripts.running import Scripts

CHANCE = random.Random(20181011)  # noqa: S311 - drawing samples is not cryptography


def random_tile() -> Tile:
    """A random rectangle in the picture, often thin or at an edge."""
    width, height = (CHANCE.choice((0.5, 3, 9, 40, 100)) * CHANCE.random() for _ in range(2))
    x, y = (CHANCE.choice((0, 1)) * CHANCE.random() * (100 - size) for size in (width, height))
    return Tile(x, y, width, height)


def kind_in_script(kind: BlockKind) -> dict[str, int]:
    """A kind of block, with its fields named as in the scripts."""
    return {"each": kind.value, "times": kind.times, "maxSideBySide": kind.max_side_by_side}


def random_kinds() -> list[BlockKind]:
    """Up to five random kinds of blocks, with one or more blocks of each."""
    kind_count = CHANCE.randrange(1, 6)
    return [
        BlockKind(CHANCE.randrange(1, 10 ** CHANCE.randrange(1, 9)), CHANCE.randrange(1, 30), CHANCE.randrange(1, 30))
        for _ in range(kind_count)
    ]


CUTS = [
    (CHANCE.choice((COLUMNS, ROWS)), random_kinds(), WHOLE_PICTURE if index % 2 else random_tile())
    for index in range(300)
]
"""Areas to cut: the direction, the kinds, and the rectangle to cut."""

BLOCKS = [("x" * CHANCE.randrange(1, 20), random_kinds()[0], random_tile()) for _ in range(2_000)]
"""Blocks to draw: the name, the kind, and the rectangle."""


def test_scripts_cut_areas_as_the_build_does(scripts: Scripts) -> None:
    cuts = [[split, [*map(kind_in_script, kinds)], within._asdict()] for split, kinds, within in CUTS]
    for cut, groups in zip(CUTS, scripts.call("tiles", cuts), strict=True):
        expected = tiles(*cut)
        assert [len(group) for group in expected] == [len(group) for group in groups]
        edges = [[tile[edge] for edge in Tile._fields] for group in groups for tile in group]
        assert [pytest.approx(list(tile)) for group in expected for tile in group] == edges, cut


def test_scripts_draw_blocks_as_the_build_does(scripts: Scripts) -> None:
    expected = []
    for name, kind, tile in BLOCKS:
        amount = area_map._amount(kind)
        label = area_map.label_of(name, amount, tile)
        name_only, mark = area_map.name_alone(name, tile), area_map.mark_of(tile)
        expected.append([area_map._is_thin(tile), amount, area_map.rectangle(tile), label, name_only, mark])
    blocks = [[name, kind_in_script(kind), tile._asdict()] for name, kind, tile in BLOCKS]
    assert expected == scripts.call("drawnBlocks", blocks)
    # The blocks are varied enough: each of the six results is often not empty and takes many values, except the first,
    # which is a Boolean.
    for values in zip(*expected, strict=True):
        assert 50 < sum(map(bool, values))
    is_thin, *texts = zip(*expected, strict=True)
    assert {True, False} == set(is_thin)
    for values in texts:
        assert 50 < len(set(values))


def test_the_key_to_thin_blocks_is_the_same_in_both_languages(scripts: Scripts) -> None:
    assert area_map.THIN_WORDS == scripts.call("keyToThin")


FILE: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[1] / "example" / "recorded_toy.json.gz").read_bytes())
)["files"]["toy"]
"""The toy model's file as safetensors wrote it: the number of bytes before its data, and the data in hexadecimal."""


@pytest.mark.parametrize("name", [BASE, LARGE, "bert-base-chinese", "bert_uncased_L-2_H-128_A-2"])
def test_scripts_locate_tensors_in_a_file_as_the_engine_does(scripts: Scripts, name: str) -> None:
    question = Question(load_models()[name])
    header, starts, _ = scripts.call("placesInFile", tensors(), question.sizes, [])
    assert safetensors_size(question).bytes_before_data == header
    assert {span.tensor.transformers: span.start for span in spans(question)} == starts


def test_every_cell_of_the_toy_model_has_its_value_in_the_file(scripts: Scripts) -> None:
    sizes = toy().model.sizes
    values = values_of_toy()
    map_tensors = tensors()
    cells, expected = [], []
    for index, tensor in enumerate(map_tensors):
        shape = [sizes.get(axis) or int(axis) for axis in tensor["shape"]]
        for tensor_in_file in tensor["copies"]:
            for row, value in enumerate(values[tensor_in_file["path"]]):
                # A row of a matrix is a list of numbers, and an element of a vector a number.
                numbers = enumerate(value) if isinstance(value, list) else [(None, value)]
                for column, number in numbers:
                    cell = [row] if column is None else [row, column]
                    cells.append([index, shape, cell, tensor_in_file["file"].replace("*", "0")])
                    expected.append(number)
    header, _, places = scripts.call("placesInFile", map_tensors, sizes, cells)
    data = bytes.fromhex(FILE["data"])
    # 72 in the embeddings, 244 in the layer and 20 in the pooler.
    assert 336 == len(places) == len({place["inFile"] for place in places})
    assert FILE["header"] == header
    assert expected == [struct.unpack_from("<f", data, place["inFile"] - header)[0] for place in places]
    names = {place["name"]: place["inTensor"] for place in places}
    # The weight from feature 2 to inner feature 3 is in row 3 of (16, 4), so 3 × 4 + 2 numbers precede it.
    assert 4 * (3 * 4 + 2) == names["encoder.layer.0.intermediate.dense.weight[3, 2]"]
