"""The data of exercises for scripts, and all files of exercises that readers download.

- `data/exercises.js`: the parts of `exercises.toml` that scripts need, with the words, formulas and
  sums that the engine adds.
- `data/question-banks/`: a bank of each set in each format. A format has either one zip with all
  sets or a file per set. Some sets share a zip of such files instead.
- `data/count-bert-by-hand.ipynb`: the notebook of the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

from macros.counting.architecture import ONE_LAYER
from macros.counting.errors import UnknownPart
from macros.counting.memory import NUMBERS_PER_PARAMETER, UNITS
from macros.rendering.components import asking, words
from macros.rendering.components.pages import DOWNLOADS
from macros.rendering.files.exported import module_with_texts_once

from . import explanations, ways
from .banks import FORMATS, Bank, bank_of
from .banks.package import zip_of
from .exercise import LARGEST_SEED, block_lines
from .further import further_numbers
from .letter_sums import LetterLine
from .notebook import notebook
from .sets import MISTAKE, Ask, ExerciseSet, UnitPair, load_sets

BANK_SEEDS = range(1, 21)
"""The seeds of the variants in the banks to download; the command line writes banks of any seeds."""

NOTEBOOK = f"{DOWNLOADS}/count-bert-by-hand.ipynb"
"""The address of the lesson's notebook, from the top of the site."""


def makers() -> Iterator[tuple[str, Callable[[], str | bytes]]]:
    """Yield the address of every file, from the top of the site, and a function that returns its content."""
    yield f"{DOWNLOADS}/exercises.js", lambda: module_with_texts_once(exercise_data())
    sets = load_sets().sets.values()
    for name, file_format in FORMATS.items():
        if file_format.is_in_one_zip:
            yield zip_file(name), partial(_zip_content, [name], [exercise_set.name for exercise_set in sets])
            continue
        for exercise_set in sets:
            if not exercise_set.zip:
                yield bank_file(exercise_set.name, name), partial(_bank_content, exercise_set.name, name)
    formats_per_set = [name for name, file_format in FORMATS.items() if not file_format.is_in_one_zip]
    for zip_name in dict.fromkeys(exercise_set.zip for exercise_set in sets if exercise_set.zip):
        set_names = [exercise_set.name for exercise_set in sets if exercise_set.zip == zip_name]
        yield zip_file(zip_name), partial(_zip_content, formats_per_set, set_names)
    yield NOTEBOOK, notebook


def bank_file(name: str, format_name: str) -> str:
    """The address of the bank of one set in one format, from the top of the site."""
    return f"{DOWNLOADS}/question-banks/{name}{FORMATS[format_name].ending}"


def zip_file(name: str) -> str:
    """The address of a zip, which holds the banks of all sets in one format, or of several sets in several formats."""
    return f"{DOWNLOADS}/question-banks/{name}.zip"


@cache
def downloadable_bank(name: str) -> Bank:
    """The bank of a set that readers can download."""
    return bank_of(name, BANK_SEEDS)


def _bank_content(name: str, format_name: str) -> str | bytes:
    """The content of the file with the downloadable bank of a set, in one format."""
    return FORMATS[format_name].render(downloadable_bank(name))


def _zip_content(format_names: Sequence[str], set_names: Sequence[str]) -> bytes:
    """A zip of the banks of several sets, each in every one of the formats."""
    pairs = product(set_names, format_names)
    return zip_of(
        {f"{name}{FORMATS[format_name].ending}": _bank_content(name, format_name) for name, format_name in pairs}
    )


def exercise_data() -> dict[str, Any]:
    """The content of `data/exercises.js`. Sets refer to questions by index, because they share some of them."""
    content = load_sets()
    asks_of_sets = [ask for exercise_set in content.sets.values() for ask in exercise_set.asks]
    asks = list(dict.fromkeys([*asks_of_sets, *content.ledger, *content.totals]))
    further_lists = [further_numbers(ask) for ask in asks]
    # The feedback on many further numbers contains the same phrases, so entries refer to them by index.
    phrases = list(
        dict.fromkeys(
            text for entries in further_lists for *_, subject, detail in entries for text in (subject, detail)
        )
    )
    return {
        "texts": content.texts,
        "deviations": [
            {key: value for key, value in deviation._asdict().items() if value} for deviation in content.deviations
        ],
        "draw": {**content.draw, "last": LARGEST_SEED, "training": len(NUMBERS_PER_PARAMETER)},
        "names": content.names,
        "sizes": content.sizes,
        "units": [record for unit in content.units for record in _unit_records(unit)],
        "asks": [
            _ask(ask) | {"further": _by_phrase(entries, phrases)}
            for ask, entries in zip(asks, further_lists, strict=True)
        ],
        "phrases": phrases,
        "sets": [_set(exercise_set, asks) for exercise_set in content.sets.values()],
        "blocks": {name: _blocks(name) for name in _classes_with_mistakes()},
        "totals": [_total(total, asks) for total in content.totals],
        "path": [step._asdict() for step in content.path],
        "pages": explanations.TITLES,
    }


