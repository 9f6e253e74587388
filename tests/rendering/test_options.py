"""Every option of a select field is labelled with the title of its value, and every switch with its name."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from bs4 import BeautifulSoup

from macros.counting import model_named
from macros.counting.changes.methods import load_methods
from macros.counting.changes.optimisers import load_optimisers
from macros.rendering.components.asking import title_of
from macros.rendering.components.training_steps import ATTENTIONS, DTYPES, GPU_MEMORY, TRAINED_PARTS
from tests.docs.building import ROOT
from tests.rendering.test_every_page import expanded_pages

TITLES: dict[str, Callable[[str], str]] = {
    "model": lambda value: title_of(model_named(value)),
    "class": lambda value: value,
    "method": lambda value: load_methods()[value].title,
    "card": lambda value: next(title for title, gib in GPU_MEMORY.items() if str(gib) == value),
    "dtype": DTYPES.__getitem__,
    "trained": lambda value: TRAINED_PARTS[value].title,
    "attention": ATTENTIONS.__getitem__,
    "optimiser": lambda value: load_optimisers()[value].title,
}
"""Functions from an option's value to its label, by the name of the field. The page may add words in brackets."""


def wrong_options(page: BeautifulSoup) -> Iterator[str]:
    """Options whose text is not the title of their value."""
    for option in page.select("select option[value]:not([value=''])"):
        field = option.find_parent("select")
        assert field
        name, value = str(field.get("name") or "model"), str(option["value"])
        if option.get_text().partition(" (")[0] != TITLES[name](value).partition(" (")[0]:
            yield f"{value}: {option.get_text()}"


def test_options_have_the_titles_of_their_values() -> None:
    pages = [page.parsed for page in expanded_pages().values() if "<option" in page.text]
    assert [] == [fault for page in pages for fault in wrong_options(page)]
    assert sum(len(page.select("option[value]")) for page in pages) > 100


def wrong_switches(page: BeautifulSoup) -> Iterator[str]:
    """Switches whose label contains no word of their name."""
    for switch in page.select("input[type=checkbox][name]:not([value]), input[type=checkbox][value=yes]"):
        label = switch.find_parent("label") or page.select_one(f"label[for='{switch.get('id')}']")
        assert label
        words = label.get_text(" ").lower()
        if not any(word in words for word in str(switch["name"]).split("_")):
            yield f"{switch['name']}: {words.strip()}"


def test_switches_are_labelled_with_their_names_and_a_swapped_label_is_found() -> None:
    pages = [page.parsed for page in expanded_pages().values() if "<input" in page.text]
    assert [] == [fault for page in pages for fault in wrong_switches(page)]
    html = str(expanded_pages()["try/calculator.md"].parsed)
    label = "decoder tied to the word embeddings"
    assert label in html
    assert ["tied: cross-attention"] == [
        *wrong_switches(BeautifulSoup(html.replace(label, "cross-attention"), "html.parser"))
    ]


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("bert-base-cased", "bert-base-uncased"),
        ("lora", "dora"),
        ("BertForMaskedLM", "BertModel"),
        ("houlsby", "pfeiffer"),
    ],
)
def test_an_option_with_a_wrong_value_is_found(value: str, other: str) -> None:
    html = str(expanded_pages()["try/calculator.md"].parsed)
    assert f'value="{value}"' in html
    html_with_other = html.replace(f'value="{value}"', f'value="{other}"', 1)
    assert [*wrong_options(BeautifulSoup(html_with_other, "html.parser"))]


def test_the_calculator_offers_the_lora_of_the_form() -> None:
    """The form under the calculator compares with the LoRA that the page about memory offers."""
    code = (ROOT / "docs/assets/calculator/fits.js").read_text(encoding="utf-8")
    match = re.search(r"const USUAL_LORA = \{ method: LORA, rank: (\d+), width: 0, modules: (\[[^]]*\])", code)
    assert match
    assert TRAINED_PARTS["lora"].changes == (f"lora:{match[1]}:{','.join(json.loads(match[2]))}",)
