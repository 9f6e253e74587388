"""Print-outs of models by frameworks, folded by layer, with links to the same print-outs as files.

The lines are generated from our own counts in the format of each framework, and tests compare them with
recordings of the real output. A ledger is treated like a print-out, although no framework prints it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from macros.counting import CountingError, Question, Tensor, model_named, tensors
from macros.counting.errors import entry_of
from macros.counting.frameworks.keras_hub import PRESETS
from macros.counting.frameworks.keras_layers import PRETRAINING, SummaryRow, bert4keras, keras_bert
from macros.counting.frameworks.listing import google_variables, ledger_rows

from .components import pages
from .components.numbers import whole
from .tables import libraries

KERAS_WIDTHS = (62, 35, 10)
"""The widths in characters of the first columns of a Keras summary: layer with type, output shape, and count.

The last column, which lists the inputs of a layer, has no fixed width.
"""


SEQUENCE_LENGTHS = {"keras-bert-notebook": 500}
"""The sequence length (`seq_len`) of each model whose sequence length is not its number of positions.

Source: the notebook's call to `get_model`.
"""


class ListingLine(NamedTuple):
    """One line of a print-out.

    Attributes:
        group: the name of the fold that it belongs to.
        text: the printed text, which may have several lines.
        parameters: the number of parameters that it counts.
        fields: its content by field name, as in the files.
    """

    group: str
    text: str
    parameters: int
    fields: dict[str, Any]


def listing(name: str, framework: str, model: str, *, folded: bool = False, brief: bool = False, **choices: str) -> str:
    """A whole print-out as HTML, with links to its files.

    Each group of lines has a fold, except that all layers that repeat the first layer share a fold.

    Args:
        name: the id of the listing.
        framework: a key of `LISTINGS`.
        model: the name of a published model.
        folded: closes all folds, instead of only the one with the repeated layers.
        brief: names the repeated layers without showing their lines, which are still in the files.
        choices: `model_class` for a ledger; print-outs have no choices.

    Raises:
        CountingError: there is no such framework, model or class, or a class is given for a print-out.
    """
    lines = lines_of(framework, model, **choices)
    # The headings are in a separate element, so that a reader who copies the lines does not copy the headings.
    headings = ""
    if framework in HEADINGS:
        headings = f'<span class="bc-heads">{_line_html(HEADINGS[framework], framework)}</span>'
    folds = []
    for title, members, is_repeated in _folds(lines):
        if is_repeated and brief:
            folds.append(f"<p>{escape(title)}</p>")
            continue
        state = "" if is_repeated or folded else " open"
        text = "\n".join(_line_html(line.text, framework) for line in members)
        block = f'<pre tabindex="0">{headings}<samp>{text}</samp></pre>'
        folds.append(f"<details{state}><summary>{escape(title)}</summary>{block}</details>")
    file_links = pages.download_links(file_of(framework, model, **choices))
    foot = f'<div class="bc-listing-foot"><span>{_size_of(lines)}</span> {file_links}</div>'
    stacked_class = " bc-stacked" if framework in NAME_WIDTHS else ""
    style = f"bc-listing{stacked_class}{' bc-brief' if brief else ''}"
    # Print-outs are excluded from the search because nobody searches for their lines, which would make the index much
    # larger.
    return f'<div class="{style}" id="{name}" data-search-exclude="true">{"".join(folds)}{foot}</div>'


class Fold(NamedTuple):
    """The lines in one fold.

    Attributes:
        title: the summary of the fold.
        lines: the lines in the fold.
        is_repeated: whether they are the lines of the layers that repeat the first one.
    """

    title: str
    lines: list[ListingLine]
    is_repeated: bool = False


def _folds(lines: list[ListingLine]) -> Iterator[Fold]:
    """Yield the folds in order: before the layers, the first layer, all other layers in one fold, after the layers."""
    groups = [(group, list(members)) for group, members in groupby(lines, key=lambda line: line.group)]
    layers = [(group, members) for group, members in groups if group[-1].isdigit()]
    first_layer, *further_layers = layers or [("", [])]
    for group, members in groups:
        if (group, members) not in further_layers:
            yield Fold(f"{group}: {_size_of(members)}", members)
        if further_layers and group == first_layer[0]:
            names = [group_name for group_name, _ in further_layers]
            title = f"{_title_of_repeated(group, names)}: {_size_of(further_layers[0][1])}"
            repeated_lines = [line for _, layer_lines in further_layers for line in layer_lines]
            yield Fold(f"{title} each" if len(further_layers) > 1 else title, repeated_lines, is_repeated=True)


def _title_of_repeated(first_group: str, other_groups: list[str]) -> str:
    """A title for the layers that repeat the first one: "layers 1 to 11 are the same as layer 0"."""
    if len(other_groups) == 1:
        return f"{other_groups[0]} is the same as {first_group}"
    start = other_groups[0]
    end = other_groups[-1]
    # The layers of keras-bert have names instead of numbers, which are left unchanged: "Encoder-2 to Encoder-12".
    span = f"{start.replace('layer', 'layers')} to {end.removeprefix('layer ')}"
    return f"{span} are the same as {first_group}"


def lines_of(framework: str, model: str, **choices: str) -> list[ListingLine]:
    """The lines of a print-out; arguments and errors are as for `listing`."""
    make_lines = entry_of(LISTINGS, "listing", framework)
    if "model_class" in choices and framework != "ledger":
        raise CountingError(
            f'the print-out "{framework}" is always of the same class, so model_class cannot be given; '
            'leave it out, or write listing("ledger", model_class=...)'
        )
    return make_lines(model, **choices)


def file_of(framework: str, model: str, model_class: str = PRETRAINING) -> str:
    """The address of the files of a print-out or ledger, without their extensions."""
    if framework == "ledger":
        return pages.ledger_file(Question(model_named(model), model_class))
    return pages.listing_file(model, framework)


NAME_WIDTHS = {"transformers": 55, "ledger": 57}
"""The width of the names in print-outs whose column widths are ours to choose.

