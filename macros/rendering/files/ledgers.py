"""Ledgers: every tensor of a model in one class, in transformers' order, with a running total."""

from __future__ import annotations

from typing import Any

from macros.counting import Question
from macros.counting.frameworks.listing import ledger_rows


def ledger(asked: Question) -> dict[str, Any]:
    """Every tensor, tied ones included; the fields are those of `schemas.LEDGER_SCHEMA`."""
    rows = list(ledger_rows(asked))
    return {"model": asked.model.name, "model_class": asked.chosen.name, "total": asked.number, "parameters": rows}
