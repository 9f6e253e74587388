"""Comparisons of the engine with recordings of real implementations, cached on disk.

Comparing takes several seconds. The results depend only on the files that are digested
below, so they stay in the cache until one of these files changes. Changing a page, a
claim or the address of the site does not invalidate them.
"""

from __future__ import annotations

import json
from functools import cache

from macros.build_cache import cached_content, digest_of
from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings

ENGINE = FOLDER.parents[1]
"""The folder of the engine, `macros/counting`, which also contains the recordings."""

CODE_FOLDERS = ("", "architectures", "frameworks")
"""The folders with the code that makes the comparisons. It imports from no other folders (`tests/test_layers.py`)."""


@cache
def comparisons() -> list[Comparison]:
    """The comparison of every recording with the engine."""
    code = (path for folder in CODE_FOLDERS for path in (ENGINE / folder).glob("*.py"))
    source = digest_of([*code, ENGINE / "data" / "config_keys.toml", *FOLDER.iterdir()])
    results = json.loads(cached_content("comparisons.json", source, _comparisons_as_json))
    # JSON has converted the tuple of differences into a list.
    return [Comparison(**(fields | {"differences": tuple(fields["differences"])})) for fields in results]


def _comparisons_as_json() -> str:
    """The comparison of every recording with the engine, as a JSON list of objects."""
    return json.dumps([comparison(name)._asdict() for name in recordings()])
