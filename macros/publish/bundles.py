"""Publishes the modules of a built site as few files, in a folder named by a digest of all of them.

A browser keeps a file that it has fetched for a while, and a module from before a
change may not fit one from after it. In such a folder, all files are of one build.

Modules that are needed by the same scripts of pages become one file, a bundle. So no
page fetches code that only others need, and code that several pages need is fetched
once. In a bundle, each module is a function that runs it when it is first called, and
returns its exports:

    import table from "../../data/table.js"      const table = $data_table
    import { whole } from "./engine.js"          const { whole } = $counting_engine()
    export const double = (a) => 2 * a           const double = (a) => 2 * a
                                                 return { double }

The calls stand where the imports stood, so modules run in the same order as they do
unbundled, while the site is served. The file that a page names calls the function of
its script. Modules of data stay files of their own.

What a script fetches only when it needs it is not linked to by the page, and code that
nothing else needs gets bundles of its own:

    await import("../reading/account.js")        await import("./reading-account.js").then(
                                                   ({ $reading_account }) => $reading_account())

The address of a worker, `new URL("../reading/worker.js", import.meta.url)`, becomes that
of a file that calls the function of its script, as for a page.

We do this ourselves because no bundler is a Python package, and the site builds with
Python alone. Therefore only the forms of `import` and `export` that our scripts use
are understood. Any other is an error that names its line, and so is a circle of
imports, in which a function would call itself. Comments, a quarter of our scripts, are
left out. Spaces stay, because a template string may hold anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from posixpath import dirname, relpath
from typing import NamedTuple

from .page import Page, PublishError
from .scripts import (
    FOLDER,
    IMPORT,
    WORKER,
    exported_names,
    fetched_late,
    imported_file,
    imports_of,
    is_late,
    is_ours,
    needed,
)

EVERYWHERE = "assets/pages/every.js"
"""The script of every page. All that it needs is one bundle, even if other scripts need some of it, too."""

NAMED = re.compile(r"\s*\{(?P<names>[^{}]*)\}\s*from\s*")
WHOLE = re.compile(r"\s*\*\s*as\s+(?P<name>[\w$]+)\s+from\s*")
DEFAULT = re.compile(r"\s*(?P<name>[\w$]+)\s+from\s*")
"""The three forms of what stands between `import` and the file."""

EXPORTED = re.compile(r"^export (?=(?:const|class|function|async function)\b)", re.MULTILINE)

OTHER = re.compile(
    r"""^(?:
        export\b(?!\ (?:const|class|function|async\ function)\b)  # a list, a default, what another module has
        | import\b(?!\()(?![^"';]*["'][^"'\n]+["'];?$)             # with attributes, say
        | (?=\S)(?!//)(?!.*\basync\b).*\bawait\b                  # which only an async function can do
    )""",
    re.MULTILINE | re.VERBOSE,
)
"""A line that a bundle cannot hold."""

DOCUMENTATION = re.compile(r"/\*\*(?:\s.*?)?(?:\*/ ?|$)")
"""The part of a line that belongs to a JSDoc comment: up to the end of the comment, or of the line."""

ONCE = "const $once = (run) => { let exports; return () => (exports ??= run()) }\n"
"""The first line of each bundle: makes a function that runs a module once."""


class Modules(NamedTuple):
    """The modules of a site as they are published.

    Attributes:
        files: the text of each file, by address.
        sources: the addresses of the modules that the files were made of.
    """

    files: dict[str, str]
    sources: list[str]


def check_bundling(scripts: Mapping[str, str]) -> None:
    """Check that each of our scripts can be bundled, which nothing else would notice while the site is served.

    Raises:
        PublishError: names file and line, or the scripts that import each other in a circle.
    """
    ours = {address: code for address, code in scripts.items() if is_ours(address)}
    for address, code in ours.items():
        _function(address, code, "", {})
    try:
        TopologicalSorter(imports_of(ours)).prepare()
    except CycleError as error:
        circle = " <- ".join(f"docs/{address}" for address in error.args[1])
        raise PublishError(
            f"scripts import each other in a circle, {circle}; move what both need into a third"
        ) from error


def publish_modules(pages: Iterable[Page], scripts: Mapping[str, str]) -> Modules:
    """Make pages name their modules in the new folder and link to all files that these import.

    With the links, a browser fetches all of them at once, and none waits for another.

    Args:
        pages: the pages as they are published.
        scripts: every script of the site, by address.

    Raises:
        PublishError: a module that a page names or that another one imports is not there, or one cannot be bundled.
    """
    imports = imports_of(scripts)
    needs = [
        (page, script, needed(page, script.attributes["src"] or "", imports))
        for page in pages
        for script in page.tree.css("script[type=module]")
    ]
    at_once = {modules[0]: modules for _, _, modules in needs}
    late = _late(at_once.values(), scripts, imports)
    places = _places(late) | _places(at_once)
    files = _bundles(places, scripts)
    workers = {file for module in places for file in _workers(module, scripts[module])}
    files |= {address: _starter(address, places[address]) for address in [*at_once, *sorted(workers)]}
    folder = f"{FOLDER}/{sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]}/"
    linked: set[tuple[str, str]] = set()  # several scripts of a page may need one file
    for page, script, modules in needs:
        top = (script.attributes["src"] or "").removesuffix(modules[0]) + folder
        script.attrs["src"] = top + modules[0]
        for file in dict.fromkeys(places[module] for module in modules):
            if (page.name, file) not in linked:
                link = f'<link rel="modulepreload" fetchpriority="low" href="{top}{file}">'
                script.insert_before(page.fragment(link))
            linked.add((page.name, file))
    return Modules({folder + file: code for file, code in files.items()}, list(places))


def _late(
    at_once: Iterable[list[str]], scripts: Mapping[str, str], imports: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """The modules that are fetched only when they are needed, each with all modules that it imports.

    Args:
        at_once: the modules that each script of a page needs.
        scripts: every script of the site, by address.
        imports: the addresses of the files that each script imports before it runs.
    """
    late: dict[str, list[str]] = {}
    modules = [module for several in at_once for module in several]
    for module in modules:  # the list grows while it is gone through
        for entry in fetched_late(module, scripts[module]):
            if entry not in late:
                late[entry] = [entry]
                for one in late[entry]:
                    late[entry] += [name for name in dict.fromkeys(imports[one]) if name not in late[entry]]
                modules += late[entry]
    return late


def _workers(module: str, code: str) -> list[str]:
    """The addresses of the scripts of workers that a module starts."""
    return [imported_file(module, found) for found in WORKER.finditer(code)]


def _places(needs: Mapping[str, list[str]]) -> dict[str, str]:
    """The file in which each module is published, by its address.

    Args:
        needs: the modules that each script of a page needs, by its address; or those of each that is fetched later.
    """
    users: dict[str, set[str]] = defaultdict(set)
    for script, modules in needs.items():
        for module in modules:
            users[module].add(script)
    return {
        module: _bundle_of({EVERYWHERE} if EVERYWHERE in scripts else scripts) if is_ours(module) else module
        for module, scripts in users.items()
    }


def _bundle_of(scripts: Iterable[str]) -> str:
    """The address of the bundle for some scripts of pages: `bundles/pages-exercises.pages-i-got.js`."""
    names = sorted(_bare(script).replace("/", "-") for script in scripts)
    return f"bundles/{'.'.join(names)}.js"


def _bare(module: str) -> str:
    """The address of a module without the parts that all have in common: `counting/engine`."""
    return module.removeprefix("assets/").removesuffix(".js")


def _name(module: str) -> str:
    """The name of a module in bundles: `$counting_engine`."""
    return "$" + re.sub(r"\W", "_", _bare(module))


def _bundles(places: Mapping[str, str], scripts: Mapping[str, str]) -> dict[str, str]:
    """The text of each file except those that start a script, by address."""
    members: dict[str, list[str]] = defaultdict(list)
    for module, file in places.items():
        members[file].append(module)
    return {
        file: _bundle(file, modules, places, scripts) if is_ours(modules[0]) else scripts[file]
        for file, modules in members.items()
    }


def _bundle(file: str, modules: Iterable[str], places: Mapping[str, str], scripts: Mapping[str, str]) -> str:
    """The text of a bundle: its imports from other files, and the function of each module."""
    functions = {module: _function(module, scripts[module], file, places) for module in sorted(modules)}
    imports = imports_of({module: scripts[module] for module in functions})
    needed_here = {module for modules_needed in imports.values() for module in modules_needed}
    elsewhere = {module for module in needed_here if places[module] != file}
    lines = [_import(module, places[module], file) for module in sorted(elsewhere)]
    return "".join([*lines, ONCE, *functions.values()])


def _import(module: str, place: str, file: str) -> str:
    """The line with which a file imports a module from another one, in which the module is placed."""
    names = f"{{ {_name(module)} }}" if is_ours(module) else _name(module)
    return f'import {names} from "{_way(place, file)}"\n'


def _way(place: str, file: str) -> str:
    """The path with which one file imports another."""
    way = relpath(place, dirname(file))
    return way if way.startswith(".") else f"./{way}"


def _starter(script: str, place: str) -> str:
    """The text of the file that a page names: it calls the function of the page's script."""
    return f"{_import(script, place, script)}{_name(script)}()\n"


def _function(module: str, code: str, file: str, places: Mapping[str, str]) -> str:
    """A module as a function that returns what it exports.

    Args:
        module: its address.
        code: its text.
        file: the bundle that it becomes a part of.
        places: the file of each module that it fetches late.

    Raises:
        PublishError: a bundle cannot hold one of its lines; names it.
    """
    late = fetched_late(module, code)

    def imported(found: re.Match[str]) -> str:
        target = imported_file(module, found)
        if is_late(found) and target not in late:
            return found[0]  # a type in a comment
        if is_late(found):  # it waits for a file, as in `await import("../../data/levels.js")`
            call = f'import("{_way(places.get(target, target), file)}"'
            # The bracket that closes the call stays where it is, and closes `then`.
            call += f").then(({{ {_name(target)} }}) => {_name(target)}()" if is_ours(target) else ""
        else:
            call = _call(found["named"] or "", target) if found["named"] is not None else ""
        if not call:
            raise _refused(module, code, found.start())
        return call

    if other := OTHER.search(code):
        raise _refused(module, code, other.start())
    exports = ", ".join(sorted(exported_names(code)))
    body = EXPORTED.sub("", IMPORT.sub(imported, code))
    body = WORKER.sub(lambda found: f'new URL("{_way(imported_file(module, found), file)}", import.meta.url)', body)
    return f"export const {_name(module)} = $once(() => {{\n{_without_comments(body)}\nreturn {{ {exports} }}\n}})\n"


def _refused(module: str, code: str, place: int) -> PublishError:
    """The error about a line of a module."""
    line = code.count("\n", 0, place) + 1
    return PublishError(
        f"docs/{module}, line {line}: what is written here cannot be bundled; "
        'write `import { a, b as c } from`, `import * as a from`, `import "./file.js"`, and for data '
        "`import a from`, each with its file; `export` before const, class, function or async function; "
        "and `await` within a function"
    )


def _call(clause: str, target: str) -> str:
    """The text that stands for an import in a bundle; empty if it is of a form that we do not understand."""
    name = _name(target)
    if not is_ours(target):
        whole = DEFAULT.fullmatch(clause)
        return f"const {whole['name']} = {name};" if whole else ""
    if not clause.strip():
        return f"{name}();"
    if every := WHOLE.fullmatch(clause):
        return f"const {every['name']} = {name}();"
    named = NAMED.fullmatch(clause)
    return f"const {{{re.sub(r' as ', ': ', named['names'])}}} = {name}();" if named else ""


def _without_comments(code: str) -> str:
    """Code without JSDoc, without comments on lines of their own, and without empty lines.

    The lines of a template string stay. Backticks show where one begins and ends; if they do not pair, because one
    stands in a comment behind code, all of the code stays as it is.
    """
    lines: list[str] = []
    within_template = within_documentation = False
    for line in code.splitlines():
        rest = line
        if within_documentation:
            _, end, rest = line.partition("*/")
            within_documentation = not end
        if not within_template:
            *_, last = DOCUMENTATION.findall(rest) or [""]
            within_documentation = within_documentation or bool(last and "*/" not in last)
            rest = DOCUMENTATION.sub("", rest)
            if not rest.strip() or rest.strip().startswith("//"):
                continue
        lines.append(rest)
        within_template ^= rest.count("`") % 2 == 1
    return code if within_template else "\n".join(lines)
