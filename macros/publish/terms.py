"""The editions of terms: each tag `term-*` is published under its own address, as it was, and stays as it is.

`python -m macros.publish.terms SITE` puts them into the folder of a built
site. A term is built from its tag by its own `make build`, and so with its
own lock. Then each of its pages gets a line that leads to the same page of
the current edition, and that page as its canonical address. Addresses of the
site are never lost, and what has moved leads on, so neither has to be looked
up, and neither ever changes.

What was published is listed in `terms.json`, at the top of the site: each tag
with its commit, the place it was built for and a digest of what is published.
The next time, a tag that is missing, names another commit or builds something
else stops everything: addresses in courses go on meaning what they meant.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from typing import NamedTuple

from macros.rendering.elements.pages import EMBEDS

from .disk import read, write
from .errors import PublishError, failed
from .for_machines import ERROR_PAGE, FIRST
from .moved import CANONICAL, REFRESH

TAGS = "term-*"
NAME = re.compile(r"term-[A-Za-z0-9.-]+")

LIST = "terms.json"
"""The address of the list of terms."""

STYLES = "assets/edition.css"
"""The address of the line's style sheet within a term: it must look right on pages of any age."""

LEFT_OUT = ("sitemap.xml", "sitemap.xml.gz")
"""What a term does not publish: search engines are led to the current edition."""

FROM_BROWSER = (".pdf", ".png")
"""What a browser draws, and the next version of it draws a little otherwise; no digest can hold that."""

IN_FRAMES = f"{EMBEDS}/"
"""Where pages stand that others show in frames, in which there is no room for the line."""

BODY = re.compile(r"<body\b[^>]*>")
END_OF_HEAD = "</head>"

BUILD = ("make", "build")
BUILT = "site"
"""How a term is built, and where it then stands in its own folder."""


class Term(NamedTuple):
    """A tag, and the commit that it names."""

    tag: str
    commit: str


class Place(NamedTuple):
    """Where the site is published and where its code is; empty where nobody said."""

    site: str
    code: str

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Place:
        """As the build is told it."""
        return cls(environment.get("SITE_URL", ""), environment.get("REPO_URL", ""))


def assemble(
    site: Path, repository: Path, kept: Path, place: Place, published: Mapping[str, Mapping[str, str]]
) -> None:
    """Puts every term into the folder of a built site.

    Nothing is written there before all terms have been built and compared
    with what was published.

    Args:
        site: the folder of the current edition.
        repository: a clone with its tags and their history.
        kept: the folder in which what was built is kept for the next time.
        place: where the site is published.
        published: the list of terms as it was published last; empty the first time.

    Raises:
        PublishError: a term cannot be built, or is not what was published.
    """
    terms = terms_of(repository)
    built = {each: _built(each, repository, kept, place) for each in terms}
    listed = {
        each.tag: {"commit": each.commit, **place._asdict(), "digest": digest(folder)} for each, folder in built.items()
    }
    _check(published, listed)
    if any((site / each.tag).exists() for each in terms):
        raise PublishError(f"{site} holds a term already; build the site afresh")
    for each, folder in built.items():
        _put(folder, site, each.tag, place)
    write(site / LIST, json.dumps(listed, indent=1) + "\n")


def terms_of(repository: Path) -> list[Term]:
    """Every term of a repository, in the order of their names."""
    shown = "--format=%(refname:short) %(objectname) %(*objectname)"
    found = _git(repository, "for-each-ref", shown, f"refs/tags/{TAGS}")
    # An annotated tag has an object of its own, and names the commit after it.
    terms = [Term(tag, commits[-1]) for tag, *commits in (line.split() for line in found.splitlines())]
    for each in terms:
        if not NAME.fullmatch(each.tag):
            raise PublishError(f"{each.tag} is no name for an address; use letters, digits, dots and hyphens")
    return terms


def _check(published: Mapping[str, Mapping[str, str]], listed: Mapping[str, Mapping[str, str]]) -> None:
    """Raises if what was published is not there as it was."""
    for tag, was in published.items():
        now = listed.get(tag)
        if now is None:
            raise PublishError(f"{tag} is published, and there is no such tag; set it again, to {was['commit']}")
        if now["commit"] != was["commit"]:
            raise PublishError(
                f"{tag} is published from {was['commit']}, and the tag names {now['commit']}; "
                "set it back, and give the other commit a tag of its own"
            )
        # Pages name the place where they are published; of a site that has moved as a whole the commit is enough.
        if {**was, "digest": ""} == {**now, "digest": ""} and now["digest"] != was["digest"]:
            raise PublishError(
                f"{tag} is published, and what its commit builds here differs from it; "
                "build it with the Python that it was published with"
            )


# --- Building -------------------------------------------------------------------


