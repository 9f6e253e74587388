"""Citations of the site in BibTeX, RIS and plain text, with the commit of the build and its date.

The author, title and version come from CITATION.cff.

The commit and its date come from the environment, in SOURCE_COMMIT and SOURCE_DATE_EPOCH. Git supplies both if the
date is not set, except that SOURCE_COMMIT takes precedence. If the date is set, git is never called, because a
reproducible build must not depend on whether the machine has the repository.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from macros.counting import CountingError
from macros.counting.errors import entry_of

from .components.pages import site_address

ROOT = Path(__file__).parents[2]

UNKNOWN_COMMIT = "unknown"
"""The commit of a build for which none is known."""

COMMIT_DIGITS = 12
"""The number of digits of a commit hash that are shown, enough to identify the commit in a repository of this size."""

FIELD = re.compile(r"^(?:  - )?(\w[\w-]*): *(.+)$", re.MULTILINE)
"""Matches a field of CITATION.cff, or the first field of an author. The file is too simple to need a YAML parser."""


class Work(NamedTuple):
    """The cited work: this site in a particular build.

    Attributes:
        author: the collective name of the site's authors.
        title: the title of the site.
        version: the version of its code.
        release_date: the release date of this version.
        commit: the commit from which the site was built, or `UNKNOWN_COMMIT`.
        commit_date: the date in SOURCE_DATE_EPOCH, or else the date in git; None if neither is known or the date is 0.
        address: the address of the published site, or `UNKNOWN_SITE`.
    """

    author: str
    title: str
    version: str
    release_date: date
    commit: str
    commit_date: date | None
    address: str

    @property
    def year(self) -> int:
        """The year of the commit, or of the release if the date of the commit is unknown."""
        return (self.commit_date or self.release_date).year

    @property
    def commit_in_words(self) -> str:
        """The commit in words, with its date if it is known."""
        return f"commit {self.commit} of {self.commit_date}" if self.commit_date else f"commit {self.commit}"


def citation(kind: str) -> str:
    """A citation to copy, as a Markdown code block.

    Args:
        kind: "bibtex", "ris" or "text".

    Raises:
        CountingError: there is no such kind, or CITATION.cff lacks a field.
    """
    text = entry_of(KINDS, "citation", kind)(site_as_work(os.environ))
    return f"```text\n{text}\n```"


def site_as_work(environment: Mapping[str, str], root: Path = ROOT) -> Work:
    """The site as a work to cite.

    Args:
        environment: can contain SOURCE_DATE_EPOCH, SOURCE_COMMIT and SITE_URL; the top of this module explains the
            first two.
        root: the folder of CITATION.cff and of the repository.

    Raises:
        CountingError: CITATION.cff lacks a field.
    """
    fields = dict(FIELD.findall((root / "CITATION.cff").read_text(encoding="utf-8")))
    missing_fields = [field for field in ("name", "title", "version", "date-released") if field not in fields]
    if missing_fields:
        raise CountingError(f"CITATION.cff lacks {', '.join(missing_fields)}; its fields are {', '.join(fields)}")
    has_date = "SOURCE_DATE_EPOCH" in environment
    seconds = environment["SOURCE_DATE_EPOCH"] if has_date else _from_git(root, "%ct")
    commit = environment.get("SOURCE_COMMIT", "") or ("" if has_date else _from_git(root, "%H"))
    return Work(
        author=_unquote(fields["name"]),
        title=_unquote(fields["title"]),
        version=_unquote(fields["version"]),
        release_date=date.fromisoformat(fields["date-released"]),
        commit=commit[:COMMIT_DIGITS] or UNKNOWN_COMMIT,
        commit_date=datetime.fromtimestamp(int(seconds), UTC).date() if seconds and int(seconds) else None,
        address=site_address(environment),
    )


def _unquote(value: str) -> str:
    """A value of CITATION.cff without its quotation marks."""
    return str(json.loads(value)) if value.startswith('"') else value


def _from_git(root: Path, placeholder: str) -> str:
    """A field of the last commit, given git's placeholder for the field; empty without git or a repository."""
    command = ["git", "-C", str(root), "log", "-1", f"--format={placeholder}"]
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  no argument comes from outside
    except OSError:
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""


def _bibtex(work: Work) -> str:
    """The citation in BibTeX."""
    fields = {
        # Double braces make BibTeX keep a name in one piece and preserve its capitals. The spaces distinguish
        # these braces from a macro call that was not run.
        "author": f" {{{work.author}}} ",
        "title": f" {{{work.title}}} ",
        "year": str(work.year),
        "version": work.version,
        "note": _capitalise(work.commit_in_words),
        "url": work.address,
    }
    lines = [f"  {key:<7} = {{{value}}}," for key, value in fields.items() if value]
    return "\n".join(["@misc{bert-counted,", *lines, "}"])


def _ris(work: Work) -> str:
    """The citation in RIS, the format of reference managers."""
    day = f"{work.commit_date:%Y/%m/%d}" if work.commit_date else ""
    fields = [
        ("TY", "COMP"),
        ("AU", work.author),
        ("TI", work.title),
        ("PY", str(work.year)),
        ("DA", day),
        ("ET", work.version),
        ("N1", _capitalise(work.commit_in_words)),
        ("UR", work.address),
    ]
    return "\n".join([*(f"{key}  - {value}" for key, value in fields if value), "ER  - "])


def _text(work: Work) -> str:
    """The citation as text for a list of references."""
    return f"{work.author} ({work.year}). {work.title}, version {work.version}, {work.commit_in_words}. {work.address}"


def _capitalise(words: str) -> str:
    """The words with a capital first letter; the other letters stay as they are."""
    return words[0].upper() + words[1:]


KINDS: dict[str, Callable[[Work], str]] = {"bibtex": _bibtex, "ris": _ris, "text": _text}
"""The function that writes each kind of citation, by the name that pages use."""
