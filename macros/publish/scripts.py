"""What the scripts of a built site import and export, and what a page needs of them; `bundles.py` publishes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import dirname, join, normpath, relpath

from macros.counting.errors import suggestion

from .page import Page, PublishError

FOLDER = "modules"
"""Where the folder of the modules is."""

LEVELS = "data/levels.js"
"""The levels of all models that the page of the map does not hold: the one module that comes when it is needed."""

IMPORT = re.compile(
    r"""(?:^import\b(?P<named>[^"';]*)|^export\b(?P<passed>[^"';=(]*\bfrom\s*)|\bimport\()["'](?P<file>[^"'\n]+)["']""",
    re.MULTILINE,
)
"""An import as the formatter of our scripts leaves it, and an export of what another module has."""

EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:const|let|var|class|function\*?)\s+([\w$]+)", re.MULTILINE)
LIST = re.compile(r"^export\s*(?:(?:const|let|var)\s*)?[\[{]([^\]}]*)[\]}]", re.MULTILINE)
"""Names exported together: `export { a, b as c }`, `export const [a, b] = ...`."""

DEFAULT = re.compile(r"^export\s+default\b", re.MULTILINE)
EVERYTHING = re.compile(r"^export\s*\*\s*from\b", re.MULTILINE)

THEME = "assets/javascripts/"
"""Where themes keep their scripts."""


def check_imports(scripts: Mapping[str, str]) -> None:
    """Raises if one of our scripts imports a file or a name that is not there, of which a page tells its console alone.

    Scripts that are made from data are empty while serving, so of them only
    the files are looked for.

    Args:
        scripts: every script of the site, by address.

    Raises:
        PublishError: names file and line of the import.
    """
    for address in filter(is_ours, scripts):
        for found in IMPORT.finditer(scripts[address]):
            if fault := _fault(address, found, scripts):
                line = scripts[address].count("\n", 0, found.start()) + 1
                raise PublishError(f"docs/{address}, line {line}: {fault}")


def is_ours(address: str) -> bool:
    """Whether a script is one that we have written."""
    return address.startswith("assets/") and not address.startswith(THEME)


def _fault(address: str, found: re.Match[str], scripts: Mapping[str, str]) -> str:
    """What is wrong with an import; empty if nothing is."""
    file, target = found["file"], imported_file(address, found)
    if target not in scripts or not file.startswith("."):
        ways = [relpath(each, dirname(address)) for each in scripts if not each.startswith(THEME)]
        known = [each if each.startswith(".") else f"./{each}" for each in ways]
        return f'there is no script "{file}"; {suggestion(file, known)}'
    if not is_ours(target) or EVERYTHING.search(scripts[target]):
        return ""
    names = exported_names(scripts[target])
    missing = [each for each in _imported_names(found["named"] or found["passed"] or "") if each not in names]
    return f"{target} exports no {missing[0]}; {suggestion(missing[0], sorted(names))}" if missing else ""


def imported_file(address: str, found: re.Match[str]) -> str:
    """The address of what a script imports."""
    return normpath(join(dirname(address), found["file"]))


def _imported_names(clause: str) -> list[str]:
    """The names that an import asks for: default, b and c for `a, { b, c as d } from`; none for `* as e from`."""
    before, _, listed = clause.strip().removesuffix("from").partition("{")
    names = [each.split()[0] for each in listed.strip().removesuffix("}").split(",") if each.strip()]
    return names if "*" in before or not before.strip(" ,") else ["default", *names]


def exported_names(code: str) -> set[str]:
    """The names that a module exports."""
    listed = [each.split()[-1] for found in LIST.findall(code) for each in found.split(",") if each.strip()]
    return {*EXPORT.findall(code), *listed, *(["default"] if DEFAULT.search(code) else [])}


def check_modules(pages: Iterable[Page], scripts: Mapping[str, str]) -> None:
    """Raises if a page names a module that is not there.

    Raises:
        PublishError: names the page and the module.
    """
    imports: dict[str, list[str]] = {address: [] for address in scripts}
    for page in pages:
        for script in page.tree.css("script[type=module]"):
            needed(page, script.attributes["src"] or "", imports)


def imports_of(scripts: Mapping[str, str]) -> dict[str, list[str]]:
    """The addresses of what each script imports."""
    return {
        address: [imported_file(address, each) for each in IMPORT.finditer(code) if each["file"].startswith(".")]
        for address, code in scripts.items()
    }


def needed(page: Page, src: str, imports: Mapping[str, list[str]]) -> list[str]:
    """A module that a page names and all that it needs, each once, by their addresses from the top of the site."""
    # The error page is served for any address, so it names the folder that the site is in as well.
    from_top = [each for each in imports if src.endswith(f"/{each}")] or [src]
    found = from_top[:1] if src.startswith("/") else [page.resolved(src)]
    for address in found:
        if address not in imports:
            raise PublishError(f"{page.name} needs the script {address}, which is not there; see its front matter")
        found += [each for each in dict.fromkeys(imports[address]) if each not in found]
    return found
