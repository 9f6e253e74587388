"""Totals of models that people may take for a BERT but that are built differently, as data, in `data/others.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..blocks import DATA, blocks_of, check_keys
from ..errors import BadConfig, quote

OTHERS_FILE = DATA / "others.toml"


class OtherModel(NamedTuple):
    """A model known only by its totals.

    Attributes:
        title: its name as pages print it.
        totals: the number of its parameters, by class in transformers. The first class is the one that most people
            load.
    """

    title: str
    totals: Mapping[str, int]


@cache
def load_others(path: Path = OTHERS_FILE) -> Mapping[str, OtherModel]:
    """Every model of the file by name, in the order of the file.

    Raises:
        BadConfig: the file is not TOML, or a block is not valid; for example, a total
            is not a positive integer.
    """
    models = {}
    for name, block in blocks_of(path).items():
        location = f"{path.name}, {name}"
        check_keys(location, block, ("title", "totals"), (), totals=dict)
        for model_class, total in block["totals"].items():
            if type(total) is not int or total < 1:
                raise BadConfig(f"{location}: the total of {model_class} is {quote(total)}; write a positive integer")
        models[name] = OtherModel(**block)
    return models
