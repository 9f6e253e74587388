"""What a framework prints, line for line, folded by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from itertools import groupby
from typing import NamedTuple

from macros.counting import CountingError, Tensor, model_named, tensors
from macros.counting.errors import shown, suggestion
from macros.counting.keras_layers import Printed, bert4keras, keras_bert
from macros.counting.listing import google_variables

from .numbers import whole

KERAS_WIDTHS = (62, 35, 10)
"""Columns of a summary: layer with type, output shape, count; what it reads from comes last."""


SEQUENCES = {"keras-bert-notebook": 500}
"""`seq_len` where a text's own call differs from its positions. Source: the notebook's get_model call."""


class Line(NamedTuple):
    """One line of a print-out, the group it folds into, and what it counts."""

    group: str
    text: str
    parameters: int


def listing(name: str, framework: str, model: str, **choices: object) -> str:
    """A whole print-out as HTML, one fold a group, the first ones open.

    Args:
        name: the id of the listing.
        framework: which one; see `LISTINGS`.
        model: a published model.
        choices: what the framework's own listing takes besides.

    Raises:
        CountingError: no such framework, model or choice.
    """
    if framework not in LISTINGS:
        raise CountingError(f"no listing {shown(framework)}; {suggestion(framework, LISTINGS)}")
    lines = LISTINGS[framework](model, **choices)
    folds = []
    for number, (group, members) in enumerate(groupby(lines, key=lambda line: line.group)):
        chosen = list(members)
        # Open are what comes before the layers and the first layer; the others are like it.
        opened = " open" if number < 2 else ""
        title = f"{group}: {len(chosen)} rows, {whole(sum(line.parameters for line in chosen))} parameters"
        text = escape("\n".join(line.text for line in chosen))
        folds.append(
            f'<details{opened}><summary>{escape(title)}</summary><pre tabindex="0"><code>{text}</code></pre></details>'
        )
    total = f"{len(lines)} rows, {whole(sum(line.parameters for line in lines))} parameters"
    return f'<div class="bc-listing" id="{name}">{"".join(folds)}<p class="bc-listing-total">{total}</p></div>'


def transformers(model: str, model_class: str = "BertModel") -> list[Line]:
    """`named_parameters()`, name and shape in columns; a tied tensor stands once, at its owner."""
    listed = [each for each in tensors(model_named(model), model_class) if each.tied_to is None]
    return [Line(_group_of(each), f"{each.transformers:<55} {each.shape!s:>12}", each.size) for each in listed]


def google(model: str) -> list[Line]:
    """The trainable variables of pre-training, as run_pretraining.py logs them."""
    return [
        Line(_group_of(each), f"name = {each.google_bert}:0, shape = {each.google_shape}", each.size)
        for each in google_variables(model_named(model))
    ]


def _group_of(tensor: Tensor) -> str:
    """The fold of a tensor: its layer, or what stands before and behind the layers."""
    first, second, *rest = tensor.path.split("/")
    if second == "encoder":
        return rest[0].replace("_", " ")
    return "heads" if first != "bert" else second


def keras_bert_summary(model: str) -> list[Line]:
    """keras-bert's `model.summary()`, in wide columns and with nothing cut off."""
    chosen = model_named(model)
    return _keras_lines(keras_bert(chosen, SEQUENCES.get(model, chosen.sizes["P"])))


def bert4keras_layers(model: str) -> list[Line]:
    """bert4keras's layers, numbered from the first as a reader counts them."""
    printed = bert4keras(model_named(model))
    return [
        Line(
            _keras_group(row), f"{number:>4}  {row.name:<46} {row.kind:<20} {whole(row.parameters):>12}", row.parameters
        )
        for number, row in enumerate(printed, 1)
    ]


def _keras_lines(printed: Iterable[Printed]) -> list[Line]:
    lines = []
    for row in printed:
        cells = (f"{row.name} ({row.kind})", row.output, whole(row.parameters).replace(",", ""))
        start = "".join(f"{cell:<{width}}" for cell, width in zip(cells, KERAS_WIDTHS, strict=True))
        first, *more = row.inputs or ("",)
        text = "\n".join([f"{start}{first}".rstrip(), *(" " * sum(KERAS_WIDTHS) + each for each in more)])
        lines.append(Line(_keras_group(row), text, row.parameters))
    return lines


def _keras_group(row: Printed) -> str:
    if row.layer is None:
        return "before the layers" if row.name.startswith(("Input-Token", "Input-Seg", "Embedding")) else "heads"
    return "-".join(row.name.split("-")[:2])


LISTINGS: dict[str, Callable[..., list[Line]]] = {
    "transformers": transformers,
    "google-bert": google,
    "keras-bert": keras_bert_summary,
    "bert4keras": bert4keras_layers,
}
"""Every print-out by framework."""
