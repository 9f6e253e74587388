"""An architecture as one value: its letters, its tensors, its model classes and the names of all of them.

Rule 1: a row is a path in google-research/bert's spelling and a symbolic shape
in that library's order, (in, out). `layer_*` is one tensor in every layer. All
architectures of the family share this language of paths, so a deviation or a
part means the same in each; only the names in a framework are their own.
Rule 2: a row holds only what cannot be derived. Its size, its name and shape
in transformers, its block and its tags all follow from path and shape.
Rule 3: a row that shares another row's weights names their owner in
`tied_to`; while tied it counts nothing. A row that is optional says in `when`
which choice brings it.
Rule 4: the order is that of transformers' `named_parameters()`.
Rule 5: a model class is a choice of path prefixes, so a total is always a sum
of rows and of nothing else.
Rule 6: a relative is written as what differs from BERT; see `variant`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

from .errors import BadChoice, UnknownModelClass, quote, suggestion
from .polynomials import BUT_FIRST, FACTOR, Polynomial


class Symbol(NamedTuple):
    """A letter of the formulas, and the size that it stands for.

    Attributes:
        letter: a capital letter.
        key: the key of the size in a config.
        meaning: what it counts, in words.
        source: the file and class that define the key.
        usual: the value if a config does not give one; None if every config
            must.
        minimum: the least value for which transformers builds a usable model.
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
    """Whether a model has a pooler, a tied decoder and cross-attention; None leaves a choice open.

    An open choice is made by the next in line: the question, its model, and
    then the usual choices of the architecture. A class that fixes a choice
    allows no other.
    """

    pooler: bool | None = None
    tied: bool | None = None
    cross_attention: bool | None = None

    def over(self, other: Choices) -> Choices:
        """These choices, with those of `other` where these are open."""
        # Written out, since this runs for every question.
        return Choices(
            other.pooler if self.pooler is None else self.pooler,
            other.tied if self.tied is None else self.tied,
            other.cross_attention if self.cross_attention is None else self.cross_attention,
        )


OPEN = Choices()
"""Every choice left open."""

USUAL = Choices(pooler=True, tied=True, cross_attention=False)
"""The choices of transformers if neither class, config nor caller makes them."""


class Row(NamedTuple):
    """One tensor, or with `layer_*` in its path one tensor per layer.

    Attributes:
        path: its name in the spelling of google-research/bert.
        shape: its dimensions in letters and numbers, kernels (in, out).
        tied_to: the path of the row whose weights it shares while tied.
        when: the choice that brings it, or two sizes that must differ, such
            as `"E≠H"`; empty if it is always there.
        block: the block that it belongs to; the architecture fills it in.
        but_first: whether the first layer lacks it.
    """

    path: str
    shape: str
    tied_to: str = ""
    when: str = ""
    block: str = ""
    but_first: bool = False

    @property
    def repeated(self) -> bool:
        """Whether every layer has such a tensor."""
        return "layer_*" in self.path

    @property
    def tags(self) -> frozenset[str]:
        """The words that select it: its block, the components of its path, and its kind.

        A kind is `embedding-table` or `vector`, and in a dense layer `kernel` or `bias`, whatever the path calls them.
        """
        return _tags(self)


class Section(NamedTuple):
    """Successive rows that a class has together or not at all, with the sum of their sizes.

    `when` is the choice that brings them; `tied` is whether they share the weights of other rows.
    """

    when: str
    tied: bool
    rows: tuple[Row, ...]
    total: Polynomial


LAYER = "bert/encoder/layer_*"
"""The path of every encoder layer."""

ALWAYS, OPTIONAL, NEVER = "always", "optional", "never"
"""Whether a class has a pooler."""


class ModelClass(NamedTuple):
    """One class of transformers.

    Attributes:
        name: the name of the class.
        purpose: what a reader uses it for.
        heads: its head, as path prefixes of rows; empty for the bare model.
        fixed: the choices that it does not leave open.
        labels: the only number of labels that it accepts; None for any.
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
    """The class without a head; `usual` are the usual choices of its architecture, for the words of its purpose."""
    parts = "embeddings and encoder" if fixed.over(usual).pooler is False else "embeddings, encoder and pooler"
    return ModelClass(name, f"the bare model: {parts}", (), fixed)


class Setting(NamedTuple):
    """A config key whose values are refused because they change the tensors, except for those accepted here.

    The accepted values are data, so that scripts can read them. A setting gives
    them in one of five ways: `values`, `empty`, `texts_but`, `same_as`, or
    `same_as` with `times`.

    Attributes:
        key: the key in a config.
        usual: its value if a config does not give one.
        why: why all other values are refused, and what to do.
        values: accepted values.
        empty: accept whatever Python takes for false.
        texts_but: accept any text except these.
        same_as: accept the value of this other key, and a config without `key`.
        times: with `same_as`, accept a value whose product with the value of
            this key is that of `same_as`.
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
        """Whether this setting lets a config be counted."""
        if self.same_as and self.key not in config:
            return True
        if self.times:
            factors = config[self.key], config.get(self.times)
            # Only integers: in Python a text can be multiplied too, and True counts as 1.
            return all(type(factor) is int for factor in factors) and prod(factors) == config.get(self.same_as)
        if self.same_as:
            return bool(config[self.key] == config.get(self.same_as))
        value = config.get(self.key, self.usual)
        if self.empty:
            return not value
        if self.texts_but:
            return isinstance(value, str) and value not in self.texts_but
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = "|".join(value)  # a list means the same as the text that transformers splits at "|"
        # By type as well: 1 equals True in Python, but transformers treats them differently.
        return any(type(value) is type(accepted) and value == accepted for accepted in self.values)


