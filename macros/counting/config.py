"""Reads a `config.json` or `bert_config.json`, whoever wrote it.

Real files have many keys that do not affect any size; those are ignored. A key
that is known to change the tensors is either taken into account or refused by
name. An unknown key is reported with the total, or refused if its name suggests
that it affects a size.

A path may lead to anything, so a file larger than `MAX_BYTES` is refused, and so
is a named pipe, because reading from it might wait forever. Every error
message is a single line.

Source: transformers 5.23, configuration_utils.py (`PreTrainedConfig`) and the
modeling file of each architecture; checked by running them on config files.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from typing import Any, BinaryIO

from .architecture import DEFAULT_CHOICES, Architecture, Choices, Setting
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES
from .architectures.bert import BERT
from .config_keys import all_size_keys, names_custom_code, reason_against_key
from .config_text import parse, refusal_of_type
from .errors import HEADER_ADVICE, LONGEST_WORD, BadConfig, label, quote
from .messages import and_list, message
from .models import LARGEST_NUMBER, Model, checked_sizes

MAX_BYTES = 4 * 2**20
"""The largest file that is read, in bytes. A config has a few kilobytes; with twenty thousand labels, a megabyte."""

STANDARD_INPUT = "/dev/stdin"
"""The path of standard input."""

DESCRIPTOR_FOLDER = "/dev/fd/"
"""The start of the path of a stream that is already open, such as one that a shell passes for `<(command)`."""

TYPE_REMEDY = 'if it is a BERT, add "model_type": "bert"; otherwise, add its own model_type'
"""The remedy for a config that does not name its architecture and may not belong to a BERT."""

FOREIGN_KEYS = (
    "attention_window",
    "block_per_row",
    "block_size",
    "channel_shrink_ratio",
    "coordinate_size",
    "dim_bbox",
    "entity_vocab_size",
    "head_ratio",
    "languages",
    "max_xpath_tag_unit_embeddings",
    "modality_type_vocab_size",
    "num_hash",
    "num_landmarks",
    "project_dim",
    "projection_hidden_act",
    "pronunciation_vocab_size",
    "q_groups",
    "qkv_bias",
    "quant_mode",
    "question_token_id",
    "rope_parameters",
    "rotary_value",
    "true_hidden_size",
    "visual_embedding_dim",
    "visual_prompt_size",
)
"""Keys of configs that have all of BERT's sizes but do not belong to a BERT.

