"""Imports point one way, and the engine's tests need no site.

site, publish, hooks -> rendering -> counting -> standard library
"""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What each layer may import besides itself and the standard library.
ALLOWED = {
    "macros.counting": set[str](),
    "macros.rendering": {"macros.counting", "latex2mathml"},
    "macros.publish": {"macros.counting", "macros.rendering", "tinycss2"},
    "macros.site": {"macros.counting", "macros.rendering"},
    "macros.hooks": {"macros.publish", "macros.rendering", "mkdocs"},
    "macros.main": {"macros.site"},
    # `make mutants` runs these in an environment that has nothing of the site.
    "tests.counting": {"macros.counting", "hypothesis", "pytest"},
}


OURS = ("macros", "tests")


def layer_of(module: str) -> str:
    """The layer a module of ours belongs to, by its dotted name."""
    return ".".join(module.split(".")[:2])


def imports(source: str, module: str) -> list[str]:
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
    return found


def wrong_imports(source: str, module: str) -> list[str]:
    """What a module may not import, given its layer."""
    layer = layer_of(module)
    wrong = []
    for name in imports(source, module):
        top = name.split(".")[0]
        target = layer_of(name) if top in OURS else top
        if target != layer and target not in ALLOWED[layer] and top not in sys.stdlib_module_names:
            wrong.append(name)
    return wrong


def modules() -> dict[str, Path]:
    """Every module below macros/ and of the engine's tests, by dotted name; a package by that of its __init__."""
    found = {}
    for path in sorted([*(ROOT / "macros").rglob("*.py"), *(ROOT / "tests" / "counting").glob("*.py")]):
        found[".".join(path.relative_to(ROOT).with_suffix("").parts)] = path
    return found


@pytest.mark.parametrize("module", [name for name in modules() if name != "macros.__init__"])
def test_imports_point_one_way(module: str) -> None:
    """No module imports from a layer above it, or anything but what its layer may."""
    assert [] == wrong_imports(modules()[module].read_text(), module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("macros.counting.totals", "from macros.rendering import numbers"),
        ("macros.counting.totals", "from ..rendering import numbers"),
        ("macros.counting.totals", "def f():\n    import mkdocs"),
        ("macros.counting.totals", "import numpy as np"),
        ("macros.rendering.tables", "import macros.site"),
        ("macros.rendering.tables", "from mkdocs.plugins import event_priority"),
        ("macros.rendering.tables", "from macros.publish import publish"),
        ("macros.publish.policy", "from mkdocs.structure.files import File"),
        ("macros.publish.policy", "from macros import hooks"),
        ("macros.site", "from macros import hooks"),
        ("macros.site", "from macros.publish import publish"),
        ("tests.counting.test_claims", "from tests.docs.typed_numbers import typed_numbers"),
        ("tests.counting.test_claims", "from macros.rendering import numbers"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    """An arrow the other way is told, also within a function and when relative."""
    assert wrong_imports(source, module)
