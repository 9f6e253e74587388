"""Macros for the page about memory in training: the memory of a step, the largest batch, and optimisers.

By default, numbers are for BERT base as a classifier, with the settings in `FINE_TUNING` and texts of `INITIAL_LENGTH`
tokens.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from html import escape
from typing import Any

from macros.counting import ChangedModel, CountingError, Polynomial
from macros.counting.architecture import LAYER
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.errors import entry_of
from macros.counting.memory import bytes_of
from macros.counting.sum_lines import plain_line
from macros.counting.training import (
    FINE_TUNING,
    MASK_STEP,
    MAX_EXCESS,
    RESERVE,
    ROUNDING,
    Activation,
    TrainingStep,
    usable_memory,
)
from macros.counting.training.programs import PROGRAMS

from ..components import formulas, numbers
from ..components.asking import BASE, ask
from ..components.changes import CHANGED_CLASS, changed_model, workings_of_counts
from ..components.rows import lines
from ..components.templates import render
from ..components.training_steps import (
    BATCH_SIZE,
    GPU_MEMORY,
    INITIAL_GPU_MEMORY,
    INITIAL_LENGTH,
    LENGTHS,
    PARTS_IN_FORM,
    SIMPLEST_SETTINGS,
    TRAINED_PARTS,
    form_options,
    model_titles,
    step_of,
)

BYTES_OF_STEP = {
    "weights": lambda step: step.weights_bytes,
    "gradients": lambda step: step.gradients_bytes,
    "states": lambda step: step.states_bytes,
    "activations": lambda step: step.activations_bytes,
    "copies": lambda step: step.matrix_copies_bytes,
    "of-texts": lambda step: step.activations_bytes - step.matrix_copies_bytes,
    "text": lambda step: step.example_bytes,
    "fixed": lambda step: step.fixed_bytes,
    "gradients-and-states": lambda step: step.gradients_bytes + step.states_bytes,
    "temporary": lambda step: step.temporary_bytes,
    "peak": lambda step: step.peak_bytes,
    "layer": lambda step: step.layer_polynomial.value(step.sizes),
}
"""A function for each number of bytes of a step, by the name that pages use."""


def example(number: int, meaning: str) -> str:
    """A number that the page uses as an example: `example(8, "texts")`.

    Raises:
        CountingError: the number is less than 1; the message names it by `meaning`.
    """
    if number < 1:
        raise CountingError(f"an example of {meaning} is {number}; choose 1 or more")
    return numbers.example(number)


def amount(
    name: str,
    unit: str = "B",
    model: str = BASE,
    texts: int = 1,
    tokens: int = INITIAL_LENGTH,
    change: str = "",
    **settings: Any,
) -> str:
    """A number of bytes of a training step, in a unit: `amount("activations", "GB", texts=16, dtype="float32")`.

    Args:
        name: a key of `BYTES_OF_STEP`.
        unit: a unit of memory; bytes are shown in full, all other units to one decimal.
        model: the name of a published model.
        texts: the number of texts in the batch.
        tokens: the length of each text.
        change: the changes to the model before training, separated by spaces.
        settings: fields of `TrainingStep` in `macros.counting.training`.

    Raises:
        CountingError: there is no such number, unit, model or change, or the step is not supported.
    """
    step = step_of(model, texts, tokens, change, **settings)
    number = entry_of(BYTES_OF_STEP, "number of a training step", name)(step)
    working = _working(step, name)
    question = _question_attributes(step, name, change, settings, unit)
    if unit == "B":
        return numbers.in_full(number, working, **question)
    text, division = numbers.in_unit(number, unit)
    return numbers.data(number, text, f"{working}\n{division}", **question)


def _question_attributes(
    step: TrainingStep, name: str, change: str, settings: dict[str, Any], unit: str = ""
) -> dict[str, object]:
    """The attributes that record the question that a number about a step answers."""
    return {
        "kind": "step-bytes",
        **({"unit": unit} if unit else {}),
        "what": name,
        "model": step.model.unchanged_question.model.name,
        "class": CHANGED_CLASS,
        "texts": step.examples,
        "tokens": step.tokens,
        "change": change,
        "way": json.dumps(settings) if settings else "",
    }


def _working(step: TrainingStep, name: str) -> str:
    """The lines that work out a number of bytes.

    Raises:
        CountingError: the number is a peak that is not at the end of the forward pass.
    """
    if name in ("weights", "gradients", "states"):
        return _working_of_items(step, name)
    if name in FORMULAS:
        return numbers.working_of(FORMULAS[name](step), step.sizes)
    if name == "gradients-and-states":
        return _working_of_items(step, "gradients", "states")
    fixed_lines = _working_of_items(step, "weights", "states")
    if name == "fixed":
        return fixed_lines
    forward = _forward_formula(step)
    total = plain_line(step.fixed_bytes, forward.value(step.sizes))
    if total.result != step.peak_bytes:
        raise CountingError("the peak is not at the end of the forward pass; write a working of this peak")
    forward_line = numbers.working_of(forward, step.sizes, has_formula=False)
    return f"{fixed_lines}\nactivations and temporary results: {forward_line}\nthe peak: {total} bytes"


def _working_of_items(step: TrainingStep, *names: str) -> str:
    """The lines that work out the bytes of weights, gradients or states, or of several of these together."""
    items = [item for name in names for item in getattr(step, name)]
    return numbers.bytes_working(items, workings_of_counts(step.model))


def _forward_formula(step: TrainingStep) -> Polynomial:
    """The bytes of all activations and temporary results, at the end of the forward pass, as a formula."""
    recomputed_activations = (item.total(step.sizes["L"]) for item in step.recomputed_activations)
    temporary_results = _temporary_formula(step)
    return Polynomial.total((step.activations_polynomial, *recomputed_activations, temporary_results)).simplified()


LARGE_BATCH = 100
"""A number of texts beyond which each further text adds the same number of bytes to the peak."""


def _temporary_formula(step: TrainingStep) -> Polynomial:
    """The memory for temporary results, as a formula: the bound that is largest for the step's sizes."""
    return max(step.temporary_bounds, key=lambda bound: bound.value(step.sizes))


