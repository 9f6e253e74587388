"""Odd configs, files and argument lists, generated from a fixed seed so that they are the same in every run."""

import codecs
import json
from collections.abc import Callable, Iterator
from random import Random
from types import MappingProxyType
from typing import Any

from macros.counting import ARCHITECTURE_OF_CLASS, load_models, load_relatives
from tests.counting.sizes import SIZES
from tests.counting.test_config import RELATIVES

SETTINGS = (
    "num_labels",
    "id2label",
    "add_cross_attention",
    "is_decoder",
    "tie_word_embeddings",
    "model_type",
    "position_embedding_type",
    "pruned_heads",
    "hidden_act",
    "activation",
    "sinusoidal_pos_embds",
    "summary_use_proj",
    "embedding_size",
    "inner_group_num",
)
"""Config keys that are read in addition to those in `SIZES`."""

OPTIONS = (
    "--class",
    "--labels",
    "--no-pooler",
    "--untied",
    "--tree",
    "--json",
    "--csv",
    "--list",
    "--help",
    "-h",
    "--",
    "-",
    "-1",
    "--=",
)
"""Options of the command line, and arguments that look like options."""

ODD_STRINGS = (
    "",
    " ",
    "bert",
    "gelu",
    "absolute",
    "12",
    "١٢",
    "²",
    "\0",
    "a\nb",
    "a\r\x0b\x0c\x1c\x85\u2028b",
    "\x1b[31m",
    "\ud800",
    "\udcff",
    "\ufeff",
    "é" * 300,
    "🤗",
    "{}",
    "%s%n",
    "layer_*",
    "x" * 5000,
)
"""Odd strings, such as non-ASCII digits, control characters and lone surrogates, and some words from configs."""

ODD_NUMBERS = (0, 1, -1, 2, 5, 20, 2**31, 2**63 - 1, 2**63, -(2**63), 10**5000, 0.0, 20.0, 1e308, 5e-324)
"""Small integers, numbers at and beyond the limits of binary formats, and floats that look like sizes."""

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "latin-1", "cp037")
"""Encodings in which a file may be saved. The last is EBCDIC, where not even letters have their ASCII codes."""

PIECES = r"""
{ } [ ] : , " "" 0 -0 1 1e999 -1e-999 01 +1 .5 1. NaN Infinity -Infinity nan null true false True None
"\ud800" "\udfff\ud800" "\u0000" "\x" // /* */ # \ '
"""
TOKENS = [*PIECES.split(), *" \t\r\n\0\ufeff\u2028é", *(f'"{key}":' for key in (*SIZES, *SETTINGS))]
"""Pieces of JSON and of text that is almost JSON."""


def nested_value(random: Random) -> Any:
    """Nested lists or objects, some of them about as deep as Python's recursion limit, or deeper."""
    depth = random.choice([1, 50, random.randrange(800, 1010), 20_000])
    value: Any = random.choice([[], {}, 1])
    for _ in range(depth):
        value = [value] if depth % 2 else {"a": value}
    return value


def list_in_itself() -> list[Any]:
    """A list that contains itself."""
    value: list[Any] = []
    value.append(value)
    return value


def odd_string(random: Random) -> str:
    """One of `ODD_STRINGS`, or up to 19 random characters, which may be surrogates."""
    if random.random() < 0.6:
        return random.choice(ODD_STRINGS)
    highest = random.choice([0x7F, 0xFF, 0xFFFF, 0x10FFFF])
    return "".join(chr(random.randrange(highest + 1)) for _ in range(random.randrange(20)))


def odd_value(random: Random) -> Any:
    """A value of a type that Python's JSON parser returns; most such values make no sense in a config."""
    kinds: list[Callable[[], Any]] = [
        lambda: random.choice(ODD_NUMBERS),
        lambda: random.randrange(-3, 200),
        lambda: random.choice([1, -1]) * random.getrandbits(random.randrange(1, 400)),
        lambda: random.choice([True, False, None]),
        lambda: random.choice([float("nan"), float("inf"), -float("inf")]),
        lambda: odd_string(random),
        lambda: random.choice([[], {}, [[]], {"": None}]),
        lambda: [odd_string(random) for _ in range(random.randrange(5))],
        lambda: {odd_string(random): random.randrange(9) for _ in range(random.randrange(5))},
    ]
    return nested_value(random) if random.random() < 0.01 else random.choice(kinds)()


def python_value(random: Random) -> Any:
    """A value that a JSON parser never returns."""
    return random.choice([object(), b"20", {1, 2}, (20,), 20j, print, type, list_in_itself(), {(): 1}, range(20)])


def odd_config(random: Random, make_value: Callable[[Random], Any] = odd_value) -> dict[Any, Any]:
    """A valid config of a random architecture with up to three keys changed, removed or added."""
    config: dict[Any, Any] = dict(random.choice([SIZES, *RELATIVES.values()]))
    for _ in range(random.randrange(4)):
        key = random.choice([*config, *SETTINGS, odd_string(random)])
        config.pop(key, None)
        if random.random() < 0.9:
            config[key] = make_value(random)
    return config


def odd_mappings(number: int, seed: int) -> Iterator[Any]:
    """Parsed configs for `model_of_config`, some with keys and values that a JSON parser never returns."""
    random = Random(seed)  # noqa: S311  to be repeatable, not secret
    for _ in range(number):
        make_value = python_value if random.random() < 0.1 else odd_value
        config = odd_config(random, make_value)
        if random.random() < 0.05:
            config[random.choice([None, 1, (), b"vocab_size"])] = make_value(random)
        yield MappingProxyType(config) if random.random() < 0.1 else config


