"""Every option of a select field is labelled with the title of its value, and every switch with its name."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

import pytest
from bs4 import BeautifulSoup, Tag

from macros.counting import model_named
from macros.counting.changes.methods import load_methods
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.training.forward import AUTOCAST, FLOAT32, SHORT_WEIGHTS
from macros.counting.training.step import DTYPES as MODES
from macros.rendering.components.asking import title_of
from macros.rendering.components.training_steps import ATTENTIONS, DTYPES, GPU_MEMORY, TRAINED_PARTS, TrainedPart
from tests.docs.building import ROOT
from tests.rendering.facets import disagreements
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


PRECISION_WORDS = {FLOAT32: "float32", AUTOCAST: "autocast", SHORT_WEIGHTS: "throughout"}
"""The word in the title of a data type for each precision mode of the forward pass."""


def wrong_data_types(titles: Mapping[str, str]) -> list[str]:
    """Titles of data types that lack the word for their mode."""
    return [title for name, title in titles.items() if PRECISION_WORDS[MODES[name]] not in title]


def test_data_types_have_the_words_for_their_modes() -> None:
    assert [] == wrong_data_types(DTYPES)
    assert 2 == len(wrong_data_types({**DTYPES, "bf16": DTYPES["pure-bf16"], "pure-bf16": DTYPES["bf16"]}))


def wrong_trained_parts(parts: Mapping[str, TrainedPart]) -> list[str]:
    """Titles of trained parts that name another method or rank than their changes."""
    questions = [(part.title, {"change": " ".join(part.changes_of(12))}) for part in parts.values()]
    return [title for title, question in questions if [*disagreements(question, title, ("method", "rank"))]]


def test_trained_parts_and_memories_have_the_titles_of_their_values() -> None:
    assert [] == wrong_trained_parts(TRAINED_PARTS)
    bitfit = TRAINED_PARTS["bitfit"]
    assert wrong_trained_parts({"lora": TRAINED_PARTS["lora"]._replace(title=bitfit.title)})
    assert [] == [title for title, gib in GPU_MEMORY.items() if not title.startswith(f"{gib} GiB")]


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


MAX_NAME_WORDS = 5
"""The number of words up to which a label is a name."""


def words_of_fields(page: BeautifulSoup) -> Iterator[tuple[str, set[str], set[str]]]:
    """The label of each field, the words in it, and those in the field's id and name. Whole sentences are left out."""
    for label in page.select("label"):
        field = (
            page.find(id=str(label["for"])) if label.has_attr("for") else label.find(["input", "select", "textarea"])
        )
        if isinstance(field, Tag) and len(label.get_text(" ").split()) <= MAX_NAME_WORDS:
            names = f"{field.get('id')} {field.get('name')}"
            text = label.get_text(" ", strip=True)
            yield text, {*re.findall(r"[a-z]+", text.lower())}, {*re.findall(r"[a-z]+", names.lower())}


def swapped_labels(page: BeautifulSoup) -> list[str]:
    """Pairs of labels that would have more words of the ids and names of their fields if they were swapped."""
    return [
        f"{first} and {second}"
        for (first, first_words, first_names), (second, second_words, second_names) in combinations(
            words_of_fields(page), 2
        )
        if len(first_words & second_names) + len(second_words & first_names)
        > len(first_words & first_names) + len(second_words & second_names)
    ]


def test_no_two_labels_are_swapped() -> None:
    pages = [page.parsed for page in expanded_pages().values() if "<label" in page.text]
    assert [] == [fault for page in pages for fault in swapped_labels(page)]
    html = str(expanded_pages()["try/calculator.md"].parsed)
    other = {"query": "key", "key": "query"}
    swapped_html = re.sub(">(query|key)</label>", lambda label: f">{other[label[1]]}</label>", html)
    assert html != swapped_html
    assert swapped_labels(BeautifulSoup(swapped_html, "html.parser"))


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


def test_the_calculator_offers_the_lora_of_the_page_about_memory() -> None:
    """Both forms suggest the same LoRA as a way to save memory."""
    code = (ROOT / "docs/assets/calculator/fits.js").read_text(encoding="utf-8")
    match = re.search(r"const USUAL_LORA = \{ method: LORA, rank: (\d+), width: 0, modules: (\[[^]]*\])", code)
    assert match
    assert TRAINED_PARTS["lora"].changes == (f"lora:{match[1]}:{','.join(json.loads(match[2]))}",)