For each of these models in transformers that has keys of its own, one key is listed here.
`tests/oracles/record_configs.py` lists the models and their keys.
"""

MAX_UNCHECKED_WIDTH = 4
"""The largest width of a rotated head that transformers accepts without checking that it is even."""

PER_LAYER_SETTING = Setting(
    "per_layer_config",
    None,
    "it gives individual layers sizes of their own, which are not counted here, so leave it out",
    empty=True,
)
"""A setting that configs of any architecture may have in transformers."""

FLAGS = {"is_decoder": False, "add_cross_attention": False, "tie_word_embeddings": True}
"""Boolean settings that configs of any architecture may have, with their usual defaults in transformers."""

FRAMEWORK_PREFIX = re.compile("^(?:TF|Flax)(?=[A-Z])")
"""The start of the name of a class for TensorFlow or Flax, as in TFBertForMaskedLM."""

READ_KEYS = frozenset(["model_type", "architectures", "id2label", "pad_token_id", PER_LAYER_SETTING.key, *FLAGS])
"""The keys that are read in a config of any architecture."""


def read_config(path: str | os.PathLike[str], name: str = "") -> Model:
    """The model that a config file describes.

    Args:
        path: a file with a config in one of the forms that `config_text.py`
            reads. It may also be `/dev/stdin` or another stream that is already
            open. Folders, named pipes and devices are refused.
        name: the name of the model; by default that of the file.

    Raises:
        BadConfig: the file cannot be read, or its model cannot be counted; for
            example, a size is missing or impossible. The message is one line.
    """
    return model_of_config(name or os.path.basename(path), parse_file(os.fspath(path)))


def model_of_config(name: str, config: Mapping[str, Any]) -> Model:
    """The model that a parsed config describes.

    Args:
        name: the name of the model, with which every error message begins; it is shortened and escaped for printing.
        config: values by key.

    Raises:
        BadConfig: as for `read_config`.
    """
    name = label(name)
    if names_custom_code(config.get("auto_map")):
        raise BadConfig(f"{name}: {message('own-code')}; {HEADER_ADVICE}")
    architecture = _architecture(name, config)
    for setting in (*architecture.settings, PER_LAYER_SETTING):
        if not setting.accepts(config):
            value = quote(config.get(setting.key, setting.default))
            raise BadConfig(f"{name}: {setting.key} is {value}; {setting.why}")
    choices = _choices(name, architecture, config)
    label_count = _number_of_labels(name, config)
    config_with_labels = config if label_count is None else {**config, "num_labels": label_count}
    sizes = checked_sizes(name, architecture, config_with_labels)
    _check_padding(name, architecture, sizes, config.get("pad_token_id", architecture.padding_id))
    _check_width_of_heads(name, architecture, sizes)
    unknown_keys = _unknown_keys(name, architecture, sizes, config)
    return Model(
        name,
        architecture,
        sizes,
        choices,
        named_class=_named_class(config),
        unknown_keys=unknown_keys,
        attention_settings={key: config[key] for key in architecture.attention_settings if key in config},
    )


def _unknown_keys(
    name: str, architecture: Architecture, sizes: Mapping[str, int], config: Mapping[str, Any]
) -> tuple[str, ...]:
    """The unknown keys of a config, which are reported with its total.

    Raises:
        BadConfig: one of the keys may change the size of a tensor.
    """
    unknown_keys = []
    for key, value in config.items():
        if key in READ_KEYS or key in architecture.keys or key in architecture.second_keys.values():
            continue
        # The keys of JSON are strings, but a mapping that a caller passes may have other keys.
        reason = reason_against_key(key, value, architecture, sizes, FOREIGN_KEYS) if isinstance(key, str) else None
        if reason:
            raise BadConfig(f"{name}: {label(key)} is {quote(value)}; {message('uncounted-key', why=reason)}")
        if reason is None:
            unknown_keys.append(label(str(key)))
    return tuple(unknown_keys)


def _named_class(config: Mapping[str, Any]) -> str:
    """The first class under `architectures`: as JSON if it is not a string, or empty if there is none.

    A class for TensorFlow or Flax is replaced by its counterpart in PyTorch, if that is counted.
    """
    classes = config.get("architectures")
    first_class = classes[0] if isinstance(classes, list) and classes else classes
    if not first_class:
        return ""
    if not isinstance(first_class, str):
        return quote(first_class)
    torch_name = FRAMEWORK_PREFIX.sub("", first_class)
    return torch_name if torch_name != first_class and torch_name in ARCHITECTURE_OF_CLASS else first_class


def _choices(name: str, architecture: Architecture, config: Mapping[str, Any]) -> Choices:
    """The choices that the config makes; the pooler is left open, because it depends on the class.

    Raises:
        BadConfig: a flag is neither true nor false, or a model that is not a decoder is given cross-attention.
    """

    def is_true(key: str, default: bool) -> bool:
        """The value of a key, or the default; a `BadConfig` if it is neither true nor false."""
        value = config.get(key, default)
        if not isinstance(value, bool):
            raise BadConfig(f"{name}: {key} is {quote(value)}; {message('flag')}")
        return value

    # In an architecture without ties, `tie_word_embeddings` has no effect.
    has_ties = any(row.tied_to for row in architecture.rows)
    is_tied = (
        is_true("tie_word_embeddings", bool(architecture.default_choices.with_defaults(DEFAULT_CHOICES).tied))
        if has_ties
        else None
    )
    for symbol in architecture.symbols:
        if symbol.only_if:
            is_true(symbol.only_if, False)
    flags = frozenset(key for key, default in architecture.flags.items() if is_true(key, default))
    # In an architecture without cross-attention, `is_decoder` and `add_cross_attention` have no effect.
    if all(row.when != "cross_attention" for row in architecture.rows):
        return Choices(tied=is_tied, flags=flags)
    is_decoder, cross_attention = (is_true(key, FLAGS[key]) for key in ("is_decoder", "add_cross_attention"))
    if cross_attention and not is_decoder:
        raise BadConfig(f"{name}: add_cross_attention is true; {message('decoder')}")
    return Choices(tied=is_tied, cross_attention=cross_attention, flags=flags)


def _number_of_labels(name: str, config: Mapping[str, Any]) -> int | None:
    """The number of labels in `id2label`.

    It is None if the config has no `id2label`, or also has `num_labels`, which takes precedence in transformers.

    Raises:
        BadConfig: `id2label` does not map numbers to labels.
    """
    labels = config.get("id2label")
    if labels is None:
        return None
    try:
        # transformers reads every key as an integer, so "1" and "01" are the same label.
        number = len({int(key) for key in labels}) if isinstance(labels, dict) else 0
    except (TypeError, ValueError):
        number = 0
    if not number:
        raise BadConfig(f"{name}: id2label is {quote(labels)}; {message('labels')}")
    return None if "num_labels" in config else number


def _check_padding(name: str, architecture: Architecture, sizes: Mapping[str, int], padding_id: object) -> None:
    """Refuse a padding id that is neither null nor the number of a row in every padded table, as transformers does.

    Raises:
        BadConfig: the id is refused.
    """
    if padding_id is None:
        return
    # The id must fit the shortest of the tables. Negative ids count from the end of a table, as in torch.
    rows = min([LARGEST_NUMBER + 1, *(sizes[letter] for letter in architecture.padded_letters)])
    if isinstance(padding_id, bool) or not isinstance(padding_id, int) or not -rows <= padding_id < rows:
        raise BadConfig(f"{name}: pad_token_id is {quote(padding_id)}; {message('padding-token', least=rows)}")


def _check_width_of_heads(name: str, architecture: Architecture, sizes: Mapping[str, int]) -> None:
    """Refuse heads of an odd width, whose features cannot be rotated in pairs, unless transformers allows them.

    Raises:
        BadConfig: the width is refused.
    """
    width = sizes.get("Q", sizes["H"] // sizes["A"])
    if architecture.pairs_features and width > MAX_UNCHECKED_WIDTH and width % 2:
        raise BadConfig(f"{name}: {message('odd-width', heads=sizes['A'], width=width)}")


def parse_file(path: str) -> Mapping[str, Any]:
    """Read a config file and return its values by key. In JSON, an integer that is too long becomes a shorter string.

    Raises:
        BadConfig: the file has no config that can be read; for example, it is missing, too large or not JSON.
    """
    # The message names a long path by its last component. The limit is that of a word, and includes the colon.
    limit = LONGEST_WORD - len(":")
    name = label(path if len(path) <= limit else os.path.basename(path), limit)
    try:
        with _open(path) as file:
            content = file.read(MAX_BYTES + 1) or b""
    except (OSError, ValueError) as error:  # ValueError if the path contains a NUL character
        why = getattr(error, "strerror", None) or error  # `strerror` is preferred, because it does not repeat the path
        raise BadConfig(f"{name}: it cannot be read ({why}); give the path of a config.json") from None
    if len(content) > MAX_BYTES:
        raise BadConfig(f"{name}: {message('too-large', most=MAX_BYTES)}")
    text = "\0"  # this value remains if the bytes are not UTF-8
    try:
        text = content.decode("utf-8-sig")
        config = parse(text)
    except BadConfig as error:
        raise BadConfig(f"{name}: {error}") from None
    except (ValueError, RecursionError) as error:
        if "\0" in text:  # never in JSON, but after every letter of a file in UTF-16
            raise BadConfig(f"{name}: {message('no-text')}") from None
        raise BadConfig(f"{name}: {message('no-json', why=error)}") from None
    if not isinstance(config, dict):
        raise BadConfig(f"{name}: {message('no-object', value=quote(config))}")
    return config


def _open(path: str) -> BinaryIO:
    """Open the file at a path for reading: a regular file, or a stream that is already open.

    Raises:
        OSError: the file cannot be opened, or is a folder, a named pipe or a device.
    """
    digits = "0" if path == STANDARD_INPUT else path.removeprefix(DESCRIPTOR_FOLDER)
    # Fewer than ten digits always fit into a C int; for a longer number, `open` would raise an OverflowError.
    if digits.isascii() and digits.isdigit() and len(digits) < 10 and path.startswith("/dev/"):
        return open(int(digits), "rb", closefd=False)
    # Without O_NONBLOCK, opening a named pipe would wait for a writer. Windows has neither the flag nor such pipes.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError("it is a folder" if stat.S_ISDIR(mode) else "it is a pipe or a device; give - for standard input")
    return open(descriptor, "rb")


def _architecture(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture that `model_type` names; without this key, the one inferred from the others.

    Raises:
        BadConfig: the architecture is not counted, or cannot be inferred.
    """
    if "model_type" not in config:
        return _architecture_by_keys(name, config)
    model_type = config["model_type"]
    if not isinstance(model_type, str) or model_type not in ARCHITECTURES:
        raise BadConfig(f"{name}: {refusal_of_type('model_type', model_type, ', '.join(ARCHITECTURES))}")
    return ARCHITECTURES[model_type]


