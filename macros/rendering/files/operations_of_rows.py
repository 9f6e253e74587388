"""`data/operations.js`: the operations of each row, from which scripts count, and the conventions of other counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from macros.counting import ARCHITECTURE_OF_CLASS, ARCHITECTURES
from macros.counting.architecture import Architecture, Row
from macros.counting.operations import COSTS, operations_of_row, refusal
from macros.counting.published.profilers import PARAMETERS, load_profilers
from macros.counting.search.known_numbers import search_data


def operations() -> dict[str, Any]:
    """The content of the file.

    Returns:
        costs: for each kind of operation, the number of operations per element or multiply-add.
        rows: by architecture, the operations that involve the tensor of each row. A row is given as its index in the
            exported table. Each operation has its kind as an index in `costs`, its shape, and the letters of the
            sizes whose product is its number of repetitions.
        refused: for each class whose operations are not counted, the reason.
        attention: for each architecture with sparse attention, its usual settings by config key.
        first: by architecture, the index of the row in the position table that the first token uses.
        search: the data for explaining operation counts from elsewhere, which are the counting conventions and the text
            lengths to try. The less likely a convention or length is, the higher is its cost. Every profiler has at
            least one convention.
    """
    rows = list(dict.fromkeys(row for architecture in ARCHITECTURES.values() for row in architecture.rows))
    refusals = {name: refusal(architecture, name) for name, architecture in ARCHITECTURE_OF_CLASS.items()}
    rules = search_data()["operations"]
    return {
        "costs": COSTS,
        "rows": {name: _operations_by_row(architecture, rows) for name, architecture in ARCHITECTURES.items()},
        "refused": {name: reason for name, reason in refusals.items() if reason},
        "attention": {
            name: architecture.attention_settings
            for name, architecture in ARCHITECTURES.items()
            if architecture.attention_settings
        },
        "first": {name: architecture.first_position for name, architecture in ARCHITECTURES.items()},
        "search": {
            **rules,
            "tokens": [[int(tokens), cost] for tokens, cost in rules["tokens"].items()],
            "conventions": [*rules["conventions"], *_profiler_conventions(rules)],
        },
    }


def _operations_by_row(architecture: Architecture, rows: Sequence[Row]) -> dict[str, list[tuple[int, str, str]]]:
    """The operations of an architecture, by the index in `rows` of the row that they involve.

    Rows without operations are left out.
    """
    operations_by_index = {}
    for row in architecture.rows:
        if row_operations := _operations(architecture, row):
            operations_by_index[str(rows.index(row))] = row_operations
    return operations_by_index


def _operations(architecture: Architecture, row: Row) -> list[tuple[int, str, str]]:
    """The operations that involve the tensor of a row: kind, shape, and the letters of the number of repetitions."""
    return [
        ([*COSTS].index(operation.kind), operation.shape, ",".join(operation.layers))
        for operation in operations_of_row(architecture, row)
    ]


def _profiler_conventions(rules: dict[str, Any]) -> list[dict[str, Any]]:
    """The conventions of profilers.

    Each profiler has a convention for the number that it prints by default and, if eager attention changes this number,
    a second convention. Profilers that count multiply-adds also have conventions with twice these numbers, because
    multiply-adds are often converted into FLOPs.
    """
    conventions = []
    for key, profiler in load_profilers().items():
        # `groupby` merges equal prices, in case the profiler counts both implementations of attention alike.
        for prices, _ in groupby([profiler.prices(), profiler.prices(is_eager=True)]):
            is_eager = prices != profiler.prices()
            attention = ", with attention written out" if is_eager else ""
            unit = "flops" if profiler.name_of_number.lower() == "flops" else "macs"
            counts = {"parameters per text" if kind == PARAMETERS else kind: times for kind, times in prices.items()}
            words = f"what {profiler.title} prints as {profiler.name_of_number}{attention}"
            convention = {
                "words": words,
                "profiler": key,
                "counts": counts,
                "called": unit,
                "cost": rules["profiler"],
                "why": profiler.why,
            }
            conventions.append(convention)
            if unit == "macs":
                doubled_convention = {
                    "words": f"twice {words}",
                    "counts": {kind: 2 * times for kind, times in counts.items()},
                    "called": "flops",
                    "cost": rules["profiler"] + rules["doubled"],
                }
                conventions.append(convention | doubled_convention)
    return conventions
