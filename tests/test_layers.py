"""Imports point in one direction: from layer to layer and, in some layers, from room to room.

    site, publish, hooks -> teaching -> rendering -> example -> counting -> standard library

A layer is a package or module in `macros`, and a room is a folder within a layer. `ALLOWED_IMPORTS`
and `ALLOWED_ROOMS` give the exact rules. There is one exception: the core of the engine and
the architectures import each other.
The tests of the engine are a layer, too, because they must run without the site.
"""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ALLOWED_IMPORTS = {
    "macros.counting": set[str](),
    "macros.build_cache": {"jinja2"},
    "macros.example": {"macros.counting"},
    "macros.rendering": {
        "macros.counting",
        "macros.example",
        "macros.build_cache",
        "jinja2",
        "latex2mathml",
        "markdown",
        "markupsafe",
    },
    "macros.teaching": {"macros.counting", "macros.rendering"},
    "macros.publish": {
        "macros.counting",
        "macros.build_cache",
        "macros.rendering",
        "macros.teaching",
        "cssselect2",
        "markdownify",
        "playwright",
        "selectolax",
        "tinycss2",
    },
    "macros.site": {"macros.counting", "macros.build_cache", "macros.example", "macros.rendering", "macros.teaching"},
    "macros.faults": set(),
    "macros.page_syntax": {"markdown"},
    "macros.page_errors": {"macros.counting", "macros.site"},
    "macros.serving": {"macros.faults", "macros.publish"},
    "macros.hooks": {
        "macros.build_cache",
        "macros.counting",
        "macros.page_errors",
        "macros.page_syntax",
        "macros.publish",
        "macros.serving",
        "macros.site",
        "mkdocs",
        "mkdocs_macros",
    },
    "macros.main": {"macros.faults", "macros.site"},
    "tests.counting": {"macros.counting", "tests.samples", "hypothesis", "pytest"},
}
"""The layers and packages that each layer may import, in addition to itself and the standard library."""

TOP = ""
"""The room of the modules at the top of a layer, outside its folders."""

ALLOWED_ROOMS: dict[str, dict[str, set[str]]] = {
    "macros.counting": {
        TOP: {"architectures"},
        "architectures": {TOP},
        "frameworks": {TOP, "architectures"},
        "changes": {TOP, "architectures", "frameworks"},
        "training": {TOP, "architectures", "changes"},
        "published": {TOP, "architectures", "frameworks", "changes"},
        "search": {TOP, "architectures", "frameworks", "changes", "published"},
        "command_line": {TOP, "architectures", "frameworks", "changes", "training"},
    },
    "macros.rendering": {
        "components": set(),
        "figures": {"components"},
        "tables": {"components"},
        "files": {"components", "tables", TOP},
        TOP: {"components", "figures", "tables"},
    },
}
"""The other rooms of the same layer that each room may import.

The modules at the top of the engine are its core; those at the top of rendering use its other rooms.
"""

INTERFACES = tuple(f"macros.counting.{name}" for name in ("__init__", "__main__"))
"""The public interface of the engine and its entry point, which may import all rooms."""

OUR_PACKAGES = ("macros", "tests")
"""The packages of this repository."""


def layer_of(module: str) -> str:
    """The layer of the module with this dotted name in one of our packages."""
    return ".".join(module.split(".")[:2])


def room_of(module: str) -> str:
    """The room, within its layer, of the module with this dotted name."""
    name = module.removeprefix(f"{layer_of(module)}.").partition(".")[0]
    return name if (ROOT.joinpath(*layer_of(module).split(".")) / name).is_dir() else TOP


@cache
def imports(source: str, module: str) -> tuple[str, ...]:
    """The absolute names of everything that the source of a module imports, at its top or within functions."""
    folders = module.split(".")[:-1]
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # One dot stands for the module's own package, and each further dot for the package around it.
            base = folders[: len(folders) + 1 - node.level] if node.level else []
            name = ".".join([*base, *filter(None, [node.module])])
            # `from macros.rendering import numbers` may import a module, so the whole name counts.
            names += [f"{name}.{alias.name}" for alias in node.names] if name.startswith(OUR_PACKAGES) else [name]
    return tuple(names)


def wrong_imports(source: str, module: str) -> list[str]:
    """The imports of a module that its layer or its room does not allow."""
    layer = layer_of(module)
    forbidden_names = []
    for name in imports(source, module):
        top = name.split(".")[0]
        target = layer_of(name) if top in OUR_PACKAGES else top
        if target == layer and layer in ALLOWED_ROOMS and module not in INTERFACES:
            is_allowed = room_of(name) in {room_of(module), *ALLOWED_ROOMS[layer][room_of(module)]}
        else:
            is_allowed = target in {layer, *ALLOWED_IMPORTS[layer]} or top in sys.stdlib_module_names
        if not is_allowed:
            forbidden_names.append(name)
    return forbidden_names


def modules() -> dict[str, Path]:
    """The path of every module of macros/ and of the tests of the engine, by dotted name."""
    paths = {}
    for path in sorted([*(ROOT / "macros").rglob("*.py"), *(ROOT / "tests" / "counting").rglob("*.py")]):
        paths[".".join(path.relative_to(ROOT).with_suffix("").parts)] = path
    return paths


@pytest.mark.parametrize("module", [name for name in modules() if name != "macros.__init__"])
def test_a_module_imports_only_what_its_layer_and_room_allow(module: str) -> None:
    assert [] == wrong_imports(modules()[module].read_text(), module)


def test_every_room_of_a_layer_with_rules_for_rooms_has_a_rule() -> None:
    for layer, rooms in ALLOWED_ROOMS.items():
        assert set(rooms) == {room_of(name) for name in modules() if layer_of(name) == layer}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("macros.counting.question", "from ..rendering import numbers"),
        ("macros.counting.question", "from macros.example import toy"),
        ("macros.counting.question", "def f():\n    import mkdocs"),
        ("macros.counting.frameworks.names", "from ..published.claims import check"),
        ("macros.rendering.listings", "from .files.ledgers import ledger"),
        ("macros.rendering.tables.libraries", "from ..listings import FRAMEWORKS"),
    ],
)
def test_a_wrong_import_is_noticed(module: str, source: str) -> None:
    assert wrong_imports(source, module)
