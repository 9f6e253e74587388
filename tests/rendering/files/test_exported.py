"""The table that scripts load is valid and agrees with the engine."""

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, ValidationError

from macros.counting import ARCHITECTURES, BERT, DEFAULT_CHOICES, Choices, Row, every_flag, load_models, load_relatives
from macros.counting.architecture import lies_under
from macros.counting.changes.methods import load_methods, rules
from macros.counting.deviations import RARITY_LEFT_OUT, Deviation, load_deviations
from macros.counting.published.claims import known_totals, load_claims
from macros.counting.question import class_on_pages
from macros.counting.search.parts import Part, parts
from macros.rendering.files import exported
from macros.rendering.files.exported import module_with_texts_once, table, table_json
from macros.rendering.files.schemas import TABLE_SCHEMA
from tests.docs.building import ROOT
from tests.rendering.test_every_page import expanded_pages

MAX_BYTES = 400_000
"""The maximum size of the uncompressed table, which the page "I got a different number" has to load.

The limit leaves room for further models, architectures, methods and deviations.
"""


@pytest.fixture(scope="module")
def json_table() -> Any:
    """The table as scripts see it, after a round trip through JSON."""
    return json.loads(table_json(table()))


def row_of(entry: dict[str, Any]) -> Row:
    """The engine's row for an entry of the table."""
    optional_fields = {key: entry[key] for key in ("tied_to", "when", "skips_first_layer") if key in entry}
    return Row(entry["path"], entry["shape"], block=entry["block"], **optional_fields)


def test_architectures_and_classes_match_the_engine(json_table: Any) -> None:
    rows = [row_of(row) for row in json_table["rows"]]
    assert list(ARCHITECTURES) == [item["name"] for item in json_table["architectures"]]
    for architecture, exported_item in zip(ARCHITECTURES.values(), json_table["architectures"], strict=True):
        assert architecture.name == exported_item["title"]
        assert list(architecture.layers) == exported_item["layers"]
        assert {symbol.letter: symbol.key for symbol in architecture.symbols} == exported_item["keys"]
        class_names = [model_class.name for model_class in architecture.classes]
        assert class_names == [entry["name"] for entry in exported_item["classes"]]
        for model_class, entry in zip(architecture.classes, exported_item["classes"], strict=True):
            prefixes = ("bert", *model_class.heads)
            excluded_choices = {name for name, choice in model_class.fixed_choices.by_name().items() if choice is False}
            expected = [
                row for row in architecture.rows if lies_under(row.path, prefixes) and row.when not in excluded_choices
            ]
            assert expected == [rows[index] for index in entry["rows"]]
            assert model_class.fixed_choices == Choices(**entry["fixed"])
            assert model_class.purpose == entry["purpose"]
        assert architecture.default_choices.by_name(architecture.flags) == exported_item["choices"]
        assert list(architecture.flags) == exported_item["flags"]
    assert DEFAULT_CHOICES.by_name(every_flag()) == json_table["choices"]


def test_sizes_and_letters_match_the_engine(json_table: Any) -> None:
    """Models and letters are in the engine's order, which breaks ties; relatives come last."""
    models = {**load_models(), **load_relatives()}
    assert list(models) == [entry["name"] for entry in json_table["models"]]
    for entry in json_table["models"]:
        model = models[entry["name"]]
        assert (dict(model.sizes), model.group) == (entry["sizes"], entry["group"])
        assert model.architecture.model_type == entry["architecture"]
    letters = [symbol["letter"] for symbol in json_table["symbols"]]
    assert len(letters) == len(set(letters))
    for architecture in ARCHITECTURES.values():
        its_letters = [symbol.letter for symbol in architecture.symbols]
        order = [letter for letter in letters if letter in its_letters]
        assert its_letters == order, f"put the letters of {architecture.name} in this order, its own before C: {order}"
    assert [symbol._asdict() for symbol in BERT.symbols] == [
        symbol for symbol in json_table["symbols"] if symbol["letter"] in {symbol.letter for symbol in BERT.symbols}
    ]


def test_deviations_match_the_engine(json_table: Any) -> None:
    for entry in json_table["deviations"]:
        fields = {key: value for key, value in entry.items() if key in Deviation._fields}
        lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        deviation = Deviation(**{**fields, **lists})
        expected = load_deviations()[entry["name"]]
        assert expected._replace(shown_in="", holds=()) == deviation
        assert class_on_pages(expected, BERT) == entry["model_class"]
    assert list(load_deviations()) == [entry["name"] for entry in json_table["deviations"]]
    effects = {entry["name"]: entry.get("effect") for entry in json_table["deviations"]}
    assert ("−(H² + H)", "+H·V", None) == (
        effects["pooler-left-out"],
        effects["decoder-untied"],
        effects["vocabulary-uncased"],
    )


