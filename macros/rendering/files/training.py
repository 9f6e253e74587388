"""`data/training.js`: what training steps keep, for the form that says whether a step fits on a card.

A script could not run the forward pass of `macros.counting.training`, and need not: how
many bytes a step keeps is the same polynomial in the number of texts N and their length
T for every batch. The file has its coefficients for each model and each way of running
the step. `docs/assets/pages/fits.js` adds up what they give.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from macros.counting import ChangedModel, Model, Polynomial, Question, model_named
from macros.counting.architectures import class_of
from macros.counting.training import ROUNDING, TrainingStep
from macros.counting.training.programs import PROGRAMS

from ..components.training_steps import ATTENTIONS, DTYPES, IN_FORM, MODELS

LETTERS = ("", "N", "T", "NT", "NQ", "TT", "NTT")
"""The products of batch sizes that a coefficient belongs to: N texts of T tokens; Q is T, rounded up."""


@cache
def training() -> dict[str, Any]:
    """The content of the file.

    Returns:
        letters: for each coefficient, the product of batch sizes that it is multiplied by.
        rounding: the number to whose multiple Q is rounded up.
        models: by name, and by what is trained: the bytes of weights, gradients and states
            for weights in 32 and in 16 bits, and for every way the coefficients of what is kept and of what
            checkpointing computes again, and the bytes of the copies of weights in 16 bits that are among both. A way
            is its choices, joined by a space.
    """
    return {"letters": LETTERS, "rounding": ROUNDING, "models": {name: _of_model(model_named(name)) for name in MODELS}}


def _of_model(model: Model) -> dict[str, Any]:
    """The entry of one model: that of each part that may be trained."""
    architecture = model.architecture
    name = next(
        model_class.name for model_class in architecture.classes if model_class.name.endswith("SequenceClassification")
    )
    question = Question(model, class_of(architecture, name).name)
    return {
        key: _of_changed(ChangedModel.of(question, trained.changes_of(model.sizes["L"])))
        for key, trained in IN_FORM.items()
        # Layers that share their weights are trained or frozen together.
        if key != "half" or architecture.layers == ("L",)
    }


def _of_changed(model: ChangedModel) -> dict[str, Any]:
    """The entry of one model, some or all of which is trained."""
    fixed, ways = {}, {}
    for way, step in _steps(model):
        width = "short" if step.dtype == "pure-bf16" else "full"
        if width not in fixed:
            fixed[width] = [step.weights_bytes, step.gradients_bytes, step.states_bytes]
        kept = Polynomial.total(item.total(step.sizes["L"]) for item in step.activations)
        again = Polynomial.total(item.one for item in step.recomputed_activations)
        ways[way] = [_coefficients(kept, step), _coefficients(again, step), step.copies_bytes]
    return {"fixed": fixed, "ways": ways}


def _steps(model: ChangedModel) -> Iterator[tuple[str, TrainingStep]]:
    """Every way of running a step that is possible, by its name, with a step of two texts."""
    program = PROGRAMS[model.question.architecture.model_type]
    for dtype, attention, padded, checkpointing in product(DTYPES, ATTENTIONS, (False, True), (False, True)):
        if checkpointing and not program.checkpoints:
            continue
        step = TrainingStep(model, 2, 32, dtype=dtype, attention=attention, padded=padded, checkpointing=checkpointing)
        yield f"{dtype} {attention or 'sdpa'} {int(padded)} {int(checkpointing)}", step


def _coefficients(polynomial: Polynomial, step: TrainingStep) -> list[int]:
    """A polynomial as one coefficient for each entry of `LETTERS`."""
    sizes, sums = step.sizes, dict.fromkeys(LETTERS, 0)
    for coefficient, letters, layers in polynomial.terms:
        # One example is one text in a classifier.
        batch = "".join(sorted("N" if letter == "B" else letter for letter in letters if letter in BATCH))
        rest = [letter for letter in (*letters, *layers) if letter not in BATCH]
        sums[batch] += Polynomial.of_shape(" ".join([str(coefficient), *rest])).value(sizes)
    return list(sums.values())


BATCH = "BNTQ"
"""The letters of sizes that belong to the batch."""
