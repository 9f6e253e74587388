"""Reading and writing the files of a site."""

from __future__ import annotations

from pathlib import Path

from .errors import PublishError


def read(site: Path, pattern: str) -> dict[str, str]:
    """Every file of a kind by its address from the top, in order.

    Raises:
        PublishError: one of them is not text.
    """
    texts = {}
    for path in sorted(site.rglob(pattern)):
        try:
            texts[path.relative_to(site).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise PublishError(f"{path} is not written in UTF-8: {error}") from error
    return texts


def write(path: Path, content: str | bytes) -> None:
    """Writes a file, with line ends as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
