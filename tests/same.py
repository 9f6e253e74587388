"""Compare the site of a commit with that of the working tree: `make same`, or `make same BASE=<commit>`.

A change of structure is correct if no published file differs, or only in the words that were
meant to change. Both sites are built with the same packages, date and commit name, so
they can differ only if the two trees differ: two builds of one tree are identical, as
`tests/docs/test_built_alone.py` checks.

Prints a line for each file that differs, with the part that differs. The exit status
is 1 if there is such a file, and 2 if there is nothing to compare with.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

from tests.docs.building import ROOT, build, contents

FIXED: dict[str, str | None] = {
    "SOURCE_COMMIT": "0" * 40,
    "SITE_URL": "https://example.org/",
    "REPO_URL": None,
    "PAPER": None,
}
"""The environment of both builds. With an address, the links that need one are compared as well."""

PIECES = re.compile(r"(?=<)|(?<=[\n{},])")
"""The points at which a text is cut into pieces to compare: before a tag, after a line, and between items of JSON."""

DIGEST = re.compile(rb"(?<=modules/)[0-9a-f]{12}/")
"""The digest in the addresses of modules. Every page has it, so a changed word in a script would change all pages."""

WIDTH = 160
"""The number of characters of a difference that are shown."""


class NoSuchTree(Exception):
    """A commit that git cannot give, or a tree that does not build; the message says why."""


def checked_out(commit: str, target: Path, root: Path = ROOT) -> Path:
    """The tree of a commit, written into a new folder.

    Raises:
        NoSuchTree: git knows no such commit, or there is no git here.
    """
    try:
        archive = subprocess.run(["git", "archive", commit], cwd=root, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise NoSuchTree("git is not installed; install it to compare with a commit") from None
    except subprocess.CalledProcessError as error:
        raise NoSuchTree(f"no tree of {commit!r}: {error.stderr.decode().strip()}") from None
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(target, filter="data")
    return target


def build_site(root: Path, target: Path, **environment: str | None) -> Path:
    """The folder of the site that a tree builds.

    Raises:
        NoSuchTree: the tree does not build; the message is that of MkDocs.
    """
    result = build(target, root, **environment)
    if result.returncode:
        raise NoSuchTree(f"{root} does not build:\n{result.stderr}")
    return target


def differences(before: Path, after: Path) -> Iterator[str]:
    """A line for each file that differs between two folders, in the order of addresses."""
    old, new = map(_without_digests, (before, after))
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"{name}: gone"
        elif name not in old:
            yield f"{name}: new"
        elif old[name] != new[name]:
            yield f"{name}: {len(new[name]) - len(old[name]):+,} bytes{_change(old[name], new[name])}"


def _without_digests(folder: Path) -> dict[str, bytes]:
    """Every file of a site by its address, with the digest of its modules left out of addresses and contents."""
    return {DIGEST.sub(b"", name.encode()).decode(): DIGEST.sub(b"", text) for name, text in contents(folder).items()}


def _change(old: bytes, new: bytes) -> str:
    """The pieces of two texts from the first that differs to the last; empty if they are not text."""
    try:
        before, after = (PIECES.split(text.decode()) for text in (old, new))
    except UnicodeDecodeError:
        return ""
    start = _alike(before, after)
    end = _alike(before[:start:-1], after[:start:-1])
    parts = ("".join(pieces[start : len(pieces) - end]) for pieces in (before, after))
    return "".join(f"\n  {sign} {shorten(part, WIDTH)}" for sign, part in zip("-+", parts, strict=True))


def _alike(before: Sequence[str], after: Sequence[str]) -> int:
    """The number of equal pieces at the start of two texts."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(before), len(after)))


def main(arguments: Sequence[str]) -> int:
    """Build both sites, print what differs, and return the exit status."""
    parser = argparse.ArgumentParser(prog="make same", description="Compare the site of a commit with this one.")
    parser.add_argument("base", nargs="?", default="HEAD", help="the commit to compare with (default: the last one)")
    base = parser.parse_args(arguments).base
    with TemporaryDirectory() as folder, ThreadPoolExecutor() as builds:
        top = Path(folder)
        try:
            tree = checked_out(base, top / "tree")
            sites = builds.map(
                lambda root, site: build_site(root, site, **FIXED), (tree, ROOT), (top / "before", top / "after")
            )
            lines = list(differences(*sites))
        except NoSuchTree as error:
            print(error, file=sys.stderr)
            return 2
    print("\n".join(lines) or f"Nothing differs from {base}.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
