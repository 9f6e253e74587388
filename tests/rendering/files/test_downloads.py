"""The files that readers download are at their addresses, fit their schemas and have the engine's numbers."""

import csv
import io
import json
from functools import cache
from itertools import accumulate
from pathlib import PurePath
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from macros.build_cache import cached_content, code_digest
from macros.counting import BERT, Choices, Question, class_questions, load_models, tensors
from macros.counting.frameworks.keras_layers import bert4keras, keras_bert
from macros.counting.frameworks.listing import google_variables
from macros.counting.models import Model
from macros.counting.published.claims import load_claims
from macros.counting.published.conventions import load_conventions
from macros.rendering.files.downloads import makers
from macros.rendering.files.schemas import SCHEMAS
from macros.rendering.listings import SEQUENCE_LENGTHS, lines_of

CLASSES = [model_class.name for model_class in BERT.classes]
FRAMEWORKS = ("transformers", "google-bert", "keras-bert", "bert4keras")


@cache
def published_files() -> dict[str, str]:
    """Every file by its address, taken from the build cache if code and data are unchanged."""
    return {address: str(cached_content(address, code_digest(), make)) for address, make in makers()}


DETAILED_MODELS = ("bert-base-uncased", "bert-large-uncased")
"""The models with ledgers and with print-outs of every framework."""

PRINT_OUTS = {
    *((model, framework) for model in DETAILED_MODELS for framework in FRAMEWORKS),
    ("bert-base-chinese", "keras-bert"),
    ("bert-large-chinese", "bert4keras"),
    ("keras-bert-article", "keras-bert"),
    ("keras-bert-notebook", "keras-bert"),
}
"""The model and the framework of each print-out."""


def test_every_file_has_its_address() -> None:
    """Addresses follow a pattern, so they can be derived from a model, a class and a framework."""
    expected = {"data/totals.json", "data/names.csv", "data/names.json", "data/table.json", "data/table.js"}
    expected |= {"data/known-numbers.js", "data/operations.js", "data/reading.js", "data/training.js"}
    expected |= {"data/claims.csv", "data/conventions.csv"}
    expected |= {f"data/{name}.schema.json" for name in ("totals", "ledger", "listing", "names", "table")}
    files = {f"{model}/{model_class}" for model in DETAILED_MODELS for model_class in CLASSES}
    files |= {f"{model}/listings/{framework}" for model, framework in PRINT_OUTS}
    expected |= {f"data/{file}.{kind}" for file in files for kind in ("csv", "json")}
    assert expected == set(published_files())


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_valid_and_published(name: str) -> None:
    meta.validate(SCHEMAS[name])
    assert json.loads(published_files()[f"data/{name}.schema.json"]) == SCHEMAS[name]


SCHEMAS_BY_ADDRESS = {
    "data/totals.json": "totals",
    "data/names.json": "names",
    "data/table.json": "table",
    "data/*/listings/*.json": "listing",
    "data/*/*.json": "ledger",
}
"""The schema of every JSON file, by a pattern for its address; the first match counts."""


def test_every_json_file_is_valid_and_every_schema_is_used() -> None:
    schemas = set()
    for address, text in published_files().items():
        if address.endswith(".json") and not address.endswith(".schema.json"):
            name = next(name for pattern, name in SCHEMAS_BY_ADDRESS.items() if PurePath(address).match(pattern))
            Draft202012Validator(SCHEMAS[name]).validate(json.loads(text))
            schemas.add(name)
    assert set(SCHEMAS) == schemas


def in_both_forms(address: str, rows_key: str) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """A file's JSON content and its CSV rows, after checking that both have the same rows."""
    content = json.loads(published_files()[f"{address}.json"])
    csv_rows = list(csv.DictReader(io.StringIO(published_files()[f"{address}.csv"])))
    assert [{key: cell_text(value) for key, value in row.items()} for row in content[rows_key]] == csv_rows
    return content, csv_rows


def cell_text(value: Any) -> str:
    """A JSON value as the text of a CSV cell."""
    if isinstance(value, list):
        return ("x" if value and isinstance(value[0], int) else " ").join(map(str, value))
    return "" if value is None else str(value)


def rows_of(address: str) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(published_files()[address])))


def test_every_checkpoint_has_a_total_under_every_convention() -> None:
    """The file has all checkpoints, but not the models of courses and articles."""
    rows_by_model = {row["model"]: row for row in rows_of("data/conventions.csv")}
    base, large = rows_by_model["bert-base-uncased"], rows_by_model["bert-large-uncased"]
    assert ("109482240", "108891648") == (base["BertModel"], base["without pooler"])
    assert ("335141888", "334092288") == (large["BertModel"], large["without pooler"])
    assert ["model", *load_conventions()] == list(base)
    assert "keras-bert-article" not in rows_by_model
    assert 33 <= len(rows_by_model)