class Buffer(NamedTuple):
    """A constant tensor that transformers keeps beside the parameters: its shape, and the bytes per element."""

    shape: tuple[int, ...]
    width: int

    @property
    def bytes(self) -> int:
        """The bytes of the whole tensor."""
        return prod(self.shape) * self.width


@dataclass(kw_only=True, eq=False, repr=False)
class Architecture:
    """A family of models that differ only in their sizes.

    Attributes:
        name: its name in print.
        model_type: its name in a `config.json`.
        symbols: its letters, in the order in which pages list them. Letters
            that several architectures have keep their order, and C is last.
        rows: its tensors; see the rules above.
        blocks: the parts of a model as readers think of them, by name, as path
            prefixes; every row belongs to exactly one.
        classes: its classes in transformers; the first is the bare model.
        modules: the names that transformers gives to paths. The longest prefix
            of a path decides, and dots join the rest of the path.
        buffers: its buffers, from its sizes and a major release of
            transformers.
        usual: its choices where they are not those of `USUAL`; None elsewhere.
        layers: the letters whose product is the number of layers with weights
            of their own.
        layer_name: the number of a layer in transformers' names, with a star
            for each letter of `layers`.
        settings: keys of its config that are refused with some values.
        padded: the letters of the tables that keep a row for the padding id.
        padding: the padding id if a config does not give one.
        first_position: the position id of the first token.
        instead: by letter, another key for a size, which wins if a config
            gives both.
        passes: the letters whose product is the number of layers that a text
            passes through; empty if those are `layers`.
        shared_with_positions: path prefixes of the projections that are also
            applied to relative positions.
        one_per_text: path prefixes of the layers that read one vector per
            text; all others read one per token.
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
        "bert/pooler",
        "cls/seq_relationship",
        "sequence_classifier",
        "multiple_choice",
        "sequence_head",
        "multiple_choice_head",
    )

    def __post_init__(self) -> None:
        self.rows = tuple(row._replace(block=self._block_of(row)) for row in self.rows)
        self.class_by_name = {"": self.classes[0], **{each.name: each for each in self.classes}}
        """Its classes by name; the empty name is that of the bare model."""
        self.keys = frozenset([*(symbol.key for symbol in self.symbols), *(setting.key for setting in self.settings)])
        """The keys of its config that this architecture reads."""
        self.required_settings = {
            setting.key: setting.values[0] for setting in self.settings if not setting.accepts({})
        }
        """By key, settings that a config has to give because the default is refused, with an accepted value."""
        self._sections = {each.name: list(self._sections_of(each)) for each in self.classes}
        self._comparisons = frozenset(row.when for row in self.rows if "≠" in row.when)

    def __repr__(self) -> str:
        # Not all fields: with its rows, an error or a failing test would print pages.
        return self.name

    def _block_of(self, row: Row) -> str:
        return next(block for block, prefixes in self.blocks.items() if lies_under(row.path, prefixes))

    def _sections_of(self, model_class: ModelClass) -> Iterator[Section]:
        """The sections of a class. A total then adds up a handful of sums rather than every row."""
        rows = (row for row in self.rows if lies_under(row.path, ("bert", *model_class.heads)))
        for (when, tied), group in groupby(rows, lambda row: (row.when, bool(row.tied_to))):
            section = tuple(group)
            yield Section(when, tied, section, Polynomial.total(map(self.size, section)).simplified())

    def changed(self, **fields: Any) -> Architecture:
        """The same architecture with other values for some fields."""
        return replace(self, **fields)

    def variant(self, *, rows: Mapping[str, Iterable[Row]], modules: Mapping[str, str], **fields: Any) -> Architecture:
        """Another architecture, written as its differences from this one.

        Args:
            rows: by path, the rows that replace all rows under that path, in
                order; none to drop them.
            modules: names that are added to those of this architecture, or
                replace them.
            fields: other fields that differ.

        Raises:
            ValueError: there is no row under a path of `rows`, or a path
                drops a row that an earlier path has added.
        """
        result, origin = self.rows, dict[str, str]()
        for prefix, instead in rows.items():
            under = [row for row in result if lies_under(row.path, (prefix,))]
            if not under:
                raise ValueError(f"{self.name} has no row under {prefix}; name a path whose rows differ")
            # A wider path after a narrower one would silently undo it.
            lost = next((row.path for row in under if row.path in origin), "")
            if lost:
                raise ValueError(
                    f"{prefix} drops {lost}, which {origin[lost]} has just added; name {prefix} before {origin[lost]}, "
                    f"or write the row under {prefix}"
                )
            new = tuple(instead)
            origin |= dict.fromkeys((row.path for row in new), prefix)
            start = result.index(under[0])
            result = (*result[:start], *new, *(row for row in result[start:] if row not in under))
        return self.changed(rows=result, modules={**self.modules, **modules}, **fields)

    def class_named(self, name: str) -> ModelClass:
        """The class of that name; the empty name is the bare model.

        Raises:
            UnknownModelClass: this architecture has no such class.
        """
        model_class = self.class_by_name.get(name)
        if model_class is None:
            known = [each.name for each in self.classes]
            raise UnknownModelClass(f"no model class {quote(name)} of {self.name}; {suggestion(str(name), known)}")
        return model_class

    def rows_of(self, model_class: str = "", choices: Choices = OPEN, equal: tuple[str, ...] = ()) -> tuple[Row, ...]:
        """The rows of one class in transformers' order, tied ones included.

        Args:
            model_class: a class of this architecture; empty is the bare model.
            choices: choices that override the usual ones.
            equal: the comparisons of rows that are false; see `equal_in`.

        Raises:
            UnknownModelClass: there is no such class.
            BadChoice: the choices contradict one that the class fixes, such as
                a pooler for a class that has none.
        """
        return _rows_of(self, model_class, choices, equal)

    def settled(self, model_class: ModelClass, choices: Choices) -> Choices:
        """Every choice, none left open: as the class fixes it, or else as in `choices`, or else the usual one.

        Raises:
            BadChoice: the choices contradict one that the class fixes.
        """
        for name, fixed, choice in zip(Choices._fields, model_class.fixed, choices, strict=True):
            if fixed is not None and choice not in (None, fixed):
                often = "always" if fixed else "never"
                raise BadChoice(
                    f"{model_class.name} {often} has a {name} in transformers, "
                    f"so {name}={quote(choice)} does not fit; leave it out, or choose another class"
                )
        return model_class.fixed.over(choices).over(self.usual).over(USUAL)

    def total(self, name: str, choices: Choices, equal: tuple[str, ...]) -> Polynomial:
        """The number of parameters of the class of that name, in letters; a tied tensor counts once, at its owner.

        The other arguments and the errors are those of `rows_of`.
        """
        model_class = self.class_named(name)
        settled = self.settled(model_class, choices)
        sections = self._present(model_class, settled, equal)
        return Polynomial.total([section.total for section in sections if not (settled.tied and section.tied)])

    def _present(self, model_class: ModelClass, settled: Choices, equal: tuple[str, ...]) -> list[Section]:
        """The sections that a class has with these choices and comparisons."""
        return [
            section
            for section in self._sections[model_class.name]
            # `when` names a choice, or else it is a comparison or empty and no choice forbids the section.
            if section.when not in equal and getattr(settled, section.when, True)
        ]

    def equal_in(self, sizes: Mapping[str, int]) -> tuple[str, ...]:
        """The comparisons of this architecture's rows, such as `"E≠H"`, that are false for these sizes."""
        return tuple([text for text in self._comparisons if sizes[text[0]] == sizes[text[-1]]])

    def size(self, row: Row) -> Polynomial:
        """Elements of a row's tensor, or of its tensors in all layers, whether or not it is tied."""
        return Polynomial.of_shape(row.shape, self.layers_of(row))

    def layers_of(self, row: Row, passes: bool = False) -> tuple[str, ...]:
        """The letters whose product is the number of layers with such a tensor, or with `passes` how often it runs."""
        layers = (self.passes or self.layers) if passes else self.layers
        if not row.repeated:
            return ()
        return tuple(map(BUT_FIRST.format, layers)) if row.but_first else layers

    def depth(self, sizes: Mapping[str, int]) -> int:
        """The number of layers with weights of their own."""
        return prod(sizes[letter] for letter in self.layers)

    def layer_named(self, layer: int, sizes: Mapping[str, int]) -> str:
        """`layer_name` with the numbers of one layer, counted from 0, for its stars."""
        name = self.layer_name
        for letter in reversed(self.layers):
            layer, place = divmod(layer, sizes[letter])
            before, _, after = name.rpartition("*")
            name = f"{before}{place}{after}"
        return name

    def classes_with(self, letter: str) -> list[str]:
        """The names of the classes in which a letter sizes a tensor or counts the layers."""
        return [each.name for each in self.classes if letter in self.letters_in(self.rows_of(each.name))]

    def letters_in(self, rows: Iterable[Row]) -> frozenset[str]:
        """The letters that occur in the shapes of these rows or count the layers."""
        letters = {letter for row in rows for letter in FACTOR.findall(row.shape) if letter.isalpha()}
        return frozenset(letters.union(self.layers))


