"""The training steps that pages show: BERT base on texts of a few lengths."""

from __future__ import annotations

from typing import Any

from macros.counting.activations import TrainingStep
from macros.counting.memory import TRAINING_COPIES, bytes_of

from .asking import BASE, ask

LENGTHS = tuple(ask(model=BASE).sizes["P"] // divisor for divisor in (4, 2, 1))
"""The numbers of tokens per text in the tables: a quarter, a half and all of the positions."""

TEXTS, TOKENS = 8, LENGTHS[0]
"""The batch that the page begins with: texts, and tokens per text."""

COPIES = sum(TRAINING_COPIES.values())
"""How many numbers are kept for every parameter: weight, gradient, and Adam's two moments."""


def for_parameters(step: TrainingStep) -> int:
    """The bytes for weights, gradients and Adam's moments, which do not depend on the batch."""
    return bytes_of(step.question.number, "float32") * COPIES


def step_of(model: str = BASE, texts: int = 1, tokens: int = TOKENS, **options: Any) -> TrainingStep:
    """A training step of the bare model.

    Args:
        model: the name of a published model.
        texts: the number of texts in the batch.
        tokens: the number of tokens in each text.
        options: further fields of `TrainingStep`, such as `checkpointing=True`.
    """
    return TrainingStep(ask(model=model), texts, tokens)._replace(**options)
