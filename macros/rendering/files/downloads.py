"""Files that readers download: ledgers and print-outs of the models that people ask for, and all totals.

Addresses and fields are an interface; the schemas beside the files describe them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from macros.counting import BERT, Model, every_class, load_models
from macros.counting.changes.methods import rules
from macros.counting.changes.mistakes import NUMBERS
from macros.counting.frameworks.keras_layers import PRETRAINING
from macros.counting.search.changed_lines import changed_lines
from macros.counting.search.entries import counted_parts, entries
from macros.counting.search.known_numbers import spaces
from macros.counting.search.other_sizes import other_sizes

from ..components.changes import changed_model
from ..components.pages import DOWNLOADS, has_ledgers, has_print_out, ledger_file, listing_file
from ..listings import FRAMEWORKS, lines_of
from ..tables.libraries import all_names
from .exported import module, table, table_json
from .known_numbers import lines, packed, part_rows, rows
from .ledgers import ledger
from .operations_of_rows import operations
from .schemas import SCHEMAS


def files() -> Iterator[tuple[str, str]]:
    """Every file as address from the top and text."""
    for address, make in makers():
        yield address, make()


def makers() -> Iterator[tuple[str, Callable[[], str]]]:
    """The address of every file from the top, and what makes its text, which takes longer."""
    models = list(load_models().values())
    yield f"{DOWNLOADS}/totals.json", lambda: _json(totals(models))
    yield from _both(f"{DOWNLOADS}/names", lambda: {"model_class": PRETRAINING, "rows": all_names()}, "rows")
    for name, schema in SCHEMAS.items():
        yield f"{DOWNLOADS}/{name}.schema.json", partial(_json, schema)
    yield f"{DOWNLOADS}/table.json", lambda: table_json(table())
    yield f"{DOWNLOADS}/table.js", lambda: module(table())
    yield f"{DOWNLOADS}/known-numbers.js", lambda: module(known_numbers())
    yield f"{DOWNLOADS}/operations.js", lambda: module(operations())
    for asked in every_class(filter(has_ledgers, models)):
        yield from _both(ledger_file(asked), partial(ledger, asked), "parameters")
    for model in models:
        for framework in (each for each in FRAMEWORKS if has_print_out(model, each)):
            yield from _both(listing_file(model.name, framework), partial(print_out, model.name, framework), "rows")


def known_numbers() -> dict[str, Any]:
    """All that the search for a number looks up."""
    found = {"entries": rows(entries()), "parts": part_rows(counted_parts()), "sizes": other_sizes()}
    return packed(spaces()) | found | {"changed": lines(changed_lines())}


def print_out(model: str, framework: str) -> dict[str, Any]:
    """What a framework prints of a model, every row with its number and a running total."""
    rows, running = [], 0
    for number, line in enumerate(lines_of(framework, model), 1):
        running += line.parameters
        rows.append({"number": number, **line.fields, "running_total": running})
    return {"model": model, "framework": framework, "total": running, "rows": rows}


def totals(models: list[Model]) -> dict[str, Any]:
    """The total of every model in every class, with its sizes and source; of base and large also of every change."""
    return {
        model.name: {
            "title": model.title,
            "config": {each.key: model.sizes[each.letter] for each in BERT.symbols if each.needed},
            "source": model.source,
            "accessed": model.accessed,
            "totals": {asked.model_class: asked.number for asked in every_class([model])},
            **({"changed": changed_numbers(model.name)} if has_ledgers(model) else {}),
        }
        for model in models
    }


def changed_numbers(model: str) -> dict[str, dict[str, int]]:
    """What there is of a model that labels texts after each change that pages compare."""
    found = {change: changed_model(change, model) for change in rules()["compared"]}
    return {
        change: {name: NUMBERS[counted](changed) for name, counted in COUNTED.items()}
        for change, changed in found.items()
    }


COUNTED = {"trainable": "trained", "all": "all", "elements": "elements", "bytes": "bytes"}
"""What the file calls the numbers of a changed model."""


def _both(address: str, find: Callable[[], dict[str, Any]], rows: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """A file in both its forms, which hold the same."""
    found = cache(find)
    yield f"{address}.json", lambda: _json_by_line(found(), rows)
    yield f"{address}.csv", lambda: _csv(found()[rows])


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _json_by_line(found: dict[str, Any], rows: str) -> str:
    """The last field of an object holds rows, and each has a line of its own."""
    head = json.dumps({key: value for key, value in found.items() if key != rows})
    # All rows at once, since that is quicker; a quotation mark within a text has a backslash before it.
    lines = json.dumps(found[rows])[1:-1].replace('}, {"', '},\n{"')
    return f'{head[:-1]}, "{rows}": [\n{lines}\n]}}\n'


def _csv(rows: list[dict[str, Any]]) -> str:
    """The same fields as columns: a shape is written as 30522x768, several names are separated by spaces."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(
        [_cell(value) if isinstance(value, list | tuple) else value for value in row.values()] for row in rows
    )
    return out.getvalue()


def _cell(values: Sequence[Any]) -> str:
    between = "x" if values and isinstance(values[0], int) else " "
    return between.join(map(str, values))
