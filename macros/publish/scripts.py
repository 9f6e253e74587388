"""The scripts of a built site: the theme's without what readers need not fetch, and those of a page joined into one.

A page names its scripts in elements that `docs/assets/pages/later.js` reads;
see `docs/.overrides/main.html`. While the site is served for its writers,
every script stays a file of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from .errors import PublishError

NAMED = re.compile(r'<script type="text/plain" data-src="(?P<src>[^"]+)"(?P<data>[^>]*)></script>\s*')
"""An element that names a script."""

OWN = "data-own"
"""The attribute of a script that one page alone needs."""

JOINED = "assets/joined"
"""Where joined scripts are kept, each under a name made from what it holds."""

COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)
"""A comment that has its lines to itself."""

WORKER_IN_PAGE = "search/worker.js"
"""The address of the search worker for a page opened from a folder."""

WHEN_SEARCHED = {
    # Only from a folder does the theme wait for the search to be opened.
    'location.protocol!=="file:"': "!1",
    # To mark on a page what was searched; the address holds it.
    '("search.highlight")?': '("search.highlight")&&/[?&]h=./.test(location.search)?',
}
"""Where the theme fetches the search index on every page, and what is there instead."""

WHEN_COLOURS_CHANGE = {
    # The theme styles every element twice to stop transitions while it changes colours.
    'document.body.setAttribute("data-md-color-switching","")': (
        'document.body.dataset.mdColorScheme!==s.color.scheme&&document.body.setAttribute("data-md-color-switching","")'
    ),
    # The browser styles every element anew when it is told of a scheme, even of the one that it has.
    "document.head.appendChild(o);let n=Wt(": "let n=Wt(",
    "return o.content=a.colorScheme,": (
        'return(a.colorScheme==="dark"||o.content)&&(o.content=a.colorScheme,document.head.append(o)),'
    ),
}
"""Where the theme sets its colours on every page, though they are set already, and what is there instead."""


IN_OTHER_LANGUAGES = {'"link[rel=alternate]"': '"link[rel=alternate][hreflang]"'}
"""Where the theme asks for the pages of a site in another language, for which it takes the Markdown of a page."""


class Joined(NamedTuple):
    """A page that names joined scripts, and the scripts by path."""

    html: str
    scripts: dict[Path, str]


def theme_script(code: str) -> str:
    """A script of the theme that asks for no source map, and does what a page seldom needs only when it is needed."""
    code = re.sub(r"\n?//# sourceMappingURL=\S+", "", code)
    for old, new in (WHEN_SEARCHED | WHEN_COLOURS_CHANGE | IN_OTHER_LANGUAGES).items():
        # What takes the place of another may hold it: a site that is published again stays as it is.
        code = code if old in new and new in code else code.replace(old, new)
    return code


def worker_in_page(code: str) -> str:
    """The theme's search worker as a function, for a page opened from a folder; see docs/assets/searching/worker.js."""
    return f"function bertSearch(addEventListener,postMessage){{const self=window;{code}\n}}\n"


def on_pages(site: Path, scripts: Mapping[Path, str]) -> str:
    """The code of all scripts that act on pages; that of search workers, and what they fetch, makes no element."""
    theme = site / "assets" / "javascripts"
    return "\n".join(code for path, code in scripts.items() if path.parent == theme or theme not in path.parents)


def joined(site: Path, page: Path, html: str, scripts: Mapping[Path, str]) -> Joined:
    """A page whose scripts are one file for those of all pages, and one for those it alone needs.

    Args:
        site: the folder of the site.
        page: the page's file.
        html: what it holds.
        scripts: every script of the site as it is published.

    Raises:
        PublishError: a script that the page names is not there.
    """
    made: dict[Path, str] = {}
    for own in (False, True):
        group = [each for each in NAMED.finditer(html) if (OWN in each["data"]) == own]
        if len(group) < 2:
            continue
        addresses = [_address(site, page, each["src"]) for each in group]
        missing = [each for each in addresses if site / each not in scripts]
        if missing:
            raise PublishError(
                f"{page} names the script {missing[0]}, which is not there; see `scripts` in its front matter"
            )
        code = "".join(f"{without_comments(scripts[site / each])}\n" for each in addresses)
        address = f"{JOINED}/{sha256(code.encode()).hexdigest()[:12]}.js"
        made[site / address] = code
        src = group[0]["src"].removesuffix(addresses[0]) + address
        data = " ".join(dict.fromkeys(attribute for each in group for attribute in each["data"].split()))
        html = html.replace(group[0][0], f'<script type="text/plain" data-src="{src}" {data}></script>', 1)
        for each in group[1:]:
            html = html.replace(each[0], "", 1)
    return Joined(html, made)


def without_comments(code: str) -> str:
    """A script without indentation and without lines that are comments.

    A template that goes over several lines would lose its indentation, so a
    script that has one stays as it is.
    """
    if any(line.count("`") % 2 for line in code.splitlines()):
        return code.rstrip()
    return "\n".join(filter(None, map(str.strip, COMMENT.sub("", code).splitlines())))


def _address(site: Path, page: Path, src: str) -> str:
    """The address of a script from the top of the site."""
    if not src.startswith("/"):
        return Path(os.path.normpath(page.parent / src)).relative_to(site).as_posix()
    # The error page is served for any address, so it names the folder that the site is in as well.
    parts = src.strip("/").split("/")
    ends = ["/".join(parts[start:]) for start in range(len(parts))]
    return next((each for each in ends if (site / each).is_file()), ends[0])
