"""What a training step keeps in memory: macros of the page about it, for activations, batches and optimisers."""

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
        CountingError: there are none of what it counts.
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
    **ways: Any,
) -> str:
    """The activations of a training step in a unit of memory: `activations("MB", large, dropout=False)`.

    Args:
        unit: a unit of memory.
        model: the name of a published model.
        texts: how many there are in the batch.
        tokens: of each text.
        with_parameters: whether weights, gradients and Adam's moments are added.
        ways: how the step is run, as `TrainingStep` in `macros.counting.activations` names it: dropout, attention,
            checkpointing.
    """
    return numbers.step_text(step_of(model, texts, tokens, **ways), unit, COPIES if with_parameters else 0)


KEPT = {"layer": True, "outside": False}
"""Where tensors are kept, by name, and whether that is in a layer."""


def kept(where: str) -> str:
    """Rows with every tensor that one layer keeps of one text, or that is kept outside the layers.

    Args:
        where: `"layer"` or `"outside"`.

    Raises:
        CountingError: it is neither.
    """
    step, in_layer = step_of(), entry_of(KEPT, "place", where)
    return lines(
        [f"<code>{_where(each)}</code>", escape(each.what), formulas.shape(each.shape), _bytes(each, step)]
        for each in step.kept
        if each.in_layer == in_layer
    )


def kept_bytes(where: str) -> str:
    """The bytes of all those tensors; arguments and errors as for `kept`."""
    step = step_of()
    letters = step.layer if entry_of(KEPT, "place", where) else _outside(step)
    return _in_layer(letters, step, f"{where}-bytes")


def _outside(step: TrainingStep) -> Polynomial:
    return Polynomial.total(each.letters for each in step.kept if not each.in_layer).simplified()


def _where(each: Activation) -> str:
    return each.path.removeprefix(LAYER if each.in_layer else "bert").lstrip("/") or "layer"


def _bytes(each: Activation, step: TrainingStep) -> str:
    return _in_layer(each.once, step, "activation", of=each.name)


@cache
def _fixed_and_each(model: str, tokens: int) -> tuple[int, int]:
    """The bytes that any batch takes, and those of one text more."""
    one, two = (_all(step_of(model, texts, tokens)) for texts in (1, 2))
    return one - (two - one), two - one