def _copies_formula(step: TrainingStep) -> Polynomial:
    """The bytes of the 16-bit copies of weights, as a formula."""
    return Polynomial.total(item.total(step.sizes["L"]) for item in step.matrix_copies).simplified()


def _formula_of_texts(step: TrainingStep) -> Polynomial:
    """The bytes of all activations except the 16-bit copies of weights, as a formula."""
    items = (item.total(step.sizes["L"]) for item in step.activations if item not in step.matrix_copies)
    return Polynomial.total(items).simplified()


FORMULAS: dict[str, Callable[[TrainingStep], Polynomial]] = {
    "activations": lambda step: step.activations_polynomial,
    "copies": _copies_formula,
    "of-texts": _formula_of_texts,
    "layer": lambda step: step.layer_polynomial,
    "temporary": _temporary_formula,
    "text": lambda step: _per_text(_forward_formula(step.with_examples(LARGE_BATCH))),
}
"""A function for the formula of each number of bytes that is worked out from a formula, by the name that pages use."""


IS_IN_LAYER = {"layer": True, "outside": False}
"""Values of the argument `place`; True for tensors in layers."""


@cache
def _simplest_step() -> TrainingStep:
    """The step whose tensors the page lists: one text, with the settings that have the shortest formula."""
    return step_of(**SIMPLEST_SETTINGS)


def activation_rows(place: str) -> str:
    """Rows for every tensor kept for one text, in one layer or outside the layers: module, contents, shape, bytes.

    Args:
        place: `"layer"` or `"outside"`.

    Raises:
        CountingError: `place` is neither of these.
    """
    step = _simplest_step()
    is_in_layer = entry_of(IS_IN_LAYER, "place", place)
    return lines(
        [
            f"<code>{_module(item)}</code>",
            escape(item.contents),
            formulas.shape(item.shape),
            _number_of_bytes(item.bytes_per_storage, step, "activation", of=item.path, what=item.contents),
        ]
        for item in step.activations
        if (item.layers > 0) == is_in_layer
    )


