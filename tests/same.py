"""Compares the site of a commit with that of the working tree: `make same`, or `make same BASE=<commit>`.

A refactoring is correct if no published file differs, or if files differ only in the words that
were meant to change. Both sites are built with the same packages, date and commit id, so they
differ only if the trees do. Two builds of the same tree are identical, as
`tests/docs/test_questions.py` tests.

Prints the name of each file that differs, with the part that differs if the file is text. The
exit status is 1 if a file differs, and 2 if one of the sites cannot be built.
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

ENVIRONMENT: dict[str, str | None] = {
    "SOURCE_COMMIT": "0" * 40,
    "SITE_URL": "https://example.org/",
    "REPO_URL": None,
    "PAPER": None,
}
"""The environment of both builds. It includes an address, so that links that need one are compared too."""

CUTS = re.compile(r"(?=<)|(?<=[\n{},])")
"""The positions at which text is cut into pieces: before a tag, and after a line break, a brace or a comma."""

DIGEST = re.compile(rb"(?<=modules/)[0-9a-f]{12}/")
"""The digest in the addresses of modules. Every page contains it, so any edit to a script would change all pages."""

MAX_SHOWN_CHARACTERS = 160
"""The maximum number of characters printed for each side of a difference."""


class TreeError(Exception):
    """A tree cannot be checked out or built; the message gives the reason."""


def check_out(commit: str, target: Path, root: Path = ROOT) -> Path:
    """Write the tree of a commit into a new folder, and return the folder.

    Raises:
        TreeError: git has no such commit, or is not installed.
    """
    try:
        archive = subprocess.run(["git", "archive", commit], cwd=root, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise TreeError("git is not installed; install it to compare with a commit") from None
    except subprocess.CalledProcessError as error:
        raise TreeError(f"no tree of {commit!r}: {error.stderr.decode().strip()}") from None
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(target, filter="data")
    return target


def build_site(root: Path, target: Path, **environment: str | None) -> Path:
    """Build the site of a tree into a folder, and return the folder.

    Raises:
        TreeError: the tree does not build; the message includes the output of MkDocs.
    """
    result = build(target, root, **environment)
    if result.returncode:
        raise TreeError(f"{root} does not build:\n{result.stderr}")
    return target


def differences(before: Path, after: Path) -> Iterator[str]:
    """A message for each file that differs between two folders, in the order of paths."""
    old, new = map(_without_digests, (before, after))
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"{name}: gone"
        elif name not in old:
            yield f"{name}: new"
        elif old[name] != new[name]:
            yield f"{name}: {len(new[name]) - len(old[name]):+,} bytes{_difference(old[name], new[name])}"


def _without_digests(folder: Path) -> dict[str, bytes]:
    """The contents of all files of a site by path, with the digest of modules removed from contents and paths."""
    return {DIGEST.sub(b"", name.encode()).decode(): DIGEST.sub(b"", text) for name, text in contents(folder).items()}


def _difference(old: bytes, new: bytes) -> str:
    """Both versions of a file from the first to the last difference, shortened; empty if the file is not text."""
    try:
        before, after = (CUTS.split(text.decode()) for text in (old, new))
    except UnicodeDecodeError:
        return ""
    start = _common_start_length(before, after)
    end = _common_start_length(before[:start:-1], after[:start:-1])
    parts = ("".join(pieces[start : len(pieces) - end]) for pieces in (before, after))
    return "".join(f"\n  {sign} {shorten(part, MAX_SHOWN_CHARACTERS)}" for sign, part in zip("-+", parts, strict=True))


def _common_start_length(before: Sequence[str], after: Sequence[str]) -> int:
    """The number of equal pieces at the start of two sequences."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((index for index, (old, new) in pairs if old != new), min(len(before), len(after)))


def main(arguments: Sequence[str]) -> int:
    """Build both sites, print what differs, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="make same", description="Compare the site of a commit with that of the working tree."
    )
    parser.add_argument("base", nargs="?", default="HEAD", help="the commit to compare with (default: the last one)")
    base = parser.parse_args(arguments).base
    with TemporaryDirectory() as folder, ThreadPoolExecutor() as builds:
        top = Path(folder)
        try:
            tree = check_out(base, top / "tree")
            sites = builds.map(
                lambda root, site: build_site(root, site, **ENVIRONMENT), (tree, ROOT), (top / "before", top / "after")
            )
            lines = list(differences(*sites))
        except TreeError as error:
            print(error, file=sys.stderr)
            return 2
    print("\n".join(lines) or f"Nothing differs from {base}.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
