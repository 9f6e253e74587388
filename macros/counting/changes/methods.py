"""Methods and changes: a method is a kind of change, and a change is a method with values for its options.

Methods are read from `data/changes.toml`. A change is read from a string such as `lora:r=8:modules=query+value`, and
printed in the same form. On input, the names of options may be left out and modules may be separated by commas, as in
`lora:8:query,value`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from ..blocks import DATA, blocks_of
from ..errors import BadChange, quote, suggestion

CHANGES_FILE = DATA / "changes.toml"

ALL_LINEAR = "all-linear"
"""PEFT's name for all dense layers except the decoder and a head that is copied."""

MAX_SIZE = 10**12
"""The largest size that an option may have, far beyond any real one."""

MODULE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
"""The form of a module's name. Messages repeat these names, so no other characters are allowed."""

BIAS_VALUES = ("none", "all", "lora_only")
"""The values of the option `bias`, PEFT's names for the biases that LoRA trains."""

TASK_VALUES = ("head", "none")
"""The values of the option `task`: whether PEFT is given a task type, and then trains a copy of the class's head."""

BOTH_VALUES = ("yes",)
"""The value of the option `both`: PEFT's `decompose_both`, with which LoKr gives its first matrix a low rank, too."""

WORDS = {"bias": BIAS_VALUES, "task": TASK_VALUES, "both": BOTH_VALUES}
"""The possible values of options that take one of a few words, by option."""

STAGES = {"resize": 0, "choose": 1}
"""The stages of the operations that come before all others, because they decide which model is built."""


class Method(NamedTuple):
    """A way to change a model: its names, its options and its operations.

    Attributes:
        name: its identifier on the command line.
        title: its name in print.
        library: the library whose rules it follows.
        options: the names of its options; in this order, their values may be given without names. An option with a
            name of one letter is a size.
        optional: the sizes that may be left out.
        either: sizes of which exactly one has to be given.
        letters_mean: the meaning of a letter, if the library uses it differently from other methods.
        does: its operations; the docstring of this package explains them.
        modules, feedforward: the library's default for the option of this name, by model type.
        refused_types: the model types to which the library cannot apply it.
        has_countable_operations: whether the operations of a model still follow from its rows after this change.
        only_adds_prompts: whether it only adds a prompt encoder, and leaves the modules of the model as they are.
    """

    name: str
    title: str
    library: str = ""
    options: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    letters_mean: Mapping[str, str] = {}
    does: tuple[Mapping[str, Any], ...] = ()
    modules: Mapping[str, str] = {}
    feedforward: Mapping[str, str] = {}
    refused_types: tuple[str, ...] = ()
    has_countable_operations: bool = False
    only_adds_prompts: bool = False

    @property
    def letters(self) -> tuple[str, ...]:
        """The options that are sizes."""
        return tuple(option for option in self.options if len(option) == 1)

    @property
    def required(self) -> tuple[str, ...]:
        """The sizes that have to be given. Of the sizes in `either`, only the first is included."""
        return tuple(letter for letter in self.letters if letter not in (*self.optional, *self.either[1:]))

    @property
    def release(self) -> int:
        """The major release of transformers on which its library runs."""
        return 4 if self.library in rules()["on_transformers_4"] else 5

    @property
    def stage(self) -> int:
        """Its rank in the order of changes: sizes first, then choices, then operations on the model that is built."""
        return min(STAGES.get(operation["do"], len(STAGES)) for operation in self.does)


@cache
def rules() -> Mapping[str, Any]:
    """The content of `data/changes.toml`."""
    return blocks_of(CHANGES_FILE)


@cache
def load_methods() -> Mapping[str, Method]:
    """Every method by name, in the order of the file.

    A method that is `like` an earlier one inherits all keys that it does not set itself. Its own operations follow
    those of the earlier one, but modules are always saved last.
    """
    methods: dict[str, Method] = {}
    for name, block in rules()["methods"].items():
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in block.items()
        }
        if "like" in fields:
            method = methods[str(fields.pop("like"))]
            does = sorted(method.does + fields.get("does", ()), key=lambda operation: operation["do"] == "save")
            fields = {**method._asdict(), **fields, "does": tuple(does)}
        methods[name] = Method(**{**fields, "name": name})
    return methods


