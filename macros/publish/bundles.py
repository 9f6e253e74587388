"""Publishes the modules of a built site in a few files, in a folder named after their digest.

A browser caches the files that it has fetched, and modules from before and after a
change may not fit together. Every build therefore has its own folder, so that all
modules of a page come from one build.

All modules that the same set of page scripts needs form one file, a bundle. So no page
fetches code that only other pages need, and code that several pages need is
fetched once. In a bundle, each module is a function that runs the module when it is
first called, and returns its exports:

    import table from "../../data/table.js"      const table = $data_table
    import { whole } from "./engine.js"          const { whole } = $counting_engine()
    export const double = (a) => 2 * a           const double = (a) => 2 * a
                                                 return { double }

Each call takes the place of an import, so modules run in the same order as in the
unbundled scripts that `mkdocs serve` uses. The file that a page names calls the
function of the page's script. Modules of data are not bundled.

A page does not link to files that its scripts fetch only on demand. Code that only
they need is in separate bundles:

    await import("../reading/account.js")        await import("./reading-account.js").then(
                                                   ({ $reading_account }) => $reading_account())

The address of a worker, `new URL("../reading/worker.js", import.meta.url)`, becomes the
address of a file that calls the function of the worker's script, as for a page.

We bundle modules ourselves so that the site builds with Python alone. This module
understands only the forms of `import` and `export` that our scripts use. Any other form
is an error that names its line. A circle of imports, in which a function would call
itself, is also an error. JSDoc and comments on separate lines are removed.
Indentation is kept, because it may be part of a template string.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from posixpath import dirname, relpath
from typing import NamedTuple

from .page import Page, PublishError
from .scripts import (
    IMPORT,
    MODULES_FOLDER,
    WORKER,
    exported_names,
    imported_file,
    imports_of,
    is_late,
    is_ours,
    late_imports,
    modules_of,
)

EVERY_PAGE = "assets/pages/every.js"
"""The script that every page has. All modules that it needs form one bundle, even if other scripts need them too."""

NAMED_IMPORTS = re.compile(r"\s*\{(?P<names>[^{}]*)\}\s*from\s*")
NAMESPACE_IMPORT = re.compile(r"\s*\*\s*as\s+(?P<name>[\w$]+)\s+from\s*")
DEFAULT_IMPORT = re.compile(r"\s*(?P<name>[\w$]+)\s+from\s*")
"""Patterns for the three forms of the text between `import` and the name of the file."""

EXPORT_KEYWORD = re.compile(r"^export (?=(?:const|class|function|async function)\b)", re.MULTILINE)
"""Matches the keyword before an exported declaration, which a bundle drops."""

UNSUPPORTED = re.compile(
    r"""^(?:
        export\b(?!\ (?:const|class|function|async\ function)\b)  # of a list, a default or another module's names
        | import\b(?!\()(?![^"';]*["'][^"'\n]+["'];?$)             # with attributes, for example
        | (?=\S)(?!//)(?!.*\basync\b).*\bawait\b                  # outside of an async function
    )""",
    re.MULTILINE | re.VERBOSE,
)
"""Matches a statement that a bundle cannot contain."""

JSDOC_ON_LINE = re.compile(r"/\*\*(?:\s.*?)?(?:\*/ ?|$)")
"""Matches the part of a line that belongs to a JSDoc comment, up to the end of the comment or of the line."""

RUN_ONCE = "const $once = (run) => { let exports; return () => (exports ??= run()) }\n"
"""The first line of each bundle. `$once` turns the body of a module into a function that runs it only once."""


class PublishedModules(NamedTuple):
    """The modules of a site as they are published.

    Attributes:
        files: the text of each file, by address.
        sources: the addresses of the modules that the files contain.
    """

    files: dict[str, str]
    sources: list[str]


def check_bundling(scripts: Mapping[str, str]) -> None:
    """Check that each of our scripts can be bundled. While the site is served, nothing else would notice a fault.

    Raises:
        PublishError: a script cannot be bundled; the message names file and line, or a circle of imports.
    """
    our_scripts = {address: code for address, code in scripts.items() if is_ours(address)}
    for address, code in our_scripts.items():
        _check_script(address, code)
    try:
        TopologicalSorter(imports_of(our_scripts)).prepare()
    except CycleError as error:
        circle = " <- ".join(f"docs/{address}" for address in error.args[1])
        raise PublishError(
            f"scripts import each other in a circle, {circle}; move what both need into a third script"
        ) from error


@lru_cache(maxsize=500)  # enough for the last few builds, so that a rebuild while serving checks only changed files
def _check_script(address: str, code: str) -> None:
    """Raise a `PublishError` if a script cannot be bundled."""
    _function(address, code, "", {})


def publish_modules(pages: Iterable[Page], scripts: Mapping[str, str]) -> PublishedModules:
    """Bundle the modules of a site, and make each page load its modules from the folder of the bundles.

    Each page also links to every file that its modules import, so that a browser fetches all of them at once instead
    of one after the other.

    Args:
        pages: the pages of the site.
        scripts: every script of the site, by address.

    Raises:
        PublishError: a module that a page names or another module imports does not exist, or cannot be bundled.
    """
    imports = imports_of(scripts)
    page_scripts = [
        (page, element, modules_of(page, element.attributes["src"] or "", imports))
        for page in pages
        for element in page.tree.css("script[type=module]")
    ]
    modules_of_scripts = {modules[0]: modules for _, _, modules in page_scripts}
    late_modules = _late_modules(modules_of_scripts.values(), scripts, imports)
    file_of = _files_by_module(late_modules) | _files_by_module(modules_of_scripts)
    files = _bundles(file_of, scripts)
    workers = {file for module in file_of for file in _worker_scripts(module, scripts[module])}
    files |= {address: _starter(address, file_of[address]) for address in [*modules_of_scripts, *sorted(workers)]}
    folder = f"{MODULES_FOLDER}/{sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]}/"
    seen_links: set[tuple[str, str]] = set()  # because several scripts of a page may need the same file
    for page, element, modules in page_scripts:
        link_to_folder = (element.attributes["src"] or "").removesuffix(modules[0]) + folder
        element.attrs["src"] = link_to_folder + modules[0]
        for file in dict.fromkeys(file_of[module] for module in modules):
            if (page.name, file) not in seen_links:
                link = f'<link rel="modulepreload" fetchpriority="low" href="{link_to_folder}{file}">'
                element.insert_before(page.fragment(link))
            seen_links.add((page.name, file))
    return PublishedModules({folder + file: code for file, code in files.items()}, list(file_of))


def _late_modules(
    modules_of_scripts: Iterable[list[str]], scripts: Mapping[str, str], imports: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """The modules that are fetched on demand, each with all modules that it imports.

    Args:
        modules_of_scripts: for each script of a page, the modules that it needs from the start.
        scripts: every script of the site, by address.
        imports: the addresses of the files that each script imports before it runs.
    """
    late_modules: dict[str, list[str]] = {}
    modules = [module for modules_of_script in modules_of_scripts for module in modules_of_script]
    for module in modules:  # the loop also visits the modules that it appends
        for late_module in late_imports(module, scripts[module]):
            if late_module not in late_modules:
                late_modules[late_module] = _with_imports(late_module, imports)
                modules += late_modules[late_module]
    return late_modules


def _with_imports(module: str, imports: Mapping[str, list[str]]) -> list[str]:
    """A module and all modules that it needs, without repetition."""
    modules = [module]
    for needed_module in modules:  # the loop also visits the modules that it appends
        modules += [name for name in dict.fromkeys(imports[needed_module]) if name not in modules]
    return modules


def _worker_scripts(module: str, code: str) -> list[str]:
    """The addresses of the scripts of the workers that a module starts."""
    return [imported_file(module, match) for match in WORKER.finditer(code)]


def _files_by_module(needs: Mapping[str, list[str]]) -> dict[str, str]:
    """The file in which each module is published, by the module's address.

    Args:
        needs: for each script of a page or each module that is fetched on demand, the modules that it needs.
    """
    users: dict[str, set[str]] = defaultdict(set)
    for script, modules in needs.items():
        for module in modules:
            users[module].add(script)
    file_of = {}
    for module, using_scripts in users.items():
        if not is_ours(module):
            file_of[module] = module
        elif EVERY_PAGE in using_scripts:
            file_of[module] = _bundle_of([EVERY_PAGE])
        else:
            file_of[module] = _bundle_of(using_scripts)
    return file_of


def _bundle_of(scripts: Iterable[str]) -> str:
    """The address of the bundle of modules that only these scripts need: `bundles/pages-exercises.pages-i-got.js`."""
    names = sorted(_short_address(script).replace("/", "-") for script in scripts)
    return f"bundles/{'.'.join(names)}.js"


def _short_address(module: str) -> str:
    """The address of a module without `assets/` and `.js`, such as `counting/engine`."""
    return module.removeprefix("assets/").removesuffix(".js")


def _name(module: str) -> str:
    """The name of a module's function or data in bundles, such as `$counting_engine`."""
    return "$" + re.sub(r"\W", "_", _short_address(module))


def _bundles(file_of: Mapping[str, str], scripts: Mapping[str, str]) -> dict[str, str]:
    """The text of each bundle and each module of data, by address."""
    modules_by_file: dict[str, list[str]] = defaultdict(list)
    for module, file in file_of.items():
        modules_by_file[file].append(module)
    return {
        file: _bundle(file, modules, file_of, scripts) if is_ours(modules[0]) else scripts[file]
        for file, modules in modules_by_file.items()
    }


def _bundle(file: str, modules: Iterable[str], file_of: Mapping[str, str], scripts: Mapping[str, str]) -> str:
    """The text of a bundle: its imports from other files, and the function of each module."""
    functions = {module: _function(module, scripts[module], file, file_of) for module in sorted(modules)}
    imports = imports_of({module: scripts[module] for module in functions})
    needed_modules = {module for imported_modules in imports.values() for module in imported_modules}
    modules_elsewhere = {module for module in needed_modules if file_of[module] != file}
    lines = [_import(module, file_of[module], file) for module in sorted(modules_elsewhere)]
    return "".join([*lines, RUN_ONCE, *functions.values()])


def _import(module: str, source: str, file: str) -> str:
    """The line with which `file` imports a module from the file `source`."""
    clause = f"{{ {_name(module)} }}" if is_ours(module) else _name(module)
    return f'import {clause} from "{_relative_path(source, file)}"\n'


def _relative_path(source: str, file: str) -> str:
    """The path with which `file` imports the file `source`."""
    path = relpath(source, dirname(file))
    return path if path.startswith(".") else f"./{path}"


def _starter(script: str, bundle: str) -> str:
    """The text of the file that a page or a worker runs. It calls the function of a script in a bundle."""
    return f"{_import(script, bundle, script)}{_name(script)}()\n"


def _function(module: str, code: str, file: str, file_of: Mapping[str, str]) -> str:
    """A module as a function that returns its exports.

    Args:
        module: the address of the module.
        code: the text of the module.
        file: the bundle that will contain the module.
        file_of: the file of each module that this module fetches on demand.

    Raises:
        PublishError: a bundle cannot contain one of its statements; the message names the line.
    """
    late_targets = late_imports(module, code)

    def replace_import(match: re.Match[str]) -> str:
        """The code that replaces an import in a bundle."""
        target = imported_file(module, match)
        if is_late(match) and target not in late_targets:
            return match[0]  # a type in a comment
        if is_late(match):  # as in `await import("../../data/levels.js")`
            call = f'import("{_relative_path(file_of.get(target, target), file)}"'
            # The parenthesis that closes the import is kept, and closes `then` instead.
            call += f").then(({{ {_name(target)} }}) => {_name(target)}()" if is_ours(target) else ""
        else:
            call = _call(match["named"] or "", target) if match["named"] is not None else ""
        if not call:
            raise _refusal(module, code, match.start())
        return call

    def replace_worker(match: re.Match[str]) -> str:
        """The address of a worker's script, relative to the bundle."""
        return f'new URL("{_relative_path(imported_file(module, match), file)}", import.meta.url)'

    if statement := UNSUPPORTED.search(code):
        raise _refusal(module, code, statement.start())
    exports = ", ".join(sorted(exported_names(code)))
    body = EXPORT_KEYWORD.sub("", IMPORT.sub(replace_import, code))
    body = WORKER.sub(replace_worker, body)
    return f"export const {_name(module)} = $once(() => {{\n{_without_comments(body)}\nreturn {{ {exports} }}\n}})\n"


def _refusal(module: str, code: str, offset: int) -> PublishError:
    """The error about the line of a module at an offset in its code."""
    line_number = code.count("\n", 0, offset) + 1
    return PublishError(
        f"docs/{module}, line {line_number}: this statement cannot be bundled; "
        'write `import { a, b as c } from`, `import * as a from`, `import "./file.js"`, and for data '
        "`import a from`, each with its file; `export` before const, class, function or async function; "
        "and `await` within a function"
    )


def _call(clause: str, target: str) -> str:
    """The code that replaces the import of `clause` from `target`; empty if the form of the import is not supported."""
    name = _name(target)
    if not is_ours(target):
        default = DEFAULT_IMPORT.fullmatch(clause)
        return f"const {default['name']} = {name};" if default else ""
    if not clause.strip():
        return f"{name}();"
    if namespace := NAMESPACE_IMPORT.fullmatch(clause):
        return f"const {namespace['name']} = {name}();"
    match = NAMED_IMPORTS.fullmatch(clause)
    return f"const {{{re.sub(r' as ', ': ', match['names'])}}} = {name}();" if match else ""


def _without_comments(code: str) -> str:
    """Code without JSDoc, without comments on separate lines, and without empty lines.

    The lines of a template string are kept. Backticks show where such a string begins and ends. If their number is
    odd, for example because a comment after code contains one, the code is returned unchanged.
    """
    lines: list[str] = []
    is_within_template = is_within_documentation = False
    for line in code.splitlines():
        remainder = line
        if is_within_documentation:
            _, end, remainder = line.partition("*/")
            is_within_documentation = not end
        if not is_within_template:
            *_, last_comment = JSDOC_ON_LINE.findall(remainder) or [""]
            is_within_documentation = is_within_documentation or bool(last_comment and "*/" not in last_comment)
            remainder = JSDOC_ON_LINE.sub("", remainder)
            if not remainder.strip() or remainder.strip().startswith("//"):
                continue
        lines.append(remainder)
        is_within_template ^= remainder.count("`") % 2 == 1
    return code if is_within_template else "\n".join(lines)
