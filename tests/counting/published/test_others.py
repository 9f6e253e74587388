"""Models for which only totals are known have those of transformers, and a bad block in their file is refused."""

import re
from pathlib import Path

import pytest

from macros.counting import BadConfig, load_models, load_relatives
from macros.counting.model_names import reason_against, reason_against_type
from macros.counting.published.others import OtherModel, load_others

GOOD_BLOCK = """
[tiny]
title = "Tiny"
totals = { TinyModel = 12 }
"""


def load(tmp_path: Path, text: str) -> dict[str, OtherModel]:
    """The models in a file with this text."""
    path = tmp_path / "others.toml"
    path.write_text(text)
    return dict(load_others(path))


# Source: num_parameters() of transformers 5.23.0 with torch 2.13.0, run on 2026-11-22.
TOTALS = {
    "gpt2": ("GPT2Model", 124_439_808),
    "gpt2-xl": ("GPT2Model", 1_557_611_200),
    "t5-small": ("T5ForConditionalGeneration", 60_506_624),
    "t5-base": ("T5ForConditionalGeneration", 222_903_552),
    "bart-base": ("BartModel", 139_420_416),
}


def test_the_first_total_is_that_of_the_usual_class() -> None:
    models = load_others()
    assert TOTALS == {name: next(iter(models[name].totals.items())) for name in TOTALS}


def test_gpt2_agrees_with_manual_arithmetic() -> None:
    """GPT-2's total is the sum of two tables, twelve layers with two LayerNorms each, and a final LayerNorm."""
    layer = 4 * 768**2 + 4 * 768 + 8 * 768**2 + 5 * 768 + 4 * 768
    assert (50_257 + 1_024) * 768 + 12 * layer + 2 * 768 == load_others()["gpt2"].totals["GPT2Model"]


def test_a_good_block_is_read(tmp_path: Path) -> None:
    assert {"tiny": OtherModel("Tiny", {"TinyModel": 12})} == load(tmp_path, GOOD_BLOCK)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD_BLOCK.replace("totals = { TinyModel = 12 }\n", ""), "others.toml, tiny: totals is missing; write it"),
        (GOOD_BLOCK.replace('title = "Tiny"\n', ""), "others.toml, tiny: title is missing"),
        (GOOD_BLOCK.replace("12", "0"), "others.toml, tiny: the total of TinyModel is 0; write a positive integer"),
        (GOOD_BLOCK.replace("12", "true"), "the total of TinyModel is true; write a positive integer"),
        (GOOD_BLOCK.replace("12", '"12"'), 'the total of TinyModel is "12"; write a positive integer'),
        (GOOD_BLOCK.replace("12", "-12"), "the total of TinyModel is -12; write a positive integer"),
        (GOOD_BLOCK.replace('"Tiny"', '" "'), 'title is " "; write a text'),
        (GOOD_BLOCK + "hidden_size = 8\n", "unknown key hidden_size = 8; known: title, totals"),
        ("tiny = 12", "others.toml, tiny: is 12; write keys and values"),
        ("[tiny", "others.toml: cannot be read as TOML"),
    ],
)
def test_a_bad_block_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(message)):
        load(tmp_path, text)


def test_no_model_is_counted_elsewhere_and_titles_are_unique() -> None:
    assert not set(load_others()) & {*load_models(), *load_relatives()}
    titles = [other.title for other in load_others().values()]
    assert len(titles) == len(set(titles))


def reason_against_class(model_class: str) -> str:
    """The reason why a config of a model class is refused, by the beginning of the class; empty if there is none."""
    beginnings = (model_class[:length] for length in range(len(model_class), 0, -1))
    return next(filter(None, (reason_against_type(f"{beginning}Config") for beginning in beginnings)), "")


def test_every_model_is_refused_with_a_reason_by_name_and_by_class() -> None:
    """Readers who ask for a model with a known total learn why it is not counted like a BERT."""
    for name, other in load_others().items():
        assert reason_against(name), f"{name} is not among the names in uncounted.toml"
        for model_class in other.totals:
            assert reason_against_class(model_class), f"no type in uncounted.toml is that of {model_class}"
    assert "" == reason_against_class("BertModel")