def activation_bytes(place: str) -> str:
    """The total bytes of the tensors that `activation_rows` lists; arguments and errors are the same."""
    step = _simplest_step()
    polynomial = step.layer_polynomial if entry_of(IS_IN_LAYER, "place", place) else _outside_formula(step)
    return _number_of_bytes(polynomial, step, f"{place}-bytes")


def _outside_formula(step: TrainingStep) -> Polynomial:
    """The bytes of all activations outside the layers, as a formula."""
    return Polynomial.total(item.bytes_per_storage for item in step.activations if not item.layers).simplified()


def _module(item: Activation) -> str:
    """The path of an activation's module within its layer, or within the model if it is outside the layers.

    The layer itself is called "layer".
    """
    return item.path.removeprefix(LAYER if item.layers else "bert").lstrip("/") or "layer"


def largest_batch(
    memory: int,
    model: str = BASE,
    tokens: int = INITIAL_LENGTH,
    change: str = "",
    reserve: int = RESERVE,
    **settings: Any,
) -> str:
    """The largest batch that fits into a GPU's memory.

    The bytes of weights and states, and those that a batch of any size adds, are subtracted from the usable memory. The
    rest is divided by the bytes that each text adds, and rounded down. `worked_largest_batch` works these numbers out
    for one batch; their formulas would make the explanation of every batch too tall for a phone.

    Args:
        memory: the memory in GiB.
        model: the name of a published model.
        tokens: the length of each text.
        change: the changes to the model before training, separated by spaces.
        reserve: the percentage of the memory that is not used.
        settings: fields of `TrainingStep`, as for `amount`.

    Raises:
        CountingError: there is no such model or change, or the step is not supported.
    """
    step = step_of(model, LARGE_BATCH, tokens, change, **settings)
    room = usable_memory(memory, reserve)
    largest = step.largest_batch(room)
    any_batch_bytes = _of_any_batch(_forward_formula(step)).value(step.sizes)
    room_for_texts = room - step.fixed_bytes - any_batch_bytes
    subtrahends = f"{numbers.whole(step.fixed_bytes)} − {numbers.whole(any_batch_bytes)}"
    quotient = f"({_usable_bytes(memory, reserve)} − {subtrahends}) ÷ {numbers.whole(step.example_bytes)}"
    working_lines = [
        f"{_usable_line(memory, reserve)} bytes",
        f"weights and states: {numbers.whole(step.fixed_bytes)}",
        f"copies of matrices, and what any batch adds: {numbers.whole(any_batch_bytes)}",
        f"one more text: {numbers.whole(step.example_bytes)}",
        f"{quotient} ≈ {room_for_texts / step.example_bytes:,.2f}".replace("-", numbers.MINUS),
        f"{'rounded down' if largest else 'not one text fits'}: {numbers.whole(largest)}",
    ]
    question = _question_attributes(step, "largest", change, settings) | {
        "kind": "batch",
        "memory": memory,
        "reserve": reserve,
    }
    return numbers.in_full(largest, "\n".join(working_lines), **question)


def _usable_line(memory: int, reserve: int) -> str:
    """The line that converts a memory to bytes and takes off a reserve; arguments as for `_usable_bytes`."""
    factor = f" × {100 - reserve}%" if reserve else ""
    return f"{memory} × 2³⁰{factor} = {_usable_bytes(memory, reserve)}"


def _usable_bytes(memory: int, reserve: int) -> str:
    """The text of `_bytes_without_reserve`."""
    return _text_of(_bytes_without_reserve(memory, reserve))


def _bytes_without_reserve(memory: int, reserve: int) -> Fraction:
    """The bytes of a memory without a reserve, not rounded.

    Args:
        memory: the memory in GiB.
        reserve: the reserve in percent.
    """
    return Fraction(usable_memory(memory, 0) * (100 - reserve), 100)


