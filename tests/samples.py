"""How much of a large sample a run tests: a part of it in `make test`, and all of it once a week."""

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")


def sampled(cases: Sequence[Case], part: int) -> Sequence[Case]:
    """One in `part` of some cases, spread evenly; all of them if LONG_FUZZ is set.

    >>> import pytest
    >>> with pytest.MonkeyPatch.context() as environment:
    ...     environment.delenv("LONG_FUZZ", raising=False)
    ...     in_every_run = sampled("abcdefg", part=3)
    ...     environment.setenv("LONG_FUZZ", "1")
    ...     in_every_run, sampled("abcdefg", part=3)
    ('adg', 'abcdefg')
    """
    return cases if os.environ.get("LONG_FUZZ") else cases[::part]


def sample_size(number: int, part: int = 10) -> int:
    """The number of inputs to test out of `number`: all if LONG_FUZZ is set, or else one in `part`.

    >>> import pytest
    >>> with pytest.MonkeyPatch.context() as environment:
    ...     environment.delenv("LONG_FUZZ", raising=False)
    ...     in_every_run = sample_size(1500, part=3)
    ...     environment.setenv("LONG_FUZZ", "1")
    ...     in_every_run, sample_size(1500, part=3)
    (500, 1500)
    """
    return number if os.environ.get("LONG_FUZZ") else number // part
