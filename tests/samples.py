"""How much of a large sample a run looks at: a part of it in `make test`, and all of it once a week."""

import os


def taken(number: int, part: int = 10) -> int:
    """How many inputs out of a number of them: all if LONG_FUZZ is set, or else the first tenth, or another part.

    >>> import pytest
    >>> with pytest.MonkeyPatch.context() as environment:
    ...     environment.delenv("LONG_FUZZ", raising=False)
    ...     in_every_run = taken(1500, part=3)
    ...     environment.setenv("LONG_FUZZ", "1")
    ...     in_every_run, taken(1500, part=3)
    (500, 1500)
    """
    return number if os.environ.get("LONG_FUZZ") else number // part
