"""Reading a `config.json` or `bert_config.json` that somebody else wrote.

Real files have many keys that do not affect any size; those are ignored. A key
that does change the tensors is either counted or refused by name, so a total is
never silently wrong.

A file may be anything, so it is read with care: no more than `MOST_BYTES` of it,
without waiting for a pipe that nobody writes to, and with one line for every
failure.

Source: transformers 5.23, configuration_utils.py (`PreTrainedConfig`) and the
modeling file of each architecture, run on such files.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from typing import Any, BinaryIO

from .architecture import Architecture, Choices, Setting
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES
from .architectures.bert import BERT
from .errors import LONGEST_WORD, BadConfig, label, quote
from .messages import message
from .models import LARGEST, Model, checked_sizes

MOST_BYTES = 4 * 2**20
"""Bytes of a file; a larger one is refused. A config has a few kilobytes, or a megabyte with twenty thousand labels."""

STANDARD_INPUT = "/dev/stdin"
"""The path of standard input."""

DESCRIPTORS = "/dev/fd/"
"""The start of the path of a stream that is already open, which is how a shell passes `<(command)`."""

LONGEST_INTEGER = 100
"""Digits of an integer that is read as one. A longer one is kept as text, which no size accepts."""

NAME_IT = 'if it is a BERT, add "model_type": "bert"; otherwise, add its own model_type'
"""The remedy for a config that does not name its architecture and may not be BERT's."""

FOREIGN_KEYS = (
    "attention_window",
    "block_per_row",
    "block_size",
    "dim_bbox",
    "entity_vocab_size",
    "head_ratio",
    "input_embedding_size",
    "intra_bottleneck_size",
    "languages",
    "max_2d_position_embeddings",
    "max_xpath_tag_unit_embeddings",
    "modality_type_vocab_size",
    "num_hash",
    "num_landmarks",
    "project_dim",
    "projection_dim",
    "pronunciation_vocab_size",
    "q_groups",
    "qkv_bias",
    "quant_mode",
    "question_token_id",
    "relative_attention",
    "rope_parameters",
    "rotary_value",
    "true_hidden_size",
    "use_task_id",
    "visual_embedding_dim",
    "visual_prompt_size",
)
"""One key of each other model of transformers whose config has all of BERT's sizes: with it, a config is not BERT's.

`relative_attention` stands for both DeBERTas, which share their keys: only `model_type` says which of them it is.
`tests/oracles/record_configs.py` lists those models and their keys.
"""

PER_LAYER = Setting(
    "per_layer_config",
    None,
    "it gives single layers sizes of their own, which are not counted here, so leave it out",
    empty=True,
)
"""A setting that transformers has for every architecture."""

FLAGS = {"is_decoder": False, "add_cross_attention": False, "tie_word_embeddings": True}
"""Settings that decide which tensors exist, with the defaults of transformers."""


def read_config(path: str | os.PathLike[str]) -> Model:
    """The model that a config file describes.

    Args:
        path: a file with one JSON object, which has the keys of its
            architecture's config; or `/dev/stdin` or another stream that is
            already open. No other pipe is opened, because that might wait
            forever.

    Raises:
        BadConfig: the file cannot be read, is not a JSON object, lacks a size,
            has an impossible one, or has a setting that changes the tensors
            in a way that is not counted here. The message is one line.
    """
    return model_of_config(os.path.basename(path), _parsed(os.fspath(path)))


def model_of_config(name: str, config: Mapping[str, Any]) -> Model:
    """The model that a parsed config describes.

    Args:
        name: the name of the model, which errors begin with; it is made short and printable.
        config: values by key.

    Raises:
        BadConfig: as for `read_config`.
    """
    name = label(name)
    architecture = _architecture(name, config)
    for setting in (*architecture.settings, PER_LAYER):
        if not setting.accepts(config):
            value = quote(config.get(setting.key, setting.usual))
            raise BadConfig(f"{name}: {setting.key} is {value}; {setting.why}")
    choices = _choices(name, architecture, config)
    labels = _number_of_labels(name, config)
    with_labels = config if labels is None else {**config, "num_labels": labels}
    sizes = checked_sizes(name, architecture, with_labels)
    _check_padding(name, architecture, sizes, config.get("pad_token_id", architecture.padding))
    return Model(name, architecture, sizes, choices, named_class=_named_class(config))


def _named_class(config: Mapping[str, Any]) -> str:
    """The first class under `architectures`; JSON if it is not a text, and empty if there is none."""
    classes = config.get("architectures")
    first = classes[0] if isinstance(classes, list) and classes else classes
    if not first:
        return ""
    return first if isinstance(first, str) else quote(first)


def _choices(name: str, architecture: Architecture, config: Mapping[str, Any]) -> Choices:
    """The choices that the config makes besides the sizes."""
    tied = _flag(name, config, "tie_word_embeddings")
    # An architecture without cross-attention has no use for the other two flags.
    if all(row.when != "cross_attention" for row in architecture.rows):
        return Choices(tied=tied)
    is_decoder, cross_attention = (_flag(name, config, key) for key in ("is_decoder", "add_cross_attention"))
    if cross_attention and not is_decoder:
        raise BadConfig(f"{name}: add_cross_attention is true; {message('decoder')}")
    return Choices(tied=tied, cross_attention=cross_attention)


