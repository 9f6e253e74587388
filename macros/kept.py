"""What takes long to work out and seldom changes, kept on disk from one build to the next.

A ledger, a question bank or the list of known numbers follows from `macros/` and
from nothing on any page, yet working all of them out takes a quarter of a build.
So each is kept in `.cache/kept`, below a line that names everything it was made
from: a digest of its sources, which the caller gives, of the versions of Python
and of all installed packages, and of what a build is told in its environment. A
build in which any of that differs makes the content anew.

Nothing depends on what is kept. Where the folder cannot be written, or a file in
it was cut off, the content is made as if this module did not exist.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from tempfile import NamedTemporaryFile

CODE = Path(__file__).parent

FOLDER = CODE.parent / ".cache" / "kept"
"""Outside of what `mkdocs serve` watches."""

TOLD = ("SITE_URL", "SOURCE_COMMIT", "SOURCE_DATE_EPOCH")
"""The variables of the environment that a file may depend on: see `macros.rendering.citations`."""


def kept(name: str, source: str, make: Callable[[], str | bytes], folder: Path = FOLDER) -> str | bytes:
    """A content as it was kept, or else made and kept.

    Args:
        name: the path of the file in the folder. One content is kept for each, so the folder does not grow.
        source: all that decides the content, or a digest of it, such as `code()`.
        make: works out the content.
        folder: where contents are kept.
    """
    digest = sha256((_setting() + source).encode()).hexdigest()
    path = folder / name
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        head = body = b""
    # The length tells a whole file from one that was cut off when the machine stopped.
    for form in ("text", "bytes"):
        if head == f"{digest} {form} {len(body)}".encode():
            return body.decode() if form == "text" else body
    content = make()
    body, form = (content.encode(), "text") if isinstance(content, str) else (content, "bytes")
    _replace(path, f"{digest} {form} {len(body)}\n".encode() + body)
    return content


@cache
def code() -> str:
    """A digest of all code and data of ours."""
    return digest_of(path for path in CODE.rglob("*") if path.suffix != ".pyc")


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files below `macros/`; folders among them count for nothing."""
    whole = sha256()
    for path in sorted(filter(Path.is_file, paths)):
        content = path.read_bytes()
        # With its length, or else bytes could move from one file to the next unnoticed.
        whole.update(f"{path.relative_to(CODE).as_posix()} {len(content)} ".encode() + content)
    return whole.hexdigest()


@cache
def _setting() -> str:
    """What else can change a content: Python, the packages, and the environment."""
    packages = sorted(f"{each.name} {each.version}" for each in distributions())
    return repr([sys.version, packages, [os.environ.get(name) for name in TOLD]])


def _replace(path: Path, content: bytes) -> None:
    """Write a file in one step, since several processes may build at once; leave it where that is not allowed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as new:
            new.write(content)
        os.replace(new.name, path)
    except OSError:
        return
