"""Decides how much of a large sample a run tests: a part of it in `make test`, and the whole sample once a week."""

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")


def sample_of(cases: Sequence[Case], part: int) -> Sequence[Case]:
    """Every `part`-th case, or all of them if LONG_FUZZ is set.

    >>> import pytest
    >>> with pytest.MonkeyPatch.context() as environment:
    ...     environment.delenv("LONG_FUZZ", raising=False)
    ...     in_every_run = sample_of("abcdefg", part=3)
    ...     environment.setenv("LONG_FUZZ", "1")
    ...     in_every_run, sample_of("abcdefg", part=3)
    ('adg', 'abcdefg')
    """
    return cases if os.environ.get("LONG_FUZZ") else cases[::part]


def sample_size(number: int, part: int = 10) -> int:
    """The number of inputs to test: `number // part`, or `number` if LONG_FUZZ is set.

    >>> import pytest
    >>> with pytest.MonkeyPatch.context() as environment:
    ...     environment.delenv("LONG_FUZZ", raising=False)
    ...     in_every_run = sample_size(1500, part=3)
    ...     environment.setenv("LONG_FUZZ", "1")
    ...     in_every_run, sample_size(1500, part=3)
    (500, 1500)
    """
    return number if os.environ.get("LONG_FUZZ") else number // part
