"""Ledgers: every tensor of a model in one class, in the order of transformers, with a running total."""

from __future__ import annotations

from typing import Any

from macros.counting import Question
from macros.counting.frameworks.listing import ledger_rows


def ledger(question: Question) -> dict[str, Any]:
    """The ledger of a model in a class, including tied tensors, with the fields of `schemas.LEDGER_SCHEMA`."""
    return {
        "model": question.model.name,
        "model_class": question.resolved_class.name,
        "total": question.number,
        "parameters": list(ledger_rows(question)),
    }
