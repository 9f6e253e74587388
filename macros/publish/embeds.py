"""Things of the site as pages of their own, for frames on other pages: tables, figures, sums and whole tools.

Each is cut out of a finished page, so that it cannot differ from it, and needs no script to be read.
What it shows leads to the page it is from; every link opens outside the frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from os.path import normpath, relpath
from pathlib import Path
from typing import NamedTuple

from macros.rendering.elements.pages import CALCULATOR, EMBEDS, EXERCISES, MAP, embed

from .elements import end_of
from .errors import PublishError
from .figures import without_files
from .imprint import title_of
from .moved import CANONICAL, REFRESH, left_behind
from .scripts import NAMED, OWN

SITE = "BERT, counted"

SIGN = re.compile(r'<a class="bc-permalink" href="#([^"]+)"[^>]*>#</a>')
"""What a thing with an address of its own is known by."""

SIGN_WITH_SPACE = re.compile(rf"\s*{SIGN.pattern}")

HEADER_LINK = re.compile(r'<a class="headerlink"[^>]*>[^<]*</a>')
LINK = re.compile(r'<a\b([^>]*?)\shref="([^"]*)"([^>]*)>')
ARTICLE = re.compile(r"<article\b[^>]*>")
ELSEWHERE = re.compile(r"[a-z]+:")
TAG = re.compile(r"<[^>]*>")
MODEL = re.compile(r"BERT \w+")

SECTION = re.compile(r"<h2\b.*?</h2>", re.DOTALL)
CAPTION = re.compile(r"<caption\b.*?</caption>", re.DOTALL)
DRAWN = re.compile(r"<title\b.*?</title>", re.DOTALL)

SUM_BELOW = {
    "figure": re.compile(r'\s*<(p|div) class="bc-(?:summed|level-sum)"'),
    "p": re.compile(r'\s*<(ol) class="bc-steps"'),
}
"""The sum that follows a figure, and the lines that follow what a sum is headed by."""

KEYS = {"<data ": "assets/pages/numbers.js", 'class="bc-steps"': "assets/pages/links.js"}
"""Scripts that make a thing more convenient, by what it holds."""


class Tool(NamedTuple):
    """What is cut out of the page of a tool.

    Attributes:
        title: what it is called.
        shown: from where to where, each by the HTML that begins there.
        hidden: likewise, what its scripts fill and only its page shows.
    """

    title: str
    shown: tuple[tuple[str, str], ...]
    hidden: tuple[tuple[str, str], ...] = ()


TOOLS = {
    MAP: Tool("The map", (('<p class="bc-choice">', '<h2 id="reading">'),)),
    CALCULATOR: Tool(
        "Calculator",
        (('<div class="bc-calculator"', '<h2 id="what-if">'), ('<h2 id="parts">', '<h2 id="tensors">')),
        (('<h2 id="what-if">', '<h2 id="parts">'), ('<h2 id="tensors">', '<h2 id="how">')),
    ),
    EXERCISES: Tool("Exercise", (('<div class="bc-place-of-exercise"', '<h2 id="count-along">'),)),
}
"""Pages that can be embedded as tools, without what explains them."""


class Piece(NamedTuple):
    """A thing that is cut out.

    Attributes:
        address: its own, from the top of the site.
        source: that of the place it is from.
        title: what it is called, as text.
        html: as it is on its page.
        scripts: addresses of the scripts it needs, from the top of the site.
        hidden: what they fill and nobody sees.
    """

    address: str
    source: str
    title: str
    html: str
    scripts: tuple[str, ...]
    hidden: str = ""

    @property
    def page(self) -> str:
        """The address of the page it is from."""
        return self.source.partition("#")[0]


def is_embed(site: Path, path: Path) -> bool:
    """Whether a page has been cut out of another one."""
    return path.relative_to(site).parts[0] == EMBEDS


def with_mark(name: str, html: str) -> str:
    """A page that says where its things are to be embedded from; `docs/assets/pages/cite.js` reads it."""
    if not _has_any(name, html) or " data-embeds=" in html:
        return html
    up = "../" * name.count("/")
    tool = f' data-embed="{up}{embed(name)}"' if name in TOOLS else ""
    mark = f' data-embeds="{up}{EMBEDS}/{name.removesuffix(".html")}/"{tool}>'
    return ARTICLE.sub(lambda article: article[0][:-1] + mark, html, count=1)


def cut_out(site: Path, pages: Mapping[Path, str], moved: Mapping[str, str]) -> dict[Path, str]:
    """Every thing that can be embedded as a page of its own, without its policy.

    Args:
        site: the folder of the site.
        pages: its pages as they are published.
        moved: addresses that have moved, as in moved.toml; what was embedded from the old one goes on being shown.

    Raises:
        PublishError: a page lacks what should be cut out of it.
    """
    made: dict[str, str] = {}
    for path, html in pages.items():
        name = path.relative_to(site).as_posix()
        if _has_any(name, html):
            canonical = CANONICAL.search(html)
            question = title_of(html)
            made |= {each.address: _page(each, question, canonical) for each in _pieces(name, html)}
    for old, new in moved.items():
        was, now = (embed(page, place) for page, _, place in (each.partition("#") for each in (old, new)))
        if now in made and was not in made:
            made[was] = left_behind(was, now, None)
    return {site / address: html for address, html in made.items()}


def _has_any(name: str, html: str) -> bool:
    return REFRESH not in html and bool(ARTICLE.search(html)) and (name in TOOLS or bool(SIGN.search(html)))


def _pieces(name: str, html: str) -> Iterator[Piece]:
    for place in dict.fromkeys(SIGN.findall(html)):
        try:
            yield _piece(name, place, html)
        except ValueError as error:
            raise PublishError(f"{name} links to #{place}, which is not there as a whole; give it that id") from error
    if tool := TOOLS.get(name):
        yield _tool(name, tool, html)


def _piece(name: str, place: str, html: str) -> Piece:
    start = html[: html.index(f' id="{place}"')].rindex("<")
    kind, end = _element(html, start)
    below = SUM_BELOW.get(kind)
    if below and below.match(html, end):
        end = _element(html, html.index("<", end))[1]
    cut = html[start:end]
    if kind == "p" and "bc-steps" in cut:
        cut = f'<div class="bc-worked">{cut}</div>'
    title = _text(CAPTION.search(cut)) or _text(DRAWN.search(cut)) or _of_sum(html[:start], cut)
    return Piece(embed(name, place), f"{name}#{place}", title, cut, _keys(cut))


def _tool(name: str, tool: Tool, html: str) -> Piece:
    shown, hidden = ("".join(_between(name, html, *each) for each in part) for part in (tool.shown, tool.hidden))
    own = tuple(_from_top(name, each["src"]) for each in NAMED.finditer(html) if OWN in each["data"])
    return Piece(embed(name), name, tool.title, shown, (*_keys(shown), *own), hidden)


def _between(name: str, html: str, first: str, last: str) -> str:
    start, end = html.find(first), html.find(last)
    if not 0 <= start < end:
        raise PublishError(f"{name} needs {first} and after it {last}, to be embedded; see TOOLS in embeds.py")
    return html[start:end]


def _element(html: str, start: int) -> tuple[str, int]:
    """The name of the element that begins at a place, and where it ends.

    Raises:
        ValueError: it does not end.
    """
    name = html[start + 1 : html.index(" ", start)]
    return name, end_of(name, html, start)


def _of_sum(before: str, cut: str) -> str:
    """What a sum is called: the section it is in, and its model."""
    *_, section = [None, *SECTION.finditer(before)]
    model = MODEL.search(TAG.sub("", cut))
    return ", ".join(filter(None, [_text(section), model[0] if model else ""]))


def _keys(cut: str) -> tuple[str, ...]:
    return tuple(script for sign, script in KEYS.items() if sign in cut)


def _text(found: re.Match[str] | None) -> str:
    """What an element says, without the signs that link to it."""
    return " ".join(unescape(TAG.sub("", HEADER_LINK.sub("", SIGN.sub("", found[0])))).split()) if found else ""


def _from_top(page: str, link: str) -> str:
    """An address from the top of the site that a page names from where it is."""
    path = re.split(r"[?#]", link)[0]
    return (normpath(Path(page).parent / path) if path else page) + link[len(path) :]


PAGE = """\
<!doctype html>
<html lang="en" class="bc-embed" data-md-color-scheme="default" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">{base}
<title>{title} - {site}</title>
<link rel="canonical" href="{canonical}">
<link rel="icon" href="{root}assets/logo.svg">
<link rel="stylesheet" href="{root}assets/bert-counted.css">
<script src="{root}assets/pages/embed.js"></script>{scripts}
</head>
<body dir="ltr">
<main>
<article class="md-content__inner md-typeset">{shown}
<p class="bc-credit">From <a href="{source}" target="_blank" rel="noopener">“{question}”</a>, <cite>{site}</cite></p>
</article>
</main>
</body>
</html>
"""

# What scripts add to a tool leads outside as well. The base has no address, which the policy forbids.
BASE = '\n<base target="_blank">'


def _page(piece: Piece, question: str, canonical: re.Match[str] | None) -> str:
    """A thing as a page."""
    folder = Path(piece.address).parent
    root = "../" * piece.address.count("/")
    return PAGE.format(
        root=root,
        base=BASE if piece.page == piece.source else "",
        title=escape(piece.title),
        site=SITE,
        canonical=canonical[1] if canonical else relpath(piece.page, folder),
        scripts="".join(f'<script defer src="{root}{each}"></script>' for each in piece.scripts),
        shown=_outwards(piece, folder),
        source=escape(relpath(piece.source, folder)),
        question=escape(question),
    )


def _outwards(piece: Piece, folder: Path) -> str:
    """What a thing shows, without signs that link to it, each link as it leads from here, out of the frame."""
    html = piece.html
    ids = set(re.findall(r'\sid="([^"]+)"', html))
    html += f"<div hidden>{piece.hidden}</div>" if piece.hidden else ""

    def lead(found: re.Match[str]) -> str:
        before, link, after = found.groups()
        if link[:1] == "#" and unescape(link[1:]) in ids:
            return f'<a{before} href="{link}" target="_self"{after}>'
        if not ELSEWHERE.match(link):
            link = relpath(_from_top(piece.page, link), folder)
        return f'<a{before} href="{link}" target="_blank" rel="noopener"{after}>'

    return LINK.sub(lead, without_files(HEADER_LINK.sub("", SIGN_WITH_SPACE.sub("", html))))
