"""A question and its answer as one value: which model, class and part is counted, with which deviations.

A part is a path prefix, whole components only: `"bert/embeddings"`,
`"bert/encoder/layer_*/attention"`. `layer_*` is all layers, `layer_0` is one.
Several prefixes, separated by commas, are one part if those in the encoder name
the same layer, or all of them `layer_*`. A tag narrows the part: it is any
component of a row's path (`"LayerNorm"`, `"bias"`) or the name of its block
(`"self-attention"`). Several tags are separated by spaces; a row must carry all
of them, and none that has a minus before it.

Tables and bridges come from the items of a question: each tensor with the
factors that multiply it. Its formula adds up the same rows, and a test compares
the two. Nothing here loops over layers: an item is a polynomial, and the number
of layers is among its letters.
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
"""The number of a layer in a path that names a single one."""

MOST_DIGITS = 100
"""Digits of a layer's number that are read. Python refuses to read thousands of them."""

NONE = ("0",)
"""The factors of a tensor that is not counted."""


class Item(NamedTuple):
    """A tensor, or one in every layer, as a question counts it: its size in letters, times factors.

    `path` is that of its row, or the name of the deviation that adds it and a
    place. A factor is an integer, a letter or a quotient, such as `"2"`,
    `"A"` or `"1/L"`.
    """

    path: str
    factors: tuple[str, ...]
    letters: Polynomial
    block: str = ""

    def number(self, sizes: Mapping[str, int]) -> int:
        """The number of parameters for these sizes.

        Raises:
            BadChoice: the factors leave a fraction.
        """
        number, denominator = self.letters.value(sizes), 1
        for factor in self.factors:
            above, below = quotient(factor, sizes)
            number, denominator = number * above, denominator * below
        if number % denominator:
            raise BadChoice(f"{self.path} times {' times '.join(self.factors)} is not whole; choose another model")
        return number // denominator


def quotient(factor: str, sizes: Mapping[str, int]) -> tuple[int, int]:
    """The numerator and denominator of a factor such as `"A"`, `"−1"` or `"1/L"`."""
    above, _, below = factor.partition("/")
    # A model without layers has nothing to divide by L, and its tensors in layers count 0 in any case.
    return _read(above, sizes), _read(below or "1", sizes) or 1


def _read(text: str, sizes: Mapping[str, int]) -> int:
    return sizes[text] if text in sizes else int(text.replace("−", "-"))


class Question(NamedTuple):
    """A question about the number of parameters, and its answer.

    Unit: elements, not bytes. A tied tensor counts once, at its owner.

    Attributes:
        model: the sizes of one configuration.
        model_class: a class of its architecture; empty is the bare model.
        part: a path prefix such as "bert/pooler"; empty is everything.
        tag: narrows the part to the rows that carry this tag.
        choices: choices that override those of the model's configuration.
        deviations: names from `data/deviations.toml`, all of which apply.

    Every property raises:
        UnknownModelClass: the architecture has no such class.
        UnknownPart: no tensor of the class lies under `part`, or under one of
            its prefixes, with that tag; its prefixes name different layers; or
            no tensor at all carries a tag that has a minus before it.
        UnknownDeviation: there is no deviation of some name.
        BadChoice: a choice that the class does not leave open; a number of
            labels that it does not take; a deviation that does not fit the
            class; two that exclude each other; or factors that leave a
            fraction.

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

    def at(self, part: str = "", tag: str = "") -> Question:
        """The same question about another part, or without arguments about everything."""
        return self._replace(part=part, tag=tag)

    @property
    def architecture(self) -> Architecture:
        """The model's architecture."""
        return self.model.architecture

    @property
    def chosen(self) -> ModelClass:
        """The class that `model_class` names."""
        return class_of(self.architecture, self.model_class)

    @property
    def settled(self) -> Choices:
        """Every choice, none left open: from the class or else the question, the configuration or the defaults."""
        return self.architecture.settled(self.chosen, self.choices.over(self.model.choices))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the part in order, tied ones included."""
        return _rows(self._selection)

    @property
    def deviation_values(self) -> tuple[Deviation, ...]:
        """The deviations that `deviations` names."""
        return _deviations(self.at()._selection, self.deviations) if self.deviations else ()

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the model, after deviations have replaced some of them."""
        model = self.model
        for deviation in self.deviation_values:
            model = deviation.resize(model)
        return model.sizes

    @property
    def items(self) -> tuple[Item, ...]:
        """The rows of the part with their factors and, for the whole model, what deviations add to it."""
        return _items(self._selection, self.deviations)

    @property
    def polynomial(self) -> Polynomial:
        """The number in letters, for a question without deviations."""
        if self.deviations:
            raise BadChoice(f"{label(', '.join(self.deviations))}: with a deviation there is no formula; leave it out")
        return _polynomial(self._selection)

    @property
    def number(self) -> int:
        """The number of parameters."""
        if not self.deviations:
            return _polynomial(self._selection).value(self.model.sizes)
        once, multiplied = _once_and_multiplied(self._selection, self.deviations)
        sizes = self.sizes
        return once.value(sizes) + sum(item.number(sizes) for item in multiplied)

    @property
    def _selection(self) -> _Selection:
        """The selection of rows that this question makes, checked as far as it depends on the sizes."""
        model, name, part, tag, choices, _ = self
        architecture = model.architecture
        if part:
            _check_layer(model, part)
        model_class = class_of(architecture, name)
        if model_class.labels not in (None, model.sizes["C"]):
            only, labels = model_class.labels, model.sizes["C"]
            raise BadChoice(f"{model_class.name} has {only} labels, and {model.name} has {labels}; choose {only}")
        equal = architecture.equal_in(model.sizes)
        return _Selection(architecture, name, choices.over(model.choices), equal, part, tag)


