"""The forms of an answer: a table, a tree, JSON or CSV, as lines to print.

JSON and CSV are generated line by line, so that a deep model needs no more memory than a shallow one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .answers import Answer
from .columns import columns
from .tree import tree


class _Line:
    """A file for `csv`, whose writer returns what `write` returns: here the line itself."""

    def write(self, line: str) -> str:
        return line


def _table(answer: Answer) -> Iterator[str]:
    return iter(answer.table())


def _json(answer: Answer) -> Iterator[str]:
    """A JSON object that conforms to the published schema `ledger`, with one row per line."""
    yield json.dumps(answer.fields)[:-1] + f', "{answer.kind}": ['
    previous_row = ""
    for row in answer.rows():
        if previous_row:
            yield f"{previous_row},"
        previous_row = json.dumps(row)
    yield from filter(None, [previous_row])
    yield "]}"


def _csv(answer: Answer) -> Iterator[str]:
    """One row per tensor or operation, with the columns that the site publishes."""
    return _csv_lines(answer.rows())


def _several_tables(answers: Sequence[Answer]) -> Iterator[str]:
    """One row per model."""
    if not answers:
        return
    for note in (note for answer in answers for note in answer.notes):
        yield f"note: {note}"
    rows = [["model", "class", *answers[0].summary]]
    for answer in answers:
        numbers = (f"{number:,}" for number in answer.summary.values())
        rows.append([answer.question.model.name, answer.question.resolved_class.name, *numbers])
    yield from columns(rows, numbers=range(-len(answers[0].summary), 0))


def _several_json(answers: Sequence[Answer]) -> Iterator[str]:
    """A list of what is printed of each model by itself."""
    yield "["
    for index, answer in enumerate(answers):
        if index:
            yield ","
        yield from _json(answer)
    yield "]"


def _several_csv(answers: Sequence[Answer]) -> Iterator[str]:
    """One row per model, with the single values of its JSON and the total of each block of any of the models."""
    several = ("blocks", "note", "training", "parts")
    models = [answer.fields for answer in answers]
    totals = [{total["block"]: total["count"] for total in fields.get("blocks", ())} for fields in models]
    no_totals = dict.fromkeys((block for blocks in totals for block in blocks), "")
    yield from _csv_lines(
        {key: value for key, value in {**fields, **fields.get("training", {})}.items() if key not in several}
        | no_totals
        | blocks
        for fields, blocks in zip(models, totals, strict=True)
    )


def _csv_lines(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """A heading and the rows; the dimensions of a shape are joined by an x, and changes by a space."""
    writer = csv.writer(_Line(), lineterminator="")
    heading: list[str] = []
    for row in rows:
        if not heading:
            heading = list(row)
            yield writer.writerow(heading)
        cells = {**row, **{key: sign.join(map(str, row[key])) for key, sign in SEPARATORS.items() if key in row}}
        yield writer.writerow(cells.values())


SEPARATORS = {"shape": "x", "changes": " "}
"""The signs that join the members of a list in a cell of CSV, by the name of the column."""

ONE: Mapping[str, Callable[[Answer], Iterator[str]]] = {"table": _table, "tree": tree, "json": _json, "csv": _csv}
"""The forms of one answer."""

SEVERAL: Mapping[str, Callable[[Sequence[Answer]], Iterator[str]]] = {
    "table": _several_tables,
    "json": _several_json,
    "csv": _several_csv,
}
"""The forms of several answers."""
