"""How a recording is written, and the sizes that several of them share."""

import gzip
import json
import platform
import sys
import tomllib
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from macros.counting import BERT, Architecture
from tests.counting.sizes import SIZES

FOLDER = Path(__file__).parents[2] / "macros" / "counting" / "data" / "recordings"
"""Where the engine reads them again."""

SIZES_FILE = tomllib.loads(Path(__file__).with_name("sizes.toml").read_text(encoding="utf-8"))
BASE: dict[str, int] = SIZES_FILE["base"]
LARGE: dict[str, int] = {**BASE, **SIZES_FILE["large"]}
SMALL = SIZES
ODD: dict[str, dict[str, int]] = {name: {**SMALL, **changed} for name, changed in SIZES_FILE["odd"].items()}


def versions_of(*packages: str) -> dict[str, str]:
    """The installed version of each package, and that of Python."""
    return {package: version(package) for package in packages} | {"python": platform.python_version()}


def with_keys_of(architecture: Architecture, config: dict[str, int]) -> dict[str, Any]:
    """A config of BERT with the keys of another architecture; what that has besides is eight."""
    sizes = {symbol.letter: config[symbol.key] for symbol in BERT.symbols if symbol.key in config}
    found = architecture.stated | {each.key: sizes.get(each.letter, 8) for each in architecture.symbols if each.needed}
    return found | {"pad_token_id": 0} if architecture.padding else found


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
