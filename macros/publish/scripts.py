"""The scripts of a built site: those of a page joined into one, and the theme's search worker for a page in a folder.

A page names its scripts in elements that `docs/assets/pages/later.js` reads;
see `docs/.overrides/main.html`. While the site is served for its writers,
every script stays a file of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from .errors import PublishError
from .page import Page

JOINED = "assets/joined"
"""Where joined scripts are kept, each under a name made from what it holds."""

COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)
"""A comment that has its lines to itself."""

WORKER = "assets/javascripts/workers/"
"""Where the theme keeps the worker of its search."""

WORKER_IN_PAGE = "search/worker.js"
"""The address of the search worker for a page opened from a folder."""


def worker_in_page(scripts: Mapping[str, str]) -> dict[str, str]:
    """The theme's search worker as a function, for a page opened from a folder; see docs/assets/searching/worker.js."""
    found = [code for name, code in scripts.items() if name.startswith(WORKER)]
    made = [f"function bertSearch(addEventListener,postMessage){{const self=window;{code}\n}}\n" for code in found]
    return dict.fromkeys([WORKER_IN_PAGE], made[-1]) if made else {}


def join_scripts(page: Page, scripts: Mapping[str, str]) -> dict[str, str]:
    """Join the scripts of a page into one file for those of all pages, and one for those it alone needs.

    Args:
        page: the page, which names the joined scripts from then on.
        scripts: every script of the site, by address.

    Returns:
        The joined scripts, by address.

    Raises:
        PublishError: a script that the page names is not there.
    """
    made = {}
    named = page.tree.css("script[data-src]")
    for own in (False, True):
        group = [each for each in named if ("data-own" in each.attributes) == own]
        if len(group) < 2:
            continue
        addresses = [_address(page, each.attributes["data-src"] or "", scripts) for each in group]
        if missing := [each for each in addresses if each not in scripts]:
            raise PublishError(f"{page.name} names the script {missing[0]}, which is not there; see its front matter")
        code = "".join(f"{without_comments(scripts[each])}\n" for each in addresses)
        address = f"{JOINED}/{sha256(code.encode()).hexdigest()[:12]}.js"
        made[address] = code
        first, *others = group
        for each in others:
            for name, value in each.attributes.items():
                if name != "type" and name not in first.attributes:
                    first.attrs[name] = value
            each.decompose()
        first.attrs["data-src"] = (first.attributes["data-src"] or "").removesuffix(addresses[0]) + address
    return made


def _address(page: Page, src: str, scripts: Mapping[str, str]) -> str:
    """The address of a script from the top of the site."""
    if not src.startswith("/"):
        return page.resolved(src)
    # The error page is served for any address, so it names the folder that the site is in as well.
    return next((each for each in scripts if src.endswith(f"/{each}")), src)


def without_comments(code: str) -> str:
    """A script without indentation and without lines that are comments.

    A template that goes over several lines would lose its indentation, so a
    script that has one stays as it is.
    """
    if any(line.count("`") % 2 for line in code.splitlines()):
        return code.rstrip()
    return "\n".join(filter(None, map(str.strip, COMMENT.sub("", code).splitlines())))
