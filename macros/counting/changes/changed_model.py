"""A model after changes: its parameters, its trainable parameters, and the bytes that they take up in memory.

`ChangedModel` sorts its changes, builds the model, and applies every operation to its
rows. Every number that it returns is derived from the resulting rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import groupby, pairwise
from math import prod
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..errors import BadChange
from ..frameworks.listing import checked_layer_count
from ..frameworks.names import google_name
from ..memory import BYTES, MemoryItems, buffers_of
from ..polynomials import ALL_BUT_FIRST, Polynomial, Term, number_of, sum_text
from ..question import Item, Question
from ..rounding import quotient_rounded_up
from ..steps import Step
from ..sum_lines import Line, lines_of
from .applying import Applier, all_sizes, plain_rows, question_after, value_of
from .methods import Change
from .rows import COPIED, ChangedRow, Rows

WRAPPING_LIBRARIES = ("PEFT", "adapters")
"""The libraries that wrap a model. A model can be wrapped only once, so at most one change may come from them."""

MAX_CHANGES = 20
"""The maximum number of changes. The bridge counts the model after each of them, which takes seconds for a hundred."""


@dataclass(frozen=True, kw_only=True)
class ChangeStep(Step):
    """The effect of one change on the total and on the trainable parameters. Its name is the text of the change.

    Attributes:
        trainable: the increase in trainable parameters; negative if there are fewer.
    """

    trainable: int


class ChangedTensor(NamedTuple):
    """One tensor of a changed model.

    Attributes:
        row: the row that describes it; tensors that differ only in their layer have the same row.
        layer: the number of its layer, counted from 0; also 0 for a tensor outside the layers.
        name: its full name in the library.
        is_trained: whether it is trained.
    """

    row: ChangedRow
    layer: int
    name: str
    is_trained: bool


@dataclass(frozen=True, eq=False)  # a change cannot be hashed, and `build` returns equal models as the same object
class ChangedModel:
    """A model with changes, and every number that follows from its rows.

    Numbers count parameters unless stated otherwise. A tied tensor counts once, with its owner.

    Attributes:
        unchanged_question: a question about the model before its changes.
        changes: the changes in the order in which they take effect; see the docstring of this
            package.
    """

    unchanged_question: Question
    changes: tuple[Change, ...] = ()

    @classmethod
    def build(cls, question: Question, changes: Iterable[str]) -> ChangedModel:
        """The model after some changes.

        Args:
            question: a question about the whole unchanged model, without deviations.
            changes: the changes, written as on the command line.

        Raises:
            BadChange: a change cannot be read, or does not fit the class or the other changes; or there are too many.
            BadConfig: a change sets an impossible size, or names one layer of a model that has too many.
            CountingError: as for `Question`.
        """
        return _built(question, tuple(changes))

    @property
    def question(self) -> Question:
        """The question about the model as it is built, before any of its rows is changed."""
        return self._question_and_rows[0]

    @property
    def rows(self) -> Rows:
        """Every row: the model's own in the order of transformers, and then those that changes have added."""
        return self._question_and_rows[1]

    @property
    def release(self) -> int:
        """The major release of transformers that builds the model: the oldest that a change needs."""
        return min((change.method.release for change in self.changes), default=5)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The sizes by letter, including those that the changes set."""
        return all_sizes(self.question, self.changes)

    @cached_property
    def total_formula(self) -> Polynomial:
        """The number of parameters as a symbolic formula."""
        return Polynomial(tuple(term for row in self.rows for term in row.terms))

    @cached_property
    def trainable_formula(self) -> Polynomial:
        """The number of trainable parameters as a symbolic formula."""
        return Polynomial(tuple(term for row in self.rows for term in row.trainable_terms))

    @property
    def blocks(self) -> dict[str, Polynomial]:
        """The parameters in each block: first the architecture's blocks, then what methods have added or copied."""
        rows_by_block = {block: [row for row in self.rows if row.block == block] for block in self._block_names}
        return {
            block: Polynomial(tuple(term for row in rows for term in row.terms)).simplified()
            for block, rows in rows_by_block.items()
            if rows
        }

    @property
    def _block_names(self) -> list[str]:
        """The names that the blocks of rows may have, in the order of sums."""
        names = (*self.question.architecture.blocks, *(change.method.name for change in self.changes), COPIED)
        # A method and a block may have the same name, as for cross-attention.
        return list(dict.fromkeys(names))

    @cached_property
    def number(self) -> int:
        """The number of parameters."""
        return self.total_formula.value(self.sizes)

    @cached_property
    def trainable(self) -> int:
        """The number of trainable parameters."""
        return self.trainable_formula.value(self.sizes)

    @property
    def share(self) -> float:
        """The trainable parameters as a fraction of all; zero for a model without parameters."""
        return self.trainable / (self.number or 1)

    @property
    def elements(self) -> int:
        """The sum of `numel()` over all parameters. One element may hold several packed weights."""
        return sum(number * elements for _, _, number, elements in self._sized_rows)

    @property
    def packing(self) -> dict[int, tuple[int, int]]:
        """The numbers of weights and of elements that store them, by the number of weights in one element.

        The key 1 is for unpacked weights.
        """
        pairs: dict[int, tuple[int, int]] = {}
        for row, size, number, elements in self._sized_rows:
            weights, elements_so_far = pairs.get(row.storage.per, (0, 0))
            pairs[row.storage.per] = weights + number * size, elements_so_far + number * elements
        return pairs

    def weight_items(self, dtype: str = "float32") -> tuple[MemoryItems, ...]:
        """The elements that store the weights, by kind of storage.

        Args:
            dtype: the data type of weights whose storage does not set a width.
        """
        numbers: Counter[tuple[str, int]] = Counter()
        for row, _, number, elements in self._sized_rows:
            per_element = row.storage.per
            element_bytes = row.storage.width
            kind = f"weight in {8 * element_bytes} bits" if element_bytes else f"weight in {dtype}"
            if per_element > 1:
                kind = f"element of {per_element} weights"
            numbers[kind, element_bytes or BYTES[dtype]] += number * elements
        return tuple(MemoryItems(kind, number, item_bytes) for (kind, item_bytes), number in numbers.items())

    def weights_bytes(self, dtype: str = "float32") -> int:
        """The bytes of the weights; `dtype` is as for `weight_items`."""
        return sum(items.bytes for items in self.weight_items(dtype))

    @property
    def scale_items(self) -> tuple[MemoryItems, ...]:
        """The scales and offsets of packed weights, by their scope: a block of weights, a row or a matrix."""
        numbers: Counter[tuple[str, int]] = Counter()
        for row, size, number, _ in self._sized_rows:
            storage = row.storage
            for weights, scale_bytes in storage.scales:
                blocks = quotient_rounded_up(size, weights)
                numbers[f"block of {weights:,} weights", scale_bytes] += number * blocks
            numbers["row of a matrix", storage.rows] += number * value_of(row.sides[0], self.sizes)
            numbers["matrix", storage.offset] += number
        return tuple(
            MemoryItems(kind, number, item_bytes) for (kind, item_bytes), number in numbers.items() if item_bytes
        )

    @property
    def scales_bytes(self) -> int:
        """The bytes of the scales and offsets of packed weights."""
        return sum(items.bytes for items in self.scale_items)

    def bytes_of(self, dtype: str = "float32") -> int:
        """The bytes of the weights and of their scales and offsets; `dtype` is as for `weight_items`."""
        return self.weights_bytes(dtype) + self.scales_bytes

    @property
    def buffers_bytes(self) -> int:
        """The bytes of all buffers, including those that changes add. Buffers are not parameters."""
        unchanged_bytes = sum(buffer.bytes for buffer in buffers_of(self.question.model, self.release))
        return unchanged_bytes + sum(
            row.buffer_bytes * number + row.extra_buffer_bytes for row, _, number, _ in self._sized_rows
        )

    @property
    def footprint(self) -> int:
        """The number of bytes that `get_memory_footprint` in transformers returns; it leaves out scales and offsets."""
        return self.weights_bytes() + self.buffers_bytes

    def listing(self) -> Iterator[tuple[str, list[int], bool]]:
        """Every tensor in the order of `changed_tensors`: its name and shape in its library, and whether it is trained.

        A tied tensor has the first of its names in transformers 5, and its owner's name in transformers 4. Shapes
        still include pruned heads, because a change does not specify which layers lose them.

        Raises:
            BadConfig: as for `changed_tensors`.
        """
        return ((tensor.name, self._shape(tensor.row), tensor.is_trained) for tensor in self.changed_tensors())

    def changed_tensors(self) -> Iterator[ChangedTensor]:
        """Every tensor under its name after wrapping. A tied tensor is listed once, in the place of its owner.

        Raises:
            BadConfig: the model has too many layers for a listing.
        """
        return self._changed_tensors(checked_layer_count(self.question.model))

    def ledger_rows(self) -> Iterator[dict[str, Any]]:
        """Every tensor as a row of a ledger, marked as trained or frozen.

        The numbers add up to the total. Shapes depend on the layers that lose heads, which a change does not name.
        Here heads are pruned layer by layer from the first, and every layer keeps at least one.

        Raises:
            BadConfig: as for `changed_tensors`.
        """
        return self._ledger_rows(self.changed_tensors())

    def _changed_tensors(self, depth: int) -> Iterator[ChangedTensor]:
        """Every tensor of a model with `depth` layers, in the order of transformers, under its name after wrapping."""
        architecture = self.question.architecture
        sizes = self.sizes
        # PEFT wraps the whole model, and puts the name of the wrapper before every other name.
        peft_methods = [change.method for change in self.changes if change.method.library == "PEFT"]
        prefix = ""
        if peft_methods:
            prefix = "base_model." if peft_methods[0].only_adds_prompts else "base_model.model."
        # A tied tensor has the name that transformers lists first, which need not be its owner's.
        index_of = {row.path: index for index, row in enumerate(self.rows) if not row.addition}
        tied_rows = [row for row in self.rows if row.tied_to and self.release > 4]
        first_of_owner = {row.tied_to: row for row in tied_rows if index_of[row.path] < index_of[row.tied_to]}
        listed_rows = (row for row in self.rows if not row.tied_to and not row.is_removed)
        for is_per_layer, group in groupby(listed_rows, key=lambda row: bool(row.layers) or row.layer is not None):
            names = [(row, first_of_owner.get(row.path if not row.addition else "", row).full_name) for row in group]
            # A prompt, which has no path, is not part of the model that PEFT wraps.
            full_names = [(row, f"{prefix}{name}" if row.path else name) for row, name in names]
            for layer in range(depth if is_per_layer else 1):
                layer_name = architecture.numbered_layer_name(layer, sizes) if is_per_layer else ""
                for row, name in full_names:
                    if (
                        layer in row.split_layers
                        or row.layer not in (None, layer)
                        or (not layer and row.skips_first_layer)
                    ):
                        continue
                    is_frozen = bool(row.frozen_letter) and layer < sizes[row.frozen_letter]
                    yield ChangedTensor(
                        row,
                        layer,
                        name.replace(architecture.layer_name, layer_name) if layer_name else name,
                        is_trained=row.is_trained and not is_frozen,
                    )

    def _ledger_rows(self, changed_tensors: Iterator[ChangedTensor]) -> Iterator[dict[str, Any]]:
        """The rows of the ledger for some tensors, with a running total."""
        architecture = self.question.architecture
        google_names = {row.path: google_name(row) for row in architecture.rows} if architecture is BERT else {}
        shape_and_formula = cache(self._shape_and_formula)  # the shapes are the same in most layers
        pruned_in = cache(self._pruned_in)
        running_total = 0
        for row, layer, name, is_trained in changed_tensors:
            shape, formula = shape_and_formula(row, pruned_in(layer))
            google_bert = None if row.addition else google_names.get(row.path)
            if google_bert:
                google_bert = google_bert.replace("*", str(layer))
            running_total += prod(shape)
            yield {
                "transformers": name,
                "google_bert": google_bert,
                "shape": shape,
                "formula": formula,
                "count": prod(shape),
                "running_total": running_total,
                "tied_to": None,
                "block": row.block,
                "trained": is_trained,
            }

    def _shape_and_formula(self, row: ChangedRow, pruned_heads: int) -> tuple[list[int], str]:
        """The shape of a tensor in a layer that loses `pruned_heads` heads, and the formula of its elements."""
        shape = self._shape(row)
        terms: tuple[Term, ...] = (row.elements_per_tensor,)
        removed_row = next(
            (candidate for candidate in self.rows if candidate.is_removed and candidate.path == row.path), None
        )
        if pruned_heads and removed_row and not row.addition:
            removed_term = removed_row.elements_per_tensor
            terms = (row.elements_per_tensor, removed_term.times(pruned_heads))
            # A head is cut out along the side in which the shape of the removed piece differs. That side of the piece
            # has the width of a head, D.
            sides = zip(shape, row.listed_shape, removed_row.listed_shape, strict=True)
            shape = [
                size if removed_side == side else size - pruned_heads * value_of(removed_side, self.sizes)
                for size, side, removed_side in sides
            ]
        return shape, Polynomial(terms).formula()

    def _pruned_in(self, layer: int) -> int:
        """The number of heads pruned from a layer, if the first layers lose as many as possible and keep one each."""
        limit = self.sizes["A"] - 1
        return max(0, min(limit, self.sizes.get("h", 0) - layer * limit))

    def _shape(self, row: ChangedRow) -> list[int]:
        """The shape of a row in its library, in numbers."""
        return [value_of(dimension, self.sizes) for dimension in row.listed_shape]

    @cached_property
    def _sized_rows(self) -> tuple[tuple[ChangedRow, int, int, int], ...]:
        """Every row that is not tied, with three numbers.

        They are the weights in one of its tensors, the number of these tensors, and the elements that store one of
        them. A row that is subtracted has a negative number of weights.
        """
        sized_rows = []
        for row in self.rows:
            if not row.tied_to:
                size = Polynomial((row.elements_per_tensor,)).value(self.sizes)
                number = Polynomial(row.tensor_terms).value(self.sizes)
                sized_rows.append((row, size, number, quotient_rounded_up(size, row.storage.per)))
        return tuple(sized_rows)

    @cached_property
    def bridge(self) -> tuple[ChangeStep, ...]:
        """The steps from the unchanged model to this one: one per change, even if the change adds nothing."""
        models = [ChangedModel(self.unchanged_question, self.changes[:count]) for count in range(len(self.changes) + 1)]
        return tuple(_step(start, end) for start, end in pairwise(models))

    def sum_lines(self, *, only_trained: bool = False) -> tuple[Line, ...]:
        """The lines of the sum of all parameters, or of the trained ones; see `lines_of`."""
        items = [
            # Every item needs a path of its own. An added row has the path of the row beside it, and the
            # terms of a row all have its path.
            Item(f"{row.path}/{row.name}" if row.addition or index else row.path, (), Polynomial((term,)), row.block)
            for row in self.rows
            for index, term in enumerate(row.trainable_terms if only_trained else row.terms)
        ]
        return lines_of(items, self._block_names, self.sizes)

    @cached_property
    def _question_and_rows(self) -> tuple[Question, Rows]:
        """The question about the model that is built, and its rows after all changes.

        Raises:
            BadChange: a change does not fit the model or another change.
            BadConfig: as for `build`.
        """
        question = self.unchanged_question
        if question.part or question.tag or question.deviations:
            raise BadChange("only a whole model without deviations can be changed; leave out the part, tag or mistake")
        letters = [letter for change in self.changes for letter in change.sizes]
        if repeated_letters := {letter for letter in letters if letters.count(letter) > 1}:
            raise BadChange(f"two changes give {', '.join(sorted(repeated_letters))}; make one of them")
        wrapping_methods = [change.method for change in self.changes if change.method.library in WRAPPING_LIBRARIES]
        if len(wrapping_methods) > 1:
            titles = " and ".join(method.title for method in wrapping_methods[:2])
            raise BadChange(f"{titles} cannot change one model at once; choose one of them")
        for change in self.changes:
            method = change.method
            architecture = question.architecture
            if architecture.model_type in method.refused_types:
                name = architecture.name
                raise BadChange(f"{change}: {method.library} does not do this to {name}; choose another model")
            question = question_after(question, change)
        rows = tuple(plain_rows(question, self.release))
        for change in self.changes:
            applier = Applier(self.unchanged_question, question, change, all_sizes(question, self.changes))
            rows = tuple(applier.split(rows))
            for operation in change.method.does:
                rows = applier.apply(operation, rows)
        return question, rows


