"""Code that the recorders share: sizes, building a model, and writing and comparing a recording."""

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
"""The folder of the recordings that the engine reads."""

TEST_RECORDINGS = Path(__file__).parents[1] / "counting"
"""The folder of the recordings that only tests read."""

SIZE_TABLES = tomllib.loads(Path(__file__).with_name("sizes.toml").read_text(encoding="utf-8"))
BASE: dict[str, int] = SIZE_TABLES["base"]
LARGE: dict[str, int] = {**BASE, **SIZE_TABLES["large"]}
SMALL = SIZES
ODD: dict[str, dict[str, int]] = {name: {**SMALL, **changes} for name, changes in SIZE_TABLES["odd"].items()}
"""Configs of BERT base, of BERT large, of a model with small odd sizes and, by name, of that model's variants."""


def versions_of(*packages: str) -> dict[str, str]:
    """The installed versions of `packages` and of Python."""
    return {package: version(package) for package in packages} | {"python": platform.python_version()}


def with_keys_of(architecture: Architecture, config: dict[str, int]) -> dict[str, Any]:
    """A config of BERT, translated to the keys of another architecture.

    Sizes that BERT lacks are 8, or less if they must not exceed another width. The width that heads share is H.
    """
    sizes = {symbol.letter: config[symbol.key] for symbol in BERT.symbols if symbol.key in config}
    sizes |= {narrower: min(8, sizes[wider]) for wider, narrower in architecture.differences}
    sizes.setdefault(architecture.letter_of_shared_width, sizes["H"])
    required_symbols = (symbol for symbol in architecture.symbols if symbol.is_required)
    translated_config = architecture.required_settings | {
        symbol.key: sizes.get(symbol.letter, 8) for symbol in required_symbols
    }
    return translated_config | {"pad_token_id": 0} if architecture.padding_id else translated_config


def build_model(model_type: str, config: dict[str, Any], class_name: str, device: str = "meta", **options: Any) -> Any:
    """A model of transformers, by default on torch's meta device, which allocates no memory for weights."""
    import torch
    import transformers

    with torch.device(device):
        return getattr(transformers, class_name)(transformers.CONFIG_MAPPING[model_type](**config), **options)


INDEX_ENTRY = """
[{name}]
title = "{title}"
recorded = "{day}"
script = "record_transformers.py"
unit = "tensors"
compared_by = "{compared_by}"
"""
"""The entry in the index for a new recording of `record_transformers.py`."""


def write(
    file_name: str, versions: dict[str, str], title: str = "", compared_by: str = "transformers", **contents: Any
) -> None:
    """Write a recording for the engine, add it to the index if it is new, and print its size.

    Args:
        file_name: the file of the recording.
        versions: the versions of the recorded libraries.
        title: the name of the recording on pages; needed if the recording may be new.
        compared_by: the name of the comparer, for a new recording.
        contents: the contents of the recording by name, including the list `models`.
    """
    index = FOLDER / "index.toml"
    name = file_name.removesuffix(".json.gz")
    if title and f"[{name}]" not in index.read_text(encoding="utf-8"):
        with index.open("a", encoding="utf-8") as file:
            file.write(INDEX_ENTRY.format(name=name, title=title, day=date.today(), compared_by=compared_by))
    content = compress(json.dumps({"versions": versions, **contents}, separators=(",", ":")))
    (FOLDER / file_name).write_bytes(content)
    print(f"{file_name}: {len(contents['models'])} models, {len(content)} bytes")


def record(file_name: str, packages: Iterable[str], cases: Iterable[Any], script: str = "", **additions: Any) -> None:
    """Write a recording of `cases` for tests; exit with an error if it differs from the previous one.

    Only the versions of the libraries may differ.

    Args:
        file_name: the file of the recording.
        packages: the libraries whose versions are recorded.
        cases: the cases. Those of an iterator are built after logging and warnings have been turned off.
        script: the recorder, if its recording names it.
        additions: further contents of the recording, by name.
    """
    logging.disable()
    warnings.simplefilter("ignore")
    recorder = {"script": script} if script else {}
    contents = {"versions": versions_of(*packages), **recorder, "cases": list(cases)}
    contents |= {name: list(value) if isinstance(value, Iterator) else value for name, value in additions.items()}
    path = TEST_RECORDINGS / file_name
    text = json.dumps(contents, separators=(",", ":"))
    previous = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else None
    path.write_bytes(compress(text))
    print(f"{file_name}: {len(contents['cases'])} cases, {path.stat().st_size} bytes")
    if previous is not None and {**previous, "versions": None} != {**json.loads(text), "versions": None}:
        sys.exit(f"{file_name} differed from the new recording, and has been rewritten")


def compress(text: str) -> bytes:
    """The compressed text of a recording, without a date, so that equal recordings give equal files."""
    return gzip.compress(text.encode(), mtime=0)
