"""What a framework prints, line for line, folded by layer, and as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from macros.counting import Question, Tensor, model_named, tensors
from macros.counting.errors import entry_of
from macros.counting.frameworks.keras_hub import PRESETS
from macros.counting.frameworks.keras_layers import PRETRAINING, SummaryRow, bert4keras, keras_bert
from macros.counting.frameworks.listing import google_variables, ledger_rows

from .components import pages
from .components.numbers import whole
from .tables import libraries

KERAS_WIDTHS = (62, 35, 10)
"""Columns of a summary: layer with type, output shape, count; what it reads from comes last."""


SEQUENCES = {"keras-bert-notebook": 500}
"""`seq_len` where a text's own call differs from its positions. Source: the notebook's get_model call."""


class Line(NamedTuple):
    """One line of a print-out.

    Attributes:
        group: the fold it stands in.
        text: the line as printed.
        parameters: what it counts.
        fields: the same by name, as files have it.
    """

    group: str
    text: str
    parameters: int
    fields: dict[str, Any]


def listing(name: str, framework: str, model: str, *, folded: bool = False, brief: bool = False, **choices: str) -> str:
    """A whole print-out as HTML, with links to it as files: a fold per group, and one for all layers but the first.

    Args:
        name: the id of the listing.
        framework: which one; see `LISTINGS`.
        model: a published model.
        folded: whether all of it is folded; else only the layers that repeat the first one are.
        brief: whether these are only named; the files have them.
        choices: what the framework's own listing takes besides.

    Raises:
        CountingError: no such framework, model or choice.
    """
    lines = lines_of(framework, model, **choices)
    # Beside the lines, as no line of the print-out: what is copied has none.
    head = f'<span class="bc-heads">{_shown(HEADS[framework], framework)}</span>' if framework in HEADS else ""
    folds = []
    for title, chosen, again in _groups(lines):
        if again and brief:
            folds.append(f"<p>{escape(title)}</p>")
            continue
        opened = "" if again or folded else " open"
        text = "\n".join(_shown(line.text, framework) for line in chosen)
        shown = f'<pre tabindex="0">{head}<samp>{text}</samp></pre>'
        folds.append(f"<details{opened}><summary>{escape(title)}</summary>{shown}</details>")
    files = pages.downloads(file_of(framework, model, **choices))
    foot = f'<div class="bc-listing-foot"><span>{_size_of(lines)}</span> {files}</div>'
    # Nobody searches a print-out, and all of them were two thirds of the index.
    style = f"bc-listing{' bc-stacked' * (framework in NAMES)}{' bc-brief' * brief}"
    return f'<div class="{style}" id="{name}" data-search-exclude="true">{"".join(folds)}{foot}</div>'


class Group(NamedTuple):
    """Lines in one fold: its title, and whether they repeat those of the first layer."""

    title: str
    lines: list[Line]
    again: bool = False


def _groups(lines: list[Line]) -> Iterator[Group]:
    """What comes before the layers, the first layer, all others together, and what comes after them."""
    found = [(group, list(members)) for group, members in groupby(lines, key=lambda line: line.group)]
    layers = [(group, members) for group, members in found if group[-1].isdigit()]
    first, *others = layers or [("", [])]
    for group, members in found:
        if (group, members) not in others:
            yield Group(f"{group}: {_size_of(members)}", members)
        if others and group == first[0]:
            title = f"{_again([other for other, _ in others], group)}: {_size_of(others[0][1])}"
            yield Group(f"{title}{' each' * (len(others) > 1)}", [line for _, same in others for line in same], True)


def _again(others: list[str], first: str) -> str:
    """That layers have the rows of the first one: those which have names of their own by name, the others by number."""
    if len(others) == 1:
        return f"{others[0]} is the same as {first}"
    start, end = others[0], others[-1]
    named = f"{start.replace('layer', 'layers')} to {end.removeprefix('layer ')}"
    return f"{named} are the same as {first}"


def lines_of(framework: str, model: str, **choices: str) -> list[Line]:
    """The lines of a print-out; arguments and errors as for `listing`."""
    return entry_of(LISTINGS, "listing", framework)(model, **choices)


def file_of(framework: str, model: str, model_class: str = PRETRAINING) -> str:
    """The address of a print-out as a file, without its ending."""
    if framework == "ledger":
        return pages.ledger_file(Question(model_named(model), model_class))
    return pages.listing_file(model, framework)


NAMES = {"transformers": 55, "ledger": 57}
"""How wide the names are in print-outs whose columns are ours; on a phone they stand above the rest of their lines."""


def _shown(text: str, framework: str) -> str:
    """A line as HTML; a name that has to be broken is broken behind its layer."""
    wide = NAMES.get(framework)
    if wide is None:
        return escape(text)
    name = re.sub(r"(?<=\.)(\d+\.)", r"\1<wbr>", escape(text[:wide]))
    return f"<b>{name}</b>{escape(text[wide:])}"


def _size_of(lines: list[Line]) -> str:
    return f"{len(lines)} rows, {whole(sum(line.parameters for line in lines))} parameters"


def transformers(model: str) -> list[Line]:
    """`named_parameters()` of `BertModel`, name and shape in columns."""
    return [
        _tensor_line(
            each, f"{each.transformers:<{NAMES['transformers']}} {each.shape!s:>12}", each.transformers, each.shape
        )
        for each in tensors(Question(model_named(model)))
    ]


def google(model: str) -> list[Line]:
    """The trainable variables of pre-training, as run_pretraining.py logs them."""
    return [
        _tensor_line(
            each, f"name = {each.google_bert}:0, shape = {each.google_shape}", each.google_bert, each.google_shape
        )
        for each in google_variables(model_named(model))
    ]


def _tensor_line(tensor: Tensor, text: str, name: str | None, shape: tuple[int, ...]) -> Line:
    return Line(_group_of(tensor), text, tensor.size, {"name": name, "shape": shape, "parameters": tensor.size})


def ledger_lines(model: str, model_class: str = PRETRAINING) -> list[Line]:
    """A ledger in columns: name, shape, formula, count and running total; what is shared says with whom."""
    asked = Question(model_named(model), model_class)
    lines = []
    for each, row in zip(tensors(asked), ledger_rows(asked), strict=True):
        shape = " × ".join(map(str, each.shape))
        tied = f"  tied to {each.tied_to}" if each.tied_to else ""
        text = (
            f"{each.transformers:<{NAMES['ledger']}} {shape:>12}  {row['formula']:<7}"
            f"{whole(each.size):>11} {whole(row['running_total']):>12}{tied}"
        )
        lines.append(Line(_group_of(each), text, each.size, row))
    return lines


HEADS = {"ledger": f"{'tensor':<{NAMES['ledger']}} {'shape':>12}  {'formula':<7}{'elements':>11} {'sum so far':>12}"}
"""What stands above the columns of a print-out that is our own; those of others stay as they print them."""


def _group_of(tensor: Tensor) -> str:
    """The fold of a tensor: its layer, or what stands before and behind the layers."""
    first, second, *rest = tensor.path.split("/")
    if second == "encoder":
        return rest[0].replace("_", " ")
    return "heads" if first != "bert" else second


def keras_bert_summary(model: str) -> list[Line]:
    """keras-bert's `model.summary()`, in wide columns and with nothing cut off."""
    chosen = model_named(model)
    return [_summary_line(row) for row in keras_bert(chosen, SEQUENCES.get(model, chosen.sizes["P"]))]