def _built(term: Term, repository: Path, kept: Path, place: Place) -> Path:
    """The folder of a term as its own commit builds it, from the last time if it is kept."""
    folder = kept / sha256("\n".join([*term, *place]).encode()).hexdigest()[:16]
    if not folder.exists():
        with TemporaryDirectory(prefix="term-") as temporary:
            tree = Path(temporary) / "tree"
            _git(repository, "worktree", "add", "--quiet", "--detach", str(tree), term.commit)
            try:
                _build(term, tree, place)
                unfinished = folder.with_suffix(".unfinished")
                rmtree(unfinished, ignore_errors=True)  # of a run that was cut short
                copytree(tree / BUILT, unfinished).rename(folder)
            finally:
                _git(repository, "worktree", "remove", "--force", str(tree))
    return folder


def _build(term: Term, tree: Path, place: Place) -> None:
    """Has a term build itself, told its own address, its own commit and its own date."""
    told = {
        "SITE_URL": place.site and f"{place.site}{term.tag}/",
        "REPO_URL": place.code,
        "SOURCE_COMMIT": term.commit,
        "SOURCE_DATE_EPOCH": _git(tree, "log", "-1", "--format=%ct").strip(),
    }
    # What make tells the commands that it runs is not for another make.
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    done = subprocess.run(  # noqa: S603  it is our own
        BUILD, cwd=tree, env={**environment, **told}, capture_output=True, text=True, check=False
    )
    if done.returncode or not (tree / BUILT / FIRST).is_file():
        last = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise PublishError(
            f"{term.tag} cannot be built from {term.commit}: `{' '.join(BUILD)}` ended with {done.returncode}; "
            f"nothing is published until it can, or the tag is gone:\n{last}"
        )


def digest(folder: Path) -> str:
    """What a term has built and publishes, in brief."""
    found = sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = path.relative_to(folder).as_posix()
        if name not in LEFT_OUT and path.suffix not in FROM_BROWSER:
            found.update(f"{name} {path.stat().st_size}\n".encode() + path.read_bytes())
    return found.hexdigest()


def _git(repository: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603  it is our own
            ["git", "-C", str(repository), *arguments],  # noqa: S607  git is found on the path
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise PublishError("git is not installed, and editions are built from its tags; install it") from None
    if done.returncode:
        raise PublishError(f"git {arguments[0]} failed in {repository}: {done.stderr.strip()}")
    return done.stdout


# --- The line on each page --------------------------------------------------------


def _put(folder: Path, site: Path, tag: str, place: Place) -> None:
    """Copies a term into a site, and adds to its pages what leads to the current edition."""
    target = copytree(folder, site / tag)
    for name in LEFT_OUT:
        (target / name).unlink(missing_ok=True)
    for path, html in read(target, "*.html").items():
        write(path, with_line(html, path.relative_to(target).as_posix(), tag, place))
    write(target / STYLES, Path(__file__).with_name("edition.css").read_text(encoding="utf-8"))


def with_line(html: str, page: str, tag: str, place: Place) -> str:
    """A page of a term with the line that leads to the current edition, and its page there as canonical address.

    Args:
        html: the page as it was built; one that only leads on, or that is shown in frames, has no line.
        page: its address within the term.
        tag: the name of the term.
        place: where the site is published.

    Raises:
        PublishError: the page has no head or no body.
    """
    html = CANONICAL.sub(lambda found: found[0].replace(f"{place.site}{tag}/", place.site, 1), html)
    if REFRESH in html or page.startswith(IN_FRAMES):
        return html
    if html.count(END_OF_HEAD) != 1 or len(BODY.findall(html)) != 1:
        raise PublishError(f"{tag}/{page} has no head and body, or several; give it one of each, or leave the tag out")
    up = "../" * page.count("/")
    name, way = escape(tag.removeprefix("term-")), f"{up}../{FIRST if page == ERROR_PAGE else page}"
    line = (
        f'<aside class="edition" aria-label="Edition"><p>This is the edition of <b>{name}</b>, which stays as it is. '
        f'<a href="{escape(way)}">See this page in the current edition</a></p></aside>'
    )
    html = html.replace(END_OF_HEAD, f'<link rel="stylesheet" href="{up}{STYLES}">{END_OF_HEAD}')
    return BODY.sub(lambda found: found[0] + line, html)


def main(arguments: Sequence[str] | None = None) -> int:
    """Puts the terms into a folder; returns the exit status, which is 2 where that cannot be done."""
    parser = argparse.ArgumentParser(
        prog="python -m macros.publish.terms",
        description="Put the edition of every tag term-* into the folder of a built site, each under its own address. "
        "SITE_URL and REPO_URL are where the site and its code are, as for the build.",
    )
    parser.add_argument("site", type=Path, help="the folder the site was built into")
    parser.add_argument("--kept", type=Path, default=Path(".terms"), help="where what was built is kept")
    parser.add_argument("--published", type=Path, help=f"{LIST} as it was published last; left out the first time")
    chosen = parser.parse_args(arguments)
    try:
        published = json.loads(chosen.published.read_text(encoding="utf-8")) if chosen.published else {}
        assemble(chosen.site, Path.cwd(), chosen.kept, Place.of(os.environ), published)
    except (PublishError, OSError, ValueError) as error:
        return failed(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
