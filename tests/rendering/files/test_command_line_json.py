"""The command line's JSON and CSV fit the schema, add up, and agree with each other and with published files."""

import csv
import io
import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from macros.counting import ARCHITECTURE_OF_CLASS, ARCHITECTURES, load_models, load_relatives, model_named
from macros.counting.__main__ import main
from macros.counting.changes.methods import load_methods
from macros.counting.operations import PRODUCTS, refusal
from macros.rendering.files import downloads
from macros.rendering.files.schemas import SCHEMAS

LEDGER_VALIDATOR = Draft202012Validator(SCHEMAS["ledger"])

SHALLOWEST_MODELS = {
    name: min(
        (model for model in {**load_models(), **load_relatives()}.values() if model.architecture is architecture),
        key=lambda model: model.architecture.depth(model.sizes),
    ).name
    for name, architecture in ARCHITECTURES.items()
}
"""The published model with the fewest layers in each architecture."""

ALL_CLASSES = [
    (SHALLOWEST_MODELS[name], model_class.name)
    for name, architecture in ARCHITECTURES.items()
    for model_class in architecture.classes
]

FITTING_ARGUMENTS = {"V": 30_000, "P": 300, "L": 2, "C": 5, "h": 1, "k": 1}
"""Arguments of methods that must fit the sizes of the model, by letter; all other arguments are 16."""

CHANGES = [
    ":".join([name, *(f"{item}={FITTING_ARGUMENTS.get(item, 16)}" for item in method.required)])
    for name, method in load_methods().items()
]


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The output of the command line, or an empty string if it reports an error."""
    status = main(list(arguments))
    out, err = capsys.readouterr()
    complaints = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert (status == 0) == bool(out) == (not complaints), err
    return out


def faults(text: str) -> list[str]:
    """Schema violations and wrong sums in a ledger, at most five of them."""
    ledger: dict[str, Any] = json.loads(text)
    violations = [f"{error.instance_path}: {error.message[:100]}" for error in LEDGER_VALIDATOR.iter_errors(ledger)]
    sums = _sums_of_parameters(ledger) if "parameters" in ledger else _sums_of_operations(ledger)
    sums["blocks"] = (ledger["total"], sum(block["count"] for block in ledger["blocks"]))
    wrong_sums = [name for name, (stated, expected) in sums.items() if stated != expected]
    return (violations + wrong_sums)[:5]


def _sums_of_parameters(ledger: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The sums that a ledger of parameters states, each paired with the sum of the rows."""
    rows = ledger["parameters"]
    running_totals = [*itertools.accumulate(row["count"] for row in rows)]
    counts_by_block = Counter[str]()
    for row in rows:
        counts_by_block[row["block"]] += row["count"]
    return {
        "running_total": ([row["running_total"] for row in rows], running_totals),
        "total": (ledger["total"], running_totals[-1]),
        "block": (+Counter({block["block"]: block["count"] for block in ledger["blocks"]}), +counts_by_block),
        "trainable": (ledger["trainable"], sum(row["count"] for row in rows if row.get("trained", True))),
    }


