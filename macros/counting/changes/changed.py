"""A question about a model that is changed, and its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise
from math import prod
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..errors import BadChange
from ..frameworks.listing import listed_layers
from ..frameworks.names import google_name
from ..memory import BYTES, Kept, buffers_of
from ..polynomials import BUT_FIRST, Polynomial, Term, added, sized
from ..question import Item, Question
from ..steps import Step
from ..sum_lines import Line, lines_of
from .making import Making, all_sizes, built, plain, value_of
from .methods import Change
from .rows import COPIED, ChangedRow, Rows

BESIDE = ("PEFT", "adapters")
"""Libraries that wrap a model in one method."""


MOST_CHANGES = 20
"""The bridge compares the model after each change with the one before, so a hundred changes take seconds."""


@dataclass(frozen=True, kw_only=True)
class ChangeStep(Step):
    """What one change, which is its name, adds to the total, and how many more parameters are `trainable` then."""

    trainable: int


class ChangedTensor(NamedTuple):
    """One tensor of a changed model: its row, the number of its layer, its name there, and whether it is trained."""

    row: ChangedRow
    layer: int
    name: str
    trained: bool


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
        listed = list(changes)
        if len(listed) > MOST_CHANGES:
            raise BadChange(f"{len(listed)} changes are more than can be made to one model; make up to {MOST_CHANGES}")
        found = cls(asked, tuple(sorted(map(Change.of, listed), key=lambda change: change.method.stage)))
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

    @property
    def packed(self) -> dict[int, tuple[int, int]]:
        """The weights and their elements, by how many weights are packed in an element."""
        found: dict[int, tuple[int, int]] = {}
        for row, size, number, elements in self._tensors():
            weights, before = found.get(row.stored.per, (0, 0))
            found[row.stored.per] = weights + number * size, before + number * elements
        return found

    def weights_kept(self, dtype: str = "float32") -> tuple[Kept, ...]:
        """The elements of the weights; what is stored otherwise does not take the bytes of the data type."""
        found: Counter[tuple[str, int]] = Counter()
        for row, _, number, elements in self._tensors():
            per, width = row.stored.per, row.stored.width
            form = f"weight in {8 * width} bits" if width else f"weight in {dtype}"
            found[f"element of {per} weights" if per > 1 else form, width or BYTES[dtype]] += number * elements
        return tuple(Kept(what, many, each) for (what, each), many in found.items())

    def weights_bytes(self, dtype: str = "float32") -> int:
        """The bytes of the weights."""
        return sum(each.bytes for each in self.weights_kept(dtype))

    @property
    def scales_kept(self) -> tuple[Kept, ...]:
        """What is kept beside packed weights, to unpack them by."""
        found: Counter[tuple[str, int]] = Counter()
        for row, size, number, _ in self._tensors():
            stored = row.stored
            for weights, width in stored.scales:
                found[f"block of {weights:,} weights", width] += number * -(-size // weights)
            found["row of a matrix", stored.rows] += number * value_of(row.sides[0], self.sizes)
            found["matrix", stored.offset] += number
        return tuple(Kept(what, many, each) for (what, each), many in found.items() if each)

    @property
    def scales_bytes(self) -> int:
        """The bytes of what is kept beside packed weights."""
        return sum(each.bytes for each in self.scales_kept)

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

        Raises:
            BadConfig: as for `each_tensor`.
        """
        return ((each.name, self._shape(each.row), each.trained) for each in self.each_tensor())

    def each_tensor(self) -> Iterator[ChangedTensor]:
        """Every tensor that there is, layer by layer, and then what was added; what is tied is listed at its owner.

        Raises:
            BadConfig: the model has too many layers for a listing.
        """
        return self._each_tensor(listed_layers(self.question.model))

    def ledger_rows(self) -> Iterator[dict[str, Any]]:
        """Every tensor as a row of a ledger, which also says whether it is trained.

        The numbers add up to the total. Where heads are pruned, the first layers lose theirs, all but one each: a
        total does not depend on which layers do, and a shape does.

        Raises:
            BadConfig: as for `each_tensor`.
        """
        return self._ledger_rows(self.each_tensor())

    def _each_tensor(self, depth: int) -> Iterator[ChangedTensor]:
        architecture, sizes = self.question.architecture, self.sizes
        peft = [change.method for change in self.changes if change.method.library == "PEFT"]
        prefix = ("base_model." if peft[0].prompts else "base_model.model.") if peft else ""
        places = {row.path: place for place, row in enumerate(self.rows) if not row.added}
        tied = [row for row in self.rows if row.tied and self.release > 4]
        firsts = {row.tied: row for row in tied if places[row.path] < places[row.tied]}
        present = (row for row in self.rows if not row.tied and not row.removed)
        for in_layers, group in groupby(present, key=lambda row: bool(row.layers)):
            rows = list(group)
            for layer in range(depth if in_layers else 1):
                place = architecture.layer_named(layer, sizes) if in_layers else ""
                for row in rows:
                    if row.is_but_first and not layer:
                        continue
                    name = firsts.get(row.path if not row.added else "", row).full_name
                    name = f"{prefix}{name}" if row.path else name
                    is_trained = row.trained and not (row.first and layer < sizes[row.first])
                    yield ChangedTensor(
                        row, layer, name.replace(architecture.layer_name, place) if place else name, is_trained
                    )

    def _ledger_rows(self, listed: Iterator[ChangedTensor]) -> Iterator[dict[str, Any]]:
        architecture = self.question.architecture
        google = {row.path: google_name(row) for row in architecture.rows} if architecture is BERT else {}
        shape_and_formula = cache(self._shape_and_formula)  # most layers are alike
        running = 0
        for row, layer, name, is_trained in listed:
            shape, formula = shape_and_formula(row, self._pruned_in(layer))
            google_bert = None if row.added else google.get(row.path)
            running += prod(shape)
            yield {
                "transformers": name,
                "google_bert": google_bert and google_bert.replace("*", str(layer)),
                "shape": shape,
                "formula": formula,
                "count": prod(shape),
                "running_total": running,
                "tied_to": None,
                "trained": is_trained,
            }

    def _shape_and_formula(self, row: ChangedRow, pruned: int) -> tuple[list[int], str]:
        """The shape of a tensor in a layer that has lost so many heads, and its elements in letters."""
        shape = self._shape(row)
        terms: tuple[Term, ...] = (row.one,)
        removed = next((each for each in self.rows if each.removed and each.path == row.path), None)
        if pruned and removed and not row.added:
            terms = (row.one, removed.one._replace(coefficient=pruned * removed.one.coefficient))
            sides = zip(shape, row.listed_shape, removed.listed_shape, strict=True)
            shape = [
                size if taken == side else size - pruned * value_of(taken, self.sizes) for size, side, taken in sides
            ]
        return shape, Polynomial(terms).formula()

    def _pruned_in(self, layer: int) -> int:
        """How many heads a layer loses, where the first layers lose all but one."""
        most = self.sizes["A"] - 1
        return max(0, min(most, self.sizes.get("h", 0) - layer * most))

    def _shape(self, row: ChangedRow) -> list[int]:
        return [value_of(each, self.sizes) for each in row.listed_shape]

    def _tensors(self) -> Iterator[tuple[ChangedRow, int, int, int]]:
        """Each row that counts: the weights of one such tensor, how many there are, and the elements of each."""
        for row in self.rows:
            if not row.tied:
                size = Polynomial((row.one,)).value(self.sizes)
                number = Polynomial((Term(1, (), row.layers),)).value(self.sizes)
                yield row, size, number, -(-size // row.stored.per)

    @cached_property
    def bridge(self) -> tuple[ChangeStep, ...]:
        """From the plain model to this one, change by change; one that adds nothing is a step, too."""
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


def _step(here: Changed, there: Changed) -> ChangeStep:
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
    # A term that does not cancel is counted with the old size, since the product above has what the new one adds.
    left = tuple(_at(term, letter, here.sizes) for term in Polynomial((*there.total.terms, *less)).simplified().terms)
    if more := tuple(term for term in Polynomial(left).simplified().terms if term.coefficient):
        pieces.append(Polynomial(more).formula())
    return ChangeStep(
        name=str(change),
        value=there.number - here.number,
        formula=added(pieces) or "0",
        before=here.number,
        trainable=there.trainable - here.trainable,
    )


def _at(term: Term, letter: str, sizes: Mapping[str, int]) -> Term:
    """A term with its size in place of a letter."""
    times = prod(sized(each, sizes) for each in term.factors if each in (letter, BUT_FIRST.format(letter)))
    return _without(term, letter)._replace(coefficient=times * term.coefficient)


def _without(term: Term, letter: str) -> Term:
    """What stands beside a letter."""
    letters, layers = (
        tuple(each for each in some if each not in (letter, BUT_FIRST.format(letter)))
        for some in (term.letters, term.layers)
    )
    return term._replace(letters=letters, layers=layers)
