"""Comparisons of the engine with recordings of real implementations, cached on disk.

Comparing takes about a second. The results depend only on the files of
`macros/counting` that are digested below and on the recordings, so they stay in
the cache until one of those changes; a change to a page or to its words keeps them.
"""

from __future__ import annotations

import json
from functools import cache

from macros.build_cache import cached, digest_of
from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings

ENGINE = FOLDER.parents[1]
"""The folder of the engine, `macros/counting`, which also contains the recordings."""


@cache
def comparisons() -> list[Comparison]:
    """The comparison of every recording with the engine."""
    source = digest_of([*ENGINE.rglob("*.py"), *FOLDER.iterdir()])
    results = json.loads(cached("comparisons.json", source, _text))
    # JSON has turned the tuple of differences into a list.
    return [Comparison(**(fields | {"differences": tuple(fields["differences"])})) for fields in results]


def _text() -> str:
    """All comparisons as JSON, for the cache."""
    return json.dumps([comparison(name)._asdict() for name in recordings()])
