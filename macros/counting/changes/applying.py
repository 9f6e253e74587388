"""Applies the operations of a change, first to the question about a model and then to its rows.

`question_after` applies the operations `resize` and `choose`, which decide which model is
built; `plain_rows` returns the rows of this model; `Applier.apply` applies an operation
to them. Rows are never changed in place: every operation returns new rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from ..architecture import Choices
from ..errors import BadChange, BadChoice, BadConfig
from ..frameworks.listing import checked_layer_count
from ..frameworks.names import transformers_name
from ..memory import BYTES
from ..messages import message
from ..polynomials import Polynomial
from ..question import Question
from .divisors import LARGEST_WIDTH, factors_of_width, nearest_divisor
from .methods import CHANGES_FILE, Change, rules
from .rows import ADDED, COPIED, ChangedRow, Rows, StorageFormat
from .saving import Saver
from .selecting import Selector, is_skipped
from .targets import is_saved, is_target, modules_around

UNEQUAL_LAYERS = (
    "layers with pruned heads may differ, so heads are not pruned where some layers are frozen or weights packed"
)
"""The end of a message that refuses pruned heads together with a change that needs to know which layers lose heads."""


def all_sizes(question: Question, changes: Iterable[Change]) -> dict[str, int]:
    """The sizes by letter: those of a model, those that changes set, and D, the width of a head."""
    sizes = dict(question.sizes)
    for change in changes:
        sizes |= change.sizes
    return {**sizes, "D": sizes[question.architecture.letter_of_shared_width] // sizes["A"]}


def value_of(dimension: str, sizes: Mapping[str, int]) -> int:
    """The value of a dimension, which may be a product such as `2*L*H`."""
    return Polynomial.of_shape(dimension.replace("*", " ")).value(sizes)


def question_after(question: Question, change: Change) -> Question:
    """The question with the sizes or choices that a change sets; other changes leave it as it is.

    Raises:
        BadChange: the change has no effect in this class, or the class does not allow it.
        BadConfig: a new size is impossible.
    """
    for operation in change.method.does:
        if operation["do"] == "resize":
            question = _with_new_sizes(question, change)
        elif operation["do"] == "choose":
            choice = Choices(**{operation["choice"]: operation["value"]})
            question = _with_choice(question, choice, change.method.name)
    return question


def _with_new_sizes(question: Question, change: Change) -> Question:
    """The question with the sizes that a change sets.

    Raises:
        BadChange: one of these sizes occurs in no tensor of the class.
        BadConfig: one of these sizes is impossible.
    """
    name = question.resolved_class.name
    if any(name not in question.architecture.classes_with(letter) for letter in change.sizes):
        raise BadChange(f"{change}: changes nothing, since no tensor of {name} has this size")
    return question._replace(model=question.model.resized(**change.sizes))


def _with_choice(question: Question, choice: Choices, method: str) -> Question:
    """The question with a choice that the method of this name makes.

    Raises:
        BadChange: the choice has no effect in this class, or the class does not allow it.
    """
    new_question = question._replace(choices=choice.with_defaults(question.choices))
    try:
        is_same = new_question.rows == question.rows and new_question.number == question.number
    except BadChoice as error:
        raise BadChange(f"{method}: {error}") from None
    if is_same:
        raise BadChange(f"{method} changes nothing in {question.resolved_class.name}; choose another class")
    return new_question


def plain_rows(question: Question, release: int) -> Iterator[ChangedRow]:
    """The rows of a model as a release of transformers builds it, before any operation is applied to them."""
    architecture = question.architecture
    name = question.resolved_class.name
    is_tied = question.resolved_choices.tied
    # transformers 4 shares the bias of a decoder even if its weights are not shared.
    path_of_tied_bias = rules()["head_bias"] if release == 4 else ""
    for row in question.rows:
        yield ChangedRow(
            row.path,
            transformers_name(row, architecture, name),
            row.shape,
            architecture.layers_of(row),
            row.block,
            tied_to=row.tied_to if is_tied or row.tied_to == path_of_tied_bias else "",
        )


class _NamesWithDigits(NamedTuple):
    """The module names in a change that contain a digit, such as the number of a layer.

    Attributes:
        target_names: those that get adapters.
        saved_names: those that PEFT copies and trains.
        skipped_names: those that stay unpacked.
    """

    target_names: list[str]
    saved_names: list[str]
    skipped_names: list[str]

    @classmethod
    def of(cls, change: Change) -> _NamesWithDigits:
        """The module names with digits that a change gives in its options."""

        def names_in(*option_names: str) -> list[str]:
            """The names with digits in these options."""
            names = [name for option in option_names for name in change.options.get(option, ())]
            return [name for name in names if re.search("[0-9]", name)]

        return cls(names_in("modules", "feedforward"), names_in("save"), names_in("skip"))

    def matches(self, tensor_name: str) -> list[bool]:
        """The results of matching each of these names against a tensor and the modules around it, in a fixed order."""
        module = tensor_name.rpartition(".")[0]
        modules = [*modules_around(tensor_name)]
        return [
            *(is_target(outer_module, target_name) for target_name in self.target_names for outer_module in modules),
            *(is_saved(module, [name]) for name in self.saved_names),
            *(outer_module.endswith(name) for name in self.saved_names for outer_module in modules),
            *(is_skipped(module, name) for name in self.skipped_names),
        ]


class Applier(NamedTuple):
    """Applies one change to the rows of a model.

    Attributes:
        unchanged_question: the question about the unchanged model.
        question: the question about the model that is built, with the sizes and choices that changes set.
        change: the change to apply.
        sizes: all sizes by letter, including those that any change sets.
    """

    unchanged_question: Question
    question: Question
    change: Change
    sizes: Mapping[str, int]

    def apply(self, operation: Mapping[str, Any], rows: Rows) -> Rows:
        """The rows after an operation; the same rows if its conditions do not hold.

        Raises:
            CountingError: the operation cannot be applied to these rows.
        """
        options = self.change.options
        action = operation["do"]
        if operation.get("lacks") in options:
            return rows
        if "needs" in operation and operation["needs"] not in options:
            return rows
        if operation.get("of") not in (None, self.question.architecture.model_type):
            return rows
        if action in ("resize", "choose"):
            return self._with_resized_vocabulary(rows) if "V" in options else rows
        if action == "save":
            return tuple(Saver(self.question, self.change).save(rows, self.change.method.release))
        targets = Selector(self.question, self.change).select(operation, rows)
        if action == "remove":
            return (*rows, *self._subtracted_rows(operation, targets, rows))
        target_set = frozenset(targets)
        if action == "drop":
            return tuple(row for row in rows if row not in target_set)
        if action in ("add", "copy"):
            make_rows = self._added_rows if action == "add" else self._copied_rows
            return (*self._wrapped_rows(operation, targets, rows), *make_rows(operation, targets, rows))
        fields = self._new_fields(operation, rows)
        return tuple(_with_fields(row, fields) if row in target_set else row for row in rows)

    def split(self, rows: Rows) -> Iterator[ChangedRow]:
        """Yield the rows, split so that each layer which this change treats differently has a row of its own.

        A change treats layers differently if it names a module with the number of its layer in the name.

        Raises:
            BadConfig: the model has too many layers for a listing.
        """
        names = _NamesWithDigits.of(self.change)
        if not any(names):
            yield from rows
            return
        architecture = self.question.architecture
        depth = checked_layer_count(self.question.model)
        layer_names = {layer: architecture.numbered_layer_name(layer, self.sizes) for layer in range(depth)}
        for row in rows:
            names_by_layer = {
                layer: row.name.replace(architecture.layer_name, layer_name)
                for layer, layer_name in layer_names.items()
                if row.layers and not (row.skips_first_layer and not layer) and layer not in row.split_layers
            }
            # The row's own name has a star for the number, so it matches like a layer that no name singles out.
            matches_of_most = names.matches(row.name)
            split_names = {
                layer: name for layer, name in names_by_layer.items() if names.matches(name) != matches_of_most
            }
            yield from _split_row(row, split_names, len(names_by_layer))

    def _new_fields(self, operation: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
        """The fields that `freeze`, `train` or `store` set, with their new values.

        Raises:
            BadChange: more layers are frozen than there are, or the fields depend on which layers have lost heads.
        """
        if operation["do"] == "store":
            _check_heads(self.change, rows)
            fields = {key: operation[key] for key in StorageFormat._fields if key in operation}
            scales = tuple((weights, width) for weights, width in fields.get("scales", ()))
            return {"storage": StorageFormat(**{**fields, "scales": scales}), "is_trained": False}
        letter = operation.get("first", "")
        if letter:
            _check_heads(self.change, rows)
        depth = self.question.architecture.depth(self.sizes)
        if letter and self.sizes[letter] > depth:
            raise BadChange(
                f"{self.change}: freeze up to {depth}, the number of layers with weights of their own in "
                f"{self.question.model.name}"
            )
        if letter:
            return {"frozen_letter": letter, "frozen_layers": self.sizes[letter]}
        return {"frozen_letter": "", "frozen_layers": 0, "is_trained": operation["do"] == "train"}

    def _copied_rows(self, operation: Mapping[str, Any], targets: Rows, _: Rows) -> Iterator[ChangedRow]:
        """A trained copy of each selected row. The originals stay among the rows."""
        for row in targets:
            leaf = row.name.rpartition(".")[2]
            name = f"{row.module}.{operation['name']}.{leaf}"
            yield row._replace(addition=COPIED, block=COPIED, is_trained=True, name=name)

    def _wrapped_rows(self, operation: Mapping[str, Any], targets: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """All rows. Those in a module that PEFT wraps get the names under which PEFT keeps the originals."""
        is_wrapped = self.change.method.library == "PEFT" and (_is_beside_rows(operation) or operation["do"] == "copy")
        modules = {row.module for row in targets} if is_wrapped else ()
        if not modules:
            yield from rows
            return
        for row in rows:
            if not row.addition and row.module in modules:
                yield row._replace(wrapped_name=f"{row.module}.base_layer{row.name.removeprefix(row.module)}")
            else:
                yield row

    def _added_rows(self, operation: Mapping[str, Any], targets: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """The rows that are added: one beside each selected row that needs it, one for all, or one for the model.

        Raises:
            CountingError: heads are pruned, a size does not suit one of the rows, or an adapter's place is unknown.
        """
        name = operation["name"]
        shape = operation["shape"]
        if not _is_beside_rows(operation):
            yield ChangedRow("", name, shape, (), self.change.method.name, ADDED)
            return
        # Layers may lose different numbers of heads. Their matrices then differ in size, and so would their adapters.
        if any(row.is_removed for row in rows):
            raise BadChange(f"{self.change}: heads are pruned, so matrices may differ in size from layer to layer")
        self._check_limit(operation, targets)
        shared_bytes = self._shared_buffer_bytes(operation, targets)
        names = {row.name for row in rows}
        new_rows = []
        for index, row in enumerate(targets):
            module = row.module
            if self.change.method.library == "adapters" and "inside" not in operation:
                module = self._adapter_of(module)
            # A module that already has a tensor of this name, such as a bias, keeps it.
            if f"{module}.{name}" in names or not self._fits_rank(operation, row):
                continue
            row_buffers = (self._shape(operation, row, buffer) for buffer in operation.get("buffers", ()))
            new_rows.append(
                ChangedRow(
                    row.path,
                    f"{module}.{name}",
                    self._shape(operation, row, shape),
                    row.layers,
                    self.change.method.name,
                    ADDED,
                    is_trained=operation.get("trained", True),
                    buffer_bytes=sum(operation["width"] * value_of(buffer, self.sizes) for buffer in row_buffers),
                    layer=row.layer,
                    split_layers=row.split_layers,
                    extra_buffer_bytes=0 if index else shared_bytes,
                )
            )
        if operation.get("one"):
            yield from self._single_row(new_rows, targets, rows)
        else:
            yield from new_rows

    def _single_row(self, registrations: list[ChangedRow], targets: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """One row in place of several, for a single tensor that the library registers beside each of the targets.

        The row has the name that the library meets first on its walk through the model.

        Args:
            registrations: a row for each module in which the tensor is registered.
            targets: the row beside each of these.
            rows: all rows, in the order of the model.
        """
        if not registrations:
            return
        order = {row: index for index, row in enumerate(rows)}
        start_of_layers = min((index for row, index in order.items() if row.layers or row.layer is not None), default=0)

        def walking_order(pair: tuple[ChangedRow, ChangedRow]) -> tuple[bool, int, int]:
            """A key that sorts pairs of a registration and its target in the order of the walk through the model."""
            target = pair[1]
            is_after_layers = not target.layers and target.layer is None and order[target] > start_of_layers
            return is_after_layers, _first_layer(target), order[target]

        registration, target = min(zip(registrations, targets, strict=True), key=walking_order)
        layer = _first_layer(target) if target.layers else target.layer
        yield registration._replace(
            layers=(), layer=layer, split_layers=frozenset(), registrations=tuple(registrations)
        )

    def _shape(self, operation: Mapping[str, Any], row: ChangedRow, shape: str) -> str:
        """A shape that an operation gives, with the widths of the row beside it in place of words such as `in`.

        Raises:
            BadChange: a size does not divide a width of the row although it has to, or the width is too large for its
                divisors to be listed.
        """
        for letter, width in operation.get("divides", {}).items():
            for side in width.split():
                if letter in self.change.sizes and self._width(row, side) % self.sizes[letter]:
                    raise BadChange(
                        f"{self.change}: {letter} has to divide the widths of every matrix, and "
                        f"{self._width(row, side):,}, a width of {row.module}, is not divisible by {self.sizes[letter]}"
                    )
        for letter, side in operation.get("nearest", {}).items():
            if letter in self.change.sizes and self._width(row, side) % self.sizes[letter]:
                divisor = nearest_divisor(self._width(row, side, needs_divisors=True), self.sizes[letter])
                shape = re.sub(rf"\b{letter}\b", str(divisor), shape)
        for side in re.findall(r"\b(in|out)_[12]\b", shape):
            factors = factors_of_width(self._width(row, side, needs_divisors=True), self.change.sizes.get("d", 0))
            for number, factor in enumerate(factors, start=1):
                shape = shape.replace(f"{side}_{number}", str(factor))
        return row.shape_beside(shape)

    def _width(self, row: ChangedRow, side: str, *, needs_divisors: bool = False) -> int:
        """The input width of a row if `side` is `in`, or its output width if it is `out`.

        Raises:
            BadChange: its divisors are needed, and it is too large for them to be listed.
        """
        width = value_of(row.shape_beside(side), self.sizes)
        if needs_divisors and width > LARGEST_WIDTH:
            raise BadChange(f"{self.change}: {row.module} is too wide to look for the divisors of {width:,}")
        return width

    def _fits_rank(self, operation: Mapping[str, Any], row: ChangedRow) -> bool:
        """Whether an operation applies to a row. Some apply only if the rank is low, others only if it is not.

        The rank is low if it is less than half of the longer of the sides that the operation names.
        """
        for key, is_for_low in (("low", True), ("full", False)):
            if key in operation:
                longer_side = max(
                    value_of(side, self.sizes) for side in self._shape(operation, row, operation[key]).split()
                )
                return (2 * self.sizes["r"] < longer_side) == is_for_low
        return True

    def _check_limit(self, operation: Mapping[str, Any], targets: Rows) -> None:
        """Refuse a size that is too large for one of the rows, if the operation sets a limit.

        Raises:
            BadChange: the size is above the limit.
        """
        if "most" not in operation:
            return
        letter, number = next(iter(self.change.sizes.items()))
        limit = min((value_of(row.shape_beside(operation["most"]), self.sizes) for row in targets), default=0)
        if targets and number > limit:
            raise BadChange(
                f"{self.change}: {letter} is more than {limit}, the most for the smallest of these matrices"
            )

    def _shared_buffer_bytes(self, operation: Mapping[str, Any], targets: Rows) -> int:
        """The bytes of the buffers that all selected rows share. Each buffer is as long as the widest row requires."""
        return BYTES["float32"] * sum(
            max((value_of(row.shape_beside(shape), self.sizes) for row in targets), default=0)
            for shape in operation.get("shared", ())
        )

    def _adapter_of(self, module: str) -> str:
        """The module in which the adapters library keeps the adapter that follows `module`.

        Raises:
            BadConfig: the data gives no such place for a module with this name.
        """
        adapter_suffixes: Mapping[str, str] = rules()["beside"]
        module_suffix = next((suffix for suffix in adapter_suffixes if module.endswith(suffix)), "")
        # A guess could give the adapter a wrong name, so the author of a new architecture has to add a line.
        if not module_suffix:
            raise BadConfig(
                f"{self.change}: an adapter would follow {module} of {self.question.architecture.name}, and no line "
                f"under [beside] in {CHANGES_FILE.name} says where the library holds it; known are modules that end "
                f"with {', '.join(adapter_suffixes)}; add a line for how {module} ends"
            )
        return module.removesuffix(module_suffix) + adapter_suffixes[module_suffix]

    def _subtracted_rows(self, operation: Mapping[str, Any], targets: Rows, rows: Rows) -> Iterator[ChangedRow]:
        """The part of each selected row that belongs to a pruned head, as rows that are subtracted.

        Raises:
            BadChange: too many heads are pruned, or the rows have changes that do not go with pruned heads.
        """
        head_count = self.question.architecture.depth(self.sizes) * self.sizes["A"]
        if self.question.architecture.layers != ("L",):
            raise BadChange(f"{self.change}: layers of {self.question.architecture.name} share their heads")
        # transformers keeps at least one head in each layer.
        limit = head_count - self.sizes["L"]
        if self.sizes["h"] > limit:
            raise BadChange(f"{self.change}: {message('pruned-heads', heads=head_count, most=limit)}")
        if any(row.addition for row in rows):
            raise BadChange(
                f"{self.change}: prune before anything is added, because added tensors would have other sizes"
            )
        for row in targets:
            if row.storage.width or row.frozen_letter:
                raise BadChange(f"{self.change}: {UNEQUAL_LAYERS}")
            shape = row.shape_beside(operation["shape"])
            yield row._replace(shape=shape, layers=("h",), is_removed=True, name=f"{row.name} of pruned heads")

    def _with_resized_vocabulary(self, rows: Rows) -> Rows:
        """The rows after the vocabulary has been resized.

        An untied head has two biases. In some classes, `resize_token_embeddings` merges them into one tensor; in the
        others, the first one keeps its old length, and so does a single bias that does not belong to the decoder.
        """
        head_bias = rules()["head_bias"]
        model_class = self.question.resolved_class.name
        second_bias = next((row for row in self.question.rows if row.tied_to == head_bias), None)
        has_one_bias = not second_bias or self.question.resolved_choices.tied
        if has_one_bias and model_class not in rules()["alone"]:
            return rows
        if second_bias and model_class in rules()["rebound"]:
            return tuple(row for row in rows if row.path != second_bias.path)
        old_length = str(self.unchanged_question.model.sizes["V"])
        return tuple(row._replace(shape=old_length) if row.path == head_bias else row for row in rows)


def _with_fields(row: ChangedRow, fields: Mapping[str, Any]) -> ChangedRow:
    """A row with new fields. If these freeze the first layers, a row for a single layer is marked as frozen or not."""
    if row.layer is None or not fields.get("frozen_letter"):
        return row._replace(**fields)
    return row._replace(is_trained=row.is_trained and row.layer >= fields["frozen_layers"])


def _split_row(row: ChangedRow, split_names: Mapping[int, str], layer_count: int) -> Iterator[ChangedRow]:
    """A row for the layers that are not split off, if there are any, and then one for each layer that is.

    Args:
        row: the row to split.
        split_names: the name of the tensor in each layer that is split off, by the number of the layer.
        layer_count: the number of layers that the row represents.
    """
    has_rest = not split_names or len(split_names) < layer_count
    if has_rest:
        yield row._replace(split_layers=row.split_layers.union(split_names))
    for layer, name in split_names.items():
        yield row._replace(
            name=name,
            layers=(),
            layer=layer,
            is_counted_elsewhere=has_rest,
            split_layers=frozenset(),
            frozen_letter="",
            is_trained=row.is_trained and layer >= row.frozen_layers,
        )


def _first_layer(row: ChangedRow) -> int:
    """The number of the first layer in which the tensor of a row exists; 0 for a row outside the layers."""
    if row.layer is not None:
        return row.layer
    start = 1 if row.skips_first_layer else 0
    return next(layer for layer in count(start) if layer not in row.split_layers)


def _is_beside_rows(operation: Mapping[str, Any]) -> bool:
    """Whether an operation adds something beside rows of the model, rather than beside the model as a whole."""
    return bool({"at", "under"} & operation.keys())


def _check_heads(change: Change, rows: Rows) -> None:
    """Refuse a change whose numbers would depend on which layers have lost heads.

    Raises:
        BadChange: some heads are pruned.
    """
    if any(row.is_removed for row in rows):
        raise BadChange(f"{change}: {UNEQUAL_LAYERS}")