def test_parts_match_the_engine(json_table: Any) -> None:
    """Parts are in search order, and the sources are those that print totals."""
    entries = json_table["explanations"]["parts"]
    read_parts = [
        (entry["class"], Part(entry["path"], entry.get("tag", ""), entry.get("share", False))) for entry in entries
    ]
    assert list(parts()) == read_parts
    sources = {name: load_claims()[name][0].source for total in known_totals() for name in total.sources}
    assert json_table["explanations"]["sources"] == {
        name: {"title": source.title, "url": source.url} for name, source in sources.items()
    }


# Source: the paper, section 3, "Total Parameters=110M" and "340M".
def test_the_table_has_costs_data_types_and_quoted_totals(json_table: Any) -> None:
    explanations, costs = json_table["explanations"], json_table["explanations"]["costs"]
    assert [110_000_000, 340_000_000] == explanations["quoted_totals"]
    assert RARITY_LEFT_OUT == explanations["limits"]["rarity_left_out"]
    assert [model["name"] for model in json_table["models"]] == list(costs["models"])
    assert {"bert-base-uncased": 0, "roberta-base": 1, "electra-small-generator": 3}.items() <= costs["models"].items()
    assert set(json_table["dtypes"]) < {storage["dtype"] for storage in explanations["stored"]}


def test_the_table_is_small_and_reproducible() -> None:
    first = table_json(table())
    table.cache_clear()
    assert first == table_json(table())
    assert len(first.encode()) < MAX_BYTES


def test_addresses_lead_to_pages(json_table: Any) -> None:
    """Every page exists, and every id is either published or belongs to a row of a deviation or relative."""
    ids = {*(ROOT / "tests" / "docs" / "published_ids.txt").read_text().split()}
    pages = json_table["explanations"]["pages"]
    for kind in ("convention", "mistake"):
        page = expanded_pages()[pages[kind].replace(".html", ".md")].parsed
        ids |= {f"{pages[kind]}#{row['id']}" for row in page.select("tr[id]")}
    relatives = expanded_pages()["totals/relatives.md"].parsed.select("#relatives tr[id]")
    ids |= {f"totals/relatives.html#{row['id']}" for row in relatives}
    addresses = sorted(set(re.findall(r'"([\w/-]+\.html(?:#[\w-]+)?)"', json.dumps(json_table))))
    addresses += [f"{pages['claims']}#{name}" for name in json_table["explanations"]["sources"]]
    addresses += [f"{pages[entry['kind']]}#{entry['name']}" for entry in json_table["deviations"] if "effect" in entry]
    assert len(addresses) > 50
    for address in addresses:
        page, _, anchor = address.partition("#")
        assert (ROOT / "docs" / page).with_suffix(".md").is_file(), address
        assert not anchor or address in ids, address


def test_a_method_without_a_size_has_no_usual_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual size of a method without sizes is empty even if pages compare the method with certain modules."""
    change_texts = ["ia3:query,value", "lora:4:query,value"]
    monkeypatch.setattr(exported, "rules", lambda: {**rules(), "compared": change_texts})
    methods = load_methods()
    assert ["", "4"] == [exported._method(methods[name])["usual"] for name in ("ia3", "lora")]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rows", 0, "block"), "heads"),
        (("models", 0, "sizes", "H"), "768"),
        (("deviations", 0, "done"), ""),
        (("more",), 1),
    ],
)
def test_a_bad_table_is_invalid(json_table: Any, path: tuple[Any, ...], value: Any) -> None:
    """The schema rejects an unknown block, a size given as a string, an empty string and an additional key."""
    bad_table = deepcopy(json_table)
    inner = bad_table
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ValidationError):
        Draft202012Validator(TABLE_SCHEMA).validate(bad_table)


def test_a_repeated_text_is_stored_once() -> None:
    """Texts that are as short as a reference are not replaced by one."""
    table_of_texts = {"a": [["repeated", "repeated", "only here"], ["short", "short"]], "b": {"c": "repeated", "d": 1}}
    assert module_with_texts_once(table_of_texts) == (
        'const t = ["repeated"]\n'
        'export default {\n"a": [\n[t[0],t[0],"only here"],\n["short","short"]\n],\n"b": {"c":t[0],"d":1}\n}\n'
    )