def _number_of_labels(name: str, config: Mapping[str, Any]) -> int | None:
    """The number of labels in `id2label`; None without it, or with `num_labels`, which transformers prefers."""
    labels = config.get("id2label")
    if labels is None:
        return None
    try:
        # transformers reads every key as an integer, so "1" and "01" are one label.
        number = len({int(key) for key in labels}) if isinstance(labels, dict) else 0
    except (TypeError, ValueError):
        number = 0
    if not number:
        raise BadConfig(f"{name}: id2label is {quote(labels)}; {message('labels')}")
    return None if "num_labels" in config else number


def _check_padding(name: str, architecture: Architecture, sizes: Mapping[str, int], token: object) -> None:
    """Refuse a padding id for which a table that needs one has no row; transformers does not build such a model."""
    if token is None:
        return
    # Negative ids count from the end of the table, as in torch.
    least = min([LARGEST + 1, *(sizes[letter] for letter in architecture.padded)])
    if isinstance(token, bool) or not isinstance(token, int) or not -least <= token < least:
        raise BadConfig(f"{name}: pad_token_id is {quote(token)}; {message('padding-token', least=least)}")


def _parsed(path: str) -> Mapping[str, Any]:
    """The object in a config file, with integers that are too long as text."""
    # A long path is named by its last part. The colon after the name counts towards the longest word of a message.
    most = LONGEST_WORD - len(":")
    name = label(path if len(path) <= most else os.path.basename(path), most)
    try:
        with _opened(path) as file:
            content = file.read(MOST_BYTES + 1) or b""
    except (OSError, ValueError) as error:  # ValueError: the path has a NUL
        why = getattr(error, "strerror", None) or error  # `strerror` does not repeat the path
        raise BadConfig(f"{name}: it cannot be read ({why}); give the path of a config.json") from None
    if len(content) > MOST_BYTES:
        raise BadConfig(f"{name}: {message('too-large', most=MOST_BYTES)}")
    text = "\0"  # stays so if the bytes are not UTF-8
    try:
        text = content.decode("utf-8-sig")
        config = json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        if "\0" in text:  # JSON has no NUL; UTF-16 read as UTF-8 has many
            raise BadConfig(f"{name}: {message('no-text')}") from None
        raise BadConfig(f"{name}: {message('no-json', why=error)}") from None
    if not isinstance(config, dict):
        raise BadConfig(f"{name}: {message('no-object', value=quote(config))}")
    return config


def _opened(path: str) -> BinaryIO:
    """A regular file, or a stream that is already open, for reading.

    Raises:
        OSError: it cannot be opened, or is a folder, a named pipe or a device.
    """
    number = "0" if path == STANDARD_INPUT else path.removeprefix(DESCRIPTORS)
    if number.isascii() and number.isdigit() and len(number) < 10 and path.startswith("/dev/"):
        return open(int(number), "rb", closefd=False)
    # Without O_NONBLOCK, opening a named pipe would wait for a writer. Windows has neither.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError("it is a folder" if stat.S_ISDIR(mode) else "it is a pipe or a device; - reads standard input")
    return open(descriptor, "rb")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_INTEGER else f"{digits[:20]}... ({len(digits)} digits)"


def _flag(name: str, config: Mapping[str, Any], key: str) -> bool:
    value = config.get(key, FLAGS[key])
    if not isinstance(value, bool):
        raise BadConfig(f"{name}: {key} is {quote(value)}; {message('flag')}")
    return value


def _architecture(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture that `model_type` names, or without it the only one that the other keys allow."""
    if "model_type" not in config:
        return _architecture_by_keys(name, config)
    model_type = config["model_type"]
    if not isinstance(model_type, str) or model_type not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise BadConfig(f"{name}: {message('other-model', key='model_type', value=quote(model_type), known=known)}")
    return ARCHITECTURES[model_type]


def _architecture_by_keys(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture of a config without `model_type`, such as those of Google: BERT unless a key says otherwise."""
    classes = config.get("architectures")
    if classes:
        model_class = _named_class(config)
        if model_class in ARCHITECTURE_OF_CLASS:
            return ARCHITECTURE_OF_CLASS[model_class]
        value = quote(classes)
        raise BadConfig(f"{name}: {message('other-class', key='architectures', value=value, name_it=NAME_IT)}")
    foreign = next((key for key in FOREIGN_KEYS if key in config), None)
    if foreign:
        raise BadConfig(f"{name}: {message('foreign-keys', keys=foreign, models='other models', name_it=NAME_IT)}")
    architectures = ARCHITECTURES.values()
    known_keys = {key for architecture in architectures for key in architecture.keys}
    own = known_keys.difference(BERT.keys).intersection(config)
    fitting = [architecture for architecture in architectures if own <= architecture.keys] if own else [BERT]
    if len(fitting) != 1:
        *names, last = (architecture.name for architecture in fitting) if fitting else ["several models"]
        models = " and ".join(filter(None, [", ".join(names), last]))
        keys = ", ".join(sorted(own))
        raise BadConfig(f"{name}: {message('foreign-keys', keys=keys, models=models, name_it=NAME_IT)}")
    return fitting[0]
