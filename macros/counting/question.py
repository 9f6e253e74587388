"""A question and its answer as one value: which model, class and part is counted, with which deviations.

A part is a path prefix that consists of whole components, such as
`"bert/embeddings"` or `"bert/encoder/layer_*/attention"`. `layer_*` means all
layers, `layer_0` the first one. Several prefixes, separated by `", "`, make one
part, as long as those in the encoder all name the same layer or all name
`layer_*`. A tag narrows the part: it is any component of a row's path
(`"LayerNorm"`), the name of its block (`"self-attention"`) or one of its kinds
(`"vector"`). Several tags are separated by spaces; a row must carry all of them,
and none that has a minus before it.

An item of a question is a tensor and the factors that multiply its size. Tables,
and the bridges in `published/bridges.py`, are built from items. The formula of a
question adds up the same tensors, and a test checks that formula and items agree.
Nothing here loops over layers: the size of an item is a polynomial in which the
number of layers is a letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .architecture import OPEN, Architecture, Choices, ModelClass, Row, belongs, lies_under
from .architectures import class_of
from .deviations import Deviation, deviation_named
from .errors import BadChoice, UnknownPart, label, quote
from .models import Model
from .polynomials import Polynomial

LAYER_NUMBER = re.compile(r"(?<=\blayer_)[0-9]+")
"""The number of a layer, in a path that names a single layer."""

MAX_DIGITS = 100
"""The maximum number of digits in a layer's number; Python refuses to convert thousands of digits."""

NOT_COUNTED = ("0",)
"""The factors of an item that is not counted, such as a tied tensor."""


class Item(NamedTuple):
    """One tensor, or one per layer, as a question counts it: its symbolic size, multiplied by factors.

    Attributes:
        path: the path of its row; if a deviation adds the item, the name of
            the deviation and an index.
        factors: integers, letters or quotients, such as `"2"`, `"A"` or `"1/L"`.
        polynomial: its size, in all layers that the question counts.
        block: the block of its row; empty if a deviation adds the item.
    """

    path: str
    factors: tuple[str, ...]
    polynomial: Polynomial
    block: str = ""

    def number(self, sizes: Mapping[str, int]) -> int:
        """The number of parameters for these sizes.

        Raises:
            BadChoice: the factors leave a fraction.
        """
        number = self.polynomial.value(sizes)
        divisor = 1
        for factor in self.factors:
            numerator, denominator = quotient(factor, sizes)
            number, divisor = number * numerator, divisor * denominator
        if number % divisor:
            raise BadChoice(f"{self.path} times {' times '.join(self.factors)} is not whole; choose another model")
        return number // divisor


def quotient(factor: str, sizes: Mapping[str, int]) -> tuple[int, int]:
    """The numerator and denominator of a factor such as `"A"`, `"−1"` or `"1/L"`."""
    numerator, _, denominator = factor.partition("/")
    # In a model without layers, L is 0, and so is the count of tensors in layers. Any denominator but 0 will do.
    return _number_of(numerator, sizes), _number_of(denominator or "1", sizes) or 1


def _number_of(text: str, sizes: Mapping[str, int]) -> int:
    """The value of a letter or an integer."""
    return sizes[text] if text in sizes else int(text.replace("−", "-"))