@cache
def _rows_of(architecture: Architecture, name: str, choices: Choices, equal: tuple[str, ...]) -> tuple[Row, ...]:
    model_class = architecture.class_named(name)
    sections = architecture._present(model_class, architecture.settled(model_class, choices), equal)
    return tuple(row for section in sections for row in section.rows)


MATRICES = ("kernel", "output_weights")
"""The last component of the path of a dense layer's matrix, in the encoder and in heads."""

BIASES = ("bias", "output_bias")
"""The last component of the path of a dense layer's bias. A LayerNorm has a beta instead."""


@cache
def _tags(row: Row) -> frozenset[str]:
    steps = row.path.split("/")
    table = ["embedding-table"] if row.path.endswith("_embeddings") else []
    vector = ["vector"] if " " not in row.shape else []
    dense = [leaves[0] for leaves in (MATRICES, BIASES) if steps[-1] in leaves]
    return frozenset([*steps, row.block, *table, *vector, *dense])


@cache
def lies_under(path: str, prefixes: tuple[str, ...]) -> bool:
    """Whether `path` is one of `prefixes` or lies below one of them, whole components only.

    >>> lies_under("bert/pooler/dense/bias", ("bert/pooler",))
    True
    >>> lies_under("bert/pooler_two/bias", ("bert/pooler",))
    False
    """
    return f"{path}/".startswith(tuple(f"{prefix}/" for prefix in prefixes))


