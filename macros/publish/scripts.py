"""The modules of a built site, in a folder named after all that they hold.

A browser keeps what it has fetched for a while, and a module from before a
change may not fit one from after it. In such a folder all modules are of one
build, and import each other as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from posixpath import dirname, join, normpath

from .page import Page, PublishError

FOLDER = "modules"
"""Where the folder of the modules is."""

LEVELS = "data/levels.js"
"""The levels of all models that the page of the map does not hold: the one module that comes when it is needed."""

IMPORT = re.compile(r'(?:^import\b[^"]*|\bimport\()"(\.[^"]+)"', re.MULTILINE)
"""An import as the formatter of our scripts leaves it."""


def publish_modules(pages: Iterable[Page], scripts: Mapping[str, str]) -> dict[str, str]:
    """Let pages name their modules in the folder, and link to all that these import, so that none waits for another.

    Args:
        pages: the pages as they are published.
        scripts: every script of the site, by address.

    Returns:
        The address in the folder of every module that a page needs, by the one that it has.

    Raises:
        PublishError: a module that a page names, or another one imports, is not there.
    """
    imports = {
        address: [normpath(join(dirname(address), each)) for each in IMPORT.findall(code)]
        for address, code in scripts.items()
    }
    needs = [
        (page, each, _needed(page, each.attributes["src"] or "", imports))
        for page in pages
        for each in page.tree.css("script[type=module]")
    ]
    modules = {address: scripts[address] for _, _, needed in needs for address in needed}
    folder = f"{FOLDER}/{sha256(repr(sorted(modules.items())).encode()).hexdigest()[:12]}/"
    linked: set[tuple[str, str]] = set()  # several scripts of a page may need one module
    for page, script, (address, *imported) in needs:
        top = (script.attributes["src"] or "").removesuffix(address) + folder
        script.attrs["src"] = top + address
        for each in imported:
            if each != LEVELS and (page.name, each) not in linked:
                link = f'<link rel="modulepreload" fetchpriority="low" href="{top}{each}">'
                script.insert_before(page.fragment(link))
            linked.add((page.name, each))
    return {address: folder + address for address in modules}


def _needed(page: Page, src: str, imports: Mapping[str, list[str]]) -> list[str]:
    """A module that a page names and all that it needs, each once, by their addresses from the top of the site."""
    # The error page is served for any address, so it names the folder that the site is in as well.
    from_top = [each for each in imports if src.endswith(f"/{each}")] or [src]
    found = from_top[:1] if src.startswith("/") else [page.resolved(src)]
    for address in found:
        if address not in imports:
            raise PublishError(f"{page.name} needs the script {address}, which is not there; see its front matter")
        found += [each for each in dict.fromkeys(imports[address]) if each not in found]
    return found
