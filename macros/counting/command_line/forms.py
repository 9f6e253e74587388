"""The forms of an answer: a table, a tree, JSON or CSV, as lines to print.

JSON and CSV about one model are generated line by line, so that a deep model needs no more memory than a shallow one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .answers import Answer
from .columns import lines_in_columns
from .tree import tree


class _EchoFile:
    """A file for `csv` that stores nothing: its writer returns what `write` returns, which is the line itself."""

    def write(self, line: str) -> str:
        """Return the line unchanged."""
        return line


def _table(answer: Answer) -> Iterator[str]:
    """A table for people to read, in aligned columns."""
    return iter(answer.table())


def _json(answer: Answer) -> Iterator[str]:
    """A JSON object that conforms to the published schema `ledger`, with one row per line."""
    yield json.dumps(answer.fields)[:-1] + f', "{answer.rows_key}": ['
    # A row is printed once it is known whether another one follows, because only then does it end with a comma.
    previous_row = ""
    for row in answer.rows():
        if previous_row:
            yield f"{previous_row},"
        previous_row = json.dumps(row)
    if previous_row:
        yield previous_row
    yield "]}"


def _csv(answer: Answer) -> Iterator[str]:
    """One row per tensor or operation, or per tensor that a training step keeps."""
    return _csv_lines(answer.rows())


def _table_of_several(answers: Sequence[Answer]) -> Iterator[str]:
    """The notes, and a table with one row per model."""
    if not answers:
        return
    for answer in answers:
        for note in answer.notes:
            yield f"note: {note}"
    rows = [["model", "class", *answers[0].summary]]
    for answer in answers:
        numbers = (f"{number:,}" for number in answer.summary.values())
        rows.append([answer.question.model.name, answer.question.resolved_class.name, *numbers])
    yield from lines_in_columns(rows, number_columns=range(-len(answers[0].summary), 0))


def _json_of_several(answers: Sequence[Answer]) -> Iterator[str]:
    """A JSON list of the objects that would be printed for each model by itself."""
    yield "["
    for index, answer in enumerate(answers):
        if index:
            yield ","
        yield from _json(answer)
    yield "]"


def _csv_of_several(answers: Sequence[Answer]) -> Iterator[str]:
    """One row per model: the single values of its JSON, then a column for each block that any of the models has."""
    fields_of_models = [answer.fields for answer in answers]
    block_totals = [
        {block["block"]: block["count"] for block in fields.get("blocks", ())} for fields in fields_of_models
    ]
    empty_cells = dict.fromkeys((block for totals in block_totals for block in totals), "")
    yield from _csv_lines(
        _single_values(fields) | empty_cells | totals
        for fields, totals in zip(fields_of_models, block_totals, strict=True)
    )


def _single_values(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an answer that fit in one cell of CSV, including those of a training step."""
    longer_fields = ("blocks", "note", "training", "parts")
    return {key: value for key, value in {**fields, **fields.get("training", {})}.items() if key not in longer_fields}


def _csv_lines(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """A heading and the rows; the dimensions of a shape are joined by an x, and changes by a space."""
    writer = csv.writer(_EchoFile(), lineterminator="")
    heading: list[str] = []
    for row in rows:
        if not heading:
            heading = list(row)
            yield writer.writerow(heading)
        joined_cells = {
            name: separator.join(map(str, row[name])) for name, separator in SEPARATORS.items() if name in row
        }
        yield writer.writerow({**row, **joined_cells}.values())


SEPARATORS = {"shape": "x", "changes": " "}
"""The strings that join the members of a list in a cell of CSV, by the name of the column."""

FORMS_OF_ONE: Mapping[str, Callable[[Answer], Iterator[str]]] = {
    "table": _table,
    "tree": tree,
    "json": _json,
    "csv": _csv,
}
"""The forms of one answer."""

FORMS_OF_SEVERAL: Mapping[str, Callable[[Sequence[Answer]], Iterator[str]]] = {
    "table": _table_of_several,
    "json": _json_of_several,
    "csv": _csv_of_several,
}
"""The forms of several answers."""
