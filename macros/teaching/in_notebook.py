"""Code for the notebook of the lesson: each line `# %%` begins a cell and names it.

It needs only the standard library. The build writes a cell with real values
for what is declared above the first cell.
"""

from typing import Any

KNOWN: dict[str, dict[str, Any]] = {}
TENSORS: list[tuple[str, str]] = []
base: dict[str, int] = {}

# %% check
import re  # noqa: E402, I001  a cell imports what it needs
from hashlib import sha256  # noqa: E402
from math import prod  # noqa: E402


ANSWER = "{answer}"  # stands in a text for the number that was answered


def fingerprint(name: str, answer: object) -> str:
    """Sixteen hexadecimal digits that identify an answer without showing it."""
    return sha256(f"{name}: {answer}".encode()).hexdigest()[:16]


def check(name: str, answer: object) -> None:
    """Say whether an answer is right, and if not, what may have gone wrong."""
    print(judged(name, answer))


def is_right(name: str, answer: object) -> bool:
    """Whether an answer is the right one."""
    return bool(fingerprint(name, answer) == KNOWN[name]["right"])


def typed(text: str) -> int | str:
    """The number that a text such as "589,824" or "V × H + 768²" stands for; any other text as it is."""
    plain = re.sub("[,_' \u2019\u00a0\u202f]|parameters$", "", text.strip())
    if re.fullmatch("[0-9]{1,3}([.][0-9]{3})+", plain):  # as many languages write thousands
        return int(plain.replace(".", ""))
    plain = re.sub("[×·x]", "*", plain).replace("²", "^2")
    plain = re.sub("(?<=[0-9A-Z)])(?=[A-Z(])", "*", plain)
    if re.fullmatch("[A-Z]", plain) or not re.fullmatch("([0-9]+|[VPSHFLA]|[*+-]|[(]|[)]|[\\^]2)+", plain):
        return text.strip().lower()
    sum_ = re.sub("[A-Z]", lambda letter: str(base[letter[0]]), plain).replace("^", "**")
    try:
        return int(eval(sum_, {}))  # noqa: S307  of digits, letters of sizes, and signs
    except (SyntaxError, TypeError):
        return text.strip().lower()


def judged(name: str, answer: object) -> str:
    """The verdict on an answer."""
    if answer is None:
        return "Put your answer in place of None, and run the cell again."
    if isinstance(answer, tuple):
        return "Leave out the commas, or put quotation marks around the number: Python reads commas as separators."
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if isinstance(answer, bool) or not isinstance(answer, int | str):
        return f"A count is a whole number, and this is {answer!r}. Use only * and +."
    if isinstance(answer, str) and re.fullmatch("[0-9.,]+ *([KMB]|thousand|million|billion)", answer.strip(), re.I):
        return f"{answer.strip()} is rounded. Give it to the last digit."
    if isinstance(answer, str):
        answer = typed(answer)
    if is_right(name, answer):
        return f"Right: {answer:,}." if isinstance(answer, int) else "Right."
    known = KNOWN[name]
    shown = f"{answer:,}" if isinstance(answer, int) else answer
    mark = fingerprint(name, answer)
    if mark in known["wrong"]:
        return str(known["wrong"][mark]).replace(ANSWER, shown)
    return f"{shown} is not right, and we can't tell how you got it. {known['hint']}"


# %% count
def count(sizes: dict[str, int], within: str = "") -> int:
    """The parameters of every tensor whose name begins with `within`."""
    total = 0
    for name, shape in TENSORS:
        if name.startswith(within):
            elements = prod(sizes[letter] for letter in shape.split())
            total += elements * (sizes["L"] if "*" in name else 1)
    return total
