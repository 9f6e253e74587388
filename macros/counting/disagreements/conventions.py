"""The ways to count that tools keep, each with who prints its numbers; data in `data/conventions.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..architectures.bert import BERT
from ..deviations import deviation_named
from ..errors import BadConfig, CountingError, shown, suggestion
from ..models import DATA, Model, blocks_of
from ..question import Question

CONVENTIONS_FILE = DATA / "conventions.toml"


class Convention(NamedTuple):
    """A class, what is done otherwise in it, and who prints the number, identifiers between backticks."""

    model_class: str
    printed_by: str
    deviations: tuple[str, ...] = ()

    def question(self, model: Model) -> Question:
        """What the convention counts of a model."""
        return Question(model, self.model_class, deviations=self.deviations)


@lru_cache
def load_conventions(path: Path = CONVENTIONS_FILE) -> Mapping[str, Convention]:
    """Every convention by its heading, in the order of the file.

    Raises:
        BadConfig: a block has an unknown key, lacks one, or names a class or
            deviation that there is not; the message names file, block and key.
    """
    return {name: _convention(f"{path.name}, {name}", block) for name, block in blocks_of(path).items()}


def _convention(where: str, block: dict[str, object]) -> Convention:
    known = Convention._fields
    for key, value in block.items():
        if key not in known:
            raise BadConfig(f"{where}: unknown key {key} = {shown(value)}; {suggestion(key, known)}")
    for key in ("model_class", "printed_by"):
        if not isinstance(block.get(key), str):
            raise BadConfig(f"{where}: {key} is {shown(block.get(key))}; write a text")
    names = block.get("deviations", [])
    if not isinstance(names, list):
        raise BadConfig(f"{where}: deviations is {shown(names)}; write a list of names")
    try:
        BERT.class_named(str(block["model_class"]))
        list(map(deviation_named, names))
    except CountingError as error:
        raise BadConfig(f"{where}: {error}") from None
    return Convention(str(block["model_class"]), str(block["printed_by"]), tuple(names))
