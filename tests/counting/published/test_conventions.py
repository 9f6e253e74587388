"""Conventions lead to the numbers that transformers prints, and a bad block in their file is refused."""

from pathlib import Path

import pytest

from macros.counting import BadConfig, Model
from macros.counting.published.conventions import Convention, load_conventions

GOOD_BLOCK = '[one]\nmodel_class = "BertModel"\nprinted_by = "a tool"\n'


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("BertModel", 109_482_240),
        # fewer by 768 × 768 + 768
        ("without pooler", 108_891_648),
        ("masked LM", 109_514_298),
        # more by 768 × 768 + 768
        ("masked LM with pooler", 110_104_890),
    ],
)
def test_conventions_lead_to_the_numbers_that_transformers_prints(base: Model, name: str, number: int) -> None:
    assert number == load_conventions()[name].question(base).number


def write_conventions(folder: Path, text: str) -> Path:
    """Write `text` to a file of conventions, and return its path."""
    path = folder / "conventions.toml"
    path.write_text(text)
    return path


def test_a_convention_may_have_deviations_or_none(tmp_path: Path) -> None:
    block_with_deviation = GOOD_BLOCK.replace("one", "two") + 'deviations = ["pooler-left-out"]\n'
    expected = {
        "one": Convention("BertModel", "a tool"),
        "two": Convention("BertModel", "a tool", ("pooler-left-out",)),
    }
    assert expected == load_conventions(write_conventions(tmp_path, GOOD_BLOCK + block_with_deviation))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            GOOD_BLOCK + 'printedby = "x"',
            'conventions.toml, one: unknown key printedby = "x"; did you mean "printed_by"?',
        ),
        ('[one]\nprinted_by = "a tool"', "conventions.toml, one: model_class is missing; write it"),
        (
            GOOD_BLOCK + 'deviations = ["pooler-left-in"]',
            'conventions.toml, one: no deviation "pooler-left-in"; did you mean',
        ),
        (
            GOOD_BLOCK.replace("BertModel", "BertModl"),
            'conventions.toml, one: no model class "BertModl" of BERT; did you mean',
        ),
    ],
)
def test_a_bad_convention_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadConfig) as error:
        load_conventions(write_conventions(tmp_path, text))
    assert str(error.value).startswith(message)
