"""Reading and writing the files of a site."""

from __future__ import annotations

from pathlib import Path

from .errors import PublishError


def read(site: Path, pattern: str) -> dict[Path, str]:
    """Every file of a kind, in the order of their addresses.

    Raises:
        PublishError: one of them is not text.
    """
    texts = {}
    for path in sorted(site.rglob(pattern)):
        try:
            texts[path] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise PublishError(f"{path} is not written in UTF-8: {error}") from error
    return texts


def write(path: Path, made: str | bytes) -> None:
    """Writes a file if it does not hold this text, or these bytes, already."""
    content = made.encode("utf-8") if isinstance(made, str) else made
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
