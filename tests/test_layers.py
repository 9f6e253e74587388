"""Imports point one way: from layer to layer, and within a layer from room to room.

site, publish, hooks -> teaching -> rendering -> counting -> standard library; the
engine's tests need no site.
"""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What each layer may import besides itself and the standard library.
ALLOWED = {
    "macros.counting": set[str](),
    "macros.build_cache": set(),
    "macros.rendering": {"macros.counting", "macros.build_cache", "jinja2", "latex2mathml", "markdown", "markupsafe"},
    "macros.teaching": {"macros.counting", "macros.rendering"},
    "macros.publish": {
        *("macros.counting", "macros.build_cache", "macros.rendering", "macros.teaching"),
        *("cssselect2", "markdownify", "playwright", "selectolax", "tinycss2"),
    },
    "macros.site": {"macros.counting", "macros.build_cache", "macros.rendering", "macros.teaching"},
    "macros.faults": set(),
    "macros.page_syntax": {"markdown"},
    "macros.page_errors": {"macros.counting", "macros.site"},
    "macros.serving": {"macros.faults", "macros.publish"},
    "macros.hooks": {
        *("macros.counting", "macros.page_errors", "macros.page_syntax", "macros.publish", "macros.serving"),
        *("macros.site", "mkdocs", "mkdocs_macros"),
    },
    "macros.main": {"macros.faults", "macros.site"},
    # The engine's tests need nothing of the site.
    "tests.counting": {"macros.counting", "tests.samples", "hypothesis", "pytest"},
}

TOP = ""
"""The room of the modules that stand at the top of a layer."""

# What each room of a layer may import of the others; the engine's own modules are its core.
ROOMS: dict[str, dict[str, set[str]]] = {
    "macros.counting": {
        TOP: {"architectures"},
        "architectures": {TOP},
        "frameworks": {TOP, "architectures"},
        "changes": {TOP, "architectures", "frameworks"},
        "published": {TOP, "architectures", "frameworks", "changes"},
        "search": {TOP, "architectures", "frameworks", "changes", "published"},
    },
    "macros.rendering": {
        "components": set(),
        "figures": {"components"},
        "tables": {"components"},
        "files": {"components", "tables", TOP},
        TOP: {"components", "figures", "tables"},
    },
}

OPEN = tuple(f"macros.counting.{name}" for name in ("__init__", "__main__", "command_line"))
"""The face of the engine and its command line, which may import all rooms."""

OURS = ("macros", "tests")


def layer_of(module: str) -> str:
    """The layer a module of ours belongs to, by its dotted name."""
    return ".".join(module.split(".")[:2])


def room_of(module: str) -> str:
    """The room of its layer in which a module stands, or a package is."""
    name = module.removeprefix(f"{layer_of(module)}.").partition(".")[0]
    return name if (ROOT.joinpath(*layer_of(module).split(".")) / name).is_dir() else TOP


@cache
def imports(source: str, module: str) -> tuple[str, ...]:
    """Absolute names of everything a source imports, at its top or inside functions."""
    package = module.rsplit(".", 1)[0]
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) + 1 - node.level]) if node.level else ""
            name = ".".join(filter(None, [base, node.module]))
            # `from macros.rendering import numbers` imports the module numbers.
            found += [f"{name}.{alias.name}" for alias in node.names] if name.startswith(OURS) else [name]
    return tuple(found)


def wrong_imports(source: str, module: str) -> list[str]:
    """What a module may not import, given its layer and its room."""
    layer, found = layer_of(module), []
    for name in imports(source, module):
        top = name.split(".")[0]
        target = layer_of(name) if top in OURS else top
        if target == layer and layer in ROOMS and module not in OPEN:
            right = room_of(name) in {room_of(module), *ROOMS[layer][room_of(module)]}
        else:
            right = target in {layer, *ALLOWED[layer]} or top in sys.stdlib_module_names
        found += [] if right else [name]
    return found


def modules() -> dict[str, Path]:
    """Every module below macros/ and of the engine's tests, by dotted name; a package by that of its __init__."""
    found = {}
    for path in sorted([*(ROOT / "macros").rglob("*.py"), *(ROOT / "tests" / "counting").rglob("*.py")]):
        found[".".join(path.relative_to(ROOT).with_suffix("").parts)] = path
    return found


@pytest.mark.parametrize("module", [name for name in modules() if name != "macros.__init__"])
def test_imports_point_one_way(module: str) -> None:
    """No module imports from a layer or a room above it, or anything but what these may."""
    assert [] == wrong_imports(modules()[module].read_text(), module)


def test_every_room_is_known() -> None:
    """A new folder says what it may import."""
    for layer, rooms in ROOMS.items():
        assert set(rooms) == {room_of(name) for name in modules() if layer_of(name) == layer}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("macros.counting.question", "from ..rendering import numbers"),
        ("macros.counting.question", "def f():\n    import mkdocs"),
        ("macros.counting.frameworks.names", "from ..published.claims import check"),
        ("macros.rendering.listings", "from .files.ledgers import ledger"),
        ("macros.rendering.tables.libraries", "from ..listings import FRAMEWORKS"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    """An arrow the other way is found, also within a function and when relative."""
    assert wrong_imports(source, module)
