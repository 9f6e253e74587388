"""Macros for the page about verification: the comparison of each real implementation with our counts."""

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
from .comparisons import comparisons


def bert_rows() -> str:
    """Rows for the recorded implementations of BERT: title, compared entries, differences and versions."""
    return _rows([(comparison.title, comparison) for comparison in comparisons() if not _is_of_relative(comparison)])


def relative_rows() -> str:
    """Rows for the recorded implementations of relatives, with the same cells; their titles are the families."""
    # A title such as "transformers 5, RoBERTa" ends with the family.
    return _rows(
        [
            (comparison.title.partition(", ")[2], comparison)
            for comparison in comparisons()
            if _is_of_relative(comparison)
        ]
    )


def _rows(titled_comparisons: Sequence[tuple[str, Comparison]]) -> str:
    """A row for each comparison: its title, the numbers of compared entries and of differences, and the versions."""
    rows = []
    for title, comparison in titled_comparisons:
        counts = {"compared": comparison.entry_count, "differences": len(comparison.differences)}
        cells = [numbers.in_full(number, "", kind=kind, of=comparison.name) for kind, number in counts.items()]
        rows.append([escape(title), *cells, _versions(comparison)])
    return lines(rows)


def _versions(comparison: Comparison) -> str:
    """The versions of the packages that built the models, without Python's; commit hashes are abbreviated."""
    versions = {
        package: version[:SHOWN_DIGITS] if len(version) == COMMIT_DIGITS else version
        for package, version in comparison.versions.items()
    }
    return ", ".join(f"{package} {version}" for package, version in versions.items() if package != "python")


COMMIT_DIGITS = 40
SHOWN_DIGITS = 7
"""The number of digits of a commit hash, and the number that is shown."""


def verified_total(name: str) -> str:
    """A total over all verified items, explained as a sum over implementations or kinds of sources.

    Args:
        name: `"tensors"` or `"layers"` for the number of compared entries, or `"differences"`; `"bert-tensors"`,
            `"bert-layers"` or `"bert-differences"` for BERT without its relatives; `"libraries"` for the libraries that
            implement BERT, each counted once even if several releases or frameworks were recorded; `"claims"` for all
            claims, or a verdict such as `"agrees"` for those that have it.

    Raises:
        CountingError: `name` is none of these.
    """
    all_comparisons = comparisons()
    bert_comparisons = [comparison for comparison in all_comparisons if not _is_of_relative(comparison)]
    claims = [claim for claims_of_source in load_claims().values() for claim in claims_of_source]
    sums: dict[str, Mapping[str, int]] = {
        **{unit: _entries_by_title(unit, all_comparisons) for unit in UNITS},
        "differences": _differences_by_title(all_comparisons),
        # The first package in `versions` is the library that builds the models.
        "libraries": {next(iter(comparison.versions)): 1 for comparison in bert_comparisons},
        **{f"bert-{unit}": _entries_by_title(unit, bert_comparisons) for unit in UNITS},
        "bert-differences": _differences_by_title(bert_comparisons),
        "claims": Counter(claim.source.kind for claim in claims),
        **{
            verdict: Counter(claim.source.kind for claim in claims if claim.verdict == verdict)
            for verdict in CLAIM_VERDICTS
        },
    }
    addends = entry_of(sums, "sum", name)
    number = sum(addends.values())
    terms = " + ".join(map(numbers.whole, addends.values()))
    # Titles contain commas ("transformers 5, RoBERTa"), so they are separated by semicolons.
    working = f"{'; '.join(addends)}\n{terms} = {numbers.whole(number)}"
    return numbers.in_full(number, working, kind=f"all-{name}")


UNITS = ("tensors", "layers")
"""The units of a comparison: the kinds of entries that a recording can list."""


def _is_of_relative(comparison: Comparison) -> bool:
    """Whether the name of the recording ends with the name of an architecture other than BERT."""
    return any(comparison.name.endswith(f"-{name}") for name in ARCHITECTURES if name != BERT.model_type)


def _entries_by_title(unit: str, selection: Sequence[Comparison]) -> dict[str, int]:
    """The number of compared entries of each implementation whose recording has this unit."""
    return {comparison.title: comparison.entry_count for comparison in selection if comparison.unit == unit}


def _differences_by_title(selection: Sequence[Comparison]) -> dict[str, int]:
    """The number of differences of each implementation."""
    return {comparison.title: len(comparison.differences) for comparison in selection}


TOPIC: dict[str, object] = {"recordings": bert_rows, "relatives": relative_rows}
"""Macros for the page about verification, in addition to `verified_total`, which is available to all pages."""
