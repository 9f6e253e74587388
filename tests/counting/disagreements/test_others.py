"""Models of which only the total is known: how the file is read, and that it is what the recording script builds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from macros.counting import BadConfig, load_models, load_relatives
from macros.counting.disagreements.others import OTHERS_FILE, Other, load_others
from tests.oracles.record_others import CONFIGS, rewritten

GOOD = """
[tiny]
title = "Tiny"
class = "TinyModel"
total = 12
"""


def load(tmp_path: Path, text: str) -> dict[str, Other]:
    """What a file of this text is read as."""
    path = tmp_path / "others.toml"
    path.write_text(text)
    return dict(load_others(path))


# Source: num_parameters() of transformers 5.23.0 with torch 2.13.0, run on 2026-11-22.
PRINTED = {
    "gpt2": ("GPT2Model", 124_439_808),
    "gpt2-xl": ("GPT2Model", 1_557_611_200),
    "t5-small": ("T5ForConditionalGeneration", 60_506_624),
    "t5-base": ("T5ForConditionalGeneration", 222_903_552),
    "bart-base": ("BartModel", 139_420_416),
}


def test_totals() -> None:
    """Each with the class that it is the total of."""
    others = load_others()
    assert PRINTED == {name: (others[name].model_class, others[name].total) for name in PRINTED}


def test_gpt2_by_hand() -> None:
    """Source: its shapes: two tables, twelve layers, each with two LayerNorms, and a LayerNorm at the end."""
    layer = 4 * 768**2 + 4 * 768 + 8 * 768**2 + 5 * 768 + 4 * 768
    assert (50_257 + 1_024) * 768 + 12 * layer + 2 * 768 == load_others()["gpt2"].total


def test_a_good_block(tmp_path: Path) -> None:
    """Title, class and total."""
    assert {"tiny": Other("Tiny", "TinyModel", 12)} == load(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("total = 12\n", ""), "others.toml, tiny: total is missing; write it"),
        (GOOD.replace('title = "Tiny"\n', ""), "others.toml, tiny: title is missing"),
        (GOOD.replace('class = "TinyModel"\n', ""), "others.toml, tiny: class is missing"),
        (GOOD.replace("12", '"12"'), 'total is "12"; write an integer from 0'),
        (GOOD.replace("12", "-12"), "total is -12; write an integer from 0"),
        (GOOD.replace('"Tiny"', '" "'), 'title is " "; write a text'),
        (GOOD + "hidden_size = 8\n", "unknown key hidden_size = 8; known: title, class, total"),
        ("tiny = 12", "others.toml, tiny: is 12; write keys and values"),
        ("[tiny", "others.toml: cannot be read as TOML"),
    ],
)
def test_a_bad_block_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """The message names file, model and key."""
    with pytest.raises(BadConfig) as caught:
        load(tmp_path, text)
    assert says in str(caught.value)


def test_no_model_stands_elsewhere() -> None:
    """What the engine counts needs no total that is written down."""
    assert not set(load_others()) & {*load_models(), *load_relatives()}
    titles = [each.title for each in load_others().values()]
    assert len(titles) == len(set(titles))


def recorded(name: str, model_class: str) -> int:
    """The total of the file, under name and class, instead of a model that is built."""
    assert model_class == load_others()[name].model_class
    return load_others()[name].total


def test_every_total_can_be_recorded() -> None:
    """The recording script has a configuration for each block, and none besides."""
    assert list(load_others()) == list(CONFIGS)


def test_recording_the_same_leaves_the_file_as_it_is() -> None:
    """Every total is written anew, and nothing but totals."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    assert (text, []) == rewritten(text, recorded)


@pytest.mark.parametrize("name", CONFIGS)
def test_another_total_is_written_and_reported(name: str, tmp_path: Path) -> None:
    """Whichever block it is of; the others stay."""
    text = OTHERS_FILE.read_text(encoding="utf-8")
    was = load_others()[name].total
    one_more: Callable[[str, str], int] = lambda each, model_class: recorded(each, model_class) + (each == name)  # noqa: E731
    new, differences = rewritten(text, one_more)
    assert [f"{name}: {was} here, {was + 1} built"] == differences
    assert {**load_others(), name: load_others()[name]._replace(total=was + 1)} == load(tmp_path, new)


def test_a_block_without_a_configuration_is_refused() -> None:
    """It would never be recorded."""
    with pytest.raises(KeyError, match="tiny"):
        rewritten(OTHERS_FILE.read_text(encoding="utf-8") + GOOD, recorded)
