"""The exercises as the page's scripts read them, and every file of exercises that readers fetch.

`data/exercises.js` holds what is declared in `exercises.toml`, with the words,
formulas and sums that only the engine knows. `data/question-banks/` holds a
bank of each set in each format, or a zip of several sets, and `data/count-bert-by-hand.ipynb` is the
notebook of the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from macros.counting.errors import UnknownPart
from macros.counting.memory import TRAINING_COPIES, UNITS
from macros.rendering.components.asking import ask
from macros.rendering.components.pages import DOWNLOADS
from macros.rendering.files.exported import module

from . import ways
from .banks import FORMATS, Bank, bank_of
from .banks.package import packed
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
    sets = load_sets().sets.values()
    for form, each in FORMATS.items():
        if each.together:
            yield zip_file(form), partial(_zip, [form], [each.name for each in sets])
            continue
        for one in sets:
            if not one.zip:
                yield bank_file(one.name, form), partial(_bank, one.name, form)
    single = [form for form, each in FORMATS.items() if not each.together]
    for name in dict.fromkeys(each.zip for each in sets if each.zip):
        yield zip_file(name), partial(_zip, single, [each.name for each in sets if each.zip == name])
    yield NOTEBOOK, notebook


def bank_file(name: str, form: str) -> str:
    """The address of a bank from the top."""
    return f"{DOWNLOADS}/question-banks/{name}{FORMATS[form].ending}"


def zip_file(name: str) -> str:
    """The address of a zip with the banks of all sets in a format, or of some sets in all others."""
    return f"{DOWNLOADS}/question-banks/{name}.zip"


@cache
def published(name: str) -> Bank:
    """The bank of a set to download."""
    return bank_of(name, SEEDS)


def _bank(name: str, form: str) -> str | bytes:
    return FORMATS[form].write(published(name))


def _zip(forms: Sequence[str], names: Sequence[str]) -> bytes:
    return packed({f"{name}{FORMATS[form].ending}": _bank(name, form) for name in names for form in forms})


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
        "units": [
            {"name": name, "power": power, "bytes": UNITS[name]}
            for each in sets.units
            for name, power in ((each.decimal, each.ten), (each.binary, each.two))
        ],
        "asks": [_ask(each) for each in asks],
        "sets": [{**each._asdict(), "asks": [asks.index(ask) for ask in each.asks]} for each in sets.sets.values()],
        "totals": [_total(total, asks) for total in sets.totals],
    }


LAYER = "bert/encoder/layer_0"
COLUMNS = (f"{LAYER}/", "bert/embeddings/")
"""Where the parts lie that stand one below another in the picture of a whole model."""


def _total(total: Ask, asks: list[Ask]) -> dict[str, Any]:
    """A class, the parts that one counts along with the block of each, and these in the columns of its picture."""
    found: list[tuple[Ask, str]] = []
    for each in load_sets().ledger:
        try:
            found.append((each, ask(each.part, each.tag, model_class=total.model_class).rows[0].block))
        except UnknownPart:
            continue
    columns: dict[str, list[int]] = {}
    layers = [each.part for each, _ in found].index("bert/encoder")
    for place, (each, _) in enumerate(found):
        if each.part != LAYER and place != layers:
            column = next((column for column in COLUMNS if each.part.startswith(column)), each.part)
            columns.setdefault(column, []).append(place)
    return {
        "ask": asks.index(total),
        "parts": [(asks.index(each), block) for each, block in found],
        "layers": layers,
        "columns": [{"times": "L" if each == COLUMNS[0] else "1", "parts": parts} for each, parts in columns.items()],
    }


def _ask(of: Ask) -> dict[str, Any]:
    """A question; a factor of its sum is a word, and the words of a product stand side by side."""
    lines = [{"what": line.what, "summands": [" ".join(each.factors) for each in line.summands]} for line in of.lines]
    return {
        "class": of.model_class,
        "models": of.models,
        "part": of.part,
        "words": of.words,
        "formula": of.formula,
        "lines": lines,
        "step": of.step,
        "tensor": of.is_tensor,
        "unit": of.unit,
        "ways": ways.ways(of),
        "slips": ways.slips(of),
    }
