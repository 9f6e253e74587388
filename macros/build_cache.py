"""A cache on disk of what takes long to work out and seldom changes, so that the next build need not do it again.

A ledger, a question bank or the list of known numbers follows from `macros/` and
from nothing on any page, yet working all of them out takes a quarter of a build.
So each is cached in `.cache/kept`, below a line that names everything it was made
from: its sources, which the caller names, the versions of Python and of all
installed packages, and the address of the site. A build in which any of that
differs makes the content anew. Only a citation depends on more, because it names
the commit; so nothing with a citation in it is cached, except as part of a source.

The text that a macro returns follows from its arguments and from the same code. All
these texts are cached in one file, which a build reads before its first page and
writes after its last (`CachedTexts`). If only the words of a page have changed, the
page is put together from texts that are known.

Nothing depends on the cache. If the folder cannot be written, or a file in it was
cut off, the content is made as if this module did not exist. A build on a new
machine, as in CI, makes everything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from tempfile import NamedTemporaryFile

CODE = Path(__file__).parent

FOLDER = CODE.parent / ".cache" / "kept"
"""The folder of the cache, outside of what `mkdocs serve` watches."""


def cached(name: str, source: str, make: Callable[[], str | bytes], folder: Path = FOLDER) -> str | bytes:
    """The content of a file in the cache, made now if it is not there or was made from other sources.

    Args:
        name: the path of the file in the folder. It holds one content only, so the folder does not grow.
        source: everything that decides the content, or a digest of it, such as `code_digest()`.
        make: works out the content.
        folder: the folder of the cache.
    """
    content = _read(folder / name, source)
    if content is None:
        content = make()
        _write(folder / name, source, content)
    return content


class CachedTexts:
    """Texts that outlast a build, as long as the code stays the same.

    Args:
        name: the path of their file in the folder.
        folder: the folder of the cache.

    Attributes:
        texts: the texts, by a digest of what each was made from.
    """

    PLAIN = (str, int, float, bool, type(None))
    """Types whose `repr` says all that there is to say about a value."""

    def __init__(self, name: str, folder: Path = FOLDER) -> None:
        self.name, self.folder = name, folder
        self.texts: dict[str, str] = {}
        self._used: set[str] = set()

    def text(self, made_from: Sequence[object], make: Callable[[], str]) -> str:
        """The text that was made from these values before, or that is made now."""
        if not all(isinstance(value, self.PLAIN) for value in made_from):
            return make()
        key = sha256(repr(made_from).encode()).hexdigest()
        if key not in self.texts:
            self.texts[key] = make()
        self._used.add(key)
        return self.texts[key]

    def load(self) -> None:
        """Read the texts of the last build, unless some are there already or the code has changed."""
        self._used.clear()
        if not self.texts:
            self.texts = json.loads(_read(self.folder / self.name, code_digest()) or "{}")

    def save(self) -> None:
        """Write the texts that were used since `load` was called. Others are dropped, so the file does not grow."""
        used = {key: self.texts[key] for key in sorted(self._used)}
        if self._used != set(json.loads(_read(self.folder / self.name, code_digest()) or "{}")):
            _write(self.folder / self.name, code_digest(), json.dumps(used))


@cache
def code_digest() -> str:
    """A digest of all our code and data."""
    return digest_of(path for path in CODE.rglob("*") if path.suffix != ".pyc")


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files below `macros/`; folders among them are ignored."""
    whole = sha256()
    for path in sorted(filter(Path.is_file, paths)):
        content = path.read_bytes()
        # With its length, or else bytes could move from one file to the next unnoticed.
        whole.update(f"{path.relative_to(CODE).as_posix()} {len(content)} ".encode() + content)
    return whole.hexdigest()


@cache
def _setting() -> str:
    """Python, the packages and the address of the site, which can change a content as well."""
    packages = sorted(f"{package.name} {package.version}" for package in distributions())
    return repr([sys.version, packages, os.environ.get("SITE_URL")])


def _read(path: Path, source: str) -> str | bytes | None:
    """The content of a file, if it was made from the same source."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    # Its length tells a whole content from one that was cut off when the machine stopped.
    for form in ("text", "bytes"):
        if head == _head(source, form, body):
            return body.decode() if form == "text" else body
    return None


def _write(path: Path, source: str, content: str | bytes) -> None:
    """Write a file in one step, since several processes may build at once; do nothing if that is not allowed."""
    body, form = (content.encode(), "text") if isinstance(content, str) else (content, "bytes")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as new:
            new.write(_head(source, form, body) + b"\n" + body)
        os.replace(new.name, path)
    except OSError:
        return


def _head(source: str, form: str, body: bytes) -> bytes:
    """The first line of a file: what its content was made from, whether it is text or bytes, and its length."""
    return f"{sha256((_setting() + source).encode()).hexdigest()} {form} {len(body)}".encode()
