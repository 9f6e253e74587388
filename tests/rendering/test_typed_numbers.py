"""No page contains a number that was typed rather than computed."""

import re
import tomllib
from pathlib import Path

import pytest

from macros.counting.published.claims import load_claims
from macros.rendering.typed_numbers import (
    ALLOWED_FILE,
    CALL,
    STRING,
    allowed_texts,
    quantities_in_words,
    typed_numbers,
)
from macros.site import MACROS, TOPICS, VARIABLES
from tests.docs.building import ROOT
from tests.docs.site_texts import texts_of_lesson, texts_with_quantities
from tests.test_bench import SPEED_GOAL

EXAMPLES = tomllib.loads(Path(__file__).with_name("typed_numbers.toml").read_text(encoding="utf-8"))
"""Texts with and without typed numbers."""

SOURCES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
"""The sources of the pages, and the README, which must follow the same rule."""


def test_no_page_contains_a_typed_number() -> None:
    for path in SOURCES:
        # Other tests run the README's examples and measure the speed that it claims.
        text = SPEED_GOAL.sub("", re.sub(r"```python\n>>>.*?```", "", path.read_text(), flags=re.DOTALL))
        assert [] == [f"{path.name}, {finding}" for finding in typed_numbers(text)]


def test_pages_call_only_macros_of_the_site() -> None:
    """Names that mkdocs-macros defines, such as time and git, would make builds irreproducible."""
    assert {} == {path.name: names for path in SOURCES if (names := unknown_names(path.read_text()))}


DEFINITION = re.compile(r"\{% (?:for ([\w, ]+) in|set ([\w, ]+) =|macro ([\w, (]+)\)|from \S+ import ([\w, ]+) with) ")
"""A definition of names on a page: a loop, a `set`, a macro or an import."""


def unknown_names(text: str) -> list[str]:
    """The names in macro calls that neither the site nor the page defines."""
    known_names = {*MACROS, *VARIABLES, *TOPICS, "true", "false", "True", "False"}
    known_names |= {name for names in DEFINITION.findall(text) for name in re.findall(r"\w+", " ".join(names))}
    calls = [STRING.sub('""', match[1]) for match in CALL.finditer(text)]
    names = [name for call in calls for name in re.findall(r"(?<![\w.])([A-Za-z_]\w*)(?!\s*=)(?!\w)", call)]
    return [name for name in names if name not in known_names]


def test_no_number_is_typed_into_a_claim_or_the_lesson() -> None:
    """A note on a claim may contain quantities that are checked by a condition."""
    for claim in [claim for claims_of_source in load_claims().values() for claim in claims_of_source]:
        note = claim.note
        for words, _ in claim.holds:
            note = note.replace(words, "")
        assert [] == typed_numbers(note)
        if claim.counts not in (claim.tensor, claim.summary_row, claim.option):
            assert [] == typed_numbers(re.sub("(float|int)[0-9]+", "", claim.counts))
    assert [] == [finding for text in texts_of_lesson() for finding in typed_numbers(text)]


def test_no_quantity_in_words_is_unchecked() -> None:
    passages = texts_with_quantities()
    assert len(passages) > 2000
    assert [] == [
        f"{passage.origin}: {finding.text!r} in {passage.text!r}; {finding.remedy}"
        for passage in passages
        for finding in quantities_in_words(passage.text, passage.conditional_words)
    ]


def test_there_are_fewer_than_twenty_macros() -> None:
    """Authors of pages have to remember all of them."""
    assert len(MACROS) < 20
    assert [] == [name for name, macro in MACROS.items() if not macro.__doc__]
    assert [] == [name for name in MACROS if len(name) < 2]


@pytest.mark.parametrize(("page", "digits", "advice"), EXAMPLES["found"])
def test_a_typed_number_is_found_with_advice(page: str, digits: str, advice: str) -> None:
    finding = next(number for number in typed_numbers(page) if number.text == digits)
    assert advice in finding.remedy


@pytest.mark.parametrize("page", EXAMPLES["allowed"])
def test_names_links_and_macro_calls_are_allowed(page: str) -> None:
    assert [] == typed_numbers(page)


def test_a_finding_has_the_number_of_its_line() -> None:
    assert [3] == [finding.line for finding in typed_numbers("one\n{{ number() }}\nof 768 features\n")]
    assert "line 1: typed '768'; write {{ size(\"H\") }}" == str(typed_numbers("768 features")[0])


@pytest.mark.parametrize(("page", "digits"), EXAMPLES["unknown"])
def test_no_macro_is_proposed_by_chance(page: str, digits: str) -> None:
    """If no macro fits, the message lists the macros and the file in which a name can be allowed."""
    (finding,) = [number for number in typed_numbers(page) if number.text == digits]
    assert "{{" not in finding.remedy
    assert {"number", "share", "size", "megabytes", "effect"} <= MACROS.keys() & set(re.findall(r"\w+", finding.remedy))
    assert (ROOT / finding.remedy.partition(" in ")[2].partition(",")[0]) == ALLOWED_FILE


ALLOWED_ENTRY = """
[[allowed]]
text = "{}"
reason = "a name"
"""
"""An entry in `ALLOWED_FILE`, in the form that the message asks for."""


@pytest.mark.parametrize(
    "name", ["2018", "PyTorch 2", "transformers 4.57.6", "arXiv:1810.04805", "Section 3.2", "§ 3.2.1"]
)
def test_a_name_is_allowed_where_the_message_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry allows a name regardless of the characters around it, but not a longer number that begins with it."""
    path = tmp_path / "typed_numbers.toml"
    path.write_text(ALLOWED_FILE.read_text() + ALLOWED_ENTRY.format(name))
    monkeypatch.setattr("macros.rendering.typed_numbers.ALLOWED_FILE", path)
    allowed_texts.cache_clear()
    try:
        assert [] == typed_numbers(f"As in {name}. ({name}), {name}: {name}-like\n")
        assert typed_numbers(f"As in {name}7")
        assert typed_numbers(f"As in {name}.7")
    finally:
        allowed_texts.cache_clear()


def test_an_unknown_name_is_found_and_a_name_defined_by_the_page_is_not() -> None:
    assert ["git"] == unknown_names("{{ number(x=git) }}")
    defined_names = (
        "{% set layer = 1 %}{% macro numbers_of(source) %}{% for each in layer %}{{ numbers_of(source, layer, each) }}"
    )
    assert [] == unknown_names(defined_names)


def test_every_allowance_has_a_text_and_a_reason_and_nothing_else() -> None:
    allowances = [entry for entries in tomllib.loads(ALLOWED_FILE.read_text()).values() for entry in entries]
    assert [] == [
        allowance for allowance in allowances if {*allowance} != {"text", "reason"} or not allowance["reason"].strip()
    ]
