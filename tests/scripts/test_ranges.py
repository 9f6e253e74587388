"""Tests of what is said about errors that come from a row that an embedding table does not have."""

from .running import Scripts

TOO_LONG = (
    "Token indices sequence length is longer than the specified maximum sequence length for this model (713 > 512). "
    "Running this sequence through the model will result in indexing errors"
)
"""The warning of a tokenizer of BERT."""

SIZES = (
    "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 1".format
)
"""PyTorch's error when position embeddings are added to those of more tokens."""


def test_the_missing_rows_of_a_long_text_are_counted(scripts: Scripts) -> None:
    """The rows that are missing are counted: 713 - 512 = 201, and 201 x 768 = 154,368."""
    for text, tokens, missing, parameters in ((TOO_LONG, 713, 201, "154,368"), (SIZES(600, 512), 600, 88, "67,584")):
        [answer] = scripts.call("accountsAsTexts", [text])
        assert f"{tokens} tokens, but the table of positions has 512 rows, as in BERT base" in answer["headline"]
        assert f"{missing} of the tokens have no position" in answer["headline"]
        assert any(f"{missing} × 768 = {parameters} more parameters" in finding for finding in answer["findings"])


def test_any_table_may_have_refused_an_index(scripts: Scripts) -> None:
    """For a message that does not say which table it is about, the rows of all three are given."""
    [answer] = scripts.call("accountsAsTexts", ["IndexError: index out of range in self"])
    assert "30,522 rows for tokens, 512 for positions and 2 for segments" in answer["headline"]
    assert any("resize_token_embeddings" in finding for finding in answer["findings"])


def test_other_sizes_are_not_taken_for_positions(scripts: Scripts) -> None:
    """ModernBERT's 8,192 positions have no table, and other sizes are of other tensors."""
    for text in (SIZES(3, 4), SIZES(4, 3), TOO_LONG.replace("713 > 512", "9000 > 8192")):
        [answer] = scripts.call("accountsAsTexts", [text])
        assert "table of positions" not in answer["headline"]
