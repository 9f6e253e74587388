"""Deviations: the ways in which people and tools count differently, as data.

Rule 1: one block of `data/deviations.toml` is one deviation. It can select rows,
by path and tag, and multiply their size by a factor or untie them; add or
subtract shapes; replace a size; or replace the model, except for a part.
Rule 2: deviations can be combined. A row that several of them touch is
multiplied by all of their factors.
Rule 3: a deviation fits a class if the class has the rows and the sizes that it
needs, and no rows that it excludes.
Rule 4: the effect of a deviation on a total is computed from its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .architecture import Architecture, Row, belongs
from .blocks import DATA, blocks_of, check_choice, check_keys, with_immutable_values
from .errors import UnknownDeviation, quote, suggestion
from .messages import message
from .models import Model, model_named
from .rounding import rounded_up

DEVIATIONS_FILE = DATA / "deviations.toml"

CONVENTION, MISTAKE = "convention", "mistake"
KINDS = (CONVENTION, MISTAKE)
"""A convention counts something else, and counts it correctly; a mistake miscounts the same thing."""

MULTIPLE_PREFIX = "multiple of "
"""The words in `resized` that round a size up to a multiple of the number after them: `"V = multiple of 8"`."""

MOST_COMMON = 1
"""The `rarity` of deviations that many people make."""

WITHOUT_PREFIX = "without:"
"""The start of the name of a deviation that leaves out any part: `without:<path>:<tag>`."""


class Deviation(NamedTuple):
    """A convention or a mistake, and its effect on a count.

    Attributes:
        name: an identifier, which is also used in addresses.
        kind: one of `KINDS`.
        rarity: how rare it is, from 1 for a deviation that many people make to `RARITY_LEFT_OUT`.
        title: its title, such as "Leaving out the pooler".
        done: the action that the user took, as a continuation of "you", such as "left out the pooler".
        undo: the remedy, as an imperative, such as "add the pooler".
        why: the reason why the number differs.
        notice: the sign by which to recognise it; empty for a deviation that is not in the file.
        part, tag: the rows that it touches, as in a question. A part may be
            several paths, separated by `", "`; a row has to lie under one.
        factor: the factor by which their size is multiplied, which is an integer,
            a letter, or a quotient of two of these.
        unties: whether the tied rows that it touches count as if they were not tied.
        adds: symbolic shapes, separated by commas, that are counted in
            addition; a shape with a minus in front is subtracted.
        resized: a letter and its new size; empty if no size changes. The size is
            given as a number (`"S = 16"`), as another letter, as the name of a
            published model that has it, or as the next multiple of a number
            (`"V = multiple of 8"`).
        instead: symbolic shapes that are counted instead of the whole model
            or, with `part`, instead of everything outside the part.
        same_as: the deviations whose combined effect is the same if F is four
            times H; a bridge lists them instead of this one.
        needs: paths under which a class must have rows. An entry may list
            alternatives, separated by `", "`; rows under one of them are enough.
        lacks: paths under which a class must not have rows.
        shown_in: the class in which pages show it; empty for the first class
            that it fits.
        holds: quantities in its texts, each with the condition under which
            the words are true; see published/conditions.py.
    """

    name: str
    kind: str
    rarity: int
    title: str
    done: str
    undo: str
    why: str
    notice: str
    part: str = ""
    tag: str = ""
    factor: str = "1"
    unties: bool = False
    adds: str = ""
    resized: str = ""
    instead: str = ""
    same_as: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    shown_in: str = ""
    holds: tuple[tuple[str, str], ...] = ()

    def fits(self, rows: Sequence[Row], architecture: Architecture) -> bool:
        """Whether the deviation fits a class with these rows (rule 3)."""
        if any(_any_under(rows, path) for path in self.lacks) or not all(_any_under(rows, path) for path in self.needs):
            return False
        # A, the number of heads, occurs in no shape of BERT, but a deviation may still use it.
        if not self.letters <= architecture.letters_in(rows) | {"A"}:
            return False
        return bool(self.adds or self.resized or self.instead) or any(map(self.touches, rows))

    @property
    def letters(self) -> set[str]:
        """The letters whose sizes it uses or replaces."""
        letter, _, size = self.resized.partition(" = ")
        shapes = " ".join(shape for _, shape in self.shapes())
        # A size of one character is a letter or a digit; `isalpha` drops the digits.
        texts = [letter, size if len(size) == 1 else "", shapes, *self.factor.split("/")]
        return {word for text in texts for word in text.split() if word.isalpha()}

    def touches(self, row: Row) -> bool:
        """Whether its factor or `unties` applies to this row."""
        if self.factor == "1" and not self.unties:
            return False
        return belongs(row, self.part, self.tag)

    def replaces(self, row: Row) -> bool:
        """Whether this row is among those that `instead` replaces."""
        return bool(self.instead) and not (self.part and belongs(row, self.part))

    def resize(self, model: Model) -> Model:
        """The model with the new size that `resized` gives, or the model itself if `resized` is empty.

        Raises:
            CountingError: the new size is impossible, or no model has the name that `resized` gives.
        """
        if not self.resized:
            return model
        letter, _, size = self.resized.partition(" = ")
        if size.isdigit():
            return model.resized(**{letter: int(size)})
        if size.startswith(MULTIPLE_PREFIX):
            step = int(size.removeprefix(MULTIPLE_PREFIX))
            return model.resized(**{letter: rounded_up(model.sizes[letter], step)})
        sizes = model.sizes if size in model.sizes else model_named(size).sizes
        return model.resized(**{letter: sizes[size if size in model.sizes else letter]})

    def shapes(self) -> list[tuple[int, str]]:
        """The shapes in `adds` or `instead`, each paired with its sign, 1 or −1."""
        texts = [text.strip() for text in (self.adds or self.instead).split(",") if text]
        return [(-1 if text[0] == "-" else 1, text.removeprefix("-")) for text in texts]


def _any_under(rows: Iterable[Row], paths: str) -> bool:
    """Whether any row lies under one of the paths, which are separated by `", "`."""
    return any(belongs(row, paths) for row in rows)


RARITY_LEFT_OUT = 4
"""The `rarity` of leaving out a part for which the file has no deviation; few people do that."""

REQUIRED_KEYS = ("kind", "rarity", "title", "done", "undo", "why", "notice")
"""The keys that every block must have."""

OPTIONAL_KEYS = (
    "part",
    "tag",
    "factor",
    "unties",
    "adds",
    "resized",
    "instead",
    "same_as",
    "needs",
    "lacks",
    "shown_in",
    "holds",
)
"""The keys that a block may have in addition."""


@cache
def load_deviations(path: Path = DEVIATIONS_FILE) -> Mapping[str, Deviation]:
    """Every deviation by name, in the order of the file, in which pages list them.

    Raises:
        BadConfig: the file is not TOML, or a block is not valid.
    """
    return {name: _deviation(f"{path.name}, {name}", name, block) for name, block in blocks_of(path).items()}


def _deviation(location: str, name: str, block: Any) -> Deviation:
    """A deviation from its block in the data file, after a check of the keys and of the kind."""
    lists = dict.fromkeys(("same_as", "needs", "lacks"), list)
    check_keys(location, block, REQUIRED_KEYS, OPTIONAL_KEYS, rarity=int, unties=bool, holds=dict, **lists)
    check_choice(location, "kind", block["kind"], KINDS)
    return Deviation(name=name, **with_immutable_values(block))


def deviation_named(name: str) -> Deviation:
    """The deviation of that name: one in the file, or one that leaves out a part, such as `without:bert/pooler:bias`.

    Raises:
        UnknownDeviation: there is no such deviation, or the name gives neither a path nor a tag to leave out.

    >>> deviation_named("without:bert/pooler:bias").factor
    '0'
    """
    if name.startswith(WITHOUT_PREFIX):
        part, _, tag = name.removeprefix(WITHOUT_PREFIX).partition(":")
        if not (part or tag):
            raise UnknownDeviation(
                f"{quote(name)} leaves nothing out; name a path or a tag, as in without:bert/pooler:"
            )
        return leaving_out(part, tag)
    deviations = load_deviations()
    if name not in deviations:
        raise UnknownDeviation(f"no deviation {quote(name)}; {suggestion(str(name), deviations)}")
    return deviations[name]


def leaving_out(part: str, tag: str = "") -> Deviation:
    """The mistake of leaving out the rows that lie under a path, that carry a tag, or both."""
    description = f"{part} {tag}".strip()
    return Deviation(
        name=f"{WITHOUT_PREFIX}{part}:{tag}",
        kind=MISTAKE,
        rarity=RARITY_LEFT_OUT,
        title=f"Leaving out {description}",
        done=f"left out {description}",
        undo=f"add {description}",
        why=message("left-out"),
        notice="",
        part=part,
        tag=tag,
        factor="0",
    )
