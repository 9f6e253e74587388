"""The files readers download: their schema, their numbers, their addresses."""

import csv
import io
import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from macros.counting import MODEL_CLASSES, count, load_models, tensors
from macros.rendering.downloads import LEDGER_SCHEMA, TOTALS_SCHEMA, files


@cache
def written() -> dict[str, str]:
    """Every file by its address."""
    return dict(files())


def test_every_model_and_class_has_its_two_files() -> None:
    """Addresses follow one pattern, and are kept."""
    expected = {"data/totals.json", "data/totals.schema.json", "data/ledger.schema.json"}
    expected |= {f"data/{m}/{c}.{kind}" for m in load_models() for c in MODEL_CLASSES for kind in ("csv", "json")}
    assert expected == set(written())


def test_schemas_are_schemas() -> None:
    """Both say what they mean in terms that validators know."""
    for schema in (LEDGER_SCHEMA, TOTALS_SCHEMA):
        Draft202012Validator.check_schema(schema)
    assert json.loads(written()["data/ledger.schema.json"]) == LEDGER_SCHEMA


@pytest.mark.parametrize("name", load_models())
def test_ledgers(name: str) -> None:
    """Every ledger fits its schema, and has the engine's tensors and total, in JSON and in CSV."""
    model = load_models()[name]
    validator = Draft202012Validator(LEDGER_SCHEMA)
    for model_class in MODEL_CLASSES:
        ledger = json.loads(written()[f"data/{name}/{model_class}.json"])
        validator.validate(ledger)
        total = count(model, model_class=model_class)
        rows = ledger["parameters"]
        assert total == ledger["total"] == rows[-1]["running_total"] == sum(row["count"] for row in rows)
        assert [each.transformers for each in tensors(model, model_class)] == [row["transformers"] for row in rows]
        as_csv = list(csv.DictReader(io.StringIO(written()[f"data/{name}/{model_class}.csv"])))
        assert [list(row) for row in rows] == [list(row) for row in as_csv]
        assert [row["count"] for row in rows] == [int(row["count"]) for row in as_csv]
        assert ["x".join(map(str, row["shape"])) for row in rows] == [row["shape"] for row in as_csv]


def test_totals() -> None:
    """One file with the total of every model in every class."""
    totals = json.loads(written()["data/totals.json"])
    Draft202012Validator(TOTALS_SCHEMA).validate(totals)
    for name, model in load_models().items():
        assert {each: count(model, model_class=each) for each in MODEL_CLASSES} == totals[name]["totals"]


@pytest.mark.parametrize(
    ("key", "value"), [("total", "1"), ("total", -1), ("model_class", "Bert"), ("parameters", [{}]), ("more", 1)]
)
def test_a_bad_ledger_does_not_fit(key: str, value: Any) -> None:
    """A number as text, a negative one, an unknown class, an empty row and a stray key are told."""
    ledger = json.loads(written()["data/bert-base-uncased/BertModel.json"])
    with pytest.raises(ValidationError):
        Draft202012Validator(LEDGER_SCHEMA).validate({**ledger, key: value})
