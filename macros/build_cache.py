"""A cache on disk for content that is slow to generate but rarely changes.

Ledgers, question banks and the list of known numbers depend on `macros/` but not on any
page, yet generating all of them takes a large part of a build. So they are cached in
`.cache/kept`. The first line of each file contains a digest of everything that determines
the content: the source that the caller passes, and the versions of Python and of all
installed packages. If the digest differs, the content is generated again. Most callers
pass `code_digest()`, which covers our code, our data and the address of the site. It does
not cover the commit, which a citation names. So content with a citation is not cached,
unless the caller passes the citation as part of the source.

The text that most macros return depends on their arguments and on the same digest. These
texts are cached in one file, which a build reads before its first page and writes
after its last (`CachedTexts`). If only the wording of a page has changed, these texts
come from the cache. The search entries of a page are cached in the same way, keyed by
its content. The compiled code of pages and theme templates is cached in Jinja's own
format. Style sheets and scripts that have passed their checks are checked again only
after a change.

The cache is optional. If a file in it is incomplete or cannot be read or written, the
content is generated as if this module did not exist. A build on a new machine, as in
CI, generates everything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions, version
from pathlib import Path
from tempfile import NamedTemporaryFile

from jinja2 import BytecodeCache, FileSystemBytecodeCache

CODE_FOLDER = Path(__file__).parent

CACHE_FOLDER = CODE_FOLDER.parent / ".cache" / "kept"
"""The folder of the cache, which `mkdocs serve` does not watch."""


def cached_content(name: str, source: str, make: Callable[[], str | bytes], folder: Path = CACHE_FOLDER) -> str | bytes:
    """The content of a file in the cache, generated now if the file is missing or out of date.

    Args:
        name: the path of the file in the folder. New content overwrites the old, so the folder does not grow.
        source: everything that determines the content, or a digest of it, such as `code_digest()`.
        make: generates the content.
        folder: the folder of the cache.
    """
    content = _read(folder / name, source)
    if content is None:
        content = make()
        _write(folder / name, source, content)
    return content


class CachedTexts:
    """Texts that are cached from one build to the next for as long as the code stays the same.

    Args:
        name: the path of their file in the folder.
        folder: the folder of the cache.

    Attributes:
        texts: the texts, keyed by a digest of the values that determine them.
    """

    VALUE_TYPES = (str, int, float, bool, type(None))
    """The types of values that can determine a text. Values of these types with equal `repr`s are interchangeable."""

    def __init__(self, name: str, folder: Path = CACHE_FOLDER) -> None:
        self.name = name
        self.folder = folder
        self.texts: dict[str, str] = {}
        self._used: set[str] = set()
        self._in_file: set[str] = set()  # the keys of the texts that were last read or written

    def text(self, values: Sequence[object], make: Callable[[], str]) -> str:
        """The cached text for a sequence of values, generated now if there is none.

        The text is not cached if any value has a type that is not in `VALUE_TYPES`.
        """
        if not all(isinstance(value, self.VALUE_TYPES) for value in values):
            return make()
        key = sha256(repr(values).encode()).hexdigest()
        if key not in self.texts:
            self.texts[key] = make()
        self._used.add(key)
        return self.texts[key]

    def load(self) -> None:
        """Start a new build: forget which texts were used, and read those of the last build.

        Nothing is read if texts are already in memory, as in a second build of `mkdocs serve`, if there is no complete
        file, or if the code has changed.
        """
        self._used.clear()
        if not self.texts:
            self.texts = json.loads(_read(self.folder / self.name, code_digest()) or "{}")
            self._in_file = set(self.texts)

    def save(self) -> None:
        """Write the texts used since the last call to `load`, unless the file already contains exactly these.

        All other texts are dropped from the file, so it does not grow.
        """
        if self._used != self._in_file:
            used_texts = {key: self.texts[key] for key in sorted(self._used)}
            _write(self.folder / self.name, code_digest(), json.dumps(used_texts))
            self._in_file = set(used_texts)


def template_cache(folder: Path = CACHE_FOLDER) -> BytecodeCache | None:
    """A cache on disk for the compiled code of pages and theme templates; None if the folder is not writable."""
    # Two releases of Jinja may compile a template differently.
    template_folder = folder / f"templates-{version('jinja2')}"
    try:
        template_folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(template_folder)) if os.access(template_folder, os.W_OK) else None


MOVED_FILE = CODE_FOLDER / "publish" / "moved.toml"
"""The old addresses of pages. They only determine which pages redirect, so no cached content depends on them."""


@cache
def code_digest() -> str:
    """A digest of all our code and data (except `MOVED_FILE`), followed by the address of the site."""
    code = digest_of(path for path in CODE_FOLDER.rglob("*") if path.suffix != ".pyc" and path != MOVED_FILE)
    return f"{code} {os.environ.get('SITE_URL', '')}"


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files in `macros/`; folders among the paths are ignored."""
    digest = sha256()
    for path in sorted(filter(Path.is_file, paths)):
        content = path.read_bytes()
        # Without the length, bytes could move from one file to the next without changing the digest.
        digest.update(f"{path.relative_to(CODE_FOLDER).as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


@cache
def _environment() -> str:
    """The versions of Python and of all installed packages, on which all cached content depends."""
    # Each property of a distribution reads its metadata anew.
    packages = sorted("{Name} {Version}".format_map(package.metadata) for package in distributions())
    return repr([sys.version, packages])


def _read(path: Path, source: str) -> str | bytes | None:
    """The content of a file; None if the file is missing or incomplete, or was generated from a different source."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    # The head contains the length of the content, so a file that a crash has left incomplete is ignored.
    for form in ("text", "bytes"):
        if head == _head(source, form, body):
            return body.decode() if form == "text" else body
    return None


def _write(path: Path, source: str, content: str | bytes) -> None:
    """Write a file atomically, because several builds may run at once. Do nothing if it cannot be written."""
    body = content.encode() if isinstance(content, str) else content
    form = "text" if isinstance(content, str) else "bytes"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(_head(source, form, body) + b"\n" + body)
                file.close()  # flushes the buffer; also, Windows cannot move an open file
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)


def _head(source: str, form: str, body: bytes) -> bytes:
    """The first line of a file: a digest of all that determines the content, and the content's type and length."""
    return f"{sha256((_environment() + source).encode()).hexdigest()} {form} {len(body)}".encode()
