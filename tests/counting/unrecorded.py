"""The words for what is counted and of which no library has been recorded yet."""

from collections.abc import Iterable


def unrecorded(names: Iterable[object], script: str) -> str:
    """The message of a test that finds nothing in a recording of what is counted, or the other way round.

    Args:
        names: what is on one side alone.
        script: which script in `tests/oracles` records it.

    >>> print(unrecorded({"NewModel"}, "record_operations"))
    counted and not recorded, or recorded and not counted: 'NewModel'; `make verify` records it by \
tests/oracles/record_operations.py
    """
    listed = ", ".join(sorted(map(repr, names)))
    return (
        f"counted and not recorded, or recorded and not counted: {listed}; "
        f"`make verify` records it by tests/oracles/{script}.py"
    )
