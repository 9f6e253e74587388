"""What a training step keeps in memory: tables of activations, and of the largest batch that fits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from html import escape
from typing import Any

from macros.counting import CountingError, Polynomial
from macros.counting.activations import FUSED, Activation, Step
from macros.counting.architecture import LAYER
from macros.counting.memory import UNITS

from ..elements import formulas, numbers, words
from ..elements.asking import SHORT
from ..elements.permalinks import permalink
from ..elements.steps import COPIES, LENGTHS, TEXTS, TOKENS, for_parameters, step_of
from ..elements.tables import PROSE, Column, numeric, table

MEMORIES = (8, 12, 16, 24, 40, 80)
"""The memory of common graphics cards, in GiB."""


def answer(name: str) -> str:
    """The first sentence: a batch, what it keeps in all, and which of it are activations."""
    step = step_of(texts=TEXTS)
    batch = [numbers.example(each, what) for what, each in (("texts", TEXTS), ("tokens", TOKENS))]
    parameters = numbers.bytes_text(step.asked, "float32", "GB", COPIES)
    return (
        f'<p id="{name}">A training step of BERT base on {batch[0]} texts of {batch[1]} tokens keeps '
        f"{numbers.step_text(step, 'GB', COPIES)}&nbsp;GB: {parameters}&nbsp;GB for weights, gradients and Adam, and "
        f"{numbers.step_text(step, 'GB')}&nbsp;GB of activations.</p>"
    )


def kept(inside: bool, name: str) -> str:
    """Every tensor that one layer keeps of one text, or that is kept outside of the layers, adding up."""
    step = step_of()
    columns = [Column("where"), Column("what is kept", PROSE), Column("shape"), *numeric("bytes")]
    rows = [
        [f"<code>{_where(each)}</code>", escape(each.what), formulas.shape(each.shape), _bytes(each, step)]
        for each in step.kept
        if each.in_layer == inside
    ]
    whole = _in_layer(step.layer if inside else _outside(step), step, f"{'layer' if inside else 'outside'}-bytes")
    where = ("a layer of base keeps", ", in float32") if inside else ("base keeps outside its layers", "")
    caption = f"What {where[0]} of one text of {TOKENS} tokens{where[1]}, with dropout"
    return table(name, caption, columns, rows, [words.TOTAL.line, "", "", whole])


def _outside(step: Step) -> Polynomial:
    return Polynomial.total(each.letters for each in step.kept if not each.in_layer).simplified()


def _where(each: Activation) -> str:
    return each.path.removeprefix(LAYER if each.in_layer else "bert").lstrip("/") or "layer"


def _bytes(each: Activation, step: Step) -> str:
    return _in_layer(each.once, step, "activation", of=each.name)


def by_length(name: str) -> str:
    """The activations of one text by its length."""
    columns = [Column("length of the text"), *numeric(*(f"{short}, MB" for short in SHORT.values()))]
    rows = [
        [
            f"{numbers.example(tokens, 'tokens')} tokens",
            *(numbers.step_text(step_of(model, tokens=tokens), "MB") for model in SHORT),
        ]
        for tokens in LENGTHS
    ]
    return table(name, "Activations of one text, by its length", columns, rows)


WAYS: dict[str, dict[str, Any]] = {
    "with dropout": {},
    "without dropout": {"dropout": False},
    "without dropout, with the fused kernel": {"dropout": False, "attention": FUSED},
    "with dropout and gradient checkpointing": {"checkpointing": True},
}
"""Ways of running a training step, by what they are called."""


def by_way(name: str) -> str:
    """The activations of one long text, by how the step is run."""
    columns = [Column("how it is run"), *numeric(*(f"{short}, MB" for short in SHORT.values()))]
    rows = [
        [escape(text), *(numbers.step_text(step_of(model, tokens=LENGTHS[-1], **ways), "MB") for model in SHORT)]
        for text, ways in WAYS.items()
    ]
    return table(name, f"Activations of one text of {LENGTHS[-1]} tokens, by how the step is run", columns, rows)


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


def _typed() -> str:
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


TYPED = 16
"""The memory that stands in the field, in GiB."""


def batches(name: str) -> str:
    """The largest batch by the memory there is; a script lets readers type another."""
    columns = [Column("memory"), *numeric(*(_of_place(*place) for place in PLACES))]
    rows = []
    for memory in MEMORIES:
        cells = []
        for model, tokens in PLACES:
            cells.append(_largest(memory, model, tokens))
        rows.append([f"{numbers.example(memory, 'GiB of memory')} GiB", *cells])
    caption = "The most texts in a batch, if weights, gradients, Adam's moments and activations had all the memory"
    return table(name, caption, columns, rows) + _typed()


def _largest(memory: int, model: str, tokens: int) -> str:
    """The largest batch for a memory in GiB: what any batch takes is taken off, and what is left divided."""
    room = memory * UNITS["GiB"]
    fixed, each = _fixed_and_each(model, tokens)
    most = largest(room, model, tokens)
    quotient = f"({numbers.whole(room)} − {numbers.whole(fixed)}) ÷ {numbers.whole(each)}"
    lines = [
        f"{memory} × 2³⁰ = {numbers.whole(room)} bytes",
        "less what any batch takes, by what one more text takes",
        f"{quotient} ≈ {(room - fixed) / each:,.2f}".replace("-", numbers.MINUS),
        f"{'rounded down' if most else 'not one text fits'}: {numbers.whole(most)}",
    ]
    question = {"memory": memory, "model": model, "class": step_of(model).asked.chosen.name, "tokens": tokens}
    return numbers.in_full(most, "\n".join(lines), kind="batch", **question)


def _all(step: Step) -> int:
    return step.highest + for_parameters(step)


def worked(name: str) -> str:
    """The activations of the first batch, line by line."""
    step = step_of(texts=TEXTS)
    sizes, one = step.sizes, step.layer.value(step.sizes)
    layers = sizes["L"] * one
    outside = _outside(step)
    shown = [numbers.whole(each) for each in (one, layers, step.number - layers, step.number)]
    lines = {
        "one layer, in letters": step.layer.formula(),
        "one layer": f"{step.layer.working(sizes)} = {shown[0]}",
        "all layers": f"{sizes['L']} × {shown[0]} = {shown[1]}",
        "outside the layers, in letters": outside.formula(),
        "outside the layers": f"{outside.working(sizes)} = {shown[2]}",
        "the total": f"{shown[1]} + {shown[2]} = {shown[3]}",
    }
    asked = f'data-model="{step.asked.model.name}" data-texts="{TEXTS}" data-tokens="{TOKENS}"'
    head = f"<p>In bytes, for {TEXTS} texts of {TOKENS} tokens:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{numbers.steps(lines, asked)}</div>'


ESTIMATE = {
    "the estimate, with numbers in float32 and masks in bytes": "34 B T H, 8 B T F, 9 B A T T",
    "masks of features in float32, too": "6 B T H",
    "masks of shares in float32, too": "3 B A T T",
    "mean and deviation for each LayerNorm": "16 B T",
}
"""From the estimate of Korthikanti and others for a layer to what is kept; theirs is for two bytes, and for F = 4·H."""


def estimate(name: str) -> str:
    """From the published estimate for a layer to ours, closing to zero.

    Raises:
        CountingError: it does not close.
    """
    step = step_of()
    found = {what: _polynomial(shapes) for what, shapes in ESTIMATE.items()}
    if Polynomial.total(found.values()).value(step.sizes) != step.layer.value(step.sizes):
        raise CountingError("the published estimate of activations is not explained; correct the steps")
    rows = [
        [escape(what), formulas.inline(letters), _in_layer(letters, step, "of-estimate", what=place)]
        for place, (what, letters) in enumerate(found.items())
    ]
    foot = [words.TOTAL.line, formulas.inline(step.layer), _in_layer(step.layer, step, "layer-bytes")]
    columns = [Column("step", PROSE), Column("formula"), *numeric("bytes")]
    return table(name, f"From the estimate to what a layer of base keeps of {TOKENS} tokens", columns, rows, foot)


def _polynomial(shapes: str) -> Polynomial:
    return Polynomial.total(map(Polynomial.of_shape, shapes.split(", ")))


def _in_layer(letters: Polynomial, step: Step, kind: str, **of: object) -> str:
    """Bytes of one layer and one text."""
    how = numbers.worked_out(letters, step.sizes)
    return numbers.in_full(letters.value(step.sizes), how, kind=kind, tokens=step.tokens, **of)


def tables() -> dict[str, Callable[[str], str]]:
    """The tables by the names that pages give them."""
    return {
        "training-answer": answer,
        "kept-in-a-layer": partial(kept, True),
        "kept-outside": partial(kept, False),
        "kept-by-length": by_length,
        "kept-by-way": by_way,
        "largest-batches": batches,
        "training-worked": worked,
        "training-estimate": estimate,
    }
