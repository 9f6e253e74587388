"""An architecture as one value: its letters, its tensors, its model classes and the names of all of them.

Rule 1: a row is a path in google-research/bert's spelling and a symbolic shape
in that library's order, so a kernel is (in, out). A path with `layer_*` means
one tensor per layer. All architectures share this language of paths, so a
deviation or a part means the same in each of them, even where the names in
transformers differ.
Rule 2: a definition of a row gives only what cannot be derived. Its size, its
name and shape in transformers, its block and its tags are derived.
Rule 3: a row that shares another row's weights names their owner in
`tied_to`; while tied it adds nothing to a total. An optional row names in
`when` the choice on which it depends.
Rule 4: the rows are in the order of transformers' `named_parameters()`.
Rule 5: a model class selects rows by path prefixes, so its total is a sum of
rows.
Rule 6: a relative is defined by its differences from BERT; see `variant`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

from .errors import BadChoice, UnknownModelClass, quote, suggestion
from .polynomials import ALL_BUT_FIRST, FACTOR, MINUS, Polynomial


class Symbol(NamedTuple):
    """A letter of the formulas, and the size that it represents.

    Attributes:
        letter: a capital letter.
        key: the key of the size in a config.
        meaning: a phrase that describes the size.
        source: the file and class that define the key.
        default: the default if a config does not give the key; None if there is
            none.
        minimum: the smallest value for which transformers builds a usable model.
        only_if: a boolean key of the config, false by default. Unless it is true,
            the model lacks the tensors with this size, and the size is 0.
        otherwise: the default in terms of other sizes, such as A, or H/A rounded
            down, for a config that does not give the key or gives null; empty if
            there is no such default.
    """

    letter: str
    key: str
    meaning: str
    source: str
    default: int | None = None
    minimum: int = 1
    only_if: str = ""
    otherwise: str = ""

    @property
    def is_required(self) -> bool:
        """Whether every config has to give the key."""
        return self.default is None and not self.otherwise


class Choices(NamedTuple):
    """Everything other than sizes that decides which tensors a model has; None leaves a choice open.

    A choice that a class fixes cannot be changed. Any other choice is made by
    the first of these that does not leave it open: the question, its model, the
    architecture's default choices and those of transformers.

    Attributes:
        pooler: whether there is a pooler.
        tied: whether the decoder shares the weights of the word embeddings.
        cross_attention: whether the layers have cross-attention.
        flags: the architecture's flags that are true in the config.
    """

    pooler: bool | None = None
    tied: bool | None = None
    cross_attention: bool | None = None
    flags: frozenset[str] | None = None

    def with_defaults(self, defaults: Choices) -> Choices:
        """These choices, with the open ones filled in from `defaults`."""
        # Written out rather than as a loop, because this runs for every question and has to be fast.
        return Choices(
            defaults.pooler if self.pooler is None else self.pooler,
            defaults.tied if self.tied is None else self.tied,
            defaults.cross_attention if self.cross_attention is None else self.cross_attention,
            defaults.flags if self.flags is None else self.flags,
        )

    def by_name(self, flags: Iterable[str] = ()) -> dict[str, bool]:
        """The choices that are not open, by name; each of `flags` counts as a choice of its own."""
        switches = {name: getattr(self, name) for name in SWITCHES if getattr(self, name) is not None}
        return switches if self.flags is None else switches | {flag: flag in self.flags for flag in flags}

    def allows(self, condition: str) -> bool:
        """Whether these choices allow rows with this condition.

        A comparison of sizes always passes here, because `Architecture.false_comparisons` evaluates it.
        """
        if condition in SWITCHES:
            return bool(getattr(self, condition))
        return not condition or is_comparison(condition) or condition in (self.flags or ())


def is_comparison(condition: str) -> bool:
    """Whether a row's condition compares sizes."""
    return "≠" in condition or "=" in condition


OPEN = Choices()
"""Choices that are all open."""

DEFAULT_CHOICES = Choices(pooler=True, tied=True, cross_attention=False, flags=frozenset())
"""The defaults of transformers."""

SWITCHES = ("pooler", "tied", "cross_attention")
"""The choices that are either true or false."""


