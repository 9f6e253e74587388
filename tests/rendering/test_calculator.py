"""The calculator before its scripts are there: what can be chosen."""

import pytest
from bs4 import BeautifulSoup

from macros.counting import BERT, CountingError, load_models, load_relatives
from macros.counting.blocks import DATA, blocks_of
from macros.rendering import calculator


def shown() -> BeautifulSoup:
    """The form and what is above it, and all panels below it."""
    panels = map(calculator.panel, calculator.PANELS)
    return BeautifulSoup("".join([calculator.form(), *panels]), "html.parser")


def test_a_class_is_as_usual() -> None:
    """With a pooler and a tied decoder, without cross-attention."""
    switches = shown().select(".bc-calculator input[type=checkbox]")
    assert {"pooler": True, "tied": True, "cross_attention": False} == {
        str(each["name"]): each.has_attr("checked") for each in switches
    }


def test_every_model_and_class_can_be_chosen() -> None:
    """Each once, relatives last."""
    models, classes = (
        [str(each["value"]) for each in shown().select(f"select[name={name}] option")] for name in ("model", "class")
    )
    assert sorted([*load_models(), *load_relatives()]) == sorted(models)
    assert list(load_relatives()) == models[-len(load_relatives()) :]
    assert [each.name for each in BERT.classes] == classes


def test_modules_are_those_that_are_counted() -> None:
    """Each module of LoRA has a switch, and all of them together."""
    modules = blocks_of(DATA / "changes.toml")
    assert [*modules["adapted"], modules["all_linear"]] == [
        str(each["value"]) for each in shown().select("[name=modules]")
    ]


def test_a_panel_that_is_not_there() -> None:
    """The message says which one may be meant."""
    with pytest.raises(CountingError, match='no panel "what_if"; did you mean "what-if"'):
        calculator.panel("what_if")
