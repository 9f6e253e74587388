"""The modules of a built site, published as few files, in a folder named after all that they hold.

A browser keeps what it has fetched for a while, and a module from before a
change may not fit one from after it. In such a folder all are of one build.

Modules that the same scripts of pages need are one file, a bundle; so no page
fetches code that only others need, and what several need is fetched once. In
a bundle, each module is a function that runs it when it is first called and
returns what it exports:

    import table from "../../data/table.js"      const table = $data_table
    import { whole } from "./engine.js"          const { whole } = $counting_engine()
    export const double = (a) => 2 * a           const double = (a) => 2 * a
                                                 return { double }

Calls stand where the imports stood, so modules run in the order in which a
browser runs them while the site is served unbundled. The file that a page
names calls the function of its script. Modules of data stay files of their own.

Only the forms of `import` and `export` that our scripts use are understood; any
other is an error that names its line, and so is a circle, in which a function
would call itself. Comments, a quarter of our scripts, are left out; spaces stay,
because text in templates may look like anything.
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
from .scripts import FOLDER, IMPORT, LEVELS, exported_names, imported_file, imports_of, is_ours, needed

EVERYWHERE = "assets/pages/every.js"
"""The script of every page. What it needs is one bundle, whichever other scripts need some of that too."""

NAMED = re.compile(r"\s*\{(?P<names>[^{}]*)\}\s*from\s*")
WHOLE = re.compile(r"\s*\*\s*as\s+(?P<name>[\w$]+)\s+from\s*")
DEFAULT = re.compile(r"\s*(?P<name>[\w$]+)\s+from\s*")
"""What stands between `import` and the file."""

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
"""What a line holds of a comment that documents something, to the end of the comment or of the line."""

ONCE = "const $once = (run) => { let exports; return () => (exports ??= run()) }\n"
"""Makes the function of a module, in each bundle."""


class Modules(NamedTuple):
    """The modules of a site as they are published.

    Attributes:
        files: what they hold, by address.
        sources: the addresses of the modules that they are made of.
    """

    files: dict[str, str]
    sources: list[str]


def check_bundling(scripts: Mapping[str, str]) -> None:
    """Raises if one of our scripts cannot be bundled, which while serving nothing else would notice.

    Raises:
        PublishError: names file and line, or the scripts that import each other in a circle.
    """
    ours = {address: code for address, code in scripts.items() if is_ours(address)}
    for address, code in ours.items():
        _function(address, code, "")
    try:
        TopologicalSorter(imports_of(ours)).prepare()
    except CycleError as error:
        circle = " <- ".join(f"docs/{each}" for each in error.args[1])
        raise PublishError(f"scripts import each other in a circle, {circle}; move what both need") from error


def publish_modules(pages: Iterable[Page], scripts: Mapping[str, str]) -> Modules:
    """Let pages name their modules in the folder, and link to all that these import, so that none waits for another.

    Args:
        pages: the pages as they are published.
        scripts: every script of the site, by address.

    Raises:
        PublishError: a module that a page names, or another one imports, is not there; or one cannot be bundled.
    """
    imports = imports_of(scripts)
    needs = [
        (page, each, needed(page, each.attributes["src"] or "", imports))
        for page in pages
        for each in page.tree.css("script[type=module]")
    ]
    places = _places({modules[0]: modules for _, _, modules in needs})
    files = _bundles(places, scripts)
    files |= {address: _starter(address, places[address]) for _, _, (address, *_) in needs}
    folder = f"{FOLDER}/{sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]}/"
    linked: set[tuple[str, str]] = set()  # several scripts of a page may need one file
    for page, script, modules in needs:
        top = (script.attributes["src"] or "").removesuffix(modules[0]) + folder
        script.attrs["src"] = top + modules[0]
        for file in dict.fromkeys(places[each] for each in modules):
            if file != LEVELS and (page.name, file) not in linked:
                link = f'<link rel="modulepreload" fetchpriority="low" href="{top}{file}">'
                script.insert_before(page.fragment(link))
            linked.add((page.name, file))
    return Modules({folder + file: code for file, code in files.items()}, list(places))


def _places(needs: Mapping[str, list[str]]) -> dict[str, str]:
    """The file in which each module is published, by its address.

    Args:
        needs: by the script of a page, all modules that it needs.
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
    """The address of a module without what all have: `counting/engine`."""
    return module.removeprefix("assets/").removesuffix(".js")


def _name(module: str) -> str:
    """The name of a module in bundles: `$counting_engine`."""
    return "$" + re.sub(r"\W", "_", _bare(module))


def _bundles(places: Mapping[str, str], scripts: Mapping[str, str]) -> dict[str, str]:
    """What each file holds but those that start a script, by address."""
    members: dict[str, list[str]] = defaultdict(list)
    for module, file in places.items():
        members[file].append(module)
    return {
        file: _bundle(file, modules, places, scripts) if is_ours(modules[0]) else scripts[file]
        for file, modules in members.items()
    }


def _bundle(file: str, modules: Iterable[str], places: Mapping[str, str], scripts: Mapping[str, str]) -> str:
    """A bundle: what it imports of other files, and the function of each module."""
    functions = {module: _function(module, scripts[module], file) for module in sorted(modules)}
    imports = imports_of({module: scripts[module] for module in functions})
    elsewhere = {each for found in imports.values() for each in found if places[each] != file and each != LEVELS}
    lines = [_import(each, places[each], file) for each in sorted(elsewhere)]
    return "".join([*lines, ONCE, *functions.values()])


def _import(module: str, place: str, file: str) -> str:
    """The line by which a file imports a module from the one that it is in."""
    names = f"{{ {_name(module)} }}" if is_ours(module) else _name(module)
    return f'import {names} from "{_way(place, file)}"\n'


def _way(place: str, file: str) -> str:
    """The address of a file as another one imports it."""
    way = relpath(place, dirname(file))
    return way if way.startswith(".") else f"./{way}"


def _starter(script: str, place: str) -> str:
    """The file that a page names, by the address of its script."""
    return f"{_import(script, place, script)}{_name(script)}()\n"


def _function(module: str, code: str, file: str) -> str:
    """A module as a function that returns what it exports.

    Raises:
        PublishError: names the line of what a bundle cannot hold.
    """

    def imported(found: re.Match[str]) -> str:
        target = imported_file(module, found)
        if found["named"] is not None:
            call = _call(found["named"], target)
        else:  # it waits for a file, as in `await import("../../data/levels.js")`
            call = "" if is_ours(target) else f'import("{_way(target, file)}"'
        if not call:
            raise _refused(module, code, found.start())
        return call

    if other := OTHER.search(code):
        raise _refused(module, code, other.start())
    exports = ", ".join(sorted(exported_names(code)))
    body = EXPORTED.sub("", IMPORT.sub(imported, code))
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
    """What stands in a bundle for an import; empty if there is nothing that does."""
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
    """Code without documentation, comments on lines of their own and empty lines.

    The lines of a template stay. Where its ends are is known from backticks, so
    all stays where these do not pair, as with one in a comment behind code.
    """
    kept: list[str] = []
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
        kept.append(rest)
        within_template ^= rest.count("`") % 2 == 1
    return code if within_template else "\n".join(kept)
