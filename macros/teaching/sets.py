"""The sets of exercises, read from `exercises.toml`, each question with its words, its formula and its sum in letters.

A set says in `text` what it asks, with what a variant fills in between
braces; in `hints` what helps, step by step; and in `asks` what may be asked
about: a part and a tag as for a `Question`, a class where that is not the
bare model, and words where the part has none of its own; the `models` of
another architecture that are drawn instead of BERTs; what changes a model,
as `Changed` has it, in `changes`; in `cost` how many operations a multiply-add
is, where operations are asked for instead of parameters, and in `kinds` which
ones, if not all products. Both have the `lines` of their sum, each as what it
counts, a sum in letters and, if that adds up several things, what is lost with
each of them; and in `known` other last lines, with the names of the texts that
say what was done. A set has in `note` how an
answer may be typed on the page, with which the text ends; in `opens_with`
the model about which the first variant asks the first question, where that is
not drawn; in `frame` how many pixels high a frame is that shows any of its
variants, which a browser has measured; and in `zip` the file that its banks are in, if not in files of
their own. `kind` decides what an answer is:

- `number`: the number of what the question counts;
- `share`: one of several shares of all parameters, those of what is trained;
- `memory`: bytes, of one of the set's `dtypes`;
- `configuration`: one of several configurations, by its total;
- `mistake`: one of several deviations, those that `mistakes` lists, by the
  total they lead to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import BERT, Changed, CountingError, Model, Question, model_named
from macros.counting.architecture import lies_under
from macros.counting.blocks import blocks_of, check_choice
from macros.counting.deviations import Deviation
from macros.counting.errors import shown, suggestion
from macros.counting.operations import PRODUCTS, TEXTS, Operations
from macros.counting.polynomials import Polynomial
from macros.counting.search.parts import Part
from macros.rendering.components import words
from macros.rendering.components.asking import BASE

from .letter_sums import LetterLine, hint, in_letters, lines_of, summands_of

FILE = Path(__file__).with_name("exercises.toml")

NUMBER, MEMORY, CONFIGURATION, MISTAKE, SHARE = KINDS = ("number", "memory", "configuration", "mistake", "share")

BARE = BERT.classes[0].name

OWN = "own"
"""The name of a model that nobody published."""

ADAPTER = "Beside a matrix with n inputs and m outputs, LoRA of rank r trains a matrix of r × n and one of m × r."
"""What a hint says of LoRA."""


class UnknownExercise(CountingError):
    """There is no set of that name, or no variant of that seed, or it cannot stand on a page."""


class Ask(NamedTuple):
    """What may be asked about: a part in a class, in words, in letters, as a sum; and its last step in a hint.

    With `changes` it is asked what is trained of the changed model, with `cost` how many operations there are in one
    text of T tokens. `models` are the only ones it is asked of; without any, it is asked of BERTs.
    """

    model_class: str
    part: str
    tag: str
    words: str
    formula: str
    lines: tuple[LetterLine, ...]
    step: str
    changes: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    cost: int = 0
    kinds: tuple[str, ...] = PRODUCTS
    known: tuple[tuple[str, LetterLine], ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether its sum is written down, and is not that of the engine."""
        return bool(self.changes or self.cost)

    @property
    def unit(self) -> str:
        """What is counted."""
        return {0: "parameters", 1: "MACs"}.get(self.cost, "FLOPs")

    def number(self, model: Model) -> int:
        """What the engine counts."""
        asked = Question(model, self.model_class, self.part, self.tag)
        if self.cost:
            return self.operations(asked).value(model.sizes)
        return Changed.of(asked, self.changes).trainable if self.changes else asked.number

    def operations(self, asked: Question) -> Polynomial:
        """Operations of a part in letters, for one text."""
        prefixes = tuple(self.part.replace("layer_0", "layer_*").split(", "))
        items = [each for each in Operations(asked.at(), 1).items if each.kind in self.kinds]
        chosen = [each for each in items if not self.part or lies_under(each.path, prefixes)]
        terms = Polynomial.total(each.polynomial(self.cost) for each in chosen).terms
        of_one = (each._replace(letters=tuple(letter for letter in each.letters if letter != TEXTS)) for each in terms)
        found = Polynomial(tuple(of_one)).simplified()
        return found.in_each(()) if "layer_0" in self.part else found

    @property
    def example(self) -> str:
        """A model that it can be asked of."""
        return self.models[0] if self.models else BASE

    @property
    def whole(self) -> bool:
        """Whether it is the whole model."""
        return not self.part and not self.tag

    @property
    def is_tensor(self) -> bool:
        """Whether it is a single tensor: one product, which counts nothing several times."""
        (first, *others), *further = (line.summands for line in self.lines)
        return not others and not further and not first.times

    @property
    def letters(self) -> set[str]:
        """The letters of its sum."""
        return {factor for line in self.lines for each in line.summands for factor in each.factors if factor.isalpha()}