def bert4keras_layers(model: str) -> list[Line]:
    """bert4keras's layers, numbered from the first as a reader counts them."""
    return [
        _keras_line(row, f"{number:>4}  {row.name:<46} {row.kind:<20} {whole(row.parameters):>12}")
        for number, row in enumerate(bert4keras(model_named(model)), 1)
    ]


def _summary_line(row: SummaryRow) -> Line:
    """A row in the columns of `model.summary()`, with a line for each further layer it reads from."""
    cells = (f"{row.name} ({row.kind})", row.output, str(row.parameters))
    start = "".join(f"{cell:<{width}}" for cell, width in zip(cells, KERAS_WIDTHS, strict=True))
    first, *more = row.inputs or ("",)
    return _keras_line(row, "\n".join([f"{start}{first}".rstrip(), *(" " * sum(KERAS_WIDTHS) + each for each in more)]))


def _keras_line(row: SummaryRow, text: str) -> Line:
    fields = {
        "name": row.name,
        "type": row.kind,
        "output_shape": row.output,
        "parameters": row.parameters,
        "inputs": row.inputs,
        "tensors": row.holds,
    }
    return Line(_keras_group(row), text, row.parameters, fields)


def _keras_group(row: SummaryRow) -> str:
    if row.layer is None:
        return "before the layers" if row.name.startswith(("Input-Token", "Input-Seg", "Embedding")) else "heads"
    return "-".join(row.name.split("-")[:2])


LISTINGS: dict[str, Callable[..., list[Line]]] = {
    "transformers": transformers,
    "google-bert": google,
    "keras-bert": keras_bert_summary,
    "bert4keras": bert4keras_layers,
    "ledger": ledger_lines,
}
"""Every print-out by framework, and the ledger, which none prints."""

FRAMEWORKS = tuple(name for name in LISTINGS if name != "ledger")


def files(model: str, framework: str, model_class: str = "BertModel") -> str:
    """Links to a print-out of a model, or to the ledger of one class of it, in both forms; nothing if there is none.

    Raises:
        CountingError: no such framework, model or class.
    """
    chosen = Question(model_named(model), model_class)
    entry_of(LISTINGS, "listing", framework)
    there = pages.has_ledgers(chosen.model) if framework == "ledger" else pages.has_print_out(chosen.model, framework)
    if not there:
        return ""
    return pages.downloads(file_of(framework, model, **({"model_class": model_class} if framework == "ledger" else {})))


TOPIC = {
    "files": files,
    "summary": libraries.summary,
    "keras_hub": libraries.keras_hub,
    "presets": tuple(PRESETS.items()),
    "weights": libraries.weights,
    "names": libraries.names,
}
"""What pages about print-outs and other libraries need; `presets` are those of KerasHub, each with its model."""
