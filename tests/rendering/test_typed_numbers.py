"""No page holds a number that somebody typed."""

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
from tests.docs.said import all_said, said_in_lesson
from tests.test_bench import FIGURE

EXAMPLES = tomllib.loads(Path(__file__).with_name("typed_numbers.toml").read_text(encoding="utf-8"))

SOURCES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]


def test_no_page_holds_a_typed_number() -> None:
    """Every digit of every page, and of the README, comes from a macro call or has a reason."""
    for path in SOURCES:
        # What the README shows of the engine is run, and what it says of its speed is measured: both elsewhere.
        text = FIGURE.sub("", re.sub(r"```python\n>>>.*?```", "", path.read_text(), flags=re.DOTALL))
        assert [] == [f"{path.name}, {finding}" for finding in typed_numbers(text)]


def test_pages_call_our_macros_only() -> None:
    """What mkdocs-macros brings of its own (time, git, environment) would make builds differ."""
    assert {} == {path.name: found for path in SOURCES if (found := unknown_calls(path.read_text()))}


NAMING = re.compile(r"\{% (?:for ([\w, ]+) in|set ([\w, ]+) =|macro ([\w, (]+)\)) ")
"""The names that a page gives: to what a loop goes through, to what it says several times, to macros of its own."""


def unknown_calls(text: str) -> list[str]:
    """Macro calls and variables that are not the site's own: mkdocs-macros brings some that leak build details."""
    known = {*MACROS, *VARIABLES, *TOPICS, "true", "false", "True", "False"}
    known |= {name for names in NAMING.findall(text) for name in re.findall(r"\w+", " ".join(names))}
    names = [re.findall(r"(?<![\w.])([A-Za-z_]\w*)(?!\s*=)(?!\w)", STRING.sub('""', c[1])) for c in CALL.finditer(text)]
    return [name for each in names for name in each if name not in known]


def test_no_number_is_typed_into_a_claim_or_the_lesson() -> None:
    """Notes hold no number, and no words but those held by a condition; what is counted may be an identifier."""
    for claim in (claim for listed in load_claims().values() for claim in listed):
        note = claim.note
        for words, _ in claim.holds:
            note = note.replace(words, "")
        assert [] == typed_numbers(note)
        identifiers = (claim.tensor, claim.summary_row, claim.option)
        assert claim.counts in identifiers or [] == typed_numbers(re.sub("(float|int)[0-9]+", "", claim.counts))
    assert [] == [finding for text in said_in_lesson() for finding in typed_numbers(text)]


def test_no_quantity_in_words_is_typed() -> None:
    """Neither in scripts nor in data: a condition holds it, or it is an idiom."""
    listed = list(all_said())
    assert len(listed) > 2000
    assert [] == [
        f"{said.where}: {finding.digits!r} in {said.text!r}; {finding.instead}"
        for said in listed
        for finding in quantities_in_words(said.text, said.held)
    ]


def test_fewer_than_twenty_macros() -> None:
    """A writer can keep them in mind, and each says what it does."""
    assert len(MACROS) < 20
    assert all(macro.__doc__ for macro in MACROS.values())
    assert all(len(name) > 1 for name in MACROS)


@pytest.mark.parametrize(("page", "digits", "instead"), EXAMPLES["found"])
def test_a_typed_number_is_found(page: str, digits: str, instead: str) -> None:
    """A number in prose, table, code, front matter or call is found, with what to write instead."""
    finding = next(each for each in typed_numbers(page) if each.digits == digits)
    assert instead in finding.instead


@pytest.mark.parametrize("page", EXAMPLES["allowed"])
def test_what_may_stand_on_a_page(page: str) -> None:
    """Macro calls, identifiers, link targets, ids, allowed names and small words."""
    assert [] == typed_numbers(page)


def test_the_line_is_named() -> None:
    """A finding says where."""
    assert [3] == [finding.line for finding in typed_numbers("one\n{{ number() }}\nof 768 features\n")]
    assert "line 1: typed '768'; write {{ size(\"H\") }}" == str(typed_numbers("768 features")[0])


@pytest.mark.parametrize(("page", "digits"), EXAMPLES["unknown"])
def test_no_macro_is_proposed_by_chance(page: str, digits: str) -> None:
    """One line says which macros there are, and in which file a name is allowed."""
    (finding,) = [each for each in typed_numbers(page) if each.digits == digits]
    assert "{{" not in finding.instead
    assert {"number", "share", "size", "megabytes", "effect"} <= MACROS.keys() & set(
        re.findall(r"\w+", finding.instead)
    )
    assert (ROOT / finding.instead.partition(" in ")[2].partition(",")[0]) == ALLOWED_FILE


ENTRIES = """
[[allowed]]
text = "{}"
reason = "a name"
"""


@pytest.mark.parametrize(
    "name", ["2018", "PyTorch 2", "transformers 4.57.6", "arXiv:1810.04805", "Section 3.2", "§ 3.2.1"]
)
def test_a_name_is_allowed_where_the_message_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry, whatever stands around it; another number that begins alike is none."""
    listed = tmp_path / "typed_numbers.toml"
    listed.write_text(ALLOWED_FILE.read_text() + ENTRIES.format(name))
    monkeypatch.setattr("macros.rendering.typed_numbers.ALLOWED_FILE", listed)
    allowed_names.cache_clear()
    try:
        assert [] == typed_numbers(f"As in {name}. ({name}), {name}: {name}-like\n")
        assert typed_numbers(f"As in {name}7")
        assert typed_numbers(f"As in {name}.7")
    finally:
        allowed_names.cache_clear()


def test_a_foreign_call_is_found() -> None:
    """Variables of mkdocs-macros are not taken for ours."""
    assert ["git"] == unknown_calls("{{ number(x=git) }}")
    own = (
        "{% set layer = 1 %}{% macro numbers_of(source) %}{% for each in layer %}{{ numbers_of(source, layer, each) }}"
    )
    assert [] == unknown_calls(own)


def test_what_is_allowed_has_a_reason() -> None:
    """The list is no way around the rule."""
    listed = [entry for entries in tomllib.loads(ALLOWED_FILE.read_text()).values() for entry in entries]
    assert [] == [each for each in listed if {*each} != {"text", "reason"} or not each["reason"].strip()]
