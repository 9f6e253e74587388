"""The totals of the first version have not changed, as the page about corrections says."""

import tomllib
from pathlib import Path

from macros.counting import count, load_models

TOTALS: dict[str, int] = tomllib.loads(Path(__file__).with_name("first_version.toml").read_text(encoding="utf-8"))
"""The total of every model that version 0.1 listed, as `BertModel`."""


def test_every_total_of_the_first_version_is_unchanged() -> None:
    """A change to any of these totals is a correction: list it on the page, in the changelog and here."""
    assert TOTALS == {name: count(load_models()[name]) for name in TOTALS}