def _text_of(number: Fraction) -> str:
    """The text of a number of bytes; two decimals are exact, because a power of two is divisible by four."""
    return f"{float(number):,.2f}".rstrip("0").rstrip(".")


def worked_largest_batch() -> str:
    """The largest batch for the initial settings of the form, worked out line by line in bytes."""
    step = step_of(texts=LARGE_BATCH)
    room = usable_memory(INITIAL_GPU_MEMORY)
    matrix_copies_bytes = step.matrix_copies_bytes
    text_bytes = step.example_bytes
    sizes = step.sizes
    depth = step.layers_with_equal_activations
    layer, outside, temporary = _bytes_of_one_text(step)
    pieces = [depth * layer.value(sizes), outside.value(sizes), temporary.value(sizes)]
    any_batch = _bytes_of_any_batch(step)
    any_batch_bytes = any_batch.value(sizes)
    parts = [step.fixed_bytes, matrix_copies_bytes, any_batch_bytes]
    bytes_left = _bytes_without_reserve(INITIAL_GPU_MEMORY, RESERVE) - sum(parts)
    sums = {
        f"the GPU, less {RESERVE}% in reserve": _usable_line(INITIAL_GPU_MEMORY, RESERVE),
        "weights": str(plain_line(*((item.number, item.bytes_per_item) for item in step.weights))),
        "states": str(plain_line(*((item.number, item.bytes_per_item) for item in step.states))),
        "weights and states": str(plain_line(step.weights_bytes, step.states_bytes)),
        "copies of dense matrices in half precision, as a formula": _copies_formula(step).formula(),
        "these copies": f"{_copies_formula(step).working(step.sizes)} = {numbers.whole(matrix_copies_bytes)}",
        "what any batch adds, whatever its size, as a formula": any_batch.formula(),
        "what any batch adds, whatever its size": f"{any_batch.working(sizes)} = {numbers.whole(any_batch_bytes)}",
        "left for texts": f"{_usable_bytes(INITIAL_GPU_MEMORY, RESERVE)} − {' − '.join(map(numbers.whole, parts))}"
        f" = {_text_of(bytes_left)}",
        "one text in one layer, as a formula": layer.formula(),
        "one text in one layer": f"{layer.working(sizes)} = {numbers.whole(layer.value(sizes))}",
        "in all layers": f"{depth} × {numbers.whole(layer.value(sizes))} = {numbers.whole(pieces[0])}",
        "outside the layers, as a formula": outside.formula(),
        "outside the layers": f"{outside.working(sizes)} = {numbers.whole(pieces[1])}",
        "temporary results, as a formula": temporary.formula(),
        "temporary results": f"{temporary.working(sizes)} = {numbers.whole(pieces[2])}",
        "one text, its activations and its temporary results": f"{' + '.join(map(numbers.whole, pieces))}"
        f" = {numbers.whole(text_bytes)}",
        "divided by one text": f"{_text_of(bytes_left)} ÷ {numbers.whole(text_bytes)}"
        f" ≈ {float(bytes_left / text_bytes):,.2f}",
        "rounded down": numbers.whole(step.largest_batch(room)),
    }
    attributes = (
        f'data-model="{BASE}" data-class="{CHANGED_CLASS}" data-tokens="{INITIAL_LENGTH}" '
        f'data-memory="{INITIAL_GPU_MEMORY}" data-reserve="{RESERVE}"'
    )
    title = f"For BERT base and texts of {INITIAL_LENGTH} tokens, in bytes"
    return numbers.titled_sum("largest-batch-worked", title, sums, attributes)


BATCH_LETTERS = {"B", "N"}
"""The letters for the numbers of texts and of examples in a batch, which are equal for a classifier."""


def _bytes_of_one_text(step: TrainingStep) -> list[Polynomial]:
    """The bytes that one text takes up in one layer, outside the layers, and in temporary results."""
    return list(map(_per_text, (step.layer_polynomial, _outside_formula(step), _temporary_formula(step))))


