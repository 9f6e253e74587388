"""The sets of exercises, read from `exercises.toml`, and the symbolic sums behind their questions.

A set is a block under `[sets]` with these keys:

- `title`: its name for readers.
- `kind`: the kind of answer, as listed below.
- `text`: the question. Names in braces, such as `{part}`, are filled in for each variant.
- `note`: the ways to type an answer on the page; it is added to the end of `text`.
- `hints`: hints, from vague to clear.
- `asks`: the subjects of questions, one of which a seed draws.
- `opens_with`: the model of variant 1, which then asks the first question, so that readers start
  with a model that they know. Without it, variant 1 is drawn like any other.
- `dtypes`, `mistakes`: the data types and the deviations to draw from, for the kinds that need
  them.
- `frame`: the height in pixels of a frame that fits every variant, as measured in a browser.
- `zip`: the file that holds its banks, if they are not in separate files.
- `page`: the page that explains its questions, if that is not the page about their part.

An entry of `asks` can have a `part` and a `tag`, as for a `Question`; a `class`, if it is not the bare
model; `words`, if the part has no standard wording; and `models`, if it is about relatives of BERT.
Three other kinds of quantity are possible. With `changes`, as for `ChangedModel`, the answer is the
number of trained parameters. With `cost`, it is the number of operations for one text, where `cost`
is the number of operations per multiply-add and `kinds` are the kinds to count (by default all
matrix products). With `formula`, it is the number of elements of a piece of a tensor, such as one
row, which that formula gives. The engine has no worked sum for any of them, so these entries declare
`lines`. Each line is a label, a symbolic sum and, if the sum has several addends, a list that names
them for feedback. `known` lists wrong last lines that are common, each with the name of the text
under `[texts]` that explains it. `single` is the name of the text that explains the answer 1 if the
question is about a row, a column or a vector.

The kinds of answer:

- `number`: the number that the question asks for;
- `share`: the trainable share of all parameters, one of several to choose from;
- `memory`: bytes, in one of the set's `dtypes`;
- `configuration`: one of several configurations, identified by its total;
- `mistake`: one of the deviations under `mistakes`, identified by the total that it leads to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from macros.counting import BERT, ChangedModel, CountingError, Model, Question, model_named
from macros.counting.architecture import lies_under
from macros.counting.blocks import blocks_of, check_choice
from macros.counting.deviations import MOST_COMMON, Deviation
from macros.counting.errors import quote, suggestion
from macros.counting.operations import PRODUCTS, TEXTS, Operations
from macros.counting.polynomials import Polynomial
from macros.counting.search.parts import Part
from macros.rendering.components import words
from macros.rendering.components.asking import BASE

from .letter_sums import LetterLine, hint, in_letters, lines_of, results_of, summands_of

FILE = Path(__file__).with_name("exercises.toml")

KINDS = ("number", "memory", "configuration", "mistake", "share")
NUMBER, MEMORY, CONFIGURATION, MISTAKE, SHARE = KINDS
"""The kinds of answers, as the docstring of this module explains."""

BARE = BERT.classes[0].name
"""The class of the bare model, which is the default class of a question."""

MADE_UP = "own"
"""The name of every model with made-up sizes."""

LORA_HINT = "Beside a matrix with n inputs and m outputs, LoRA of rank r trains r × n numbers in A and m × r in B."
"""The start of the hint about the last line of a sum for LoRA."""


class UnknownExercise(CountingError):
    """A set or variant does not exist, a page cannot show an exercise, or a bank cannot have that many variants."""


class Ask(NamedTuple):
    """The subject of a question, with the sum that answers it.

    Attributes:
        model_class, part, tag: as for a `Question`.
        words: the words for the part in the text.
        formula: the formula of the answer.
        lines: the symbolic sum.
        step: the hint about the last line of the sum.
        changes: the changes to the model if the question is about trained parameters; see `ChangedModel`.
        models: the models that the question may be about; empty for BERT models.
        cost: the number of operations per multiply-add if the question is about operations, otherwise 0.
        kinds: the kinds of operations to count.
        wrong_lines: common wrong last lines, each preceded by the name of the text that explains it.
        single: the name of the text that explains the answer 1 if the question is about a row, a column or a vector.
        has_declared_sum: whether the data file declares the sum; if not, the engine derives it.
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
    wrong_lines: tuple[tuple[str, LetterLine], ...] = ()
    single: str = ""
    has_declared_sum: bool = False

    @property
    def unit(self) -> str:
        """The unit of the answer: parameters, MACs or FLOPs."""
        # A multiply-add costs one MAC or several FLOPs.
        return {0: "parameters", 1: "MACs"}.get(self.cost, "FLOPs")

    def number(self, model: Model) -> int:
        """The answer for a model, as the engine counts it."""
        question = Question(model, self.model_class, self.part, self.tag)
        if self.cost:
            return self.operations(question).value(model.sizes)
        if self.changes:
            return ChangedModel.build(question, self.changes).trainable
        return results_of(self.lines, model.sizes)[-1] if self.has_declared_sum else question.number

    def operations(self, question: Question) -> Polynomial:
        """The formula of the operations of the part for one text."""
        # Operations are listed once for all layers, so a question about one layer must look under the asterisk.
        prefixes = tuple(self.part.replace("layer_0", "layer_*").split(", "))
        operations = [
            operation
            for operation in Operations(question.whole, 1).items
            if operation.kind in self.kinds and (not self.part or lies_under(operation.path, prefixes))
        ]
        polynomial_of_batch = Polynomial.total(operation.polynomial(self.cost) for operation in operations)
        polynomial = polynomial_of_batch.without_letters(TEXTS).simplified()
        return polynomial.in_each(()) if "layer_0" in self.part else polynomial

    @property
    def example(self) -> str:
        """The name of a model that the question may be about."""
        return self.models[0] if self.models else BASE

    @property
    def is_tensor(self) -> bool:
        """Whether the subject is a single tensor, so that its sum is one product of sizes."""
        if self.has_declared_sum or len(self.lines) > 1:
            return False
        summands = self.lines[0].summands
        return len(summands) == 1 and not summands[0].times

    @property
    def is_size(self) -> bool:
        """Whether the answer is itself a size of the model, such as the number of cells in a row, or a single cell."""
        if len(self.lines) > 1:
            return False
        summands = self.lines[0].summands
        return len(summands) == 1 and len(summands[0].factors) == 1

    @property
    def letters(self) -> set[str]:
        """The letters in the sum, without divisors."""
        return {
            factor for line in self.lines for summand in line.summands for factor in summand.factors if factor.isalpha()
        }