class Row(NamedTuple):
    """One tensor or, with `layer_*` in its path, one tensor per layer.

    Attributes:
        path: its name in the spelling of google-research/bert.
        shape: its dimensions in letters and numbers; kernels are (in, out).
        tied_to: the path of the row whose weights it shares while the decoder
            is tied; empty if it shares none.
        when: the choice or the flag that it depends on, or a comparison of a
            size with another one or with 0, such as `"E≠H"` or `"J=0"`; empty
            if the tensor always exists.
        block: the block that it belongs to; the architecture fills it in.
        skips_first_layer: whether the first layer lacks it.
    """

    path: str
    shape: str
    tied_to: str = ""
    when: str = ""
    block: str = ""
    skips_first_layer: bool = False

    @property
    def is_per_layer(self) -> bool:
        """Whether each layer has the tensor, except the first layer if `skips_first_layer` is true."""
        return "layer_*" in self.path

    @property
    def tags(self) -> frozenset[str]:
        """The words by which it can be selected: its block, the components of its path, and its kinds.

        The kinds are `embedding-table`, `vector`, `kernel` and `bias`; the last two also apply to `output_weights` and
        `output_bias`.
        """
        return _tags(self)


class Section(NamedTuple):
    """Consecutive rows of a class that exist under the same condition, with the sum of their sizes.

    Attributes:
        when: their condition, as in `Row`.
        is_tied: whether they share the weights of other rows while the decoder is tied.
        rows: the rows in order.
        total: the sum of their sizes, as a symbolic formula.
    """

    when: str
    is_tied: bool
    rows: tuple[Row, ...]
    total: Polynomial


LAYER = "bert/encoder/layer_*"
"""The path of the encoder layers, with a star in place of a layer's number."""

ONE_LAYER = LAYER.replace("*", "0")
"""The path of the first layer, for counting a part in one layer; all layers of BERT have the same shapes."""

ALWAYS, OPTIONAL, NEVER = "always", "optional", "never"
"""The values of `ModelClass.pooler`."""


class ModelClass(NamedTuple):
    """A model class of transformers.

    Attributes:
        name: its name.
        purpose: its task, in words.
        heads: its head or heads, as path prefixes of rows; empty for the bare model.
        fixed_choices: its fixed choices; those that it allows to vary are open.
        required_labels: the only number of labels that it accepts; None for any.
    """

    name: str
    purpose: str
    heads: tuple[str, ...] = ()
    fixed_choices: Choices = OPEN
    required_labels: int | None = None

    @property
    def pooler(self) -> str:
        """Whether the class has a pooler: `ALWAYS`, `NEVER`, or `OPTIONAL` if the caller may choose."""
        return {True: ALWAYS, False: NEVER, None: OPTIONAL}[self.fixed_choices.pooler]

    @property
    def label(self) -> str:
        """The label of the class in a list of choices: its name, and its purpose up to the first colon.

        `classLabel` in `docs/assets/counting/engine.js` returns the same text.
        """
        return f"{self.name} ({self.purpose.partition(':')[0]})"


def bare_class(name: str, fixed_choices: Choices = OPEN, default_choices: Choices = DEFAULT_CHOICES) -> ModelClass:
    """The class without a head.

    Args:
        name: its name.
        fixed_choices: its fixed choices.
        default_choices: the default choices of its architecture, for those that `fixed_choices` leaves open.
    """
    parts = (
        "embeddings and encoder"
        if fixed_choices.with_defaults(default_choices).pooler is False
        else "embeddings, encoder and pooler"
    )
    return ModelClass(name, f"the bare model: {parts}", (), fixed_choices)


