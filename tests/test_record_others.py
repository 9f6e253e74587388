"""Tests of the script that records the totals of other models: it covers every model, and reports differences."""

from pathlib import Path

import pytest

from macros.counting.published.others import OTHERS_FILE, load_others
from tests.oracles.record_others import CONFIGS, with_new_totals

UNKNOWN = """
[tiny]
title = "Tiny"
totals = { TinyModel = 12 }
"""


def total_in_file(name: str, model_class: str) -> int:
    """The total in the file, which stands in for the total of a model that would have to be built."""
    return load_others()[name].totals[model_class]


def test_every_total_can_be_recorded() -> None:
    """The recording script has a configuration for every block of the file, and no further configuration."""
    assert list(load_others()) == list(CONFIGS)


def test_recording_the_same_leaves_the_file_as_it_is() -> None:
    """If no total differs, the file stays as it is and nothing is reported."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    assert (text, []) == with_new_totals(text, total_in_file)


@pytest.mark.parametrize("name", CONFIGS)
def test_another_total_is_written_and_reported(name: str, tmp_path: Path) -> None:
    """A total that differs is written and reported, and the other totals stay."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    *_, (last, was) = load_others()[name].totals.items()

    def one_more(model: str, model_class: str) -> int:
        return total_in_file(model, model_class) + ((model, model_class) == (name, last))

    new, differences = with_new_totals(text, one_more)
    assert [f"{name}, {last}: {was} here, {was + 1} built"] == differences
    path = tmp_path / "others.toml"
    path.write_text(new, encoding="utf-8")
    other = load_others()[name]
    assert {**load_others(), name: other._replace(totals={**other.totals, last: was + 1})} == load_others(path)


def test_a_block_without_a_configuration_is_refused() -> None:
    """A block without a configuration is refused, because it would never be recorded."""
    with pytest.raises(KeyError, match="tiny"):
        with_new_totals(OTHERS_FILE.read_text(encoding="utf-8") + UNKNOWN, total_in_file)