def _unit_records(units: UnitPair) -> Iterator[dict[str, Any]]:
    """Yield the records of a decimal unit and its binary counterpart, in this order, on which scripts rely."""
    for name, power in ((units.decimal, units.decimal_power), (units.binary, units.binary_power)):
        yield {"name": name, "power": power, "bytes": UNITS[name]}


def _set(exercise_set: ExerciseSet, asks: list[Ask]) -> dict[str, Any]:
    """A set whose questions are given by index."""
    return {
        **exercise_set._asdict(),
        "asks": [asks.index(ask) for ask in exercise_set.asks],
        "of_parts": all(map(is_of_part, exercise_set.asks)),
    }


def is_of_part(ask: Ask) -> bool:
    """Whether a question is about the size of a part of BERT as the engine counts it."""
    return bool(ask.part) and not (ask.has_declared_sum or ask.models or ask.cost or ask.changes)


def _classes_with_mistakes() -> list[str]:
    """The model classes in exercises that ask for a mistake."""
    sets = load_sets().sets.values()
    asks = [ask for exercise_set in sets if exercise_set.kind == MISTAKE for ask in exercise_set.asks]
    return list(dict.fromkeys(ask.model_class for ask in asks))


def _blocks(model_class: str) -> dict[str, list[dict[str, Any]]]:
    """The symbolic sums of all blocks in a class of BERT."""
    blocks = words.block_names(asking.ask(model_class=model_class))
    return {block: [_line(line) for line in block_lines(model_class, block)] for block in blocks}


COLUMN_PREFIXES = (f"{ONE_LAYER}/", "bert/embeddings/")
"""Prefixes of the paths of parts that are stacked in one column in the picture of a whole model."""


def _total(total: Ask, asks: list[Ask]) -> dict[str, Any]:
    """A whole model in one class: its question, its parts, the index of the encoder, and the picture's columns."""
    parts: list[tuple[Ask, str]] = []
    for part in load_sets().ledger:
        try:
            parts.append((part, asking.ask(part.part, part.tag, model_class=total.model_class).rows[0].block))
        except UnknownPart:  # the class has no such part, for example no pooler
            continue
    columns: dict[str, list[int]] = {}
    encoder_index = [part.part for part, _ in parts].index("bert/encoder")
    for index, (part, _) in enumerate(parts):
        # A layer and the encoder are sums of parts that the picture already shows.
        if part.part != ONE_LAYER and index != encoder_index:
            column = next((column for column in COLUMN_PREFIXES if part.part.startswith(column)), part.part)
            columns.setdefault(column, []).append(index)
    return {
        "ask": asks.index(total),
        "parts": [(asks.index(part), block) for part, block in parts],
        "layers": encoder_index,
        "columns": [
            {"times": "L" if column == COLUMN_PREFIXES[0] else "1", "parts": indices}
            for column, indices in columns.items()
        ],
    }


def _line(line: LetterLine) -> dict[str, Any]:
    """A symbolic line, in whose products spaces separate the factors."""
    return {"label": line.label, "summands": [" ".join(summand.factors) for summand in line.summands]}


def _ask(ask: Ask) -> dict[str, Any]:
    """A question, in whose sums spaces separate the factors of a product."""
    return {
        "class": ask.model_class,
        "models": ask.models,
        "part": ask.part,
        "words": ask.words,
        "formula": ask.formula,
        "lines": [_line(line) for line in ask.lines],
        "step": ask.step,
        "tensor": ask.is_tensor,
        "page": explanations.page_of(ask),
        "unit": ask.unit,
        "ways": ways.deviations(ask),
        "slips": ways.slips(ask),
        "singles": ways.singles(ask),
    }


def _by_phrase(entries: list[list[str]], phrases: list[str]) -> list[list[Any]]:
    """Further numbers whose subject and detail are replaced by indices into `phrases`."""
    return [[*start, phrases.index(subject), phrases.index(detail)] for *start, subject, detail in entries]
