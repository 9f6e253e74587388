"""Macros of the page about memory in training: activations, the largest batch, and optimisers.

Unless a macro takes other sizes, its number is for BERT base in float32 with
Adam, and texts of `TOKENS` tokens.
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from macros.counting import Changed, CountingError, Polynomial
from macros.counting.activations import Activation, TrainingStep
from macros.counting.architecture import LAYER
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.errors import entry_of
from macros.counting.memory import UNITS

from ..components import formulas, numbers
from ..components.asking import BASE, SHORT
from ..components.changes import changed_model
from ..components.permalinks import permalink
from ..components.rows import lines
from ..components.training_steps import COPIES, LENGTHS, TEXTS, TOKENS, for_parameters, step_of


def example(number: int, meaning: str) -> str:
    """A number that the page takes as an example: `example(8, "texts")`.

    Raises:
        CountingError: the number is less than 1.
    """
    if number < 1:
        raise CountingError(f"an example of {meaning} is {number}; choose 1 or more")
    return numbers.example(number, meaning)


def activations(
    unit: str,
    model: str = BASE,
    texts: int = 1,
    tokens: int = TOKENS,
    *,
    with_parameters: bool = False,
    **options: Any,
) -> str:
    """The activations of a training step in a unit of memory: `activations("MB", large, dropout=False)`.

    Args:
        unit: a unit of memory.
        model: the name of a published model.
        texts: the number of texts in the batch.
        tokens: the length of each text.
        with_parameters: add the bytes of weights, gradients and Adam's moments.
        options: how the step is run: `dropout`, `attention` and `checkpointing`, as in `TrainingStep` of
            `macros.counting.activations`.
    """
    return numbers.step_text(step_of(model, texts, tokens, **options), unit, COPIES if with_parameters else 0)


IN_LAYER = {"layer": True, "outside": False}
"""Whether a tensor lies in a layer, by the name that the page gives the place."""


def kept(where: str) -> str:
    """Rows for every tensor kept for one text, by one layer or outside the layers: module, contents, shape, bytes.

    Args:
        where: `"layer"` or `"outside"`.

    Raises:
        CountingError: `where` is neither.
    """
    step, in_layer = step_of(), entry_of(IN_LAYER, "place", where)
    return lines(
        [
            f"<code>{_module(activation)}</code>",
            escape(activation.what),
            formulas.shape(activation.shape),
            _bytes_once(activation.polynomial_of_one, step, "activation", of=activation.name),
        ]
        for activation in step.activations
        if activation.is_per_layer == in_layer
    )


def kept_bytes(where: str) -> str:
    """The bytes of all the tensors that `kept` lists; arguments and errors are the same."""
    step = step_of()
    polynomial = step.layer if entry_of(IN_LAYER, "place", where) else _outside(step)
    return _bytes_once(polynomial, step, f"{where}-bytes")


def _outside(step: TrainingStep) -> Polynomial:
    """The bytes of all activations outside the layers."""
    return Polynomial.total(
        activation.polynomial for activation in step.activations if not activation.is_per_layer
    ).simplified()


def _module(activation: Activation) -> str:
    """The path of an activation's module below the layer, or below the model if it lies outside the layers."""
    return activation.path.removeprefix(LAYER if activation.is_per_layer else "bert").lstrip("/") or "layer"


@cache
def _fixed_and_each(model: str, tokens: int) -> tuple[int, int]:
    """The bytes of a training step that do not depend on the batch, and the bytes that each text adds."""
    # The bytes are linear in the number of texts, so two batches determine both.
    one, two = (_all(step_of(model, texts, tokens)) for texts in (1, 2))
    return one - (two - one), two - one