class ExerciseSet(NamedTuple):
    """A set of exercises; the docstring of this module explains the fields."""

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
    page: str = ""


class PathStep(NamedTuple):
    """A step of the path from one cell to the whole model: its name for readers, and its exercise."""

    title: str
    set: str
    seed: int


class UnitPair(NamedTuple):
    """A decimal unit of memory, its binary counterpart, and their powers of 10 and 2 as text."""

    decimal: str
    binary: str
    decimal_power: str
    binary_power: str


class Sets(NamedTuple):
    """The content of `exercises.toml`.

    Attributes:
        texts: feedback and other texts, by name.
        deviations: mistakes that are possible only in exercises.
        banks: additional texts of question banks.
        draw: the settings of the draws, such as the models to draw from.
        names: the name of each size, by letter.
        sizes: the values that each size may have, by letter.
        units: pairs of units of memory, such as MB and MiB.
        sets: all sets by name, in order of difficulty.
        ledger: the parts of a whole model, in the order of counting.
        totals: the whole model in each class for which readers can count the parts.
        path: the exercises that lead from one cell to the whole model, in order.
        pages: the exercises of each page, as pairs of set and seed.
    """

    texts: Mapping[str, str]
    deviations: tuple[Deviation, ...]
    banks: Mapping[str, str]
    draw: Mapping[str, Any]
    names: Mapping[str, str]
    sizes: Mapping[str, list[int]]
    units: tuple[UnitPair, ...]
    sets: Mapping[str, ExerciseSet]
    ledger: tuple[Ask, ...]
    totals: tuple[Ask, ...]
    path: tuple[PathStep, ...]
    pages: Mapping[str, tuple[tuple[str, int], ...]]


