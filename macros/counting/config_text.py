"""Reads the text of a config: JSON, a config as Python or transformers prints it, or its keyword arguments.

    {"model_type": "bert", "hidden_size": 768, ...}
    {'model_type': 'bert', 'hidden_size': 768, ...}
    BertConfig {"hidden_size": 768, ...}
    BertConfig(hidden_size=768, num_hidden_layers=4)

In the last two forms, the name before the bracket decides the architecture unless the
config has a `model_type`, and the text around the config may be code or the output of a
terminal. Keyword arguments need not give every size: for the others, transformers uses its
defaults, and so does this module. Nothing is executed: an argument such as
`vocab_size=len(tokenizer)` is kept as code, which no size accepts.

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
from .config_keys import KEY_DATA
from .errors import BadConfig, quote
from .messages import message
from .model_names import reason_against_type

LONGEST_INTEGER = 100
"""The maximum number of digits of an integer; Python refuses to convert thousands of digits.

A longer integer in JSON is abbreviated as a string. No size accepts a string, so the check of the sizes reports it.
"""

JSON_START = re.compile(r"\s*(?:[\[\"0-9-]|\{(?!\s*')|(?:true|false|null)\s*$)")
"""The start of JSON. The name of a class in JSON is part of a string, not the start of a call."""

DICTIONARY_START = re.compile(r"\s*\{\s*'")
"""The start of a dictionary as Python prints it: unlike in JSON, its first key is in single quotation marks."""

CONFIG_CLASS = re.compile(r"(?<!\w)(\w{0,60}Config)\s{0,4}(?=[({])")
"""The class of a config before its bracket, as in `config = transformers.BertConfig(`.

The limits on repetition keep the search fast in any text.
"""

PROMPT = re.compile(r"^(?:>>>|\.\.\.) ?", re.MULTILINE)
"""The prompt of Python's console, before each line."""

CLASS_WORD = re.compile(r"(?<!\w)[A-Z]\w{3,60}")
"""A word that may be the name of a class."""

LATER_CHANGE = re.compile(
    r"^[ \t]*((?:\w{1,60}\.){0,3}\w{0,60}(?:config|cfg)(?:\.\w{1,60} ?=(?!=)|\[[^\n]{1,60}\] ?=(?!=)|\.update\()"
    r"|setattr\(\w{0,60}(?:config|cfg)\b)[^\n]{0,60}",
    re.MULTILINE,
)
"""Code that changes a config after the call that makes it, such as `config.hidden_size = 512`."""

LONGEST_CODE = 50_000
"""The maximum length of code that is read, in characters. A call has a few hundred, and Python parses slowly."""


@cache
def _model_types() -> Mapping[str, str]:
    """The model types by the name of their config class, such as `BertConfig`."""
    return {architecture.config_class: architecture.model_type for architecture in ARCHITECTURES.values()}


def parse(text: str) -> Any:
    """Parse the text of a config and return its values by key; if the text is JSON but not an object, the JSON value.

    Raises:
        BadConfig: the text is empty, contains several configs, or names a config class that is not counted; or the
            keyword arguments cannot be read, or later code changes the config. The message does not begin with the name
            of a file.
        ValueError: the text has none of the four forms.
        RecursionError: its brackets are nested too deeply.
    """
    if not text.strip():
        raise BadConfig("it is empty; give a config.json")
    if DICTIONARY_START.match(text):
        return _dictionary(text)
    matches = [] if JSON_START.match(text) else list(CONFIG_CLASS.finditer(text))
    if not matches:
        return json.loads(text, parse_int=_integer)
    match = matches[0]
    names = [later_match[1] for later_match in matches]
    type_by_class = _model_types()
    if names[0] not in type_by_class:
        raise BadConfig(refusal_of_type("it", names[0], ", ".join(type_by_class), article="a "))
    if names[1:]:
        raise BadConfig(f"it holds {len(names)} configs, such as {quote(names[1])}; give one of them")
    model_type = type_by_class[names[0]]
    remaining_text = text[match.end() :]
    if remaining_text.startswith("{"):
        entries, _ = json.JSONDecoder(parse_int=_integer).raw_decode(remaining_text)
        return {"model_type": model_type, **entries}
    code = PROMPT.sub("", text[match.start() :])
    arguments, end = _arguments(code)
    if change := LATER_CHANGE.search(code[end:][:LONGEST_CODE]):
        raise BadConfig(f"its code changes the config by {quote(change[0].strip())}; write that as an argument")
    surrounding_code = f"{text[: match.start()]} {code[end:]}"
    return {
        "model_type": model_type,
        **_class_in(surrounding_code, model_type),
        **_defaults(model_type, arguments),
        **arguments,
    }


