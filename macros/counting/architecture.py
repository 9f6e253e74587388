"""What an architecture is: its letters, its tensors, its model classes and their names, as one value.

Rule 1: a row is a path in google-research/bert's spelling and a symbolic shape
in that library's order, (in, out). `layer_*` is one tensor in every layer. All
architectures of the family share this language of paths, so a deviation or a
part means the same in each; only the names in a framework are their own.
Rule 2: a row holds only what cannot be derived. Its size, its name and shape
in transformers, its block and its tags all follow from path and shape.
Rule 3: a row that shares another row's weights names their owner in
`tied_to`; while tied it counts nothing. A row that is not always there says
in `when` what brings it.
Rule 4: the order is that of transformers' `named_parameters()`.
Rule 5: a model class is a choice of path prefixes, so a total is always a sum
of rows and of nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

from .errors import BadChoice, UnknownModelClass, shown, suggestion
from .polynomials import BUT_FIRST, FACTOR, Polynomial


class Symbol(NamedTuple):
    """One letter, its config key, and what it counts.

    `usual` is the value where a config is silent; None means that every
    config must give the key. `minimum` is the least value that transformers
    builds a usable model for.
    """

    letter: str
    key: str
    meaning: str
    source: str
    usual: int | None = None
    minimum: int = 1

    @property
    def needed(self) -> bool:
        """Whether every config must give the key."""
        return self.usual is None


class Choices(NamedTuple):
    """What decides which tensors are built and counted, besides the sizes; None leaves it to the next in line.

    A question comes before its model, and its model before what is usual; a
    class that fixes a choice allows no other.
    """

    pooler: bool | None = None
    tied: bool | None = None
    cross_attention: bool | None = None

    def over(self, other: Choices) -> Choices:
        """These choices, and those of `other` wherever these leave one open."""
        return Choices(
            other.pooler if self.pooler is None else self.pooler,
            other.tied if self.tied is None else self.tied,
            other.cross_attention if self.cross_attention is None else self.cross_attention,
        )


OPEN = Choices()
"""Everything left open."""

USUAL = Choices(pooler=True, tied=True, cross_attention=False)
"""What transformers builds when neither class, config nor caller says otherwise."""


class Row(NamedTuple):
    """One tensor, or with `layer_*` in its path one tensor per layer.

    `shape` is in the order of google-research/bert, kernels (in, out).
    `tied_to` is the path whose weights this row shares while tied. `when` is
    the choice that brings the row, or two sizes that must differ: `"E≠H"`.
    `but_first` keeps it out of the first layer. `block` is filled in by the
    architecture.
    """

    path: str
    shape: str
    tied_to: str = ""
    when: str = ""
    block: str = ""
    but_first: bool = False

    @property
    def repeated(self) -> bool:
        """Whether the row stands once in every layer."""
        return "layer_*" in self.path

    @property
    def tags(self) -> frozenset[str]:
        """What selects it: its block, the components of its path, and what it is.

        That is `embedding-table` or `vector`, and of a dense layer `kernel` or `bias`, whatever its path calls them.
        """
        return _tags(self)


class Section(NamedTuple):
    """Successive rows of a class that it has together or not at all, and their sizes added up.

    `when` is what brings them, and `tied` whether they share the weights of other rows.
    """

    when: str
    tied: bool
    rows: tuple[Row, ...]
    total: Polynomial


LAYER = "bert/encoder/layer_*"
"""The path of every encoder layer."""

ALWAYS, OPTIONAL, NEVER = "always", "optional", "never"


class ModelClass(NamedTuple):
    """One transformers class: what a reader uses it for, and its head as path prefixes.

    `fixed` holds the choices that the class does not leave open. `labels` is
    the only number of labels that it accepts, where it accepts only one.
    """

    name: str
    purpose: str
    heads: tuple[str, ...] = ()
    fixed: Choices = OPEN
    labels: int | None = None

    @property
    def pooler(self) -> str:
        """Whether the class has a pooler: `ALWAYS`, `NEVER`, or `OPTIONAL` where the caller may choose."""
        return {True: ALWAYS, False: NEVER, None: OPTIONAL}[self.fixed.pooler]


def bare(name: str, fixed: Choices = OPEN, usual: Choices = USUAL) -> ModelClass:
    """The class without a head; `usual` is what the architecture has unasked."""
    parts = "embeddings and encoder" if fixed.over(usual).pooler is False else "embeddings, encoder and pooler"
    return ModelClass(name, f"the bare model: {parts}", (), fixed)


class Setting(NamedTuple):
    """A config key that changes the tensors in a way that is not counted here, unless it accepts the value.

    What it accepts is data, so that scripts can read it: one of `values`; with
    `empty` whatever Python takes for false; with `texts_but` any text except
    these; with `same_as` what the config says under that key, and with `times`
    what comes to that when multiplied by what it says under this one. `usual`
    is its value where a config is silent, `why` the reason to refuse all others.
    """

    key: str
    usual: Any
    why: str
    values: tuple[Any, ...] = ()
    empty: bool = False
    texts_but: tuple[str, ...] = ()
    same_as: str = ""
    times: str = ""

    def accepts(self, config: Mapping[str, Any]) -> bool:
        """Whether such a config is counted."""
        if self.same_as and self.key not in config:
            return True
        if self.times:
            factors = config[self.key], config.get(self.times)
            # Only whole numbers: a text times twelve is a longer text, and True counts as one.
            return all(type(each) is int for each in factors) and prod(factors) == config.get(self.same_as)
        if self.same_as:
            return bool(config[self.key] == config.get(self.same_as))
        value = config.get(self.key, self.usual)
        if self.empty:
            return not value
        if self.texts_but:
            return isinstance(value, str) and value not in self.texts_but
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            value = "|".join(value)  # as transformers splits a text
        # By type as well: 1 equals True, and transformers tells them apart.
        return any(type(value) is type(each) and value == each for each in self.values)


class Buffer(NamedTuple):
    """A constant that transformers keeps beside the parameters: its shape, and the bytes of each of its numbers."""

    shape: tuple[int, ...]
    width: int

    @property
    def bytes(self) -> int:
        """The bytes of all of it."""
        return prod(self.shape) * self.width


@dataclass(kw_only=True, eq=False, repr=False)
class Architecture:
    """A family of models that differ in nothing but their sizes.

    Attributes:
        name: as in print.
        model_type: as in its `config.json`.
        symbols: its letters, in the order of reading: all that architectures share in the same one, C last.
        rows: its tensors; see the rules above.
        blocks: the parts a reader thinks in, as path prefixes; every row
            belongs to exactly one.
        classes: its classes in transformers; the first is the bare model.
        modules: what transformers calls a path or the beginning of one. The
            longest entry decides, and the rest of a path is joined by dots.
        buffers: its constants beside the parameters, from its sizes and the release of transformers.
        usual: what it has unasked where that is not `USUAL`, of all that a class leaves open.
        layers: the letters whose product is the number of layers that have
            weights of their own.
        layer_name: how transformers' names write a layer's number: a star for each letter of `layers`.
        settings: what its config may say that is not counted here.
        padded: the letters of the tables that keep a row for the padding token of the config.
        padding: the padding token where a config is silent.
        first_position: the row of the table of positions that the first token takes.
        instead: by letter, another key for a size, which wins where a config gives both.
        passes: the letters whose product is how many layers a text passes through; empty is `layers`.
        shared_with_positions: the path prefixes of projections through which relative positions go, too.
        one_per_text: the path prefixes that read one vector per text, all others one per token.
    """

    name: str
    model_type: str
    symbols: tuple[Symbol, ...]
    rows: tuple[Row, ...]
    blocks: Mapping[str, tuple[str, ...]]
    classes: tuple[ModelClass, ...]
    modules: Mapping[str, str]
    buffers: Callable[[Mapping[str, int], int], Sequence[Buffer]]
    usual: Choices = OPEN
    layers: tuple[str, ...] = ("L",)
    layer_name: str = "*"
    settings: tuple[Setting, ...] = ()
    padded: tuple[str, ...] = ("V",)
    padding: int = 0
    first_position: int = 0
    instead: Mapping[str, str] = field(default_factory=dict)
    passes: tuple[str, ...] = ()
    shared_with_positions: tuple[str, ...] = ()
    one_per_text: tuple[str, ...] = (
        *("bert/pooler", "cls/seq_relationship", "sequence_classifier", "multiple_choice"),
        *("sequence_head", "multiple_choice_head"),
    )

    def __post_init__(self) -> None:
        self.rows = tuple(row._replace(block=self._block_of(row)) for row in self.rows)
        self.named = {"": self.classes[0], **{each.name: each for each in self.classes}}
        """Its classes by name; the empty name is that of the bare model."""
        self.keys = frozenset([*(each.key for each in self.symbols), *(each.key for each in self.settings)])
        """The keys of its config that this architecture reads."""
        self.stated = {each.key: each.values[0] for each in self.settings if not each.accepts({})}
        """What its config must say, since another value is usual: settings by key."""
        self._sections = {each.name: list(self._sections_of(each)) for each in self.classes}
        self._comparisons = frozenset(row.when for row in self.rows if "≠" in row.when)

    def __repr__(self) -> str:
        # All its rows would drown whatever names it.
        return self.name

    def _block_of(self, row: Row) -> str:
        return next(block for block, prefixes in self.blocks.items() if lies_under(row.path, prefixes))

    def _sections_of(self, model_class: ModelClass) -> Iterator[Section]:
        rows = (row for row in self.rows if lies_under(row.path, ("bert", *model_class.heads)))
        for (when, tied), together in groupby(rows, lambda row: (row.when, bool(row.tied_to))):
            section = tuple(together)
            yield Section(when, tied, section, Polynomial.total(map(self.size, section)).simplified())

    def changed(self, **fields: Any) -> Architecture:
        """The same architecture but for some fields."""
        return replace(self, **fields)

    def variant(self, *, rows: Mapping[str, Iterable[Row]], modules: Mapping[str, str], **fields: Any) -> Architecture:
        """Another architecture, written as what is different in it.

        Args:
            rows: what stands in place of the rows under a path; nothing drops them.
            modules: names of its own, over those of this architecture.
            fields: whatever else differs.

        Raises:
            ValueError: a path in `rows` has no row, or drops one that a path before it has just added.
        """
        kept, added = self.rows, dict[str, str]()
        for prefix, instead in rows.items():
            under = [row for row in kept if lies_under(row.path, (prefix,))]
            if not under:
                raise ValueError(f"{self.name} has no row under {prefix}; name a path whose rows differ")
            lost = next((row.path for row in under if row.path in added), "")
            if lost:
                raise ValueError(
                    f"{prefix} drops {lost}, which {added[lost]} has just added; name {prefix} before {added[lost]}, "
                    f"or write the row under {prefix}"
                )
            new = tuple(instead)
            added |= dict.fromkeys((row.path for row in new), prefix)
            start = kept.index(under[0])
            kept = (*kept[:start], *new, *(row for row in kept[start:] if row not in under))
        return self.changed(rows=kept, modules={**self.modules, **modules}, **fields)

    def class_named(self, name: str) -> ModelClass:
        """The class of that name; empty is the bare model.

        Raises:
            UnknownModelClass: this architecture has no such class.
        """
        found = self.named.get(name)
        if found is None:
            known = [each.name for each in self.classes]
            raise UnknownModelClass(f"no model class {shown(name)} of {self.name}; {suggestion(str(name), known)}")
        return found

    def rows_of(self, model_class: str = "", choices: Choices = OPEN, equal: tuple[str, ...] = ()) -> tuple[Row, ...]:
        """The rows that one class has, in transformers' order; tied ones are among them.

        Args:
            model_class: a class of this architecture; empty is the bare model.
            choices: over what is usual, and under what the class fixes.
            equal: the comparisons of rows that do not hold; see `equal_in`.

        Raises:
            UnknownModelClass: there is no such class.
            BadChoice: a pooler is asked of a class that has none, or taken
                from one that always has it.
        """
        return _rows_of(self, model_class, choices, equal)

    def settled(self, chosen: ModelClass, choices: Choices) -> Choices:
        """Every choice decided: by the class, or else by the caller, or else by what is usual.

        Raises:
            BadChoice: the caller wants what the class does not have.
        """
        for name, fixed, wanted in zip(Choices._fields, chosen.fixed, choices, strict=True):
            if fixed is not None and wanted not in (None, fixed):
                often = "always" if fixed else "never"
                raise BadChoice(
                    f"{chosen.name} {often} has a {name} in transformers, "
                    f"so {name}={shown(wanted)} does not fit; leave it out, or choose another class"
                )
        return chosen.fixed.over(choices).over(self.usual).over(USUAL)

    def total(self, model_class: str, choices: Choices, equal: tuple[str, ...]) -> Polynomial:
        """The number of parameters of one class; what is tied counts at its owner. Arguments and errors as above."""
        chosen = self.class_named(model_class)
        decided = self.settled(chosen, choices)
        sections = self._present(chosen, decided, equal)
        return Polynomial.total([each.total for each in sections if not (decided.tied and each.tied)])

    def _present(self, chosen: ModelClass, decided: Choices, equal: tuple[str, ...]) -> list[Section]:
        """The sections that a class has; a row that no choice brings is there unless a comparison keeps it away."""
        return [
            each for each in self._sections[chosen.name] if each.when not in equal and getattr(decided, each.when, True)
        ]

    def equal_in(self, sizes: Mapping[str, int]) -> tuple[str, ...]:
        """The comparisons such as `"E≠H"` that do not hold for these sizes."""
        return tuple([each for each in self._comparisons if sizes[each[0]] == sizes[each[-1]]])

    def size(self, row: Row) -> Polynomial:
        """Elements of a row's tensor, or of its tensors in all layers; ties are ignored."""
        return Polynomial.of_shape(row.shape, self.layers_of(row))

    def layers_of(self, row: Row, passes: bool = False) -> tuple[str, ...]:
        """The letters whose product is how many layers have such a tensor, or with `passes` how often it is used."""
        layers = (self.passes or self.layers) if passes else self.layers
        return () if not row.repeated else tuple(map(BUT_FIRST.format, layers)) if row.but_first else layers

    def depth(self, sizes: Mapping[str, int]) -> int:
        """How many layers have weights of their own."""
        return prod(sizes[letter] for letter in self.layers)

    def layer_named(self, layer: int, sizes: Mapping[str, int]) -> str:
        """What transformers' names write for one layer where they have `layer_name` for every layer."""
        name = self.layer_name
        for letter in reversed(self.layers):
            layer, place = divmod(layer, sizes[letter])
            before, _, after = name.rpartition("*")
            name = f"{before}{place}{after}"
        return name

    def classes_with(self, letter: str) -> list[str]:
        """The classes in which a letter sizes a tensor, or counts the layers."""
        return [each.name for each in self.classes if letter in self.letters_in(self.rows_of(each.name))]

    def letters_in(self, rows: Iterable[Row]) -> frozenset[str]:
        """The letters that size these rows, or count the layers they stand in."""
        shaped = {letter for row in rows for letter in FACTOR.findall(row.shape) if letter.isalpha()}
        return frozenset(shaped.union(self.layers))


