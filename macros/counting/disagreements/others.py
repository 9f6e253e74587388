"""Totals of models that are not built like BERT and are often taken for it: `data/others.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..blocks import DATA, blocks_of, check_keys

OTHERS_FILE = DATA / "others.toml"


class Other(NamedTuple):
    """A model of which only the total is known here: what it is called, its class in transformers, its parameters."""

    title: str
    model_class: str
    total: int


@cache
def load_others(path: Path = OTHERS_FILE) -> Mapping[str, Other]:
    """Every such model by name, in the order of the file.

    Raises:
        BadConfig: the file is not TOML, or a block lacks a key or has an unknown one.
    """
    found = {}
    for name, block in blocks_of(path).items():
        check_keys(f"{path.name}, {name}", block, ("title", "class", "total"), (), total=int)
        found[name] = Other(block["title"], block["class"], block["total"])
    return found
