"""Builds the site with ProperDocs and with Zensical, and says where it differs from the one that MkDocs built.

Run by `python -m tests.forks.compare`, which installs both beside what the
site is made with, into environments of their own. ProperDocs has to give the
same bytes but for its name. Zensical has templates and scripts of its own, so
of its pages only what they say is compared.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bs4 import BeautifulSoup, Tag

from tests.docs.building import ROOT, build, copy

GENERATOR = re.compile(rb'<meta name="generator" content="[^"]*">')

FORKS = {"properdocs": "properdocs==1.6.7", "zensical": "zensical==0.0.73"}

PUBLISH = ("python", "-m", "macros.publish", "site")

COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "properdocs": [("properdocs", "build", "--site-dir", "site")],
    "zensical": [("zensical", "build", "--strict"), PUBLISH],
}
"""How each builds the site into the folder `site`; ProperDocs runs our hook, Zensical knows none."""


def installed(fork: str) -> Path:
    """The programs of a new environment with a fork."""
    tools = ROOT / ".cache" / "forks" / fork
    subprocess.run([sys.executable, "-m", "venv", "--clear", tools], check=True)
    pip: list[str | Path] = [tools / "bin" / "pip", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", ROOT / "requirements.txt"], check=True)
    subprocess.run([*pip, FORKS[fork]], check=True)
    return tools / "bin"


def built_with(fork: str, root: Path) -> Path:
    """The site of a repository as a fork builds it."""
    tools = installed(fork)
    environment = {**os.environ, "CI": "true", "NO_MKDOCS_2_WARNING": "1"}
    for program, *arguments in COMMANDS[fork]:
        subprocess.run([tools / program, *arguments], cwd=root, env=environment, check=True)
    return root / "site"


def different_files(ours: Path, theirs: Path, pattern: str = "*") -> list[str]:
    """Files that differ in anything but the name of what built them, each with the first difference."""
    return _differences(ours, theirs, pattern, lambda content: GENERATOR.sub(b"", content).splitlines())


def different_pages(ours: Path, theirs: Path) -> list[str]:
    """Pages that differ in a number or in a word, each with the first difference."""
    wrong_numbers = _differences(ours, theirs, "*.html", numbers)
    return wrong_numbers or _differences(ours, theirs, "*.html", words)


def _differences(ours: Path, theirs: Path, pattern: str, seen: Callable[[bytes], Sequence[Any]]) -> list[str]:
    """What is seen in one of two folders and not in the other."""
    one, other = (
        {str(path.relative_to(site)): path for path in site.rglob(pattern) if path.is_file()} for site in (ours, theirs)
    )
    found = []
    for name in sorted({*one, *other}):
        if name not in one or name not in other:
            found.append(f"{name}: only in {theirs if name in other else ours}")
            continue
        for a, b in zip_longest(seen(one[name].read_bytes()), seen(other[name].read_bytes())):
            if a != b:
                found.append(f"{name}: {a!r} is {b!r}")
                break
    return found


def _article(html: bytes) -> Tag:
    """What a page says, without header, navigation and footer."""
    found = BeautifulSoup(html, "html.parser").find("article")
    assert isinstance(found, Tag), "a page without an article"
    return found


def words(html: bytes) -> list[str]:
    """The text of a page's article, word by word."""
    return _article(html).get_text(" ").split()


def numbers(html: bytes) -> list[tuple[str, str]]:
    """Value and text of every number in a page's article."""
    return [(str(each.get("value")), each.get_text()) for each in _article(html).find_all("data")]


def main() -> int:
    """Compares both with what MkDocs builds; returns 1 if one of them differs."""
    failed = False
    with TemporaryDirectory() as folder:
        ours = copy(Path(folder) / "mkdocs") / "site"
        done = build(ours, ours.parent, SOURCE_DATE_EPOCH=os.environ.get("SOURCE_DATE_EPOCH"))
        if done.returncode:
            sys.exit(done.stderr)
        for fork in COMMANDS:
            theirs = built_with(fork, copy(Path(folder) / fork))
            if fork == "properdocs":
                found = different_files(ours, theirs)
            else:
                found = different_pages(ours, theirs) + different_files(ours / "data", theirs / "data")
            print(f"{fork}: {len(found)} differences", *found, sep="\n  ")
            failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
