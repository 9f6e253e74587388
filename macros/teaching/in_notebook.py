"""Code that runs in the notebook of the lesson, in cells: what stands below a line `# %%` is one, by its name.

It needs the standard library alone. What is declared here, above the first
cell, the notebook has from cells that the build writes.
"""

from typing import Any

KNOWN: dict[str, dict[str, Any]] = {}
TENSORS: list[tuple[str, str]] = []

# %% check
from hashlib import sha256  # noqa: E402, I001  a cell imports what it needs


ANSWER = "{answer}"  # stands in a text for the number that was answered


def fingerprint(name: str, answer: object) -> str:
    """What an answer is known by."""
    return sha256(f"{name}: {answer}".encode()).hexdigest()[:16]


def check(name: str, answer: object) -> None:
    """Say whether an answer is right, and if not, what may have gone wrong."""
    print(judged(name, answer))


def judged(name: str, answer: object) -> str:
    """What is to be said to an answer."""
    if answer is None:
        return "Put your answer in the place of None, and run the cell again."
    if isinstance(answer, tuple):
        return "Leave the commas out: Python takes them as signs between several numbers."
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if isinstance(answer, bool) or not isinstance(answer, int | str):
        return f"A count is a whole number, and this is {answer!r}. Use * and + alone."
    known = KNOWN[name]
    mark = fingerprint(name, answer.strip().lower() if isinstance(answer, str) else answer)
    if mark == known["right"]:
        return f"Right: {answer:,}." if isinstance(answer, int) else "Right."
    if mark in known["wrong"]:
        return str(known["wrong"][mark]).replace(ANSWER, f"{answer:,}" if isinstance(answer, int) else answer)
    return f"{answer!r} is not right, and no slip is known that leads there. {known['hint']}"


# %% count
from math import prod  # noqa: E402  a cell imports what it needs


def count(sizes: dict[str, int], within: str = "") -> int:
    """The parameters of every tensor whose name begins so."""
    total = 0
    for name, shape in TENSORS:
        if name.startswith(within):
            elements = prod(sizes[letter] for letter in shape.split())
            total += elements * (sizes["L"] if "*" in name else 1)
    return total
