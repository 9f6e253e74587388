"""Reading a reader's own `config.json` or `bert_config.json`.

Real files carry many keys that size nothing; those are passed over. A key
that does change the tensors is either counted or refused by name.

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
from .errors import LONGEST_WORD, BadConfig, label, shown
from .messages import message
from .models import LARGEST, Model, checked_sizes

MOST_BYTES = 4 * 2**20
"""A config is a few kilobytes, one with twenty thousand labels a megabyte; a file above this is something else."""

STANDARD_INPUT = "/dev/stdin"
DESCRIPTORS = "/dev/fd/"
"""The paths of what is open already; the second, with a number, is how a shell passes `<(command)`."""

LONGEST_INTEGER = 100
"""Digits; a longer integer is kept as text, which no size accepts."""

NAME_IT = 'if it is a BERT, add "model_type": "bert"; if another, its own model_type'

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
"""A key by which to know each other model of transformers whose config has all of BERT's sizes.

Two of them are DeBERTa, whose versions share their keys, so only its model_type tells which of them a config is of.

`tests/oracles/record_configs.py` lists those models and their keys.
"""

PER_LAYER = Setting("per_layer_config", None, "sizes of single layers are not counted, so leave it out", empty=True)

FLAGS = {"is_decoder": False, "add_cross_attention": False, "tie_word_embeddings": True}
"""Settings that decide which tensors exist, with what transformers takes where a config is silent."""


def read_config(path: str | os.PathLike[str]) -> Model:
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
    return model_of_config(os.path.basename(path), _parsed(os.fspath(path)))


def model_of_config(name: str, config: Mapping[str, Any]) -> Model:
    """The model that a parsed config describes; errors and outputs call it `name`, cut and escaped to be printed.

    Raises:
        BadConfig: as for `read_config`.
    """
    name = label(name)
    architecture = _architecture(name, config)
    for setting in (*architecture.settings, PER_LAYER):
        if not setting.accepts(config):
            value = shown(config.get(setting.key, setting.usual))
            raise BadConfig(f"{name}: {setting.key} is {value}; {setting.why}")
    choices = _choices(name, architecture, config)
    labels = _number_of_labels(name, config)
    sized = config if labels is None else {**config, "num_labels": labels}
    sizes = checked_sizes(name, architecture, sized)
    _check_padding(name, architecture, sizes, config.get("pad_token_id", architecture.padding))
    return Model(name, architecture, sizes, choices, named_class=_named_class(config))


def _named_class(config: Mapping[str, Any]) -> str:
    """The class that a config names first under `architectures`, as JSON if it is no text; empty if it names none."""
    classes = config.get("architectures")
    first = classes[0] if isinstance(classes, list) and classes else classes
    if not first:
        return ""
    return first if isinstance(first, str) else shown(first)


def _choices(name: str, architecture: Architecture, config: Mapping[str, Any]) -> Choices:
    """What the config decides besides the sizes; whether there is cross-attention only where there can be any."""
    tied = _flag(name, config, "tie_word_embeddings")
    if all(row.when != "cross_attention" for row in architecture.rows):
        return Choices(tied=tied)
    is_decoder, cross_attention = (_flag(name, config, key) for key in ("is_decoder", "add_cross_attention"))
    if cross_attention and not is_decoder:
        raise BadConfig(f"{name}: add_cross_attention is true; {message('decoder')}")
    return Choices(tied=tied, cross_attention=cross_attention)


def _number_of_labels(name: str, config: Mapping[str, Any]) -> int | None:
    """How many labels `id2label` has; None where it does not decide, as transformers takes num_labels before it."""
    labels = config.get("id2label")
    if labels is None:
        return None
    try:
        # Whatever the keys are, transformers reads them as integers, and two that read alike are one label.
        number = len({int(key) for key in labels}) if isinstance(labels, dict) else 0
    except (TypeError, ValueError):
        number = 0
    if not number:
        raise BadConfig(f"{name}: id2label is {shown(labels)}; {message('labels')}")
    return None if "num_labels" in config else number


def _check_padding(name: str, architecture: Architecture, sizes: Mapping[str, int], token: object) -> None:
    """Refuse a padding token that has no row in a table that keeps one for it; transformers builds no such model."""
    if token is None:
        return
    least = min([LARGEST + 1, *(sizes[letter] for letter in architecture.padded)])
    if isinstance(token, bool) or not isinstance(token, int) or not -least <= token < least:
        raise BadConfig(f"{name}: pad_token_id is {shown(token)}; {message('padding-token', least=least)}")


def _parsed(path: str) -> Mapping[str, Any]:
    # The end of a long path tells more of it than its beginning. The colon behind it counts as a part of the word.
    most = LONGEST_WORD - len(":")
    name = label(path if len(path) <= most else os.path.basename(path), most)
    try:
        with _opened(path) as file:
            content = file.read(MOST_BYTES + 1) or b""
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or error  # the first repeats no path
        raise BadConfig(f"{name}: cannot be read ({why}); give the path of a config.json") from None
    if len(content) > MOST_BYTES:
        raise BadConfig(f"{name}: {message('too-large', most=MOST_BYTES)}")
    text = "\0"
    try:
        text = content.decode("utf-8-sig")
        config = json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        if "\0" in text:  # no JSON has a NUL, and text in UTF-16 has many
            raise BadConfig(f"{name}: {message('no-text')}") from None
        raise BadConfig(f"{name}: {message('no-json', why=error)}") from None
    if not isinstance(config, dict):
        raise BadConfig(f"{name}: {message('no-object', value=shown(config))}")
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
        raise BadConfig(f"{name}: {key} is {shown(value)}; {message('flag')}")
    return value


def _architecture(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture that a config names, or else the only one that its other keys leave."""
    if "model_type" not in config:
        return _architecture_by_keys(name, config)
    model_type = config["model_type"]
    if not isinstance(model_type, str) or model_type not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise BadConfig(f"{name}: {message('other-model', key='model_type', value=shown(model_type), known=known)}")
    return ARCHITECTURES[model_type]


def _architecture_by_keys(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture of a config that names none, as those of Google's releases: BERT unless a key says otherwise."""
    classes = config.get("architectures")
    if classes:
        named = _named_class(config)
        if named in ARCHITECTURE_OF_CLASS:
            return ARCHITECTURE_OF_CLASS[named]
        value = shown(classes)
        raise BadConfig(f"{name}: {message('other-class', key='architectures', value=value, name_it=NAME_IT)}")
    foreign = next((key for key in FOREIGN_KEYS if key in config), None)
    if foreign:
        raise BadConfig(f"{name}: {message('foreign-keys', keys=foreign, models='other models', name_it=NAME_IT)}")
    own = {key for each in ARCHITECTURES.values() for key in each.keys}.difference(BERT.keys).intersection(config)
    fitting = [each for each in ARCHITECTURES.values() if own <= each.keys] if own else [BERT]
    if len(fitting) != 1:
        *names, last = (each.name for each in fitting) if fitting else ["several models"]
        known = " and ".join(filter(None, [", ".join(names), last]))
        keys = ", ".join(sorted(own))
        raise BadConfig(f"{name}: {message('foreign-keys', keys=keys, models=known, name_it=NAME_IT)}")
    return fitting[0]
