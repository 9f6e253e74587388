"""Chooses the tests of a module: those that mirror it, and those of the rest that import it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

CODE, TESTS = "macros", "tests"

SLOW = ("test_fuzz.py",)
"""Left out: whatever is wrong must show without the fuzz tests, which take half a minute."""

NAMED = {
    "counting/__main__": "counting/command_line",
    "counting/architectures": "counting/architecture",
    "publish/__init__": "publish/publish",
    "publish/__main__": "publish/publish",
    "publish/figures/__init__": "publish/figures/files",
    "publish/figures/gallery": "publish/figures/files",
    "publish/paper/__init__": "publish/paper/paper",
    "rendering/figures/levels": "rendering/figures/area_map",
    "rendering/tables": "rendering/tables/contents",
    "site": "rendering/macros",
}
"""The modules and rooms whose tests have another name."""


class Field(NamedTuple):
    """Code that is judged together: where it is, where its tests are, and the least share that must be killed."""

    title: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    floor: float


ENGINE = Field("the engine", ("macros/counting",), ("tests/counting", "README.md"), 0.96)
RENDERING = Field(
    "rendering and exercises",
    ("macros/rendering", "macros/teaching", "macros/site.py"),
    ("tests/rendering", "tests/teaching", "tests/test_site.py"),
    0.90,
)
PUBLISHING = Field(
    "publishing",
    ("macros/publish", "macros/hooks.py", "macros/main.py", "macros/serving.py"),
    ("tests/publish", "tests/test_hooks.py", "tests/test_main.py", "tests/test_serving.py"),
    0.90,
)
"""The tests of these need no browser, and build no more than a page or two."""

FIELDS = (ENGINE, RENDERING, PUBLISHING)


def field_of(module: str) -> Field:
    """The field that a module belongs to."""
    return next(field for field in FIELDS if any(module == place or f"{place}/" in module for place in field.code))


def modules(root: Path, field: Field) -> list[str]:
    """The modules of a field, as paths."""
    return _found(root, field.code, "*.py")


def named(known: Sequence[str], name: str) -> list[str]:
    """The modules among these that a name means: `sums`, `elements/sums`, or all in a room: `rendering/tables`."""
    return [path for path in known if f"/{name.strip('/')}/" in f"/{path.removesuffix('.py')}/"]


def first(root: Path, module: str) -> list[str]:
    """The tests that mirror a module, and its doctests."""
    plain = Path(module).relative_to(CODE).with_suffix("")
    places = [Path(NAMED.get(str(plain), plain))]
    places += [Path(NAMED[str(room)]) for room in plain.parents if str(room) in NAMED]
    found = [(Path(TESTS) / place.with_name(f"test_{place.name}.py")).as_posix() for place in places]
    return [*(path for path in found if (root / path).exists()), *_with_doctests(root, [module])]


def rest(root: Path, module: str) -> list[str]:
    """All other tests and doctests of its field that import a module, whether at once or by way of others."""
    imported, already = _imports(root), first(root, module)
    chosen = [path for path in everything(root, field_of(module)) if module in _reached(imported, path)]
    return [path for path in chosen if path not in already]


def everything(root: Path, field: Field) -> list[str]:
    """All tests of a field, the slow ones excepted."""
    tests = [path for path in _found(root, field.tests, "test_*.py") if Path(path).name not in SLOW]
    return tests + _with_doctests(root, modules(root, field))


def _found(root: Path, places: Sequence[str], pattern: str) -> list[str]:
    """The files that places are or hold, as paths."""
    listed = [root / place for place in places]
    paths = [path for each in listed for path in ([each] if each.is_file() else sorted(each.rglob(pattern)))]
    return [path.relative_to(root).as_posix() for path in paths]


def _with_doctests(root: Path, paths: list[str]) -> list[str]:
    return [path for path in paths if ">>>" in (root / path).read_text()]


def _reached(imported: Mapping[str, frozenset[str]], path: str) -> set[str]:
    """A file and everything that it imports, directly or not; a text imports what it likes."""
    if path not in imported:
        return set(imported)
    found, left = set(), {path}
    while left:
        each = left.pop()
        found.add(each)
        left |= imported[each] - found
    return found


@lru_cache(maxsize=1)
def _imports(root: Path) -> Mapping[str, frozenset[str]]:
    """The files that each file of the code and of its tests imports."""
    files = set(_found(root, (CODE, TESTS), "*.py"))
    return {path: frozenset(_imported(root, Path(path))) & files for path in files}


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
