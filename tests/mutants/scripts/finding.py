"""Finds mutants: the ways in which Stryker breaks a script, each in one place."""

from __future__ import annotations

import difflib
import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SCRIPTS = "docs/assets"

SEED = 0
"""What a sample is drawn with, so that it is the same at every run."""


class Mutant(NamedTuple):
    """One break: what an operator puts in the place of some characters of a script."""

    path: str
    line: int
    operator: str
    start: int
    end: int
    text: str

    def source(self, original: str) -> str:
        """The script as it is broken."""
        return original[: self.start] + self.text + original[self.end :]

    def described(self, original: str) -> str:
        """Its place and operator, and below them the lines as they are and as they become."""
        lines = difflib.ndiff(original.splitlines(), self.source(original).splitlines())
        changed = [each for each in lines if each[:1] in "+-"]
        return "\n      ".join([f"{self.path}:{self.line} {self.operator}", *changed])


def scripts(root: Path) -> list[str]:
    """Every script of the site, as paths from the root; a new one is among them by itself."""
    return sorted(path.relative_to(root).as_posix() for path in (root / SCRIPTS).rglob("*.js"))


def mutants_of(root: Path, paths: Sequence[str]) -> list[Mutant]:
    """Every mutant of some scripts that is a program, and another one, in the same order at every run."""
    command = ["node", str(HERE / "find.mjs"), *paths]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    found = [Mutant(**each) for each in json.loads(done.stdout)]
    texts = {path: (root / path).read_text() for path in paths}
    return [each for each in found if each.source(texts[each.path]) != texts[each.path]]


def sampled(found: list[Mutant], number: int) -> list[Mutant]:
    """So many of the mutants, in their order, every one as likely as another; all of them where that is 0."""
    if not number:
        return found
    places = random.Random(SEED).sample(range(len(found)), min(number, len(found)))  # noqa: S311  no secret
    return [found[place] for place in sorted(places)]
