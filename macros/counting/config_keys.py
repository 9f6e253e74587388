"""Judges the keys of a config that its architecture does not read, so that no total is silently wrong.

Such a key is treated in one of three ways:

- A key that affects no size, such as a dropout rate or the id of a token, is ignored. So is a
  key that repeats a size of the config under another name.
- If a key affects or may affect the tensors, the config is refused with the reason. It may
  be the size of a tensor in another architecture, such as the number of relative positions;
  the remaining sizes would then give the total of a model that nobody built. It may contain
  another config, as for a model that reads images. Or it is unknown, and its name contains
  a word that suggests a size or a part of a model, such as "proj" or "layers".
- Any other unknown key is reported with the total.

The keys and words are data, in `data/config_keys.toml`, which scripts read as well:
`docs/assets/counting/config-keys.js` follows the same rules.

Judging a key by its words is guesswork: a key with a harmless name may be a size in a
model's custom code, and the total is then wrong. That is why unknown keys are reported,
except those with a value such as null, false or 0.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from .architecture import Architecture
from .architectures import ARCHITECTURES
from .blocks import DATA
from .messages import message

KEY_DATA: Mapping[str, Any] = tomllib.loads((DATA / "config_keys.toml").read_text(encoding="utf-8"))
"""The content of `data/config_keys.toml`."""

SIZELESS_KEYS = frozenset(KEY_DATA["nothing"])
"""Keys that affect no size in any architecture."""

HINTS = {kind: frozenset(words) for kind, words in KEY_DATA["words"].items()}
"""Words in the name of a key that hint at its purpose, by kind.

The kind is "tensors" if the key may affect the size of a tensor, "training" if it is taken to affect none, and
"without" if it may remove tensors when it is false.
"""


@cache
def all_size_keys() -> frozenset[str]:
    """The config keys of the sizes of all architectures."""
    return frozenset(symbol.key for architecture in ARCHITECTURES.values() for symbol in architecture.symbols)


def reason_against_key(
    key: str, value: object, architecture: Architecture, sizes: Mapping[str, int], foreign_keys: tuple[str, ...]
) -> str | None:
    """The reason to refuse a config because of a key that its architecture does not read.

    Args:
        key: the key.
        value: its value.
        architecture: the architecture of the config.
        sizes: the sizes of the config by letter.
        foreign_keys: keys that identify the config of another model.

    Returns:
        A clause for a message; empty if the key affects no size; None if it is unknown and its name suggests no size.

    >>> from .architectures.bert import BERT
    >>> reason_against_key("img_feature_dim", 2054, BERT, {"H": 768, "A": 12, "C": 2}, ())
    'Oscar has a projection of image regions beside the word table'
    >>> reason_against_key("layer_norm_eps", 1e-12, BERT, {"H": 768, "A": 12, "C": 2}, ())
    ''
    """
    if key in SIZELESS_KEYS or key in KEY_DATA["nothing_in"].get(architecture.model_type, ()):
        return ""
    if _repeats_a_size(key, value, architecture, sizes):
        return ""
    if key in KEY_DATA["elsewhere"]:
        return "" if _is_nothing(value) else str(KEY_DATA["elsewhere"][key])
    words = _words(key)
    # Other values that mean absence are harmless, but `use_pooler: false` takes away a part that we would count.
    if _is_nothing(value) and not (value is False and words & HINTS["without"]):
        return ""
    if _holds_a_size(value):
        return message("nested-config")
    if key in foreign_keys:
        return message("key-of-another-config")
    transformers_key = KEY_DATA["other_names"].get(key.lower(), key)
    if transformers_key != key and key not in all_size_keys():
        return message("key-read-instead", key=transformers_key)
    if key in all_size_keys():
        return message("key-of-another-size")
    if words & HINTS["training"]:
        return None
    return message("unknown-key") if words & HINTS["tensors"] else None


def _repeats_a_size(key: str, value: object, architecture: Architecture, sizes: Mapping[str, int]) -> bool:
    """Whether a key repeats what is known: a size that the config gives elsewhere, or that positions are absolute."""
    # Python treats True as 1, but no config means that.
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    known_values = {
        **dict.fromkeys(KEY_DATA["widths"], sizes["H"]),
        **dict.fromkeys(KEY_DATA["head_widths"], sizes["H"] / sizes["A"]),
        "_num_labels": sizes["C"],  # as older releases of transformers wrote it
        "num_key_value_heads": sizes["A"],
        "position_embedding_type": "absolute",
    }
    transformers_key = KEY_DATA["other_names"].get(key.lower())
    if any(symbol.key == transformers_key and value == sizes[symbol.letter] for symbol in architecture.symbols):
        return True
    return key in known_values and value == known_values[key]


def _is_nothing(value: object) -> bool:
    """Whether a value means absence: null, false, 0, an empty string, or a list or object of nothing but null."""
    if isinstance(value, Mapping | list | tuple):
        return all(item is None or isinstance(item, Mapping | list | tuple) for item in _values_in(value))
    return value is None or value is False or value == "" or (type(value) in (int, float) and value == 0)


def _holds_a_size(value: object) -> bool:
    """Whether a value is or contains an object with the key of a size, such as the config of another model."""
    return any(isinstance(item, Mapping) and all_size_keys().intersection(item) for item in _values_in(value))


def _values_in(value: object) -> Iterator[object]:
    """A value and all values in it, at any depth."""
    # A loop, because JSON may be nested too deeply for recursion in Python. Each object is visited only once, because
    # an object that a caller passes may contain itself.
    values = [value]
    visited_ids: set[int] = set()
    while values:
        item = values.pop()
        if id(item) in visited_ids:
            continue
        visited_ids.add(id(item))
        yield item
        if isinstance(item, Mapping):
            values += item.values()
        elif isinstance(item, list | tuple):
            values += item


def names_custom_code(auto_map: object) -> bool:
    """Whether the `auto_map` of a config names custom code for the model, not only for a tokenizer or other input.

    >>> names_custom_code({"AutoModel": "modeling.Model"}), names_custom_code({"AutoTokenizer": ["tokens.Own", None]})
    (True, False)
    """
    return bool(auto_map) and not (isinstance(auto_map, Mapping) and set(auto_map) <= set(KEY_DATA["input_classes"]))


def _words(key: str) -> set[str]:
    """The words in the name of a key, in lower case: `num_expertsPerLayer` has num, experts, per and layer."""
    return set(re.split("[^a-z]+", re.sub("([a-z])([A-Z])", r"\1_\2", key).lower()))
