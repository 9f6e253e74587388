"""Comparisons of the engine with what was recorded of real implementations, cached on disk.

Making them takes two seconds, so they are kept in `.cache` under a hash of the
engine's code and the recordings, and made again when either changes.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from hashlib import sha256
from os import getpid
from pathlib import Path

from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings

ENGINE = FOLDER.parents[1]

CACHE = ENGINE.parents[1] / ".cache" / "comparisons"
"""Outside the folders that `mkdocs serve` watches, so that writing here starts no new build."""


@cache
def compared() -> list[Comparison]:
    """The comparison of every recording with the engine, from the cache if it is there."""
    file = CACHE / f"{_state()}.json"
    if file.exists():
        read = [Comparison(**fields) for fields in json.loads(file.read_text(encoding="utf-8"))]
        return [result._replace(differences=tuple(result.differences)) for result in read]
    results = [comparison(name) for name in recordings()]
    _keep(file, json.dumps([result._asdict() for result in results]))
    return results


def _state() -> str:
    """A hash of all that a comparison depends on: the engine's code and the recordings, but not the other data."""
    state = sha256()
    for path in sorted([*ENGINE.rglob("*.py"), *FOLDER.iterdir()]):
        content = path.read_bytes()
        state.update(f"{path.relative_to(ENGINE)} {len(content)} ".encode() + content)
    return state.hexdigest()


def _keep(path: Path, text: str) -> None:
    """Write a file in one step, in place of those for other states; do nothing where writing is not allowed."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob("*.json"):
            old.unlink(missing_ok=True)
        part = path.with_suffix(f".{getpid()}")  # several processes may build at the same time
        part.write_text(text, encoding="utf-8")
        part.replace(path)
