"""The ways to count that tools keep: what each counts, and what their file may say."""

from pathlib import Path

import pytest

from macros.counting import BadConfig, Model
from macros.counting.published.conventions import Convention, load_conventions

GOOD = '[one]\nmodel_class = "BertModel"\nprinted_by = "a tool"\n'


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("BertModel", 109_482_240),
        # 768 × 768 + 768 less
        ("without pooler", 108_891_648),
        ("masked LM", 109_514_298),
        # 768 × 768 + 768 more
        ("masked LM with pooler", 110_104_890),
    ],
)
def test_what_a_convention_counts(base: Model, name: str, number: int) -> None:
    """The numbers that transformers prints for BERT base."""
    assert number == load_conventions()[name].question(base).number


def written(folder: Path, text: str) -> Path:
    """A file of conventions."""
    path = folder / "some.toml"
    path.write_text(text)
    return path


def test_a_convention_may_have_deviations_or_none(tmp_path: Path) -> None:
    """None is what a block says that is silent about them."""
    more = GOOD.replace("one", "two") + 'deviations = ["pooler-left-out"]\n'
    expected = {
        "one": Convention("BertModel", "a tool"),
        "two": Convention("BertModel", "a tool", ("pooler-left-out",)),
    }
    assert expected == load_conventions(written(tmp_path, GOOD + more))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD + 'printedby = "x"', 'some.toml, one: unknown key printedby = "x"; did you mean "printed_by"?'),
        ('[one]\nprinted_by = "a tool"', "some.toml, one: model_class is missing; write it"),
        (GOOD + 'deviations = ["pooler-left-in"]', 'some.toml, one: no deviation "pooler-left-in"; did you mean'),
        (GOOD.replace("BertModel", "BertModl"), 'some.toml, one: no model class "BertModl" of BERT; did you mean'),
    ],
)
def test_a_bad_convention_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """The message names file, block and key."""
    with pytest.raises(BadConfig) as raised:
        load_conventions(written(tmp_path, text))
    assert str(raised.value).startswith(says)