class Setting(NamedTuple):
    """A config key that may change the tensors, and the values that are accepted; all others are refused.

    The accepted values are data, so that scripts can read them. A setting gives
    them in one of five ways: `values`, `empty`, `texts_but`, `same_as`, or
    `same_as` with `times`.

    Attributes:
        key: the key in a config.
        default: the default if a config does not give the key.
        why: the reason why all other values are refused, and the remedy.
        values: the accepted values.
        empty: whether any value that Python regards as false is accepted.
        texts_but: the strings that are refused, if any other string is accepted.
        same_as: another key, whose value is accepted; so is a config without `key`.
        times: a key by whose value the value of `key` is multiplied before it is
            compared with that of `same_as`; empty if it is compared as it is.
    """

    key: str
    default: Any
    why: str
    values: tuple[Any, ...] = ()
    empty: bool = False
    texts_but: tuple[str, ...] = ()
    same_as: str = ""
    times: str = ""

    def accepts(self, config: Mapping[str, Any]) -> bool:
        """Whether this setting accepts the value of the key in a config, or a config without the key."""
        if self.same_as and self.key not in config:
            return True
        if self.times:
            factors = config[self.key], config.get(self.times)
            # The types are checked, because Python can also multiply strings, and True counts as 1.
            return all(type(factor) is int for factor in factors) and prod(factors) == config.get(self.same_as)
        if self.same_as:
            return bool(config[self.key] == config.get(self.same_as))
        value = config.get(self.key, self.default)
        if self.empty:
            return not value
        if self.texts_but:
            return isinstance(value, str) and value not in self.texts_but
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = "|".join(value)  # transformers splits a string at "|", so a list has the same meaning
        # The types must match as well: 1 equals True in Python, but transformers treats them differently.
        return any(type(value) is type(accepted) and value == accepted for accepted in self.values)


class Buffer(NamedTuple):
    """A constant tensor that transformers keeps in addition to the parameters.

    Attributes:
        shape: its dimensions.
        bytes_per_element: the bytes per element.
        part: the path of the smallest part of the model that has rows and contains the buffer. A copy of this part
            includes a copy of the buffer.
        module: the module within that part that contains the buffer and no parameters; empty if the part itself holds
            the buffer.
        saved_name: its name in the files of classes with a head; empty if files do not contain it.
    """

    shape: tuple[int, ...]
    bytes_per_element: int
    part: str = "bert/embeddings"
    module: str = ""
    saved_name: str = ""

    @property
    def bytes(self) -> int:
        """The bytes of the whole tensor."""
        return prod(self.shape) * self.bytes_per_element


class SparseAttention(NamedTuple):
    """The extent of sparse attention for one text in one layer, in numbers of tokens and of pairs of tokens.

    Global tokens are those that attend to the whole text.

    Attributes:
        tokens: the number of tokens that the layers read, including those added to fill the last window or block.
        scores: the number of query-key pairs that are multiplied.
        softmax: the number of scores per head that enter a softmax.
        context: the number of probability-value pairs that are multiplied.
        global_tokens: the number of global tokens, whose queries have separate projections.
        read_by_global_tokens: the number of tokens that global tokens attend to, through separate projections for
            keys and values; 0 if there are no global tokens.
    """

    tokens: int
    scores: int
    softmax: int
    context: int
    global_tokens: int = 0
    read_by_global_tokens: int = 0


