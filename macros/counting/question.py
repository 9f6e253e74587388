"""What is counted: a model, a class, a part and any deviations, as one value that knows its answer.

A part is a path prefix, whole components only: `"bert/embeddings"`,
`"bert/encoder/layer_*/attention"`. `layer_*` is all layers, `layer_0` is one.
Several prefixes, separated by commas, are one part; they name the same layer,
or none does. A tag narrows it: any component of a row's path (`"LayerNorm"`,
`"bias"`) or the name of its block (`"self-attention"`); of several, separated
by spaces, a row must carry all, and none that has a minus before it.

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
from .errors import BadChoice, UnknownPart, label, shown
from .models import Model
from .polynomials import Polynomial

LAYER_NUMBER = re.compile(r"(?<=\blayer_)[0-9]+")
"""The number in a path that names one layer."""

MOST_DIGITS = 100
"""Digits of the number of a layer; Python refuses to read one of several thousand."""

NONE = ("0",)
"""The factors of a tensor that is not counted."""


class Item(NamedTuple):
    """A tensor, or one in every layer, as somebody counts it: its number in letters, times factors.

    `path` is its row's, or the name of the deviation that adds it.
    """

    path: str
    factors: tuple[str, ...]
    letters: Polynomial
    block: str = ""

    def number(self, sizes: Mapping[str, int]) -> int:
        """What it counts with these sizes.

        Raises:
            BadChoice: its share is not whole.
        """
        number, below = self.letters.value(sizes), 1
        for factor in self.factors:
            above, under = quotient(factor, sizes)
            number, below = number * above, below * under
        if number % below:
            raise BadChoice(f"{self.path} times {' times '.join(self.factors)} is not whole; choose another model")
        return number // below


def quotient(factor: str, sizes: Mapping[str, int]) -> tuple[int, int]:
    """A factor such as `"A"`, `"−1"` or `"1/L"`, as numerator and denominator."""
    above, _, below = factor.partition("/")
    # With no layers there is nothing to share out among them.
    return _read(above, sizes), _read(below or "1", sizes) or 1


def _read(text: str, sizes: Mapping[str, int]) -> int:
    return sizes[text] if text in sizes else int(text.replace("−", "-"))


class Question(NamedTuple):
    """What is counted, and thereby how many parameters it has.

    Unit: elements, not bytes. A tied tensor counts once, at its owner.

    Attributes:
        model: the sizes of one configuration.
        model_class: which of its architecture's classes; empty is the bare model.
        part: a path prefix such as "bert/pooler"; empty is everything.
        tag: narrows the part to the rows that carry this tag.
        choices: over what the model's configuration says.
        deviations: names from `data/deviations.toml`, all of them made together.

    Every property raises:
        UnknownModelClass: the architecture has no such class.
        UnknownPart: no tensor of the class lies under `part`, or under one of
            its prefixes, with that tag; its prefixes name several layers; or
            no tensor carries a tag that has a minus before it.
        UnknownDeviation: no deviation of a name.
        BadChoice: a choice that the class does not leave open; a deviation
            that does not fit the class; two that exclude each other; or a
            share that is not whole.

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
        """The same question about a part."""
        return self._replace(part=part, tag=tag)

    @property
    def architecture(self) -> Architecture:
        """The model's architecture."""
        return self.model.architecture

    @property
    def chosen(self) -> ModelClass:
        """The model class."""
        return class_of(self.architecture, self.model_class)

    @property
    def settled(self) -> Choices:
        """Every choice decided: by class, question, configuration, or what is usual."""
        return self.architecture.settled(self.chosen, self.choices.over(self.model.choices))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the part, in order; tied ones are among them."""
        return _selected(self._selection)

    @property
    def deviation_values(self) -> tuple[Deviation, ...]:
        """The deviations that are made."""
        return _made(self.at()._selection, self.deviations) if self.deviations else ()

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes it is counted with."""
        model = self.model
        for each in self.deviation_values:
            model = each.resize(model)
        return model.sizes

    @property
    def items(self) -> tuple[Item, ...]:
        """Each row of the part with its factors; for the whole model, also what deviations add to it."""
        return _items(self._selection, self.deviations)

    @property
    def polynomial(self) -> Polynomial:
        """The number in letters, for a question without deviations."""
        if self.deviations:
            raise BadChoice(f"{label(', '.join(self.deviations))}: only what is counted rightly has one formula")
        return _polynomial(self._selection)

    @property
    def number(self) -> int:
        """How many parameters that is."""
        if not self.deviations:
            return _polynomial(self._selection).value(self.model.sizes)
        once, multiplied = _once_and_multiplied(self._selection, self.deviations)
        sizes = self.sizes
        return once.value(sizes) + sum(item.number(sizes) for item in multiplied)

    @property
    def _selection(self) -> _Selection:
        """What decides which rows are meant, once it is known that they can be."""
        model, name, part, tag, choices, _ = self
        architecture = model.architecture
        if part:
            _check_layer(model, part)
        chosen = class_of(architecture, name)
        if chosen.labels not in (None, model.sizes["C"]):
            only, labels = chosen.labels, model.sizes["C"]
            raise BadChoice(f"{chosen.name} has {only} labels, and {model.name} has {labels}; choose {only}")
        equal = architecture.equal_in(model.sizes)
        return _Selection(architecture, name, choices.over(model.choices), equal, part, tag)