def largest(limit: int, model: str, tokens: int) -> int:
    """The largest number of texts whose training step takes no more than `limit` bytes; 0 if not even one fits."""
    fixed, per_text = _fixed_and_each(model, tokens)
    return max(0, (limit - fixed) // per_text)


CASES = tuple((model, tokens) for model in SHORT for tokens in (LENGTHS[0], LENGTHS[-1]))
"""The models and lengths for which the form gives the largest batch."""


def _label_of_case(model: str, tokens: int) -> str:
    """A model and a length in words."""
    return f"BERT {SHORT[model]}, {tokens} tokens"


def largest_batch(memory: int, model: str = BASE, tokens: int = TOKENS) -> str:
    """The largest batch that fits into a memory given in GiB.

    It is the memory minus the bytes that any batch takes, divided by the bytes that each text adds, rounded down.
    """
    room = memory * UNITS["GiB"]
    fixed, per_text = _fixed_and_each(model, tokens)
    most = largest(room, model, tokens)
    quotient = f"({numbers.whole(room)} − {numbers.whole(fixed)}) ÷ {numbers.whole(per_text)}"
    working = [
        f"{memory} × 2³⁰ = {numbers.whole(room)} bytes",
        "minus the bytes of any batch, divided by the bytes of one more text",
        f"{quotient} ≈ {(room - fixed) / per_text:,.2f}".replace("-", numbers.MINUS),
        f"{'rounded down' if most else 'not one text fits'}: {numbers.whole(most)}",
    ]
    attributes = {
        "memory": memory,
        "model": model,
        "class": step_of(model).question.resolved_class.name,
        "tokens": tokens,
    }
    return numbers.in_full(most, "\n".join(working), kind="batch", **attributes)


FIRST_MEMORY = 16
"""The memory that the field holds at first, in GiB."""


def batch_form() -> str:
    """A field for the reader's memory, with the largest batches; a script shows it and keeps it up to date."""
    outputs = []
    for model, tokens in CASES:
        fixed, per_text = _fixed_and_each(model, tokens)
        most = numbers.whole(largest(FIRST_MEMORY * UNITS["GiB"], model, tokens))
        output = f'<output for="batch-memory" data-fixed="{fixed}" data-each="{per_text}">{most}</output>'
        outputs.append(f"<li>{_label_of_case(model, tokens)}: {output} texts</li>")
    return (
        '<form class="bc-question bc-follows" id="batch-form" hidden data-search-exclude><p class="bc-field">'
        '<label for="batch-memory">Your memory in GiB</label><input id="batch-memory" name="memory"'
        f' inputmode="decimal" autocomplete="off" value="{FIRST_MEMORY}"></p>'
        f'<ul class="bc-legend">{"".join(outputs)}</ul></form>'
    )


def _all(step: TrainingStep) -> int:
    """The bytes of a training step at its peak: activations, weights, gradients and Adam's moments."""
    return step.peak + for_parameters(step)


def worked() -> str:
    """The activations of the page's first batch, worked out line by line."""
    name = "training-worked"
    step = step_of(texts=TEXTS)
    sizes, one = step.sizes, step.layer.value(step.sizes)
    layers = sizes["L"] * one
    outside = _outside(step)
    texts = [numbers.whole(number) for number in (one, layers, step.number - layers, step.number)]
    sums = {
        "one layer, as a formula": step.layer.formula(),
        "one layer": f"{step.layer.working(sizes)} = {texts[0]}",
        "all layers": f"{sizes['L']} × {texts[0]} = {texts[1]}",
        "outside the layers, as a formula": outside.formula(),
        "outside the layers": f"{outside.working(sizes)} = {texts[2]}",
        "the total": f"{texts[1]} + {texts[2]} = {texts[3]}",
    }
    attributes = f'data-model="{step.question.model.name}" data-texts="{TEXTS}" data-tokens="{TOKENS}"'
    head = f"<p>In bytes, for {TEXTS} texts of {TOKENS} tokens:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{numbers.steps(sums, attributes)}</div>'


ESTIMATE = {
    "the estimate, with numbers in float32 and masks in bytes": "34 B T H, 8 B T F, 9 B A T T",
    "masks of features in float32 as well": "6 B T H",
    "masks of shares in float32 as well": "3 B A T T",
    "mean and standard deviation of each LayerNorm": "16 B T",
}
"""The steps from the published estimate of Korthikanti et al. to the bytes that a layer keeps, as symbolic shapes.

The estimate itself is for numbers of two bytes and for F = 4·H, so the first step restates it.
"""


def estimate() -> str:
    """Rows for the steps from the published estimate to what a layer keeps: words, formula and bytes.

    Raises:
        CountingError: the steps do not add up to what is kept.
    """
    step = step_of()
    terms = {words: _polynomial(shapes) for words, shapes in ESTIMATE.items()}
    if Polynomial.total(terms.values()).value(step.sizes) != step.layer.value(step.sizes):
        raise CountingError("the steps do not lead from the published estimate to what a layer keeps; correct ESTIMATE")
    return lines(
        [escape(words), formulas.inline(polynomial), _bytes_once(polynomial, step, "of-estimate", what=index)]
        for index, (words, polynomial) in enumerate(terms.items())
    )


def layer_formula() -> str:
    """The formula of the bytes that one layer keeps."""
    return formulas.inline(step_of().layer)


def _polynomial(shapes: str) -> Polynomial:
    """The sum of several shapes, such as `34 B T H, 8 B T F`."""
    return Polynomial.total(map(Polynomial.of_shape, shapes.split(", ")))


def _bytes_once(polynomial: Polynomial, step: TrainingStep, kind: str, **attributes: object) -> str:
    """A number of bytes with its working; what lies in the layers is counted for one layer."""
    working = numbers.worked_out(polynomial, step.sizes)
    return numbers.in_full(polynomial.value(step.sizes), working, kind=kind, tokens=step.tokens, **attributes)


def optimiser(name: str, what: str, change: str = "", model: str = BASE) -> str:
    """Bytes that training with an optimiser takes: `optimiser("adamw", "states", change="lora:8:query,value")`.

    Args:
        name: a block of `optimisers.toml`.
        what: `"states"` for the optimiser's own, or `"weights"` for the weights and their gradients.
        change: the changes made to the model before training, separated by spaces; empty for none.
        model: the name of a published model.

    Raises:
        CountingError: there is no optimiser of that name, or `what` is neither.
    """
    kind, changed = entry_of(load_optimisers(), "optimiser", name), changed_model(change, model)
    number = optimiser_bytes(name, what, changed)
    trained = numbers.whole(changed.trainable)
    if what == "weights":
        working = f"{kind.width} × ({numbers.whole(changed.number)} + {trained}) = {numbers.whole(number)} bytes"
    else:
        working = f"{kind.title}: {numbers.bytes_kept(kind.items_for(changed))}"
    attributes = {"what": what, "change": change, "model": model, "class": changed.plain.resolved_class.name}
    return numbers.in_full(number, working, kind="optimiser", optimiser=name, **attributes)


def optimiser_bytes(name: str, what: str, changed: Changed) -> int:
    """The bytes that `optimiser` shows, as a number; `changed` is the model with its changes."""
    kind = load_optimisers()[name]
    count = {"weights": kind.weights_for, "states": kind.bytes_for}
    return entry_of(count, "bytes of an optimiser", what)(changed)


TOPIC: dict[str, object] = {
    "texts": TEXTS,
    "tokens": TOKENS,
    "lengths": LENGTHS,
    "longest": LENGTHS[-1],
    "optimisers": tuple((name, escape(kind.title)) for name, kind in load_optimisers().items()),
    "example": example,
    "activations": activations,
    "kept": kept,
    "kept_bytes": kept_bytes,
    "worked": worked,
    "largest_batch": largest_batch,
    "batch_form": batch_form,
    "estimate": estimate,
    "layer_formula": layer_formula,
    "optimiser": optimiser,
}
"""The macros of the page about memory in training, and the batches, lengths and optimisers that it lists."""
