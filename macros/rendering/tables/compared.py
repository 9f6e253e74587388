"""The recordings held against the engine: what came of it is kept on disk until one or the other changes."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from hashlib import sha256
from os import getpid
from pathlib import Path

from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings

ENGINE = FOLDER.parents[1]

KEPT = ENGINE.parents[1] / ".cache" / "comparisons"
"""Outside of what `mkdocs serve` watches."""


@cache
def compared() -> list[Comparison]:
    """Every recording held against the engine, which takes two seconds the first time."""
    kept = KEPT / f"{_state()}.json"
    if kept.exists():
        found = [Comparison(**each) for each in json.loads(kept.read_text(encoding="utf-8"))]
        return [each._replace(differences=tuple(each.differences)) for each in found]
    found = [comparison(name) for name in recordings()]
    _keep(kept, json.dumps([each._asdict() for each in found]))
    return found


def _state() -> str:
    """All that the comparison depends on, as a name: the engine's code and the recordings, and no other data."""
    state = sha256()
    for path in sorted([*ENGINE.rglob("*.py"), *FOLDER.iterdir()]):
        content = path.read_bytes()
        state.update(f"{path.relative_to(ENGINE)} {len(content)} ".encode() + content)
    return state.hexdigest()


def _keep(path: Path, text: str) -> None:
    """Write a file in one step, in place of the ones for other states, or nothing where that is not allowed."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob("*.json"):
            old.unlink(missing_ok=True)
        part = path.with_suffix(f".{getpid()}")  # several processes may build at the same time
        part.write_text(text, encoding="utf-8")
        part.replace(path)
