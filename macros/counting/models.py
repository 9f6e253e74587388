"""Models: each has a name, an architecture and a size for every letter; a published one also has a source.

BERTs that Google released, and those that only occur in texts about BERT, are read
from `data/models.toml`; their relatives, and BERTs that others trained, from
`data/relatives.toml`. Both have one block per model. If a required key is missing, or
a key is unknown or has an impossible value, the error names the key. The sizes in a
reader's own config go through the same check.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from .architecture import OPEN, Architecture, Choices, Symbol
from .architectures import ARCHITECTURES
from .blocks import DATA, blocks_of, check_choice, check_date, check_keys
from .errors import BadConfig, UnknownModel, quote
from .messages import message
from .model_names import ORGANISATIONS, advice_on, without_address

MODELS_FILE = DATA / "models.toml"
RELATIVES_FILE = DATA / "relatives.toml"
GROUPS_FILE = DATA / "groups.toml"

LARGEST_NUMBER = 2**53 - 1
"""The largest size that is accepted, and the largest number of texts or tokens.

Up to this number the calculator is exact, because its numbers are binary64.
"""

RELATIVE = "relative"
"""The group of every model in `relatives.toml`."""

MINIATURE = "miniature"
"""The group of the small BERTs, of which BERT-Tiny to BERT-Medium have names of their own."""

COURSE = "course"
"""The group of models whose sizes occur in texts about BERT, but that were never released as checkpoints."""

DESCRIPTIVE_KEYS = ("title", "group", "source", "accessed")
"""The required keys of a block that are not sizes."""

ALSO = "also"
"""The key that lists other checkpoints with the same sizes."""


class Group(NamedTuple):
    """A group of models in `models.toml`.

    Attributes:
        title: its title on the form where readers enter a number.
        cost: the cost of its models in the search, except those that have a cost of
            their own there. Readers look up some groups less often than others.
    """

    title: str
    cost: int


class Model(NamedTuple):
    """A model: the sizes of one configuration, and everything else that decides which tensors exist.

    Attributes:
        name: its name, such as its name on a model hub or that of its config file.
        architecture: its letters, rows and classes.
        sizes: its sizes, by letter of the architecture.
        choices: the choices that the configuration makes, such as whether the
            decoder is tied.
        title: its name as pages print it.
        group: the name of its group in `groups.toml`, or `RELATIVE`.
        source: the address where the sizes are published.
        accessed: the date when they were last read there.
        also: other checkpoints whose configuration has the same sizes.
        named_class: the class that the configuration names, even if it is not
            counted here; empty if it names none.
        unknown_keys: the keys of the configuration whose effect is unknown.
        attention_settings: by config key, the settings of sparse attention that the
            configuration gives, on which no tensor depends.
    """

    name: str
    architecture: Architecture
    sizes: Mapping[str, int]
    choices: Choices = OPEN
    title: str = ""
    group: str = ""
    source: str = ""
    accessed: str = ""
    also: tuple[str, ...] = ()
    named_class: str = ""
    unknown_keys: tuple[str, ...] = ()
    attention_settings: Mapping[str, object] = {}

    def __hash__(self) -> int:
        # Mappings have no hash. Equal models have equal names, and few models share one, so the name is enough.
        return hash(self.name)

    def resized(self, **changes: int) -> Model:
        """The same model with other sizes for some letters, as in `resized(V=30000)`.

        Raises:
            BadConfig: a size is impossible, as for `checked_sizes`.
        """
        sizes = {**self.sizes, **changes}
        config = {symbol.key: sizes[symbol.letter] for symbol in self.architecture.symbols}
        config |= {symbol.only_if: sizes[symbol.letter] > 0 for symbol in self.architecture.symbols if symbol.only_if}
        return self._replace(sizes=checked_sizes(self.name, self.architecture, config))


def checked_sizes(location: str, architecture: Architecture, config: Mapping[str, Any]) -> dict[str, int]:
    """The sizes of a config by letter, after a check.

    Args:
        location: the file, or the file and the model, with which an error begins.
        architecture: the architecture of the config.
        config: values by key; keys that are not sizes are ignored.

    Raises:
        BadConfig: a size is missing or impossible, or two sizes do not fit
            together; for example, the hidden size is not a multiple of the number
            of heads, and transformers would build narrower matrices.
    """
    sizes = {}
    for symbol in architecture.symbols:
        second_key = architecture.second_keys.get(symbol.letter)
        if symbol.only_if and config.get(symbol.only_if) is not True:
            sizes[symbol.letter] = 0
        elif second_key and second_key in config:
            # transformers checks both values, and uses the one of the second key.
            checked_size(location, symbol, config.get(symbol.key, symbol.minimum))
            sizes[symbol.letter] = checked_size(location, symbol._replace(key=second_key), config[second_key])
        elif symbol.otherwise and config.get(symbol.key) is None:
            numerator, _, denominator = symbol.otherwise.partition("/")
            sizes[symbol.letter] = sizes[numerator] // sizes.get(denominator, 1)
        elif symbol.key in config:
            sizes[symbol.letter] = checked_size(location, symbol, config[symbol.key])
        elif symbol.default is None:
            raise BadConfig(f"{location}: {message('missing-size', key=symbol.key, meaning=symbol.meaning)}")
        else:
            sizes[symbol.letter] = symbol.default
    for first, second in architecture.differences:
        if sizes[first] < sizes[second]:
            keys = {symbol.letter: symbol.key for symbol in architecture.symbols}
            raise BadConfig(
                f"{location}: {message('negative-width', wider=keys[second], narrower=keys[first], most=sizes[first])}"
            )
    misfit = misfit_of_heads(architecture, sizes)
    if misfit and (architecture.rounds_heads or "embedding_size" in config):
        # If this key is given, transformers never checks whether the heads fit, and rounds their width down.
        raise BadConfig(f"{location}: {message('narrower-heads', odd=misfit)}")
    return sizes


def misfit_of_heads(architecture: Architecture, sizes: Mapping[str, int]) -> str:
    """A clause for a message, if the number of heads does not divide the width that they share.

    It is empty if the number does, or if there are no layers and hence no heads.
    """
    letter = architecture.letter_of_shared_width
    if not architecture.depth(sizes) or not sizes[letter] % sizes["A"]:
        return ""
    keys = {symbol.letter: symbol.key for symbol in architecture.symbols}
    return f"{keys[letter]} {sizes[letter]} is not a multiple of {keys['A']} {sizes['A']}"


def checked_size(location: str, symbol: Symbol, value: object) -> int:
    """The value unchanged, if it is a possible size for the letter.

    Raises:
        BadConfig: the value is not an integer from `symbol.minimum` to `LARGEST_NUMBER`.
    """
    # In Python, true and false are integers too; as a size in a config, they are a mistake.
    if isinstance(value, bool) or not isinstance(value, int) or not symbol.minimum <= value <= LARGEST_NUMBER:
        requirement = message("size", least=symbol.minimum, most=f"{LARGEST_NUMBER:,}")
        raise BadConfig(f"{location}: {symbol.key} is {quote(value)}; {requirement}")
    return value


@cache
def load_groups(path: Path = GROUPS_FILE) -> Mapping[str, Group]:
    """The groups of models by name, in the order of the file.

    Raises:
        BadConfig: the file is not TOML, or a block is not valid.
    """
    return {name: _group(f"{path.name}, {name}", block) for name, block in blocks_of(path).items()}


def _group(location: str, block: Any) -> Group:
    """A group from its block in the data file, after a check of its keys."""
    check_keys(location, block, Group._fields, (), cost=int)
    return Group(**block)


@cache
def load_models(path: Path = MODELS_FILE) -> Mapping[str, Model]:
    """Every model of a data file, by name, in the order of the file.

    Raises:
        BadConfig: the file is not TOML, or a block is not valid.
    """
    return {name: _model(path.name, name, block) for name, block in blocks_of(path).items()}


def load_relatives() -> Mapping[str, Model]:
    """The models of other architectures, and BERTs that others trained, by name; errors as for `load_models`."""
    return load_models(RELATIVES_FILE)


def _model(file_name: str, name: str, block: Any) -> Model:
    """A model from its block in a data file, after all checks of its keys and sizes; errors as for `load_models`."""
    location = f"{file_name}, {name}"
    model_type = block.get("model_type", "bert") if isinstance(block, dict) else "bert"
    check_choice(location, "model_type", model_type, ARCHITECTURES)
    architecture = ARCHITECTURES[model_type]
    # The number of labels is only decided when a head is trained, so the block of a published model does not give it.
    size_keys = [symbol.key for symbol in architecture.symbols if symbol.letter != "C"]
    switches = [symbol.only_if for symbol in architecture.symbols if symbol.only_if]
    types = {ALSO: list, **dict.fromkeys(size_keys, object), **dict.fromkeys(switches, bool)}
    check_keys(location, block, DESCRIPTIVE_KEYS, ["model_type", ALSO, *size_keys, *switches], **types)
    check_date(location, block["accessed"])
    is_relative = model_type != "bert" or file_name == RELATIVES_FILE.name
    check_choice(location, "group", block["group"], (RELATIVE,) if is_relative else load_groups())
    sizes = checked_sizes(location, architecture, block)
    misfit = misfit_of_heads(architecture, sizes)
    if misfit:
        raise BadConfig(
            f"{location}: {misfit}; each head takes an equal share, so choose a number of heads that divides it"
        )
    also = tuple(block.get(ALSO, ()))
    for checkpoint in also:
        if (
            not isinstance(checkpoint, str)
            or not checkpoint.strip()
            or also.count(checkpoint) > 1
            or checkpoint == name
        ):
            raise BadConfig(
                f"{location}: also lists {quote(checkpoint)}; write the names of other checkpoints, each once"
            )
    return Model(name, architecture, sizes, **{key: block[key] for key in DESCRIPTIVE_KEYS}, also=also)


def model_named(name: str) -> Model:
    """The published model, a BERT or a relative, with this name, id or address; see `published_model`.

    Raises:
        UnknownModel: there is no such model. The message gives advice, such as a similar name.

    >>> model_named("bert-base-uncased").sizes["H"]
    768
    """
    model = published_model(name)
    if model is None:
        raise UnknownModel(f"no model {quote(name)}; {advice_on(name, models_by_every_name())}")
    return model


def published_model(name: str) -> Model | None:
    """The published model with this name, or with this id or address on the Hugging Face hub; None if there is none.

    Case is ignored. An id is accepted only if its organisation is in `ORGANISATIONS`, or if a data file contains the
    whole id: under any other organisation's name, `bert-base-uncased` may be anything.

    >>> published_model("sentence-transformers/all-MiniLM-L6-v2").name
    'MiniLM-L6-H384-uncased'
    """
    lower_name = without_address(name).strip("/").casefold()
    owner, _, last_part = lower_name.rpartition("/")
    return _model_by_name(lower_name) or (_model_by_name(last_part) if owner in ORGANISATIONS else None)


@lru_cache(maxsize=1_000)  # enough for the names of all published models; limited because readers may enter any name
def _model_by_name(lower_name: str) -> Model | None:
    """The published model with this name, given in lower case; None if there is none."""
    for path in (MODELS_FILE, RELATIVES_FILE):
        for name, block in blocks_of(path, substring=lower_name).items():
            if lower_name in (spelling.casefold() for spelling in (name, *block.get(ALSO, ()))):
                return _model(path.name, name, block)
    return None


@cache
def models_by_every_name() -> Mapping[str, Model]:
    """Every published model, BERTs first, by its own name and by the names that it lists under `also`."""
    models = {**load_models(), **load_relatives()}
    return {**models, **{checkpoint: model for model in models.values() for checkpoint in model.also}}


def models_in(groups: Collection[str]) -> list[Model]:
    """The models of `models.toml` that belong to one of these groups, in the order of the file."""
    return [model for model in load_models().values() if model.group in groups]
