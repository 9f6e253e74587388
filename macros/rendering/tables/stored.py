"""What training keeps of a model besides its weights, by optimiser, and how large its files are."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from macros.counting import Changed, Question
from macros.counting.changes.optimisers import load_optimisers
from macros.counting.frameworks.files import LENGTH, dynamic_int8, kept_quantised, safetensors

from ..elements import numbers
from ..elements.asking import BASE, SHORT, ask, of_both
from ..elements.changes import changed_model
from ..elements.tables import PROSE, Column, numeric, table
from .changed import unsearched

LORA = "lora:8:query,value"
LARGE = next(model for model in SHORT if model != BASE)


def optimisers(name: str) -> str:
    """What each optimiser keeps, beside weights and gradients: of base, of base with LoRA, and of large."""
    columns = [
        Column("optimiser", PROSE),
        *numeric("weights and gradients", "states", "states with LoRA", "states of large"),
    ]
    rows = []
    for key, each in load_optimisers().items():
        cells = [_kept(key, "weights", ""), *(_kept(key, "states", change) for change in ("", LORA))]
        rows.append([escape(each.title), *cells, _kept(key, "states", "", LARGE)])
    caption = "Bytes kept while BERT base with two labels is trained, by optimiser; the last column is of BERT large"
    return unsearched(table(name, caption, columns, rows))


def _kept(name: str, what: str, change: str, model: str = BASE) -> str:
    optimiser, changed = load_optimisers()[name], changed_model(change, model)
    number = kept_bytes(name, what, changed)
    trained = numbers.whole(changed.trainable)
    if what == "weights":
        how = f"{optimiser.width} × ({numbers.whole(changed.number)} + {trained}) = {numbers.whole(number)} bytes"
    else:
        how = f"{optimiser.title}: {numbers.bytes_kept(optimiser.kept_for(changed))}"
    question = {"what": what, "change": change, "model": model, "class": changed.asked.chosen.name}
    return numbers.in_full(number, how, kind="optimiser", optimiser=name, **question)


def kept_bytes(name: str, what: str, changed: Changed) -> int:
    """The bytes of weights and gradients, or of an optimiser's states."""
    optimiser = load_optimisers()[name]
    return optimiser.weights_for(changed) if what == "weights" else optimiser.bytes_for(changed)


def _file_worked(what: str, asked: Question) -> str:
    """How a number of the table of files comes about."""
    file, left = safetensors(asked), dynamic_int8(asked).left
    header, data, size, parameters = map(numbers.whole, (file.header, file.data, file.size, asked.number))
    linear = numbers.whole(asked.number - left)
    return {
        "header": "the length of what follows, and names, types, shapes and places of all tensors\n"
        f"{LENGTH} + {numbers.whole(file.header - LENGTH)} = {header} bytes",
        "size": f"the header, and four bytes for each parameter\n{header} + {data} = {size} bytes",
        "left": f"all parameters, less those of linear layers\n{parameters} − {linear} = {numbers.whole(left)}",
        "bytes": numbers.bytes_kept(kept_quantised(asked)),
    }[what]


FILES: dict[str, tuple[str, str, Callable[[Question], int]]] = {
    "header": ("header of a safetensors file", "bytes", lambda asked: safetensors(asked).header),
    "size": ("the whole file in float32, header included", "bytes", lambda asked: safetensors(asked).size),
    "left": ("what dynamic quantisation leaves in float32", "parameters", lambda asked: dynamic_int8(asked).left),
    "bytes": ("both together: what is left and what is packed", "bytes", lambda asked: dynamic_int8(asked).bytes),
}
"""What the table of files has, by name: what it is called, in which unit it is, and how it is counted."""


def files(name: str) -> str:
    """How large the file of base and of large is, and what PyTorch's dynamic quantisation makes of them."""
    rows = []
    for what, (called, unit, number) in FILES.items():
        cells = []
        for asked in of_both(ask()):
            question = {"what": what, "model": asked.model.name, "class": asked.chosen.name}
            cells.append(numbers.in_full(number(asked), _file_worked(what, asked), kind="file", **question))
        rows.append([called, unit, *cells])
    columns = [Column("what", PROSE), Column("unit"), *numeric(*SHORT.values())]
    return unsearched(table(name, f"Files and quantised models of {ask().chosen.name}", columns, rows))


def tables() -> dict[str, Callable[[str], str]]:
    """The tables by the names that pages give them."""
    return {"optimiser-states": optimisers, "model-files": files}
