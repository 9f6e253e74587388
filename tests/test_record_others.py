"""The script that records the totals of other models covers all of them, and reports every difference."""

from pathlib import Path

import pytest

from macros.counting.published.others import OTHERS_FILE, load_others
from tests.oracles.record_others import CONFIGS, with_new_totals

BLOCK_WITHOUT_CONFIG = """
[tiny]
title = "Tiny"
totals = { TinyModel = 12 }
"""
"""A block for a model that the script cannot build."""


def total_in_file(name: str, model_class: str) -> int:
    """The total in the file, as a substitute for that of a built model."""
    return load_others()[name].totals[model_class]


def test_every_total_can_be_recorded() -> None:
    assert list(load_others()) == list(CONFIGS)


def test_recording_the_same_leaves_the_file_as_it_is() -> None:
    text = OTHERS_FILE.read_text(encoding="utf-8")
    assert (text, []) == with_new_totals(text, total_in_file)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_different_total_is_written_and_reported(name: str, tmp_path: Path) -> None:
    """The other totals do not change."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    *_, (last_class, old_total) = load_others()[name].totals.items()

    def one_too_many(model: str, model_class: str) -> int:
        surplus = 1 if (model, model_class) == (name, last_class) else 0
        return total_in_file(model, model_class) + surplus

    new_text, differences = with_new_totals(text, one_too_many)
    assert [f"{name}, {last_class}: {old_total} in the file, {old_total + 1} in the model"] == differences
    path = tmp_path / "others.toml"
    path.write_text(new_text, encoding="utf-8")
    model = load_others()[name]
    changed_model = model._replace(totals={**model.totals, last_class: old_total + 1})
    assert {**load_others(), name: changed_model} == load_others(path)


def test_a_block_without_a_config_is_refused() -> None:
    """The totals in such a block would never be recorded."""
    with pytest.raises(KeyError, match="tiny"):
        with_new_totals(OTHERS_FILE.read_text(encoding="utf-8") + BLOCK_WITHOUT_CONFIG, total_in_file)