@cache
def _rows_of(architecture: Architecture, name: str, choices: Choices, equal: tuple[str, ...]) -> tuple[Row, ...]:
    chosen = architecture.class_named(name)
    sections = architecture._present(chosen, architecture.settled(chosen, choices), equal)
    return tuple(row for each in sections for row in each.rows)


MATRICES = ("kernel", "output_weights")
"""How the path of a dense layer's matrix ends, wherever the layer stands."""

BIASES = ("bias", "output_bias")
"""How the path of a dense layer's bias ends; the shift of a LayerNorm is none."""


@cache
def _tags(row: Row) -> frozenset[str]:
    steps = row.path.split("/")
    table = ["embedding-table"] if row.path.endswith("_embeddings") else []
    vector = ["vector"] if " " not in row.shape else []
    dense = [leaves[0] for leaves in (MATRICES, BIASES) if steps[-1] in leaves]
    return frozenset([*steps, row.block, *table, *vector, *dense])


@cache
def lies_under(path: str, prefixes: tuple[str, ...]) -> bool:
    """Whether `path` is one of `prefixes` or lies below one, whole components only.

    >>> lies_under("bert/pooler/dense/bias", ("bert/pooler",))
    True
    >>> lies_under("bert/pooler_two/bias", ("bert/pooler",))
    False
    """
    return f"{path}/".startswith(tuple(f"{prefix}/" for prefix in prefixes))