class _Selection(NamedTuple):
    """What decides which rows are meant, whatever the sizes; `equal` has the comparisons that do not hold."""

    architecture: Architecture
    model_class: str
    choices: Choices
    equal: tuple[str, ...]
    part: str
    tag: str

    @property
    def chosen(self) -> ModelClass:
        """The model class."""
        return self.architecture.class_named(self.model_class)

    @property
    def tied(self) -> bool:
        """Whether rows that share the weights of others count nothing."""
        return bool(self.architecture.settled(self.chosen, self.choices).tied)

    @property
    def in_one_layer(self) -> bool:
        """Whether the part lies in one layer, so that rows count once."""
        return bool(LAYER_NUMBER.search(self.part))

    def size(self, row: Row) -> Polynomial:
        """Elements of a row's tensor, or of its tensors in all the layers that are meant."""
        return Polynomial.of_shape(row.shape) if self.in_one_layer else self.architecture.size(row)

    def has(self, row: Row) -> bool:
        """Whether a row stands in the layer that the part names, if it names one."""
        layer = LAYER_NUMBER.search(self.part)
        return not (row.but_first and layer and not int(layer[0]))


@cache
def _selected(selection: _Selection) -> tuple[Row, ...]:
    architecture, model_class, choices, equal, part, tag = selection
    rows = architecture.rows_of(model_class, choices, equal)
    if not part and not tag:
        return rows
    every_layer = ", ".join(map(_prefix, part.split(", ")))
    found = tuple(row for row in rows if belongs(row, every_layer, tag) and selection.has(row))
    unknown = [each for each in tag.split() if each[0] == "-" and not _is_tag(each[1:], architecture)]
    if not found or unknown:
        tagged = f" with the tag {shown(tag)}" if tag else ""
        known = sorted({row.path.rsplit("/", 1)[0] for row in rows})
        name = selection.chosen.name
        raise UnknownPart(f"{name} has no tensor under {shown(part)}{tagged}; known: {', '.join(known)}")
    if "," in part:
        _check_union(rows, part)
    return found


@cache
def _polynomial(selection: _Selection) -> Polynomial:
    """The sum of all that is counted, without deviations."""
    architecture, model_class, choices, equal, part, tag = selection
    if not part and not tag:
        return architecture.total(model_class, choices, equal)
    tied = selection.tied
    return Polynomial.total(selection.size(row) for row in _selected(selection) if not (tied and row.tied_to))


@cache
def _made(whole: _Selection, names: tuple[str, ...]) -> tuple[Deviation, ...]:
    """The deviations of these names, which can be made together in a whole model."""
    made = tuple(map(deviation_named, names))
    for each in made:
        if not _fits(each, whole):
            raise BadChoice(_misfit(each, whole.architecture, whole.chosen))
    letters = [each.resized[0] for each in made if each.resized]
    if len(set(letters)) < len(letters) or (len(made) > 1 and any(each.instead for each in made)):
        raise BadChoice(f"{label(', '.join(names))} exclude each other; choose one of them")
    return made


@cache
def _fits(deviation: Deviation, whole: _Selection) -> bool:
    return deviation.fits(_selected(whole), whole.architecture)


@cache
def _items(selection: _Selection, names: tuple[str, ...]) -> tuple[Item, ...]:
    rows = _selected(selection)
    if not names:
        return tuple(_item(row, selection, ()) for row in rows)
    made = _made(selection._replace(part="", tag=""), names)
    items = [*_items(selection, ())]
    changed = [(each, _changed(selection, each.name)) for each in made]
    for place in frozenset().union(*(places for _, places in changed)):
        items[place] = _item(rows[place], selection, [each for each, places in changed if place in places])
    if not selection.part and not selection.tag:
        items += _added(made)
    return tuple(items)


