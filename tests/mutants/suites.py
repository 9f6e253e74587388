"""Chooses the tests of a module: those that mirror it, and those of the rest that import it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

ENGINE = "macros/counting"
TESTS = "tests/counting"

SLOW = ("test_fuzz.py",)
"""Left out: whatever is wrong must show without the fuzz tests, which take half a minute."""

NAMED = {"__main__": "command_line", "architectures": "architecture"}
"""The modules and rooms whose tests have another name."""


def modules(root: Path) -> list[str]:
    """The modules of the engine, as paths."""
    return sorted(path.relative_to(root).as_posix() for path in (root / ENGINE).rglob("*.py"))


def first(root: Path, module: str) -> list[str]:
    """The tests that mirror a module, and its doctests."""
    *rooms, name = Path(module).relative_to(ENGINE).with_suffix("").parts
    places = ["/".join([*rooms, f"test_{NAMED.get(name, name)}.py"])]
    places += [f"test_{NAMED[room]}.py" for room in rooms if room in NAMED]
    found = [path for path in (f"{TESTS}/{place}" for place in places) if (root / path).exists()]
    return [*found, *_with_doctests(root, [module])]


def rest(root: Path, module: str) -> list[str]:
    """All other tests and doctests that import a module, whether at once or by way of others."""
    imported = _imports(root)
    tests = [path for path in everything(root) if path in imported and path.startswith(TESTS)]
    listed = [*tests, *_with_doctests(root, modules(root))]
    chosen = [path for path in listed if module in _reached(imported, path)]
    return [path for path in [*chosen, "README.md"] if path not in first(root, module) and (root / path).exists()]


def everything(root: Path) -> list[str]:
    """All tests, the slow ones excepted."""
    tests = [path.relative_to(root).as_posix() for path in sorted((root / TESTS).rglob("test_*.py"))]
    listed = [path for path in tests if Path(path).name not in SLOW] + _with_doctests(root, modules(root))
    return [path for path in [*listed, "README.md"] if (root / path).exists()]


def _with_doctests(root: Path, paths: list[str]) -> list[str]:
    return [path for path in paths if ">>>" in (root / path).read_text()]


def _reached(imported: Mapping[str, frozenset[str]], path: str) -> set[str]:
    """A file and everything that it imports, directly or not."""
    found, left = set(), {path}
    while left:
        each = left.pop()
        found.add(each)
        left |= imported[each] - found
    return found


@lru_cache(maxsize=1)
def _imports(root: Path) -> Mapping[str, frozenset[str]]:
    """The files that each file of the engine and of its tests imports."""
    paths = [path.relative_to(root) for place in (ENGINE, TESTS) for path in sorted((root / place).rglob("*.py"))]
    paths += [path.relative_to(root) for path in (root / "tests").glob("*.py")]
    files = {path.as_posix() for path in paths}
    return {path.as_posix(): frozenset(_imported(root, path)) & files for path in paths}


def _imported(root: Path, path: Path) -> Iterator[str]:
    """Where the names that a file imports would be, as modules and as packages; and the packages it lies in."""
    names = [".".join(path.parts[:-1])]
    for node in ast.walk(ast.parse((root / path).read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*(path.parts[: -node.level] if node.level else ()), *filter(None, [node.module])])
            names += [f"{base}.{alias.name}" for alias in node.names]
    for name in names:
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            place = "/".join(parts[:length])
            yield from (f"{place}.py", f"{place}/__init__.py")