def carries(row: Row, tag: str) -> bool:
    """Whether a row carries every tag of `tag`, and none that stands there with a minus before it.

    >>> carries(Row("bert/pooler/dense/bias", "H"), "bias -LayerNorm")
    True
    """
    return all((each.removeprefix("-") in row.tags) is not each.startswith("-") for each in tag.split())


def belongs(row: Row, part: str, tag: str = "") -> bool:
    """Whether a row lies under a part, or under one of several that are separated by commas, and carries a tag.

    No part is everything, and no tag is carried by every row.

    >>> belongs(Row("bert/pooler/dense/bias", "H"), "bert/embeddings, bert/pooler", "-kernel")
    True
    """
    return (not part or lies_under(row.path, tuple(part.split(", ")))) and (not tag or carries(row, tag))


def dense(path: str, shape: str, when: str = "") -> tuple[Row, Row]:
    """A dense layer, kernel (in, out) and bias.

    >>> [row.shape for row in dense("bert/pooler/dense", "H H")]
    ['H H', 'H']
    """
    return Row(f"{path}/kernel", shape, when=when), Row(f"{path}/bias", shape.split()[1], when=when)


def kernel(path: str, shape: str) -> Row:
    """A dense layer without a bias."""
    return Row(f"{path}/kernel", shape)


def scale(path: str, but_first: bool = False) -> Row:
    """A LayerNorm that has a scale and no shift."""
    return Row(f"{path}/gamma", "H", but_first=but_first)


def norm(path: str, width: str = "H", when: str = "") -> tuple[Row, Row]:
    """A LayerNorm: its scale, gamma, and its shift, beta, for every feature."""
    return Row(f"{path}/gamma", width, when=when), Row(f"{path}/beta", width, when=when)


def output(path: str, labels: str) -> tuple[Row, Row]:
    """The last layer of a head as google-research/bert writes it: weights (out, in), and a bias."""
    return Row(f"{path}/output_weights", f"{labels} H"), Row(f"{path}/output_bias", labels)


def attention(path: str, when: str = "") -> tuple[Row, ...]:
    """The rows of one attention: query, key, value, output projection and the LayerNorm after it."""
    projections = (f"{path}/self/query", f"{path}/self/key", f"{path}/self/value", f"{path}/output/dense")
    return (
        *(row for each in projections for row in dense(each, "H H", when)),
        *norm(f"{path}/output/LayerNorm", when=when),
    )
