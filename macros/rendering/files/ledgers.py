"""Ledgers: every tensor of a model in one class, in transformers' order, with a running total."""

from __future__ import annotations

from typing import Any

from macros.counting import Polynomial, Question, tensors
from macros.counting.question import LAYER_NUMBER


def ledger(asked: Question) -> dict[str, Any]:
    """Every tensor, tied ones included; the fields are those of `schemas.LEDGER_SCHEMA`."""
    rows, running = [], 0
    formulas = {row.path: Polynomial.of_shape(row.shape).formula() for row in asked.rows}
    for each in tensors(asked):
        running += each.size
        rows.append(
            {
                "transformers": each.transformers,
                "google_bert": each.google_bert,
                "shape": list(each.shape),
                "formula": formulas[LAYER_NUMBER.sub("*", each.path)],
                "count": each.size,
                "running_total": running,
                "tied_to": each.tied_to,
            }
        )
    return {"model": asked.model.name, "model_class": asked.chosen.name, "total": running, "parameters": rows}
