"""The recordings compared with the engine; the result is kept on disk until one or the other changes."""

from __future__ import annotations

import json
from functools import cache

from macros.counting.frameworks.recordings import FOLDER, Comparison, comparison, recordings
from macros.kept import digest_of, kept

ENGINE = FOLDER.parents[1]


@cache
def compared() -> list[Comparison]:
    """Every recording, compared with the engine: about a second of work, unless the result was kept.

    It depends on the engine's code and on the recordings alone, so a change of a
    page, a word or a model leaves it as it is.
    """
    source = digest_of([*ENGINE.rglob("*.py"), *FOLDER.iterdir()])
    found = json.loads(kept("comparisons.json", source, _text))
    return [Comparison(**{**each, "differences": tuple(each["differences"])}) for each in found]


def _text() -> str:
    return json.dumps([comparison(name)._asdict() for name in recordings()])