def _per_text(bytes_of_batch: Polynomial) -> Polynomial:
    """The bytes of a single text: the terms that grow with the batch, each without the letter of the batch."""
    growing_terms = tuple(term for term in bytes_of_batch.terms if not BATCH_LETTERS.isdisjoint(term.letters))
    return Polynomial(growing_terms).without_letters(BATCH_LETTERS).simplified()


def _bytes_of_any_batch(step: TrainingStep) -> Polynomial:
    """The bytes of activations and temporary results that do not grow with the batch, except copies of weights."""
    return _of_any_batch(Polynomial.total((_formula_of_texts(step), _temporary_formula(step))).simplified())


def _of_any_batch(bytes_of_batch: Polynomial) -> Polynomial:
    """The bytes that a batch of any size needs: the terms that do not grow with it."""
    return Polynomial(tuple(term for term in bytes_of_batch.terms if BATCH_LETTERS.isdisjoint(term.letters)))


ITEMS_IN_FORM = {
    "weights": "weights",
    "states": "states of the optimiser",
    "copies": "copies of matrices in half precision",
    "activations": "activations",
    "gradients": "gradients",
    "temporary": "temporary results",
}
"""The items in memory that the form lists, by the style of their colour."""

REMEDIES = {
    "checkpointing": "gradient checkpointing",
    "lora": "training LoRA and the head only",
    "bf16": "mixed precision",
    "pure-bf16": "weights in bfloat16",
    "adamw-8bit": "8-bit AdamW",
    "sdpa": "sdpa attention",
}
"""The remedies that the form can suggest if a step does not fit, by the name that the script uses."""


EXAMPLE_STEP = f"batch={BATCH_SIZE},tokens={LENGTHS[-1]},memory={INITIAL_GPU_MEMORY}"
"""An example of a training step in the syntax of the command line."""


def form() -> str:
    """The form that shows whether a step fits on a GPU; a script computes its content."""
    return render(
        "fits.html",
        gpus=GPU_MEMORY,
        initial_memory=INITIAL_GPU_MEMORY,
        reserve=RESERVE,
        models=model_titles(),
        titles={name: part.title for name, part in PARTS_IN_FORM.items()},
        choices=form_options(),
        initial=(BASE, FINE_TUNING["dtype"]),
        padded=FINE_TUNING["padded"],
        parts=ITEMS_IN_FORM,
        helps=REMEDIES,
        tokens=INITIAL_LENGTH,
    )


def layer_formula(**settings: Any) -> str:
    """The formula of the bytes that a layer keeps; `settings` are as for `amount`."""
    return formulas.from_text(step_of(**settings).layer_polynomial.formula())


def worked_activations() -> str:
    """The bytes of activations for one text that fills all positions, worked out line by line."""
    step = step_of(tokens=LENGTHS[-1], **SIMPLEST_SETTINGS)
    sizes = step.sizes
    layer_bytes = step.layer_polynomial.value(step.sizes)
    outside_layers = _outside_formula(step)
    layers = sizes["L"] * layer_bytes
    results = [
        numbers.whole(number) for number in (layer_bytes, layers, outside_layers.value(sizes), step.activations_bytes)
    ]
    sums = {
        "one layer, as a formula": step.layer_polynomial.formula(),
        "one layer": f"{step.layer_polynomial.working(sizes)} = {results[0]}",
        "all layers": f"{sizes['L']} × {results[0]} = {results[1]}",
        "outside the layers, as a formula": outside_layers.formula(),
        "outside the layers": f"{outside_layers.working(sizes)} = {results[2]}",
        "the total": f"{results[1]} + {results[2]} = {results[3]}",
    }
    question = step.model.unchanged_question
    attributes = f'data-model="{question.model.name}" data-texts="{step.examples}" data-tokens="{step.tokens}"'
    return numbers.titled_sum("training-worked", f"In bytes, for one text of {step.tokens} tokens", sums, attributes)


