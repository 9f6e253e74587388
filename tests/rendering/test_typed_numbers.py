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
    allowed_names,
    quantities_in_words,
    typed_numbers,
)
from macros.site import MACROS, TOPICS, VARIABLES
from tests.docs.building import ROOT
from tests.docs.site_texts import all_texts, texts_of_lesson
from tests.test_bench import SPEED_GOAL

EXAMPLES = tomllib.loads(Path(__file__).with_name("typed_numbers.toml").read_text(encoding="utf-8"))
"""Texts with and without typed numbers."""

SOURCES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
"""The sources of the pages, and the README, which must follow the same rule."""


def test_no_page_contains_a_typed_number() -> None:
    """No source contains a typed number, except the README's examples and speed goals."""
    for path in SOURCES:
        # Other tests run the README's examples and measure the speed that it claims.
        text = SPEED_GOAL.sub("", re.sub(r"```python\n>>>.*?```", "", path.read_text(), flags=re.DOTALL))
        assert [] == [f"{path.name}, {finding}" for finding in typed_numbers(text)]


def test_pages_call_only_macros_of_the_site() -> None:
    """Pages use no names that mkdocs-macros defines, such as time and git, because builds would not be reproducible."""
    assert {} == {path.name: calls for path in SOURCES if (calls := unknown_calls(path.read_text()))}


DEFINITION = re.compile(r"\{% (?:for ([\w, ]+) in|set ([\w, ]+) =|macro ([\w, (]+)\)|from \S+ import ([\w, ]+) with) ")
"""A definition of names on a page: a loop, a `set`, a macro or an import."""


def unknown_calls(text: str) -> list[str]:
    """The names in macro calls that neither the site nor the page defines."""
    known_names = {*MACROS, *VARIABLES, *TOPICS, "true", "false", "True", "False"}
    known_names |= {name for names in DEFINITION.findall(text) for name in re.findall(r"\w+", " ".join(names))}
    names = [re.findall(r"(?<![\w.])([A-Za-z_]\w*)(?!\s*=)(?!\w)", STRING.sub('""', c[1])) for c in CALL.finditer(text)]
    return [name for names_of_call in names for name in names_of_call if name not in known_names]


def test_no_number_is_typed_into_a_claim_or_the_lesson() -> None:
    """Notes on claims and texts of the lesson contain no typed number, except quantities checked by a condition."""
    for claim in (claim for claims in load_claims().values() for claim in claims):
        note = claim.note
        for words, _ in claim.holds:
            note = note.replace(words, "")
        assert [] == typed_numbers(note)
        identifiers = (claim.tensor, claim.summary_row, claim.option)
        assert claim.counts in identifiers or [] == typed_numbers(re.sub("(float|int)[0-9]+", "", claim.counts))
    assert [] == [finding for text in texts_of_lesson() for finding in typed_numbers(text)]


def test_no_quantity_in_words_is_typed() -> None:
    """Every spelled-out quantity in scripts and data files is checked by a condition or is an idiom."""
    passages = list(all_texts())
    assert len(passages) > 2000
    assert [] == [
        f"{passage.origin}: {finding.text!r} in {passage.text!r}; {finding.remedy}"
        for passage in passages
        for finding in quantities_in_words(passage.text, passage.conditional_words)
    ]


def test_there_are_fewer_than_twenty_macros() -> None:
    """Authors of pages have to remember all macros; each has a docstring."""
    assert len(MACROS) < 20
    assert [] == [name for name, macro in MACROS.items() if not macro.__doc__]
    assert [] == [name for name in MACROS if len(name) < 2]


@pytest.mark.parametrize(("page", "digits", "advice"), EXAMPLES["found"])
def test_a_typed_number_is_found(page: str, digits: str, advice: str) -> None:
    """A number in prose, a table, code, front matter or a call is found, with advice on what to write instead."""
    finding = next(number for number in typed_numbers(page) if number.text == digits)
    assert advice in finding.remedy


@pytest.mark.parametrize("page", EXAMPLES["allowed"])
def test_names_links_and_macro_calls_are_allowed(page: str) -> None:
    """Macro calls, identifiers, link targets, ids, allowed names and small number words are not reported."""
    assert [] == typed_numbers(page)


def test_a_finding_has_the_number_of_its_line() -> None:
    """Lines are counted from 1, and the message begins with the line number."""
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
    allowed_names.cache_clear()
    try:
        assert [] == typed_numbers(f"As in {name}. ({name}), {name}: {name}-like\n")
        assert typed_numbers(f"As in {name}7")
        assert typed_numbers(f"As in {name}.7")
    finally:
        allowed_names.cache_clear()


def test_an_unknown_name_is_found() -> None:
    """A variable of mkdocs-macros is reported, and a name that the page defines itself is not."""
    assert ["git"] == unknown_calls("{{ number(x=git) }}")
    defined_names = (
        "{% set layer = 1 %}{% macro numbers_of(source) %}{% for each in layer %}{{ numbers_of(source, layer, each) }}"
    )
    assert [] == unknown_calls(defined_names)


def test_every_allowed_name_has_a_reason() -> None:
    """Every allowed name and idiom has a text and a reason, and nothing else."""
    allowances = [entry for entries in tomllib.loads(ALLOWED_FILE.read_text()).values() for entry in entries]
    assert [] == [
        allowance for allowance in allowances if {*allowance} != {"text", "reason"} or not allowance["reason"].strip()
    ]
