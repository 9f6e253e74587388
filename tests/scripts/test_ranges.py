"""Errors caused by an index beyond the end of an embedding table are explained."""

from .running import Scripts

TOKENIZER_WARNING = (
    "Token indices sequence length is longer than the specified maximum sequence length for this model (713 > 512). "
    "Running this sequence through the model will result in indexing errors"
)
"""The warning of a BERT tokenizer about a text that is too long."""


def size_error(size: int, other_size: int) -> str:
    """PyTorch's error when tensors of two sizes are added, such as token embeddings and fewer position embeddings."""
    return (
        f"RuntimeError: The size of tensor a ({size}) must match the size of tensor b ({other_size}) at non-singleton "
        "dimension 1"
    )


def test_the_missing_rows_of_a_long_text_are_counted(scripts: Scripts) -> None:
    """For the first text, 713 - 512 = 201 rows are missing, with 201 x 768 = 154,368 parameters."""
    for text, tokens, missing_rows, parameters in (
        (TOKENIZER_WARNING, 713, 201, "154,368"),
        (size_error(600, 512), 600, 88, "67,584"),
    ):
        (answer,) = scripts.call("accountsAsTexts", [text])
        assert f"{tokens} tokens, but the table of positions has 512 rows, as in BERT base" in answer["headline"]
        assert f"{missing_rows} of the tokens have no position" in answer["headline"]
        assert any(f"{missing_rows} × 768 = {parameters} more parameters" in finding for finding in answer["findings"])


def test_a_single_token_without_a_position_is_in_the_singular(scripts: Scripts) -> None:
    (answer,) = scripts.call("accountsAsTexts", [size_error(513, 512)])
    assert "1 of the tokens has no position" in answer["headline"]


def test_an_error_that_names_no_table_may_be_about_any(scripts: Scripts) -> None:
    (answer,) = scripts.call("accountsAsTexts", ["IndexError: index out of range in self"])
    assert "30,522 rows for tokens, 512 for positions and 2 for segments" in answer["headline"]
    assert any("resize_token_embeddings" in finding for finding in answer["findings"])


def test_other_sizes_are_not_taken_for_positions(scripts: Scripts) -> None:
    """ModernBERT has no table for its 8,192 positions, and tensors of other sizes are not position embeddings."""
    for text in (size_error(3, 4), size_error(4, 3), TOKENIZER_WARNING.replace("713 > 512", "9000 > 8192")):
        (answer,) = scripts.call("accountsAsTexts", [text])
        assert "table of positions" not in answer["headline"]
