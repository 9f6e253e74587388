"""Tells whether two sources are the same program, so that no test can tell one from the other."""

from __future__ import annotations

import ast
from functools import lru_cache

FUTURE = "from __future__ import annotations"

NONE = ast.dump(ast.Constant(None))
EQUAL: dict[type[ast.cmpop], ast.cmpop] = {ast.Is: ast.Eq(), ast.IsNot: ast.NotEq()}


def is_other(original: str, source: str) -> bool:
    """Whether a mutant is a program, and another one than the original."""
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
            node.decorator_list = [each for each in node.decorator_list if "id='lru_cache'" not in ast.dump(each)]
        if isinstance(node, ast.Compare) and NONE in map(ast.dump, node.comparators):
            # In the engine nothing equals None but None.
            node.ops = [EQUAL.get(type(each), each) for each in node.ops]
    return ast.dump(tree)


def _without_annotations(node: ast.AST) -> None:
    """Leave out what is never evaluated."""
    for name in ("annotation", "returns"):
        if getattr(node, name, None):
            setattr(node, name, ast.Constant(None))