def _architecture_by_keys(name: str, config: Mapping[str, Any]) -> Architecture:
    """The architecture of a config without `model_type`, such as those that Google published.

    The key `architectures` decides if it is given. Otherwise the architecture is BERT, unless the keys point to another
    model.

    Raises:
        BadConfig: the keys do not lead to a single architecture that is counted.
    """
    classes = config.get("architectures")
    if classes:
        model_class = _named_class(config)
        if model_class in ARCHITECTURE_OF_CLASS:
            return ARCHITECTURE_OF_CLASS[model_class]
        value = quote(classes)
        raise BadConfig(f"{name}: {message('other-class', key='architectures', value=value, name_it=TYPE_REMEDY)}")
    foreign_key = next((key for key in FOREIGN_KEYS if key in config), None)
    if foreign_key:
        raise BadConfig(
            f"{name}: {message('foreign-keys', keys=foreign_key, models='other models', name_it=TYPE_REMEDY)}"
        )
    architectures = ARCHITECTURES.values()
    known_keys = {key for architecture in architectures for key in architecture.keys}
    if not all_size_keys().intersection(config):
        raise BadConfig(f"{name}: {message('no-sizes')}")
    keys_beyond_bert = known_keys.difference(BERT.keys, FLAGS).intersection(config)
    candidates = [architecture for architecture in architectures if keys_beyond_bert <= architecture.keys]
    if not keys_beyond_bert:
        candidates = [BERT]
    if len(candidates) != 1:
        models = and_list([architecture.name for architecture in candidates] or ["several models"])
        keys = ", ".join(sorted(keys_beyond_bert))
        raise BadConfig(f"{name}: {message('foreign-keys', keys=keys, models=models, name_it=TYPE_REMEDY)}")
    return candidates[0]
