"""What profilers print as operations, and the steps from the exact number to theirs; data in `data/profilers.toml`.

A profiler is a price list: how many operations it takes a multiply-add for,
and an element of everything else. So a bridge follows from its prices, and
loading the file fails where one does not end at the number that is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..blocks import DATA, blocks_of, check_choice, check_keys, frozen
from ..errors import BadConfig, CountingError
from ..models import model_named
from ..operations import ATTENTION, BIAS, COSTS, DENSE, OTHERS, PRODUCTS, TEXTS, Operations
from ..polynomials import Polynomial
from ..question import Question
from ..steps import Step, walk

PROFILERS_FILE = DATA / "profilers.toml"

PARAMETERS = "parameters"
"""What a profiler counts that takes every parameter for a multiply-add per text."""

LENGTHS = (128, 512)
"""The tokens of the text, for each number that is printed."""

EXACT = {DENSE: 2, ATTENTION: 2}
"""What is counted here."""

Counts = tuple[tuple[str, int], ...]


class Profiler(NamedTuple):
    """A program that counts operations: what it is called, how it is asked, and what it counts.

    `code` finds the number for a `model` that reads `ids`, `calls` is what the
    program calls it, `source` the file that says how it counts, and `why` that
    in a sentence. `eager` is counted besides, where attention is written out.
    """

    title: str
    version: str
    code: str
    calls: str
    source: str
    why: str
    counts: Counts
    printed: tuple[int, ...]
    eager: Counts = ()
    eager_printed: tuple[int, ...] = ()

    def prices(self, *, eager: bool = False) -> Mapping[str, int]:
        """Operations per multiply-add, or per element, by kind."""
        return dict(self.counts + (self.eager if eager else ()))

    def prints(self, *, eager: bool = False) -> tuple[int, ...]:
        """What it prints of base, for each of the lengths."""
        return self.eager_printed if eager and self.eager_printed else self.printed

    def steps(self, operations: Operations, *, eager: bool = False) -> tuple[Step, ...]:
        """From the exact number of operations to what the profiler prints of the same batch."""
        return walk(operations.forward, _steps(self.prices(eager=eager), operations))

    def number(self, operations: Operations, *, eager: bool = False) -> int:
        """What the profiler prints of a batch, according to its steps."""
        return operations.forward + sum(each.value for each in self.steps(operations, eager=eager))


def _steps(prices: Mapping[str, int], operations: Operations) -> Iterator[Step]:
    each = prices.get(DENSE, 1)
    sizes = operations.sizes

    def add(name: str, letters: Polynomial) -> Step:
        formula, working = letters.formula(), letters.working(sizes)
        return Step(name=name, value=letters.value(sizes), formula=formula, working=working)

    def take(name: str, *kinds: str, cost: int) -> Step:
        step = add(name, operations.polynomial(*kinds, cost=cost))
        return replace(step, value=-step.value, formula=f"−({step.formula})", working=f"−({step.working})")

    if each < COSTS[DENSE]:
        yield take("count each multiply-add once", *PRODUCTS, cost=1)
    if PARAMETERS in prices:
        yield take("leave out attention's products", ATTENTION, cost=1)
        yield take("leave out dense layers", DENSE, cost=1)
        yield add("add all parameters, per text", _per_text(operations.asked))
        return
    if ATTENTION not in prices:
        yield take("leave out attention's products", ATTENTION, cost=each)
    for kind in OTHERS:
        if kind in prices:
            yield add(_added(kind, prices[kind]), operations.polynomial(kind, cost=prices[kind]))


def _per_text(asked: Question) -> Polynomial:
    """Every parameter once per text: a tied kernel again, and the table of positions, which all texts share, once."""
    rows = [row for row in asked.rows if not row.tied_to or row.path.endswith("/kernel")]
    sizes = [asked.architecture.size(row) for row in rows]
    once = [row.path.endswith("/position_embeddings") for row in rows]
    terms = [(term, shared) for size, shared in zip(sizes, once, strict=True) for term in size.terms]
    return Polynomial(
        tuple(term if shared else term._replace(letters=(TEXTS, *term.letters)) for term, shared in terms)
    )


def _added(kind: str, price: int) -> str:
    if kind == BIAS:
        return "add the biases"
    return f"add {kind}, {price} per element" if price > 1 else f"add {kind}, one per element"


@cache
def load_profilers(path: Path = PROFILERS_FILE) -> Mapping[str, Profiler]:
    """Every profiler by name, in the order of the file.

    Raises:
        BadConfig: a block has an unknown key or lacks one, counts what there
            is not, or its steps do not end at a number that it has as printed.
    """
    return {name: _profiler(f"{path.name}, {name}", block) for name, block in blocks_of(path).items()}


def _profiler(where: str, block: Any) -> Profiler:
    required = [each for each in Profiler._fields if each not in Profiler._field_defaults]
    lists: dict[str, type] = {"printed": list, "eager_printed": list, "counts": dict, "eager": dict}
    check_keys(where, block, required, [*Profiler._field_defaults], **lists)
    for key in ("counts", "eager"):
        for kind in block.get(key, ()):
            check_choice(where, key, kind, (*COSTS, PARAMETERS))
    found = Profiler(**frozen(block))
    for eager in (False, True):
        for tokens, printed in zip(LENGTHS, found.prints(eager=eager), strict=True):
            exact = base(tokens)
            try:
                walk(exact.forward, found.steps(exact, eager=eager), printed, "correct what it counts")
            except CountingError as error:
                raise BadConfig(f"{where}, {tokens} tokens: {error}") from None
    return found


def base(tokens: int) -> Operations:
    """The operations of BERT base, as the bare model, for one text."""
    return Operations(Question(model_named("bert-base-uncased")), tokens)
