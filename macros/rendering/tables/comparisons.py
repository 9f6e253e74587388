"""Comparisons of the engine with recordings of real implementations, cached on disk.

Comparing takes some seconds. The results depend only on the files that are digested
below, so they stay in the cache until one of those changes; a change to a page, to a
claim or to the address of the site keeps them.
"""

from __future__ import annotations

import json
from functools import cache

from macros.build_cache import cached, digest_of
from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings

ENGINE = FOLDER.parents[1]
"""The folder of the engine, `macros/counting`, which also contains the recordings."""

ROOMS = ("", "architectures", "frameworks")
"""The engine's folders of the code that compares. By `tests/test_layers.py`, it imports nothing from the others."""


@cache
def comparisons() -> list[Comparison]:
    """The comparison of every recording with the engine."""
    code = (path for room in ROOMS for path in (ENGINE / room).glob("*.py"))
    source = digest_of([*code, ENGINE / "data" / "config_keys.toml", *FOLDER.iterdir()])
    results = json.loads(cached("comparisons.json", source, _text))
    # JSON has turned the tuple of differences into a list.
    return [Comparison(**(fields | {"differences": tuple(fields["differences"])})) for fields in results]


def _text() -> str:
    """All comparisons as JSON, for the cache."""
    return json.dumps([comparison(name)._asdict() for name in recordings()])
