"""Numbers of changed models on a page: what is trained, what there is, what it takes, and sums of them."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from macros.counting import Changed, CountingError, Polynomial
from macros.counting.changes.methods import Change, rules
from macros.counting.changes.mistakes import NUMBERS, Mistake
from macros.counting.changes.rows import ADDED, ChangedRow
from macros.counting.errors import shown, suggestion
from macros.counting.polynomials import substituted
from macros.counting.sum_lines import in_numbers

from . import formulas, numbers, sum_html, words
from .asking import BASE, ask
from .steps import change_of

CLASS = "BertForSequenceClassification"
"""The class in which pages show changes; it has two labels."""


def changed_model(changes: str, model: str = BASE) -> Changed:
    """A model that labels texts, with changes that are separated by spaces."""
    return Changed.of(ask(model=model, model_class=CLASS), changes.split())


def first(method: str) -> str:
    """The change by a method that pages show first."""
    found = (each for each in rules()["compared"] if Change.of(each.split()[0]).method.name == method)
    return str(next(found))


def counted(changes: str, what: str = "trained", model: str = BASE) -> str:
    """One number of a changed model, with its formula and sum; a share with what it is of; a size by its letter.

    Raises:
        CountingError: there is no such change, or nothing of that name is counted.
    """
    if what == "share":
        return share(changes, model)
    changed = changed_model(changes, model)
    if what in (letters := rules()["letters"]) and what in changed.sizes:
        return numbers.example(changed.sizes[what], letters[what])
    if what not in NUMBERS:
        raise CountingError(f"of a changed model no {shown(what)} is counted; {suggestion(what, [*NUMBERS, 'share'])}")
    number = NUMBERS[what](changed)
    if what in ("trained", "all"):
        letters = changed.trained if what == "trained" else changed.total
        how = f"{letters.formula()}\n{changed.sum_lines(trained=what == 'trained')[-1]}"
    else:
        how = _stored(changed, what)
    return numbers.in_full(number, how, kind="changed", change=changes, what=what, **_model(model))


def _model(model: str) -> dict[str, str]:
    """The model and the class of which a change is shown."""
    return {"model": model, "class": CLASS}


def _stored(changed: Changed, what: str) -> str:
    """How the elements come about that store a model, or its bytes: what `NUMBERS` counts besides parameters."""
    if what == "elements":
        return _elements(changed)
    weights, scales = (numbers.bytes_kept(kept) for kept in (changed.weights_kept(), changed.scales_kept))
    if what == "bytes of scales":
        return scales
    beside, lines = {
        "bytes of weights": (0, []),
        "bytes": (changed.scales_bytes, [scales]),
        "footprint": (changed.buffers_bytes, [f"buffers: {numbers.whole(changed.buffers_bytes)} bytes"]),
    }[what]
    if not beside:
        return weights
    both = in_numbers(changed.weights_bytes(), beside)
    return "\n".join([weights, *lines, f"{both} bytes"])


def _elements(changed: Changed) -> str:
    """The weights, divided by how many of them an element holds."""
    pieces = []
    for per, (weights, elements) in changed.packed.items():
        # In a tensor whose weights do not fill its elements, the last one holds fewer.
        is_full = per > 1 and weights == per * elements
        pieces.append(f"{numbers.whole(weights)} ÷ {per}" if is_full else numbers.whole(elements))
    if len(pieces) == 1:
        return f"an element for each weight\n{changed.sum_lines()[-1]}"
    return f"some elements hold several weights\n{' + '.join(pieces)} = {numbers.whole(changed.elements)}"


def share(changes: str, model: str = BASE) -> str:
    """What is trained, as a share of all that there is then."""
    changed = changed_model(changes, model)
    text = f"{100 * changed.share:.3g}%"
    how = f"{numbers.whole(changed.trainable)} ÷ {numbers.whole(changed.number)} ≈ {text}"
    return numbers.data(text.removesuffix("%"), text, how, kind="changed-share", change=changes, **_model(model))


def of_row(row: ChangedRow, changes: str) -> str:
    """What is trained of one row of base, in all layers."""
    letters, sizes = Polynomial(row.learnt), changed_model(changes).sizes
    how = numbers.worked_out(letters, sizes)
    return numbers.in_full(letters.value(sizes), how, kind="changed-row", change=changes, of=row.full_name)


def step(changes: str, model: str = BASE) -> str:
    """What the last of some changes adds to all that there is, with its sign."""
    changed = changed_model(changes, model)
    last = changed.bridge[-1]
    formula = sign_first(last.formula)
    last = replace(last, formula=formula, working=substituted(formula, changed.sizes))
    return change_of(last, kind="changed-step", change=changes, **_model(model))


def sign_first(formula: str) -> str:
    """A formula; a sum of nothing but what is taken away has its sign before all else.

    >>> sign_first("h·(−4·H·D − 3·D)")
    '−h·(4·H·D + 3·D)'
    """
    negative = re.fullmatch(r"(.+·)\(−([^()+]+)\)", formula)
    return f"−{negative[1]}({negative[2].replace(' − ', ' + ')})" if negative else formula


def _both(mistake: Mistake, model: str) -> tuple[int, int]:
    """The right number and the wrong one."""
    asked = ask(model=model, model_class=CLASS)
    return mistake.right(asked), mistake.wrong(asked)


def wrong(mistake: Mistake, model: str = BASE) -> str:
    """What somebody gets who makes a mistake."""
    right, number = _both(mistake, model)
    how = f"{mistake.title}\n{in_numbers(right, number - right)}"
    return numbers.in_full(number, how, kind="changed-wrong", mistake=mistake.name, **_model(model))


def off(mistake: Mistake, model: str = BASE) -> str:
    """How far that is from the right number, with its sign."""
    right, number = _both(mistake, model)
    how = str(in_numbers(number, -right))
    text = numbers.signed(number - right)
    return numbers.data(number - right, text, how, kind="changed-off", mistake=mistake.name, **_model(model))


def shape(row: ChangedRow) -> str:
    """The shape of a row as its library has it, and whether there is one in each layer."""
    times = f", {formulas.symbol('L')} times" if row.layers else ""
    return f"{formulas.shape(' '.join(row.listed_shape).replace('*', ' '))}{times}"


def sum_in_lines(changes: str, model: str = BASE) -> str:
    """The sum of what is trained, each line with what it counts."""
    changed = changed_model(changes, model)
    lines = changed.sum_lines(trained=True)
    labels = words.labels_of_changed(lines)
    items = (
        f'<li><span class="bc-what">{escape(label)}</span> {sum_html.line(each)}</li>'
        for label, each in zip(labels, lines, strict=True)
    )
    return f'<ol class="bc-steps"{_attributes(changed, changes)}>{"".join(items)}</ol>'


def sum_in_one_line(changes: str, model: str = BASE) -> str:
    """The last line of that sum alone, within a text."""
    changed = changed_model(changes, model)
    line = sum_html.line(changed.sum_lines(trained=True)[-1])
    return f'<span class="bc-steps"{_attributes(changed, changes)}>{line}</span>'


def _attributes(changed: Changed, changes: str) -> str:
    result = f"{numbers.whole(changed.trainable)} parameters"
    return f' data-model="{changed.asked.model.name}" data-change="{escape(changes)}" data-result="{result}"'


def added_rows(changed: Changed) -> list[ChangedRow]:
    """The rows that a change adds, copies aside."""
    return [row for row in changed.rows if row.added == ADDED]
