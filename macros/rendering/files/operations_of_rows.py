"""What rows compute, and what people count of it, as `data/operations.js`, which scripts count operations with."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from macros.counting import ARCHITECTURES
from macros.counting.architecture import Architecture, Row
from macros.counting.operations import COSTS, of_row
from macros.counting.published.profilers import PARAMETERS, load_profilers
from macros.counting.search.known_numbers import search_rules


def operations() -> dict[str, Any]:
    """Operations as JSON can hold them.

    Returns:
        costs: how many operations an element of each kind is taken for.
        rows: by architecture, of each row of the exported table what its tensor takes part in: kinds as places in
            `costs`, with shapes and the letters that count how often it runs.
        first: by architecture, the row of the table of positions that the first token takes.
        search: what speaks against lengths and conventions, and the conventions: a profiler is one, too.
    """
    rows = list(dict.fromkeys(row for each in ARCHITECTURES.values() for row in each.rows))
    rules = search_rules()["operations"]
    return {
        "costs": COSTS,
        "rows": {
            name: {str(rows.index(row)): taken for row in each.rows if (taken := _taken(each, row))}
            for name, each in ARCHITECTURES.items()
        },
        "first": {name: each.first_position for name, each in ARCHITECTURES.items()},
        "search": {
            **rules,
            "tokens": [[int(tokens), cost] for tokens, cost in rules["tokens"].items()],
            "conventions": [*rules["conventions"], *_profilers(rules)],
        },
    }


def _taken(architecture: Architecture, row: Row) -> list[tuple[int, str, str]]:
    return [([*COSTS].index(each.kind), each.shape, ",".join(each.layers)) for each in of_row(architecture, row)]


def _profilers(rules: dict[str, Any]) -> list[dict[str, Any]]:
    """What each profiler prints, by default and with attention written out; multiply-adds are also doubled."""
    found = []
    for key, each in load_profilers().items():
        # Each number once: most profilers count the same by default and with attention written out, or do not.
        for prices, _ in groupby([each.prices(), each.prices(eager=True)]):
            eager = prices != each.prices()
            how = ", with attention written out" if eager else ""
            called = "flops" if each.calls.lower() == "flops" else "macs"
            counts = {"parameters per text" if kind == PARAMETERS else kind: times for kind, times in prices.items()}
            said = {"words": f"what {each.title} prints as {each.calls}{how}", "profiler": key, "counts": counts}
            found.append({**said, "called": called, "cost": rules["profiler"], "why": each.why})
            if called == "macs":
                twice = {kind: 2 * times for kind, times in counts.items()}
                more = {"called": "flops", "cost": rules["profiler"] + rules["doubled"], "why": each.why}
                found.append({**said, "words": f"twice {said['words']}", "counts": twice, **more})
    return found
