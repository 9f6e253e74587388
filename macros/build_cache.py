"""A cache on disk of what takes long to work out and seldom changes, so that the next build need not do it again.

A ledger, a question bank or the list of known numbers depends on `macros/` and on
nothing that a page says, yet working all of them out takes a quarter of a build.
So each is cached in `.cache/kept`. The first line of its file is a digest of
everything it was made from: the source that the caller gives, the versions of Python
and of all installed packages, and the address of the site. If the digest differs, the
content is made anew. Only a citation depends on more, because it names the commit; so
nothing with a citation in it is cached, except as part of a source.

The text that a macro returns depends on its arguments and on the same code. All these
texts are cached in one file, which a build reads before its first page and writes
after its last (`CachedTexts`). If only the words of a page have changed, every text
that its macros return comes from the cache.

Nothing depends on the cache. If a file in it cannot be read or written, or was cut
off, the content is made as if this module did not exist. A build on a new machine, as
in CI, makes everything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from tempfile import NamedTemporaryFile

CODE = Path(__file__).parent

FOLDER = CODE.parent / ".cache" / "kept"
"""The folder of the cache, outside of what `mkdocs serve` watches."""


def cached(name: str, source: str, make: Callable[[], str | bytes], folder: Path = FOLDER) -> str | bytes:
    """The content of a file in the cache, made now if it is not there or was made from another source.

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
    """Texts that are cached from one build to the next, as long as the code stays the same.

    Args:
        name: the path of their file in the folder.
        folder: the folder of the cache.

    Attributes:
        texts: the texts, by a digest of what each was made from.
    """

    PLAIN = (str, int, float, bool, type(None))
    """Types of values that are equal whenever their `repr` is, so that it can serve as a key."""

    def __init__(self, name: str, folder: Path = FOLDER) -> None:
        self.name, self.folder = name, folder
        self.texts: dict[str, str] = {}
        self._used: set[str] = set()
        self._in_file: set[str] = set()  # the keys of what was last read or written

    def text(self, made_from: Sequence[object], make: Callable[[], str]) -> str:
        """The cached text for these values, made now if there is none. If a value is not plain, it is always made."""
        if not all(isinstance(value, self.PLAIN) for value in made_from):
            return make()
        key = sha256(repr(made_from).encode()).hexdigest()
        if key not in self.texts:
            self.texts[key] = make()
        self._used.add(key)
        return self.texts[key]

    def load(self) -> None:
        """Start a new build: forget which texts were used, and read those of the last build.

        Texts that are there already are kept instead, and none are read if the code has changed.
        """
        self._used.clear()
        if not self.texts:
            self.texts = json.loads(_read(self.folder / self.name, code_digest()) or "{}")
            self._in_file = set(self.texts)

    def save(self) -> None:
        """Write the texts that were used since `load` was called, unless the file holds just these.

        Others are dropped, so the file does not grow.
        """
        if self._used != self._in_file:
            used = {key: self.texts[key] for key in sorted(self._used)}
            _write(self.folder / self.name, code_digest(), json.dumps(used))
            self._in_file = set(used)


@cache
def code_digest() -> str:
    """A digest of all our code and data."""
    return digest_of(path for path in CODE.rglob("*") if path.suffix != ".pyc")


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files below `macros/`; folders among them are ignored."""
    whole = sha256()
    for path in sorted(filter(Path.is_file, paths)):
        content = path.read_bytes()
        # Without the length, bytes could move from one file to the next unnoticed.
        whole.update(f"{path.relative_to(CODE).as_posix()} {len(content)} ".encode() + content)
    return whole.hexdigest()


@cache
def _setting() -> str:
    """The versions of Python and of the packages, and the address of the site, on which contents depend as well."""
    packages = sorted(f"{package.name} {package.version}" for package in distributions())
    return repr([sys.version, packages, os.environ.get("SITE_URL")])


def _read(path: Path, source: str) -> str | bytes | None:
    """The content of a file; None if it is missing, cut off, or was made from another source."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    # The head has the length of the content, so a file that was cut off when the machine stopped does not match.
    for form in ("text", "bytes"):
        if head == _head(source, form, body):
            return body.decode() if form == "text" else body
    return None


def _write(path: Path, source: str, content: str | bytes) -> None:
    """Write a file in one step, since several processes may build at once. If it cannot be written, do nothing."""
    body, form = (content.encode(), "text") if isinstance(content, str) else (content, "bytes")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as new:
            temporary = Path(new.name)
            try:
                new.write(_head(source, form, body) + b"\n" + body)
                new.close()  # writes what is buffered, and Windows replaces no file that is open
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)


def _head(source: str, form: str, body: bytes) -> bytes:
    """The first line of a file: the digest of what it was made from, the type of its content, and the length."""
    return f"{sha256((_setting() + source).encode()).hexdigest()} {form} {len(body)}".encode()
