"""The script that records the totals of other models: it knows each of them, and reports a total that differs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from macros.counting.published.others import OTHERS_FILE, load_others
from tests.oracles.record_others import CONFIGS, rewritten

UNKNOWN = """
[tiny]
title = "Tiny"
totals = { TinyModel = 12 }
"""


def recorded(name: str, model_class: str) -> int:
    """The total of the file, under name and class, instead of a model that is built."""
    return load_others()[name].totals[model_class]


def test_every_total_can_be_recorded() -> None:
    """The recording script has a configuration for each block, and none besides."""
    assert list(load_others()) == list(CONFIGS)


def test_recording_the_same_leaves_the_file_as_it_is() -> None:
    """Every total is written anew, and nothing but totals."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    assert (text, []) == rewritten(text, recorded)


@pytest.mark.parametrize("name", CONFIGS)
def test_another_total_is_written_and_reported(name: str, tmp_path: Path) -> None:
    """Whichever block it is of, and whichever class; the others stay."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    *_, (last, was) = load_others()[name].totals.items()
    one_more: Callable[[str, str], int] = lambda each, of: recorded(each, of) + ((each, of) == (name, last))  # noqa: E731
    new, differences = rewritten(text, one_more)
    assert [f"{name}, {last}: {was} here, {was + 1} built"] == differences
    path = tmp_path / "others.toml"
    path.write_text(new, encoding="utf-8")
    other = load_others()[name]
    assert {**load_others(), name: other._replace(totals={**other.totals, last: was + 1})} == load_others(path)


def test_a_block_without_a_configuration_is_refused() -> None:
    """It would never be recorded."""
    with pytest.raises(KeyError, match="tiny"):
        rewritten(OTHERS_FILE.read_text(encoding="utf-8") + UNKNOWN, recorded)