class _Selection(NamedTuple):
    """All that decides which rows a question selects, and no sizes, so that models of one kind share the caches.

    `equal` holds the comparisons between sizes, such as `"E≠H"`, that are false.
    """

    architecture: Architecture
    model_class: str
    choices: Choices
    equal: tuple[str, ...]
    part: str
    tag: str

    @property
    def chosen(self) -> ModelClass:
        """The class that `model_class` names."""
        return self.architecture.class_named(self.model_class)

    @property
    def tied(self) -> bool:
        """Whether rows that share the weights of others count nothing."""
        return bool(self.architecture.settled(self.chosen, self.choices).tied)

    @property
    def in_one_layer(self) -> bool:
        """Whether the part lies in a single layer, so that its rows count once."""
        return bool(LAYER_NUMBER.search(self.part))

    def size(self, row: Row) -> Polynomial:
        """Elements of a row's tensor, or of its tensors in all layers unless the part names a single one."""
        return Polynomial.of_shape(row.shape) if self.in_one_layer else self.architecture.size(row)

    def has(self, row: Row) -> bool:
        """Whether the layer that the part names, if any, has the row."""
        layer = LAYER_NUMBER.search(self.part)
        return not (row.but_first and layer and not int(layer[0]))


@cache
def _rows(selection: _Selection) -> tuple[Row, ...]:
    architecture, model_class, choices, equal, part, tag = selection
    rows = architecture.rows_of(model_class, choices, equal)
    if not part and not tag:
        return rows
    every_layer = ", ".join(map(_prefix, part.split(", ")))
    selected = tuple(row for row in rows if belongs(row, every_layer, tag) and selection.has(row))
    # A misspelt tag after a minus would exclude nothing and go unnoticed.
    unknown = [word for word in tag.split() if word[0] == "-" and not _is_tag(word[1:], architecture)]
    if not selected or unknown:
        with_tag = f" with the tag {quote(tag)}" if tag else ""
        known = sorted({row.path.rsplit("/", 1)[0] for row in rows})
        name = selection.chosen.name
        raise UnknownPart(f"{name} has no tensor under {quote(part)}{with_tag}; known: {', '.join(known)}")
    if "," in part:
        _check_union(rows, part)
    return selected


@cache
def _polynomial(selection: _Selection) -> Polynomial:
    """The number in letters, without deviations."""
    architecture, model_class, choices, equal, part, tag = selection
    if not part and not tag:
        return architecture.total(model_class, choices, equal)
    tied = selection.tied
    return Polynomial.total(selection.size(row) for row in _rows(selection) if not (tied and row.tied_to))


@cache
def _deviations(whole: _Selection, names: tuple[str, ...]) -> tuple[Deviation, ...]:
    """The deviations of these names.

    Raises:
        BadChoice: one does not fit the whole model, or two exclude each other.
    """
    deviations = tuple(map(deviation_named, names))
    for deviation in deviations:
        if not _fits(deviation, whole):
            raise BadChoice(_misfit(deviation, whole.architecture, whole.chosen))
    letters = [deviation.resized[0] for deviation in deviations if deviation.resized]
    replaces_all = any(deviation.instead for deviation in deviations)
    if len(set(letters)) < len(letters) or (len(deviations) > 1 and replaces_all):
        raise BadChoice(f"{label(', '.join(names))} exclude each other; choose one of them")
    return deviations


@cache
def _fits(deviation: Deviation, whole: _Selection) -> bool:
    return deviation.fits(_rows(whole), whole.architecture)


@cache
def _items(selection: _Selection, names: tuple[str, ...]) -> tuple[Item, ...]:
    rows = _rows(selection)
    if not names:
        return tuple(_item(row, selection, ()) for row in rows)
    deviations = _deviations(selection._replace(part="", tag=""), names)
    # Most deviations touch few rows, so only the items of those are built again.
    items = [*_items(selection, ())]
    touched = [(deviation, _touched(selection, deviation.name)) for deviation in deviations]
    for place in frozenset().union(*(places for _, places in touched)):
        items[place] = _item(rows[place], selection, [deviation for deviation, places in touched if place in places])
    if not selection.part and not selection.tag:
        items += _additions(deviations)
    return tuple(items)


