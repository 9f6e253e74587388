"""Before its scripts run, the calculator has every choice, option and field, set to the defaults."""

import pytest
from bs4 import BeautifulSoup

from macros.counting import ARCHITECTURES, BERT, CountingError, every_flag, load_models, load_relatives
from macros.counting.blocks import DATA, blocks_of
from macros.rendering import calculator


def calculator_page() -> BeautifulSoup:
    """The form, which contains the total, followed by all panels."""
    panels = map(calculator.panel, calculator.PANELS)
    return BeautifulSoup("".join([calculator.form(), *panels]), "html.parser")


def test_switches_have_the_default_choices() -> None:
    switches = calculator_page().select(".bc-calculator input[type=checkbox]")
    assert {"pooler": True, "tied": True, "cross_attention": False, **dict.fromkeys(every_flag(), False)} == {
        str(switch["name"]): switch.has_attr("checked") for switch in switches
    }


def test_options_that_the_class_does_not_have_are_hidden() -> None:
    """The page is laid out for BertModel from the start, so nothing moves when scripts hide what has no effect."""
    form = calculator_page().select_one("#calculator-form")
    assert form is not None
    shown_options = [str(option["name"]) for option in form.select(".bc-switch:not([hidden]) input")]
    assert ["pooler", "cross_attention"] == shown_options
    assert ["V", "P", "S", "H", "F", "L", "A", "B", "T"] == [
        str(size["data-size"]) for size in form.select(".bc-size:not([hidden])")
    ]


def test_every_model_and_class_can_be_chosen() -> None:
    models, classes = (
        [str(option["value"]) for option in calculator_page().select(f"#calculator-{name} option")]
        for name in ("model", "class")
    )
    assert sorted([*load_models(), *load_relatives()]) == sorted(models)
    assert list(load_relatives()) == models[-len(load_relatives()) :]
    assert [model_class.name for model_class in BERT.classes] == classes


def test_every_size_has_a_field() -> None:
    """B is the number of texts per batch, and T the number of tokens per text."""
    letters = {symbol.letter for architecture in ARCHITECTURES.values() for symbol in architecture.symbols}
    fields = [str(field["data-size"]) for field in calculator_page().select("[data-size]")]
    assert sorted({*letters, "B", "T"}) == sorted(fields)


def test_every_adapted_module_has_a_switch() -> None:
    """The last switch selects all linear layers."""
    changes = blocks_of(DATA / "changes.toml")
    assert [*changes["adapted"], changes["all_linear"]] == [
        str(switch["value"]) for switch in calculator_page().select("[name=modules]")
    ]


def test_an_unknown_panel_is_an_error() -> None:
    with pytest.raises(CountingError, match='no panel "what_if"; did you mean "what-if"'):
        calculator.panel("what_if")
