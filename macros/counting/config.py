"""Reading a reader's own `config.json` or `bert_config.json`.

Real files carry many keys that size nothing; those are passed over. A key
that does change the tensors is either counted or refused by name.

Source: transformers 5.23, configuration_utils.py (`PreTrainedConfig`) and the
modeling file of each architecture, run on such files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from .architecture import Architecture, Choices
from .architectures import ARCHITECTURES
from .errors import BadConfig, shown
from .models import Model, checked_sizes

MOST_BYTES = 4 * 2**20
"""A config is a few kilobytes, one with twenty thousand labels a megabyte; a file above this is something else."""

STANDARD_INPUT = "/dev/stdin"
DESCRIPTORS = "/dev/fd/"
"""The paths of what is open already; the second, with a number, is how a shell passes `<(command)`."""

LONGEST_INTEGER = 100
"""Digits; a longer integer is kept as text, which no size accepts."""

FLAGS = {"is_decoder": False, "add_cross_attention": False, "tie_word_embeddings": True}
"""Settings that decide which tensors exist, with what transformers takes where a config is silent."""


def read_config(path: Path) -> Model:
    """The model that a config file describes.

    Args:
        path: a JSON file of one object, with the keys of its architecture's
            config; of pipes, only one that is open already, such as
            `/dev/stdin`, since opening another might wait for ever.

    Raises:
        BadConfig: the file cannot be read, is no JSON object, lacks a size,
            has one that cannot be, or has a setting that changes the tensors
            in a way that is not counted here. The message is one line.
    """
    return model_of_config(path.name, _parsed(path))


def model_of_config(name: str, config: Mapping[str, Any]) -> Model:
    """The model that a parsed config describes; `name` is used in errors.

    Raises:
        BadConfig: as for `read_config`.
    """
    architecture = _architecture(name, config)
    _refuse_uncounted(name, architecture, config)
    sized = dict(config)
    if "num_labels" not in config and config.get("id2label") is not None:
        # A config gives either; where it gives both, transformers takes num_labels.
        labels = config["id2label"]
        if not isinstance(labels, dict) or not labels:
            raise BadConfig(
                f"{name}: id2label is {shown(labels)}; it must be an object with one entry per label, or leave it out"
            )
        sized["num_labels"] = len(labels)
    cross_attention = _flag(name, config, "add_cross_attention")
    if cross_attention and not _flag(name, config, "is_decoder"):
        raise BadConfig(
            f"{name}: add_cross_attention is true but is_decoder is not; "
            "transformers builds cross-attention only in a decoder, so set is_decoder to true"
        )
    choices = Choices(tied=_flag(name, config, "tie_word_embeddings"), cross_attention=cross_attention)
    return Model(name, architecture, checked_sizes(name, architecture, sized), choices)


def _parsed(path: Path) -> Mapping[str, Any]:
    try:
        with _opened(str(path)) as file:
            text = file.read(MOST_BYTES + 1) or b""
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise BadConfig(f"{path}: cannot be read ({error}); give the path of a config.json") from None
    if len(text) > MOST_BYTES:
        raise BadConfig(f"{path}: is larger than {MOST_BYTES} bytes; give a config.json, a few kilobytes")
    # Imported here: counting a published model does not need it.
    import json

    try:
        config = json.loads(text.decode("utf-8-sig"), parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"{path}: is not JSON ({error}); give a config.json") from None
    if not isinstance(config, dict):
        raise BadConfig(f"{path}: holds {shown(config)}; a config is one JSON object, in braces")
    return config


def _opened(path: str) -> BinaryIO:
    """A file or a folder, opened without waiting, or what is open already under such a path.

    Raises:
        OSError: it cannot be opened, or it is a pipe with a name or a device.
    """
    number = "0" if path == STANDARD_INPUT else path.removeprefix(DESCRIPTORS)
    if number.isascii() and number.isdigit() and len(number) < 10 and path.startswith("/dev/"):
        return open(int(number), "rb", closefd=False)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("not a file; - reads standard input")
    return open(descriptor, "rb")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_INTEGER else f"{digits[:20]}... ({len(digits)} digits)"


def _flag(name: str, config: Mapping[str, Any], key: str) -> bool:
    value = config.get(key, FLAGS[key])
    if not isinstance(value, bool):
        raise BadConfig(f"{name}: {key} is {shown(value)}; it must be true or false")
    return value


def _architecture(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture that a config names; one without a name is a BERT, as Google's files are."""
    model_type = config.get("model_type", "bert")
    if not isinstance(model_type, str) or model_type not in ARCHITECTURES:
        raise BadConfig(
            f"{name}: model_type is {shown(model_type)}; other models have other tensors, "
            f"and only these are counted here: {', '.join(ARCHITECTURES)}"
        )
    return ARCHITECTURES[model_type]


def _refuse_uncounted(name: str, architecture: Architecture, config: Mapping[str, Any]) -> None:
    """Refuse what changes the tensors and is not counted, key by key."""
    for setting in architecture.settings:
        value = config.get(setting.key, setting.usual)
        if not setting.counted(value):
            raise BadConfig(f"{name}: {setting.key} is {shown(value)}; {setting.why}")
