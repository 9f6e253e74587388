"""The table that scripts read: its schema, and that it says what the engine says."""

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from macros.counting.explanations import Part, known, parts
from macros.counting.tensors import Row, rows_of
from macros.rendering.part_words import in_words, page_of

from macros.counting import MODEL_CLASSES, ROWS, SYMBOLS, load_models
from macros.counting.deviations import Mistake, load_deviations
from macros.rendering.files.exported import SCRIPT_HEAD, table, table_json, table_script
from macros.rendering.files.schemas import TABLE_SCHEMA
from tests.docs.building import ROOT

MOST_BYTES = 64_000
"""What a page that explains numbers may load for it, before compression."""


@pytest.fixture(scope="module")
def read() -> Any:
    """The table as a script reads it."""
    return json.loads(table_json(table()))


def test_the_table_fits_its_schema(read: Any) -> None:
    """The schema is one, and describes every field."""
    Draft202012Validator.check_schema(TABLE_SCHEMA)
    Draft202012Validator(TABLE_SCHEMA).validate(read)


def test_rows_and_classes_are_the_engine_s(read: Any) -> None:
    """Nothing of a row is lost, and a class has its rows in order."""
    rows = [Row(each["path"], each["shape"], each.get("tied_to", "")) for each in read["rows"]]
    assert list(ROWS) == rows
    for row, each in zip(ROWS, read["rows"], strict=True):
        assert row.tags == {each["block"], *each["path"].split("/"), *each.get("tags", ())}
    assert list(MODEL_CLASSES) == [each["name"] for each in read["classes"]]
    for each in read["classes"]:
        assert rows_of(each["name"]) == tuple(rows[place] for place in each["rows"])


def test_sizes_and_letters_are_the_engine_s(read: Any) -> None:
    """Every model with every letter, in the engine's order, which decides between equals."""
    assert {name: dict(model.sizes) for name, model in load_models().items()} == {
        each["name"]: each["sizes"] for each in read["models"]
    }
    assert list(load_models()) == [each["name"] for each in read["models"]]
    assert [each._asdict() for each in SYMBOLS] == read["symbols"]


def test_mistakes_are_the_engine_s(read: Any) -> None:
    """A mistake that is read back is the same one."""
    for each in read["mistakes"]:
        fields = {key: value for key, value in each.items() if key in Mistake._fields}
        lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        assert load_deviations()[each["name"]] == Mistake(**{**fields, **lists})
    assert list(load_deviations()) == [each["name"] for each in read["mistakes"]]
    effects = {each["name"]: each.get("effect") for each in read["mistakes"]}
    assert ("−(H² + H)", "+H·V", None) == (
        effects["pooler-left-out"],
        effects["decoder-untied"],
        effects["vocabulary-uncased"],
    )


def test_parts_and_prints_are_the_engine_s(read: Any) -> None:
    """What the search for a number goes through, in its order."""
    listed = read["explanations"]["parts"]
    read_parts = [(each["class"], Part(each["path"], each.get("tag", ""), each.get("share", False))) for each in listed]
    assert list(parts()) == read_parts
    printed = read["explanations"]["known"]
    assert [(each.models[0], list(each.printed_in)) for each in known()] == [
        (each["model"], each["printed_in"]) for each in printed
    ]
    assert {name for each in printed for name in each["printed_in"]} == set(read["explanations"]["sources"])


def test_the_table_is_small_and_the_same_again() -> None:
    """Nothing in it depends on when or where it is made."""
    first = table_json(table())
    table.cache_clear()
    assert first == table_json(table())
    assert len(first.encode()) < MOST_BYTES


def test_the_script_holds_the_table(read: Any) -> None:
    """One statement that gives the table a name."""
    script = table_script(table())
    assert script.startswith(SCRIPT_HEAD)
    assert read == json.loads(script.removeprefix(SCRIPT_HEAD).rstrip().removesuffix("}"))


def addresses(value: Any) -> list[str]:
    """Every address of a page that the table holds."""
    return sorted(set(re.findall(r'"([\w/-]+\.html(?:#[\w-]+)?)"', json.dumps(value))))


def test_addresses_lead_to_pages(read: Any) -> None:
    """Every page is there, and every place on it is a published one."""
    ids = (ROOT / "tests" / "docs" / "published_ids.txt").read_text().split()
    pages = read["explanations"]["pages"]
    found = addresses(read) + [f"{pages['claims']}#{name}" for name in read["explanations"]["sources"]]
    found += [f"{pages[each['kind']]}#{each['name']}" for each in read["mistakes"] if "effect" in each]
    assert len(found) > 50
    for address in found:
        page, _, anchor = address.partition("#")
        assert (ROOT / "docs" / page).with_suffix(".md").is_file(), address
        assert not anchor or address in ids, address


def test_parts_have_names_of_their_own() -> None:
    """No two parts are called the same, and each has a page."""
    words = [in_words(part) for _, part in parts()]
    assert len(words) == len(set(words))
    # Source: the pages in question.
    assert ("the pooler", "parts/heads.html#pooler") == (in_words(Part("bert/pooler")), page_of(Part("bert/pooler")))
    layer = "bert/encoder/layer_0"
    assert "one encoder layer" == in_words(Part(layer))
    assert "the matrices of self-attention in one layer" == in_words(Part(layer, "self-attention kernel"))
    assert "parts/layer-norm.html" == page_of(Part("bert/encoder", "encoder-norms"))


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("rows", 0, "block"), "heads"),
        (("models", 0, "sizes", "H"), "768"),
        (("mistakes", 0, "usual"), 4),
        (("mistakes", 0, "unties"), False),
        (("classes", 0, "rows", 0), -1),
        (("more",), 1),
    ],
)
def test_a_bad_table_does_not_fit(read: Any, where: tuple[Any, ...], value: Any) -> None:
    """Unknown blocks, sizes as text, prices out of range, places that cannot be and stray keys are told."""
    bad = deepcopy(read)
    inner = bad
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    with pytest.raises(ValidationError):
        Draft202012Validator(TABLE_SCHEMA).validate(bad)
