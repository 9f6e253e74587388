"""Reads the text of a config: JSON, a config as Python or transformers prints it, or its keyword arguments.

    {"model_type": "bert", "hidden_size": 768, ...}
    {'model_type': 'bert', 'hidden_size': 768, ...}
    BertConfig {"hidden_size": 768, ...}
    BertConfig(hidden_size=768, num_hidden_layers=4)

The name before the bracket is that of the architecture. Keyword arguments need not give
every size: for the others, transformers uses its defaults, and so does this module.
Nothing is executed: arguments are parsed, and only literals are accepted.

Source: transformers 5.23, configuration_utils.py (`PreTrainedConfig.__repr__`) and the
configuration file of each architecture (the defaults, in `data/config_keys.toml`).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from .architectures import ARCHITECTURES
from .config_keys import KEYS
from .errors import BadConfig, quote
from .messages import message

LONGEST_INTEGER = 100
"""The most digits of an integer. A longer one is kept as text, because Python refuses to convert thousands of digits.

No size accepts a text, so the error comes from the check of the sizes.
"""

CLASS = re.compile(r"\s*(?:\w+\s*=\s*)?(?:\w+\.)*(\w*Config)\s*(?=[({])")
"""The class of a config before its bracket, as in `config = transformers.BertConfig(`."""

DICTIONARY = re.compile(r"\s*\{\s*'")
"""The start of a dictionary as Python prints it: unlike in JSON, its first key is in single quotation marks."""


@cache
def _model_types() -> Mapping[str, str]:
    """The model type of every config class."""
    return {architecture.config_class: architecture.model_type for architecture in ARCHITECTURES.values()}


def parse(text: str) -> Any:
    """Parse the text of a config and return its values by key; if the text is JSON but not an object, the JSON value.

    Raises:
        BadConfig: the text names a config class that is not counted. The
            message does not begin with the name of a file.
        ValueError: the text has none of the four forms.
        RecursionError: its brackets are nested too deeply.
    """
    match = CLASS.match(text)
    if not match:
        return _dictionary(text) if DICTIONARY.match(text) else json.loads(text, parse_int=_integer)
    name, rest = match[1], text[match.end() :]
    model_types = _model_types()
    if name not in model_types:
        raise BadConfig(message("other-model", key="it", value=f"a {quote(name)}", known=", ".join(model_types)))
    model_type = model_types[name]
    if rest.startswith("{"):
        entries = json.loads(rest, parse_int=_integer)
        return {"model_type": model_type, **entries}
    arguments = _arguments(name + rest)
    return {"model_type": model_type, **_defaults(model_type, arguments), **arguments}


def _dictionary(text: str) -> Any:
    """A dictionary as Python prints it, such as the result of `config.to_dict()`."""
    try:
        return ast.literal_eval(text.strip())
    except (SyntaxError, TypeError, ValueError, MemoryError):
        raise ValueError("it is no dictionary of Python with literals alone") from None


def _arguments(call: str) -> dict[str, Any]:
    """The keyword arguments of a call whose values are literals."""
    try:
        expression = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, MemoryError) as error:
        raise ValueError(f"its arguments are not Python: {error}") from None
    if not isinstance(expression, ast.Call) or expression.args or any(item.arg is None for item in expression.keywords):
        raise ValueError("it is not a call with keyword arguments alone")
    return {str(item.arg): ast.literal_eval(item.value) for item in expression.keywords}


def _defaults(model_type: str, arguments: Mapping[str, Any]) -> dict[str, int]:
    """The default sizes of transformers, by key, except those that the arguments give under a second key."""
    second_keys = {
        symbol.key: ARCHITECTURES[model_type].second_keys.get(symbol.letter, "")
        for symbol in ARCHITECTURES[model_type].symbols
    }
    defaults: Mapping[str, int] = KEYS["defaults"][model_type]
    return {key: size for key, size in defaults.items() if second_keys.get(key) not in arguments}


def _integer(digits: str) -> int | str:
    """The integer that JSON digits stand for, or a text if there are too many digits."""
    return int(digits) if len(digits) <= LONGEST_INTEGER else f"{digits[:20]}... ({len(digits)} digits)"