@lru_cache(maxsize=1)
def load_sets() -> Sets:
    """The content of `exercises.toml`.

    Raises:
        BadConfig: the file is not TOML, a set is of an unknown kind, or a declared sum does not
            name its addends.
        CountingError: a set asks about a part, class or model that does not exist.
    """
    blocks = blocks_of(FILE)
    return Sets(
        texts=blocks["texts"],
        deviations=tuple(_deviation(name, block) for name, block in blocks["deviations"].items()),
        banks=blocks["banks"],
        draw=blocks["draw"],
        names=blocks["names"],
        sizes=blocks["sizes"],
        units=tuple(UnitPair(**block) for block in blocks["units"]),
        sets={name: _set(name, block) for name, block in blocks["sets"].items()},
        ledger=tuple(map(ask_of, blocks["ledger"]["asks"])),
        totals=tuple(ask_of({"class": name}) for name in blocks["ledger"]["classes"]),
        path=tuple(PathStep(step["title"], *set_and_seed(step["exercise"])) for step in blocks["path"]["steps"]),
        pages={name: tuple(map(set_and_seed, exercises)) for name, exercises in blocks["pages"].items()},
    )


def set_named(name: str) -> ExerciseSet:
    """The set with this name.

    Raises:
        UnknownExercise: no set has this name.
    """
    sets = load_sets().sets
    if name not in sets:
        raise UnknownExercise(f"no set of exercises {quote(name)}; {suggestion(name, sets)}")
    return sets[name]


def _deviation(name: str, block: dict[str, Any]) -> Deviation:
    """The deviation in a block of the file, which is possible only in exercises."""
    # Exercises use neither field, and the type has no defaults for them.
    return Deviation(name, rarity=MOST_COMMON, notice="", **block)


def _set(name: str, block: dict[str, Any]) -> ExerciseSet:
    """The set in a block of the file; its note is appended to its text."""
    check_choice(f"{FILE.name}, {name}", "kind", block["kind"], KINDS)
    list_fields = {key: tuple(block.get(key, ())) for key in ("dtypes", "mistakes")}
    hints = tuple(block["hints"])
    asks = tuple(map(ask_of, block["asks"]))
    text = " ".join(filter(None, (block["text"], block.get("note"))))
    return ExerciseSet(**(block | list_fields | {"name": name, "text": text, "hints": hints, "asks": asks}))


def ask_of(block: Mapping[str, Any]) -> Ask:
    """The subject of a question in a block of a data file, with defaults for missing keys."""
    models = tuple(block.get("models", ()))
    model = model_named(models[0] if models else BASE)
    question = Question(model, block.get("class", BARE), block.get("part", ""), block.get("tag", ""))
    if "lines" in block:
        return _ask_with_declared_sum(block, question, models)
    model_class = question.model_class
    part = question.part
    tag = question.tag
    part_in_words = block.get("words") or (words.in_words(Part(part, tag)) if part or tag else words.NOUNS[""])
    lines = in_letters(model.name, model_class, part, tag)
    return Ask(model_class, part, tag, part_in_words, question.polynomial.formula(), lines, hint(lines), models=models)


def _ask_with_declared_sum(block: Mapping[str, Any], question: Question, models: tuple[str, ...]) -> Ask:
    """The subject of a question with a declared sum. The engine derives the formula unless the file declares it too."""
    lines = lines_of(block["lines"])
    changes = tuple(block.get("changes", ()))
    step = f"{LORA_HINT} {hint(lines)}" if changes and changes[0].startswith("lora") else hint(lines)
    ask = Ask(
        model_class=question.model_class,
        part=question.part,
        tag=question.tag,
        words=block["words"],
        formula=block.get("formula", ""),
        lines=lines,
        step=step,
        changes=changes,
        models=models,
        cost=block.get("cost", 0),
        kinds=tuple(block.get("kinds", PRODUCTS)),
        wrong_lines=tuple((text, LetterLine("", summands_of(terms, lines))) for text, terms in block.get("known", ())),
        single=block.get("single", ""),
        has_declared_sum=True,
    )
    if ask.formula:
        return ask
    polynomial = ask.operations(question) if ask.cost else ChangedModel.build(question, changes).trainable_formula
    return ask._replace(formula=polynomial.formula())


def set_and_seed(text: str) -> tuple[str, int]:
    """The set and the seed of an exercise, given as in data files: `layer:7`."""
    name, _, seed = text.partition(":")
    return name, int(seed)


BRACES = re.compile(r"\{(\w+)\}")
"""Matches a name in braces, which is filled in for each variant."""


def fill(text: str, **values: object) -> str:
    """The text with its names in braces filled in.

    Like the scripts and unlike `str.format`, this leaves all other braces alone.

    Raises:
        KeyError: a name has no value; a test fills in every text.

    >>> fill("{letter} = {number}", letter="H", number="768")
    'H = 768'
    """
    return BRACES.sub(lambda match: str(values[match[1]]), text)