@cache
def _touched(selection: _Selection, name: str) -> frozenset[int]:
    """The places of the rows that a deviation counts differently, or not at all."""
    deviation = deviation_named(name)
    rows = enumerate(_rows(selection))
    return frozenset(place for place, row in rows if deviation.touches(row) or deviation.replaces(row))


@cache
def _once_and_multiplied(selection: _Selection, names: tuple[str, ...]) -> tuple[Polynomial, tuple[Item, ...]]:
    """The sum of the items without factors as one polynomial, and the items with factors."""
    items = _items(selection, names)
    once = Polynomial.total(item.letters for item in items if not item.factors)
    return once.simplified(), tuple(item for item in items if item.factors and item.factors != NONE)


def _prefix(part: str) -> str:
    """A prefix as rows spell it, with a star for the number of a layer."""
    return LAYER_NUMBER.sub("*", part).rstrip("/")


def _is_tag(text: str, architecture: Architecture) -> bool:
    return any(text in row.tags for row in architecture.rows)


def _check_union(rows: Iterable[Row], part: str) -> None:
    """Reject a union if a prefix matches no row, or if its prefixes name different layers."""
    layers = set()
    for prefix in part.split(", "):
        under = [row for row in rows if lies_under(row.path, (_prefix(prefix),))]
        if not under:
            raise UnknownPart(f"no tensor lies under {quote(prefix)}, asked for in {quote(part)}; leave it out")
        if any(row.repeated for row in under):
            layers.add(tuple(LAYER_NUMBER.findall(prefix)))
    if len(layers) > 1:
        raise UnknownPart(f"{quote(part)} is about different layers; name the same layer, or layer_*, in all of it")


def _item(row: Row, selection: _Selection, deviations: Iterable[Deviation]) -> Item:
    """A row with the factors that deviations give it; in a single layer if the part names one."""
    touching = [deviation for deviation in deviations if deviation.touches(row)]
    factors = tuple(deviation.factor for deviation in touching if deviation.factor != "1")
    is_tied = row.tied_to and selection.tied and not any(deviation.unties for deviation in touching)
    counts_nothing = is_tied or "0" in factors or any(deviation.replaces(row) for deviation in deviations)
    return Item(row.path, NONE if counts_nothing else factors, selection.size(row), row.block)


def _additions(deviations: Iterable[Deviation]) -> Iterator[Item]:
    """The items that deviations add to the whole, or count instead of it."""
    for deviation in deviations:
        for place, (sign, shape) in enumerate(deviation.shapes()):
            yield Item(f"{deviation.name} {place}", () if sign > 0 else ("−1",), Polynomial.of_shape(shape))


def _misfit(deviation: Deviation, architecture: Architecture, model_class: ModelClass) -> str:
    fitting = class_shown(deviation, architecture)
    remedy = f"choose a class such as {fitting}" if fitting else f"it fits no class of {architecture.name}"
    return f"{label(deviation.name)} cannot be made in {model_class.name}, which lacks what it changes; {remedy}"


def _check_layer(model: Model, part: str) -> None:
    """Refuse a part in a layer that the model does not have."""
    layer = LAYER_NUMBER.search(part)
    layers = model.architecture.depth(model.sizes)
    if layer and (len(layer[0]) > MOST_DIGITS or int(layer[0]) >= layers):
        raise UnknownPart(
            f"{model.name} has no layer {label(layer[0])}, asked for in {quote(part)}; "
            f"it has {layers}, numbered from 0, and layer_* is all of them"
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
    """The number of parameters, as a call rather than a `Question`; arguments and errors are those of `Question`.

    >>> from .models import model_named
    >>> count(model_named("bert-base-uncased"), "bert/pooler")
    590592
    """
    choices = OPEN if pooler is None else Choices(pooler=pooler)
    return Question(model, model_class, part, tag, choices, tuple(deviations)).number


def every_class(models: Iterable[Model]) -> Iterator[Question]:
    """A question for each class of each model. This is the only loop over both."""
    return (Question(model, model_class.name) for model in models for model_class in model.architecture.classes)


@cache
def class_shown(deviation: Deviation, architecture: Architecture) -> str:
    """The class in which pages show a deviation: `shown_in` or else the first that it fits; empty if it fits none."""
    names = [model_class.name for model_class in architecture.classes]
    fitting = [name for name in names if deviation.fits(architecture.rows_of(name), architecture)]
    return deviation.shown_in if deviation.shown_in in fitting else next(iter(fitting), "")


def effect(model: Model, name: str) -> int:
    """The effect of a deviation on the total of the class that pages show it in; negative if it counts too little.

    Raises:
        UnknownDeviation: there is no deviation of that name.

    >>> from .models import model_named
    >>> effect(model_named("bert-base-uncased"), "pooler-left-out")
    -590592
    """
    right = Question(model, class_shown(deviation_named(name), model.architecture))
    return right._replace(deviations=(name,)).number - right.number