def odd_file_contents(number: int, seed: int) -> Iterator[bytes]:
    """Contents of files for `read_config`: configs, damaged configs, pieces of JSON, and noise."""
    random = Random(seed)  # noqa: S311  to be repeatable, not secret
    # The first two kinds are drawn twice as often as the others.
    kinds = [
        json_config,
        json_config,
        damaged_config,
        damaged_config,
        config_with_repeated_keys,
        config_in_any_encoding,
        config_with_huge_number,
        config_with_deep_value,
        json_pieces,
        noise,
    ]
    for _ in range(number):
        yield random.choice(kinds)(random)


def json_config(random: Random) -> bytes:
    """An odd config in JSON, or `SIZES` if `json` cannot write it."""
    config = odd_config(random)
    try:
        text = json.dumps(config, ensure_ascii=random.random() < 0.5)
    except (RecursionError, ValueError):  # nested too deeply, or with too long an integer, for json to write
        text = json.dumps(SIZES)
    return text.encode("utf-8", "surrogatepass")


def damaged_config(random: Random) -> bytes:
    """An odd config with some bytes changed, removed or repeated."""
    content = bytearray(json_config(random))
    for _ in range(random.randrange(1, 4)):
        start = random.randrange(len(content) + 1)
        end = start + random.randrange(10)
        content[start:end] = random.choice([b"", random.randbytes(3), content[start:end] * 3, content[:start][-9:]])
    return bytes(content)


def config_with_repeated_keys(random: Random) -> bytes:
    """Two odd configs joined into one object, so that keys occur twice, some with different values."""
    first, second = json_config(random).strip(), json_config(random).strip()
    return first[:-1] + b"," + second[1:]


def config_in_any_encoding(random: Random) -> bytes:
    """A config in one of `ENCODINGS`, sometimes after a byte order mark, which need not fit the encoding."""
    content = json_config(random).decode("utf-8", "replace").encode(random.choice(ENCODINGS), "replace")
    return random.choice([b"", b"", codecs.BOM_UTF8, codecs.BOM_UTF8 * 2, codecs.BOM_UTF16_BE]) + content


def config_with_huge_number(random: Random) -> bytes:
    """A config in which one value is a number with 18 to about 30,000 digits."""
    digits = "".join(random.choices("0123456789", k=random.choice([18, 19, 20, 99, 101, 4300, 4301, 30_000])))
    number = random.choice(["", "-", "0.", "1e", "1E-", "1"]) + digits
    key = random.choice([*SIZES, *SETTINGS])
    return json.dumps({**SIZES, key: 0}).replace(f'"{key}": 0', f'"{key}": {number}').encode()


def config_with_deep_value(random: Random) -> bytes:
    """A nested value, alone or in a config. Many are about as deep as Python's recursion limit, or deeper.

    The closing brackets may be missing.
    """
    depth = random.choice([random.randrange(900, 1000), random.randrange(1000), 5_000])
    opening, closing = random.choice([("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
    value = opening * depth + "1" + random.choice([closing * depth, ""])
    key = random.choice([*SIZES, *SETTINGS, "other"])
    return random.choice([value, json.dumps({**SIZES, key: 0}).replace(f'"{key}": 0', f'"{key}": {value}')]).encode()


def json_pieces(random: Random) -> bytes:
    """Pieces of JSON in random order."""
    return "".join(random.choices(TOKENS, k=random.randrange(30))).encode("utf-8", "surrogatepass")


def noise(random: Random) -> bytes:
    """Random bytes."""
    return random.randbytes(random.randrange(60))


def odd_argument_lists(number: int, seed: int, paths: list[str]) -> Iterator[list[str]]:
    """Command lines with `paths`, published models and odd names, and with options in any order."""
    random = Random(seed)  # noqa: S311  to be repeatable, not secret
    # Only models with few layers, because listing many layers is slow.
    small_models = [name for name, model in {**load_models(), **load_relatives()}.items() if model.sizes["L"] <= 6]
    for _ in range(number):
        number_of_names = random.choice([1, 1, 1, 2, 3])
        arguments = [
            random.choice([*paths, random.choice(small_models), odd_name(random, small_models)])
            for _ in range(number_of_names)
        ]
        arguments += [odd_argument(random) for _ in range(random.randrange(4))]
        if random.random() < 0.4:
            arguments += ["--class", random.choice([*ARCHITECTURE_OF_CLASS, odd_string(random)])]
        if random.random() < 0.2:
            arguments += ["--labels", random.choice(["1", "9", "0", "-1", "9" * 30, "٣", odd_string(random)])]
        if random.random() < 0.3:
            random.shuffle(arguments)
        is_first_missing = random.random() < 0.05
        yield arguments[1:] if is_first_missing else arguments


def odd_name(random: Random, known_names: list[str]) -> str:
    """A model name, an odd string or an odd file name ending in .json.

    Sometimes, a character is removed or an odd string inserted.
    """
    name = random.choice([random.choice(known_names), odd_string(random), odd_string(random) + ".json"])
    index = random.randrange(len(name) + 1)
    return random.choice([name, name[:index] + name[index + 1 :], name[:index] + odd_string(random) + name[index:]])


def odd_argument(random: Random) -> str:
    """An option (complete, truncated or with an odd value) or an odd string."""
    option = random.choice(OPTIONS)
    forms = [
        option,
        option,
        option,
        option[: random.randrange(9)],
        f"{option}={odd_string(random)}",
        odd_string(random),
    ]
    return random.choice(forms)
