"""The numbers of operations that profilers print, and the steps from the exact number to theirs.

A profiler is described by its prices: the number of operations that it counts for one
multiply-add, and for one element of anything else. The steps follow from these prices.
Loading `data/profilers.toml` raises an error if they do not end at the number that the
profiler prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..blocks import DATA, blocks_of, check_choice, check_keys, with_immutable_values
from ..errors import BadConfig, CountingError, quote
from ..models import model_named
from ..operations import ATTENTION, BIAS, COSTS, DENSE, OTHER_KINDS, PRODUCTS, TEXTS, Operations
from ..polynomials import Polynomial
from ..question import Question
from ..steps import Step, chain

PROFILERS_FILE = DATA / "profilers.toml"

PARAMETERS = "parameters"
"""The key in the prices of a profiler that counts one multiply-add per parameter and text."""

LENGTHS = (128, 512)
"""The lengths, in tokens, of the texts for which each profiler's numbers are recorded."""

Prices = tuple[tuple[str, int], ...]
"""Prices as pairs: a kind of operation, and operations per multiply-add or element."""


class Profiler(NamedTuple):
    """A program that counts operations, with its prices and its numbers for BERT base.

    Attributes:
        title: its name.
        version: the version that was run.
        code: Python code that sets the variable `found` to the number, given a `model` and the token `ids` that it
            reads.
        name_of_number: the program's own name for the number, such as FLOPs.
        source: the file of its source code that decides how it counts.
        why: an explanation of how it counts.
        base_prices: its prices if attention runs as one operation.
        printed: the numbers that it prints, one for each of `LENGTHS`.
        eager_prices: further prices if attention runs as separate operations ("eager").
        eager_printed: the numbers that it prints in that case; empty if they are the same.
    """

    title: str
    version: str
    code: str
    name_of_number: str
    source: str
    why: str
    base_prices: Prices
    printed: tuple[int, ...]
    eager_prices: Prices = ()
    eager_printed: tuple[int, ...] = ()

    def prices(self, *, is_eager: bool = False) -> Mapping[str, int]:
        """Operations per multiply-add, or per element, by kind of operation."""
        return dict(self.base_prices + (self.eager_prices if is_eager else ()))

    def printed_numbers(self, *, is_eager: bool = False) -> tuple[int, ...]:
        """The numbers that it prints for BERT base, one for each of `LENGTHS`."""
        return self.eager_printed if is_eager and self.eager_printed else self.printed

    def steps(self, operations: Operations, *, is_eager: bool = False) -> tuple[Step, ...]:
        """The steps from the exact number of operations to the profiler's number for the same batch."""
        return chain(operations.forward, _steps(self.prices(is_eager=is_eager), operations))

    def number(self, operations: Operations, *, is_eager: bool = False) -> int:
        """The profiler's number for a batch: the exact number plus all steps."""
        return operations.forward + sum(step.value for step in self.steps(operations, is_eager=is_eager))


def _steps(prices: Mapping[str, int], operations: Operations) -> Iterator[Step]:
    """The steps from the exact number of operations to that of a profiler with these prices."""
    multiply_add_price = prices.get(DENSE, 1)
    sizes = operations.sizes

    def addition(name: str, polynomial: Polynomial) -> Step:
        """A step that adds the value of a polynomial."""
        return Step(
            name=name,
            value=polynomial.value(sizes),
            formula=polynomial.formula(),
            working=polynomial.working(sizes),
        )

    def subtraction(name: str, *kinds: str, cost: int) -> Step:
        """A step that subtracts all operations of some kinds, at `cost` operations for each multiply-add."""
        step = addition(name, operations.polynomial(*kinds, cost=cost))
        return replace(step, value=-step.value, formula=f"−({step.formula})", working=f"−({step.working})")

    if multiply_add_price < COSTS[DENSE]:
        yield subtraction("count each multiply-add once", *PRODUCTS, cost=1)
    if PARAMETERS in prices:
        yield subtraction("leave out attention's products", ATTENTION, cost=1)
        yield subtraction("leave out dense layers", DENSE, cost=1)
        yield addition("add all parameters, per text", _parameters_per_text(operations.question))
        return
    if ATTENTION not in prices:
        yield subtraction("leave out attention's products", ATTENTION, cost=multiply_add_price)
    for kind in OTHER_KINDS:
        if kind in prices:
            yield addition(_step_name(kind, prices[kind]), operations.polynomial(kind, cost=prices[kind]))


def _parameters_per_text(question: Question) -> Polynomial:
    """The number of parameters, each counted once per text, as a profiler without a formula for products counts them.

    The position table counts once per batch, because all texts share its rows. A tied kernel counts again, because the
    profiler looks at modules and not at tensors.
    """
    rows = [row for row in question.rows if not row.tied_to or row.path.endswith("/kernel")]
    terms = [
        (term, row.path.endswith("/position_embeddings"))
        for row in rows
        for term in question.architecture.size(row).terms
    ]
    return Polynomial(
        tuple(term if is_shared else term._replace(letters=(TEXTS, *term.letters)) for term, is_shared in terms)
    )


def _step_name(kind: str, price: int) -> str:
    """The name of a step that adds operations of a kind. Biases always cost one operation per element."""
    if kind == BIAS:
        return "add the biases"
    return f"add {kind}, {price} per element" if price > 1 else f"add {kind}, one per element"


@cache
def load_profilers(path: Path = PROFILERS_FILE) -> Mapping[str, Profiler]:
    """Every profiler by name, in the order of the file.

    Raises:
        BadConfig: a block is not valid; for example, the steps that follow
            from its prices do not end at its printed numbers.
    """
    return {name: _profiler(f"{path.name}, {name}", block) for name, block in blocks_of(path).items()}


def _profiler(location: str, block: Any) -> Profiler:
    """A profiler from its block in the data file; `location` begins the messages of its errors, a `BadConfig` each."""
    required_keys = [key for key in Profiler._fields if key not in Profiler._field_defaults]
    lists: dict[str, type] = {"printed": list, "eager_printed": list, "base_prices": dict, "eager_prices": dict}
    check_keys(location, block, required_keys, [*Profiler._field_defaults], **lists)
    for key in ("base_prices", "eager_prices"):
        for kind in block.get(key, ()):
            check_choice(location, key, kind, (*COSTS, PARAMETERS))
    for key in ("printed", "eager_printed"):
        numbers = block.get(key, LENGTHS)
        if len(numbers) != len(LENGTHS):
            lengths = " and ".join(map(str, LENGTHS))
            raise BadConfig(f"{location}: {key} is {quote(numbers)}; write one number for each of {lengths} tokens")
    profiler = Profiler(**with_immutable_values(block))
    for is_eager in (False, True):
        for tokens, printed_number in zip(LENGTHS, profiler.printed_numbers(is_eager=is_eager), strict=True):
            operations = operations_of_base(tokens)
            try:
                chain(
                    operations.forward,
                    profiler.steps(operations, is_eager=is_eager),
                    printed_number,
                    "correct what it counts",
                )
            except CountingError as error:
                raise BadConfig(f"{location}, {tokens} tokens: {error}") from None
    return profiler


def operations_of_base(tokens: int) -> Operations:
    """The operations of BERT base without a head, for one text of this many tokens."""
    return Operations(Question(model_named("bert-base-uncased")), tokens)
