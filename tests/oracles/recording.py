"""How a recording is written, and the sizes that several of them share."""

import gzip
import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

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
LARGE = {
    **BASE,
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
}
SMALL = {
    "vocab_size": 101,
    "max_position_embeddings": 37,
    "type_vocab_size": 3,
    "hidden_size": 20,
    "intermediate_size": 50,
    "num_hidden_layers": 2,
    "num_attention_heads": 5,
}


def versions_of(*packages: str) -> dict[str, str]:
    """The installed version of each package, and that of Python."""
    return {package: version(package) for package in packages} | {"python": platform.python_version()}


def write(file_name: str, versions: dict[str, str], **contents: Any) -> None:
    """Write a recording among the others, and say how large it became.

    `contents` holds at least a list named `models`.
    """
    text = json.dumps({"versions": versions, **contents}, separators=(",", ":")).encode()
    # mtime=0: recording the same thing twice gives the same file.
    packed = gzip.compress(text, mtime=0)
    (FOLDER / file_name).write_bytes(packed)
    print(f"{file_name}: {len(contents['models'])} models, {len(packed)} bytes")
