"""How a recording is written, and the sizes that several of them share."""

import gzip
import json
import platform
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from macros.counting import BERT, Architecture
from tests.counting.sizes import SIZES

FOLDER = Path(__file__).parents[2] / "macros" / "counting" / "data" / "recordings"
"""Where the engine reads them again."""

BASE = {
    "vocab_size": 30522,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
}
LARGE = {**BASE, "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
SMALL = SIZES
ODD = {
    "odd sizes": SMALL,
    "sizes without a common divisor": {
        "vocab_size": 211,
        "max_position_embeddings": 23,
        "type_vocab_size": 5,
        "hidden_size": 21,
        "intermediate_size": 13,
        "num_hidden_layers": 3,
        "num_attention_heads": 7,
    },
    "one token": {**SMALL, "vocab_size": 1},
    "odd vocabulary": {**SMALL, "vocab_size": 30525},
    "prime vocabulary": {**SMALL, "vocab_size": 30529},
    "one segment": {**SMALL, "type_vocab_size": 1},
    "two segments": {**SMALL, "type_vocab_size": 2},
    "four segments": {**SMALL, "type_vocab_size": 4},
    "long positions": {**SMALL, "max_position_embeddings": 4096},
    "F less than H": {**SMALL, "intermediate_size": 7},
    "F equal to H": {**SMALL, "intermediate_size": 20},
    "one head": {**SMALL, "num_attention_heads": 1},
    "as many heads as H": {**SMALL, "num_attention_heads": 20},
    "one layer": {**SMALL, "num_hidden_layers": 1},
    "no layers": {**SMALL, "num_hidden_layers": 0},
    "H of one": {**SMALL, "hidden_size": 1, "num_attention_heads": 1},
}
"""Sizes that no release has, each odd in its own way; a library records those that it accepts."""


def versions_of(*packages: str) -> dict[str, str]:
    """The installed version of each package, and that of Python."""
    return {package: version(package) for package in packages} | {"python": platform.python_version()}


def with_keys_of(architecture: Architecture, config: dict[str, int]) -> dict[str, Any]:
    """A config of BERT with the keys of another architecture; what that has besides is eight."""
    sizes = {symbol.letter: config[symbol.key] for symbol in BERT.symbols if symbol.key in config}
    return {each.key: sizes.get(each.letter, 8) for each in architecture.symbols if each.needed}


ENTRY = """
[{name}]
title = "{title}"
recorded = "{day}"
script = "record_transformers.py"
holds = "tensors"
compared_by = "transformers"
"""


def write(file_name: str, versions: dict[str, str], title: str = "", **contents: Any) -> None:
    """Write a recording among the others, and say how large it became; what pages call a new one is its `title`.

    `contents` holds at least a list named `models`.
    """
    index, name = FOLDER / "index.toml", file_name.removesuffix(".json.gz")
    if title and f"[{name}]" not in index.read_text(encoding="utf-8"):
        with index.open("a", encoding="utf-8") as file:
            file.write(ENTRY.format(name=name, title=title, day=date.today()))
    text = json.dumps({"versions": versions, **contents}, separators=(",", ":")).encode()
    # mtime=0: recording the same thing twice gives the same file.
    packed = gzip.compress(text, mtime=0)
    (FOLDER / file_name).write_bytes(packed)
    print(f"{file_name}: {len(contents['models'])} models, {len(packed)} bytes")


def rewrite(path: Path, **contents: Any) -> None:
    """Write a recording that the test beside it reads; fail where more than versions differs from what stood there.

    `contents` holds at least `versions` and a list named `cases`.
    """
    text = json.dumps(contents, separators=(",", ":"))
    before = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else None
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{path.name}: {len(contents['cases'])} cases, {path.stat().st_size} bytes")
    if before is not None and {**before, "versions": None} != {**json.loads(text), "versions": None}:
        sys.exit(f"{path.name} was wrong, and has been rewritten")
