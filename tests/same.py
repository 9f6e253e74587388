"""Compare the site of a commit with that of the working tree: `make same`, or `make same BASE=<commit>`.

A change of structure is right when nothing published differs, or only what it
was meant to change. Both sites are built here and now, with the same packages,
date and commit name, so that all that can differ is what the two trees say.
Two builds of one tree are equal to the byte, as `docs/test_built_alone.py` holds.

Prints a line for each file that differs, with the part that differs,
and exits with 1 if there is any.
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
"""What a build may publish besides its tree. With an address, links that need one are compared as well."""

PIECES = re.compile(r"(?=<)|(?<=[\n{},])")
"""Where a text is cut into the pieces that are compared: before a tag, after a line, and within JSON."""

DIGEST = re.compile(rb"(?<=modules/)[0-9a-f]{12}/")
"""Of what modules hold, a part of their address: every page names it, so one changed word would change them all."""

WIDTH = 160
"""How many characters are shown of what differs."""


class NoSuchTree(Exception):
    """A commit that cannot be had, or a tree that does not build; says why."""


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


def built(root: Path, target: Path, **environment: str | None) -> Path:
    """The folder of the site that a tree builds.

    Raises:
        NoSuchTree: it does not build; the message is that of MkDocs.
    """
    done = build(target, root, **environment)
    if done.returncode:
        raise NoSuchTree(f"{root} does not build:\n{done.stderr}")
    return target


def differences(before: Path, after: Path) -> Iterator[str]:
    """One line for each file that is not the same in two folders, in the order of their addresses."""
    old, new = map(_without_digests, (before, after))
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"{name}: gone"
        elif name not in old:
            yield f"{name}: new"
        elif old[name] != new[name]:
            yield f"{name}: {len(new[name]) - len(old[name]):+,} bytes{_change(old[name], new[name])}"


def _without_digests(folder: Path) -> dict[str, bytes]:
    """Every file of a site by its address, with the digest of its modules left out of both."""
    return {DIGEST.sub(b"", name.encode()).decode(): DIGEST.sub(b"", text) for name, text in contents(folder).items()}


def _change(old: bytes, new: bytes) -> str:
    """All from the first piece in which two texts differ to the last, as each of them has it; nothing for no text."""
    try:
        before, after = (PIECES.split(text.decode()) for text in (old, new))
    except UnicodeDecodeError:
        return ""
    start = _alike(before, after)
    end = _alike(before[:start:-1], after[:start:-1])
    parts = ("".join(pieces[start : len(pieces) - end]) for pieces in (before, after))
    return "".join(f"\n  {sign} {shorten(part, WIDTH)}" for sign, part in zip("-+", parts, strict=True))


def _alike(before: Sequence[str], after: Sequence[str]) -> int:
    """How many pieces at the start of two texts are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(before), len(after)))


def main(arguments: Sequence[str]) -> int:
    """Build both sites, print what differs, and say so in the exit status."""
    parser = argparse.ArgumentParser(prog="make same", description="Compare the site of a commit with this one.")
    parser.add_argument("base", nargs="?", default="HEAD", help="the commit to compare with; the last one if not given")
    base = parser.parse_args(arguments).base
    with TemporaryDirectory() as folder, ThreadPoolExecutor() as builds:
        top = Path(folder)
        try:
            tree = checked_out(base, top / "tree")
            sites = builds.map(
                lambda root, site: built(root, site, **FIXED), (tree, ROOT), (top / "before", top / "after")
            )
            found = list(differences(*sites))
        except NoSuchTree as error:
            print(error, file=sys.stderr)
            return 2
    print("\n".join(found) or f"Nothing differs from {base}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