# Cached because pages, claims and searches ask for the same models; limited because a reader may ask for any number.
@lru_cache(maxsize=1_000)
def _built(question: Question, change_texts: tuple[str, ...]) -> ChangedModel:
    """The result of `ChangedModel.build`, with the same errors."""
    if len(change_texts) > MAX_CHANGES:
        raise BadChange(f"{len(change_texts)} changes are more than can be made to one model; make up to {MAX_CHANGES}")
    # The sort is stable: changes of one stage keep their order.
    changes = sorted(map(Change.parse, change_texts), key=lambda change: change.method.stage)
    model = ChangedModel(question, tuple(changes))
    model._question_and_rows  # noqa: B018  raises errors now rather than with the first number
    return model


def _step(start: ChangedModel, end: ChangedModel) -> ChangeStep:
    """The step from `start` to `end`, which has one more change.

    If the change sets a size that the model had before, the formula begins with the difference between the new size
    and the old.
    """
    change = end.changes[-1]
    pieces = []
    letter = next((letter for letter in change.sizes if letter in start.question.sizes), "")
    if letter:
        end_terms = (product for term in end.total_formula.terms for product in term.expanded)
        terms = (term for term in end_terms if {letter, ALL_BUT_FIRST.format(letter)} & {*term.all_letters})
        cofactor = Polynomial(tuple(_term_without(term, letter) for term in terms))
        old_size, new_size = start.sizes[letter], end.sizes[letter]
        pieces.append(f"({new_size:,} − {old_size:,})·({cofactor.formula()})")
    negated_terms = tuple(term.times(-1, term.layers) for term in start.total_formula.terms)
    all_terms = (product for term in (*end.total_formula.terms, *negated_terms) for product in term.expanded)
    difference = Polynomial(tuple(all_terms)).simplified()
    # The product above covers the effect of the new size, so the remaining terms are counted with the old one.
    remainder = Polynomial(
        tuple(_term_with_number(term, letter, start.sizes) for term in difference.terms)
    ).simplified()
    if remaining_terms := tuple(term for term in remainder.terms if term.coefficient):
        pieces.append(Polynomial(remaining_terms).formula())
    return ChangeStep(
        name=str(change),
        value=end.number - start.number,
        formula=sum_text(pieces) or "0",
        before=start.number,
        trainable=end.trainable - start.trainable,
    )


def _term_with_number(term: Term, letter: str, sizes: Mapping[str, int]) -> Term:
    """The term with numbers in place of one letter, such as L, and of the same letter less one, (L − 1)."""
    value = prod(
        number_of(factor, sizes) for factor in term.all_letters if factor in (letter, ALL_BUT_FIRST.format(letter))
    )
    return _term_without(term, letter)._replace(coefficient=value * term.coefficient)


def _term_without(term: Term, letter: str) -> Term:
    """The term without the factors that contain one letter, such as L and (L − 1)."""
    excluded_factors = (letter, ALL_BUT_FIRST.format(letter))
    return term._replace(
        letters=tuple(factor for factor in term.letters if factor not in excluded_factors),
        layers=tuple(factor for factor in term.layers if factor not in excluded_factors),
    )