@dataclass(kw_only=True, eq=False, repr=False)
class Architecture:
    """A family of models that differ only in their sizes and choices.

    Attributes:
        name: its name in print.
        model_type: its name in a `config.json`.
        symbols: its letters, in the order in which pages list them. The order
            of common letters is the same in all architectures, and C is last.
        rows: its tensors; see the rules above.
        blocks: the parts of a model that readers know by name, each with its
            path prefixes; every row belongs to exactly one block.
        classes: its classes in transformers; the first is the bare model.
        modules: the names of modules in transformers, by path prefix. The
            longest matching prefix is replaced by its name, and the remaining
            components are joined with dots. An entry for a whole path gives the
            name of the tensor itself.
        bodies: by class, the name of the module that holds the model without its
            head, if it differs between classes; `modules` uses the name in the last class.
        buffers: a function that returns its buffers, given its sizes and a major
            release of transformers.
        saved_names: replacements in the names of tensors in the files that
            transformers writes, by the part of the name in the model that is
            replaced. Tensors whose names become equal are stored as one,
            concatenated along the first dimension.
        config_name: the class of its configs, if that is not named after the bare
            model.
        last_release: the last major release of transformers that includes it.
        default_choices: its default choices, open where they agree with
            `DEFAULT_CHOICES`.
        layers: the letters whose product is the number of layers with weights
            of their own.
        layer_name: the pattern of a layer's number in transformers' names,
            with a star for each letter of `layers`.
        flags: by config key, the default of each boolean setting on which rows of
            this architecture depend.
        settings: config keys for which only some values are accepted.
        padded_letters: the letters that count the rows of tables with a row for
            the padding id.
        padding_id: the padding id if a config does not give one.
        first_position: the position id of the first token.
        letter_of_shared_width: the letter of the width that is divided among the attention heads.
        rounds_heads: whether transformers builds narrower matrices, rather than
            refusing the config, if the number of heads does not divide the hidden size.
        pairs_features: whether transformers refuses heads of an odd width,
            because the features of a head are rotated in pairs.
        second_keys: by letter, a second key for a size, which takes precedence if
            a config gives both.
        passes: the letters whose product is the number of layers that a text
            passes through; empty if they are the same as `layers`.
        shared_with_positions: path prefixes of the projections that are also
            applied to relative positions.
        positions_in_products: whether each of attention's two products comes with
            a second one, with vectors of relative positions.
        position_projections: path prefixes of the projections that are applied to
            relative positions alone.
        relative_positions: the number of relative positions that go through
            these projections, in letters; T is the number of tokens of a text.
        per_text_layers: path prefixes of the layers that read one vector per
            text.
        sparse_attention: a function that returns the extent of sparse attention for
            one text, given the settings of attention, the choices of the question,
            the number of tokens of the text, and the number of global tokens. It
            raises BadChoice if operations are not counted for these settings. None
            if every token attends to every other.
        attention_settings: by config key, the defaults of the settings on which sparse
            attention depends; no tensor depends on them.
        global_projections: path prefixes of the projections of tokens that attend
            to the whole text.
        default_global_tokens: by class, the number of tokens that attend to the whole text
            unless the caller chooses others; 0 if a class is not listed.
        global_tokens_depend_on: by class, a phrase for these tokens, if the class
            chooses them by the content of the text. The operations of these classes
            are refused unless the caller gives the number of tokens.
        idle_layers: path prefixes of layers that the model has but does not run.
    """

    name: str
    model_type: str
    symbols: tuple[Symbol, ...]
    rows: tuple[Row, ...]
    blocks: Mapping[str, tuple[str, ...]]
    classes: tuple[ModelClass, ...]
    modules: Mapping[str, str]
    buffers: Callable[[Mapping[str, int], int], Sequence[Buffer]]
    bodies: Mapping[str, str] = field(default_factory=dict)
    last_release: int = 5
    saved_names: Mapping[str, str] = field(default_factory=dict)
    config_name: str = ""
    default_choices: Choices = OPEN
    layers: tuple[str, ...] = ("L",)
    layer_name: str = "*"
    flags: Mapping[str, bool] = field(default_factory=dict)
    settings: tuple[Setting, ...] = ()
    padded_letters: tuple[str, ...] = ("V",)
    padding_id: int = 0
    first_position: int = 0
    letter_of_shared_width: str = "H"
    rounds_heads: bool = False
    pairs_features: bool = False
    second_keys: Mapping[str, str] = field(default_factory=dict)
    passes: tuple[str, ...] = ()
    shared_with_positions: tuple[str, ...] = ()
    positions_in_products: bool = False
    position_projections: tuple[str, ...] = ()
    relative_positions: str = "2R"
    per_text_layers: tuple[str, ...] = (
        "bert/pooler",
        "cls/seq_relationship",
        "sequence_classifier",
        "multiple_choice",
        "sequence_head",
        "multiple_choice_head",
    )
    sparse_attention: Callable[[Mapping[str, Any], Choices, int, int], SparseAttention] | None = None
    attention_settings: Mapping[str, Any] = field(default_factory=dict)
    global_projections: tuple[str, ...] = ()
    default_global_tokens: Mapping[str, int] = field(default_factory=dict)
    global_tokens_depend_on: Mapping[str, str] = field(default_factory=dict)
    idle_layers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.default_choices = self.default_choices._replace(
            flags=frozenset(key for key, default in self.flags.items() if default)
        )
        self.rows = tuple(row._replace(block=self._block_of(row)) for row in self.rows)
        self.class_by_name = {"": self.classes[0], **{model_class.name: model_class for model_class in self.classes}}
        """Its classes by name; the empty name means the bare model."""
        self.keys = frozenset(
            [
                *(key for symbol in self.symbols for key in (symbol.key, symbol.only_if) if key),
                *(setting.key for setting in self.settings),
                *self.flags,
            ]
        )
        """The keys of its config that this architecture reads."""
        self.required_settings = {
            setting.key: setting.values[0] for setting in self.settings if not setting.accepts({})
        }
        """The settings that a config has to give because their default is refused: by key, an accepted value."""
        dimensions = [dimension for row in self.rows for dimension in row.shape.split()]
        self.differences = tuple(
            dict.fromkeys((dimension[0], dimension[-1]) for dimension in dimensions if MINUS in dimension)
        )
        """The pairs of letters whose difference is a dimension, such as H and E for H−E."""
        self._sections = {model_class.name: list(self._sections_of(model_class)) for model_class in self.classes}
        self._comparisons = frozenset(row.when for row in self.rows if is_comparison(row.when))

    @property
    def config_class(self) -> str:
        """The class of its configs in transformers, such as `BertConfig`."""
        return self.config_name or f"{self.classes[0].name.removesuffix('Model')}Config"

    def __repr__(self) -> str:
        # The name alone: all fields, rows included, would fill pages when an error or a failing test prints them.
        return self.name

    def _block_of(self, row: Row) -> str:
        """The name of the block that contains a row."""
        return next(block for block, prefixes in self.blocks.items() if lies_under(row.path, prefixes))

    def _sections_of(self, model_class: ModelClass) -> Iterator[Section]:
        """The sections of a class. Thanks to them, a total adds up a few sums rather than every row."""
        rows = (row for row in self.rows if lies_under(row.path, ("bert", *model_class.heads)))
        for (when, is_tied), group in groupby(rows, lambda row: (row.when, bool(row.tied_to))):
            section_rows = tuple(group)
            yield Section(when, is_tied, section_rows, Polynomial.total(map(self.size, section_rows)).simplified())

    def with_fields(self, **fields: Any) -> Architecture:
        """A copy of this architecture with other values for some fields."""
        return replace(self, **fields)

    def variant(self, *, rows: Mapping[str, Iterable[Row]], modules: Mapping[str, str], **fields: Any) -> Architecture:
        """Another architecture, defined by its differences from this one.

        Args:
            rows: by path, the rows that replace all rows under that path, in
                order; an empty sequence only drops these.
            modules: module names by path prefix, in addition to those of this
                architecture or in place of them.
            fields: other fields that differ.

        Raises:
            ValueError: there is no row under a path of `rows`, or a path
                drops a row that an earlier path has added.
        """
        all_rows = self.rows
        prefix_of: dict[str, str] = {}  # for each new row, the prefix under which it was added
        for prefix, replacements in rows.items():
            old_rows = [row for row in all_rows if lies_under(row.path, (prefix,))]
            if not old_rows:
                raise ValueError(f"{self.name} has no row under {prefix}; name a path whose rows differ")
            # A wider path after a narrower one would silently undo it.
            lost_path = next((row.path for row in old_rows if row.path in prefix_of), "")
            if lost_path:
                raise ValueError(
                    f"{prefix} drops {lost_path}, which {prefix_of[lost_path]} has just added; "
                    f"name {prefix} before {prefix_of[lost_path]}, or write the row under {prefix}"
                )
            new_rows = tuple(replacements)
            prefix_of |= dict.fromkeys((row.path for row in new_rows), prefix)
            position = all_rows.index(old_rows[0])
            later_rows = (row for row in all_rows[position:] if row not in old_rows)
            all_rows = (*all_rows[:position], *new_rows, *later_rows)
        return self.with_fields(rows=all_rows, modules={**self.modules, **modules}, **fields)

    def class_named(self, name: str) -> ModelClass:
        """The class of that name; the empty name means the bare model.

        Raises:
            UnknownModelClass: this architecture has no such class.
        """
        model_class = self.class_by_name.get(name)
        if model_class is None:
            class_names = [known_class.name for known_class in self.classes]
            raise UnknownModelClass(
                f"no model class {quote(name)} of {self.name}; {suggestion(str(name), class_names)}"
            )
        return model_class

    def rows_of(
        self, model_class: str = "", choices: Choices = OPEN, false_comparisons: tuple[str, ...] = ()
    ) -> tuple[Row, ...]:
        """The rows of one class in transformers' order, tied rows included.

        Args:
            model_class: the name of a class of this architecture; empty for the bare model.
            choices: choices that override the architecture's own.
            false_comparisons: the result of the method of that name for the model's sizes.

        Raises:
            UnknownModelClass: there is no such class.
            BadChoice: the choices contradict one that the class fixes, such as
                a pooler for a class that has none.
        """
        return _rows_of(self, model_class, choices, false_comparisons)

    def resolved_choices(self, model_class: ModelClass, choices: Choices) -> Choices:
        """The choices for a class, with none left open: made by the class, or else by `choices`, or else by default.

        Raises:
            BadChoice: the choices contradict one that the class fixes.
        """
        for name, fixed_choice, choice in zip(Choices._fields, model_class.fixed_choices, choices, strict=True):
            if fixed_choice is not None and choice not in (None, fixed_choice):
                frequency = "always" if fixed_choice else "never"
                raise BadChoice(
                    f"{model_class.name} {frequency} has a {name} in transformers, "
                    f"so {name}={quote(choice)} does not fit; leave it out, or choose another class"
                )
        return (
            model_class.fixed_choices.with_defaults(choices)
            .with_defaults(self.default_choices)
            .with_defaults(DEFAULT_CHOICES)
        )

    def total(self, name: str, choices: Choices, false_comparisons: tuple[str, ...]) -> Polynomial:
        """The number of parameters of a class, as a symbolic formula; a tied tensor counts once, with its owner.

        `name` is the name of the class; the other arguments and the errors are as for `rows_of`.
        """
        model_class = self.class_named(name)
        all_choices = self.resolved_choices(model_class, choices)
        sections = self._sections_with(model_class, all_choices, false_comparisons)
        return Polynomial.total([section.total for section in sections if not (all_choices.tied and section.is_tied)])

    def _sections_with(
        self, model_class: ModelClass, all_choices: Choices, false_comparisons: tuple[str, ...]
    ) -> list[Section]:
        """The sections of a class whose conditions hold for these choices and sizes."""
        return [
            section
            for section in self._sections[model_class.name]
            if section.when not in false_comparisons and all_choices.allows(section.when)
        ]

    def false_comparisons(self, sizes: Mapping[str, int]) -> tuple[str, ...]:
        """The comparisons of this architecture's rows, such as `"E≠H"`, that are false for these sizes."""
        # A comparison ends with a letter or with 0, which is not among the sizes. A list is faster than a generator.
        return tuple(
            [
                comparison
                for comparison in self._comparisons
                if (sizes[comparison[0]] == sizes.get(comparison[-1], 0)) is ("≠" in comparison)
            ]
        )

    def size(self, row: Row) -> Polynomial:
        """The size of a row: the elements of its tensor, in all layers that have it, whether or not it is tied."""
        return Polynomial.of_shape(row.shape, self.layers_of(row))

    def layers_of(self, row: Row, per_pass: bool = False) -> tuple[str, ...]:
        """The letters whose product is the number of layers that have the row; empty for a row outside the layers.

        With `per_pass`, a layer is counted as often as a text passes through it, even if layers share weights.
        """
        layers = (self.passes or self.layers) if per_pass else self.layers
        if not row.is_per_layer:
            return ()
        return tuple(map(ALL_BUT_FIRST.format, layers)) if row.skips_first_layer else layers

    def depth(self, sizes: Mapping[str, int]) -> int:
        """The number of layers with weights of their own."""
        return prod(sizes[letter] for letter in self.layers)

    def numbered_layer_name(self, layer: int, sizes: Mapping[str, int]) -> str:
        """The name of a layer in transformers: `layer_name` with the layer's number, counted from 0, for its stars."""
        name = self.layer_name
        # As with the digits of a number, the last one changes fastest.
        for letter in reversed(self.layers):
            layer, number = divmod(layer, sizes[letter])
            start, _, end = name.rpartition("*")
            name = f"{start}{number}{end}"
        return name

    def classes_with(self, letter: str) -> list[str]:
        """The names of the classes in which, by default, a letter occurs in the shape of a tensor or counts layers."""
        return [
            model_class.name
            for model_class in self.classes
            if letter in self.letters_in(self.rows_of(model_class.name))
        ]

    def letters_in(self, rows: Iterable[Row]) -> frozenset[str]:
        """The letters that occur in the shapes of these rows or count the layers."""
        letters = {letter for row in rows for letter in FACTOR.findall(row.shape) if letter.isalpha()}
        return frozenset(letters.union(self.layers))


