"""Conventions: the ways in which tools count parameters, as data, in `data/conventions.toml`.

A tool prints the number of one class, perhaps with deviations from a plain count of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..architectures.bert import BERT
from ..blocks import DATA, blocks_of, check_keys, look_up, with_immutable_values
from ..deviations import deviation_named
from ..models import Model
from ..question import Question

CONVENTIONS_FILE = DATA / "conventions.toml"


class Convention(NamedTuple):
    """A way to count.

    Attributes:
        model_class: the class that is counted.
        printed_by: the tools that print the number, as a phrase with identifiers between backticks.
        deviations: the names of deviations from a plain count of the class.
    """

    model_class: str
    printed_by: str
    deviations: tuple[str, ...] = ()

    def question(self, model: Model) -> Question:
        """The question that the convention answers for a model."""
        return Question(model, self.model_class, deviations=self.deviations)


@cache
def load_conventions(path: Path = CONVENTIONS_FILE) -> Mapping[str, Convention]:
    """Every convention by the name of its block, in the order of the file.

    Raises:
        BadConfig: a block is not valid; for example, it names an unknown class.
            The message names the file and the block.
    """
    return {name: _convention(f"{path.name}, {name}", block) for name, block in blocks_of(path).items()}


def _convention(location: str, block: Any) -> Convention:
    """A convention from its block in the data file; `location` begins the message about a fault."""
    check_keys(location, block, ("model_class", "printed_by"), ("deviations",), deviations=list)
    look_up(location, BERT.class_named, block["model_class"])
    for name in block.get("deviations", ()):
        look_up(location, deviation_named, name)
    return Convention(**with_immutable_values(block))