On a phone, the names are above the rest of their lines.
"""


def _line_html(text: str, framework: str) -> str:
    """A line as HTML, in which a name can break after the number of its layer."""
    width = NAME_WIDTHS.get(framework)
    if width is None:
        return escape(text)
    name = re.sub(r"(?<=\.)(\d+\.)", r"\1<wbr>", escape(text[:width]))
    return f"<b>{name}</b>{escape(text[width:])}"


def _size_of(lines: list[ListingLine]) -> str:
    """The numbers of rows and parameters, as a phrase."""
    return f"{len(lines)} rows, {whole(sum(line.parameters for line in lines))} parameters"


def transformers_lines(model: str) -> list[ListingLine]:
    """The lines for `named_parameters()` of `BertModel`, with names and shapes in columns."""
    width = NAME_WIDTHS["transformers"]
    return [
        _tensor_line(
            tensor,
            f"{tensor.transformers:<{width}} {tensor.shape!s:>12}",
            tensor.transformers,
            tensor.shape,
        )
        for tensor in tensors(Question(model_named(model)))
    ]


def google_lines(model: str) -> list[ListingLine]:
    """The lines for the trainable variables of pre-training, as logged by run_pretraining.py."""
    return [
        _tensor_line(
            variable,
            f"name = {variable.google_bert}:0, shape = {variable.google_shape}",
            variable.google_bert,
            variable.google_shape,
        )
        for variable in google_variables(model_named(model))
    ]


def _tensor_line(tensor: Tensor, text: str, name: str | None, shape: tuple[int, ...]) -> ListingLine:
    """The line for a tensor, with its name and shape in the framework."""
    return ListingLine(_group_of(tensor), text, tensor.size, {"name": name, "shape": shape, "parameters": tensor.size})


def ledger_lines(model: str, model_class: str = PRETRAINING) -> list[ListingLine]:
    """The lines of a ledger: name, shape, formula, count and running total, with a note on tied tensors."""
    question = Question(model_named(model), model_class)
    lines = []
    for tensor, record in zip(tensors(question), ledger_rows(question), strict=True):
        shape_text = " × ".join(map(str, tensor.shape))
        tie_note = "  tied" if tensor.tied_to else ""
        text = (
            f"{tensor.transformers:<{NAME_WIDTHS['ledger']}} {shape_text:>12}  {record['formula']:<7}"
            f"{whole(tensor.size):>11} {whole(record['running_total']):>12}{tie_note}"
        )
        lines.append(ListingLine(_group_of(tensor), text, tensor.size, record))
    return lines


HEADINGS = {
    "ledger": f"{'tensor':<{NAME_WIDTHS['ledger']}} {'shape':>12}  {'formula':<7}{'elements':>11} {'sum so far':>12}"
}
"""Column headings, which only ledgers have."""


def _group_of(tensor: Tensor) -> str:
    """The name of a tensor's fold: its layer, such as "layer 0", or its part before or after the layers."""
    first_component, second_component, *rest = tensor.path.split("/")
    if second_component == "encoder":
        return rest[0].replace("_", " ")
    return "heads" if first_component != "bert" else second_component


