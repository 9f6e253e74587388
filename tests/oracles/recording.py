"""What the recorders share: sizes, how a model is built, and how a recording is written and compared."""

import gzip
import json
import logging
import platform
import sys
import tomllib
import warnings
from collections.abc import Iterable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from macros.counting import BERT, Architecture
from tests.counting.sizes import SIZES

FOLDER = Path(__file__).parents[2] / "macros" / "counting" / "data" / "recordings"
"""Where the engine reads them again."""

BESIDE_TESTS = Path(__file__).parents[1] / "counting"
"""Where tests read what only they compare with."""

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
    found = architecture.required_settings | {
        each.key: sizes.get(each.letter, 8) for each in architecture.symbols if each.needed
    }
    return found | {"pad_token_id": 0} if architecture.padding else found


def built(model_type: str, config: dict[str, Any], class_name: str, device: str = "meta", **options: Any) -> Any:
    """A model of transformers, on torch's meta device without memory for its weights."""
    import torch
    import transformers

    with torch.device(device):
        return getattr(transformers, class_name)(transformers.CONFIG_MAPPING[model_type](**config), **options)


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
    content = packed(json.dumps({"versions": versions, **contents}, separators=(",", ":")))
    (FOLDER / file_name).write_bytes(content)
    print(f"{file_name}: {len(contents['models'])} models, {len(content)} bytes")


def record(file_name: str, packages: Iterable[str], cases: Iterable[Any], script: str = "", **more: Any) -> None:
    """Run every case and write what came of it beside the tests; fail where it differs from what stood there.

    A later version of a library is no difference.

    Args:
        file_name: the recording.
        packages: what is recorded; their versions are written down.
        cases: what is recorded of each; nothing is built before this function asks for it.
        script: the recorder, where its recording names it.
        more: whatever else is recorded, by name.
    """
    logging.disable()
    warnings.simplefilter("ignore")
    named = {"script": script} if script else {}
    contents = {"versions": versions_of(*packages), **named, "cases": list(cases)}
    contents |= {name: list(each) if isinstance(each, Iterator) else each for name, each in more.items()}
    path, text = BESIDE_TESTS / file_name, json.dumps(contents, separators=(",", ":"))
    before = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else None
    path.write_bytes(packed(text))
    print(f"{file_name}: {len(contents['cases'])} cases, {path.stat().st_size} bytes")
    if before is not None and {**before, "versions": None} != {**json.loads(text), "versions": None}:
        sys.exit(f"{file_name} was wrong, and has been rewritten")


def packed(text: str) -> bytes:
    """A recording as it is kept; to record the same thing twice gives the same file."""
    return gzip.compress(text.encode(), mtime=0)
