"""The paths of the tensors that a number or a term counts, by which pages highlight related elements.

The paths are derived from the rows of a question. So a formula, a figure, a table row and a number that count the same
tensors have the same paths, however their page words them, and `docs/assets/pages/links.js` highlights them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from macros.counting import Question, Row
from macros.counting.architecture import lies_under
from macros.counting.polynomials import Term
from macros.counting.question import LAYER_NUMBER


def paths_of(question: Question) -> tuple[str, ...]:
    """The shortest paths that contain the tensors of a question and no others, in the order of the model.

    >>> from macros.counting import model_named
    >>> base = model_named("bert-base-uncased")
    >>> paths_of(Question(base, part="bert/encoder/layer_0", tag="LayerNorm"))
    ('bert/encoder/layer_*/attention/output/LayerNorm', 'bert/encoder/layer_*/output/LayerNorm')
    """
    return _shortest(question.rows, question.whole.rows)


def shortest_paths(paths: tuple[str, ...], question: Question) -> tuple[str, ...]:
    """The shortest paths that contain the tensors under `paths` and no other tensors of the question's model."""
    all_rows = question.whole.rows
    return _shortest(tuple(row for row in all_rows if lies_under(row.path, paths)), all_rows)


def paths_by_term(question: Question) -> dict[Term, tuple[str, ...]]:
    """The paths of the tensors that each term of a question's formula counts; tied tensors add nothing to any term."""
    is_tied = question.resolved_choices.tied
    counted_rows = [row for row in question.rows if not (is_tied and row.tied_to)]
    return {
        term: _shortest(tuple(row for row in counted_rows if _is_counted_by(row, term, question)), question.whole.rows)
        for _, terms in question.polynomial.groups()
        for term in terms
    }


def _is_counted_by(row: Row, term: Term, question: Question) -> bool:
    """Whether a term counts the elements of a row.

    If the question is about a single layer, its terms do not include the letters of layers.
    """
    layers = () if LAYER_NUMBER.search(question.part) else question.architecture.layers_of(row)
    sizes = [sorted(size.letters) for size in Term.of_shape(row.shape).expanded]
    return term.layers == layers and sorted(term.letters) in sizes


@lru_cache(maxsize=4096)
def _shortest(rows: tuple[Row, ...], all_rows: tuple[Row, ...]) -> tuple[str, ...]:
    """For each path in `rows`, the shortest prefix that matches no row in `all_rows` outside `rows`; no duplicates."""
    counted_paths = {row.path for row in rows}
    other_prefixes = {prefix for row in all_rows if row.path not in counted_paths for prefix in _prefixes(row.path)}
    return tuple(
        dict.fromkeys(next(prefix for prefix in _prefixes(row.path) if prefix not in other_prefixes) for row in rows)
    )


def _prefixes(path: str) -> Iterable[str]:
    """The path and its ancestors, shortest first."""
    components = path.split("/")
    return ("/".join(components[:length]) for length in range(1, len(components) + 1))
