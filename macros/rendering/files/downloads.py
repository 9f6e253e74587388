"""Files in `data/`: for readers, such as ledgers, print-outs and totals, and for scripts.

The files of exercises are generated in `macros/teaching`. The addresses and fields of the files for readers
are an interface for external programs; schemas published with them describe the JSON files. `makers` lists the
files without generating them, because a build needs their addresses long before their contents, and
`mkdocs serve` generates each file on request.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from macros.counting import BERT, Model, class_questions, load_models
from macros.counting.changes.methods import rules
from macros.counting.changes.mistakes import NUMBERS
from macros.counting.frameworks.keras_layers import PRETRAINING
from macros.counting.models import COURSE
from macros.counting.published.conventions import load_conventions
from macros.counting.search.changed_lines import changed_lines
from macros.counting.search.entries import entries, part_costs
from macros.counting.search.known_numbers import spaces
from macros.counting.search.other_sizes import other_sizes

from ..components.changes import changed_model
from ..components.pages import DOWNLOADS, has_ledgers, has_print_out, ledger_file, listing_file
from ..listings import FRAMEWORKS, lines_of
from ..tables.claims import claim_records
from ..tables.libraries import all_names
from .exported import module, table, table_json
from .known_numbers import entry_rows, line_rows, packed_spaces, part_rows
from .ledgers import ledger
from .operations_of_rows import operations
from .reading import reading
from .schemas import SCHEMAS
from .training import training


def makers() -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the address of each file from the top of the site, with the function that generates its text."""
    models = list(load_models().values())
    yield f"{DOWNLOADS}/totals.json", lambda: _json(totals(models))
    yield from _in_both_forms(f"{DOWNLOADS}/names", lambda: {"model_class": PRETRAINING, "rows": all_names()}, "rows")
    yield f"{DOWNLOADS}/claims.csv", lambda: _csv(claim_records())
    yield f"{DOWNLOADS}/conventions.csv", lambda: _csv(totals_by_convention())
    for name, schema in SCHEMAS.items():
        yield f"{DOWNLOADS}/{name}.schema.json", partial(_json, schema)
    yield f"{DOWNLOADS}/table.json", lambda: table_json(table())
    yield f"{DOWNLOADS}/table.js", lambda: module(table())
    yield f"{DOWNLOADS}/known-numbers.js", lambda: module(known_numbers())
    yield f"{DOWNLOADS}/operations.js", lambda: module(operations())
    yield f"{DOWNLOADS}/training.js", lambda: module(training())
    yield f"{DOWNLOADS}/reading.js", lambda: module(reading())
    for question in class_questions(filter(has_ledgers, models)):
        yield from _in_both_forms(ledger_file(question), partial(ledger, question), "parameters")
    for model in models:
        for framework in FRAMEWORKS:
            if has_print_out(model, framework):
                address = listing_file(model.name, framework)
                yield from _in_both_forms(address, partial(print_out, model.name, framework), "rows")


def known_numbers() -> dict[str, Any]:
    """The numbers that the page "I got a different number" can look up."""
    return {
        **packed_spaces(spaces()),
        "entries": entry_rows(entries()),
        "parts": part_rows(part_costs()),
        "sizes": other_sizes(),
        "changed": line_rows(changed_lines()),
    }


def print_out(model: str, framework: str) -> dict[str, Any]:
    """A framework's print-out of a model. Each row has its number, counted from 1, and a running total."""
    rows = []
    running_total = 0
    for number, line in enumerate(lines_of(framework, model), 1):
        running_total += line.parameters
        rows.append({"number": number, **line.fields, "running_total": running_total})
    return {"model": model, "framework": framework, "total": running_total, "rows": rows}


def totals(models: list[Model]) -> dict[str, Any]:
    """The title, the sizes, the source with its date, and the totals in every class, for each model.

    BERT base and BERT large also have their numbers after each change that pages compare.
    """
    return {
        model.name: {
            "title": model.title,
            "config": {symbol.key: model.sizes[symbol.letter] for symbol in BERT.symbols if symbol.is_required},
            "source": model.source,
            "accessed": model.accessed,
            "totals": {question.model_class: question.number for question in class_questions([model])},
            **({"changed": changed_numbers(model.name)} if has_ledgers(model) else {}),
        }
        for model in models
    }


def totals_by_convention() -> list[dict[str, Any]]:
    """The totals of each of Google's checkpoints, with one field per convention."""
    return [
        {
            "model": model.name,
            **{name: convention.question(model).number for name, convention in load_conventions().items()},
        }
        for model in load_models().values()
        if model.group != COURSE
    ]


def changed_numbers(model: str) -> dict[str, dict[str, int]]:
    """The numbers of a classifier after each change in the comparison of changes."""
    variants = {change: changed_model(change, model) for change in rules()["compared"]}
    return {
        change: {field: NUMBERS[name](variant) for field, name in NUMBER_FIELDS.items()}
        for change, variant in variants.items()
    }


NUMBER_FIELDS = {"trainable": "trained", "all": "all", "elements": "elements", "bytes": "bytes"}
"""The name in `NUMBERS` of each field of a changed model in the file of totals."""


def _in_both_forms(
    address: str, make: Callable[[], dict[str, Any]], rows_field: str
) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield a JSON and a CSV file of the same content, which is computed only once.

    Args:
        address: the address from the top of the site, without its extension.
        make: computes the content.
        rows_field: the field of the content with the rows; only these are in the CSV.
    """
    content = cache(make)
    yield f"{address}.json", lambda: _json_by_line(content(), rows_field)
    yield f"{address}.csv", lambda: _csv(content()[rows_field])


def _json(value: object) -> str:
    """A value as indented JSON with a final newline."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _json_by_line(content: dict[str, Any], rows_field: str) -> str:
    """An object as JSON with one row per line; the field with the rows comes last."""
    head = json.dumps({key: value for key, value in content.items() if key != rows_field})
    # Serialising all rows at once is faster. No string contains the separator, because a quotation mark within a
    # string is escaped with a backslash, and no string ends with "}, {".
    lines = json.dumps(content[rows_field])[1:-1].replace('}, {"', '},\n{"')
    return f'{head[:-1]}, "{rows_field}": [\n{lines}\n]}}\n'


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV. The keys of the first row, which must exist, are the headings."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(
        [_cell(value) if isinstance(value, list | tuple) else value for value in row.values()] for row in rows
    )
    return buffer.getvalue()


def _cell(values: Sequence[Any]) -> str:
    """A list as one cell of a CSV file: numbers as in `30522x768`, and names separated by spaces."""
    separator = "x" if values and isinstance(values[0], int) else " "
    return separator.join(map(str, values))
