"""Deviations: what people and tools do differently when they count, as data.

Rule 1: one block of `data/deviations.toml` is one deviation. It says which
rows it touches, by path and tag, and what their size is multiplied by; or
what it counts in addition, with another size, or instead of the whole.
Rule 2: deviations compose. A row that several of them touch is multiplied by
all of their factors, so their order does not matter.
Rule 3: a deviation fits a class if the class has the rows that it is about.
Rule 4: its exact effect on the total of any model follows from the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .architecture import Architecture, Row, belongs
from .blocks import DATA, blocks_of, check_choice, check_keys, frozen
from .errors import UnknownDeviation, quote, suggestion
from .messages import message
from .models import Model, model_named

DEVIATIONS_FILE = DATA / "deviations.toml"

CONVENTION, MISTAKE = KINDS = ("convention", "mistake")
"""A convention counts something else, and counts it right; a mistake counts the same thing wrong."""


MULTIPLE = "multiple of "
"""Precedes a number, for the next multiple of it: `"V = multiple of 8"`."""

WITHOUT = "without:"
"""The start of the name of a deviation that leaves out any part: `without:<path>:<tag>`."""


class Deviation(NamedTuple):
    """One way to reach another number.

    Attributes:
        name: an identifier, as in an address.
        kind: one of `KINDS`.
        usual: how common it is, from 1 for what many people do to 3 for what few do.
        title: what it is: "Leaving out the pooler".
        done: the same as a continuation of "you": "left out the pooler".
        undo: what puts it right, as an imperative: "add the pooler".
        why: why the number differs, in one sentence.
        notice: how one notices it, in one sentence.
        part, tag: the rows that it touches, as for a question; of several
            parts, separated by commas, a row lies under one.
        factor: what their size is multiplied by: an integer, a letter, or a
            quotient of two.
        unties: whether tied rows among them count as if they were not tied.
        adds: symbolic shapes, separated by commas, that count in addition;
            one with a minus in front is taken away.
        resized: a letter and what replaces its size: a number (`"S = 16"`),
            another letter, the name of a published model with that size, or
            the next multiple of a number (`"V = multiple of 8"`).
        instead: symbolic shapes that count instead of everything, or, with
            `part`, instead of everything outside of it.
        same_as: the deviations that amount to the same if F is four times H;
            a bridge lists them in its place.
        needs: paths that a class must have rows under; of several in one
            text, separated by commas, under one.
        lacks: paths that a class must have no rows under.
        shown_in: the class in which pages show it, if not the first that it
            fits.
        holds: quantities in its texts, each with the condition under which
            the words are true; see published/conditions.py.
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
        """Whether a class with these rows can be counted so (rule 3)."""
        if any(_any_under(rows, path) for path in self.lacks) or not all(_any_under(rows, path) for path in self.needs):
            return False
        # The rows of BERT do not have A, the number of heads, and yet a deviation may use it.
        if not self.letters <= architecture.letters_in(rows) | {"A"}:
            return False
        return bool(self.adds or self.resized or self.instead) or any(map(self.touches, rows))

    @property
    def letters(self) -> set[str]:
        """The letters whose sizes it uses or replaces."""
        letter, _, other = self.resized.partition(" = ")
        shapes = " ".join(shape for _, shape in self.shapes())
        texts = [letter, other if len(other) == 1 else "", shapes, *self.factor.split("/")]
        return {word for text in texts for word in text.split() if word.isalpha()}

    def touches(self, row: Row) -> bool:
        """Whether it counts this row differently."""
        if self.factor == "1" and not self.unties:
            return False
        return belongs(row, self.part, self.tag)

    def replaces(self, row: Row) -> bool:
        """Whether this row is among those that `instead` replaces."""
        return bool(self.instead) and not (self.part and belongs(row, self.part))

    def resize(self, model: Model) -> Model:
        """The model with the size that `resized` gives; the same model without `resized`."""
        if not self.resized:
            return model
        letter, _, other = self.resized.partition(" = ")
        if other.isdigit():
            return model.resized(**{letter: int(other)})
        if other.startswith(MULTIPLE):
            step = int(other.removeprefix(MULTIPLE))
            # The negative signs make the division round up.
            return model.resized(**{letter: -(-model.sizes[letter] // step) * step})
        sizes = model.sizes if other in model.sizes else model_named(other).sizes
        return model.resized(**{letter: sizes[other if other in model.sizes else letter]})

    def shapes(self) -> list[tuple[int, str]]:
        """The shapes of `adds` or `instead`, each with its sign, 1 or −1."""
        texts = [text.strip() for text in (self.adds or self.instead).split(",") if text]
        return [(-1 if text[0] == "-" else 1, text.removeprefix("-")) for text in texts]


def _any_under(rows: Iterable[Row], paths: str) -> bool:
    """Whether any row lies under one of the paths, which are separated by commas."""
    return any(belongs(row, paths) for row in rows)


LEFT_OUT = 4
"""The value of `usual` for a part that is left out and has no deviation of its own."""

REQUIRED = ("kind", "usual", "title", "done", "undo", "why", "notice")
"""The keys that every block must have."""

OPTIONAL = (
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
"""The keys that a block may have besides."""


@cache
def load_deviations(path: Path = DEVIATIONS_FILE) -> Mapping[str, Deviation]:
    """Every deviation by name, in the order of the file, which is that of the pages.

    Raises:
        BadConfig: the file is not TOML; or a block has an unknown key, lacks
            one, has a value of the wrong type, or is neither convention nor
            mistake. The message names the block and the key.
    """
    return {name: _deviation(f"{path.name}, {name}", name, block) for name, block in blocks_of(path).items()}


def _deviation(where: str, name: str, block: Any) -> Deviation:
    lists = dict.fromkeys(("same_as", "needs", "lacks"), list)
    check_keys(where, block, REQUIRED, OPTIONAL, usual=int, unties=bool, holds=dict, **lists)
    check_choice(where, "kind", block["kind"], KINDS)
    return Deviation(name=name, **frozen(block))


def deviation_named(name: str) -> Deviation:
    """The deviation of that name, from the file or made for a name such as `without:bert/pooler:bias`.

    Raises:
        UnknownDeviation: there is none, or the name gives neither a path nor a tag to leave out.

    >>> deviation_named("without:bert/pooler:bias").factor
    '0'
    """
    if name.startswith(WITHOUT):
        part, _, tag = name.removeprefix(WITHOUT).partition(":")
        if not (part or tag):
            raise UnknownDeviation(
                f"{quote(name)} leaves nothing out; name a path or a tag, as in without:bert/pooler:"
            )
        return without(part, tag)
    deviations = load_deviations()
    if name not in deviations:
        raise UnknownDeviation(f"no deviation {quote(name)}; {suggestion(str(name), deviations)}")
    return deviations[name]


def without(part: str, tag: str = "") -> Deviation:
    """The mistake of leaving out the rows under a path, with a tag, or both."""
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