@cache
def _changed(selection: _Selection, name: str) -> frozenset[int]:
    """The places of the rows that a deviation counts differently, or not at all."""
    each = deviation_named(name)
    rows = enumerate(_selected(selection))
    return frozenset(place for place, row in rows if each.touches(row) or each.replaces(row))


@cache
def _once_and_multiplied(selection: _Selection, names: tuple[str, ...]) -> tuple[Polynomial, tuple[Item, ...]]:
    """What is counted once, all of it added up, and the items that have factors."""
    items = _items(selection, names)
    once = Polynomial.total(item.letters for item in items if not item.factors)
    return once.simplified(), tuple(item for item in items if item.factors and item.factors != NONE)


def _prefix(asked: str) -> str:
    return LAYER_NUMBER.sub("*", asked).rstrip("/")


def _is_tag(text: str, architecture: Architecture) -> bool:
    return any(text in row.tags for row in architecture.rows)


def _check_union(rows: Iterable[Row], part: str) -> None:
    """Refuse a union of which one prefix adds nothing, or whose prefixes are about different layers."""
    layers = set()
    for each in part.split(", "):
        under = [row for row in rows if lies_under(row.path, (_prefix(each),))]
        if not under:
            raise UnknownPart(f"no tensor lies under {shown(each)}, asked for in {shown(part)}; leave it out")
        if any(row.repeated for row in under):
            layers.add(tuple(LAYER_NUMBER.findall(each)))
    if len(layers) > 1:
        raise UnknownPart(f"{shown(part)} is about different layers; name the same layer, or layer_*, in all of it")


def _item(row: Row, selection: _Selection, made: Iterable[Deviation]) -> Item:
    """A row as it is counted: one layer's share of it if the part names one layer."""
    touching = [each for each in made if each.touches(row)]
    factors = tuple(each.factor for each in touching if each.factor != "1")
    shared = row.tied_to and selection.tied and not any(each.unties for each in touching)
    none = shared or "0" in factors or any(each.replaces(row) for each in made)
    return Item(row.path, NONE if none else factors, selection.size(row), row.block)


def _added(made: Iterable[Deviation]) -> Iterator[Item]:
    """What deviations add to the whole, or count instead of it."""
    for each in made:
        for place, (sign, shape) in enumerate(each.shapes()):
            yield Item(f"{each.name} {place}", () if sign > 0 else ("−1",), Polynomial.of_shape(shape))


def _misfit(deviation: Deviation, architecture: Architecture, chosen: ModelClass) -> str:
    fitting = class_shown(deviation, architecture)
    says = f"choose a class such as {fitting}" if fitting else f"it fits no class of {architecture.name}"
    return f"{label(deviation.name)} cannot be made in {chosen.name}, which lacks what it changes; {says}"


def _check_layer(model: Model, part: str) -> None:
    asked = LAYER_NUMBER.search(part)
    layers = model.architecture.depth(model.sizes)
    if asked and (len(asked[0]) > MOST_DIGITS or int(asked[0]) >= layers):
        raise UnknownPart(
            f"{model.name} has no layer {label(asked[0])}, asked for in {shown(part)}; "
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
    """The number of parameters of a question: `Question`, asked in one line.

    >>> from .models import model_named
    >>> count(model_named("bert-base-uncased"), "bert/pooler")
    590592
    """
    choices = OPEN if pooler is None else Choices(pooler=pooler)
    return Question(model, model_class, part, tag, choices, tuple(deviations)).number


def every_class(models: Iterable[Model]) -> Iterator[Question]:
    """Each model in each class of its architecture: the only loop over both."""
    return (Question(model, each.name) for model in models for each in model.architecture.classes)


@cache
def class_shown(deviation: Deviation, architecture: Architecture) -> str:
    """The class in which pages show a deviation: its own choice or the first that it fits; empty where none does."""
    names = [each.name for each in architecture.classes]
    fitting = [name for name in names if deviation.fits(architecture.rows_of(name), architecture)]
    return deviation.shown_in if deviation.shown_in in fitting else next(iter(fitting), "")


def effect(model: Model, name: str) -> int:
    """What a deviation adds to the total of the class it is shown in; negative where it falls short.

    Raises:
        UnknownDeviation: no deviation of that name.

    >>> from .models import model_named
    >>> effect(model_named("bert-base-uncased"), "pooler-left-out")
    -590592
    """
    right = Question(model, class_shown(deviation_named(name), model.architecture))
    return right._replace(deviations=(name,)).number - right.number