def keras_bert_summary(model: str) -> list[ListingLine]:
    """The lines of keras-bert's `model.summary()`, in columns wide enough to avoid truncation."""
    checkpoint = model_named(model)
    return [_summary_line(row) for row in keras_bert(checkpoint, SEQUENCE_LENGTHS.get(model, checkpoint.sizes["P"]))]


def bert4keras_layers(model: str) -> list[ListingLine]:
    """The lines for the layers of bert4keras, numbered from 1."""
    return [
        _keras_line(row, f"{number:>4}  {row.name:<46} {row.kind:<20} {whole(row.parameters):>12}")
        for number, row in enumerate(bert4keras(model_named(model)), 1)
    ]


def _summary_line(row: SummaryRow) -> ListingLine:
    """A row in the columns of `model.summary()`, with a separate line for each input after the first."""
    cells = (f"{row.name} ({row.kind})", row.output, str(row.parameters))
    start = "".join(f"{cell:<{width}}" for cell, width in zip(cells, KERAS_WIDTHS, strict=True))
    first_input, *other_inputs = row.inputs or ("",)
    further_lines = [" " * sum(KERAS_WIDTHS) + layer for layer in other_inputs]
    return _keras_line(row, "\n".join([f"{start}{first_input}".rstrip(), *further_lines]))


def _keras_line(row: SummaryRow, text: str) -> ListingLine:
    """The line for a row of a Keras summary, with the fields that both libraries share."""
    fields = {
        "name": row.name,
        "type": row.kind,
        "output_shape": row.output,
        "parameters": row.parameters,
        "inputs": row.inputs,
        "tensors": row.weights,
    }
    return ListingLine(_keras_group(row), text, row.parameters, fields)


def _keras_group(row: SummaryRow) -> str:
    """The name of a Keras row's fold: "before the layers", a layer such as "Encoder-1", or "pooler and heads"."""
    if row.layer is None:
        is_before = row.name.startswith(("Input-Token", "Input-Seg", "Embedding"))
        return "before the layers" if is_before else "pooler and heads"
    return "-".join(row.name.split("-")[:2])


LISTINGS: dict[str, Callable[..., list[ListingLine]]] = {
    "transformers": transformers_lines,
    "google-bert": google_lines,
    "keras-bert": keras_bert_summary,
    "bert4keras": bert4keras_layers,
    "ledger": ledger_lines,
}
"""The function that generates the lines of each framework's print-out, and that for ledgers, by name."""

FRAMEWORKS = tuple(name for name in LISTINGS if name != "ledger")
"""The names of the frameworks."""


def files(model: str, framework: str, model_class: str = "BertModel") -> str:
    """Links to a print-out or ledger as CSV and JSON; empty if there are no such files.

    Args:
        model: the name of a published model.
        framework: a key of `LISTINGS`.
        model_class: the class of a ledger; print-outs have no choice of class.

    Raises:
        CountingError: there is no such framework, model or class.
    """
    question = Question(model_named(model), model_class)
    entry_of(LISTINGS, "listing", framework)
    if framework == "ledger":
        return pages.download_links(file_of(framework, model, model_class)) if pages.has_ledgers(question.model) else ""
    return pages.download_links(file_of(framework, model)) if pages.has_print_out(question.model, framework) else ""


TOPIC = {
    "files": files,
    "summary": libraries.summary_rows,
    "keras_hub": libraries.keras_hub,
    "presets": tuple(PRESETS.items()),
    "weights": libraries.weight_rows,
    "names": libraries.name_rows,
}
"""Macros for pages about print-outs and other libraries; `presets` are KerasHub's presets with their models."""
