"""Methods to change a model, and a change as a value: a method and what is said about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from ..blocks import DATA, blocks_of
from ..errors import BadChange, shown, suggestion

CHANGES_FILE = DATA / "changes.toml"

ALL_LINEAR = "all-linear"
"""Stands for all dense layers that PEFT puts adapters on unasked."""

MOST = 10**12
"""The largest number that an option may be."""

MODULE = re.compile(r"[A-Za-z0-9_.-]+")
"""What a module may be called; messages repeat such names as they are."""

BIAS = ("none", "all", "lora_only")
"""Which biases LoRA trains, as PEFT calls them."""

TASK = ("head", "none")
"""Whether PEFT knows what the model is for, and trains a copy of the head that its class has."""

STAGES = {"resize": 0, "choose": 1}
"""What comes first, by what an operation does: everything else is done to a model that is built."""


class Method(NamedTuple):
    """A way to change a model: what it is called and what it does.

    Attributes:
        name: as it is asked for.
        title: as in print.
        library: whose rules these are.
        options: what may be said about it, in the order in which it is said without names; one letter is a size.
        optional: the sizes among them that need not be given.
        does: its operations; see `Changed`.
        modules, feedforward: what the library puts it on unasked, by model type.
        refused: the model types that the library does not take.
        prompts: whether it adds an encoder of prompts, and leaves the modules of the model as they are.
    """

    name: str
    title: str
    library: str = ""
    options: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    does: tuple[Mapping[str, Any], ...] = ()
    modules: Mapping[str, str] = {}
    feedforward: Mapping[str, str] = {}
    refused: tuple[str, ...] = ()
    prompts: bool = False

    @property
    def letters(self) -> tuple[str, ...]:
        """The sizes that it takes."""
        return tuple(each for each in self.options if len(each) == 1)

    @property
    def release(self) -> int:
        """The release of transformers that its library runs on."""
        return 4 if self.library in rules()["on_transformers_4"] else 5

    @property
    def stage(self) -> int:
        """When it is its turn: sizes are chosen first, then what a model has, and then the model is there."""
        return min(STAGES.get(each["do"], len(STAGES)) for each in self.does)


@cache
def rules() -> Mapping[str, Any]:
    """What the file of changes says."""
    return blocks_of(CHANGES_FILE)


@cache
def load_methods() -> Mapping[str, Method]:
    """Every method by name, in the order of the file."""
    found: dict[str, Method] = {}
    for name, block in rules()["methods"].items():
        own = {key: tuple(value) if isinstance(value, list) else value for key, value in block.items() if key != "like"}
        if "like" in block:
            base = found[block["like"]]
            own = {**base._asdict(), **own, "does": base.does + own.get("does", ())}
        found[name] = Method(**{**own, "name": name})
    return found


class Change(NamedTuple):
    """A method and what is said about it: sizes as numbers, lists of modules as tuples."""

    method: Method
    options: Mapping[str, Any]

    @classmethod
    def of(cls, text: str) -> Change:
        """The change that a text names.

        Raises:
            BadChange: no such method or option, one too many or too few, or a size that is none.

        >>> Change.of("lora:8:query,value").options
        {'r': 8, 'modules': ('query', 'value')}
        """
        name, *given = (each.strip() for each in text.split(":"))
        methods = load_methods()
        if name not in methods:
            raise BadChange(f"no change {shown(name)}; {suggestion(name, methods)}")
        method, options = methods[name], {}
        for place, each in enumerate(given):
            key, sign, value = each.rpartition("=")
            if not sign and place >= len(method.options):
                raise BadChange(f"{shown(text)} says more than {name} takes: {usage(method)}")
            key = key or method.options[place]
            if key not in method.options or key in options:
                raise BadChange(f"{shown(text)}: no option {shown(key)} of {name} is open; write {usage(method)}")
            options[key] = _read(key, value, text)
        for letter in method.letters:
            if letter not in options and letter not in method.optional:
                raise BadChange(f"{shown(text)} lacks {letter}, the {_meaning(letter)}; write {usage(method)}")
        return cls(method, options)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that it brings, by letter."""
        return {letter: size for letter, size in self.options.items() if len(letter) == 1}

    def __str__(self) -> str:
        options = (
            f"{key}={'+'.join(value) if isinstance(value, tuple) else value}" for key, value in self.options.items()
        )
        return ":".join([self.method.name, *options])


def usage(method: Method) -> str:
    """How a method is asked for, such as `lora:r:modules`."""
    return ":".join([method.name, *method.options])


def _meaning(letter: str) -> str:
    meanings: Mapping[str, str] = rules()["letters"]
    return f"number of {meanings[letter]}" if letter in "tkhu" else meanings.get(letter, "size")


def _read(key: str, value: str, text: str) -> Any:
    """The value of an option."""
    if len(key) == 1:
        number = int(value) if re.fullmatch(r"[0-9]{1,13}", value, re.ASCII) else 0
        if not 0 < number <= MOST:
            raise BadChange(f"{shown(text)}: {key} is {shown(value)}; write an integer from 1, the {_meaning(key)}")
        return number
    if known := {"bias": BIAS, "task": TASK}.get(key):
        if value not in known:
            raise BadChange(f"{shown(text)}: {key} is {shown(value)}; write one of {', '.join(known)}")
        return value
    names = tuple(dict.fromkeys(each.strip() for each in re.split("[,+]", value)))
    if not all(map(MODULE.fullmatch, names)):
        raise BadChange(f"{shown(text)}: {key} is {shown(value)}; write the names of modules, separated by commas")
    return names
