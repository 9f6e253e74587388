"""How to cite the site: BibTeX, RIS and plain text, with the commit and the date of the build.

Author, title and version are those of CITATION.cff, and are nowhere else.
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

ROOT = Path(__file__).parents[2]

UNKNOWN = "unknown"
COMMIT_DIGITS = 12
FIELD = re.compile(r"^(?:  - )?(\w[\w-]*): *(.+)$", re.MULTILINE)


class Cited(NamedTuple):
    """What a citation says.

    Attributes:
        author: who made the site.
        title: its name.
        version: the version of its code.
        released: the day of that version.
        commit: the commit it was built from, or "unknown".
        built: the day of that commit; None where it is unknown.
        address: where the site is published; empty where nobody said.
    """

    author: str
    title: str
    version: str
    released: date
    commit: str
    built: date | None
    address: str

    @property
    def year(self) -> int:
        """The year of the build, or else of the version."""
        return (self.built or self.released).year

    @property
    def build(self) -> str:
        """The commit that is cited, in words, with its day where that is known."""
        return f"commit {self.commit} of {self.built}" if self.built else f"commit {self.commit}"


def citation(kind: str) -> str:
    """A citation to copy, as a block of code in Markdown.

    Raises:
        CountingError: no such kind, or CITATION.cff lacks a field.
    """
    text = entry_of(KINDS, "citation", kind)(cited(os.environ))
    return f"```text\n{text}\n```"


def cited(environment: Mapping[str, str], root: Path = ROOT) -> Cited:
    """What there is to cite.

    A build that is told its date, as one that can be repeated to the byte is,
    is told its commit too, and asks nobody; any other asks git.

    Args:
        environment: may hold SOURCE_DATE_EPOCH, SOURCE_COMMIT and SITE_URL.
        root: the folder of CITATION.cff.

    Raises:
        CountingError: CITATION.cff lacks a field.
    """
    fields = dict(FIELD.findall((root / "CITATION.cff").read_text(encoding="utf-8")))
    missing = [each for each in ("name", "title", "version", "date-released") if each not in fields]
    if missing:
        raise CountingError(f"CITATION.cff needs {', '.join(missing)}, and has {', '.join(fields)}")
    told = "SOURCE_DATE_EPOCH" in environment
    seconds = environment["SOURCE_DATE_EPOCH"] if told else _of_git(root, "%ct")
    commit = environment.get("SOURCE_COMMIT", "") or ("" if told else _of_git(root, "%H"))
    return Cited(
        author=_plain(fields["name"]),
        title=_plain(fields["title"]),
        version=_plain(fields["version"]),
        released=date.fromisoformat(fields["date-released"]),
        commit=commit[:COMMIT_DIGITS] or UNKNOWN,
        built=datetime.fromtimestamp(int(seconds), UTC).date() if seconds and int(seconds) else None,
        address=environment.get("SITE_URL", ""),
    )


def _plain(value: str) -> str:
    """A value of a CFF file without its quotation marks."""
    return str(json.loads(value)) if value.startswith('"') else value


def _of_git(root: Path, what: str) -> str:
    """Something about the last commit, or nothing where git or the repository is missing."""
    command = ["git", "-C", str(root), "log", "-1", f"--format={what}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  it is our own
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _bibtex(of: Cited) -> str:
    fields = {
        # The inner braces keep a name whole and its capitals; the spaces keep them from looking like a template.
        "author": f" {{{of.author}}} ",
        "title": f" {{{of.title}}} ",
        "year": str(of.year),
        "version": of.version,
        "note": _sentence(of.build),
        "url": of.address,
    }
    lines = [f"  {key:<7} = {{{value}}}," for key, value in fields.items() if value]
    return "\n".join(["@misc{bert-counted,", *lines, "}"])


def _ris(of: Cited) -> str:
    day = f"{of.built:%Y/%m/%d}" if of.built else ""
    fields = [
        ("TY", "COMP"),
        ("AU", of.author),
        ("TI", of.title),
        ("PY", str(of.year)),
        ("DA", day),
        ("ET", of.version),
        ("N1", _sentence(of.build)),
        ("UR", of.address),
    ]
    return "\n".join([*(f"{key}  - {value}" for key, value in fields if value), "ER  - "])


def _text(of: Cited) -> str:
    address = f" {of.address}" if of.address else ""
    return f"{of.author} ({of.year}). {of.title}, version {of.version}, {of.build}.{address}"


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


KINDS: dict[str, Callable[[Cited], str]] = {"bibtex": _bibtex, "ris": _ris, "text": _text}
"""Ways to write a citation, by the name that pages use."""