class Change(NamedTuple):
    """A method with values for its options: sizes are numbers, and lists of modules are tuples."""

    method: Method
    options: Mapping[str, Any]

    @classmethod
    def parse(cls, text: str) -> Change:
        """The change that `text` describes, as in `lora:r=8:modules=query+value` or `lora:8:query,value`.

        Raises:
            BadChange: there is no such method or option; there are more values than options; an option is missing,
                given twice or has a wrong value; or the number of the given sizes in `either` is not one.

        >>> Change.parse("lora:8:query,value").options
        {'r': 8, 'modules': ('query', 'value')}
        >>> print(Change.parse("lora:8:query,value"))
        lora:r=8:modules=query+value
        """
        name, *values = (option_text.strip() for option_text in text.split(":"))
        methods = load_methods()
        if reason := rules()["uncounted"].get(name):
            raise BadChange(f"{name}: {reason}")
        if name not in methods:
            raise BadChange(f"no change {quote(name)}; {suggestion(name, methods)}")
        method = methods[name]
        options: dict[str, Any] = {}
        for index, option_text in enumerate(values):
            key, sign, value = option_text.rpartition("=")
            if not sign and index >= len(method.options):
                raise BadChange(f"{quote(text)} has more values than {name} has options; write {usage(method)}")
            key = key or method.options[index]
            if key not in method.options:
                raise BadChange(f"{quote(text)}: {name} has no option {quote(key)}; write {usage(method)}")
            if key in options:
                raise BadChange(f"{quote(text)}: {quote(key)} is given twice; write {usage(method)}")
            options[key] = _parsed_value(key, value, text, method)
        for letter in method.required:
            if letter not in options and letter not in method.either:
                raise BadChange(f"{quote(text)} lacks {letter}, the {_meaning(letter, method)}; write {usage(method)}")
        if method.either and len({*method.either} & {*options}) != 1:
            alternatives = ", or ".join(f"{letter}, the {_meaning(letter, method)}" for letter in method.either)
            raise BadChange(
                f"{quote(text)}: {name} takes either {alternatives}; write one of them, as in {usage(method)}"
            )
        return cls(method, options)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes among its options, by letter."""
        return {letter: size for letter, size in self.options.items() if len(letter) == 1}

    def __str__(self) -> str:
        """The canonical spelling of the change: every option with its name, in the order of the method."""
        values = ((key, self.options[key]) for key in self.method.options if key in self.options)
        option_texts = (f"{key}={'+'.join(value) if isinstance(value, tuple) else value}" for key, value in values)
        return ":".join([self.method.name, *option_texts])


def usage(method: Method) -> str:
    """The form of a method on the command line, with optional parts in brackets.

    >>> usage(load_methods()["prefix"])
    'prefix:t=N[:n=N][:task=WORD]'
    """
    option_texts = ((option, f":{option}={_placeholder(option)}") for option in method.options)
    return method.name + "".join(
        option_text if option in method.required else f"[{option_text}]" for option, option_text in option_texts
    )


def _placeholder(option: str) -> str:
    """The word in `usage` for the values of an option."""
    if len(option) == 1:
        return "N"
    return "WORD" if option in WORDS else "NAMES"


def _meaning(letter: str, method: Method) -> str:
    """The meaning of a size of a method, in words for a message."""
    if letter in method.letters_mean:
        return method.letters_mean[letter]
    meanings: Mapping[str, str] = rules()["letters"]
    # The meanings of these are plural nouns, such as tokens or layers.
    return f"number of {meanings[letter]}" if letter in "tkhufcw" else meanings.get(letter, "size")


def _parsed_value(key: str, value: str, text: str, method: Method) -> Any:
    """The value of an option: a size, one of a few words, or the names of modules.

    Raises:
        BadChange: the option does not accept this value.
    """
    if len(key) == 1:
        # `MAX_SIZE` has 13 digits. Python raises an error if a number has thousands of them.
        number = int(value) if re.fullmatch(r"[0-9]{1,13}", value, re.ASCII) else 0
        if not 0 < number <= MAX_SIZE:
            meaning = _meaning(key, method)
            raise BadChange(f"{quote(text)}: {key} is {quote(value)}; write a positive integer, the {meaning}")
        return number
    if words := WORDS.get(key):
        if value not in words:
            raise BadChange(f"{quote(text)}: {key} is {quote(value)}; write one of {', '.join(words)}")
        return value
    names = tuple(dict.fromkeys(name.strip() for name in re.split("[,+]", value)))
    if not all(map(MODULE_NAME.fullmatch, names)):
        raise BadChange(f"{quote(text)}: {key} is {quote(value)}; write the names of modules, separated by +")
    return names