def refusal_of_type(key: str, value: Any, known_types: str, article: str = "") -> str:
    """The message about a type that is not counted: the reason if there is one, otherwise the types that are counted.

    Args:
        key: the key that gives the type, or "it" for the name of a class.
        value: the type.
        known_types: the types that are counted, in words.
        article: the article before the type, with a space after it.
    """
    quoted_value = f"{article}{quote(value)}"
    if why := reason_against_type(value) if isinstance(value, str) else "":
        return message("uncounted-type", key=key, value=quoted_value, why=why)
    return message("other-model", key=key, value=quoted_value, known=known_types)


def _dictionary(text: str) -> Any:
    """Parse a dictionary as Python prints it, such as the result of `config.to_dict()`.

    Raises:
        ValueError: the text is not a Python literal.
    """
    try:
        return ast.literal_eval(text.strip())
    except (SyntaxError, TypeError, ValueError, MemoryError):
        raise ValueError("it is not a Python dictionary of literals") from None


def _arguments(code: str) -> tuple[dict[str, Any], int]:
    """The keyword arguments of the call at the start of some code, and the index at which the call ends.

    Raises:
        BadConfig: the code does not begin with a call that has only keyword arguments.
    """
    refusal = "write each argument as a keyword with a value, as in BertConfig(hidden_size=768)"
    try:
        end = _end_of_call(code[:LONGEST_CODE])
        expression = ast.parse(code[:end], mode="eval").body
    except (SyntaxError, ValueError, MemoryError):
        raise BadConfig(f"its arguments are not Python; {refusal}") from None
    if (
        not isinstance(expression, ast.Call)
        or expression.args
        or any(keyword.arg is None for keyword in expression.keywords)
    ):
        raise BadConfig(f"it has arguments without a keyword; {refusal}")
    return {str(keyword.arg): _value(keyword.value) for keyword in expression.keywords}, end


def _end_of_call(code: str) -> int:
    """The index just after the bracket that closes the first bracket in `code`. Strings and comments are skipped.

    Raises:
        ValueError: the bracket is not closed.
    """
    depth = 0
    for piece in re.finditer(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|#[^\n]*|[()]""", code):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if not depth and piece[0] == ")":
            return piece.end()
    raise ValueError("a bracket is not closed")


def _value(expression: ast.expr) -> Any:
    """The value of an argument: a literal, a product of integers, or else its code."""
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Mult):
        factors = [_value(expression.left), _value(expression.right)]
        if all(type(factor) is int and abs(factor) < 10**LONGEST_INTEGER for factor in factors):
            return factors[0] * factors[1]
    try:
        return ast.literal_eval(expression)
    except (TypeError, ValueError):
        return ast.unparse(expression)


def _class_in(code: str, model_type: str) -> dict[str, list[str]]:
    """An entry `architectures`, as in a config, with the class that the surrounding code names.

    An Auto class builds the class of the architecture with the same ending. The dictionary is empty if the code names
    no class or several, or is longer than `LONGEST_CODE`.

    >>> _class_in("model = BertForMaskedLM()", "bert")
    {'architectures': ['BertForMaskedLM']}
    >>> _class_in("model = AutoModelForMaskedLM.from_config()", "bert")
    {'architectures': ['BertForMaskedLM']}
    """
    words = set(CLASS_WORD.findall(code)) if len(code) <= LONGEST_CODE else set()
    endings = tuple(word.removeprefix("AutoModel") for word in words if word.startswith("AutoModelFor"))
    names = [
        name
        for name in ARCHITECTURES[model_type].class_by_name
        if name in words or (endings and name.endswith(endings))
    ]
    return {"architectures": names} if len(names) == 1 else {}


def _defaults(model_type: str, arguments: Mapping[str, Any]) -> dict[str, int]:
    """The default sizes in transformers, by key, except sizes that the arguments give under a second key."""
    second_keys = {
        symbol.key: ARCHITECTURES[model_type].second_keys.get(symbol.letter, "")
        for symbol in ARCHITECTURES[model_type].symbols
    }
    defaults: Mapping[str, int] = KEY_DATA["defaults"][model_type]
    return {key: size for key, size in defaults.items() if second_keys.get(key) not in arguments}


def _integer(digits: str) -> int | str:
    """The integer with these digits, or a string that abbreviates them if there are too many."""
    return int(digits) if len(digits) <= LONGEST_INTEGER else f"{digits[:20]}... ({len(digits)} digits)"