class Set(NamedTuple):
    """Exercises of one sort."""

    name: str
    title: str
    kind: str
    text: str
    hints: tuple[str, ...]
    asks: tuple[Ask, ...]
    frame: int
    dtypes: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    note: str = ""
    opens_with: str = ""
    zip: str = ""


class Unit(NamedTuple):
    """A unit of memory that is a power of ten, its counterpart that is a power of two, and both powers as written."""

    decimal: str
    binary: str
    ten: str
    two: str


class Sets(NamedTuple):
    """All of the file: texts, its own deviations, what is drawn, the sets, a model part by part, exercises of pages."""

    texts: Mapping[str, str]
    deviations: tuple[Deviation, ...]
    banks: Mapping[str, str]
    draw: Mapping[str, Any]
    names: Mapping[str, str]
    sizes: Mapping[str, list[int]]
    units: tuple[Unit, ...]
    sets: Mapping[str, Set]
    ledger: tuple[Ask, ...]
    totals: tuple[Ask, ...]
    pages: Mapping[str, tuple[tuple[str, int], ...]]


@lru_cache(maxsize=1)
def load_sets() -> Sets:
    """Everything in the file, the sets in the order of difficulty.

    Raises:
        BadConfig: the file is not TOML, or a set is of no known kind.
        CountingError: a set asks about what there is not.
    """
    found = blocks_of(FILE)
    return Sets(
        found["texts"],
        tuple(_deviation(name, block) for name, block in found["deviations"].items()),
        found["banks"],
        found["draw"],
        found["names"],
        found["sizes"],
        tuple(Unit(**each) for each in found["units"]),
        {name: _set(name, block) for name, block in found["sets"].items()},
        tuple(map(ask_of, found["ledger"]["asks"])),
        tuple(ask_of({"class": name}) for name in found["ledger"]["classes"]),
        {name: tuple(map(address_of, listed)) for name, listed in found["pages"].items()},
    )


def set_named(name: str) -> Set:
    """The set of that name.

    Raises:
        UnknownExercise: there is none.
    """
    sets = load_sets().sets
    if name not in sets:
        raise UnknownExercise(f"no set of exercises {shown(name)}; {suggestion(name, sets)}")
    return sets[name]


def _deviation(name: str, block: dict[str, Any]) -> Deviation:
    return Deviation(name, usual=1, notice="", **block)


def _set(name: str, block: dict[str, Any]) -> Set:
    check_choice(f"{FILE.name}, {name}", "kind", block["kind"], KINDS)
    lists = {"hints": tuple(block["hints"]), "dtypes": tuple(block.get("dtypes", ()))}
    lists["mistakes"] = tuple(block.get("mistakes", ()))
    text = " ".join(filter(None, (block["text"], block.get("note"))))
    return Set(**{**block, "name": name, "text": text, **lists, "asks": tuple(map(ask_of, block["asks"]))})


def ask_of(block: Mapping[str, Any]) -> Ask:
    """A question as a data file has it, whose keys are left out where they are the usual."""
    model_class, part, tag = block.get("class", BARE), block.get("part", ""), block.get("tag", "")
    models = tuple(block.get("models", ()))
    example = models[0] if models else BASE
    asked = Question(model_named(example), model_class, part, tag)
    if "lines" in block:
        lines, changes = lines_of(block["lines"]), tuple(block.get("changes", ()))
        step = f"{ADAPTER} {hint(lines)}" if changes and changes[0].startswith("lora") else hint(lines)
        known = tuple((text, LetterLine("", summands_of(terms, lines))) for text, terms in block.get("known", ()))
        cost, kinds = block.get("cost", 0), tuple(block.get("kinds", PRODUCTS))
        found = Ask(model_class, part, tag, block["words"], "", lines, step, changes, models, cost, kinds, known)
        letters = found.operations(asked) if cost else Changed.of(asked, changes).trained
        return found._replace(formula=letters.formula())
    called = block.get("words") or (words.in_words(Part(part, tag)) if part or tag else words.MODULES[""])
    lines = in_letters(example, model_class, part, tag)
    return Ask(model_class, part, tag, called, asked.polynomial.formula(), lines, hint(lines), models=models)


def address_of(text: str) -> tuple[str, int]:
    """An exercise as pages name it: `layer:7`."""
    name, _, seed = text.partition(":")
    return name, int(seed)


BRACES = re.compile(r"\{(\w+)\}")


def filled(text: str, **values: object) -> str:
    """A text with what stands in braces filled in.

    Raises:
        KeyError: nothing is given for a name; a test tries all texts.

    >>> filled("{letter} = {number}", letter="H", number="768")
    'H = 768'
    """
    return BRACES.sub(lambda found: str(values[found[1]]), text)
