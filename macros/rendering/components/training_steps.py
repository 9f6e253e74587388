"""The training steps that pages show."""

from __future__ import annotations

from typing import Any

from macros.counting.activations import TrainingStep
from macros.counting.memory import TRAINING_COPIES, bytes_of

from .asking import BASE, ask

LENGTHS = tuple(ask(model=BASE).sizes["P"] // part for part in (4, 2, 1))
"""Tokens of a text, in the tables: up to all positions."""

TEXTS, TOKENS = 8, LENGTHS[0]
"""The batch that the page begins with."""

COPIES = sum(TRAINING_COPIES.values())
"""Numbers kept for every parameter."""


def for_parameters(step: TrainingStep) -> int:
    """The bytes of weights, gradients and Adam, which are the same for any batch."""
    return bytes_of(step.asked.number, "float32") * COPIES


def step_of(model: str = BASE, texts: int = 1, tokens: int = TOKENS, **ways: Any) -> TrainingStep:
    """A training step of the bare model."""
    return TrainingStep(ask(model=model), texts, tokens)._replace(**ways)
