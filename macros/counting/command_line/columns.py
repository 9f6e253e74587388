"""Lays out the rows of a table as lines of text."""

from __future__ import annotations

from collections.abc import Container, Sequence


def lines_in_columns(rows: Sequence[Sequence[str]], number_columns: Container[int] = (-1,)) -> list[str]:
    """The rows as lines in which each column is as wide as its longest cell.

    Args:
        rows: the cells of each row; all rows have the same number of cells.
        number_columns: the indices, counted from the end, of the columns with numbers, which are aligned to the right.

    >>> lines_in_columns([("part", "parameters"), ("pooler", "590,592")])
    ['part    parameters', 'pooler     590,592']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True), -len(widths))
        padded_cells = (
            cell.rjust(width) if index in number_columns else cell.ljust(width) for index, (cell, width) in cells
        )
        lines.append("  ".join(padded_cells).rstrip())
    return lines
