"""Comparisons of the engine with what was recorded of real implementations, kept on disk.

Making them takes about a second. They depend on the engine's code and the
recordings alone, so they are kept until one or the other changes; a change of
a page, of words or of a model makes none again.
"""

from __future__ import annotations

import json
from functools import cache

from macros.build_cache import cached, digest_of
from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings

ENGINE = FOLDER.parents[1]


@cache
def compared() -> list[Comparison]:
    """The comparison of every recording with the engine."""
    source = digest_of([*ENGINE.rglob("*.py"), *FOLDER.iterdir()])
    results = json.loads(cached("comparisons.json", source, _text))
    return [Comparison(**{**fields, "differences": tuple(fields["differences"])}) for fields in results]


def _text() -> str:
    return json.dumps([comparison(name)._asdict() for name in recordings()])