@cache
def _rows_of(
    architecture: Architecture, name: str, choices: Choices, false_comparisons: tuple[str, ...]
) -> tuple[Row, ...]:
    """The result of `Architecture.rows_of`, cached because every question about a class asks for it."""
    model_class = architecture.class_named(name)
    all_choices = architecture.resolved_choices(model_class, choices)
    sections = architecture._sections_with(model_class, all_choices, false_comparisons)
    return tuple(row for section in sections for row in section.rows)


MATRICES = ("kernel", "output_weights")
"""The last components of the paths of dense layers' matrices; the output layer of a head has `output_weights`."""

BIASES = ("bias", "output_bias")
"""The last components of the paths of dense layers' biases. A LayerNorm has a beta instead."""


@cache
def _tags(row: Row) -> frozenset[str]:
    """The tags that select a row: the components of its path, its block, and the kinds of its tensor."""
    components = row.path.split("/")
    # The first name of a matrix or a bias serves as the tag for both of its names.
    kinds = [names[0] for names in (MATRICES, BIASES) if components[-1] in names]
    if row.path.endswith("_embeddings"):
        kinds.append("embedding-table")
    if " " not in row.shape:
        kinds.append("vector")
    return frozenset([*components, row.block, *kinds])


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
    """Whether a row carries every word in `tag`, except words with a minus before them, which it must not carry.

    >>> carries(Row("bert/pooler/dense/bias", "H"), "bias -LayerNorm")
    True
    """
    tags = row.tags
    return all((word.removeprefix("-") in tags) is not word.startswith("-") for word in tag.split())


