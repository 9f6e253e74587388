"""Finds mutants: the ways in which cosmic-ray breaks a module, each in one place."""

from __future__ import annotations

import ast
import difflib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

FUTURE = "from __future__ import annotations"


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


def is_other(original: str, source: str) -> bool:
    """Whether a mutant is another program; only then can tests say anything about it.

    >>> is_other("a = 1", "a = 2")
    True
    >>> is_other("a = 1", "a = (1)"), is_other("f(**a)", "f(/a)"), is_other("a is None", "a == None")
    (False, False, False)
    >>> is_other("@lru_cache(maxsize=1)\\ndef f(): pass", "@lru_cache(maxsize=2)\\ndef f(): pass")
    False
    """
    try:
        return _program(original) != _program(source)
    except SyntaxError:
        return False


@lru_cache(maxsize=2)
def _program(source: str) -> str:
    """The program as a syntax tree, without what makes no difference to a test."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if FUTURE in source:
            _without_annotations(node)
        if isinstance(node, ast.FunctionDef):
            # A cache makes a difference to the speed alone.
            node.decorator_list = [each for each in node.decorator_list if "lru_cache" not in ast.dump(each)]
        if isinstance(node, ast.Compare) and NONE in map(ast.dump, node.comparators):
            # Nothing here equals None but None.
            node.ops = [ALIKE.get(type(each), each) for each in node.ops]
    return ast.dump(tree)


NONE = ast.dump(ast.Constant(None))
ALIKE: dict[type[ast.cmpop], ast.cmpop] = {ast.Is: ast.Eq(), ast.IsNot: ast.NotEq()}


def _without_annotations(node: ast.AST) -> None:
    """Leave out what is never evaluated."""
    for name in ("annotation", "returns"):
        if getattr(node, name, None):
            setattr(node, name, ast.Constant(None))