ESTIMATE = {
    "the estimate for any F, with numbers of four bytes and masks of one": "34 B T H, 8 B T F, 9 B A T T",
    "means and inverse standard deviations of the two LayerNorms": "16 B T",
}
"""The steps from the published estimate of Korthikanti et al. to the bytes that a layer keeps, as symbolic shapes.

The estimate itself assumes two-byte numbers and F = 4·H, so the first step generalises it.
"""


def published_estimate(dtype: str) -> str:
    """The published estimate of the bytes that a layer keeps, for F = 4·H as printed: `published_estimate("float16")`.

    Args:
        dtype: the data type of numbers; masks take up one byte each.

    Raises:
        CountingError: there is no such data type.
    """
    width = bytes_of(1, dtype)
    # Eight tensors of width H, two of width F and two of attention weights, and the masks of three dropouts.
    shapes = f"{(8 + 2 * 4) * width + 2} B T H, {2 * width + 1} B A T T"
    return formulas.inline(_polynomial(shapes))


def estimate_rows() -> str:
    """Rows for the steps from the published estimate to the bytes that a layer keeps: wording, formula, bytes.

    Raises:
        CountingError: the steps do not add up to these bytes.
    """
    step = _simplest_step()
    polynomials = {words: _polynomial(shapes) for words, shapes in ESTIMATE.items()}
    if Polynomial.total(polynomials.values()).value(step.sizes) != step.layer_polynomial.value(step.sizes):
        raise CountingError("the steps do not lead from the published estimate to what a layer keeps; correct ESTIMATE")
    return lines(
        [escape(words), formulas.inline(polynomial), _number_of_bytes(polynomial, step, "of-estimate", what=index)]
        for index, (words, polynomial) in enumerate(polynomials.items())
    )


def estimated_layer() -> str:
    """The formula of the bytes that a layer keeps, with the settings that make it shortest."""
    return formulas.inline(_simplest_step().layer_polynomial)


def _polynomial(shapes: str) -> Polynomial:
    """The sum of several shapes, such as `34 B T H, 8 B T F`."""
    return Polynomial.total(map(Polynomial.of_shape, shapes.split(", ")))


def _number_of_bytes(polynomial: Polynomial, step: TrainingStep, kind: str, **attributes: object) -> str:
    """A number of bytes with its working, for one layer if the tensors are in the layers."""
    working = numbers.working_of(polynomial, step.sizes)
    return numbers.in_full(polynomial.value(step.sizes), working, kind=kind, tokens=step.tokens, **attributes)


def optimiser(name: str, part: str, change: str = "", model: str = BASE) -> str:
    """The bytes needed to train with an optimiser: `optimiser("adamw", "states", change="lora:8:query,value")`.

    Args:
        name: the name of an optimiser in `optimisers.toml`.
        part: `"states"` for the states of the optimiser, or `"weights"` for the weights and their gradients.
        change: the changes to the model before training, separated by spaces; empty for none.
        model: the name of a published model.

    Raises:
        CountingError: there is no such optimiser, change or model, or `part` is neither of these.
    """
    chosen_optimiser = entry_of(load_optimisers(), "optimiser", name)
    variant = changed_model(change, model)
    number = optimiser_bytes(name, part, variant)
    trained_number = numbers.whole(variant.trainable)
    if part == "weights":
        parameters = f"({numbers.whole(variant.number)} + {trained_number})"
        working = f"{chosen_optimiser.weight_bytes} × {parameters} = {numbers.whole(number)} bytes"
    else:
        items = chosen_optimiser.items_for(variant)
        working = f"{chosen_optimiser.title}\n{numbers.bytes_working(items, workings_of_counts(variant))}"
    attributes = {
        "what": part,
        "change": change,
        "model": model,
        "class": variant.unchanged_question.resolved_class.name,
    }
    return numbers.in_full(number, working, kind="optimiser", optimiser=name, **attributes)


def optimiser_bytes(name: str, part: str, model: ChangedModel) -> int:
    """The number that `optimiser` shows, for a changed model."""
    chosen_optimiser = load_optimisers()[name]
    counts = {"weights": chosen_optimiser.weight_and_gradient_bytes_for, "states": chosen_optimiser.bytes_for}
    return entry_of(counts, "bytes of an optimiser", part)(model)


