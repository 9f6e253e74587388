"""The table itself: what a row may be, and what is derived from it."""

import pytest
from macros.counting.tensors import lies_under, rows_of

from macros.counting import BLOCKS, MODEL_CLASSES, ROWS, SYMBOLS
from macros.counting.frameworks.names import google_name, transformers_name, transformers_shape


def test_paths_are_unique() -> None:
    """A path names one row."""
    assert len(ROWS) == len({row.path for row in ROWS})


def test_shapes_are_letters_and_integers() -> None:
    """Every dimension is a known letter or a positive integer."""
    letters = {symbol.letter for symbol in SYMBOLS}
    for row in ROWS:
        assert row.shape.split()
        for dimension in row.shape.split():
            assert dimension in letters or int(dimension) > 0


def test_heads_occur_in_no_shape() -> None:
    """`A` is a size of every model and a dimension of no tensor."""
    assert "A" in {symbol.letter for symbol in SYMBOLS}
    assert not [row for row in ROWS if "A" in row.shape.split()]


def test_blocks_part_the_table() -> None:
    """Every row lies in exactly one block, and no block is empty."""
    for row in ROWS:
        assert 1 == sum(lies_under(row.path, prefixes) for prefixes in BLOCKS.values()), row.path
    assert set(BLOCKS) == {row.block for row in ROWS}


def test_ties_name_rows_of_the_same_size() -> None:
    """A tied row names an owner in the table with as many elements."""
    sizes = {row.path: sorted(row.shape.split()) for row in ROWS}
    ties = [row for row in ROWS if row.tied_to]
    assert 2 == len(ties)
    for row in ties:
        assert sorted(row.shape.split()) == sizes[row.tied_to]


def test_cross_attention_is_asked_for() -> None:
    """Without asking, a class has none; with it, ten more rows."""
    assert rows_of("BertModel") == rows_of("BertModel", cross_attention=False)
    assert 10 == len(rows_of("BertModel", cross_attention=True)) - len(rows_of("BertModel"))


@pytest.mark.parametrize("model_class", MODEL_CLASSES)
def test_names_are_unique_in_a_class(model_class: str) -> None:
    """Within one class no two tensors share a name in either framework."""
    rows = rows_of(model_class, cross_attention=True)
    assert len(rows) == len({transformers_name(row, model_class) for row in rows})
    named = [google_name(row) for row in rows if google_name(row)]
    assert len(named) == len(set(named))


# Source: google-research/bert, modeling.py, run_classifier.py and
# run_squad.py at commit eedf571, the names given to get_variable.
GOOGLE_NAMES = {
    "bert/embeddings/LayerNorm/beta": "bert/embeddings/LayerNorm/beta",
    "sequence_classifier/output_weights": "output_weights",
    "cls/squad/output_bias": "cls/squad/output_bias",
    "token_classifier/output_bias": None,
    "cls/predictions/decoder/kernel": None,
    "bert/encoder/layer_*/crossattention/self/key/bias": None,
}


@pytest.mark.parametrize("path", GOOGLE_NAMES)
def test_google_names(path: str) -> None:
    """Names in google-research/bert, None where it has no such variable."""
    row = next(row for row in ROWS if row.path == path)
    assert GOOGLE_NAMES[path] == google_name(row)


def test_kernels_are_transposed_in_transformers() -> None:
    """Only kernels change the order of their dimensions."""
    for row in ROWS:
        turned = " ".join(reversed(row.shape.split()))
        assert transformers_shape(row) == (turned if row.path.endswith("/kernel") else row.shape)
