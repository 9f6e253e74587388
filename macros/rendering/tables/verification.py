"""What was compared with our counts: the rows of the table about it, and its sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from macros.counting import ARCHITECTURES, BERT
from macros.counting.errors import entry_of
from macros.counting.frameworks.recordings import Comparison
from macros.counting.published.claims import VERDICTS as CLAIM_VERDICTS
from macros.counting.published.claims import load_claims

from ..components import numbers
from ..components.rows import lines
from ..components.tables import date
from .compared import compared


def recordings() -> str:
    """A row for every recorded implementation: how much was compared, how many differences, day and versions."""
    rows = []
    for each in compared():
        figures = {
            "classes": each.classes,
            "models": each.models,
            "compared": each.compared,
            "differences": len(each.differences),
        }
        cells = [
            numbers.in_full(number, _recorded(what, each), kind=what, of=each.implementation)
            for what, number in figures.items()
        ]
        versions = ", ".join(f"{package} {version}" for package, version in each.versions.items())
        rows.append([escape(each.title), *cells, date(each.recorded), versions])
    return lines(rows)


RECORDED = {
    "classes": "classes of models",
    "models": "models",
    "differences": "differences from our counts",
}
"""What the table of recordings counts besides tensors or layers, as its explanations say it."""

IN_RECORDING = "in the recording of"
"""Where its numbers come from."""


def _recorded(what: str, comparison: Comparison) -> str:
    return f"{RECORDED.get(what, comparison.holds)} {IN_RECORDING} {comparison.title}"


def verified(what: str) -> str:
    """All tensors or layers that were compared, or all differences; or all claims, or those with one verdict.

    Its explanation adds them up, by implementation or by kind of source.

    `implementations`, `bert-tensors`, `bert-layers` and `bert-differences` are
    those of BERT alone, without its relatives.

    Raises:
        CountingError: none of these is asked for.
    """
    found = compared()
    of_bert = [each for each in found if not _is_of_relative(each.implementation)]
    claims = [each for listed in load_claims().values() for each in listed]
    sums: dict[str, Mapping[str, int]] = {
        **{each: _compared_in(each, found) for each in HELD},
        "differences": _differences(found),
        "implementations": {each.title: 1 for each in of_bert},
        **{f"bert-{each}": _compared_in(each, of_bert) for each in HELD},
        "bert-differences": _differences(of_bert),
        "claims": Counter(each.source.kind for each in claims),
        **{
            verdict: Counter(each.source.kind for each in claims if each.verdict == verdict)
            for verdict in CLAIM_VERDICTS
        },
    }
    pieces = entry_of(sums, "sum", what)
    number = sum(pieces.values())
    line = " + ".join(map(numbers.whole, pieces.values()))
    how = f"{', '.join(pieces)}\n{line} = {numbers.whole(number)}"
    return numbers.in_full(number, how, kind=f"all-{what}")


HELD = ("tensors", "layers")
"""What recordings hold."""


def _is_of_relative(implementation: str) -> bool:
    """Whether a recording is of another architecture than BERT, by its name."""
    return any(implementation.endswith(f"-{name}") for name in ARCHITECTURES if name != BERT.model_type)


def _compared_in(held: str, found: Sequence[Comparison]) -> dict[str, int]:
    return {each.title: each.compared for each in found if each.holds == held}


def _differences(found: Sequence[Comparison]) -> dict[str, int]:
    return {each.title: len(each.differences) for each in found}


TOPIC: dict[str, object] = {"recordings": recordings}
"""What the page about verification calls besides `verified`."""