class Question(NamedTuple):
    """A question about the number of parameters, and its answer. A tied tensor counts once, with its owner.

    Attributes:
        model: the model, which gives the sizes.
        model_class: a class of its architecture; empty for the bare model.
        part: a path prefix such as "bert/pooler"; empty for the whole model.
        tag: the tag that rows of the part must carry to be counted; empty for all rows.
        choices: choices that override those of the model's configuration.
        deviations: the names of deviations, all of which are applied.

    The properties, rather than the constructor, raise:
        UnknownModelClass: the architecture has no such class.
        UnknownPart: `part` or `tag` matches nothing in the class, or the part
            is malformed; for example, its prefixes name different layers.
        UnknownDeviation: there is no deviation with one of the names.
        BadChoice: the fields do not fit together; for example, a deviation does
            not fit the class.

    >>> from .models import model_named
    >>> Question(model_named("bert-base-uncased"), deviations=("pooler-left-out",)).number
    108891648
    """

    model: Model
    model_class: str = ""
    part: str = ""
    tag: str = ""
    choices: Choices = OPEN
    deviations: tuple[str, ...] = ()

    def about(self, part: str = "", tag: str = "") -> Question:
        """The same question about the rows of `part` that carry `tag`."""
        return self._replace(part=part, tag=tag)

    @property
    def whole(self) -> Question:
        """The same question about the whole model."""
        return self._replace(part="", tag="")

    @property
    def architecture(self) -> Architecture:
        """The model's architecture."""
        return self.model.architecture

    @property
    def resolved_class(self) -> ModelClass:
        """The class whose name is `model_class`."""
        return class_of(self.architecture, self.model_class)

    @property
    def resolved_choices(self) -> Choices:
        """All choices, with none left open: made by the class, or else the question, the model or the defaults."""
        return self.architecture.resolved_choices(self.resolved_class, self.choices.with_defaults(self.model.choices))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the part in the order of the architecture, tied rows included."""
        return _rows(self._selection)

    @property
    def resolved_deviations(self) -> tuple[Deviation, ...]:
        """The deviations whose names are in `deviations`."""
        return _deviations(self.whole._selection, self.deviations) if self.deviations else ()

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the model, after deviations have replaced some of them."""
        model = self.model
        for deviation in self.resolved_deviations:
            model = deviation.resize(model)
        return model.sizes

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the rows of the part and, if there is neither part nor tag, those that deviations add."""
        return _items(self._selection, self.deviations)

    @property
    def polynomial(self) -> Polynomial:
        """The number of parameters as a symbolic formula.

        Raises:
            BadChoice: the question has deviations, for which there is no formula.
        """
        if self.deviations:
            raise BadChoice(f"{label(', '.join(self.deviations))}: with a deviation there is no formula; leave it out")
        return _polynomial(self._selection)

    @property
    def number(self) -> int:
        """The number of parameters."""
        if not self.deviations:
            return _polynomial(self._selection).value(self.model.sizes)
        plain_sum, multiplied_items = _split_by_factors(self._selection, self.deviations)
        sizes = self.sizes
        return plain_sum.value(sizes) + sum(item.number(sizes) for item in multiplied_items)

    @property
    def tensor_count(self) -> int:
        """The number of tensors of the part; a tied tensor is not counted again."""
        selection = self._selection
        counted_rows = (row for row in self.rows if not (selection.is_tied and row.tied_to))
        return Polynomial.total(map(selection.repeats, counted_rows)).value(self.model.sizes)

    @property
    def _selection(self) -> _Selection:
        """The selection of this question, after the checks that depend on the sizes; errors are as for `Question`."""
        model, name, part, tag, choices, _ = self
        architecture = model.architecture
        if part:
            _check_layer(model, part)
        model_class = class_of(architecture, name)
        if model_class.required_labels not in (None, model.sizes["C"]):
            required_count = model_class.required_labels
            labels = model.sizes["C"]
            raise BadChoice(
                f"{model_class.name} has {required_count} labels, and {model.name} has {labels}; "
                f"choose {required_count}"
            )
        false_comparisons = architecture.false_comparisons(model.sizes)
        return _Selection(architecture, name, choices.with_defaults(model.choices), false_comparisons, part, tag)


class _Selection(NamedTuple):
    """Everything that decides which rows a question counts, as the key of the caches below.

    It does not hold the sizes, so that all models with the same rows share the caches. Only `false_comparisons`
    depends on the sizes: it lists the comparisons, such as `"E≠H"`, that are false.
    """

    architecture: Architecture
    model_class: str
    choices: Choices
    false_comparisons: tuple[str, ...]
    part: str
    tag: str

    @property
    def resolved_class(self) -> ModelClass:
        """The class whose name is `model_class`."""
        return self.architecture.class_named(self.model_class)

    @property
    def is_tied(self) -> bool:
        """Whether the decoder is tied, so that rows which share the weights of others are not counted again."""
        return bool(self.architecture.resolved_choices(self.resolved_class, self.choices).tied)

    @property
    def is_in_one_layer(self) -> bool:
        """Whether the part lies in a single layer, so that its rows count once."""
        return bool(LAYER_NUMBER.search(self.part))

    def size(self, row: Row) -> Polynomial:
        """The size of a row: the elements of its tensor, in all layers unless the part names a single one."""
        return Polynomial.of_shape(row.shape) if self.is_in_one_layer else self.architecture.size(row)

    def repeats(self, row: Row) -> Polynomial:
        """The number of tensors of a row: one in each layer that the part names, or one outside the layers."""
        return Polynomial.of_shape("", () if self.is_in_one_layer else self.architecture.layers_of(row))

    def has_row(self, row: Row) -> bool:
        """Whether the row exists in the layer that the part names; true if it names none."""
        layer = LAYER_NUMBER.search(self.part)
        return not (row.skips_first_layer and layer and not int(layer[0]))


@cache
def _rows(selection: _Selection) -> tuple[Row, ...]:
    """The rows of the part, tied rows included.

    Raises:
        UnknownPart: as for `Question`.
    """
    architecture, model_class, choices, false_comparisons, part, tag = selection
    rows = architecture.rows_of(model_class, choices, false_comparisons)
    if not part and not tag:
        return rows
    part_of_all_layers = ", ".join(map(_prefix, part.split(", ")))
    matches = tuple(row for row in rows if belongs(row, part_of_all_layers, tag) and selection.has_row(row))
    # A misspelt tag after a minus would exclude nothing and go unnoticed.
    unknown_tags = [word for word in tag.split() if word[0] == "-" and not _is_tag(word[1:], architecture)]
    if not matches or unknown_tags:
        tag_clause = f" with the tag {quote(tag)}" if tag else ""
        modules = sorted({row.path.rsplit("/", 1)[0] for row in rows})
        name = selection.resolved_class.name
        raise UnknownPart(f"{name} has no tensor under {quote(part)}{tag_clause}; known: {', '.join(modules)}")
    if "," in part:
        _check_union(rows, part)
    return matches


@cache
def _polynomial(selection: _Selection) -> Polynomial:
    """The number of parameters as a symbolic formula, without deviations."""
    architecture, model_class, choices, false_comparisons, part, tag = selection
    if not part and not tag:
        return architecture.total(model_class, choices, false_comparisons)
    is_tied = selection.is_tied
    return Polynomial.total(selection.size(row) for row in _rows(selection) if not (is_tied and row.tied_to))


@cache
def _deviations(whole_model: _Selection, names: tuple[str, ...]) -> tuple[Deviation, ...]:
    """The deviations with these names.

    Raises:
        UnknownDeviation: there is no deviation with one of the names.
        BadChoice: a deviation does not fit the whole model, or two exclude each other.
    """
    deviations = tuple(map(deviation_named, names))
    for deviation in deviations:
        if not _fits(deviation, whole_model):
            raise BadChoice(_misfit(deviation, whole_model.architecture, whole_model.resolved_class))
    resized_letters = [deviation.resized[0] for deviation in deviations if deviation.resized]
    replaces_all = any(deviation.instead for deviation in deviations)
    if len(set(resized_letters)) < len(resized_letters) or (len(deviations) > 1 and replaces_all):
        raise BadChoice(f"{label(', '.join(names))} exclude each other; choose one of them")
    return deviations


@cache
def _fits(deviation: Deviation, whole_model: _Selection) -> bool:
    """Whether a deviation fits the whole model. Cached, because all rows have to be checked."""
    return deviation.fits(_rows(whole_model), whole_model.architecture)


@cache
def _items(selection: _Selection, names: tuple[str, ...]) -> tuple[Item, ...]:
    """The items of the part, counted with the deviations of these names."""
    rows = _rows(selection)
    if not names:
        return tuple(_item(row, selection, ()) for row in rows)
    deviations = _deviations(selection._replace(part="", tag=""), names)
    # Most deviations touch few rows, so only the items of those rows are built again.
    items = [*_items(selection, ())]
    altered_rows = [(deviation, _altered_rows(selection, deviation.name)) for deviation in deviations]
    for index in frozenset().union(*(indices for _, indices in altered_rows)):
        row_deviations = [deviation for deviation, indices in altered_rows if index in indices]
        items[index] = _item(rows[index], selection, row_deviations)
    if not selection.part and not selection.tag:
        items += _additions(deviations)
    return tuple(items)


@cache
def _altered_rows(selection: _Selection, name: str) -> frozenset[int]:
    """The indices of the rows that a deviation counts differently, or not at all."""
    deviation = deviation_named(name)
    rows = enumerate(_rows(selection))
    return frozenset(index for index, row in rows if deviation.touches(row) or deviation.replaces(row))


@cache
def _split_by_factors(selection: _Selection, names: tuple[str, ...]) -> tuple[Polynomial, tuple[Item, ...]]:
    """The sum of the items without factors as one polynomial, and the counted items with factors."""
    items = _items(selection, names)
    plain_sum = Polynomial.total(item.polynomial for item in items if not item.factors)
    return plain_sum.simplified(), tuple(item for item in items if item.factors and item.factors != NOT_COUNTED)


def _prefix(part: str) -> str:
    """A prefix as the paths of rows spell it: with a star instead of the number of a layer."""
    return LAYER_NUMBER.sub("*", part).rstrip("/")


def _is_tag(word: str, architecture: Architecture) -> bool:
    """Whether any row of an architecture carries this tag, even if the class has no such row."""
    return any(word in row.tags for row in architecture.rows)


def _check_union(rows: Iterable[Row], part: str) -> None:
    """Refuse a union if a prefix matches no row, or if its prefixes name different layers.

    Raises:
        UnknownPart: the union is refused.
    """
    layers = set()
    for prefix in part.split(", "):
        matches = [row for row in rows if lies_under(row.path, (_prefix(prefix),))]
        if not matches:
            raise UnknownPart(f"no tensor lies under {quote(prefix)}, as requested in {quote(part)}; leave it out")
        if any(row.is_per_layer for row in matches):
            layers.add(tuple(LAYER_NUMBER.findall(prefix)))
    if len(layers) > 1:
        raise UnknownPart(f"{quote(part)} is about different layers; name the same layer, or layer_*, in all of it")


def _item(row: Row, selection: _Selection, deviations: Iterable[Deviation]) -> Item:
    """The item of a row, with the factors that deviations give it."""
    touching_deviations = [deviation for deviation in deviations if deviation.touches(row)]
    factors = tuple(deviation.factor for deviation in touching_deviations if deviation.factor != "1")
    is_tied = row.tied_to and selection.is_tied and not any(deviation.unties for deviation in touching_deviations)
    counts_nothing = is_tied or "0" in factors or any(deviation.replaces(row) for deviation in deviations)
    return Item(row.path, NOT_COUNTED if counts_nothing else factors, selection.size(row), row.block)


def _additions(deviations: Iterable[Deviation]) -> Iterator[Item]:
    """The items that deviations add to the whole model, or count instead of it."""
    for deviation in deviations:
        for index, (sign, shape) in enumerate(deviation.shapes()):
            yield Item(f"{deviation.name} {index}", () if sign > 0 else ("−1",), Polynomial.of_shape(shape))


def _misfit(deviation: Deviation, architecture: Architecture, model_class: ModelClass) -> str:
    """The message about a deviation that does not fit a class; it names a class that the deviation fits, if any."""
    example = class_on_pages(deviation, architecture)
    remedy = f"choose a class such as {example}" if example else f"it applies to no class of {architecture.name}"
    return f"{label(deviation.name)} does not apply to {model_class.name}; {remedy}"


def _check_layer(model: Model, part: str) -> None:
    """Refuse a part that names a layer which the model does not have.

    Raises:
        UnknownPart: there is no such layer.
    """
    layer = LAYER_NUMBER.search(part)
    layer_count = model.architecture.depth(model.sizes)
    if layer and (len(layer[0]) > MAX_DIGITS or int(layer[0]) >= layer_count):
        raise UnknownPart(
            f"{model.name} has no layer {label(layer[0])}, as requested in {quote(part)}; "
            f"it has {layer_count}, numbered from 0, and layer_* is all of them"
        )


def count(
    model: Model,
    part: str = "",
    tag: str = "",
    *,
    model_class: str = "",
    pooler: bool | None = None,
    deviations: Iterable[str] = (),
) -> int:
    """The number of parameters that a `Question` with these arguments gives; errors are as for `Question`.

    >>> from .models import model_named
    >>> count(model_named("bert-base-uncased"), "bert/pooler")
    590592
    """
    choices = OPEN if pooler is None else Choices(pooler=pooler)
    return Question(model, model_class, part, tag, choices, tuple(deviations)).number


def class_questions(models: Iterable[Model]) -> Iterator[Question]:
    """A question for each class of each model."""
    return (Question(model, model_class.name) for model in models for model_class in model.architecture.classes)


@cache
def class_on_pages(deviation: Deviation, architecture: Architecture) -> str:
    """The class in which pages show a deviation: `shown_in`, or else the first that it fits; empty if it fits none."""
    names = [model_class.name for model_class in architecture.classes]
    suitable_names = [name for name in names if deviation.fits(architecture.rows_of(name), architecture)]
    return deviation.shown_in if deviation.shown_in in suitable_names else next(iter(suitable_names), "")


def effect(model: Model, name: str) -> int:
    """The effect of a deviation on the total, in the class in which pages show it; negative if it counts too little.

    Raises:
        UnknownDeviation: there is no deviation of that name.
        BadChoice: the deviation fits no class of the architecture.

    >>> from .models import model_named
    >>> effect(model_named("bert-base-uncased"), "pooler-left-out")
    -590592
    """
    correct_question = Question(model, class_on_pages(deviation_named(name), model.architecture))
    return correct_question._replace(deviations=(name,)).number - correct_question.number
