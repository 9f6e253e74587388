"""The architectures and classes that must be recorded, and the message if one of them is not."""

from collections.abc import Iterable

from macros.counting import ARCHITECTURES

ARCHITECTURES_IN_RELEASE_5 = {
    name: architecture for name, architecture in ARCHITECTURES.items() if architecture.last_release == 5
}
"""The architectures of transformers 5, by model type. PEFT and other libraries are recorded with this release."""

CLASSES_IN_RELEASE_5 = {
    model_class.name for architecture in ARCHITECTURES_IN_RELEASE_5.values() for model_class in architecture.classes
}
"""The names of the classes of these architectures."""


def unrecorded_message(names: Iterable[object], script: str) -> str:
    """A message that lists the names that are counted but not recorded, or recorded but not counted.

    Args:
        names: names that only one side has.
        script: the script in `tests/oracles` that records them.

    >>> print(unrecorded_message({"NewModel"}, "record_operations"))
    counted and not recorded, or recorded and not counted: 'NewModel'; `make verify` records them with \
tests/oracles/record_operations.py
    """
    text = ", ".join(sorted(map(repr, names)))
    return (
        f"counted and not recorded, or recorded and not counted: {text}; "
        f"`make verify` records them with tests/oracles/{script}.py"
    )
