"""What people and tools do differently when they count, as data: conventions and mistakes.

Rule 1: one block of `data/deviations.toml` is one deviation. It says which
rows it touches, by path and tag, and by what their size is multiplied; or
what is counted in addition, or with another size, or instead of the whole.
Rule 2: deviations compose. A row that several touch is multiplied by all of
their factors, so their order does not matter.
Rule 3: a deviation fits a class that has the rows it is about, and only then.
Rule 4: what a deviation does to a total follows, exactly, for any model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .architecture import Architecture, Row, belongs
from .blocks import DATA, blocks_of, check_choice, check_keys, frozen
from .errors import UnknownDeviation, shown, suggestion
from .messages import message
from .models import Model, model_named

DEVIATIONS_FILE = DATA / "deviations.toml"

CONVENTION, MISTAKE = KINDS = ("convention", "mistake")
"""A convention answers another question, and rightly; a mistake answers the same one wrongly."""


MULTIPLE = "multiple of "
"""Stands before the number of which the next multiple is taken."""

WITHOUT = "without:"
"""Begins the name of a deviation that leaves a part out: `without:<path>:<tag>`, of any path and tag."""


class Deviation(NamedTuple):
    """One way to reach another number.

    Attributes:
        name: an identifier, as in an address.
        kind: one of `KINDS`.
        usual: 1 for what many do, 3 for what few do.
        title: what was done.
        done: the same with the reader as subject: "left out the pooler".
        undo: what puts it right, as an imperative: "add the pooler".
        why: why the number differs, in one sentence.
        notice: how to notice that it was done, in one sentence.
        part, tag: the rows it touches, as for a question; of several parts,
            separated by commas, a row lies under one.
        factor: what their size is multiplied by: an integer, a letter, or a
            quotient of two.
        unties: whether tied rows among them are counted as if they were not.
        adds: symbolic shapes, separated by commas, that are counted in addition;
            a minus in front takes one away.
        resized: a letter and what takes its place: `"S = 16"`, another
            letter, a published model whose size is taken, or the next
            multiple of a number: `"V = multiple of 8"`.
        instead: symbolic shapes that are counted instead of everything, or
            where `part` says what is kept, instead of everything else.
        same_as: the deviations that amount to the same where F is four times
            H; a bridge goes over them.
        needs: paths that a class must have rows under; of several separated
            by commas, under one.
        lacks: paths that a class must have no row under.
        shown_in: the class in which pages show it, where that is not the
            first that it fits.
        holds: words of its texts that claim a quantity, each with the
            condition under which they are true; see published/conditions.py.
    """

    name: str
    kind: str
    usual: int
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
        """Whether these rows can be counted so: what it needs must be there, and what it is about."""
        if any(_any_under(rows, path) for path in self.lacks) or not all(_any_under(rows, path) for path in self.needs):
            return False
        if not self.letters <= architecture.letters_in(rows) | {"A"}:
            return False
        return bool(self.adds or self.resized or self.instead) or any(map(self.touches, rows))

    @property
    def letters(self) -> set[str]:
        """The letters whose sizes it uses or changes."""
        letter, _, other = self.resized.partition(" = ")
        shapes = " ".join(shape for _, shape in self.shapes())
        texts = [letter, other if len(other) == 1 else "", shapes, *self.factor.split("/")]
        return {each for text in texts for each in text.split() if each.isalpha()}

    def touches(self, row: Row) -> bool:
        """Whether it counts this row differently."""
        if self.factor == "1" and not self.unties:
            return False
        return belongs(row, self.part, self.tag)

    def replaces(self, row: Row) -> bool:
        """Whether it counts something else instead of this row."""
        return bool(self.instead) and not (self.part and belongs(row, self.part))

    def resize(self, model: Model) -> Model:
        """The model, with the size that is taken in place of its own."""
        if not self.resized:
            return model
        letter, _, other = self.resized.partition(" = ")
        if other.isdigit():
            return model.resized(**{letter: int(other)})
        if other.startswith(MULTIPLE):
            step = int(other.removeprefix(MULTIPLE))
            return model.resized(**{letter: -(-model.sizes[letter] // step) * step})
        sizes = model.sizes if other in model.sizes else model_named(other).sizes
        return model.resized(**{letter: sizes[other if other in model.sizes else letter]})

    def shapes(self) -> list[tuple[int, str]]:
        """What is added, or counted instead of everything, as signs and shapes."""
        listed = [each.strip() for each in (self.adds or self.instead).split(",") if each]
        return [(-1 if each[0] == "-" else 1, each.removeprefix("-")) for each in listed]


def _any_under(rows: Iterable[Row], paths: str) -> bool:
    """Whether a row lies under one of several paths, separated by commas."""
    return any(belongs(row, paths) for row in rows)


LEFT_OUT = 4
"""How usual it is to leave out a part that has no block of its own."""

REQUIRED = ("kind", "usual", "title", "done", "undo", "why", "notice")
OPTIONAL = (
    *("part", "tag", "factor", "unties", "adds", "resized", "instead", "same_as"),
    *("needs", "lacks", "shown_in", "holds"),
)
"""The keys that every block must have, and those that it may have."""


@cache
def load_deviations(path: Path = DEVIATIONS_FILE) -> Mapping[str, Deviation]:
    """Every deviation by name, in the order of the file, which is the order of reading.

    Raises:
        BadConfig: the file is not TOML, or a block has an unknown key, lacks
            one, or is neither convention nor mistake; the message names both.
    """
    return {name: _deviation(f"{path.name}, {name}", name, block) for name, block in blocks_of(path).items()}


def _deviation(where: str, name: str, block: Any) -> Deviation:
    lists = dict.fromkeys(("same_as", "needs", "lacks"), list)
    check_keys(where, block, REQUIRED, OPTIONAL, usual=int, unties=bool, holds=dict, **lists)
    check_choice(where, "kind", block["kind"], KINDS)
    return Deviation(name=name, **frozen(block))


def deviation_named(name: str) -> Deviation:
    """The deviation of that name, which may also be the rule that a part is left out.

    Raises:
        UnknownDeviation: there is none, or it leaves out no part in particular.

    >>> deviation_named("without:bert/pooler:bias").factor
    '0'
    """
    if name.startswith(WITHOUT):
        part, _, tag = name.removeprefix(WITHOUT).partition(":")
        if not (part or tag):
            raise UnknownDeviation(
                f"{shown(name)} leaves nothing out; name a path or a tag, as in without:bert/pooler:"
            )
        return without(part, tag)
    deviations = load_deviations()
    if name not in deviations:
        raise UnknownDeviation(f"no deviation {shown(name)}; {suggestion(str(name), deviations)}")
    return deviations[name]


def without(part: str, tag: str = "") -> Deviation:
    """The deviation that leaves a part out, whatever part it is."""
    what = f"{part} {tag}".strip()
    return Deviation(
        name=f"{WITHOUT}{part}:{tag}",
        kind=MISTAKE,
        usual=LEFT_OUT,
        title=f"{what} is left out",
        done=f"left out {what}",
        undo=f"add {what}",
        why=message("left-out"),
        notice="",
        part=part,
        tag=tag,
        factor="0",
    )