def _sums_of_operations(ledger: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """For each block, the count that a ledger of operations states, paired with the sum of its matrix products."""
    counts_by_block = Counter[str]()
    for row in ledger["operations"]:
        if row["kind"] in PRODUCTS:
            counts_by_block[row["block"]] += row["count"]
    return {block["block"]: (block["count"], counts_by_block[block["block"]]) for block in ledger["blocks"]}


COMMON_FIELDS = ["model", "model_class", "changes", "total", "blocks"]
"""The fields that every ledger has, in this order."""


@pytest.mark.parametrize("options", [[], ["--change", "bitfit"], ["--tokens", "8"]])
def test_every_ledger_and_its_rows_have_the_common_fields(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = json.loads(output_of(capsys, "bert-base-uncased", "--json", *options))
    assert COMMON_FIELDS == [field for field in ledger if field in COMMON_FIELDS]
    (rows,) = (ledger[kind] for kind in ("parameters", "operations") if kind in ledger)
    assert {"formula", "count"} <= rows[0].keys()
    assert {"block", "formula", "count"} == ledger["blocks"][0].keys()


# LoRA of rank 8 adds two matrices of 8 x 768 to two projections in each of 12 layers. A token takes two operations per
# weight.
@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ([], {"embeddings": 23_837_184, "self-attention": 28_348_416, "feed-forward": 56_669_184, "pooler": 590_592}),
        (["--change", "lora:8:query,value"], {"self-attention": 28_348_416, "lora": 294_912}),
        (["--tokens", "1"], {"embeddings": 0, "feed-forward": 113_246_208, "pooler": 1_179_648}),
    ],
)
def test_blocks_have_their_totals(
    options: list[str], blocks: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """The tensors that a change adds have a block of their own."""
    ledger = json.loads(output_of(capsys, "bert-base-uncased", "--json", *options))
    assert blocks.items() <= {block["block"]: block["count"] for block in ledger["blocks"]}.items()


def test_several_models_yield_a_list_of_their_ledgers(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["bert_uncased_L-2_H-128_A-2", "albert-base-v2"]
    for options in ([], ["--change", "bitfit"], ["--tokens", "5"], ["--train", "memory=8,attention=eager"]):
        ledgers = json.loads(output_of(capsys, *names, "--json", *options))
        assert [] == [*LEDGER_VALIDATOR.iter_errors(ledgers)]
        assert [json.loads(output_of(capsys, name, "--json", *options)) for name in names] == ledgers


def test_the_ledgers_of_every_class_are_valid_and_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    for model, name in ALL_CLASSES:
        operations = ["--tokens", "5", "--batch", "2"]
        if refusal(ARCHITECTURE_OF_CLASS[name], name):
            operations += ["--global", "3"]
        for options in ([], operations):
            text = output_of(capsys, model, "--class", name, "--json", *options)
            assert [] == faults(text), (name, options)


def test_the_ledgers_of_every_method_are_valid_and_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    """In BERT, methods are also combined with a head and with a second method."""
    tested_changes = set()
    for name, architecture in ARCHITECTURES.items():
        classes_with_head = ["BertForSequenceClassification"] if name == "bert" else []
        option_lists = [[], ["--change", "int8"]] if name == "bert" else [[]]
        for model_class, change in itertools.product([architecture.classes[0].name, *classes_with_head], CHANGES):
            arguments = [SHALLOWEST_MODELS[name], "--class", model_class, "--json", "--change", change]
            for options in option_lists:
                if text := output_of(capsys, *arguments, *options):
                    assert [] == faults(text), (model_class, change, options)
                    tested_changes.add(change)
    # Untying needs a masked-LM decoder, and only decoder models have cross-attention.
    assert set(CHANGES) - tested_changes <= {"untied", "cross-attention"}


@pytest.mark.parametrize("change", ["untied", "cross-attention", "pruned:7", "vocabulary:30000"])
def test_ledgers_of_changed_classes_with_a_tied_decoder_are_valid_and_add_up(
    change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("BertForMaskedLM", "BertLMHeadModel"):
        assert [] == faults(output_of(capsys, "bert-base-uncased", "--class", name, "--json", "--change", change))


def test_heads_are_pruned_from_the_first_layers(capsys: pytest.CaptureFixture[str]) -> None:
    """Every layer keeps at least one of its twelve heads, so two of thirteen pruned heads are in the second layer."""
    text = output_of(capsys, "bert-base-uncased", "--change", "pruned:13", "--json")
    assert "first layers" in json.loads(text)["note"]
    shapes = {row["transformers"]: row["shape"] for row in json.loads(text)["parameters"]}
    layers = [shapes[f"encoder.layer.{layer}.attention.self.query.weight"] for layer in range(3)]
    assert [[64, 768], [640, 768], [768, 768]] == layers
    assert [768, 640] == shapes["encoder.layer.1.attention.output.dense.weight"]


def test_ledgers_equal_the_published_files(capsys: pytest.CaptureFixture[str]) -> None:
    """The CSV equals the published file byte for byte, and the JSON contains all of the file's content."""
    address = "data/bert-base-uncased/BertForPreTraining"
    files = {item: make() for item, make in downloads.makers() if item.startswith(f"{address}.")}
    options = ["bert-base-uncased", "--class", "BertForPreTraining"]
    assert files[f"{address}.csv"] == output_of(capsys, *options, "--csv")
    file = json.loads(files[f"{address}.json"])
    assert file.items() <= json.loads(output_of(capsys, *options, "--json")).items()


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ([], "parameters"),
        (["--change", "lora:8:query,value", "--change", "int4"], "parameters"),
        (["--change", "pruned:13"], "parameters"),
        (["--tokens", "128"], "operations"),
    ],
)
def test_csv_and_json_have_the_same_columns_and_counts(
    options: list[str], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bert-base-uncased", "--class", "BertForMaskedLM", *options]
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *arguments, "--csv"))))
    records = json.loads(output_of(capsys, *arguments, "--json"))[key]
    assert [list(row) for row in rows] == [list(record) for record in records]
    assert [int(row["count"]) for row in rows] == [record["count"] for record in records]
    assert sum(int(row["count"]) for row in rows) > model_named("bert-base-uncased").sizes["V"]


def test_a_file_with_notes_fits_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Notes on a config, here about an unsupported class, are in the JSON."""
    sizes = {"vocab_size": 101, "hidden_size": 20, "num_hidden_layers": 2, "num_attention_heads": 3}
    config = {**sizes, "intermediate_size": 50, "max_position_embeddings": 37, "type_vocab_size": 3}
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**config, "model_type": "bert", "architectures": ["BertForPoetry"]}))
    text = output_of(capsys, str(path), "--json")
    assert [] == faults(text)
    assert "BertForPoetry" in json.loads(text)["note"]
