"""Finds mutants: the ways in which cosmic-ray breaks a module, each in one place."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names


class Mutant(NamedTuple):
    """One break: what an operator does where it applies for the nth time in a module."""

    path: str
    line: int
    operator: str
    occurrence: int

    def source(self, original: str) -> str:
        """The module as it is broken."""
        return str(mutate_code(original, get_operator(self.operator)(), self.occurrence))

    def described(self, original: str) -> str:
        """Its place and operator, and below them the lines as they are and as they become."""
        lines = difflib.ndiff(original.splitlines(), self.source(original).splitlines())
        changed = [each for each in lines if each[:1] in "+-"]
        return "\n      ".join([f"{self.path}:{self.line} {self.operator.removeprefix('core/')}", *changed])


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """Every mutant of a module, in the same order at every run."""
    tree = get_ast((root / path).read_text())
    nodes = list(ast_nodes(tree))
    found = []
    for name in sorted(operator_names()):
        kind = get_operator(name)
        if kind.arguments():
            continue  # Such an operator does nothing without settings of its own.
        operator = kind()
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        found += [Mutant(path, line, name, occurrence) for occurrence, (line, _) in enumerate(starts)]
    return found