def largest(limit: int, model: str, tokens: int) -> int:
    """The most texts of a length whose training step keeps no more than so many bytes; none may fit."""
    fixed, each = _fixed_and_each(model, tokens)
    return max(0, (limit - fixed) // each)


PLACES = tuple((model, tokens) for model in SHORT for tokens in (LENGTHS[0], LENGTHS[-1]))
"""The models and lengths for which the largest batch is given."""


def _of_place(model: str, tokens: int) -> str:
    return f"{SHORT[model]}, {tokens} tokens"


def largest_batch(memory: int, model: str = BASE, tokens: int = TOKENS) -> str:
    """The largest batch for a memory in GiB: what any batch takes is taken off, and what is left divided."""
    room = memory * UNITS["GiB"]
    fixed, each = _fixed_and_each(model, tokens)
    most = largest(room, model, tokens)
    quotient = f"({numbers.whole(room)} − {numbers.whole(fixed)}) ÷ {numbers.whole(each)}"
    explained = [
        f"{memory} × 2³⁰ = {numbers.whole(room)} bytes",
        "less what any batch takes, by what one more text takes",
        f"{quotient} ≈ {(room - fixed) / each:,.2f}".replace("-", numbers.MINUS),
        f"{'rounded down' if most else 'not one text fits'}: {numbers.whole(most)}",
    ]
    question = {"memory": memory, "model": model, "class": step_of(model).asked.chosen.name, "tokens": tokens}
    return numbers.in_full(most, "\n".join(explained), kind="batch", **question)


TYPED = 16
"""The memory that stands in the field, in GiB."""


def batch_form() -> str:
    """A field for another memory, which a script answers and shows."""
    outputs = []
    for model, tokens in PLACES:
        fixed, each = _fixed_and_each(model, tokens)
        most = numbers.whole(largest(TYPED * UNITS["GiB"], model, tokens))
        output = f'<output for="batch-memory" data-fixed="{fixed}" data-each="{each}">{most}</output>'
        outputs.append(f"<li>{_of_place(model, tokens)}: {output} texts</li>")
    return (
        '<form class="bc-question bc-follows" id="batch-form" hidden data-search-exclude><p class="bc-field">'
        '<label for="batch-memory">Your memory in GiB</label><input id="batch-memory" name="memory"'
        f' inputmode="decimal" autocomplete="off" value="{TYPED}"></p>'
        f'<ul class="bc-legend">{"".join(outputs)}</ul></form>'
    )


def _all(step: TrainingStep) -> int:
    return step.highest + for_parameters(step)


def worked() -> str:
    """The activations of the first batch, line by line."""
    name = "training-worked"
    step = step_of(texts=TEXTS)
    sizes, one = step.sizes, step.layer.value(step.sizes)
    layers = sizes["L"] * one
    outside = _outside(step)
    shown = [numbers.whole(each) for each in (one, layers, step.number - layers, step.number)]
    sums = {
        "one layer, in letters": step.layer.formula(),
        "one layer": f"{step.layer.working(sizes)} = {shown[0]}",
        "all layers": f"{sizes['L']} × {shown[0]} = {shown[1]}",
        "outside the layers, in letters": outside.formula(),
        "outside the layers": f"{outside.working(sizes)} = {shown[2]}",
        "the total": f"{shown[1]} + {shown[2]} = {shown[3]}",
    }
    asked = f'data-model="{step.asked.model.name}" data-texts="{TEXTS}" data-tokens="{TOKENS}"'
    head = f"<p>In bytes, for {TEXTS} texts of {TOKENS} tokens:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{numbers.steps(sums, asked)}</div>'


ESTIMATE = {
    "the estimate, with numbers in float32 and masks in bytes": "34 B T H, 8 B T F, 9 B A T T",
    "masks of features in float32, too": "6 B T H",
    "masks of shares in float32, too": "3 B A T T",
    "mean and deviation for each LayerNorm": "16 B T",
}
"""From the estimate of Korthikanti and others for a layer to what is kept; theirs is for two bytes, and for F = 4·H."""


def estimate() -> str:
    """The rows from the published estimate for a layer to what is kept.

    Raises:
        CountingError: they do not add up to it.
    """
    step = step_of()
    found = {what: _polynomial(shapes) for what, shapes in ESTIMATE.items()}
    if Polynomial.total(found.values()).value(step.sizes) != step.layer.value(step.sizes):
        raise CountingError("the published estimate of activations is not explained; correct the steps")
    return lines(
        [escape(what), formulas.inline(letters), _in_layer(letters, step, "of-estimate", what=place)]
        for place, (what, letters) in enumerate(found.items())
    )


def layer_formula() -> str:
    """The bytes that one layer keeps, in letters."""
    return formulas.inline(step_of().layer)


def _polynomial(shapes: str) -> Polynomial:
    return Polynomial.total(map(Polynomial.of_shape, shapes.split(", ")))


def _in_layer(letters: Polynomial, step: TrainingStep, kind: str, **of: object) -> str:
    """Bytes of one layer and one text."""
    how = numbers.worked_out(letters, step.sizes)
    return numbers.in_full(letters.value(step.sizes), how, kind=kind, tokens=step.tokens, **of)


def optimiser(name: str, what: str, change: str = "", model: str = BASE) -> str:
    """Bytes that are kept with an optimiser: `optimiser("adamw", "states", change="lora:8:query,value")`.

    Args:
        name: a block of `optimisers.toml`.
        what: `"states"`, or `"weights"` for the weights and their gradients.
        change: how the model is changed before it is trained.
        model: the name of a published model.

    Raises:
        CountingError: no optimiser of that name, or something else is asked of it.
    """
    kind, changed = entry_of(load_optimisers(), "optimiser", name), changed_model(change, model)
    number = optimiser_bytes(name, what, changed)
    trained = numbers.whole(changed.trainable)
    if what == "weights":
        how = f"{kind.width} × ({numbers.whole(changed.number)} + {trained}) = {numbers.whole(number)} bytes"
    else:
        how = f"{kind.title}: {numbers.bytes_kept(kind.kept_for(changed))}"
    question = {"what": what, "change": change, "model": model, "class": changed.asked.chosen.name}
    return numbers.in_full(number, how, kind="optimiser", optimiser=name, **question)


def optimiser_bytes(name: str, what: str, changed: Changed) -> int:
    """The bytes of weights and gradients, or of an optimiser's states."""
    kind = load_optimisers()[name]
    counted = {"weights": kind.weights_for, "states": kind.bytes_for}
    return entry_of(counted, "bytes of an optimiser", what)(changed)


TOPIC: dict[str, object] = {
    "texts": TEXTS,
    "tokens": TOKENS,
    "lengths": LENGTHS,
    "longest": LENGTHS[-1],
    "optimisers": tuple((name, escape(each.title)) for name, each in load_optimisers().items()),
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
"""What the page about training calls, and what it goes through."""
