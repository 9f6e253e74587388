"""Tells whether two sources are the same program, so that no test can tell one from the other."""

from __future__ import annotations

import ast
from functools import lru_cache

FUTURE = "from __future__ import annotations"

NONE = ast.dump(ast.Constant(None))
TYPES = ("bool", "dict", "float", "int", "list", "object", "str", "tuple")
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
        if isinstance(node, ast.Compare) and any(map(_is_one_object, (node.left, *node.comparators))):
            # Nothing of ours equals None but None, nor a type but that type.
            node.ops = [EQUAL.get(type(each), each) for each in node.ops]
    return ast.dump(tree)


def _is_one_object(node: ast.expr) -> bool:
    """Whether this is None, a type of Python's own or the type of something."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return called or ast.dump(node) == NONE or (isinstance(node, ast.Name) and node.id in TYPES)


def _without_annotations(node: ast.AST) -> None:
    """Leave out what is never evaluated."""
    for name in ("annotation", "returns"):
        if getattr(node, name, None):
            setattr(node, name, ast.Constant(None))
