"""A question about a model that is changed, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..errors import BadChange
from ..memory import BYTES, buffers_of
from ..polynomials import BUT_FIRST, Polynomial, Term, added
from ..question import Item, Question
from ..sum_lines import Line, lines_of
from .making import Making, all_sizes, built, plain, value_of
from .methods import Change
from .rows import COPIED, ChangedRow, Rows

BESIDE = ("PEFT", "adapters")
"""Libraries that wrap a model in one method."""


class Step(NamedTuple):
    """What one change adds: to all that there is, in letters and as a number, and to what is trained."""

    change: Change
    formula: str
    value: int
    trainable: int


@dataclass(frozen=True)
class Changed:
    """A question about a model that is changed: what is trained of it, what there is, and what it takes.

    An operation says in `do` what is done, and to which rows: those `under` a path, with a `tag`, or of the
    modules that `at` names: by words, by an option of the method, as `head` (a head of which PEFT trains a copy),
    or as `outside` of the body. `needs` and `lacks` name an option without and with which nothing is done.

    Unit: elements, not bytes, where nothing else is said. What is tied counts once, at its owner.

    Attributes:
        asked: the plain model in a class.
        changes: what is done to it, in this order; a model is built before anything is done to it.
    """

    asked: Question
    changes: tuple[Change, ...] = ()

    @classmethod
    def of(cls, asked: Question, changes: Iterable[str]) -> Changed:
        """A changed model.

        Raises:
            BadChange: a change that is none, or that does not fit the class or a change before it.
            CountingError: as for `Question`.
        """
        found = cls(asked, tuple(sorted(map(Change.of, changes), key=lambda change: change.method.stage)))
        found._worked_out  # noqa: B018  whatever does not fit is refused at once
        return found

    @property
    def question(self) -> Question:
        """The model as it is built, before any of its rows is changed."""
        return self._worked_out[0]

    @property
    def rows(self) -> Rows:
        """Every row, in transformers' order, and then what was added."""
        return self._worked_out[1]

    @property
    def release(self) -> int:
        """The release of transformers that builds the model: the oldest that one of the changes needs."""
        return min((change.method.release for change in self.changes), default=5)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The sizes it is counted with, by letter; those of the changes are among them."""
        return all_sizes(self.question, self.changes)

    @cached_property
    def total(self) -> Polynomial:
        """All that there is."""
        return Polynomial(tuple(term for row in self.rows for term in row.all))

    @cached_property
    def trained(self) -> Polynomial:
        """All that is trained."""
        return Polynomial(tuple(term for row in self.rows for term in row.learnt))

    @cached_property
    def number(self) -> int:
        """How many parameters there are."""
        return self.total.value(self.sizes)

    @cached_property
    def trainable(self) -> int:
        """How many parameters are trained."""
        return self.trained.value(self.sizes)

    @property
    def share(self) -> float:
        """What is trained, as a share of all; of nothing, nothing."""
        return self.trainable / (self.number or 1)

    @property
    def elements(self) -> int:
        """How many elements store the weights, where several may be packed in one: what `numel()` adds up."""
        return sum(number * elements for _, _, number, elements in self._tensors())

    def weights_bytes(self, dtype: str = "float32") -> int:
        """The bytes of the weights; what is stored otherwise does not take those of the data type."""
        return sum(
            number * elements * (row.stored.width or BYTES[dtype]) for row, _, number, elements in self._tensors()
        )

    @property
    def scales_bytes(self) -> int:
        """The bytes of what is kept beside packed weights, to unpack them by."""
        found = 0
        for row, size, number, _ in self._tensors():
            stored = row.stored
            scales = sum(-(-size // each) * width for each, width in stored.scales)
            found += number * (scales + stored.rows * value_of(row.sides[0], self.sizes) + stored.offset)
        return found

    def bytes_of(self, dtype: str = "float32") -> int:
        """The bytes that the model takes."""
        return self.weights_bytes(dtype) + self.scales_bytes

    @property
    def buffers_bytes(self) -> int:
        """The bytes of buffers, which are no parameters: what the plain model has, and what a change keeps in some."""
        plain = sum(each.bytes for each in buffers_of(self.question.model, self.release))
        return plain + sum(row.buffered * size * number for row, size, number, _ in self._tensors())

    @property
    def footprint(self) -> int:
        """What transformers' `get_memory_footprint` says: it knows nothing of the scales beside packed weights."""
        return self.weights_bytes() + self.buffers_bytes

    def listed(self) -> Iterator[tuple[str, list[int], bool]]:
        """Name, shape and whether it is trained, of every tensor as its library lists them, in no particular order.

        Of two names for one tensor the first is its own, which in transformers 4 is always that of the owner. Pruned
        heads are not taken out of shapes.
        """
        architecture, sizes = self.question.architecture, self.sizes
        peft = [change.method for change in self.changes if change.method.library == "PEFT"]
        prefix = ("base_model." if peft[0].prompts else "base_model.model.") if peft else ""
        places = {row.path: place for place, row in enumerate(self.rows) if not row.added}
        tied = [row for row in self.rows if row.tied and self.release > 4]
        firsts = {row.tied: row for row in tied if places[row.path] < places[row.tied]}
        for row in self.rows:
            if row.tied or row.removed:
                continue
            name = firsts.get(row.path if not row.added else "", row).full_name
            name = f"{prefix}{name}" if row.path else name
            shape = [value_of(each, sizes) for each in row.listed_shape]
            for layer in range(row.is_but_first, architecture.depth(sizes) if row.layers else 1):
                place = architecture.layer_named(layer, sizes) if row.layers else ""
                is_trained = row.trained and not (row.first and layer < sizes[row.first])
                yield name.replace(architecture.layer_name, place) if place else name, shape, is_trained

    def _tensors(self) -> Iterator[tuple[ChangedRow, int, int, int]]:
        """Each row that counts: the weights of one such tensor, how many there are, and the elements of each."""
        for row in self.rows:
            if not row.tied:
                size = Polynomial((row.one,)).value(self.sizes)
                number = Polynomial((Term(1, (), row.layers),)).value(self.sizes)
                yield row, size, number, -(-size // row.stored.per)

    @cached_property
    def bridge(self) -> tuple[Step, ...]:
        """From the plain model to this one, change by change."""
        states = [Changed(self.asked, self.changes[:place]) for place in range(len(self.changes) + 1)]
        return tuple(_step(here, there) for here, there in pairwise(states))

    def sum_lines(self, *, trained: bool = False) -> tuple[Line, ...]:
        """The sum of all that there is, or of all that is trained, line by line."""
        items = [
            Item(f"{row.path}/{row.name}" if row.added or place else row.path, (), Polynomial((term,)), row.block)
            for row in self.rows
            for place, term in enumerate(row.learnt if trained else row.all)
        ]
        # A method may be called like a block, as that of cross-attention is.
        names = (*self.question.architecture.blocks, *(change.method.name for change in self.changes), COPIED)
        blocks = dict.fromkeys(names)
        return lines_of(items, blocks, self.sizes)

    @cached_property
    def _worked_out(self) -> tuple[Question, Rows]:
        """The model as it is built, and its rows after all changes."""
        question = self.asked
        if question.part or question.tag or question.deviations:
            raise BadChange("only a whole model, counted rightly, is changed; ask about one")
        letters = [letter for change in self.changes for letter in change.sizes]
        if twice := {letter for letter in letters if letters.count(letter) > 1}:
            raise BadChange(f"two changes give {', '.join(sorted(twice))}; make one of them")
        methods = [change.method for change in self.changes if change.method.library in BESIDE]
        if methods[1:]:
            titles = " and ".join(method.title for method in methods[:2])
            raise BadChange(f"{titles} are not put on one model at once; choose one of them")
        for change in self.changes:
            method, architecture = change.method, question.architecture
            if architecture.model_type in method.refused:
                name = architecture.name
                raise BadChange(f"{change}: {method.library} does not do this to {name}; choose another model")
            question = built(question, change)
        rows = tuple(plain(question, self.release))
        for change in self.changes:
            made = Making(self.asked, question, change, all_sizes(question, self.changes))
            for operation in change.method.does:
                rows = made.done(operation, rows)
        return question, rows


def _step(here: Changed, there: Changed) -> Step:
    """One change: what it adds."""
    change = there.changes[-1]
    pieces = []
    letter = next((letter for letter in change.sizes if letter in here.question.sizes), "")
    if letter:
        terms = (term for term in there.total.terms if {letter, BUT_FIRST.format(letter)} & {*term.factors})
        beside = Polynomial(tuple(_without(term, letter) for term in terms))
        old, new = here.sizes[letter], there.sizes[letter]
        pieces.append(f"({new:,} − {old:,})·({beside.formula()})")
    less = tuple(term._replace(coefficient=-term.coefficient) for term in here.total.terms)
    left = Polynomial((*there.total.terms, *less)).simplified().terms
    if more := tuple(term for term in left if term.coefficient):
        pieces.append(Polynomial(more).formula())
    return Step(change, added(pieces) or "0", there.number - here.number, there.trainable - here.trainable)


def _without(term: Term, letter: str) -> Term:
    """What stands beside a letter."""
    letters, layers = (
        tuple(each for each in some if each not in (letter, BUT_FIRST.format(letter)))
        for some in (term.letters, term.layers)
    )
    return term._replace(letters=letters, layers=layers)