def carries(row: Row, tag: str) -> bool:
    """Whether a row carries every word of `tag`, and none that has a minus before it.

    >>> carries(Row("bert/pooler/dense/bias", "H"), "bias -LayerNorm")
    True
    """
    return all((word.removeprefix("-") in row.tags) is not word.startswith("-") for word in tag.split())


def belongs(row: Row, part: str, tag: str = "") -> bool:
    """Whether a row lies under a part and carries a tag.

    A part may be several paths, separated by commas; a row lies under one of
    them. An empty part is everything, and every row carries the empty tag.

    >>> belongs(Row("bert/pooler/dense/bias", "H"), "bert/embeddings, bert/pooler", "-kernel")
    True
    """
    return (not part or lies_under(row.path, tuple(part.split(", ")))) and (not tag or carries(row, tag))


def dense(path: str, shape: str, when: str = "") -> tuple[Row, Row]:
    """The rows of a dense layer: kernel (in, out) and bias.

    >>> [row.shape for row in dense("bert/pooler/dense", "H H")]
    ['H H', 'H']
    """
    return Row(f"{path}/kernel", shape, when=when), Row(f"{path}/bias", shape.split()[1], when=when)


def kernel(path: str, shape: str) -> Row:
    """The row of a dense layer without a bias."""
    return Row(f"{path}/kernel", shape)


def scale(path: str, but_first: bool = False) -> Row:
    """The row of a LayerNorm without a shift."""
    return Row(f"{path}/gamma", "H", but_first=but_first)


def norm(path: str, width: str = "H", when: str = "") -> tuple[Row, Row]:
    """The rows of a LayerNorm: its scale, gamma, and its shift, beta, each with one number per feature."""
    return Row(f"{path}/gamma", width, when=when), Row(f"{path}/beta", width, when=when)


def output(path: str, labels: str) -> tuple[Row, Row]:
    """The rows of a head's last layer as google-research/bert has them: weights (out, in) and a bias."""
    return Row(f"{path}/output_weights", f"{labels} H"), Row(f"{path}/output_bias", labels)


def attention(path: str, when: str = "") -> tuple[Row, ...]:
    """The rows of one attention: query, key, value, output projection and the LayerNorm after it."""
    projections = (f"{path}/self/query", f"{path}/self/key", f"{path}/self/value", f"{path}/output/dense")
    return (
        *(row for projection in projections for row in dense(projection, "H H", when)),
        *norm(f"{path}/output/LayerNorm", when=when),
    )