def belongs(row: Row, part: str, tag: str = "") -> bool:
    """Whether a row lies under a part and carries a tag.

    A part may consist of several paths, separated by `", "`; the row then has to
    lie under one of them. Every row lies under an empty part and carries an empty tag.

    >>> belongs(Row("bert/pooler/dense/bias", "H"), "bert/embeddings, bert/pooler", "-kernel")
    True
    """
    return (not part or lies_under(row.path, tuple(part.split(", ")))) and (not tag or carries(row, tag))


def dense(path: str, shape: str, when: str = "") -> tuple[Row, Row]:
    """The rows of a dense layer: its kernel, of shape (in, out), and its bias.

    >>> [row.shape for row in dense("bert/pooler/dense", "H H")]
    ['H H', 'H']
    """
    return Row(f"{path}/kernel", shape, when=when), Row(f"{path}/bias", shape.split()[1], when=when)


def kernel(path: str, shape: str) -> Row:
    """The row of a dense layer without a bias."""
    return Row(f"{path}/kernel", shape)


def norm(path: str, width: str = "H", when: str = "") -> tuple[Row, Row]:
    """The rows of a LayerNorm: gamma, which scales, and beta, which shifts, each with one parameter per feature."""
    return Row(f"{path}/gamma", width, when=when), Row(f"{path}/beta", width, when=when)


def output(path: str, labels: str) -> tuple[Row, Row]:
    """The rows of a head's output layer as in google-research/bert: weights, of shape (out, in), and a bias."""
    return Row(f"{path}/output_weights", f"{labels} H"), Row(f"{path}/output_bias", labels)


def attention(path: str, when: str = "") -> tuple[Row, ...]:
    """The rows of one attention block: query, key, value, output projection and the LayerNorm that follows."""
    return (*attention_projections(path, when), *norm(f"{path}/output/LayerNorm", when=when))


def attention_projections(path: str, when: str = "") -> tuple[Row, ...]:
    """The rows of the four dense layers of one attention block, without a LayerNorm."""
    paths = (f"{path}/self/query", f"{path}/self/key", f"{path}/self/value", f"{path}/output/dense")
    return tuple(row for projection in paths for row in dense(projection, "H H", when))
