"""The engine against what transformers built, tensor by tensor."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from macros.counting import MODEL_CLASSES, count, model_of_config, tensors

RECORDING = Path(__file__).parents[1] / "oracles" / "transformers.json.gz"


@cache
def recording() -> dict[str, Any]:
    """The whole recording."""
    found: dict[str, Any] = json.loads(gzip.decompress(RECORDING.read_bytes()))
    return found


def differences(recorded: dict[str, Any]) -> list[str]:
    """Where the engine and one recorded model disagree, in words."""
    model = model_of_config(recorded["name"], recorded["config"])
    ours = [[t.transformers, list(t.shape), t.tied_to] for t in tensors(model, recorded["class"], recorded["pooler"])]
    found = [
        f"{theirs} is {mine} here" for theirs, mine in zip(recorded["parameters"], ours, strict=False) if theirs != mine
    ]
    if len(ours) != len(recorded["parameters"]):
        found.append(f"{len(recorded['parameters'])} tensors there, {len(ours)} here")
    total = count(model, model_class=recorded["class"], pooler=recorded["pooler"])
    if total != recorded["total"]:
        found.append(f"total {recorded['total']} there, {total} here")
    if total != sum(t.size for t in tensors(model, recorded["class"], recorded["pooler"])):
        found.append("the total is not the sum of the listing")
    return found


@pytest.mark.parametrize("model_class", MODEL_CLASSES)
def test_every_recorded_model(model_class: str) -> None:
    """Names, shapes, order, ties and totals agree for every recorded model of a class."""
    models = [each for each in recording()["models"] if each["class"] == model_class]
    assert len(models) >= 24
    for recorded in models:
        assert [] == differences(recorded), f"{recorded['name']}, {model_class}"


@pytest.mark.parametrize("change", ["name", "shape", "order", "tie", "missing", "total"])
def test_the_comparison_can_fail(change: str) -> None:
    """A recording altered in any one respect is told apart."""
    model = next(each for each in recording()["models"] if each["class"] == "BertForPreTraining")
    altered = json.loads(json.dumps(model))
    rows = altered["parameters"]
    if change == "name":
        rows[3][0] += "x"
    elif change == "shape":
        rows[3][1][0] += 1
    elif change == "order":
        rows[3], rows[4] = rows[4], rows[3]
    elif change == "tie":
        next(row for row in rows if row[2])[2] = None
    elif change == "missing":
        rows.pop()
    else:
        altered["total"] += 1
    assert [] == differences(model)
    assert [] != differences(altered)