def test_every_published_number_has_a_row_with_its_steps() -> None:
    claims = rows_of("data/claims.csv")
    assert [claim.printed for source_claims in load_claims().values() for claim in source_claims] == [
        row["printed"] for row in claims
    ]
    claim = next(row for row in claims if row["source"] == "base-chinese-by-hand" and row["printed"] == "75641856")
    assert ("102267648", "differs") == (claim["computed"], claim["verdict"])
    steps = [int(step.partition(":")[0].replace("−", "-").replace(",", "")) for step in claim["steps"].split("; ")]
    assert 75641856 - 102267648 == sum(steps)
    assert [] == [row for row in claims if bool(row["steps"]) != (row["verdict"] == "differs")]
    assert [] == [row for row in claims if bool(row["computed"]) != (row["verdict"] != "no-effect")]
    units = {row["counts"]: row["unit"] for row in claims if row["source"] == "base-chinese-by-hand"}
    assert {"model": "parameters", "memory of the model": "bytes", "hidden size": ""}.items() <= units.items()
    assert [] == [row for row in claims if row["verdict"] == "no-effect" and row["unit"]]


@pytest.mark.parametrize("name", DETAILED_MODELS)
def test_a_ledger_has_every_tensor_and_the_total(name: str) -> None:
    for question in class_questions([load_models()[name]]):
        ledger, csv_rows = in_both_forms(f"data/{name}/{question.model_class}", "parameters")
        rows = ledger["parameters"]
        assert (
            question.number
            == ledger["total"]
            == rows[-1]["running_total"]
            == sum(int(row["count"]) for row in csv_rows)
        )
        assert [tensor.transformers for tensor in tensors(question)] == [row["transformers"] for row in rows]


def printed_names(model: Model, framework: str) -> list[str]:
    """The names in a framework's print-out, computed by the engine."""
    if framework == "transformers":
        return [tensor.transformers for tensor in tensors(Question(model))]
    if framework == "google-bert":
        return [str(tensor.google_bert) for tensor in google_variables(model)]
    rows = keras_bert(model, SEQUENCE_LENGTHS.get(model.name)) if framework == "keras-bert" else bert4keras(model)
    return [row.name for row in rows]


QUESTION_ARGUMENTS: dict[str, dict[str, Any]] = {
    "transformers": {},
    "google-bert": {"model_class": "BertForPreTraining"},
    "keras-bert": {"model_class": "BertForPreTraining"},
    "bert4keras": {"choices": Choices(pooler=False)},
}
"""The arguments of `Question` for the total of each print-out, by framework."""


@pytest.mark.parametrize(("name", "framework"), sorted(PRINT_OUTS))
def test_a_print_out_has_the_rows_of_its_framework(name: str, framework: str) -> None:
    model = load_models()[name]
    print_out, csv_rows = in_both_forms(f"data/{name}/listings/{framework}", "rows")
    assert (name, framework) == (print_out["model"], print_out["framework"])
    total = Question(model, **QUESTION_ARGUMENTS[framework]).number
    assert total == print_out["total"] == sum(int(row["parameters"]) for row in csv_rows)
    assert printed_names(model, framework) == [row["name"] for row in csv_rows]
    running_totals = accumulate(row["parameters"] for row in print_out["rows"])
    assert [*enumerate(running_totals, 1)] == [(row["number"], row["running_total"]) for row in print_out["rows"]]
    if framework == "transformers":
        assert [[*tensor.shape] for tensor in tensors(Question(model))] == [row["shape"] for row in print_out["rows"]]
    if framework in ("keras-bert", "bert4keras"):
        sizes = {tensor.google_bert: tensor.size for tensor in google_variables(model)}
        names = [tensor for row in print_out["rows"] for tensor in row["tensors"]]
        assert len(names) == len(set(names))
        for row in print_out["rows"]:
            assert row["parameters"] == sum(sizes[tensor] for tensor in row["tensors"])


def test_print_outs_on_pages_match_their_files() -> None:
    for framework in FRAMEWORKS:
        rows = json.loads(published_files()[f"data/bert-large-uncased/listings/{framework}.json"])["rows"]
        lines = lines_of(framework, "bert-large-uncased")
        assert len(rows) == len(lines)
        assert [] == [(row, line) for row, line in zip(rows, lines, strict=True) if row["name"] not in line.text]


def test_one_file_names_every_tensor_in_each_framework() -> None:
    """The sources of the names are in `counting/frameworks/keras_names.py`."""
    _, csv_rows = in_both_forms("data/names", "rows")
    expected = {
        "google_bert": "bert/encoder/layer_*/output/dense/bias",
        "transformers": "bert.encoder.layer.*.output.dense.bias",
        "keras_bert": "Encoder-*-FeedForward/Encoder-*-FeedForward_b2",
        "bert4keras": "Transformer-*-FeedForward/dense_1/bias",
        "keras_hub": "transformer_layer_*/feedforward_output_dense/bias",
        "flax": "bert/encoder/layer/*/output/dense/bias",
    }
    assert expected in csv_rows


def test_one_file_has_every_total() -> None:
    """The file has every class of every model; relatives are only in the exported table."""
    totals = json.loads(published_files()["data/totals.json"])
    assert set(load_models()) == set(totals)
    for name, model in load_models().items():
        expected = {question.model_class: question.number for question in class_questions([model])}
        assert expected == totals[name]["totals"]
    # Sources: PEFT 0.21.2 prints the first pair; bitsandbytes 0.50.2 packs two weights into one element.
    lora, packed_sizes = (totals["bert-large-uncased"]["changed"][change] for change in ("lora:8:query,value", "int4"))
    assert (788_482, 335_932_420) == (lora["trainable"], lora["all"])
    assert (183_623_682, 298_873_992) == (packed_sizes["elements"], packed_sizes["bytes"])
    assert [name for name, total in totals.items() if "changed" in total] == [*DETAILED_MODELS]