def worked_states() -> str:
    """The bytes of AdamW's states for BERT base, worked out line by line."""
    classifier = changed_model("")
    adamw = load_optimisers()["adamw"]
    moments, step_counters = adamw.items_for(classifier)
    results = [numbers.whole(item.bytes) for item in (moments, step_counters)]
    total_text = numbers.whole(adamw.bytes_for(classifier))
    sums = {
        "two moments": f"{numbers.whole(moments.number)} × {moments.bytes_per_item} = {results[0]}",
        "steps, one number per tensor": f"{step_counters.number} × {step_counters.bytes_per_item} = {results[1]}",
        "the total": f"{' + '.join(results)} = {total_text}",
    }
    attributes = f'data-model="{BASE}" data-class="{CHANGED_CLASS}" data-optimiser="adamw" data-result="{total_text}"'
    return numbers.titled_sum("states-worked", "The states of AdamW for BERT base, in bytes", sums, attributes)


def max_excess() -> str:
    """The largest excess of our peak over the one that PyTorch reports, as a percentage of ours."""
    return f"{MAX_EXCESS:.0%}"


def temporary_formulas() -> str:
    """The formulas of the memory for temporary results with the settings in `FINE_TUNING`; the larger one applies."""
    return " and ".join(formulas.inline(bound) for bound in step_of(texts=BATCH_SIZE).temporary_bounds)


def architecture_count() -> str:
    """The number of architectures whose training steps are counted."""
    return numbers.tally(len(PROGRAMS))


RUN_SETTINGS: dict[str, dict[str, Any]] = {
    "`float32`, eager": {"dtype": "float32", "attention": "eager", "padded": False},
    "`float32`, `sdpa`": {"dtype": "float32", "padded": False},
    "mixed precision, eager": {"attention": "eager", "padded": False},
    "mixed precision, `sdpa`, padded texts": {},
    "mixed precision, `sdpa`, texts of one length": {"padded": False},
    "the same without dropout": {"padded": False, "dropout": False},
    "`bfloat16` throughout, `sdpa`, texts of one length": {"padded": False, "dtype": "pure-bf16"},
}
"""The settings that the page compares, by title; omitted settings are as in `FINE_TUNING`."""

TOPIC: dict[str, object] = {
    "texts": BATCH_SIZE,
    "tokens": INITIAL_LENGTH,
    "longest": LENGTHS[-1],
    "card": INITIAL_GPU_MEMORY,
    "reserve": RESERVE,
    "mask_step": MASK_STEP,
    "rounding": ROUNDING,
    "eight_bit": load_optimisers()["adamw-8bit"],
    "command": EXAMPLE_STEP,
    "by_hand": SIMPLEST_SETTINGS,
    "ways": tuple(RUN_SETTINGS.items()),
    "trained": tuple(
        (part.title, " ".join(part.changes_of(ask(model=BASE).sizes["L"]))) for part in TRAINED_PARTS.values()
    ),
    # An optimiser with working memory has the same states as a listed one without it.
    "optimisers": tuple(
        (name, escape(candidate.title)) for name, candidate in load_optimisers().items() if not candidate.working_bytes
    ),
    "example": example,
    "amount": amount,
    "activations": activation_rows,
    "activation_bytes": activation_bytes,
    "worked": worked_activations,
    "largest_batch": largest_batch,
    "worked_largest_batch": worked_largest_batch,
    "form": form,
    "max_excess": max_excess,
    "temporary_formula": temporary_formulas,
    "doubled_texts": 2 * BATCH_SIZE,
    "architectures": architecture_count,
    "estimate": estimate_rows,
    "published_estimate": published_estimate,
    "estimated_layer": estimated_layer,
    "layer_formula": layer_formula,
    "optimiser": optimiser,
    "worked_states": worked_states,
}
"""Macros and values for the page about memory in training."""
