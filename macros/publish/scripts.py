"""Reads the imports and exports of a built site's scripts, and finds the modules that a page needs.

A browser reports a missing module or name only in its console, so the build checks for
both. The patterns do not parse JavaScript, but rely on the layout that our formatter,
Biome, gives a script. `bundles.py` publishes the modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from posixpath import dirname, join, normpath, relpath

from macros.counting.errors import suggestion

from .page import Page, PublishError

MODULES_FOLDER = "modules"
"""The folder in which modules are published."""

LEVELS = "data/levels.js"
"""The address of the module with the map's levels for the models that are not built into its page."""

EXAMPLES = "data/examples.js"
"""The address of the module with the texts that readers can try on the page "I got a different number"."""

UNLISTED_MODULES = (LEVELS, EXAMPLES)
"""Modules of data that pages fetch on demand, and that readers cannot download."""

DATA_FOLDER = "data/"
"""The folder of modules that hold data. These modules import nothing, and are too long to search for imports."""

IMPORT = re.compile(
    r"""(?:^import\b(?P<named>[^"';]*)|^export\b(?P<reexported>[^"';=(]*\bfrom\s*)|\bimport\()["'](?P<file>[^"'\n]+)["']""",
    re.MULTILINE,
)
"""Matches an import, or a re-export of names from another module."""

WORKER = re.compile(r"""new URL\(["'](?P<file>[^"'\n]+\.js)["'], import\.meta\.url\)""")
"""Matches the address of a worker's script."""

JSDOC_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
"""Matches a JSDoc comment, in which `import("./file.js").Name` is a type."""

EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:const|let|var|class|function\*?)\s+([\w$]+)", re.MULTILINE)
"""Matches the export of one name in its declaration."""

EXPORT_LIST = re.compile(r"^export\s*(?:(?:const|let|var)\s*)?[\[{]([^\]}]*)[\]}]", re.MULTILINE)
"""Matches the export of several names: `export { a, b as c }`, `export const [a, b] = ...`."""

DEFAULT_EXPORT = re.compile(r"^export\s+default\b", re.MULTILINE)
EXPORT_OF_ALL = re.compile(r"^export\s*\*\s*from\b", re.MULTILINE)
"""Match the default export, and the export of all names of another module."""

THEME_SCRIPTS = "assets/javascripts/"
"""The folder in which themes keep their scripts."""


def check_imports(scripts: Mapping[str, str]) -> None:
    """Check that each file and name that our scripts import exists.

    Names imported from modules of data are not checked, because these modules are empty while the site is served. Nor
    are those from a module that re-exports all names of another.

    Args:
        scripts: every script of the site, by address.

    Raises:
        PublishError: a file or name is missing; the message names the file and line of the import.
    """
    for address in filter(is_ours, scripts):
        for match in [*IMPORT.finditer(scripts[address]), *WORKER.finditer(scripts[address])]:
            if fault := _fault(address, match, scripts):
                line = scripts[address].count("\n", 0, match.start()) + 1
                raise PublishError(f"docs/{address}, line {line}: {fault}")


def is_ours(address: str) -> bool:
    """Whether a script was written for this site, and is neither the theme's nor a module of data."""
    return address.startswith("assets/") and not address.startswith(THEME_SCRIPTS)


def _fault(address: str, match: re.Match[str], scripts: Mapping[str, str]) -> str:
    """A message about an import's missing file, or the first name missing from it; empty if nothing is missing."""
    file = match["file"]
    target = imported_file(address, match)
    if target not in scripts or not file.startswith("."):
        paths = [relpath(script, dirname(address)) for script in scripts if not script.startswith(THEME_SCRIPTS)]
        files = [path if path.startswith(".") else f"./{path}" for path in paths]
        return f'there is no script "{file}"; {suggestion(file, files)}'
    if not is_ours(target) or EXPORT_OF_ALL.search(scripts[target]):
        return ""
    names = exported_names(scripts[target])
    groups = match.groupdict()
    clause = groups.get("named") or groups.get("reexported") or ""
    missing_names = [name for name in _imported_names(clause) if name not in names]
    return (
        f"{target} exports no {missing_names[0]}; {suggestion(missing_names[0], sorted(names))}"
        if missing_names
        else ""
    )


def imported_file(address: str, match: re.Match[str]) -> str:
    """The address of the file that a script imports."""
    return normpath(join(dirname(address), match["file"]))


def _imported_names(clause: str) -> list[str]:
    """The names that are imported: default, b and c for `a, { b, c as d } from`, and no name for `* as e from`."""
    default_name, _, names_in_braces = clause.strip().removesuffix("from").partition("{")
    names = [name.split()[0] for name in names_in_braces.strip().removesuffix("}").split(",") if name.strip()]
    return names if "*" in default_name or not default_name.strip(" ,") else ["default", *names]


@lru_cache(maxsize=500)  # many scripts import from the same modules
def exported_names(code: str) -> set[str]:
    """The names that a module exports, apart from those of `export * from`."""
    in_lists = [name.split()[-1] for names in EXPORT_LIST.findall(code) for name in names.split(",") if name.strip()]
    return {*EXPORT.findall(code), *in_lists, *(["default"] if DEFAULT_EXPORT.search(code) else [])}


def check_modules(pages: Iterable[Page], scripts: Mapping[str, str]) -> None:
    """Check that each module that a page names exists; `check_imports` checks what the modules import.

    Raises:
        PublishError: a module is missing; the message names the page and the module.
    """
    imports: dict[str, list[str]] = {address: [] for address in scripts}
    for page in pages:
        for element in page.tree.css("script[type=module]"):
            modules_of(page, element.attributes["src"] or "", imports)


def imports_of(scripts: Mapping[str, str]) -> dict[str, list[str]]:
    """The addresses of the files that each script imports before it runs, by the script's address."""
    return {address: [*imported_files(address, code)] for address, code in scripts.items()}


@lru_cache(maxsize=500)  # every bundle and every check needs these
def imported_files(address: str, code: str) -> tuple[str, ...]:
    """The addresses of the files that a script imports before it runs."""
    if address.startswith(DATA_FOLDER):
        return ()
    return tuple(
        imported_file(address, match)
        for match in IMPORT.finditer(code)
        if match["file"].startswith(".") and not is_late(match)
    )


def is_late(match: re.Match[str]) -> bool:
    """Whether an import is a call, `import("./file.js")`, which fetches the file only when it runs."""
    return match["named"] is None and match["reexported"] is None


@lru_cache(maxsize=500)  # every page with the script needs these
def late_imports(address: str, code: str) -> tuple[str, ...]:
    """The addresses of the files that a script fetches only on demand, including those of workers."""
    if address.startswith(DATA_FOLDER):
        return ()
    code = JSDOC_COMMENT.sub("", code)
    calls = [match for match in IMPORT.finditer(code) if is_late(match)]
    return tuple(imported_file(address, match) for match in [*calls, *WORKER.finditer(code)])


def modules_of(page: Page, src: str, imports: Mapping[str, list[str]]) -> list[str]:
    """The addresses of a module that a page names and of all modules that it needs, without repetition.

    Raises:
        PublishError: a module does not exist.
    """
    # The error page is served at any address, so its links are absolute and include the folder of the site.
    from_top = [address for address in imports if src.endswith(f"/{address}")] or [src]
    modules = from_top[:1] if src.startswith("/") else [page.target_of(src)]
    for address in modules:  # the loop also visits the modules that it appends
        if address not in imports:
            raise PublishError(f"{page.name} needs the script {address}, which is not there; see its front matter")
        modules += [module for module in dict.fromkeys(imports[address]) if module not in modules]
    return modules
