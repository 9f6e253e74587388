"""Ledgers: every tensor of a model in one class, in transformers' order, with a running total."""

from __future__ import annotations

from typing import Any

from macros.counting import ROWS, Model, Polynomial, tensors
from macros.counting.totals import ONE_LAYER

FORMULAS = {row.path: Polynomial.of_shape(row.shape).formula() for row in ROWS}
"""Elements of one tensor in letters, by path."""


def ledger(model: Model, model_class: str) -> dict[str, Any]:
    """Every tensor, tied ones included; the fields are those of `schemas.LEDGER_SCHEMA`."""
    rows, running = [], 0
    for each in tensors(model, model_class):
        running += each.size
        rows.append(
            {
                "transformers": each.transformers,
                "google_bert": each.google_bert,
                "shape": list(each.shape),
                "formula": FORMULAS[ONE_LAYER.sub("*", each.path)],
                "count": each.size,
                "running_total": running,
                "tied_to": each.tied_to,
            }
        )
    return {"model": model.name, "model_class": model_class, "total": running, "parameters": rows}
