"""The exercises as the page's scripts read them, and every file of exercises that readers fetch.

`data/exercises.js` holds what is declared in `exercises.toml`, with the words,
formulas and sums that only the engine knows. `data/question-banks/` holds a
bank of each set in each format, and `data/count-bert-by-hand.ipynb` is the
notebook of the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from macros.counting.memory import TRAINING_COPIES, UNITS
from macros.rendering.elements.pages import DOWNLOADS
from macros.rendering.files.exported import module

from .banks import FORMATS, Bank, bank_of
from .exercise import MOST
from .notebook import notebook
from .sets import Ask, load_sets

SEEDS = range(1, 21)
"""The variants in the banks to download; others come from the command line."""


NOTEBOOK = f"{DOWNLOADS}/count-bert-by-hand.ipynb"
"""The address of the notebook of the lesson, from the top."""


def makers() -> Iterator[tuple[str, Callable[[], str | bytes]]]:
    """The address of every file from the top, and what makes its content."""
    yield f"{DOWNLOADS}/exercises.js", lambda: module(exported())
    for name in load_sets().sets:
        for form in FORMATS:
            yield bank_file(name, form), partial(_bank, name, form)
    yield NOTEBOOK, notebook


def bank_file(name: str, form: str) -> str:
    """The address of a bank from the top."""
    return f"{DOWNLOADS}/question-banks/{name}{FORMATS[form].ending}"


@cache
def published(name: str) -> Bank:
    """The bank of a set to download."""
    return bank_of(name, SEEDS)


def _bank(name: str, form: str) -> str | bytes:
    return FORMATS[form].write(published(name))


def exported() -> dict[str, Any]:
    """Everything as JSON can hold it; sets name their questions by place."""
    sets = load_sets()
    asks = list(dict.fromkeys([*(ask for each in sets.sets.values() for ask in each.asks), *sets.ledger, *sets.totals]))
    return {
        "texts": sets.texts,
        "deviations": [{key: value for key, value in each._asdict().items() if value} for each in sets.deviations],
        "draw": {**sets.draw, "last": MOST, "training": len(TRAINING_COPIES)},
        "names": sets.names,
        "sizes": sets.sizes,
        "units": [{**each._asdict(), "bytes": [UNITS[each.decimal], UNITS[each.binary]]} for each in sets.units],
        "asks": [_ask(each) for each in asks],
        "sets": [{**each._asdict(), "asks": [asks.index(ask) for ask in each.asks]} for each in sets.sets.values()],
        "ledger": [asks.index(each) for each in sets.ledger],
        "totals": [asks.index(each) for each in sets.totals],
    }


def _ask(ask: Ask) -> dict[str, Any]:
    """A question; a factor of its sum is a word, and the words of a product stand side by side."""
    lines = [
        {
            "what": line.what,
            "sentence": line.sentence,
            "summands": [[" ".join(each.factors), each.what, each.times, each.every] for each in line.summands],
        }
        for line in ask.lines
    ]
    return {
        "class": ask.model_class,
        "part": ask.part,
        "tag": ask.tag,
        "words": ask.words,
        "formula": ask.formula,
        "lines": lines,
        "step": ask.step,
    }
